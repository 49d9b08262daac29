import type { Layer, Move, Recipe } from './recipe.ts'
import { shownAt, type Timeline } from './timeline.ts'

/** What is drawn and dragged on the picture itself; all lengths are parts of the frame, from 0 to 1. */
export type Part = { x: number; y: number; width: number; height: number }

export type Point = { x: number; y: number }

/** A move never brings the picture nearer than this, and one of no size has no place. */
export const moveScales = { least: 1, most: 2 } as const

/** The part of the frame that fills it while the picture is nearer. What the move is pointed at stays in its place. */
export const partOfMove = (scale: number, focus: Point): Part => {
  const side = 1 / scale
  return { x: focus.x * (1 - side), y: focus.y * (1 - side), width: side, height: side }
}

/** Where a move must be pointed for its part of the frame to begin at a place; kept within the frame. */
export const focusOfPart = (scale: number, { x, y }: Point, before: Point): Point => {
  const room = 1 - 1 / scale
  // A part as large as the frame cannot be moved.
  if (room < 1e-6) return before
  return { x: within(x / room), y: within(y / room) }
}

/** The move under a timeline frame, and where it is pointed: of several the later in the list. Null over none. */
export const moveAt = (recipe: Recipe, timeline: Timeline, frame: number): Move | null => {
  const [shown] = shownAt(timeline, frame)
  if (!shown) return null
  const ms = (shown.frame * 1000 * timeline.fps.den) / timeline.fps.num
  const { source } = shown.piece
  return recipe.moves.findLast((move) => move.on && move.source === source && ms >= move.start && ms < move.end) ?? null
}

type Place = Extract<Layer, { kind: 'logo' }>['place']

/** The place of a picture that was dropped with its middle at a point: a corner, or the middle of the frame. */
export const placeAt = ({ x, y }: Point): Place => {
  if (Math.abs(x - 0.5) < 1 / 6 && Math.abs(y - 0.5) < 1 / 6) return 'centre'
  return `${y < 0.5 ? 'top' : 'bottom'}-${x < 0.5 ? 'left' : 'right'}`
}

/** The place beside another one, towards a side; corners by way of the middle in neither direction. */
export const placeTowards = (place: Place, side: 'left' | 'right' | 'top' | 'bottom'): Place => {
  const [vertical, across] = place === 'centre' ? ['top', 'right'] : place.split('-')
  const [v, a] = side === 'top' || side === 'bottom' ? [side, across] : [vertical, side]
  return `${v}-${a}` as Place
}

const within = (value: number): number => Math.max(0, Math.min(1, value))
