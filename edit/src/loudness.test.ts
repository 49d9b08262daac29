import { expect, it } from 'vitest'
import { brand, take } from '../test/take.ts'
import { levelsOf, musicLoudness, playedLoudness, voiceLoudness, type Loud } from './loudness.ts'
import { wholeRecipe } from './recipe.ts'
import { timelineOf } from './timeline.ts'

/** Ten numbers a second: so many seconds of each loudness. */
const loud = (...parts: [seconds: number, lufs: number][]): Loud => ({
  first: 0.05,
  perSecond: 10,
  lufs: parts.flatMap(([seconds, lufs]) => Array.from({ length: seconds * 10 }, () => lufs)),
})

const kept = (...keep: [start: number, end: number, gain?: number][]) => {
  const recipe = wholeRecipe([take(60_000)], brand)
  return {
    ...recipe,
    keep: keep.map(([start, end, gain], i) => ({
      id: `k${i}`,
      source: 'a',
      start,
      end,
      ...(gain === undefined ? {} : { gain }),
    })),
  }
}

const voice = (recipe: ReturnType<typeof kept>, heard: Loud) =>
  voiceLoudness(recipe, timelineOf(recipe), new Map([['a', heard]]))

it('the voice is as loud as what is kept of it, and neither silence nor a room between words counts', () => {
  const heard = loud([10, -20], [10, -70], [10, -45], [10, -30])
  expect(voice(kept([0, 10_000]), heard)).toBeCloseTo(-20, 6)
  expect(voice(kept([0, 30_000]), heard)).toBeCloseTo(-20, 6)
  expect(voice(kept([30_000, 40_000]), heard)).toBeCloseTo(-30, 6)
  expect(voice(kept([10_000, 20_000]), heard)).toBe(-70)
})

it('a passage counts with its gain, and one whose loudness nobody knows leaves the whole unknown', () => {
  const heard = loud([10, -20], [10, -30])
  expect(voice(kept([0, 10_000, -6]), heard)).toBeCloseTo(-26, 6)
  expect(voice(kept([0, 10_000], [10_000, 20_000, 10]), heard)).toBeCloseTo(-20, 6)
  const recipe = kept([0, 10_000])
  expect(voiceLoudness(recipe, timelineOf(recipe), new Map())).toBeNull()
})

it('loudness counts what a fade takes of a voice', () => {
  const heard = loud([4, -20])
  const { keep, ...rest } = kept([0, 4000])
  const faded = (fades: { fadeInMs?: number; fadeOutMs?: number }) =>
    voice({ ...rest, keep: keep.map((one) => ({ ...one, ...fades })) }, heard)
  expect(faded({})).toBeCloseTo(-20, 6)
  // All of it comes up: what is under a third of the level is more than 10 dB under the rest and does not count.
  const part = (at: number) => at * at
  const moments = Array.from({ length: 40 }, (_, n) => part((0.05 + n / 10) / 4))
  const mean = (all: number[]) => all.reduce((sum, one) => sum + one, 0) / all.length
  const counted = moments.filter((one) => one > mean(moments) / 10)
  expect(faded({ fadeInMs: 4000 })).toBeCloseTo(-20 + 10 * Math.log10(mean(counted)), 6)
  expect(faded({ fadeOutMs: 4000 })).toBeCloseTo(-20 + 10 * Math.log10(mean(counted)), 1)
})

it('music counts from where it begins to its end, and again as often as it is played', () => {
  const heard = loud([2, -10], [2, -18])
  const music = { assetId: 'm', gain: -20, duck: 0, fadeOutMs: 0 }
  expect(musicLoudness(music, heard, { video: 2, piece: 4 })).toBeCloseTo(-10, 6)
  expect(musicLoudness({ ...music, fromMs: 2000 }, heard, { video: 2, piece: 4 })).toBeCloseTo(-18, 6)
  const both = 10 * Math.log10((10 ** -1 + 10 ** -1.8) / 2)
  expect(musicLoudness({ ...music, fromMs: 2000 }, heard, { video: 8, piece: 4 })).toBeCloseTo(both, 6)
  expect(musicLoudness({ ...music, fromMs: 2000, once: true }, heard, { video: 8, piece: 4 })).toBeCloseTo(-18, 6)
})

it('music that is too short to be measured, or silent, is as loud as most music would be, and no blast', () => {
  const heard = loud([4, -9])
  expect(playedLoudness(heard, 1, 0.4, 4)).toBeCloseTo(-9, 6)
  expect(playedLoudness(heard, 1, 0.3, 4)).toBe(-70)
  expect(levelsOf({ loudness: -14, gain: -18 }, -23, -70).music).toBe(-18)
  expect(levelsOf({ loudness: null, gain: -10 }, -23, -70).music).toBe(4)
})

it('the voice comes to the loudness asked for and the music to its own beside it, but noise is left as it is', () => {
  expect(levelsOf({ loudness: -14, gain: -18 }, -23, -9)).toEqual({ voice: 9, music: -23 })
  expect(levelsOf({ loudness: null, gain: -18 }, -23, -9)).toEqual({ voice: 0, music: -9 })
  expect(levelsOf({ loudness: -14, gain: -18 }, -60, -9).voice).toBe(0)
  expect(levelsOf({ loudness: -14, gain: -18 }, -23, -65).music).toBe(30)
})
