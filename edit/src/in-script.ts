import { plain } from './emoji.ts'
import { isFiller } from './english.ts'
import { scriptWords } from './script-words.ts'
import { firstPlace } from './sorted.ts'

/** A script's words in order as those of a take are compared: who hums, also by script, says no more by it. */
export const wordsOfScript = (script: string): string[] =>
  script
    .split('\n')
    .flatMap(scriptWords)
    .map((text) => ({ text, origin: 'script' as const }))
    .filter((_, i, all) => !isFiller(all, i))
    .map(({ text }) => plain(text))
    .filter(Boolean)

/**
 * Asks how many of these words (as `plain` writes them), from a place on, stand in a row somewhere in the script (`wordsOfScript`);
 * `most` at most. Its places are sorted once by what follows them, and each question finds its own by halves: to look through the script for each
 * passage of a long recording took seconds.
 */
export const inScript = (
  script: readonly string[],
  most: number,
): ((words: readonly string[], from: number) => number) => {
  const numbers = new Map<string, number>()
  const read = script.map((word) => numbers.get(word) ?? numbers.set(word, numbers.size).size - 1)
  /** What stands so far behind a place; before any word where the script has ended. */
  const at = (place: number, n: number) => read[place + n] ?? -1
  const inOrder = Int32Array.from(read.keys()).toSorted((a, b) => {
    for (let n = 0; n < most; n++) if (at(a, n) !== at(b, n)) return at(a, n) - at(b, n)
    return 0
  })
  return (words, from) => {
    const row = words.slice(from, from + most)
    // A mark that stands alone (`&`, a caption's dash) is nothing here, as in the script.
    const places = row.flatMap((word, i) => (word === '' ? [] : [i]))
    const asked = places.map((i) => numbers.get(row[i]!) ?? Infinity)
    const sharedWith = (place: number | undefined) => {
      let n = 0
      while (place !== undefined && n < asked.length && at(place, n) === asked[n]) n++
      return n
    }
    const next = firstPlace(inOrder.length, (i) => {
      const n = sharedWith(inOrder[i])
      return n === asked.length || at(inOrder[i]!, n) > asked[n]!
    })
    return places[Math.max(sharedWith(inOrder[next]), sharedWith(inOrder[next - 1]))] ?? row.length
  }
}
