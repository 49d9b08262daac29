import { expect, test } from 'vitest'
import { brand, take } from '../../test/take.ts'
import { readRecipe } from '../read-recipe.ts'
import { wholeRecipe, type Layer, type Recipe } from '../recipe.ts'
import { timelineOf, windowsOf } from '../timeline.ts'
import { moveSeveral, removeSeveral } from './several.ts'
import { splitAt } from './trims.ts'

const roll = (id: string, start: number, end: number): Layer => ({
  id,
  kind: 'b-roll',
  assetId: 'clip',
  fromMs: 0,
  focus: { x: 0.5, y: 0.5 },
  span: { source: 'a', start, end },
  on: true,
})
const recipe: Recipe = {
  ...wholeRecipe([take(6000)], brand),
  layers: [roll('b1', 1000, 2000), roll('b2', 2000, 3000), roll('b3', 5000, 6000)],
}
const seen = (from: Recipe) =>
  from.layers.map(({ span }) =>
    windowsOf(timelineOf(from), span!)
      .map(({ from: at, to }) => [at, to])
      .flat(),
  )

test('several passages and layers are taken out at once, and one passage always stays', () => {
  const parted = [60, 120].reduce((now, frame) => splitAt(frame)(now), recipe)
  const left = removeSeveral({ pieces: [0, 2], layers: ['b1', 'b3'] })(parted)
  expect(timelineOf(left).pieces.map(({ from, to }) => [from, to])).toEqual([[60, 120]])
  expect(left.layers.map(({ id }) => id)).toEqual(['b2'])
  expect(readRecipe(structuredClone(left)).problems).toBeUndefined()
  expect(timelineOf(removeSeveral({ pieces: [0, 1, 2], layers: [] })(parted)).pieces).toHaveLength(1)
  expect(removeSeveral({ pieces: [], layers: ['nobody'] })(recipe)).toBe(recipe)
})

test('layers side by side move together, in both directions, and back to where they were', () => {
  const moved = moveSeveral(['b1', 'b2'], 30)(recipe)
  expect(seen(moved)).toEqual([
    [60, 90],
    [90, 120],
    [150, 180],
  ])
  expect(seen(moveSeveral(['b2', 'b1'], -30)(moved))).toEqual(seen(recipe))
  // One of them cannot: none goes.
  expect(moveSeveral(['b1', 'b3'], 10)(recipe)).toBe(recipe)
  expect(moveSeveral(['b2', 'b1'], 75)(recipe)).toBe(recipe)
})
