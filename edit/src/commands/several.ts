import { windowsOf, timelineOf } from '../timeline.ts'
import type { Command } from './command.ts'
import { moveLayer, removeLayer } from './layers.ts'
import { removePiece } from './trims.ts'

/** Passages, by their place in the order, and layers, by their id, that are in hand together. */
export type Several = { pieces: readonly number[]; layers: readonly string[] }

/** Takes all of them out; the last passage of a video stays. */
export const removeSeveral =
  ({ pieces, layers }: Several): Command =>
  (recipe) => {
    // From the last to the first: what was removed later in the order moves nothing before it.
    const steps = [...pieces.toSorted((a, b) => b - a).map(removePiece), ...layers.map(removeLayer)]
    return steps.reduce((now, step) => step(now), recipe)
  }

/** Moves layers along the video by frames, all of them or none: what lies together stays together. */
export const moveSeveral =
  (ids: readonly string[], by: number): Command =>
  (recipe) => {
    const timeline = timelineOf(recipe)
    const placed = recipe.layers.flatMap(({ id, span }) => {
      const [first] = span && ids.includes(id) ? windowsOf(timeline, span) : []
      return first ? [{ id, at: first.from }] : []
    })
    // The foremost goes first, so that nobody stands in another’s way.
    const order = placed.toSorted((a, b) => (by > 0 ? b.at - a.at : a.at - b.at))
    let now = recipe
    for (const { id } of order) {
      const next = moveLayer(id, by)(now)
      if (next === now) return recipe
      now = next
    }
    return now
  }
