import { expect, test } from 'vitest'
import { steadyBeat } from './beats.ts'
import { beatsHeard, musicSpan } from './music.ts'

/** Waveforms of 50 slices a second; noise that is the same each time. */
const piece = (seconds: number, hits: (at: number) => number) => {
  let noise = 1
  return Array.from({ length: seconds * 50 }, (_, i) => {
    noise = (noise * 48_271) % 2_147_483_647
    return Math.round(20 + (noise % 12) + hits(i / 50))
  })
}
/** A drum at each beat, a weaker one between, each dying away. */
const drums = (every: number, first: number) => (at: number) => {
  const since = (every_: number) => (((at - first) % every_) + every_) % every_
  return 180 * Math.exp(-since(every) * 12) + 40 * Math.exp(-since(every / 2) * 20)
}

test.each([
  [128, 0.31],
  [92, 0],
  [76.5, 0.6],
  [174, 0.1],
])('the beat of %d a minute is found, to a fortieth of a second at the end of three minutes', (bpm, first) => {
  const every = 60 / bpm
  const beat = steadyBeat(piece(180, drums(every, first)), 50)!
  const away = (ms: number, grid: number) => Math.abs(ms - grid * Math.round(ms / grid))
  expect(Math.abs(beat.everyMs / (every * 1000) - 1)).toBeLessThan(0.001)
  for (const at of [0, 60, 120, 179]) {
    const near = beat.firstMs + beat.everyMs * Math.round((at * 1000 - beat.firstMs) / beat.everyMs)
    expect(away(near - first * 1000, every * 1000), `${at} s`).toBeLessThan(25)
  }
})

test('noise, silence and speech-like sound have no steady beat', () => {
  expect(
    steadyBeat(
      piece(120, () => 0),
      50,
    ),
  ).toBeNull()
  expect(
    steadyBeat(
      Array.from({ length: 3000 }, () => 0),
      50,
    ),
  ).toBeNull()
  let [next, seed] = [0, 7]
  const uneven = (at: number) => {
    if (at >= next) {
      seed = (seed * 48_271) % 2_147_483_647
      next = at + 0.12 + (seed % 1000) / 1800
      return 150
    }
    return 0
  }
  expect(steadyBeat(piece(120, uneven), 50)).toBeNull()
})

test('music that ends on a beat begins less than a beat later, whatever the length of video and piece', () => {
  const beat = { firstMs: 210, everyMs: 468.75 }
  const music = { assetId: 'm', gain: -12, duck: 12, fadeOutMs: 500, fromMs: 4000 }
  for (const video of [8.1, 30, 61.37, 240])
    for (const piece of [90, null, 45.5]) {
      const plain = musicSpan(music, video, piece)
      const { starts, end } = musicSpan({ ...music, beat }, video, piece)
      expect(end).toBe(plain.end)
      const length = piece ?? Infinity
      const later = (starts - plain.starts + (length === Infinity ? 0 : length)) % length
      expect(later).toBeLessThan(2 * 0.46875)
      const ends = (starts + video) % length
      const beats = (ends * 1000 - beat.firstMs) / beat.everyMs
      expect(Math.abs(beats - Math.round(beats)), `${video} of ${piece}`).toBeLessThan(1e-6)
      // So the video's end is where the next beat would be heard.
      const heard = beatsHeard({ ...music, beat }, video, piece)
      expect(heard.every((at) => at >= 0 && at < video)).toBe(true)
      expect(video - heard.at(-1)!).toBeCloseTo(0.46875, 5)
      expect(heard[1]! - heard[0]!).toBeCloseTo(0.46875, 5)
    }
  // A piece that is heard once and ends before the video keeps its own end.
  const once = { ...music, once: true as const }
  expect(musicSpan({ ...once, beat }, 240, 90)).toEqual(musicSpan(once, 240, 90))
})
