import { cutText } from '@clear-to-post/domain/cut-text'
import type { Recipe, Source, Word } from './recipe.ts'

/**
 * Words as a recipe can hold them, sorted by source and start. Recognisers hear a little more than the picture shows,
 * caption files belong to another cut, and a take may end in the middle of a word: what begins after the end of its
 * source is left out, what reaches over it ends there, and each word has a length and an id of its own.
 */
export const wordsWithin = (sources: readonly Source[], words: readonly Word[]): Word[] => {
  const ids = new Set<string>()
  const own = (id: string): string => {
    let free = id.slice(0, mostId)
    for (let n = 2; free === '' || ids.has(free); n++) free = `${id.slice(0, mostId - 8)}.${n}`
    ids.add(free)
    return free
  }
  return sources
    .flatMap(({ id, durationMs }) =>
      words
        .filter(({ source, start, text }) => source === id && start < durationMs && text !== '')
        .toSorted((a, b) => a.start - b.start)
        .map((word) => ({ ...word, end: Math.min(Math.max(word.end, word.start + 1), durationMs) })),
    )
    .slice(0, mostWords)
    .map((word) => ({ ...word, id: own(word.id), text: cutText(word.text, mostText) }))
}

/** The same for what nobody said: within its source, and not longer than a recipe holds. */
export const unsaidWithin = (sources: readonly Source[], unsaid: Recipe['unsaid']): Recipe['unsaid'] =>
  unsaid.slice(0, mostUnsaid).flatMap((one) => {
    const source = sources.find(({ id }) => id === one.source)
    return source && one.text !== '' ? [{ ...one, at: Math.min(one.at, source.durationMs) }] : []
  })

/** What `read-recipe.ts` allows. */
const mostId = 40
const mostText = 100
const mostWords = 20_000
const mostUnsaid = 2000
