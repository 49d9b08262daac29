import type { Recipe, Span, Word } from './recipe.ts'

/** Does a removal hold the word? A word belongs to where its middle is. */
export const covers = ({ source, start, end }: Span, word: Span): boolean => {
  const middle = (word.start + word.end) / 2
  return source === word.source && middle >= start && middle < end
}

export const isOut = (recipe: Pick<Recipe, 'removed'>, word: Word): boolean =>
  recipe.removed.some((removal) => removal.on && covers(removal, word))
