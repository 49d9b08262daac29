import { describe, expect, it } from 'vitest'
import { austen, kennedy } from '../../speech/test/samples.ts'
import { voiceCleaner, type CleanStep } from './clean-voice.ts'

const rate = 16_000
const voices = { austen, kennedy }

/** As it comes out, in step with what went in: the room is known, as in the render. */
const cleaned = (samples: Float32Array, steps?: CleanStep[]): Float32Array => {
  const cleaner = voiceCleaner(rate, steps)
  cleaner.learn(samples.slice(0, 3 * rate), samples.slice(0, 3 * rate))
  const left = new Float32Array(samples.length + cleaner.delay)
  left.set(samples)
  cleaner.process(left, left.slice())
  return left.slice(cleaner.delay)
}
const voiceOf = ({ samples }: { samples: Int16Array }) => Float32Array.from(samples, (one) => one / 32_768)
/** Steady noise, louder at the low end as in a room; the same every time. */
const noiseLike = (samples: Float32Array, db: number) => {
  let [seed, last] = [1, 0]
  return Float32Array.from(samples, () => {
    seed = (seed * 1664525 + 1013904223) >>> 0
    last = 0.7 * last + seed / 2 ** 32 - 0.5
    return last * 10 ** (db / 20)
  })
}
const sum = (one: Float32Array, other: Float32Array, by = 1) => one.map((value, i) => value + by * other[i]!)
/** Power of each fiftieth of a second, dB. */
const levels = (samples: Float32Array) =>
  Array.from({ length: Math.floor(samples.length / 320) }, (_, at) => {
    const power = samples.subarray(320 * at, 320 * at + 320).reduce((all, one) => all + one * one, 0) / 320
    return 10 * Math.log10(power + 1e-12)
  })
const at = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))]!
const loudest = (samples: Float32Array, from: number, to: number) => Math.max(...levels(samples).slice(from, to))

describe.each(Object.entries(voices))('the voice of %s in a noisy room', (_, voice) => {
  // The recording's own noise goes first, so that what is left is the voice alone.
  const alone = cleaned(cleaned(voiceOf(voice), ['rumble', 'noise']), ['noise'])
  const noise = noiseLike(alone, -32)
  const heard = sum(alone, noise)

  it('has at least ten decibels less noise between the words, and is as loud as it was', () => {
    const [before, after] = [levels(heard), levels(cleaned(heard, ['noise']))]
    expect(at(before, 0.1) - at(after, 0.1)).toBeGreaterThan(10)
    expect(Math.abs(at(before, 0.95) - at(after, 0.95))).toBeLessThan(0.6)
  })

  it('differs from the voice alone by less than the noise did: what is added is below what is taken away', () => {
    const [was, is] = [levels(noise), levels(sum(cleaned(heard, ['noise']), alone, -1))]
    const worse = is.map((one, i) => one - was[i]!)
    expect(at(worse, 0.5)).toBeLessThan(-2)
    expect(at(worse, 0.95)).toBeLessThan(1)
  })

  it('is evener with all of its steps: the loudest moments go down, the rest stays', () => {
    const [before, after] = [levels(heard), levels(cleaned(heard))]
    expect(at(before, 0.99) - at(after, 0.99)).toBeGreaterThan(1.5)
    expect(at(before, 0.99) - at(after, 0.99)).toBeLessThan(7)
    expect(at(before, 0.6) - at(after, 0.6)).toBeLessThan(at(before, 0.99) - at(after, 0.99))
  })
})

describe('single sounds', () => {
  const tone = (hz: number, volume: number) =>
    Float32Array.from({ length: 2 * rate }, (_, i) => volume * Math.sin((2 * Math.PI * hz * i) / rate))

  it('a rumble is gone, and a voice’s low end is not', () => {
    const lost = (hz: number) => loudest(tone(hz, 0.3), 40, 90) - loudest(cleaned(tone(hz, 0.3), ['rumble']), 40, 90)
    expect(lost(30)).toBeGreaterThan(15)
    expect(lost(160)).toBeLessThan(0.6)
  })

  it('a sharp s is lower by two to six decibels, and a vowel is as it was', () => {
    // Heard for 0.2 s in each half second, for a sound that never ends is the room's.
    const said = (hz: number) => tone(hz, 0.3).map((value, i) => (i % 8000 < 3200 ? value : 0))
    const lost = (hz: number) => at(levels(said(hz)), 0.8) - at(levels(cleaned(said(hz), ['sharpness'])), 0.8)
    expect(lost(6500)).toBeGreaterThan(2)
    expect(lost(6500)).toBeLessThan(6.1)
    expect(Math.abs(lost(500))).toBeLessThan(0.1)
  })

  it('no step changes nothing, to the sample and in its place', () => {
    const voice = voiceOf(kennedy)
    const same = cleaned(voice, [])
    expect(at(levels(sum(same, voice, -1)).slice(3), 1)).toBeLessThan(-90)
  })

  it('silence stays silence', () => {
    expect(cleaned(new Float32Array(rate)).every((one) => one === 0)).toBe(true)
  })
})
