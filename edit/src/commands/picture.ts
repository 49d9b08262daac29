import { answered, unsureOf } from '../focus.ts'
import type { Focus, Move, Recipe, Span } from '../recipe.ts'
import { moveScales } from '../on-picture.ts'
import { momentAt, shownAt, timelineOf } from '../timeline.ts'
import { freeId, type Command } from './command.ts'

/** Nearer on these words; the recipe's later moves win where they meet. */
export const addMove =
  (kind: Move['kind'], span: Span): Command =>
  (recipe) => ({
    ...recipe,
    moves: [
      ...recipe.moves,
      {
        ...span,
        id: freeId('m', recipe.moves),
        kind,
        scale: kind === 'punch-in' ? 1.15 : 1.1,
        focus: null,
        by: 'person',
        why: 'Set by hand.',
        on: true,
      },
    ],
  })

/** How near a move brings the picture, and where it is pointed: parts of the frame. */
export const setMove =
  (id: string, part: Partial<Pick<Move, 'scale' | 'focus'>>): Command =>
  (recipe) => {
    const move = recipe.moves.find((one) => one.id === id)
    if (!move) return recipe
    const within = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))
    const focus = part.focus === undefined ? move.focus : part.focus
    const next: Move = {
      ...move,
      scale: within(part.scale ?? move.scale, moveScales.least, moveScales.most),
      focus: focus && { x: within(focus.x, 0, 1), y: within(focus.y, 0, 1) },
    }
    if (JSON.stringify(next) === JSON.stringify(move)) return recipe
    return { ...recipe, moves: recipe.moves.map((one) => (one === move ? next : one)) }
  }

/** A punch-in over the passage at a timeline frame: all of it that is played without interruption. */
export const punchInAt =
  (frame: number): Command =>
  (recipe) => {
    const timeline = timelineOf(recipe)
    const [shown] = shownAt(timeline, frame)
    if (!shown || recipe.moves.length >= 500) return recipe
    const { source, from, to } = shown.piece
    const span = { source, start: momentAt(recipe, source, from), end: momentAt(recipe, source, to) }
    return addMove('punch-in', span)(recipe)
  }

export const switchMove =
  (id: string, on: boolean): Command =>
  (recipe) => ({ ...recipe, moves: recipe.moves.map((move) => (move.id === id ? { ...move, on } : move)) })

export const removeMove =
  (id: string): Command =>
  (recipe) => ({ ...recipe, moves: recipe.moves.filter((move) => move.id !== id) })

export const setFrame =
  (part: Partial<Recipe['frame']>): Command =>
  (recipe) => ({ ...recipe, frame: { ...recipe.frame, ...part } })

/** The frame's own point for everything: an editor's own comes before what a rule found. */
export const setFramePoint =
  (part: Partial<Recipe['frame']['focus']>): Command =>
  (recipe) => {
    const frame = { ...recipe.frame, focus: { ...recipe.frame.focus, ...part } }
    return {
      ...recipe,
      frame,
      ...(recipe.focus && { focus: recipe.focus.map((one) => ({ ...answered(one), on: false })) }),
    }
  }

/** The person of a recording is at this place of its picture, in all of its passages. */
export const putPerson =
  (source: string, at: Focus['at']): Command =>
  (recipe) => {
    const { focus = [] } = recipe
    const whole = recipe.sources.find(({ id }) => id === source)
    if (!whole) return recipe
    const within = (value: number) => Math.round(1000 * Math.max(0, Math.min(1, value))) / 1000
    const isWhole = (one: Focus) =>
      one.by === 'person' && one.source === source && one.start === 0 && one.end === whole.durationMs
    const others = focus.filter((one) => !isWhole(one))
    if (others.length >= mostFocus) return recipe
    const fresh: Focus = {
      id: focus.find(isWhole)?.id ?? freeId('f', focus),
      source,
      start: 0,
      end: whole.durationMs,
      at: { x: within(at.x), y: within(at.y) },
      by: 'person',
      why: 'Set by hand.',
      on: true,
    }
    return { ...recipe, focus: [...others, fresh] }
  }

/** What a rule was not sure of is right as it is. */
export const acceptFocus: Command = (recipe) => {
  const unsure = unsureOf(recipe)
  if (!recipe.focus || unsure.length === 0) return recipe
  return { ...recipe, focus: recipe.focus.map((one) => (unsure.includes(one) ? answered(one) : one)) }
}

export const switchFocus =
  (id: string, on: boolean): Command =>
  (recipe) =>
    recipe.focus
      ? { ...recipe, focus: recipe.focus.map((one) => (one.id === id ? { ...answered(one), on } : one)) }
      : recipe

export const removeFocus =
  (id: string): Command =>
  (recipe) =>
    recipe.focus ? { ...recipe, focus: recipe.focus.filter((one) => one.id !== id) } : recipe

/** As many as a recipe takes (`read-recipe.ts`). */
const mostFocus = 2000
