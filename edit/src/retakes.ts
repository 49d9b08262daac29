import type { TakeLog } from '@clear-to-post/domain/take-log'
import { plain } from './emoji.ts'
import { endsSentence, isFiller } from './english.ts'
import { unrecognised } from './drawn.ts'
import type { Word } from './recipe.ts'

/** How far back a try may have begun, in words. */
const mostWords = 250
/** Before the first word of a try that nothing else tells: a pause of so many milliseconds, or the end of a sentence. */
const leastPause = 300
/** So near to the moment in which its first word was shown such a try begins, ms. */
const near = 2500

/**
 * The tries that the officer gave up by saying so, each as its words in order. One begins where the words that are said after
 * the mark were said last before it; said otherwise, where the prompter came to them. A mark after which nothing more is
 * said, or of whose try no beginning is found, takes nothing away.
 */
export const retakesIn = (words: readonly Word[], { again, shown }: TakeLog): Word[][] => {
  const said = words.map((word) => (word.text === unrecognised ? null : plain(word.text)))
  const found: Word[][] = []
  let done = 0
  for (const mark of again.toSorted((a, b) => a.ms - b.ms)) {
    const at = words.findIndex(({ start, end }) => (start + end) / 2 >= mark.ms)
    if (at <= 0 || at <= done) continue
    const from =
      repeatedFrom(words, said, at, 2) ?? shownFrom(words, at, mark, shown) ?? repeatedFrom(words, said, at, 1)
    if (from === null || from >= at) continue
    // Of two tries beside each other the first may lie in what the second goes back to.
    while (found.length > 0 && words.indexOf(found.at(-1)![0]!) >= from) found.pop()
    found.push(words.slice(from, at))
    done = at
  }
  return found
}

/**
 * Where the words from `at` on were said last before: three of them, or fewer, but no less than `least`, where a sentence or
 * a pause begins them.
 */
const repeatedFrom = (
  words: readonly Word[],
  said: readonly (string | null)[],
  at: number,
  least: number,
): number | null => {
  const next = said
    .slice(at, at + 8)
    .filter((_, i) => !isFiller(words, at + i))
    .slice(0, 3)
  if (next.length === 0 || next.some((text) => text === null)) return null
  for (let same = next.length; same >= least; same--)
    for (let from = at - 1; from >= Math.max(0, at - mostWords); from--) {
      if (said[from] !== next[0] || isFiller(words, from)) continue
      let [i, n] = [from, 0]
      while (i < at && n < same && (said[i] === next[n] || isFiller(words, i))) if (said[i++] === next[n]) n++
      // A try that was given up within its first words ends with the mark.
      if ((n === same || i === at) && (n === 3 || begins(words, from))) return from
    }
  return null
}

/** Where something begins nearest to the moment in which the prompter came to the word that the mark goes back to. */
const shownFrom = (
  words: readonly Word[],
  at: number,
  mark: TakeLog['again'][number],
  shown: TakeLog['shown'],
): number | null => {
  const since = shown.findLast(([word, ms]) => word === mark.word && ms < mark.ms - 500)?.[1]
  if (since === undefined) return null
  let best: number | null = null
  const away = (i: number) => Math.abs(words[i]!.start - since)
  for (let i = Math.max(0, at - mostWords); i < at; i++)
    if (begins(words, i) && away(i) <= near && (best === null || away(i) < away(best))) best = i
  return best
}

const begins = (words: readonly Word[], i: number): boolean => {
  const before = words[i - 1]
  return (
    before === undefined ||
    words[i]!.start - before.end >= leastPause ||
    endsSentence(before.text, words[i]!.text) ||
    isFiller(words, i - 1)
  )
}
