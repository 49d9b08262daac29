import { isBy } from './layer-kinds.ts'
import { captionStyles } from '@clear-to-post/domain/captions'
import { heldSources } from './commands/steady.ts'
import { decisionsOf, type DecisionLine } from './decisions.ts'
import type { Captions, Layer, Recipe } from './recipe.ts'
import { spokenWords, timelineOf } from './timeline.ts'
import { voiceFades } from './voice-fades.ts'
import { msAt } from './frames.ts'

/** So many decisions are named; what is beyond them is counted. */
const mostNamed = 20

/** What changed from one recipe to the other, in plain sentences; empty when nothing did. Most important first. */
export const differenceOf = (before: Recipe, after: Recipe): string[] => {
  const said: string[] = []
  const length = (recipe: Recipe) => {
    const timeline = timelineOf(recipe)
    return msAt(timeline.frames, timeline.fps)
  }
  const [was, is] = [length(before), length(after)]
  if (Math.abs(is - was) >= 50)
    said.push(`The video is ${seconds(Math.abs(is - was))} ${is > was ? 'longer' : 'shorter'}: ${clock(is)}.`)

  const old = new Map(decisionsOf(before).map((one) => [`${one.list} ${one.id}`, one]))
  const now = new Map(decisionsOf(after).map((one) => [`${one.list} ${one.id}`, one]))
  // What is changed is named last: that takes longest, and only the first ones are.
  const decided: { verb: string; one: DecisionLine; recipe: Recipe }[] = []
  for (const [key, one] of now) {
    const other = old.get(key)
    const note = (verb: string) => decided.push({ verb, one, recipe: after })
    if (!other) {
      if (one.on) note(one.list === 'removed' ? 'Taken out' : 'Added')
    } else if (other.on !== one.on) {
      if (one.list === 'removed') note(one.on ? 'Taken out' : 'Put back')
      else note(one.on ? 'Switched on' : 'Switched off')
    } else if (JSON.stringify(other.span) !== JSON.stringify(one.span)) note('Moved')
  }
  for (const [key, one] of old)
    if (!now.has(key) && one.on)
      decided.push({ verb: one.list === 'removed' ? 'Put back' : 'Removed', one, recipe: before })
  const first = decided.length > mostNamed + 1 ? decided.slice(0, mostNamed) : decided
  said.push(...first.map(({ verb, one, recipe }) => `${verb}: ${nameOf(one, recipe)}.`))
  if (first.length < decided.length) said.push(`${decided.length - first.length} more decisions changed.`)

  if (isLouder(before, after)) said.push('Passages are louder or quieter than before.')
  if (fadesIn(before) !== fadesIn(after)) said.push('Voices fade in or out otherwise than before.')
  if (heldSources(before).join() !== heldSources(after).join())
    said.push(
      heldSources(after).length > 0 ? 'A shaky picture is held steady.' : 'The picture is no longer held steady.',
    )
  const bare = (recipe: Recipe) =>
    JSON.stringify(recipe.keep.map(({ id, source, start, end }) => [id, source, start, end]))
  if (bare(before) !== bare(after)) {
    const ids = (recipe: Recipe) => recipe.keep.map(({ id }) => id)
    const same = ids(before).toSorted().join() === ids(after).toSorted().join()
    said.push(
      (same && ids(before).join() !== ids(after).join()) || isReordered(before, after)
        ? 'The passages are in another order.'
        : after.keep.length === before.keep.length
          ? 'The ends of a passage moved.'
          : `The video is made of ${counted(after.keep.length, 'passage', 'passages')}, before of ${before.keep.length}.`,
    )
  }

  said.push(...wordChanges(before, after))
  said.push(...captionChanges(before, after))
  said.push(...translationChanges(before, after))
  const balance = (one: Recipe) => one.sources.filter((source) => source.balance?.on).map(({ id }) => id)
  if (balance(before).join() !== balance(after).join())
    said.push(balance(after).length > 0 ? 'The picture is balanced by itself.' : 'The picture is as it was recorded.')
  const shown = (one: Recipe) => one.sources.map(({ assetId }) => assetId).join()
  if (shown(before) !== shown(after)) said.push('Other recordings are used.')
  const places = ({ focus = [] }: Recipe) => new Map(focus.map(({ id, at, to }) => [id, JSON.stringify([at, to])]))
  const known = places(before)
  if ([...places(after)].some(([id, place]) => (known.get(id) ?? place) !== place))
    said.push('The frame is put on the person at another place.')
  said.push(...listChanges(before.joints, after.joints, 'crossfade or joint', 'crossfades or joints'))
  const [seenBefore, seenAfter] = [before, after].map(({ layers }) => layers.filter((layer) => !isBy('sound', layer)))
  said.push(...listChanges(seenBefore!, seenAfter!, 'picture over the video', 'pictures over the video'))
  const heard = (kind: Layer['kind']) => [before, after].map(({ layers }) => layers.filter((one) => one.kind === kind))
  const [[effects, newEffects], [pieces, newPieces]] = [heard('sound'), heard('music')]
  said.push(...listChanges(effects!, newEffects!, 'sound effect', 'sound effects'))
  said.push(...listChanges(pieces!, newPieces!, 'piece of music', 'pieces of music'))
  if (before.frame.aspect !== after.frame.aspect)
    said.push(`The frame is ${after.frame.aspect} instead of ${before.frame.aspect}.`)
  else if (JSON.stringify(before.frame) !== JSON.stringify(after.frame)) said.push('The frame looks at another point.')
  if (before.output.shortSide !== after.output.shortSide)
    said.push(`The picture is ${after.output.shortSide}p instead of ${before.output.shortSide}p.`)
  if (JSON.stringify(before.output.fps) !== JSON.stringify(after.output.fps)) said.push('The frame rate changed.')
  if (before.sound.loudness !== after.sound.loudness)
    said.push(
      after.sound.loudness === null
        ? 'The loudness stays as recorded.'
        : `The loudness is ${after.sound.loudness} LUFS${before.sound.loudness === null ? '' : ` instead of ${before.sound.loudness}`}.`,
    )
  if ((before.sound.clean ?? false) !== (after.sound.clean ?? false))
    said.push(after.sound.clean ? 'The voice is cleaned.' : 'The voice is as it was recorded.')
  if ((before.sound.tone ?? false) !== (after.sound.tone ?? false))
    said.push(after.sound.tone ? 'The room is heard under the cuts.' : 'The room is not heard under the cuts.')
  const [music, newMusic] = [before.sound.music, after.sound.music]
  if (!music !== !newMusic) said.push(newMusic ? 'There is music.' : 'There is no music any more.')
  else if (JSON.stringify(music) !== JSON.stringify(newMusic))
    said.push(music!.assetId === newMusic!.assetId ? 'The music is mixed differently.' : 'The music is another.')
  if (before.sound.peak !== after.sound.peak) said.push(`The highest peak is ${after.sound.peak} dB.`)
  for (const [key, name] of [
    ['colour', 'colours of the picture'],
    ['brand', 'brand'],
  ] as const)
    if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) said.push(`The ${name} changed.`)
  if (JSON.stringify(before.open) !== JSON.stringify(after.open))
    said.push(after.open?.on ? 'The opening card changed.' : 'There is no opening card.')
  const card = (one: Recipe) => JSON.stringify(one.close && { ...one.close, on: true })
  if (before.close && after.close && card(before) !== card(after)) said.push('The end card changed.')
  return said
}

