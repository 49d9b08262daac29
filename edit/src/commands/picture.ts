import type { Move, Recipe, Span } from '../recipe.ts'
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

export const switchMove =
  (id: string, on: boolean): Command =>
  (recipe) => ({ ...recipe, moves: recipe.moves.map((move) => (move.id === id ? { ...move, on } : move)) })

export const removeMove =
  (id: string): Command =>
  (recipe) => ({ ...recipe, moves: recipe.moves.filter((move) => move.id !== id) })

export const setFrame =
  (part: Partial<Recipe['frame']>): Command =>
  (recipe) => ({ ...recipe, frame: { ...recipe.frame, ...part } })
