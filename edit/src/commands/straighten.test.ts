import fc from 'fast-check'
import { expect, test } from 'vitest'
import { turnedSize } from '../framing.ts'
import { readRecipe } from '../read-recipe.ts'
import { wholeRecipe, type Recipe } from '../recipe.ts'
import { segmentsOf, timelineOf } from '../timeline.ts'
import { brand, take } from '../../test/take.ts'
import { addGain, gainOf } from './sound.ts'
import { cropLayer, setTurn, setTurnOf, turnOf } from './straighten.ts'

const cut = { reason: 'by-hand', by: 'person', why: '', on: true } as const
const recipe: Recipe = {
  ...wholeRecipe([take(6000), take(6000, { id: 'b', assetId: 'y' })], brand),
  removed: [1000, 3000].map((start, i) => ({ ...cut, id: `r${i}`, source: 'a', start, end: start + 500 })),
  layers: [
    {
      id: 'l',
      kind: 'b-roll',
      assetId: 'clip',
      span: { source: 'a', start: 0, end: 900 },
      on: true,
      fromMs: 0,
      focus: { x: 0.5, y: 0.5 },
    },
  ],
}
const turns = (one: Recipe) => timelineOf(one).pieces.map(({ index }) => turnOf(one, [index]))

test('a turn changes its passage alone, or all of a recording, and nothing of where things are', () => {
  const one = setTurn([1], 2.04)(recipe)
  expect(turns(one)).toEqual([0, 2, 0, 0])
  expect(turnOf(one, [0, 1])).toBeNull()
  expect(setTurn([1], 2)(one)).toBe(one)
  expect(timelineOf(one).frames).toBe(timelineOf(recipe).frames)
  expect(segmentsOf(one).map((segment) => segment.kind === 'shot' && segment.shot.turn)).toEqual([
    undefined,
    2,
    undefined,
    undefined,
  ])
  const all = setTurnOf('a', -3)(one)
  expect(turns(all)).toEqual([-3, -3, -3, 0])
  expect(setTurnOf('a', -3)(all)).toBe(all)
  const back = setTurnOf('a', 0)(setTurnOf('a', -3)(recipe))
  expect(back).toEqual(recipe)
  // Loudness and turn of a passage do not take each other away.
  const both = addGain([1], 3)(one)
  expect([turns(both)[1], gainOf(both, timelineOf(both).pieces[1]!)]).toEqual([2, 3])
})

test('B-roll is cropped and turned, within bounds, and back as it was', () => {
  const near = cropLayer('l', { near: 1.5, turn: 90 })(recipe)
  expect(near.layers[0]).toMatchObject({ near: 1.5, turn: 15 })
  const pushing = cropLayer('l', { push: 1.2 })(near)
  expect(pushing.layers[0]).toMatchObject({ near: 1.5, push: 1.2, turn: 15 })
  expect(cropLayer('l', { push: 1 })(pushing)).toEqual(near)
  expect(cropLayer('l', { near: 0, turn: 0 })(near)).toEqual(recipe)
  expect(cropLayer('nobody', { near: 2 })(recipe)).toBe(recipe)
})

test('any turns of any passages keep a valid recipe and land where they were set', () => {
  const step = fc.tuple(fc.nat(3), fc.double({ min: -20, max: 20, noNaN: true }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      let now = recipe
      const wanted = [0, 0, 0, 0]
      for (const [index, degrees] of steps) {
        now = setTurn([index], degrees)(now)
        wanted[index] = Math.round(10 * Math.max(-15, Math.min(15, degrees))) / 10 + 0
      }
      expect(turns(now)).toEqual(wanted)
      expect(timelineOf(now).frames).toBe(timelineOf(recipe).frames)
      expect(readRecipe(JSON.parse(JSON.stringify(now))).problems).toBeUndefined()
    }),
    { numRuns: 100 },
  )
})

test('a turned picture is large enough that every corner of the frame lies in it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 90, max: 2000 }),
      fc.integer({ min: 90, max: 2000 }),
      fc.integer({ min: -150, max: 150 }),
      (w, h, tenths) => {
        const [frame, degrees] = [{ width: 2 * w, height: 2 * h }, tenths / 10]
        const size = turnedSize(frame, degrees)
        const angle = (degrees * Math.PI) / 180
        for (const [x, y] of [
          [w, h],
          [w, -h],
        ] as const) {
          expect(Math.abs(x * Math.cos(angle) + y * Math.sin(angle))).toBeLessThan(size.width / 2 + 0.01)
          expect(Math.abs(y * Math.cos(angle) - x * Math.sin(angle))).toBeLessThan(size.height / 2 + 0.01)
        }
      },
    ),
  )
})
