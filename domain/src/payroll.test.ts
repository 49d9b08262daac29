import { describe, expect, it } from 'vitest'
import { usualWeek, type WorkWeek } from './availability.ts'
import { inHandMs, paidHours, paidMinutes, payOf, type InHand } from './payroll.ts'

const at = (text: string) => new Date(`${text}Z`)
const hour = 3_600_000
const availability = { workWeek: usualWeek, timeOff: [], timeZone: 'UTC' }
// A Monday.
const lap = (startedAt: string, endedAt: string) => ({ startedAt: at(startedAt), endedAt: at(endedAt) })
const december = at('2026-12-01T00:00')
const hours = (...laps: InHand[]) => inHandMs(laps, availability, december) / hour

describe('hours in hand', () => {
  it('count within the editor’s own hours, and all of it where it lies outside of them', () => {
    expect(hours(lap('2026-12-07T16:00', '2026-12-08T10:00'))).toBe(2)
    expect(hours(lap('2026-12-12T10:00', '2026-12-12T13:00'))).toBe(3)
    expect(hours()).toBe(0)
  })
  it('are no more than eight of a day and forty of a week, whatever hours the editor has set', () => {
    const of = (workWeek: WorkWeek, from: string, to: string) =>
      inHandMs([lap(from, to)], { ...availability, workWeek }, december) / hour
    const always = usualWeek.map(() => ({ from: '00:00', to: '23:59' }))
    const minute = usualWeek.map((_, day) => (day === 6 ? { from: '03:00', to: '03:01' } : null))
    const none = usualWeek.map(() => null)
    const week = ['2026-12-07T10:00', '2026-12-11T10:00'] as const
    expect(of(usualWeek, ...week)).toBe(32)
    expect(of(none, ...week)).toBe(32)
    expect(of(minute, ...week)).toBe(32)
    // Each of five days its most.
    expect(of(always, ...week)).toBe(40)
    expect(of(always, '2026-12-07T00:00', '2026-12-21T00:00')).toBe(80)
    // Night work counts as long as it took, up to a day's most.
    expect(of(usualWeek, '2026-12-12T10:00', '2026-12-13T23:00')).toBe(8)
    const off = { ...availability, timeOff: [{ from: '2026-12-01', to: '2026-12-31' }] }
    expect(inHandMs([lap(...week)], off, december) / hour).toBe(8)
    // Several short ones of a day have one most together, by the editor's clocks.
    const nights = [lap('2026-12-07T00:00', '2026-12-07T06:00'), lap('2026-12-07T17:00', '2026-12-07T23:00')]
    expect(hours(...nights)).toBe(8)
    expect(inHandMs(nights, { ...availability, timeZone: 'Pacific/Honolulu' }, december) / hour).toBe(10)
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

it('the pay is that of the minutes and hours as they are shown', () => {
  // 1.2345 minutes are shown as 1.23, and 1.235 as 1.24.
  const pay = (unit: 'minute' | 'hour', lengthMs: number, inHandMs: number) =>
    payOf({ unit, amount: 100_000, currency: 'usd' }, { lengthMs, inHandMs })
  expect([paidMinutes(74_070), pay('minute', 74_070, 0)]).toEqual([1.23, 123_000])
  expect([paidMinutes(74_100), pay('minute', 74_100, 0)]).toEqual([1.24, 124_000])
  expect([paidHours(4_446_000), pay('hour', 0, 4_446_000)]).toEqual([1.24, 124_000])
})
