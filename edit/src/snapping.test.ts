import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brand, take } from '../test/take.ts'
import { addTitle } from './commands/titles.ts'
import { wholeRecipe, type Recipe } from './recipe.ts'
import { pieceSnapFrames, snapBy, snapFrames } from './snapping.ts'
import { timelineOf } from './timeline.ts'

const word = (id: string, start: number, end: number) => ({
  id,
  source: 'a',
  start,
  end,
  text: id,
  confidence: 1,
  origin: 'script' as const,
})
/** Six seconds at 30 frames; from 2 to 3 s something is cut out, with a word in it. */
const recipe: Recipe = {
  ...wholeRecipe([take(6000)], brand),
  words: [word('one', 1000, 1500), word('gone', 2200, 2800), word('two', 4000, 4500)],
  removed: [
    { id: 'r1', source: 'a', start: 2000, end: 3000, reason: 'by-hand', by: 'person', why: 'Cut by hand.', on: true },
  ],
}
const timeline = timelineOf(recipe)

test('things are drawn to cuts, heard words, other layers, playhead and markers', () => {
  expect(snapFrames(recipe, timeline, [77])).toEqual([0, 30, 45, 60, 77, 90, 105, 150])
  const titled = addTitle({ title: 'Ana', line: '' }, { source: 'a', start: 100, end: 3200 })(recipe)
  const { id } = titled.layers[0]!
  expect(snapFrames(titled, timelineOf(titled), [])).toContain(3)
  expect(snapFrames(titled, timelineOf(titled), [], id)).not.toContain(3)
})

test('an end of a passage is drawn to words of its recording, also to one that is cut out', () => {
  const [first, second] = timeline.pieces
  expect(pieceSnapFrames(recipe, first!, [50])).toEqual([30, 45, 50, 66, 84, 120, 135])
  // Before the second passage lies what was cut out between the two.
  expect(pieceSnapFrames(recipe, second!, [])).toEqual([0, 15, 36, 54, 90, 105])
})

test('a drag ends on the nearest target within reach, and elsewhere where the hand is', () => {
  expect(snapBy([30, 45], [20], 8, 3)).toEqual({ by: 10, at: 30 })
  expect(snapBy([30, 45], [20], 6, 3)).toEqual({ by: 6, at: null })
  // Both ends of what is moved are drawn: the nearer one wins.
  expect(snapBy([30, 45], [10, 38], 5, 3)).toEqual({ by: 7, at: 45 })
  const frames = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 20 })
  fc.assert(
    fc.property(frames, frames, fc.integer({ min: -300, max: 300 }), fc.nat(12), (targets, moved, by, within) => {
      const drawn = snapBy(targets, moved, by, within)
      expect(Math.abs(drawn.by - by)).toBeLessThanOrEqual(within)
      if (drawn.at === null) expect(drawn.by).toBe(by)
      else expect(moved.map((frame) => frame + drawn.by)).toContain(drawn.at)
    }),
  )
})