const wordChanges = (before: Recipe, after: Recipe): string[] => {
  const text = (recipe: Recipe) =>
    new Map(recipe.words.map(({ id, text }) => [id, recipe.captions.overrides[id]?.text ?? text]))
  const [old, now] = [text(before), text(after)]
  const changed = [...now].flatMap(([id, word]) => {
    const other = old.get(id)
    if (other === undefined || other === word) return []
    return [
      word === '' ? `“${other}” has no caption` : other === '' ? `“${word}” has a caption` : `“${other}” is “${word}”`,
    ]
  })
  const said =
    changed.length > 6 ? [`${changed.length} words are written differently.`] : changed.map((one) => `${one}.`)
  const [added, gone] = [
    [...now.keys()].filter((id) => !old.has(id)).length,
    [...old.keys()].filter((id) => !now.has(id)).length,
  ]
  if (added) said.push(`${counted(added, 'word', 'words')} added to the transcript.`)
  if (gone) said.push(`${counted(gone, 'word', 'words')} gone from the transcript.`)
  const times = new Map(before.words.map((word) => [word.id, `${word.start} ${word.end}`]))
  const moved = after.words.filter(
    (word) => times.has(word.id) && times.get(word.id) !== `${word.start} ${word.end}`,
  ).length
  if (moved) said.push(`${counted(moved, 'word has', 'words have')} other times.`)
  return said
}

const captionChanges = ({ captions: old }: Recipe, { captions: now }: Recipe): string[] => {
  const said: string[] = []
  if (old.on !== now.on) said.push(now.on ? 'Captions are on.' : 'Captions are off.')
  if (old.style !== now.style)
    said.push(`Captions are “${captionStyles[now.style].label}” instead of “${captionStyles[old.style].label}”.`)
  if (old.position !== now.position) said.push('Captions stand at another height.')
  if (old.size !== now.size) said.push(`Captions are ${now.size > old.size ? 'larger' : 'smaller'}.`)
  if (old.colour !== now.colour) said.push('The spoken word is marked in another colour.')
  const breaks = (one: Captions) =>
    JSON.stringify(Object.entries(one.overrides).flatMap(([id, { break: at }]) => (at ? [[id, at]] : [])))
  if (breaks(old) !== breaks(now)) said.push('Captions break at other words.')
  if (JSON.stringify(old.emoji) !== JSON.stringify(now.emoji)) said.push('Other emoji are shown.')
  if (JSON.stringify(old.tour) !== JSON.stringify(now.tour)) said.push('The facts of the home tour changed.')
  return said
}

