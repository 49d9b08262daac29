import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brand, take } from '../test/take.ts'
import { captionTrack } from './caption-track.ts'
import { cutStretch } from './commands/cuts.ts'
import { addTitle, setTitle, titlesOf } from './commands/titles.ts'
import { titleMotions, wholeRecipe, type Recipe, type TitleMotion } from './recipe.ts'
import { timelineOf, windowsOf } from './timeline.ts'
import { entranceAt, movingFrames } from './title-motion.ts'

const fps = { num: 30, den: 1 }
const bare = wholeRecipe([take(12_000)], brand)
const titled = addTitle({ title: 'Ana Ray', line: '' }, { source: 'a', start: 1000, end: 4000 })(bare)
const moving = (motion: TitleMotion | undefined): Recipe => setTitle('t1', { motion })(titled)
const statesOf = (recipe: Recipe) => captionTrack(recipe, (text) => text.length * 0.5).states.filter((one) => one.key)

test('a title comes frame by frame, stands, and goes as it came', () => {
  for (const motion of titleMotions) {
    const states = statesOf(moving(motion))
    // Twelve frames in, nine out, and one state in between.
    expect(states).toHaveLength(22)
    expect([states[0]!.from, states.at(-1)!.to]).toEqual([30, 120])
    expect(states[12]).toMatchObject({ from: 42, to: 111 })
    expect(states[12]!.thirds[0]).not.toHaveProperty('entrance')
    expect(new Set(states.slice(0, 13).map(({ key }) => key)).size).toBe(13)
  }
})

test('a title without a motion is painted as it always was', () => {
  const [state, ...more] = statesOf(titled)
  expect(more).toEqual([])
  expect(statesOf(moving('fade'))[12]!.key).toBe(state!.key)
  expect(moving(undefined).layers[0]).not.toHaveProperty('motion')
})

test('a cut under a title, or another title over its middle, does not have it come again', () => {
  const cut = cutStretch(60, 70)(moving('rise'))
  expect(windowsOf(timelineOf(cut), titlesOf(cut)[0]!.span!)).toEqual([{ from: 30, to: 110 }])
  expect(statesOf(cut)).toHaveLength(22)
  const always = {
    ...titlesOf(moving('wipe'))[0]!,
    id: 't9',
    span: { source: 'a', start: 2000, end: 2500 },
    title: 'Hi',
  }
  const parted = { ...moving('fade'), layers: [...moving('fade').layers, { ...always, motion: undefined }] }
  const ways = statesOf(parted as Recipe).filter(({ thirds }) => thirds[0]!.entrance)
  expect(ways).toHaveLength(21)
})

test('in any window of any motion more of a title is seen with each frame it comes, and all of it fits its box', () => {
  const asked = fc.tuple(fc.constantFrom(...titleMotions), fc.nat(100), fc.integer({ min: 1, max: 200 }))
  fc.assert(
    fc.property(asked, ([motion, from, length]) => {
      const window = { from, to: from + length }
      const { comes, goes } = movingFrames(window, fps)
      expect(comes.to).toBeLessThanOrEqual(goes.from)
      let before = -1
      for (let frame = from; frame < window.to; frame++) {
        const entrance = entranceAt(motion, window, fps, frame)
        const isMoving = frame < comes.to || frame >= goes.from
        expect(entrance !== null).toBe(isMoving)
        if (!entrance) continue
        const { opacity, below, size, shown } = entrance
        for (const part of [opacity, size, shown, 1 - below]) {
          expect(part).toBeGreaterThan(0)
          expect(part).toBeLessThanOrEqual(1)
        }
        const seen = opacity * size * shown * (1 - below)
        if (frame < comes.to) expect(seen).toBeGreaterThan(before)
        before = seen
      }
    }),
  )
})
