import { cutText } from '@clear-to-post/domain/cut-text'
import { shared, wordsIn } from '../caption-words.ts'
import { unrecognised } from '../drawn.ts'
import type { Word } from '../recipe.ts'
import { withOverride } from './captions.ts'
import type { Command } from './command.ts'

/** So much a caption says in the place of one word, and so much of what is beside the script is written at once. */
export const longestText = { word: 300, unrecognised: 2000 } as const

/** What the caption shows for a word: another text, nothing (empty), or as it was heard (null). */
export const correctWord =
  (id: string, text: string | null): Command =>
  (recipe) => {
    const word = recipe.words.find((one) => one.id === id)
    if (!word) return recipe
    const clean = text === null ? undefined : cutText(spaced(text), longestText.word)
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
    const clean = cutText(spaced(text), longestText.unrecognised)
    const parts = wordsIn(clean).map((part) => cutText(part, 100))
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

const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