const translationChanges = ({ translation: old }: Recipe, { translation: now }: Recipe): string[] => {
  if (!old && !now) return []
  if (!now) return ['There is no second language any more.']
  const changed = [...new Set([...Object.keys(old?.lines ?? {}), ...Object.keys(now.lines)])].filter(
    (id) => old?.lines[id]?.text !== now.lines[id]?.text,
  )
  return [
    ...(old ? [] : ['There is a second language.']),
    ...(old && old.language !== now.language ? ['The second language is another one.'] : []),
    ...(changed.length > 0
      ? [`${counted(changed.length, 'sentence', 'sentences')} of the second language changed.`]
      : []),
    ...((old?.inPicture ?? false) !== now.inPicture
      ? [now.inPicture ? 'Captions show the second language.' : 'Captions show what is said.']
      : []),
  ]
}

const listChanges = (before: { id: string }[], after: { id: string }[], one: string, many: string): string[] => {
  const text = (list: { id: string }[]) => new Map(list.map((item) => [item.id, JSON.stringify(item)]))
  const [old, now] = [text(before), text(after)]
  const added = [...now.keys()].filter((id) => !old.has(id)).length
  const gone = [...old.keys()].filter((id) => !now.has(id)).length
  const changed = [...now].filter(([id, item]) => old.has(id) && old.get(id) !== item).length
  return [
    ...(added ? [`${counted(added, one, many)} added.`] : []),
    ...(gone ? [`${counted(gone, one, many)} removed.`] : []),
    ...(changed ? [`${counted(changed, one, many)} changed.`] : []),
  ]
}

/** Where a decision is and what it holds, as people would say it. */
const nameOf = ({ list, kind, span }: DecisionLine, recipe: Recipe): string => {
  if (list === 'close') return 'the end card'
  const words = span
    ? recipe.words
        .filter((word) => word.source === span.source && word.start < span.end && word.end > span.start)
        .map(({ text }) => text)
    : []
  const quote = words.length ? ` “${words.length > 6 ? `${words.slice(0, 6).join(' ')} …` : words.join(' ')}”` : ''
  return `${kindNames[kind] ?? kind}${quote} at ${clock(span!.start)}`
}

const kindNames: Record<string, string> = {
  silence: 'a silence',
  filler: 'the filler',
  'broken-off': 'the broken-off try',
  'off-script': 'the passage beside the script',
  'by-hand': 'the passage',
  'punch-in': 'a punch-in on',
  push: 'a slow push on',
  focus: 'the frame on the person',
}
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const clock = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`

/** Whether words that both play are heard in another order: a passage was parted and played elsewhere. */
const isReordered = (before: Recipe, after: Recipe): boolean => {
  const [old, now] = [before, after].map((recipe) => spokenWords(recipe).map(({ word }) => word.id))
  const [then, here] = [new Set(old), new Set(now)]
  return old!.filter((id) => here.has(id)).join() !== now!.filter((id) => then.has(id)).join()
}

/** The voices that fade, in their order. */
const fadesIn = (recipe: Recipe): string => {
  const timeline = timelineOf(recipe)
  const fades = voiceFades(recipe, timeline)
  return timeline.pieces
    .flatMap(({ source }, i) => (fades[i]!.fadeIn + fades[i]!.fadeOut > 0 ? JSON.stringify([source, fades[i]]) : []))
    .join()
}

/** Whether something that both play is louder or quieter in one of them. Stretches are told by where they begin. */
const isLouder = (before: Recipe, after: Recipe): boolean => {
  const beginningsOf = (recipe: Recipe) => {
    const gains = new Map(recipe.keep.map(({ id, gain }) => [id, gain ?? 0]))
    return timelineOf(recipe).pieces.map(({ source, from, keep }) => ({
      source,
      ms: Math.floor(from),
      gain: gains.get(keep)!,
    }))
  }
  const known = new Map<string, number>()
  for (const { source, ms, gain } of beginningsOf(before)) {
    const key = `${source} ${ms}`
    if (!known.has(key)) known.set(key, gain)
  }
  // What begins within the same millisecond may have been rounded down from the one before.
  const gainBefore = (source: string, ms: number) => known.get(`${source} ${ms}`) ?? known.get(`${source} ${ms - 1}`)
  return beginningsOf(after).some(({ source, ms, gain }) => gain !== (gainBefore(source, ms) ?? gain))
}
