import type { Recipe } from '../recipe.ts'
import { spokenWords, timelineOf, type Spoken } from '../timeline.ts'
import { sentencesHeard } from '../translation.ts'
import type { Command } from './command.ts'
import { mostKeeps } from './passage.ts'
import { parted, splitAt } from './trims.ts'

/**
 * The order in which passages are played. It is the order of `keep`, so moving a passage moves a keep; where one holds several
 * passages it is parted first. What lies over words, B-roll, titles, moves, music with a place, goes where they go, because its
 * place is on the recording's clock.
 */

/**
 * Passages, by the places of the first and the last in the order of playing, are played before the one at `before`, or last of
 * all where `before` is the number of passages. What is seen of each stays.
 */
export const movePieces =
  (first: number, last: number, before: number): Command =>
  (recipe) => {
    const count = timelineOf(recipe).pieces.length
    const isThere = first >= 0 && first <= last && last < count && before >= 0 && before <= count
    if (!isThere || (before >= first && before <= last + 1)) return recipe
    const alone = [first, last + 1, before].reduce(partedBefore, recipe)
    if (alone.keep.length > mostKeeps) return recipe
    const { pieces } = timelineOf(alone)
    // Keeps of which nothing is seen go with the passage before them.
    const placeOf = (index: number) => {
      const piece = pieces[index]
      return piece ? alone.keep.findIndex(({ id }) => id === piece.keep) : alone.keep.length
    }
    const [from, to, at] = [placeOf(first), placeOf(last + 1), placeOf(before)]
    const block = alone.keep.slice(from, to)
    const rest = alone.keep.toSpliced(from, block.length)
    return { ...alone, keep: rest.toSpliced(at < to ? at : at - block.length, 0, ...block) }
  }

/**
 * Words that are heard one after the other are played before another word, or last of all where it is null. Passages are parted
 * in the middle between two words.
 */
export const moveWords =
  (ids: readonly string[], before: string | null): Command =>
  (recipe) => {
    const now = spokenWords(recipe)
    const own = placesOf(now, ids)
    if (!own) return recipe
    const edges = [now[own.first]!.word.id, now[own.last + 1]?.word.id ?? null, before]
    const split = edges.reduce((done, id) => (id === null ? done : splitBefore(done, id)), recipe)
    const heard = spokenWords(split)
    const places = placesOf(heard, ids)
    const target = before === null ? undefined : heard.find(({ word }) => word.id === before)
    if (!places || (before !== null && !target)) return recipe
    const [first, last] = [heard[places.first]!.piece, heard[places.last]!.piece]
    const moved = movePieces(first, last, target ? target.piece : timelineOf(split).pieces.length)(split)
    return moved === split ? recipe : moved
  }

/** Words that are heard one after the other change places with the sentence that is heard before them, or after them. */
export const stepWords =
  (ids: readonly string[], by: 1 | -1): Command =>
  (recipe) => {
    const heard = sentencesHeard(recipe).flatMap(({ words }, sentence) => words.map(({ word }) => ({ word, sentence })))
    const own = placesOf(heard, ids)
    const beside = own && heard[by < 0 ? own.first - 1 : own.last + 1]
    if (!beside) return recipe
    const isBeside = ({ sentence }: { sentence: number }) => sentence === beside.sentence
    const at = by < 0 ? heard.findIndex(isBeside) : heard.findLastIndex(isBeside) + 1
    return moveWords(ids, heard[at]?.word.id ?? null)(recipe)
  }

/** The keep of a passage begins with it, where it held the passage before it, too. */
const partedBefore = (recipe: Recipe, index: number): Recipe => {
  const { pieces } = timelineOf(recipe)
  const [before, piece] = [pieces[index - 1], pieces[index]]
  return before && piece && before.keep === piece.keep ? parted(recipe, before, piece.from) : recipe
}

/** A passage begins before a word; what is seen stays. */
const splitBefore = (recipe: Recipe, id: string): Recipe => {
  const heard = spokenWords(recipe)
  const at = heard.findIndex(({ word }) => word.id === id)
  const [before, word] = [heard[at - 1], heard[at]]
  if (!before || !word || before.piece !== word.piece) return recipe
  return splitAt(Math.max(before.from + 1, Math.min(word.from, Math.floor((before.to + word.from) / 2))))(recipe)
}

/** The first and the last of some words in the order of hearing; null where none is heard. */
const placesOf = (heard: readonly Pick<Spoken, 'word'>[], ids: readonly string[]) => {
  const wanted = new Set(ids)
  const isWanted = ({ word }: Pick<Spoken, 'word'>) => wanted.has(word.id)
  const first = heard.findIndex(isWanted)
  return first < 0 ? null : { first, last: heard.findLastIndex(isWanted) }
}
