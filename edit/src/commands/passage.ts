import type { Keep, Recipe } from '../recipe.ts'
import { timelineOf, type Piece } from '../timeline.ts'
import { parted } from './trims.ts'

/** So many passages a recipe keeps at most. */
export const mostKeeps = 2000

/** What a recipe says of the passage at a place in the order of playing. */
export const keepOf = ({ keep }: Pick<Recipe, 'keep'>, piece: Pick<Piece, 'keep'>): Keep | undefined =>
  keep.find(({ id }) => id === piece.keep)

/**
 * The passage at a place in the order of playing, changed alone: it gets a keep of its own, from its start to where the next one
 * of the same keep begins.
 */
export const withPassage = (recipe: Recipe, index: number, change: (keep: Keep) => Keep): Recipe => {
  let next = recipe
  const part = (at: number, frame: (piece: Piece) => number) => {
    const { pieces } = timelineOf(next)
    const [before, after] = [pieces[at - 1], pieces[at]]
    if (before && after && before.keep === after.keep && next.keep.length < mostKeeps)
      next = parted(next, before, frame(after))
  }
  part(index + 1, ({ from }) => from)
  part(index, ({ from }) => from)
  const piece = timelineOf(next).pieces[index]
  return piece ? { ...next, keep: next.keep.map((one) => (one.id === piece.keep ? change(one) : one)) } : recipe
}
