import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brand, take } from '../test/take.ts'
import { setClipMotion } from './commands/layers.ts'
import { coverEntrance, coversOf, seenIn } from './covers.ts'
import { readRecipe } from './read-recipe.ts'
import { clipMotions, wholeRecipe, type Layer, type Recipe } from './recipe.ts'
import { segmentsOf } from './timeline.ts'
import { movingFrames } from './title-motion.ts'

const fps = { num: 30, den: 1 }
const motions = fc.constantFrom(undefined, ...clipMotions)

/** Clips one after the other, each a window long, some of them without a gap. */
const rows = fc
  .array(fc.record({ gap: fc.constantFrom(0, 0, 1, 40), frames: fc.integer({ min: 1, max: 90 }), motion: motions }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((all) => {
    let at = 0
    return all.map(({ gap, frames, motion }) => {
      const from = at + gap
      at = from + frames
      return { motion, windows: [{ from, to: at }] }
    })
  })

test('B-roll by itself comes and goes, without a motion it cuts, and of two that meet the later one’s way counts', () => {
  const [first, second] = [
    { from: 30, to: 90 },
    { from: 90, to: 150 },
  ] as const
  const [alone, cut] = coversOf(
    [
      { motion: 'fade', windows: [first] },
      { motion: undefined, windows: [{ from: 200, to: 230 }] },
    ],
    fps,
  )
  expect(alone).toEqual([{ whole: first, before: 0, comes: true, goes: true, under: 0 }])
  expect(cut).toMatchObject([{ comes: false, goes: false, under: 0 }])
  const meeting = coversOf(
    [
      { motion: 'fade', windows: [first] },
      { motion: 'wipe', windows: [second] },
    ],
    fps,
  )
  expect(meeting.flat().map(({ comes, goes, under }) => [comes, goes, under])).toEqual([
    [true, false, 12],
    [true, true, 0],
  ])
  const cutAfter = coversOf(
    [
      { motion: 'fade', windows: [first] },
      { motion: undefined, windows: [second] },
    ],
    fps,
  )
  expect(cutAfter.flat().map(({ comes, goes, under }) => [comes, goes, under])).toEqual([
    [true, false, 0],
    [false, false, 0],
  ])
  // One clip that meets itself goes on.
  const [self] = coversOf([{ motion: 'fade', windows: [second, first] }], fps)
  expect(self!.map(({ comes, goes, under }) => [comes, goes, under])).toEqual([
    [false, true, 0],
    [true, false, 0],
  ])
})

test('between clips that meet the picture below is never seen, and elsewhere only where one comes or goes', () => {
  fc.assert(
    fc.property(rows, (clips) => {
      const covers = coversOf(clips, fps)
      const end = clips.at(-1)!.windows[0]!.to
      const starts = new Set(clips.map(({ windows }) => windows[0]!.from))
      const ends = new Set(clips.map(({ windows }) => windows[0]!.to))
      for (let frame = 0; frame < end; frame++) {
        const seen = clips.flatMap((clip, i) => {
          const [cover] = covers[i]!
          const { from, to } = seenIn(cover!)
          return frame >= from && frame < to ? [coverEntrance(clip, cover!, fps, frame)] : []
        })
        const here = clips.find(({ windows: [one] }) => frame >= one!.from && frame < one!.to)
        expect(seen.length > 0).toBe(here !== undefined)
        if (!here) continue
        const [window] = here.windows as [{ from: number; to: number }]
        const { comes, goes } = movingFrames(window, fps)
        const isOnItsWay =
          here.motion !== undefined &&
          ((frame < comes.to && !ends.has(window.from)) || (frame >= goes.from && !starts.has(window.to)))
        expect(
          seen.every((entrance) => entrance !== null),
          `frame ${frame}`,
        ).toBe(isOnItsWay)
      }
    }),
    { numRuns: 200 },
  )
})

const clip = (id: string, start: number, end: number, more: object = {}): Layer => ({
  id,
  kind: 'b-roll',
  assetId: id,
  fromMs: 0,
  focus: { x: 0.5, y: 0.5 },
  span: { source: 'a', start, end },
  on: true,
  ...more,
})

const covered = (...layers: Layer[]): Recipe => ({ ...wholeRecipe([take(10_000)], brand), layers })

test('a clip goes on under the one that fades in after it, in every segment that both are seen in', () => {
  const recipe = covered(clip('b2', 3000, 5000, { motion: 'fade' }), clip('b1', 1000, 3000, { push: 1.2 }))
  for (const longest of [undefined, 30, 91]) {
    const seen = new Map<string, number[]>()
    for (const { at, overlays } of segmentsOf(recipe, { longest }))
      for (const { layer, from, to, shown, of, cover } of overlays) {
        const frames = seen.get(layer) ?? []
        expect([shown, of, cover?.whole.to]).toEqual([frames.length, 60, layer === 'b1' ? 90 : 150])
        seen.set(layer, [...frames, ...Array.from({ length: to - from }, (_, i) => at + from + i)])
      }
    const row = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
    expect(seen.get('b1')).toEqual(row(30, 102))
    expect(seen.get('b2')).toEqual(row(90, 150))
  }
  // One that is switched off meets nobody.
  const off = covered(clip('b1', 1000, 3000), clip('b2', 3000, 5000, { motion: 'fade', on: false }))
  expect(segmentsOf(off).flatMap(({ overlays }) => overlays.map(({ to }) => to))).toEqual([90])
})

test('how B-roll comes is set and taken away again, kept in a document, and bound to what covers all of the picture', () => {
  const recipe = covered(clip('b1', 1000, 3000))
  const fading = setClipMotion('b1', 'fade')(recipe)
  expect(fading.layers[0]).toMatchObject({ motion: 'fade' })
  expect(setClipMotion('b1', 'fade')(fading)).toBe(fading)
  expect(setClipMotion('nobody', 'fade')(fading)).toBe(fading)
  expect(setClipMotion('b1', undefined)(fading)).toEqual(recipe)
  expect(readRecipe(JSON.parse(JSON.stringify(fading))).recipe).toEqual(fading)
  expect(readRecipe(covered(clip('b1', 1000, 3000, { motion: 'rise' }))).problems).toBeDefined()
})
