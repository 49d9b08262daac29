import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayIn, daysOfIsoWeek, isIsoWeek, isoWeekIn, isoWeekOf, isTimeZone, monthIn, startOfMonth } from './calendar.ts'

const zones = [
  'America/New_York',
  'America/Los_Angeles',
  'Pacific/Honolulu',
  'Pacific/Kiritimati',
  'Asia/Kolkata',
  'UTC',
  'America/Sao_Paulo',
]

it('a month begins exactly once, at its first instant', () => {
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

it('days and weeks are those of the zone', () => {
  const at = new Date('2026-11-01T04:30:00Z')
  expect(dayIn(at, 'America/New_York')).toBe('2026-11-01')
  expect(dayIn(at, 'America/Los_Angeles')).toBe('2026-10-31')
  expect(isoWeekIn(new Date('2027-01-01T12:00:00Z'), 'UTC')).toBe('2026-W53')
  expect(isoWeekOf('2024-12-30')).toBe('2025-W01')
})

it('a week’s seven days are in that week', () => {
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

it('knows time zones from nonsense', () => {
  expect(isTimeZone('America/Denver')).toBe(true)
  expect(isTimeZone('Mars/Olympus')).toBe(false)
})

it('a year has 52 weeks or 53', () => {
  expect(['2026-W53', '2026-W01', '2027-W52', '2020-W53'].filter((week) => !isIsoWeek(week))).toEqual([])
  expect(['2027-W53', '2026-W00', '0000-W01', '2026-W54', 'x'].filter(isIsoWeek)).toEqual([])
})
