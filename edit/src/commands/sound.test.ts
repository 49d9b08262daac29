import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brand, take } from '../../test/take.ts'
import { musicFade, musicSpan } from '../music.ts'
import { readRecipe } from '../read-recipe.ts'
import { wholeRecipe, type Recipe } from '../recipe.ts'
import { timelineOf } from '../timeline.ts'
import { chooseMusic, endOnBeat, setMusic, setMusicOnce } from './ending.ts'
import { voiceFades } from '../voice-fades.ts'
import { differenceOf } from '../difference.ts'
import { addGain, gainOf, setClean, setFade, setGain } from './sound.ts'
import { splitAt } from './trims.ts'

const source = take(20_000, { id: 's1', assetId: 'a1' })
const whole = wholeRecipe([source], brand)
const taken = { source: 's1', reason: 'silence', by: 'rule', why: 'Silence.', on: true } as const
/** Four passages in one keep, the third one fading into the fourth. */
const recipe: Recipe = {
  ...whole,
  removed: [2000, 7000, 12_000].map((start, i) => ({ ...taken, id: `r${i}`, start, end: start + 1000 })),
  joints: [{ id: 'j1', source: 's1', at: 12_500, kind: 'crossfade', lengthMs: 300 }],
}
const seen = (one: Recipe) => timelineOf(one).pieces.map(({ from, to, at, fadeIn }) => [from, to, at, fadeIn])
const gains = (one: Recipe) => timelineOf(one).pieces.map((piece) => gainOf(one, piece))

test('a gain changes its passage alone, and nothing of what is seen', () => {
  const next = setGain([1], 4)(recipe)
  expect(gains(next)).toEqual([0, 4, 0, 0])
  expect(readRecipe(next).problems).toBeUndefined()
  expect(seen(next)).toEqual(seen(recipe))
})

test('any gains on any passages keep the timeline and land where they were set', () => {
  const places = fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1 })
  fc.assert(
    fc.property(fc.array(fc.tuple(places, fc.integer({ min: -30, max: 20 })), { maxLength: 6 }), (steps) => {
      const wanted = [0, 0, 0, 0]
      let next = recipe
      for (const [indexes, db] of steps) {
        next = setGain(indexes, db)(next)
        for (const index of indexes) wanted[index] = Math.max(-24, Math.min(12, db))
      }
      expect(gains(next)).toEqual(wanted)
      expect(timelineOf(next).frames).toBe(timelineOf(recipe).frames)
      expect(seen(next)).toEqual(seen(recipe))
      expect(readRecipe(next).problems).toBeUndefined()
    }),
    { numRuns: 60 },
  )
})

test('several passages go up together, each from where it is; the same gain again changes nothing', () => {
  const next = addGain([0, 1], 2)(setGain([1], 3)(recipe))
  expect(gains(next)).toEqual([2, 5, 0, 0])
  expect(setGain([1], 5)(next)).toBe(next)
  expect(setGain([9], 5)(next)).toBe(next)
})

test('fades of the voice stay at the ends of their passage, and are never longer than it', () => {
  const fades = (one: Recipe) => voiceFades(one, timelineOf(one)).map(({ fadeIn, fadeOut }) => [fadeIn, fadeOut])
  const edges = fc.constantFrom('fadeInMs' as const, 'fadeOutMs' as const)
  const step = fc.tuple(fc.integer({ min: 0, max: 3 }), edges, fc.integer({ min: -100, max: 12_000 }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
      const lengths = timelineOf(recipe).pieces.map(({ from, to }) => (to - from) / 30)
      const wanted = lengths.map(() => [0, 0])
      let next = recipe
      for (const [index, edge, ms] of steps) {
        next = setFade([index], edge, ms)(next)
        wanted[index]![edge === 'fadeInMs' ? 0 : 1] = Math.min(
          lengths[index]!,
          Math.max(0, Math.min(10_000, ms)) / 1000,
        )
      }
      expect(fades(next)).toEqual(wanted)
      expect(seen(next)).toEqual(seen(recipe))
      expect(readRecipe(next).recipe).toEqual(next)
    }),
    { numRuns: 60 },
  )
  const one = setFade([0], 'fadeOutMs', 500)(setFade([0], 'fadeInMs', 400)(recipe))
  expect(fades(splitAt(30)(one)).slice(0, 3)).toEqual([
    [0.4, 0],
    [0, 0.5],
    [0, 0],
  ])
  expect(setFade([0], 'fadeInMs', 400)(one)).toBe(one)
  expect(setFade([0], 'fadeInMs', 0)(setFade([0], 'fadeInMs', 400)(setGain([0], 1)(recipe)))).toEqual(
    setGain([0], 1)(recipe),
  )
  expect(differenceOf(recipe, one)).toContain('Voices fade in or out otherwise than before.')
})

test('a recipe from before reads as it was, and the switch back leaves it so', () => {
  expect(readRecipe(recipe).recipe).toEqual(recipe)
  expect(setClean(false)(setClean(true)(recipe))).toEqual(recipe)
  expect(setClean(false)(recipe)).toBe(recipe)
  expect(readRecipe(setClean(true)(recipe)).recipe?.sound.clean).toBe(true)
})

test('music that ends on a beat keeps it until another piece is chosen', () => {
  const beat = { firstMs: 210, everyMs: 468.75 }
  const withMusic = chooseMusic('m')(recipe)
  const ending = endOnBeat(beat)(withMusic)
  expect(readRecipe(ending).recipe?.sound.music).toEqual({ ...withMusic.sound.music, beat })
  expect(endOnBeat({ ...beat })(ending)).toBe(ending)
  expect(endOnBeat(null)(ending)).toEqual(withMusic)
  expect(chooseMusic('other')(ending).sound.music).not.toHaveProperty('beat')
  expect(endOnBeat(beat)(recipe)).toBe(recipe)
})

test('music begins where it is told, fades in and out, and ends with itself where it is heard once', () => {
  const music = { assetId: 'm', gain: -12, duck: 12, fadeOutMs: 2000 }
  const withMusic = { ...recipe, sound: { ...recipe.sound, music } }
  const set = setMusicOnce(true)(setMusic({ fadeInMs: 9000, fromMs: 4000.4 })(withMusic)).sound.music!
  expect(set).toEqual({ ...music, fadeInMs: 5000, fromMs: 4000, once: true })
  expect(setMusicOnce(false)(setMusicOnce(true)(withMusic))).toEqual(withMusic)
  expect(musicSpan(set, 30, 20)).toEqual({ starts: 4, end: 16 })
  expect(musicSpan(set, 10, 20)).toEqual({ starts: 4, end: 10 })
  expect(musicSpan(music, 30, 20)).toEqual({ starts: 0, end: 30 })
  expect(musicSpan({ ...music, fromMs: 45_000 }, 30, 20)).toEqual({ starts: 5, end: 30 })
  expect([0, 2.5, 5, 15, 16, 20].map((seconds) => musicFade(set, seconds, 16))).toEqual([0, 0.5, 1, 0.5, 0, 0])
  expect([0, 15].map((seconds) => musicFade(music, seconds, 16))).toEqual([1, 0.5])
})
