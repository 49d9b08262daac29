import { expect, test } from 'vitest'
import { limiter } from './limiter.ts'

const rate = 48_000
const limit = 0.8

/** A tone of so many hertz; how loud it is at a moment says `level`. */
const tone = (hertz: number, seconds: number, level: (at: number) => number) =>
  Float32Array.from({ length: seconds * rate }, (_, i) => level(i / rate) * Math.sin((2 * Math.PI * hertz * i) / rate))

/** Both channels through a limiter, in blocks of an audio worklet, without the samples that it holds back at first. */
const limited = (samples: Float32Array): Float32Array => {
  const { process, delay } = limiter(rate, limit)
  const left = new Float32Array(samples.length + delay)
  left.set(samples)
  const right = left.map((value) => -value / 2)
  for (let at = 0; at < left.length; at += 128) process(left.subarray(at, at + 128), right.subarray(at, at + 128))
  expect(Math.max(...left.map((value, i) => Math.abs(right[i]! + value / 2)))).toBeLessThan(1e-6)
  return left.subarray(delay)
}
const highest = (samples: Float32Array) => samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0)

test('sound under the limit comes out as it went in', () => {
  const quiet = tone(300, 0.3, () => 0.79)
  expect(limited(quiet)).toEqual(quiet)
})

test('no sample is above the limit, however steep a peak is, and what lies far from it is untouched', () => {
  const loud = tone(300, 1, (at) => (at > 0.4 && at < 0.5 ? 3 : 0.5))
  // A single sample in the middle of silence, too.
  loud[200] = -9
  const out = limited(loud)
  expect(highest(out)).toBeLessThanOrEqual(limit + 1e-6)
  expect(highest(out.subarray(0.41 * rate, 0.49 * rate))).toBeGreaterThan(limit * 0.97)
  for (const [from, to] of [
    [0.1, 0.39],
    [0.57, 1],
  ] as const)
    expect(out.subarray(from * rate, to * rate)).toEqual(loud.subarray(from * rate, to * rate))
})
