import { drawn, unrecognised } from './drawn.ts'
import { endsSentence } from './english.ts'
import { missingFrom } from './fonts.ts'
import { frameAt, type Fps } from './frames.ts'
import type { CaptionBreak, Recipe, Removed, Span, Word } from './recipe.ts'
import { firstPlace, grouped, leastWithin, meeting, topmost } from './sorted.ts'

/** A recipe as text to read: what is said, what was taken out of it, and what should have been said, in order. */

export type WordToken = {
  kind: 'word'
  key: string
  word: Word
  /** As the caption writes it; empty: not captioned. */
  text: string
  isCorrected: boolean
  /** Why it is out, or null while it is in. */
  out: Removed | null
  /** Why it could go out, decided by nobody yet. */
  offered: Removed | null
  /** The text is a guess, or where it was heard. */
  isUnsure: boolean
  /** Letters of it that the captions' font has no shape for. */
  missing: readonly string[]
  break: CaptionBreak | null
  /** Chosen by hand: an emoji, or empty for none. */
  emoji: string | null
}

/** A decision, before the first word it holds or where the silence was. */
export type RemovalToken = { kind: 'removal'; key: string; removal: Removed; words: number }
export type UnsaidToken = { kind: 'unsaid'; key: string; unsaid: Recipe['unsaid'][number] }
export type Token = WordToken | RemovalToken | UnsaidToken

export type Passage = { key: string; source: string; tokens: Token[] }

/** Below this a word is shown as a guess. */
export const unsureBelow = 0.5

/** Passages end with a sentence once they have so many words, and with each source. */
const longEnough = 24

export const passagesOf = (recipe: Recipe): Passage[] => {
  const { overrides, emoji } = recipe.captions
  const { fps } = recipe.output
  const wordsIn = within(recipe.words, ({ start, end }) => (start + end) / 2, fps)
  const unsaidIn = within(recipe.unsaid, ({ at }) => at, fps)
  const removedIn = meeting(
    recipe.removed.toSorted((a, b) => a.start - b.start),
    ({ source, start, end }) => ({ source, from: start, to: end }),
  )
  return recipe.keep.flatMap((keep) => {
    const words = wordsIn(keep)
    const removals = removedIn(keep.source, keep.start, keep.end)
    const held = holdings(words, removals, fps)

    const tokens: { at: number; token: Token }[] = words.map((word, i) => {
      const text = overrides[word.id]?.text ?? word.text
      const { out, offered } = held.byWord[i]!
      return {
        at: word.start,
        token: {
          kind: 'word',
          key: `${keep.id}.${word.id}`,
          word,
          text,
          isCorrected: text !== word.text,
          out,
          offered,
          isUnsure: word.confidence < unsureBelow && text === word.text && !word.estimated,
          missing: text === unrecognised ? [] : missingFrom(drawn(text)),
          break: overrides[word.id]?.break ?? null,
          emoji: emoji[word.id] ?? null,
        },
      }
    })
    for (const removal of removals) {
      const first = held.firstOf.get(removal)
      const at = first ? first.start - 0.5 : Math.max(removal.start, keep.start)
      const token = { kind: 'removal', key: `${keep.id}.${removal.id}`, removal, words: held.counts.get(removal) ?? 0 }
      tokens.push({ at, token: token as RemovalToken })
    }
    for (const unsaid of unsaidIn(keep))
      tokens.push({ at: unsaid.at - 0.25, token: { kind: 'unsaid', key: `${keep.id}.${unsaid.id}`, unsaid } })
    tokens.sort((a, b) => a.at - b.at)
    return split(
      keep.source,
      tokens.map(({ token }) => token),
    )
  })
}

/** Said beside the script, and nobody has written it down. */
export const isUnrecognised = ({ word, isCorrected }: WordToken): boolean => word.text === unrecognised && !isCorrected

/** One word at a time, or all that stands for a passage beside the script. */
export const isCorrectable = (words: readonly WordToken[]): boolean =>
  words.length === 1 || (words.length > 1 && words.every(isUnrecognised))

/** Every token in the order of reading. */
export const flatten = (passages: readonly Passage[]): Token[] => passages.flatMap(({ tokens }) => tokens)

/** A thing an editor should look at before anybody else does. */
export type Concern = {
  key: string
  kind: 'unsure' | 'estimated' | 'boxes' | 'off-script' | 'broken-off' | 'filler' | 'unsaid'
  keys: string[]
}

