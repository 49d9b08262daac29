import { expect, it } from 'vitest'
import { unseenMeter } from './unseen-pictures.ts'

const missing = (times: readonly (number | undefined)[]) => {
  const meter = unseenMeter()
  for (const at of times) meter.take(at)
  return meter.done()
}

const even = (count: number, perSecond: number, from = 0) =>
  Array.from({ length: count }, (_, i) => Number((from + i / perSecond).toFixed(6)))

it('pictures at an even rate are all shown, held back as far as decoders do, by milliseconds, or half a place late', () => {
  expect(missing(even(300, 30))).toEqual({ at30: 0, at60: 0 })
  expect(missing(even(300, 30, 1 / 60))).toEqual({ at30: 0, at60: 0 })
  expect(missing(even(300, 60))).toEqual({ at30: 148, at60: 0 })
  expect(missing(even(300, 60).map((at) => Number(at.toFixed(3)))).at60).toBe(0)
  const heldBack = even(320, 30).map((_, i, all) => all[16 * Math.floor(i / 16) + 15 - (i % 16)])
  expect(missing(heldBack)).toEqual({ at30: 0, at60: 0 })
})

it('pictures that share a moment, have no time, stand before the beginning or hours behind it are missing', () => {
  expect(missing(even(300, 120)).at60).toBe(148)
  expect(missing([0, 0.1, undefined, NaN, -1, 1e12])).toEqual({ at30: 4, at60: 4 })
})

it('pictures that come out of turn are missing, though each has a moment of its own', () => {
  const late = [...even(30, 30), ...even(75, 30, 3.5), ...even(75, 30, 1)]
  expect(missing(late).at60).toBeGreaterThan(50)
})
