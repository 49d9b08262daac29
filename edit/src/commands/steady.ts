import type { Keep, Recipe } from '../recipe.ts'
import { timelineOf } from '../timeline.ts'
import type { Command } from './command.ts'
import { keepOf, withPassage } from './passage.ts'

/** Holds these passages of the timeline steady, or leaves them as they were filmed. Their neighbours stay as they are. */
export const setSteady =
  (indexes: readonly number[], on: boolean): Command =>
  (recipe) =>
    indexes.reduce((next, index) => {
      const piece = timelineOf(next).pieces[index]
      return piece && isSteady(keepOf(next, piece)) !== on ? withPassage(next, index, held(on)) : next
    }, recipe)

/** The same for all of a recording, what is cut out of it included. */
export const setSteadyOf =
  (source: string, on: boolean): Command =>
  (recipe) => {
    const isMeant = (one: Keep) => one.source === source && isSteady(one) !== on
    if (!recipe.keep.some(isMeant)) return recipe
    return { ...recipe, keep: recipe.keep.map((one) => (isMeant(one) ? held(on)(one) : one)) }
  }

/** Whether all of these passages are held steady; null where they differ, or where there are none. */
export const steadyOf = (recipe: Recipe, indexes: readonly number[]): boolean | null => {
  const { pieces } = timelineOf(recipe)
  const all = new Set(indexes.flatMap((index) => pieces[index] ?? []).map((piece) => isSteady(keepOf(recipe, piece))))
  const [first] = all
  return all.size === 1 ? first! : null
}

/** The recordings of which anything is held steady: how they were shaken is to be known. */
export const heldSources = ({ keep }: Pick<Recipe, 'keep'>): string[] => [
  ...new Set(keep.flatMap((one) => (isSteady(one) ? one.source : []))),
]

const isSteady = (keep: Keep | undefined): boolean => keep?.steady ?? false

const held =
  (on: boolean) =>
  (keep: Keep): Keep => {
    const { steady: _, ...bare } = keep
    return on ? { ...bare, steady: true } : bare
  }
