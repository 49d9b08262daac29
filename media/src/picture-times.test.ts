import { describe, expect, it } from 'vitest'
import { unseenMeter } from './unseen-pictures.ts'

/** As ffprobe tells the times of a file whose clock has so many ticks a second: in millionths. */
const told = (seconds: number, unit: number) => Math.round((1e6 * Math.round(seconds * unit)) / unit) / 1e6

const missing = (times: readonly number[]) => {
  const meter = unseenMeter()
  for (const at of times) meter.take(at)
  return meter.done()
}

/** The same numbers on every machine, from 0 to 1. */
function rolls(seed: number) {
  let state = seed
  return () => (state = (state * 48271) % 2147483647) / 2147483647
}

const rates = [24000 / 1001, 24, 25, 30000 / 1001, 30, 50, 60000 / 1001, 60]
const units = [600, 1000, 12800, 15360, 30000, 48000, 90000]
const even = (rate: number, unit: number, seconds: number, from = 0) =>
  Array.from({ length: Math.floor(seconds * rate) }, (_, i) => told(from + i / rate, unit))

/** As screen recorders and phones write: some pictures left out, the others up to so many seconds beside their turn. */
const uneven = (rate: number, unit: number, seconds: number, from: number, loose: number) => {
  const roll = rolls(1 + Math.round(1e5 * from) + unit)
  return Array.from({ length: Math.floor(seconds * rate) }, (_, i) => i / rate + loose * (2 * roll() - 1))
    .filter(() => roll() < 0.7)
    .map((at) => told(Math.max(0, from + at), unit))
}

/** Every millisecond within a sixtieth of a second, and what lies in the middle of two places. */
const beginnings = [...Array.from({ length: 17 }, (_, ms) => ms / 1000), 1 / 120, 1 / 60]

describe.each(rates)('a cut of %d pictures a second', (rate) => {
  it('lacks no picture in its copy, in each unit of time and from each beginning', () => {
    for (const unit of units)
      for (const from of beginnings) {
        const { at30, at60 } = missing(even(rate, unit, 3, from))
        expect(at60, `1/${unit} from ${from}`).toBe(0)
        if (rate <= 30) expect(at30, `1/${unit} from ${from}, in a copy of 30`).toBe(0)
        expect(missing(uneven(rate, unit, 3, from, 0.004)).at60, `uneven, 1/${unit} from ${from}`).toBe(0)
      }
  })

  it('lacks none in two minutes of milliseconds, in which 59.94 passes a sixtieth seven times', () => {
    expect(missing(even(rate, 1000, 120)).at60).toBe(0)
  })

  it('lacks none in ten minutes', { tags: 'long' }, () => {
    for (const unit of [1000, 15360, 90000])
      for (const from of [0, 0.008, 0.0125]) {
        expect(missing(even(rate, unit, 600, from)).at60, `1/${unit} from ${from}`).toBe(0)
        expect(missing(uneven(rate, unit, 600, from, 0.004)).at60, `uneven, 1/${unit} from ${from}`).toBe(0)
      }
  })

  it('lacks what stands beside its pictures for two seconds, wherever that is, but what finds a free place', () => {
    for (const unit of [1000, 15360, 90000])
      for (const where of [0, 1.5, 30, 58]) {
        // Three more of each picture: one may find a place of its own where the film has less than 60 a second.
        const times = even(rate, unit, 60).flatMap((at) =>
          at >= where && at < where + 2 ? [at, at, at + 0.0002, at + 0.001] : [at],
        )
        const pictures = times.filter((at) => at >= where && at < where + 2).length
        expect(missing(times).at60, `1/${unit} at ${where}`).toBeGreaterThanOrEqual(pictures - 123)
        expect(missing(times).at60, `1/${unit} at ${where}`).toBeGreaterThan(60)
      }
  })
})
