import { isFiller } from '../english.ts'
import { frameAt } from '../frames.ts'
import type { Recipe, Removed, Span, Word } from '../recipe.ts'
import { covers, isOut } from '../removals.ts'
import type { Try } from '../tries.ts'
import { momentAt, shownAt, timelineOf } from '../timeline.ts'
import { freeId, type Command } from './command.ts'

/** What stays of the silence after a word and before the next, when words beside it are cut. */
const margin = { after: 250, before: 150 } as const

/** Takes words out by hand, with the silence around them; neighbours keep their margins. Words that are out stay out. */
export const cutWords =
  (ids: Iterable<string>): Command =>
  (recipe) => {
    const wanted = new Set(ids)
    const fresh: Removed[] = []
    for (const { run, before, after } of runsOf(recipe, (word) => wanted.has(word.id))) {
      const rest = run.filter((word) => !isOut(recipe, word))
      if (rest.length === 0) continue
      const span = around(run, before, after)
      const why = `Taken out by hand: “${shortened(run, recipe)}”.`
      fresh.push({ ...span, id: '', reason: 'by-hand', by: 'person', why, on: true })
    }
    return withRemoved(recipe, fresh)
  }

/** Takes a stretch of the video out, whatever is said in it. From a timeline frame to the one after the last. */
export const cutStretch =
  (from: number, to: number): Command =>
  (recipe) => {
    const timeline = timelineOf(recipe)
    const fresh = timeline.pieces.flatMap((piece): Removed[] => {
      const start = Math.max(from, piece.at)
      const end = Math.min(to, piece.at + piece.to - piece.from)
      if (start >= end) return []
      const at = (frame: number) => momentAt(recipe, piece.source, piece.from + frame - piece.at)
      return [
        {
          id: '',
          source: piece.source,
          start: at(start),
          end: at(end),
          reason: 'by-hand',
          by: 'person',
          why: 'A stretch taken out by hand.',
          on: true,
        },
      ]
    })
    return withRemoved(recipe, fresh)
  }

/** Puts words back. What a rule took out with them and is not among them stays out, under its own reason. */
export const restoreWords =
  (ids: Iterable<string>): Command =>
  (recipe) => {
    const wanted = new Set(ids)
    const { fps } = recipe.output
    let left = recipe.removed
    let changed = false
    const spans = runsOf(recipe, (word) => wanted.has(word.id)).map(({ run, before, after }) => ({
      run,
      ...back(run, before, after),
    }))
    for (const { run, source, start, end } of spans) {
      left = left.flatMap((removal): Removed[] => {
        if (!removal.on || removal.source !== source || !run.some((word) => covers(removal, word, fps)))
          return [removal]
        changed = true
        const others = recipe.words.filter((word) => covers(removal, word, fps) && !run.includes(word))
        // All of it comes back: a rule's decision keeps its switch, a cut by hand is as if it had not been.
        if (others.length === 0) return removal.by === 'rule' ? [{ ...removal, on: false }] : []
        const parts = [
          { ...removal, end: Math.min(removal.end, start) },
          { ...removal, start: Math.max(removal.start, end) },
        ].filter((part) => part.end > part.start && others.some((word) => covers(part, word, fps)))
        return parts.map((part, i) => (i === 0 ? part : { ...part, id: '' }))
      })
    }
    return changed
      ? withRemoved(
          { ...recipe, removed: left.filter(({ id }) => id !== '') },
          left.filter(({ id }) => id === ''),
        )
      : recipe
  }

/** Cuts the words when any of them is still in, else puts them back: what Delete does. */
export const toggleWords =
  (ids: readonly string[]): Command =>
  (recipe) => {
    const wanted = new Set(ids)
    const isIn = recipe.words.some((word) => wanted.has(word.id) && !isOut(recipe, word))
    return isIn ? cutWords(ids)(recipe) : restoreWords(ids)(recipe)
  }

/** Of several tries of one sentence (`tries.ts`) this one is in the video, and the others are out. */
export const takeTry =
  (tries: readonly Try[], chosen: number): Command =>
  (recipe) => {
    const idsOf = (some: readonly Try[]) => some.flatMap(({ words }) => words.map(({ id }) => id))
    const wanted = tries[chosen]
    if (!wanted) return recipe
    // Its fillers stay as they are decided.
    const said = wanted.words.filter((_, i) => !isFiller(wanted.words, i)).map(({ id }) => id)
    return cutWords(idsOf(tries.filter((one) => one !== wanted)))(restoreWords(said)(recipe))
  }

