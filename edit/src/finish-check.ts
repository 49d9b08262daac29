import { bRollOf, stillMs } from './commands/layers.ts'
import { wordAcross } from './commands/trims.ts'
import { flawsSeen } from './flaws.ts'
import { unsureOf } from './focus.ts'
import { isCut } from './framing.ts'
import { isCovered, type Network } from './network-areas.ts'
import type { Page } from './captions.ts'
import { concernsOf, passagesOf, type Concern } from './passages.ts'
import { sizeOf, type Layer, type LayerPlace, type Recipe } from './recipe.ts'
import type { Box, Size } from './safe-area.ts'
import { lengthProblems } from './render-length.ts'
import { timelineMs, timelineOf, windowsIn, type Piece, type Timeline } from './timeline.ts'
import { openSentences } from './translation.ts'

/** What an editor looks at before a video is sent: each a warning with the places where it is, none forbids. */
export type Finding = {
  kind:
    | Concern['kind']
    /** Nothing is seen. */
    | 'empty'
    /** The frame cuts the picture, and no rule is sure where the person is. */
    | 'person'
    | 'too-long'
    /** A picture that shows nothing, or stands still while somebody speaks; of B-roll, one that has run out. */
    | 'black'
    | 'frozen'
    /** Layers are seen or heard too often, or too many at once, to be rendered. */
    | 'too-much'
    /** Somebody said something about the last cut, and it is not ticked off. */
    | 'remarks'
    | 'captions-off'
    /** Sentences without a second language, or with one of what they were before. */
    | 'untranslated'
    /** A picture or the logo under an app's own words. Captions and titles stay above them by their layout. */
    | 'picture-covered'
    /** A caption, picture or the logo under what the app of a chosen network draws. */
    | 'under-app'
    /** A cut that goes through a word that is heard. */
    | 'cut-word'
    /** The end card says who it was, and not what the viewer should do next. */
    | 'no-next-step'
    /** The loudness stays as it was recorded. */
    | 'loudness'
  /** Timeline frames, the earliest first; empty where it is about the whole video. */
  frames: number[]
  /** Key of the first token of it in the transcript. */
  token?: string
}

/** What a recipe does not say. */
export type Shown = {
  /** The captions as they are laid out. */
  pages?: readonly Page[]
  /** Where it will be shown. */
  networks?: readonly Network[]
  /** Timeline frames of remarks about the last cut that nobody has ticked off. */
  remarks?: readonly number[]
  /** How long the clips of the B-roll are, ms, by their files. */
  clips?: ReadonlyMap<string, number | null>
}

/** The findings of a recipe, in the order in which they weigh. */
export const finishFindings = (
  recipe: Recipe,
  timeline: Timeline = timelineOf(recipe),
  shown: Shown = {},
): Finding[] => {
  const findings: Finding[] = []
  const add = (kind: Finding['kind'], frames: readonly number[], token?: string) =>
    findings.push({ kind, frames: frames.toSorted((a, b) => a - b), ...(token === undefined ? {} : { token }) })
  if (timeline.pieces.length === 0) add('empty', [])
  const unsure = personUnsure(recipe, timeline)
  if (unsure.length > 0)
    add(
      'person',
      unsure.map(({ frame }) => frame),
    )
  const tooMuch = lengthProblems(recipe)
  if (tooMuch.some(({ where }) => where !== 'layers')) add('too-long', [])
  if (tooMuch.some(({ where }) => where === 'layers')) add('too-much', [])
  if (shown.remarks?.length) add('remarks', shown.remarks)
  for (const kind of ['black', 'frozen'] as const) {
    const frames = [
      ...flawsSeen(recipe, timeline, kind),
      ...(kind === 'frozen' ? clipsRunOut(recipe, timeline, shown) : []),
    ]
    if (frames.length > 0) add(kind, frames)
  }

  const concerns = concernsIn(recipe, timeline)
  for (const kind of concernOrder) {
    const all = concerns.filter((one) => one.kind === kind)
    const frames = all.flatMap(({ frame }) => (frame === null ? [] : [frame]))
    if (all.length > 0) add(kind, frames, all[0]!.key)
  }

  const cut = timeline.pieces.flatMap((piece) =>
    [
      { frame: piece.from, at: piece.at, meets: goesOn(timeline.pieces[piece.index - 1], piece) },
      {
        frame: piece.to,
        at: piece.at + piece.to - piece.from - 1,
        meets: goesOn(piece, timeline.pieces[piece.index + 1]),
      },
    ].flatMap(({ frame, at, meets }) => (!meets && wordAcross(recipe, piece.source, frame) ? [at] : [])),
  )
  if (cut.length > 0) add('cut-word', cut)

  if (recipe.words.length > 0 && !recipe.captions.on) add('captions-off', [])
  const open = openSentences(recipe, timeline)
  if (open.length > 0)
    add(
      'untranslated',
      open.map(({ from }) => from),
    )
  // The apps write over the lower end of an upright video.
  const isUpright = recipe.frame.aspect === '9:16'
  const low = recipe.layers.filter(
    (layer) => layer.on && (layer.kind === 'picture' || layer.kind === 'logo') && layer.place.startsWith('bottom'),
  )
  if (isUpright && low.length > 0)
    add(
      'picture-covered',
      low.flatMap(({ span }) => (span ? (frameOfMoment(timeline, span.source, span.start) ?? []) : [])),
    )
  const under = underApps(recipe, timeline, shown, low)
  if (under.length > 0) add('under-app', under)
  if (recipe.close?.on && recipe.close.call.trim() === '') add('no-next-step', [timeline.frames - timeline.close])
  if (recipe.sound.loudness === null) add('loudness', [])
  return findings
}

