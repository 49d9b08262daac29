import { frameAt } from './frames.ts'
import type { Recipe } from './recipe.ts'
import { spokenWords, windowsOf, type Piece, type Timeline } from './timeline.ts'

/** Timeline frames to which a dragged end or layer is drawn: cuts, ends of words and of layers; sorted, each once. */
export const snapFrames = (
  recipe: Recipe,
  timeline: Timeline,
  /** Playhead and markers, in timeline frames. */
  more: readonly number[],
  /** The layer that is dragged: it is not drawn to itself. */
  except: string | null = null,
): number[] =>
  sorted([
    0,
    timeline.open,
    timeline.frames - timeline.close,
    timeline.frames,
    ...timeline.pieces.flatMap((piece) => [piece.at, piece.at + piece.to - piece.from]),
    ...spokenWords(recipe, timeline).flatMap(({ from, to }) => [from, to]),
    ...recipe.layers.flatMap(({ id, span }) =>
      span && id !== except ? windowsOf(timeline, span).flatMap(({ from, to }) => [from, to]) : [],
    ),
    ...more,
  ])

/**
 * The same for an end of a passage, which moves on the clock of its recording: where words begin and end there, those
 * that are cut out, too. As timeline frames, counted from where the passage stands.
 */
export const pieceSnapFrames = (recipe: Recipe, piece: Piece, more: readonly number[]): number[] => {
  const { fps } = recipe.output
  const own = recipe.words.filter(({ source }) => source === piece.source)
  const ends = own.flatMap(({ start, end }) => [frameAt(start, fps), frameAt(end, fps)])
  return sorted([...ends.map((frame) => piece.at + frame - piece.from), ...more])
}

/**
 * How far a drag goes: `by` frames, or a little more or less, where one of the moved frames then lies on a target.
 *
 * @param moved the frames that are dragged, before the drag
 * @param within so many frames around a target it draws
 * @returns `by` as it is to be used, and the target that drew; null when none did
 */
export const snapBy = (
  targets: readonly number[],
  moved: readonly number[],
  by: number,
  within: number,
): { by: number; at: number | null } => {
  let best: { by: number; at: number | null } = { by, at: null }
  let least = within
  for (const frame of moved)
    for (const at of targets) {
      const away = Math.abs(at - frame - by)
      if (away > least || (best.at !== null && away === least)) continue
      least = away
      best = { by: at - frame, at }
    }
  return best
}

const sorted = (frames: readonly number[]): number[] => [...new Set(frames)].toSorted((a, b) => a - b)