/** In the order of reading; words of one kind beside each other are one concern. What is out needs no look. */
export const concernsOf = (passages: readonly Passage[]): Concern[] => {
  const concerns: Concern[] = []
  // Of the word just before; only what goes on from there belongs to it.
  let before: Concern['kind'] | null = null
  for (const token of flatten(passages)) {
    if (token.kind === 'removal') continue
    const kind = concernOf(token)
    if (kind !== null && kind === before && kind !== 'unsaid') concerns.at(-1)!.keys.push(token.key)
    else if (kind !== null) concerns.push({ key: token.key, kind, keys: [token.key] })
    before = kind
  }
  return concerns
}

/** How many decisions of a kind there are and how many count; milliseconds that they take out. */
export const tallyOf = (recipe: Recipe, reason: Removed['reason']): { all: number; on: number; ms: number } => {
  const all = recipe.removed.filter((one) => one.reason === reason)
  const on = all.filter((one) => one.on)
  return { all: all.length, on: on.length, ms: on.reduce((sum, { start, end }) => sum + end - start, 0) }
}

const concernOf = (token: WordToken | UnsaidToken): Concern['kind'] | null => {
  if (token.kind === 'unsaid') return 'unsaid'
  if (token.out) return null
  return (
    token.word.mark ??
    (token.missing.length > 0 ? 'boxes' : token.isUnsure ? 'unsure' : token.word.estimated ? 'estimated' : null)
  )
}

/** For each keep the items whose moment is in it, in the order of their list. */
const within = <Item extends { source: string }>(
  items: readonly Item[],
  momentOf: (item: Item) => number,
  fps: Fps,
): ((keep: Span) => Item[]) => {
  const bySource = grouped(
    items
      .map((item, order) => ({ item, order, frame: frameAt(momentOf(item), fps) }))
      .toSorted((a, b) => a.frame - b.frame),
    ({ item }) => item.source,
  )
  return ({ source, start, end }) => {
    const own = bySource.get(source) ?? []
    const [first, last] = [start, end].map((edge) => firstPlace(own.length, (i) => own[i]!.frame >= frameAt(edge, fps)))
    return own
      .slice(first, last)
      .toSorted((a, b) => a.order - b.order)
      .map(({ item }) => item)
  }
}

/** Which words each removal holds, and what holds each word: of several removals the one that begins first. */
const holdings = (words: readonly Word[], removals: readonly Removed[], fps: Fps) => {
  const middles = words.map(({ start, end }) => frameAt((start + end) / 2, fps))
  const inOrder = middles.map((middle, order) => ({ middle, order })).toSorted((a, b) => a.middle - b.middle)
  const firstWord = leastWithin(inOrder.map(({ order }) => order))
  const firstOf = new Map<Removed, Word>()
  const counts = new Map<Removed, number>()
  const places = removals.map((removal) => ({
    removal,
    from: frameAt(removal.start, fps),
    to: frameAt(removal.end, fps),
  }))
  for (const { removal, from, to } of places) {
    const [first, last] = [from, to].map((edge) => firstPlace(inOrder.length, (i) => inOrder[i]!.middle >= edge))
    if (first! >= last!) continue
    firstOf.set(removal, words[firstWord(first!, last!)]!)
    counts.set(removal, last! - first!)
  }
  const holder = (isOn: boolean): ((frame: number) => Removed | null) => {
    const own = places.filter(({ removal }) => removal.on === isOn).toReversed()
    const { points, tops } = topmost(own)
    return (frame) => own[tops[firstPlace(points.length, (i) => points[i]! > frame) - 1] ?? -1]?.removal ?? null
  }
  const [out, offered] = [holder(true), holder(false)]
  return { byWord: middles.map((middle) => ({ out: out(middle), offered: offered(middle) })), firstOf, counts }
}

const split = (source: string, tokens: Token[]): Passage[] => {
  const passages: Passage[] = []
  let current: Token[] = []
  let words = 0
  const end = () => {
    if (current.length > 0) passages.push({ key: current[0]!.key, source, tokens: current })
    current = []
    words = 0
  }
  const nextWord: (WordToken | undefined)[] = []
  for (let i = tokens.length - 1; i > 0; i--) {
    const token = tokens[i]!
    nextWord[i - 1] = token.kind === 'word' ? token : nextWord[i]
  }
  tokens.forEach((token, i) => {
    current.push(token)
    if (token.kind !== 'word' || ++words < longEnough) return
    const next = nextWord[i]
    if (next && endsSentence(token.text || token.word.text, next.text || next.word.text)) end()
  })
  end()
  return passages
}