/** Where a person must say where the person is: the frame cuts the picture of that source, and no rule is sure from that timeline frame on. */
export const personUnsure = (
  recipe: Recipe,
  timeline: Timeline = timelineOf(recipe),
): { source: string; frame: number }[] => {
  const frame = sizeOf(recipe)
  const cut = new Set(recipe.sources.filter((source) => isCut(source, frame)).map(({ id }) => id))
  const windows = windowsIn(timeline)
  return unsureOf(recipe).flatMap((one) => {
    const { source } = one
    const [first] = cut.has(source) ? windows(one) : []
    if (!first) return []
    const shown = timeline.pieces.find(
      (piece) => piece.source === source && piece.at <= first.from && first.from < piece.at + piece.to - piece.from,
    )
    // In a crossfade another recording is seen as well.
    const whole = shown ? shown.at + shown.fadeIn : first.from
    return [{ source, frame: Math.max(first.from, Math.min(whole, first.to - 1)) }]
  })
}

/** Where B-roll stands still because its clip has run out. */
const clipsRunOut = (recipe: Recipe, timeline: Timeline, { clips }: Shown): number[] => {
  const windows = windowsIn(timeline)
  return bRollOf(recipe).flatMap((layer) => {
    const still = layer.on ? stillMs(recipe, layer, { durationMs: clips?.get(layer.assetId) ?? null }, timeline) : 0
    const last = windows(layer.span).at(-1)
    // Shorter is not seen to stand.
    if (still < leastStillMs || !last) return []
    return [Math.max(last.from, last.to - Math.round((still * timeline.fps.num) / (timeline.fps.den * 1000)))]
  })
}

const leastStillMs = 250

/** A mere split: the second passage is the recording’s next frame. */
const goesOn = (first: Piece | undefined, second: Piece | undefined): boolean =>
  first !== undefined && first.source === second?.source && first.to === second.from

/** Frames at which something begins to lie under an app’s words or buttons; what `low` names is found otherwise. */
const underApps = (
  recipe: Recipe,
  timeline: Timeline,
  { pages = [], networks = [] }: Shown,
  low: readonly Layer[],
): number[] => {
  const frame = sizeOf(recipe)
  const isUnder = (box: Box) => networks.some((network) => isCovered(network, recipe.frame.aspect, frame, box))
  const captions = pages.filter((page) => isUnder(wordsBox(page))).map(({ from }) => from)
  const pinned = recipe.layers.flatMap((layer) => {
    if (!layer.on || low.includes(layer) || (layer.kind !== 'picture' && layer.kind !== 'logo')) return []
    if (layer.place === 'full' || !isUnder(squareOf(layer.place, layer.size, frame))) return []
    const at = layer.span ? frameOfMoment(timeline, layer.span.source, layer.span.start) : timeline.open
    return at === null ? [] : [at]
  })
  return [...captions, ...pinned]
}

/** The words of a page without the room for their shadows. */
const wordsBox = ({ box, size }: Page): Box => ({
  x: box.x + size / 2,
  y: box.y + size / 2,
  width: box.width - size,
  height: box.height - size,
})

/** Where a picture lies whose shape is not known: in a square of its longer side, a twentieth from the corner. */
const squareOf = (place: LayerPlace, size: number, { width, height }: Size): Box => {
  const short = Math.min(width, height)
  const [side, margin] = [size * short, short * 0.05]
  if (place === 'centre') return { x: (width - side) / 2, y: (height - side) / 2, width: side, height: side }
  return {
    x: place.endsWith('left') ? margin : width - side - margin,
    y: place.startsWith('top') ? margin : height - side - margin,
    width: side,
    height: side,
  }
}

/** Unresolved differences from the script, then what is only guessed. */
const concernOrder: readonly Concern['kind'][] = [
  'unsaid',
  'off-script',
  'broken-off',
  'filler',
  'boxes',
  'estimated',
  'unsure',
]

const concernsIn = (recipe: Recipe, timeline: Timeline): (Concern & { frame: number | null })[] => {
  const passages = passagesOf(recipe)
  const moments = new Map(
    passages.flatMap(({ tokens }) =>
      tokens.flatMap((token): [string, { source: string; at: number }][] => {
        if (token.kind === 'word') return [[token.key, { source: token.word.source, at: token.word.start }]]
        return token.kind === 'unsaid' ? [[token.key, token.unsaid]] : []
      }),
    ),
  )
  return concernsOf(passages).map((concern) => {
    const moment = moments.get(concern.key)
    return { ...concern, frame: moment ? frameOfMoment(timeline, moment.source, moment.at) : null }
  })
}

const frameOfMoment = (timeline: Timeline, source: string, ms: number): number | null => {
  const at = timelineMs(timeline, source, ms)
  return at === null ? null : Math.round((at * timeline.fps.num) / (timeline.fps.den * 1000))
}
