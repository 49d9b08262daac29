import { plain } from './emoji.ts'
import { endsSentence, isFiller } from './english.ts'
import { loudnessWithin, type Loud } from './loudness.ts'
import { unsureBelow } from './passages.ts'
import type { Recipe, Word } from './recipe.ts'
import { wordsOut } from './removals.ts'
import { grouped } from './sorted.ts'

/** One of several times that a sentence was said. */
export type Try = { words: Word[]; isIn: boolean; faults: Faults }
/**
 * What speaks against a try: `unsure` words may not have been said as they are written; `quiet` counts how many times 4 dB it
 * lies under the loudest try of its sentence, and is 0 where nobody measured.
 */
export type Faults = { fillers: number; pauses: number; unsure: number; quiet: number }

/** A sentence that was said more than once. `best`: the place of the try with the fewest faults, of equals the last. */
export type SaidAgain = { tries: Try[]; best: number }

/** How loud the recordings are heard to be, by source. */
export type Heard = ReadonlyMap<string, Loud>

export const faultsOf = ({ faults }: Try): number => faults.fillers + faults.pauses + faults.unsure + faults.quiet

/**
 * The sentences that were said more than once, one try after the other, and of which some tries are out of the video. What
 * the officer says twice on purpose is in the video twice, and none of these.
 */
export const saidAgain = (recipe: Recipe, heard?: Heard): SaidAgain[] => triesOf(recipe.words, wordsOut(recipe), heard)

/** The same of words of which some are out. */
export const triesOf = (all: readonly Word[], isOut: (word: Word) => boolean, heard: Heard = new Map()): SaidAgain[] =>
  [...grouped(all, ({ source }) => source)].flatMap(([source, words]) => {
    const sentences = sentencesOf(words)
    const found: SaidAgain[] = []
    for (let i = 0; i < sentences.length;) {
      const group = [sentences[i]!]
      for (i++; i < sentences.length; i++) {
        const last = group.at(-1)!.said
        if (isSame(last, sentences[i]!.said)) group.push(sentences[i]!)
        else if (!isStartOf(last, sentences[i]!.said)) break
      }
      const tries = withLoudness(
        group.map((one) => tryOf(isOut, one)),
        heard.get(source),
      )
      if (group.length > 1 && tries.some(({ isIn }) => isIn) && tries.some(({ isIn }) => !isIn))
        found.push({ tries, best: bestOf(tries) })
    }
    return found
  })

/** Milliseconds without a word: a pause that is heard as one, and one after which something else begins. */
const pauses = { heard: 600, between: 900 } as const

/** Words of a sentence at most: longer ones are no sentences but a transcript without full stops. */
export const longest = 60

type Sentence = { words: Word[]; said: string[] }

const sentencesOf = (words: readonly Word[]): Sentence[] => {
  const found: Word[][] = []
  let open: Word[] = []
  words.forEach((word, i) => {
    open.push(word)
    const next = words[i + 1]
    if (next && !endsSentence(word.text, next.text) && next.start - word.end < pauses.between) return
    found.push(open)
    open = []
  })
  return found.map((own) => ({
    words: own,
    said: own.filter((_, i) => !isFiller(own, i)).map(({ text }) => plain(text)),
  }))
}

/** Seven words of ten that are the same make two sentences one. */
export const likeness = 0.7

/** So many of their words are the same, in the same order; of fewer than three words it cannot be told. */
const isSame = (one: readonly string[], other: readonly string[]): boolean => {
  const most = Math.max(one.length, other.length)
  return (
    Math.min(one.length, other.length) >= 3 &&
    most <= longest &&
    sharedWith(other, one)(0, one.length).at(-1)! >= likeness * most
  )
}

/** A start that was given up may stand between two tries. */
const isStartOf = (whole: readonly string[], said: readonly string[]): boolean =>
  said.length < whole.length && said.every((word, i) => word === whole[i])

/**
 * Asks how many words of a stretch of `said`, from a place up to before another, stand in `text` too, in the same order; up to each of
 * its words. A step for each of them, whatever the text's length (the longest common subsequence by bits, Hyyrö 2004). The text
 * has `longest` words at most.
 */
export const sharedWith = (
  text: readonly string[],
  said: readonly string[],
): ((from: number, to: number) => number[]) => {
  // A bit for each word of the text, in two halves: a number's bits are 32.
  const [low, high] = [new Map<string, number>(), new Map<string, number>()]
  text.forEach((word, i) => {
    const half = i < halfOf ? low : high
    half.set(word, (half.get(word) ?? 0) | (1 << (i % halfOf)))
  })
  const lows = Int32Array.from(said, (word) => low.get(word) ?? 0)
  const highs = Int32Array.from(said, (word) => high.get(word) ?? 0)
  return (from, to) => {
    let [a, b, same] = [allOf, allOf, 0]
    const shared: number[] = []
    for (let i = from; i < to; i++) {
      const [here, above] = [a & lows[i]!, b & highs[i]!]
      const sum = a + here
      const sumAbove = b + above + (sum > allOf ? 1 : 0)
      a = (sum & allOf) | (a & ~here)
      b = (sumAbove & allOf) | (b & ~above)
      // What is carried out at the top is one more.
      if (sumAbove > allOf) same++
      shared.push(same)
    }
    return shared
  }
}

const halfOf = longest / 2
const allOf = 2 ** halfOf - 1

const tryOf = (isOut: (word: Word) => boolean, { words }: Sentence): Try => {
  const rest = words.filter((_, i) => !isFiller(words, i))
  return {
    words,
    isIn: rest.some((word) => !isOut(word)),
    faults: {
      fillers: words.length - rest.length,
      pauses: words.filter((word, i) => i > 0 && word.start - words[i - 1]!.end >= pauses.heard).length,
      unsure: rest.filter(({ confidence }) => confidence < unsureBelow).length,
      quiet: 0,
    },
  }
}

/** So many decibels less than the loudest try are a fault. */
const quieter = 4

const withLoudness = (tries: Try[], loud: Loud | undefined): Try[] => {
  if (!loud) return tries
  const levels = tries.map(({ words }) => loudnessWithin(loud, words[0]!.start / 1000, words.at(-1)!.end / 1000))
  const most = Math.max(...levels)
  return tries.map((one, i) => ({
    ...one,
    faults: { ...one.faults, quiet: Math.floor((most - levels[i]!) / quieter) },
  }))
}

const bestOf = (tries: readonly Try[]): number => {
  const weights = tries.map(faultsOf)
  return weights.lastIndexOf(Math.min(...weights))
}
