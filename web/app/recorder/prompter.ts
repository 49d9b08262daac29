import { mostNoted } from '@clear-to-post/domain/take-log'

/** A script as it is read: words are spoken and counted; notes in [brackets] are shown and not spoken. */
export type Script = {
  parts: readonly Part[]
  /** How many words. */
  length: number
  /** The sentence of each word. */
  sentenceOf: readonly number[]
  /** The first word of each sentence. */
  begins: readonly number[]
  /** How long each word takes at a pace of 1, in words. */
  weights: readonly number[]
}
export type Part = { kind: 'word'; text: string; word: number } | { kind: 'note'; text: string } | { kind: 'line' }

export const readScript = (text: string): Script => {
  const parts: Part[] = []
  const sentenceOf: number[] = []
  const begins: number[] = []
  const weights: number[] = []
  let isNew = true
  for (const [found] of text.matchAll(/\[[^\]\n]*\][.,;:!?…]*|\n+|[^\s[]+|\[/g)) {
    if (found.startsWith('\n')) {
      // A line of its own is a sentence: outlines have no full stops.
      if (parts.length > 0 && parts.at(-1)!.kind !== 'line') parts.push({ kind: 'line' })
      isNew = true
    } else if (found.length > 1 && found.startsWith('[')) parts.push({ kind: 'note', text: found })
    else {
      const word = sentenceOf.length
      if (isNew) begins.push(word)
      parts.push({ kind: 'word', text: found, word })
      sentenceOf.push(begins.length - 1)
      weights.push((Math.min(14, found.length) + 2) / 6.6)
      isNew = /[.!?…]["”’)]*$/.test(found) && !abbreviation.test(found)
    }
  }
  return { parts, length: sentenceOf.length, sentenceOf, begins, weights }
}

const abbreviation = /^(mr|mrs|ms|dr|st|vs|no|e\.g|i\.e|u\.s|inc|jr|sr)\.$/i

/** How the words move: by themselves while somebody speaks, or always. */
export type Mode = 'voice' | 'steady'

/**
 * Where the reader is after `dtMs` more, in words and parts of a word; it stays on the last word. `wordsAMinute` is the pace of
 * words of usual length.
 */
export const advance = (
  script: Script,
  at: number,
  { mode, isSpeaking, wordsAMinute, dtMs }: { mode: Mode; isSpeaking: boolean; wordsAMinute: number; dtMs: number },
): number => {
  if (mode === 'voice' && !isSpeaking) return at
  let left = (dtMs / 60_000) * wordsAMinute
  let place = at
  while (left > 0 && place < script.length) {
    const weight = script.weights[Math.floor(place)]!
    const rest = (Math.floor(place) + 1 - place) * weight
    if (left < rest) return place + left / weight
    left -= rest
    place = Math.floor(place) + 1
  }
  return Math.min(place, script.length)
}

/** How many words of usual length lie between two places; below zero where the second comes first. */
export const weightBetween = (script: Script, from: number, to: number): number => {
  if (to < from) return -weightBetween(script, to, from)
  let sum = 0
  for (let place = from; place < to; place = Math.floor(place) + 1)
    sum += (script.weights[Math.floor(place)] ?? 0) * (Math.min(to, Math.floor(place) + 1) - place)
  return sum
}

/** The word that is being read; null where there is none. */
export const wordAt = (script: Script, at: number): number | null =>
  script.length === 0 ? null : Math.min(script.length - 1, Math.floor(at))

/** Where the sentence of this place begins; with `back`, so many sentences before. From its first word one comes to the sentence before. */
export const sentenceStart = (script: Script, at: number, back = 0): number => {
  const word = wordAt(script, at)
  if (word === null) return 0
  return script.begins[Math.max(0, script.sentenceOf[word]! - back)]!
}

/** Which word was shown when: `[word, ms of the take]`, one entry for each change; at most `mostNoted.shown`. */
export type Shown = [word: number, ms: number][]
export const show = (shown: Shown, word: number | null, ms: number): void => {
  if (word !== null && shown.at(-1)?.[0] !== word && shown.length < mostNoted.shown) shown.push([word, Math.round(ms)])
}
