import { mostPush } from '../clip-time.ts'
import { mostNear, mostTurn } from '../framing.ts'
import type { Keep, Recipe } from '../recipe.ts'
import { timelineOf } from '../timeline.ts'
import type { Command } from './command.ts'
import { bRollOf, withoutMissing } from './layers.ts'
import { keepOf, withPassage } from './passage.ts'

/** Turns these passages of the timeline by so many degrees, with the clock; tenths. Their neighbours stay as they are. */
export const setTurn =
  (indexes: readonly number[], degrees: number): Command =>
  (recipe) => {
    const turn = tenth(degrees)
    return indexes.reduce((next, index) => {
      const piece = timelineOf(next).pieces[index]
      return piece && (keepOf(next, piece)?.turn ?? 0) !== turn ? withPassage(next, index, turned(turn)) : next
    }, recipe)
  }

/** Turns all of a recording, what is cut out of it included. */
export const setTurnOf =
  (source: string, degrees: number): Command =>
  (recipe) => {
    const turn = tenth(degrees)
    const isMeant = (one: Keep) => one.source === source && (one.turn ?? 0) !== turn
    if (!recipe.keep.some(isMeant)) return recipe
    return { ...recipe, keep: recipe.keep.map((one) => (isMeant(one) ? turned(turn)(one) : one)) }
  }

/** How many degrees all of these passages are turned; null where they differ, or where there are none. */
export const turnOf = (recipe: Recipe, indexes: readonly number[]): number | null => {
  const { pieces } = timelineOf(recipe)
  const turns = new Set(
    indexes.flatMap((index) => pieces[index] ?? []).map((piece) => keepOf(recipe, piece)?.turn ?? 0),
  )
  const [turn] = turns
  return turns.size === 1 ? turn! : null
}

/** How near B-roll is brought, how much nearer it slowly comes, and by how many degrees it is turned. */
export const cropLayer =
  (id: string, part: { near?: number; push?: number; turn?: number }): Command =>
  (recipe) => {
    const layer = bRollOf(recipe).find((one) => one.id === id)
    if (!layer) return recipe
    const hundredth = (value: number, most: number) => Math.round(100 * within(1, value, most)) / 100
    const near = hundredth(part.near ?? layer.near ?? 1, mostNear)
    const push = hundredth(part.push ?? layer.push ?? 1, mostPush)
    const turn = tenth(part.turn ?? layer.turn ?? 0)
    const isSame = near === (layer.near ?? 1) && push === (layer.push ?? 1) && turn === (layer.turn ?? 0)
    if (isSame) return recipe
    const but = (value: number, usual: number) => (value === usual ? undefined : value)
    return withoutMissing(recipe, { ...layer, near: but(near, 1), push: but(push, 1), turn: but(turn, 0) })
  }

const turned =
  (turn: number) =>
  (keep: Keep): Keep => {
    const { turn: _, ...bare } = keep
    return turn === 0 ? bare : { ...bare, turn }
  }

const tenth = (degrees: number): number => Math.round(10 * within(-mostTurn, degrees, mostTurn)) / 10 + 0

const within = (least: number, value: number, most: number): number => Math.max(least, Math.min(most, value))
