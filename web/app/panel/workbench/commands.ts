import { coloursOf, shared, wordsIn } from '@clear-to-post/edit/captions'
import { unrecognised } from '@clear-to-post/edit/drawn'
import { frameAt, msAt } from '@clear-to-post/edit/frames'
import type { Captions, Move, Recipe, Removed, Span, Word } from '@clear-to-post/edit/recipe'
import { shownAt, timelineOf } from '@clear-to-post/edit/timeline'

/**
 * What an editor can do to a recipe. Each command is a pure function: recipe in, recipe out, and the same object when
 * there was nothing to do. Times are whole milliseconds on a source's clock.
 */
export type Command = (recipe: Recipe) => Recipe

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
      const at = (frame: number) => msAt(piece.from + frame - piece.at, timeline.fps)
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
    let left = recipe.removed
    let changed = false
    const spans = runsOf(recipe, (word) => wanted.has(word.id)).map(({ run, before, after }) => ({
      run,
      ...back(run, before, after),
    }))
    for (const { run, source, start, end } of spans) {
      left = left.flatMap((removal): Removed[] => {
        if (!removal.on || removal.source !== source || !run.some((word) => covers(removal, word))) return [removal]
        changed = true
        const others = recipe.words.filter((word) => covers(removal, word) && !run.includes(word))
        // All of it comes back: a rule's decision keeps its switch, a cut by hand is as if it had not been.
        if (others.length === 0) return removal.by === 'rule' ? [{ ...removal, on: false }] : []
        const parts = [
          { ...removal, end: Math.min(removal.end, start) },
          { ...removal, start: Math.max(removal.start, end) },
        ].filter((part) => part.end > part.start && others.some((word) => covers(part, word)))
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

/** So much a caption says in the place of one word, and so much of what is beside the script is written at once. */
export const longestText = { word: 300, unheard: 2000 } as const

/** What the caption shows for a word: another text, nothing (empty), or as it was heard (null). */
export const correctWord =
  (id: string, text: string | null): Command =>
  (recipe) => {
    const word = recipe.words.find((one) => one.id === id)
    if (!word) return recipe
    const clean = text === null ? undefined : spaced(text).slice(0, longestText.word)
    const { text: before, ...rest } = recipe.captions.overrides[id] ?? {}
    const next = clean === undefined || clean === word.text ? undefined : clean
    if (next === before) return recipe
    return withOverride(recipe, id, next === undefined ? rest : { ...rest, text: next })
  }

/**
 * What was said beside the script and nobody knew becomes words of the transcript, each to be cut and sought by itself.
 * They share the time of all that stood for them, without its pauses, by their letters. Where that is too little for so
 * many, the first shows them all.
 */
export const writeOut =
  (ids: readonly string[], text: string): Command =>
  (recipe) => {
    const places = recipe.words.filter(({ id, text: known }) => known === unrecognised && ids.includes(id))
    const [first] = places
    const clean = spaced(text).slice(0, longestText.unheard)
    const parts = wordsIn(clean).map((part) => part.slice(0, 100))
    const long = places.reduce((sum, { start, end }) => sum + end - start, 0)
    if (!first || clean === '' || clean === unrecognised) return recipe
    if (long < parts.length * 40) return acceptWords([first.id])(correctWord(first.id, clean)(recipe))
    const moments = shared({ from: 0, to: long }, parts)
    let passed = 0
    let n = 0
    const written = places.map((place): [Word, Word[]] => {
      passed += place.end - place.start
      const here: string[] = []
      for (; n < parts.length && (moments[n]!.from + moments[n]!.to) / 2 <= passed; n++) here.push(parts[n]!)
      const { mark: _, start: from, end: to, ...rest } = place
      const words = shared({ from, to }, here).map((moment, i): Word => {
        const id = i === 0 ? place.id : `${place.id}+${i}`
        return { ...rest, id, text: here[i]!, start: moment.from, end: moment.to, confidence: 1, origin: 'typed' }
      })
      return [place, words]
    })
    const now = new Map(written)
    return { ...recipe, words: recipe.words.flatMap((one) => now.get(one) ?? [one]) }
  }

const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** A new page or line of captions before a word, or none. */
export const breakBefore =
  (id: string, kind: 'page' | 'line' | null): Command =>
  (recipe) => {
    const { break: before, ...rest } = recipe.captions.overrides[id] ?? {}
    if ((before ?? null) === kind) return recipe
    return withOverride(recipe, id, kind === null ? rest : { ...rest, break: kind })
  }

/** A word's emoji: one of the dictionary, none (empty), or what the dictionary says (null). */
export const chooseEmoji =
  (id: string, emoji: string | null): Command =>
  (recipe) => {
    const { [id]: before, ...rest } = recipe.captions.emoji
    if ((before ?? null) === emoji) return recipe
    return withCaptions(recipe, { emoji: emoji === null ? rest : { ...rest, [id]: emoji } })
  }

/** An editor looked and found it right: the words are asked about no more. */
export const acceptWords =
  (ids: Iterable<string>): Command =>
  (recipe) => {
    const wanted = new Set(ids)
    const isAsked = ({ id, confidence, mark, estimated }: Word) =>
      wanted.has(id) && (confidence < 1 || mark !== undefined || estimated)
    if (!recipe.words.some(isAsked)) return recipe
    return {
      ...recipe,
      words: recipe.words.map((word) => {
        if (!isAsked(word)) return word
        const { mark: _, estimated: __, ...rest } = word
        return { ...rest, confidence: 1 }
      }),
    }
  }

/** Words that nobody said are not missed. */
export const acceptUnsaid =
  (id: string): Command =>
  (recipe) =>
    recipe.unsaid.some((one) => one.id === id)
      ? { ...recipe, unsaid: recipe.unsaid.filter((one) => one.id !== id) }
      : recipe

export const setCaptions =
  (part: Partial<Captions>): Command =>
  (recipe) => {
    const keys = Object.keys(part) as (keyof Captions)[]
    if (keys.every((key) => recipe.captions[key] === part[key])) return recipe
    const tour = { address: '', price: '', beds: '', baths: '', rooms: [] }
    return withCaptions(recipe, part.style === 4 && recipe.captions.tour === null ? { tour, ...part } : part)
  }

type Tour = NonNullable<Captions['tour']>
export const setTour =
  (part: Partial<Tour>): Command =>
  (recipe) => {
    const tour = recipe.captions.tour ?? { address: '', price: '', beds: '', baths: '', rooms: [] }
    return withCaptions(recipe, { tour: { ...tour, ...part } })
  }

export const addRoom =
  (name: string, span: Span): Command =>
  (recipe) => {
    const rooms = recipe.captions.tour?.rooms ?? []
    return setTour({ rooms: [...rooms, { ...span, id: freeId('room', rooms), name: name.slice(0, 60) }] })(recipe)
  }

export const switchMove =
  (id: string, on: boolean): Command =>
  (recipe) => ({ ...recipe, moves: recipe.moves.map((move) => (move.id === id ? { ...move, on } : move)) })

/** Nearer on these words; the recipe's later moves win where they meet. */
export const addMove =
  (kind: Move['kind'], span: Span): Command =>
  (recipe) => ({
    ...recipe,
    moves: [
      ...recipe.moves,
      {
        ...span,
        id: freeId('m', recipe.moves),
        kind,
        scale: kind === 'punch-in' ? 1.15 : 1.1,
        focus: null,
        by: 'person',
        why: 'Set by hand.',
        on: true,
      },
    ],
  })

export const removeMove =
  (id: string): Command =>
  (recipe) => ({ ...recipe, moves: recipe.moves.filter((move) => move.id !== id) })

export const setFrame =
  (part: Partial<Recipe['frame']>): Command =>
  (recipe) => ({ ...recipe, frame: { ...recipe.frame, ...part } })

type Card = NonNullable<Recipe['close']>
export const setEnding =
  (part: Partial<Card>): Command =>
  (recipe) => ({
    ...recipe,
    close: { ...(recipe.close ?? { on: true, lengthMs: 3000, title: recipe.brand.name, call: '' }), ...part },
  })

export const setSound =
  (part: Partial<Recipe['sound']>): Command =>
  (recipe) => ({ ...recipe, sound: { ...recipe.sound, ...part } })

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
  const start = msAt(shown.frame, timeline.fps)
  const end = Math.min(msAt(shown.piece.to, timeline.fps), start + longestMs)
  return end > start ? { source: shown.piece.source, start, end } : null
}

/** Is the colour shown as it was chosen, or moved until its words can be read? */
export const isColourMoved = (colour: string): boolean => coloursOf(colour).spoken !== colour.toLowerCase()

/** Does a removal hold the word? A word belongs to where its middle is. */
export const covers = ({ source, start, end }: Span, word: Span): boolean => {
  const middle = (word.start + word.end) / 2
  return source === word.source && middle >= start && middle < end
}

export const isOut = (recipe: Pick<Recipe, 'removed'>, word: Word): boolean =>
  recipe.removed.some((removal) => removal.on && covers(removal, word))

type Run = { run: Word[]; before: Word | undefined; after: Word | undefined }

/** Wanted words that follow each other within a source, and their neighbours. */
const runsOf = (recipe: Recipe, wanted: (word: Word) => boolean): Run[] => {
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

const withRemoved = (recipe: Recipe, fresh: Removed[]): Recipe => {
  if (fresh.length === 0) return recipe
  const order = new Map(recipe.sources.map(({ id }, i) => [id, i]))
  const removed = [...recipe.removed]
  for (const one of fresh) removed.push({ ...one, id: freeId('h', removed) })
  removed.sort((a, b) => order.get(a.source)! - order.get(b.source)! || a.start - b.start)
  return { ...recipe, removed }
}

const withCaptions = (recipe: Recipe, part: Partial<Captions>): Recipe => ({
  ...recipe,
  captions: { ...recipe.captions, ...part },
})

const withOverride = (recipe: Recipe, id: string, override: Captions['overrides'][string]): Recipe => {
  const { [id]: _, ...rest } = recipe.captions.overrides
  return withCaptions(recipe, { overrides: Object.keys(override).length > 0 ? { ...rest, [id]: override } : rest })
}

const freeId = (letter: string, taken: readonly { id: string }[]): string => {
  const ids = new Set(taken.map(({ id }) => id))
  for (let n = taken.length + 1; ; n++) if (!ids.has(`${letter}${n}`)) return `${letter}${n}`
}

const shortened = (words: Word[], recipe: Recipe): string => {
  const texts = words.slice(0, 8).map(({ id, text }) => recipe.captions.overrides[id]?.text ?? text)
  return texts.join(' ') + (words.length > 8 ? ' …' : '')
}
