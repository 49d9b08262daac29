import { describe, expect, it } from 'vitest'
import { usualWeek } from './availability.ts'
import { inHandMs, payOf } from './payroll.ts'

const at = (text: string) => new Date(`${text}Z`)
const hour = 3_600_000
const availability = { workWeek: usualWeek, timeOff: [], timeZone: 'UTC' }
// A Monday.
const lap = (startedAt: string, sentAt: string) => ({ startedAt: at(startedAt), sentAt: at(sentAt) })
const december = at('2026-12-01T00:00')
const hours = (...laps: { startedAt: Date; sentAt: Date }[]) => inHandMs(laps, availability, december) / hour

describe('hours in hand', () => {
  it('count within the editor’s own hours, and all of it where it lies outside of them', () => {
    expect(hours(lap('2026-12-07T16:00', '2026-12-08T10:00'))).toBe(2)
    expect(hours(lap('2026-12-12T10:00', '2026-12-12T13:00'))).toBe(3)
    expect(hours()).toBe(0)
  })
  it('of two videos in hand at the same time count once', () => {
    expect(hours(lap('2026-12-07T09:00', '2026-12-07T12:00'), lap('2026-12-07T10:00', '2026-12-07T13:00'))).toBe(4)
    expect(hours(lap('2026-12-07T09:00', '2026-12-07T15:00'), lap('2026-12-07T10:00', '2026-12-07T11:00'))).toBe(6)
  })
  it('that an earlier month counted count in no later one', () => {
    const earlier = lap('2026-11-30T09:00', '2026-11-30T17:00')
    expect(hours(earlier, lap('2026-11-30T13:00', '2026-12-01T10:00'))).toBe(1)
    // Sent in December, all of it is December's.
    expect(hours(lap('2026-11-30T13:00', '2026-12-01T10:00'))).toBe(5)
  })
})

it('pay is the rate for each minute or hour to the nearest cent, a half up', () => {
  const figures = { lengthMs: 90_000, inHandMs: 1.5 * hour }
  expect(payOf({ unit: 'minute', amount: 300, currency: 'usd' }, figures)).toBe(450)
  expect(payOf({ unit: 'minute', amount: 301, currency: 'usd' }, figures)).toBe(452)
  expect(payOf({ unit: 'hour', amount: 4_000, currency: 'usd' }, figures)).toBe(6_000)
  expect(payOf({ unit: 'hour', amount: 4_000, currency: 'usd' }, { lengthMs: 0, inHandMs: 0 })).toBe(0)
})
