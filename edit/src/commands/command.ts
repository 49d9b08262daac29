import type { Recipe } from '../recipe.ts'

/**
 * What an editor can do to a recipe. Each command is a pure function: recipe in, recipe out, and the same object when
 * there was nothing to do. Times are whole milliseconds on a source's clock.
 */
export type Command = (recipe: Recipe) => Recipe

export const freeId = (letter: string, taken: readonly { id: string }[]): string => {
  const ids = new Set(taken.map(({ id }) => id))
  for (let n = taken.length + 1; ; n++) if (!ids.has(`${letter}${n}`)) return `${letter}${n}`
}
