import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brand, take } from '../../test/take.ts'
import { readRecipe } from '../read-recipe.ts'
import { wholeRecipe, type Recipe } from '../recipe.ts'
import { segmentsOf, timelineOf } from '../timeline.ts'
import { crossfadeOf, crossfades, setCrossfade } from './crossfades.ts'
import { splitAt } from './trims.ts'

const removed = (id: string, start: number, end: number) =>
  ({ id, source: 'a', start, end, reason: 'silence', by: 'rule', why: 'x', on: true }) as const

/** Passages of 4, 3 and 4 s out of one take, then 0.1 s of another one. */
const recipe: Recipe = {
  ...wholeRecipe([take(12_000), take(100, { id: 'b' })], brand),
  removed: [removed('r1', 4000, 4500), removed('r2', 7500, 8000)],
}
const lengths = (of: Recipe) => timelineOf(of).pieces.map((_, index) => crossfadeOf(timelineOf(of), index))

test('a cut becomes a crossfade of its length, another length, and a cut again; the video is shorter meanwhile', () => {
  const faded = setCrossfade(1, crossfades.usual)(recipe)
  expect(lengths(faded)).toEqual([0, 400, 0, 0])
  expect(timelineOf(faded).frames).toBe(timelineOf(recipe).frames - 12)
  expect(segmentsOf(faded).map(({ kind }) => kind)).toEqual(['shot', 'crossfade', 'shot', 'shot', 'shot'])
  expect(setCrossfade(1, 400)(faded)).toBe(faded)
  const longer = setCrossfade(1, 9000)(faded)
  expect([lengths(longer), longer.joints.length]).toEqual([[0, 1467, 0, 0], 1])
  expect(setCrossfade(1, 0)(longer)).toEqual(recipe)
  expect(setCrossfade(1, 0)(recipe)).toBe(recipe)
  // Before the first passage nothing is seen, and after the last.
  for (const place of [-1, 0, 4]) expect(setCrossfade(place, 400)(recipe)).toBe(recipe)
})

test('a crossfade that its passages leave no frame changes nothing', () => {
  // Three frames: half of them is one, and that stays its own.
  expect(setCrossfade(3, 400)(recipe)).toBe(recipe)
  const scraps = [1, 2].reduce((now, frame) => splitAt(frame)(now), recipe)
  expect(
    timelineOf(scraps)
      .pieces.slice(0, 3)
      .map(({ from, to }) => to - from),
  ).toEqual([1, 1, 118])
  expect(setCrossfade(1, 400)(scraps)).toBe(scraps)
})

test('any crossfades at any cuts keep a valid recipe, each where it was set, and can all be taken away', () => {
  const step = fc.tuple(fc.integer({ min: -1, max: 6 }), fc.integer({ min: -100, max: 3000 }))
  const splits = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 3 })
  fc.assert(
    fc.property(splits, fc.array(step, { maxLength: 10 }), (at, steps) => {
      const cut = at.reduce((now, frame) => splitAt(frame)(now), recipe)
      const { pieces } = timelineOf(cut)
      let now = cut
      for (const [index, ms] of steps) {
        const before = lengths(now)
        const next = setCrossfade(index, ms)(now)
        expect(readRecipe(JSON.parse(JSON.stringify(next))).problems).toBeUndefined()
        if (next !== now) expect(lengths(next)[index]).not.toBe(before[index])
        expect(lengths(next)[index] ?? 0).toBeLessThanOrEqual(crossfades.most)
        now = next
      }
      expect(timelineOf(now).pieces.map(({ from, to }) => [from, to])).toEqual(pieces.map(({ from, to }) => [from, to]))
      const bare = pieces.reduce((left, _, index) => setCrossfade(index, 0)(left), now)
      expect(bare).toEqual(cut)
    }),
    { numRuns: 60 },
  )
})
