import { answered } from './focus.ts'
import type { Recipe, Span } from './recipe.ts'

/** A decision as a list shows it: where it is, why, and whether it counts. */
export type DecisionLine = {
  list: 'removed' | 'moves' | 'focus' | 'close'
  id: string
  kind: string
  why: string
  on: boolean
  span: Span | null
}

/** Every decision of a recipe, by list and place in it. */
export const decisionsOf = (recipe: Recipe): DecisionLine[] => [
  ...recipe.removed.map((one) => ({
    list: 'removed' as const,
    id: one.id,
    kind: one.reason,
    why: one.why,
    on: one.on,
    span: spanOf(one),
  })),
  ...recipe.moves.map((one) => ({
    list: 'moves' as const,
    id: one.id,
    kind: one.kind,
    why: one.why,
    on: one.on,
    span: spanOf(one),
  })),
  ...(recipe.focus ?? []).map((one) => ({
    list: 'focus' as const,
    id: one.id,
    kind: 'focus',
    why: one.why,
    on: one.on,
    span: spanOf(one),
  })),
  ...(recipe.close
    ? [
        {
          list: 'close' as const,
          id: 'close',
          kind: 'card',
          why: 'The end card says who speaks and what to do next.',
          on: recipe.close.on,
          span: null,
        },
      ]
    : []),
]

/** The recipe with one decision switched; nothing else changes. */
export const switchDecision = (
  recipe: Recipe,
  { list, id }: Pick<DecisionLine, 'list' | 'id'>,
  on: boolean,
): Recipe => {
  if (list === 'close') return { ...recipe, close: recipe.close && { ...recipe.close, on } }
  const flip = <T extends { id: string; on: boolean }>(all: T[]) =>
    all.map((one) => (one.id === id ? { ...one, on } : one))
  if (list === 'focus')
    return recipe.focus
      ? { ...recipe, focus: flip(recipe.focus).map((one) => (one.id === id ? answered(one) : one)) }
      : recipe
  return list === 'removed' ? { ...recipe, removed: flip(recipe.removed) } : { ...recipe, moves: flip(recipe.moves) }
}

const spanOf = ({ source, start, end }: Span): Span => ({ source, start, end })
