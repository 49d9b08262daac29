import { frameAt, msAt } from '../frames.ts'
import type { Recipe } from '../recipe.ts'
import { momentAt, timelineOf, type Timeline } from '../timeline.ts'
import { freeId, type Command } from './command.ts'

/** How long a crossfade lasts, ms: at most, at first, and by which steps a hand sets it. */
export const crossfades = { most: 2000, usual: 400, step: 50 } as const

/** The most joints that a recipe holds. */
const mostJoints = 2000

/** How long the passage at a place is crossfaded with the one before it, ms; 0 at a plain cut. */
export const crossfadeOf = ({ pieces, fps }: Timeline, index: number): number => msAt(pieces[index]?.fadeIn ?? 0, fps)

/**
 * Crossfades the passage at a place with the one before it for so many milliseconds, or has it cut where they are 0. It lasts as
 * long as its passages allow; where they leave it no frame, nothing changes.
 */
export const setCrossfade =
  (index: number, lengthMs: number): Command =>
  (recipe) => {
    const timeline = timelineOf(recipe)
    const { pieces, fps } = timeline
    const [before, piece] = [pieces[index - 1], pieces[index]]
    const wanted = Math.round(Math.max(0, Math.min(crossfades.most, lengthMs)))
    if (!before || !piece || wanted === crossfadeOf(timeline, index)) return recipe
    const [from, to] = placeOf(recipe, before, piece)
    const others = recipe.joints.filter(({ source, at }) => {
      const frame = frameAt(at, fps)
      return source !== before.source || frame < from || frame > to
    })
    if (wanted === 0) return others.length === recipe.joints.length ? recipe : { ...recipe, joints: others }
    const at = momentAt(recipe, before.source, before.to)
    const id = freeId('j', recipe.joints)
    const joint = { id, source: before.source, at, kind: 'crossfade', lengthMs: wanted } as const
    const next = { ...recipe, joints: [...others, joint] }
    const now = timelineOf(next).pieces[index]!.fadeIn
    return now === 0 || now === piece.fadeIn || next.joints.length > mostJoints ? recipe : next
  }

type Piece = Timeline['pieces'][number]

/** The source frames in which a joint between two neighbours lies, as the timeline looks for it. */
const placeOf = (recipe: Recipe, before: Piece, piece: Piece): [from: number, to: number] => {
  if (before.keep === piece.keep) return [before.to, piece.from]
  return [before.to, frameAt(recipe.keep.find(({ id }) => id === before.keep)!.end, recipe.output.fps)]
}
