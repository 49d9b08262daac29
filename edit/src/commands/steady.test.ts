import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brand, take } from '../../test/take.ts'
import { differenceOf } from '../difference.ts'
import { readRecipe } from '../read-recipe.ts'
import { wholeRecipe, type Recipe } from '../recipe.ts'
import { segmentsOf, timelineOf } from '../timeline.ts'
import { heldSources, setSteady, setSteadyOf, steadyOf } from './steady.ts'
import { setTurn, turnOf } from './straighten.ts'

const cut = { reason: 'by-hand', by: 'person', why: '', on: true } as const
const recipe: Recipe = {
  ...wholeRecipe([take(6000), take(6000, { id: 'b', assetId: 'y' })], brand),
  removed: [1000, 3000].map((start, i) => ({ ...cut, id: `r${i}`, source: 'a', start, end: start + 500 })),
}
const held = (one: Recipe) => timelineOf(one).pieces.map(({ index }) => steadyOf(one, [index]))

test('a passage is held steady alone, or all of a recording, and everything stays where it is', () => {
  const one = setSteady([1], true)(recipe)
  expect(held(one)).toEqual([false, true, false, false])
  expect(steadyOf(one, [0, 1])).toBeNull()
  expect(setSteady([1], true)(one)).toBe(one)
  expect(timelineOf(one).frames).toBe(timelineOf(recipe).frames)
  expect(segmentsOf(one).map((segment) => segment.kind === 'shot' && segment.shot.steady)).toEqual([
    undefined,
    true,
    undefined,
    undefined,
  ])
  expect(heldSources(one)).toEqual(['a'])
  const all = setSteadyOf('a', true)(one)
  expect(held(all)).toEqual([true, true, true, false])
  expect(setSteadyOf('a', true)(all)).toBe(all)
  expect(setSteadyOf('a', false)(setSteadyOf('a', true)(recipe))).toEqual(recipe)
  // A turn of the same passage stays.
  const both = setSteady([1], true)(setTurn([1], 2)(recipe))
  expect([held(both)[1], turnOf(both, [1])]).toEqual([true, 2])
  expect(differenceOf(recipe, one)).toContain('A shaky picture is held steady.')
  expect(differenceOf(one, recipe)).toContain('The picture is no longer held steady.')
})

test('after any passages were held and let go the recipe is valid, and each is as it was set', () => {
  const step = fc.tuple(fc.nat(3), fc.boolean())
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
      let now = recipe
      const wanted = [false, false, false, false]
      for (const [index, on] of steps) {
        const written = JSON.stringify(now)
        const next = setSteady([index], on)(now)
        expect(JSON.stringify(now)).toBe(written)
        now = next
        wanted[index] = on
      }
      expect(held(now)).toEqual(wanted)
      expect(timelineOf(now).frames).toBe(timelineOf(recipe).frames)
      expect(readRecipe(JSON.parse(JSON.stringify(now)))).toEqual({ recipe: now })
    }),
    { numRuns: 100 },
  )
})
