import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import {
  dayIn,
  daysOfIsoWeek,
  instantAt,
  sameTimeOn,
  timeIn,
  isIsoWeek,
  isoWeekIn,
  isoWeekOf,
  isTimeZone,
  minuteIn,
  monthAfter,
  monthIn,
  monthPattern,
  startOfMonth,
} from './calendar.ts'

const zones = [
  'America/New_York',
  'America/Los_Angeles',
  'Pacific/Honolulu',
  'Pacific/Kiritimati',
  'Asia/Kolkata',
  'UTC',
  'America/Sao_Paulo',
]

it('startOfMonth is the first instant of its month in every zone', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 2020, max: 2035 }),
      fc.integer({ min: 1, max: 12 }),
      (zone, year, month) => {
        const name = `${year}-${String(month).padStart(2, '0')}`
        const start = startOfMonth(name, zone)
        expect(monthIn(start, zone)).toBe(name)
        expect(monthIn(new Date(start.getTime() - 1), zone)).not.toBe(name)
      },
    ),
  )
})

it('dayIn and isoWeekIn answer for the given time zone', () => {
  const at = new Date('2026-11-01T04:30:00Z')
  expect(dayIn(at, 'America/New_York')).toBe('2026-11-01')
  expect(dayIn(at, 'America/Los_Angeles')).toBe('2026-10-31')
  expect(isoWeekIn(new Date('2027-01-01T12:00:00Z'), 'UTC')).toBe('2026-W53')
  expect(isoWeekOf('2024-12-30')).toBe('2025-W01')
})

it('all seven days that daysOfIsoWeek lists lie in that week', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }), (at) => {
      const week = isoWeekIn(at, 'UTC')
      const days = daysOfIsoWeek(week)
      expect(days).toHaveLength(7)
      expect(days.every((day) => isoWeekOf(day) === week)).toBe(true)
      expect(days).toContain(dayIn(at, 'UTC'))
    }),
  )
})

it('isTimeZone accepts real time zones and refuses invented ones', () => {
  expect(isTimeZone('America/Denver')).toBe(true)
  expect(isTimeZone('Mars/Olympus')).toBe(false)
})

it('a time zone is read once, however its name is spelt, and a refused name not at all', async () => {
  // Whatever another test in this process has read before is unknown to a module of its own.
  expect(isTimeZone('Asia/Pyongyang')).toBe(true)
  vi.resetModules()
  const { isTimeZone: isZone } = await import('./calendar.ts')
  const reading = vi.spyOn(Intl, 'DateTimeFormat')
  try {
    const spellings = [...'abcdefghij'].map((_, i) =>
      [...'asia/pyongyang'].map((c, at) => (at === i ? c.toUpperCase() : c)),
    )
    for (const spelling of spellings) expect(isZone(spelling.join(''))).toBe(true)
    for (const offset of ['+05:00', '-03:30', '+00:01']) expect(isZone(offset)).toBe(false)
    expect(reading.mock.calls.length).toBe(1)
  } finally {
    reading.mockRestore()
  }
})

it('isIsoWeek accepts week 53 only in years that have one', () => {
  expect(['2026-W53', '2026-W01', '2027-W52', '2020-W53'].filter((week) => !isIsoWeek(week))).toEqual([])
  expect(['2027-W53', '2026-W00', '0000-W01', '2026-W54', 'x'].filter(isIsoWeek)).toEqual([])
})

it('the same time on another day is what the clocks show, also across a change of the clocks and in a missing hour', () => {
  const moved = (at: string, day: string) => sameTimeOn(day, new Date(at), 'America/Chicago').toISOString()
  // 9 in the morning before and after the clocks go forward on 8 March 2026, and back on 1 November.
  expect(moved('2026-03-06T15:00:00.000Z', '2026-03-09')).toBe('2026-03-09T14:00:00.000Z')
  expect(moved('2026-10-30T14:00:00.000Z', '2026-11-02')).toBe('2026-11-02T15:00:00.000Z')
  expect(moved('2026-03-06T08:30:00.000Z', '2026-03-08')).toBe('2026-03-08T08:30:00.000Z')
  expect(timeIn(new Date('2026-03-08T08:30:00Z'), 'America/Chicago')).toBe('03:30')
})

it('instantAt is right on the days on which the clocks change: a missing hour moves on, a double one is the first', () => {
  const shown = (day: string, time: string) => instantAt(day, time, 'America/New_York').toISOString().slice(0, 16)
  expect(shown('2026-06-15', '12:00')).toBe('2026-06-15T16:00')
  // Before and behind the hour that is missing, and in it: as much later as the clocks jump.
  expect(shown('2027-03-13', '12:00')).toBe('2027-03-13T17:00')
  expect(shown('2027-03-14', '00:30')).toBe('2027-03-14T05:30')
  expect(shown('2027-03-14', '02:30')).toBe('2027-03-14T07:30')
  expect(shown('2027-03-14', '03:30')).toBe('2027-03-14T07:30')
  expect(shown('2027-03-14', '12:00')).toBe('2027-03-14T16:00')
  // Before and behind the hour that comes twice, and in it: the first one.
  expect(shown('2027-11-06', '23:00')).toBe('2027-11-07T03:00')
  expect(shown('2027-11-07', '00:30')).toBe('2027-11-07T04:30')
  expect(shown('2027-11-07', '01:30')).toBe('2027-11-07T05:30')
  expect(shown('2027-11-07', '12:00')).toBe('2027-11-07T17:00')
  expect(minuteIn(new Date('2026-06-15T16:05:00Z'), 'America/New_York')).toBe(12 * 60 + 5)
})

it('startOfMonth is right where the clocks change on the first day of the month', () =>
  expect(startOfMonth('2028-10', 'Australia/Sydney').toISOString()).toBe('2028-09-30T14:00:00.000Z'))

it('monthAfter counts over the end of a year, and monthPattern takes four-digit years and two-digit months only', () => {
  expect([monthAfter('2026-11', 3), monthAfter('2026-01', 0), monthAfter('2026-12', 12)]).toEqual([
    '2027-02',
    '2026-01',
    '2027-12',
  ])
  for (const month of ['2026-01', '2026-09', '2026-10', '2026-12']) expect(month).toMatch(monthPattern)
  for (const none of ['2026-00', '2026-13', 'x2026-01', '2026-011', '6-01', 'year-01', '2026-0x'])
    expect(none).not.toMatch(monthPattern)
})

it('isIsoWeek begins with 1970, and isTimeZone takes names of places and no offsets', () => {
  expect(['1970-W01', '1969-W10', 'x2026-W10', '2026-W105', '2026-W10x', '2026-W54'].map(isIsoWeek)).toEqual([
    true,
    ...Array.from({ length: 5 }, () => false),
  ])
  expect(['America/Port-au-Prince', 'Etc/GMT+5', '+05:00', '-05:00'].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