/** One decision on or off. A cut by hand that is switched off is gone. */
export const switchRemoval =
  (id: string, on: boolean): Command =>
  (recipe) => {
    const removal = recipe.removed.find((one) => one.id === id)
    if (!removal || removal.on === on) return recipe
    return {
      ...recipe,
      removed:
        removal.by === 'person' && !on
          ? recipe.removed.filter((one) => one !== removal)
          : recipe.removed.map((one) => (one === removal ? { ...one, on } : one)),
    }
  }

/** Every decision of one kind on or off. */
export const switchReason =
  (reason: Removed['reason'], on: boolean): Command =>
  (recipe) =>
    recipe.removed.some((one) => one.reason === reason && one.on !== on)
      ? { ...recipe, removed: recipe.removed.map((one) => (one.reason === reason ? { ...one, on } : one)) }
      : recipe

/** The passage of words that follow each other, with their margins: for moves and rooms. Null without words. */
export const spanOfWords = (recipe: Recipe, ids: Iterable<string>): Span | null => {
  const wanted = new Set(ids)
  const [first] = runsOf(recipe, (word) => wanted.has(word.id))
  return first ? back(first.run, first.before, first.after) : null
}

/** What is seen from a moment of the video to the end of its piece. Null over a card. */
export const spanFrom = (recipe: Recipe, seconds: number, longestMs: number): Span | null => {
  const timeline = timelineOf(recipe)
  const [shown] = shownAt(timeline, frameAt(Math.round(seconds * 1000), timeline.fps))
  if (!shown) return null
  const { source } = shown.piece
  const start = momentAt(recipe, source, shown.frame)
  const end = Math.min(momentAt(recipe, source, shown.piece.to), start + longestMs)
  return end > start ? { source, start, end } : null
}

type Run = { run: Word[]; before: Word | undefined; after: Word | undefined }

/** Wanted words that follow each other within a source, and their neighbours. */
export const runsOf = (recipe: Recipe, wanted: (word: Word) => boolean): Run[] => {
  const runs: Run[] = []
  for (const { id } of recipe.sources) {
    const words = recipe.words.filter(({ source }) => source === id)
    words.forEach((word, i) => {
      if (!wanted(word)) return
      const last = runs.at(-1)
      if (i > 0 && last && last.run.at(-1) === words[i - 1]) last.run.push(word)
      else runs.push({ run: [word], before: words[i - 1], after: undefined })
      runs.at(-1)!.after = words[i + 1]
    })
  }
  return runs
}

const around = (run: Word[], before: Word | undefined, after: Word | undefined): Span => {
  const [first, last] = [run[0]!, run.at(-1)!]
  const start = Math.max(before ? Math.min(first.start, before.end + margin.after) : first.start, before?.end ?? 0)
  const end = after ? Math.max(last.end, after.start - margin.before) : last.end
  return { source: first.source, start, end: Math.max(start + 1, Math.min(end, after?.start ?? end)) }
}

/** Where words that come back begin and end: with a breath, but never over a neighbour. */
const back = (run: Word[], before: Word | undefined, after: Word | undefined): Span => {
  const [first, last] = [run[0]!, run.at(-1)!]
  const start = Math.max(before?.end ?? 0, first.start - margin.before)
  const end = Math.min(after?.start ?? last.end, last.end + margin.after)
  return { source: first.source, start: Math.min(start, first.start), end: Math.max(end, last.end) }
}

/** The recipe with more taken out, each under an id of its own, in the order of the sources. */
export const withRemoved = (recipe: Recipe, fresh: Removed[]): Recipe => {
  if (fresh.length === 0) return recipe
  const order = new Map(recipe.sources.map(({ id }, i) => [id, i]))
  const removed = [...recipe.removed]
  for (const one of fresh) removed.push({ ...one, id: freeId('h', removed) })
  removed.sort((a, b) => order.get(a.source)! - order.get(b.source)! || a.start - b.start)
  return { ...recipe, removed }
}

const shortened = (words: Word[], recipe: Recipe): string => {
  const texts = words.slice(0, 8).map(({ id, text }) => recipe.captions.overrides[id]?.text ?? text)
  return texts.join(' ') + (words.length > 8 ? ' …' : '')
}
