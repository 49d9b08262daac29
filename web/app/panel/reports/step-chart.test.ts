import { expect, it } from 'vitest'
import { daysOfPeriod, periods, readReportsSearch } from './search.ts'
import { ticksTo } from './step-chart.tsx'

it('a scale begins at 0, ends at or above the greatest value, and has up to six round values', () => {
  expect(ticksTo(1)).toEqual([0, 0.25, 0.5, 0.75, 1])
  expect(ticksTo(1, 1)).toEqual([0, 1])
  expect(ticksTo(5, 1)).toEqual([0, 2, 4, 6])
  expect(ticksTo(30)).toEqual([0, 10, 20, 30])
  for (let most = 1; most < 5000; most += 7) {
    const ticks = ticksTo(most, 1)
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(most)
    expect(ticks.length).toBeLessThanOrEqual(6)
    expect(ticks.every(Number.isInteger)).toBe(true)
  }
})

it('a period is whole days up to today in the viewer’s zone, or a month of the calendar', () => {
  const now = new Date('2026-03-01T03:00:00Z')
  const of = (period: (typeof periods)[number]) => daysOfPeriod(period, now, 'America/Chicago')
  expect(of('week')).toEqual({ from: '2026-02-22', to: '2026-02-28' })
  expect(of('this-month')).toEqual({ from: '2026-02-01', to: '2026-02-28' })
  expect(of('last-month')).toEqual({ from: '2026-01-01', to: '2026-01-31' })
  expect(of('year')).toEqual({ from: '2025-03-01', to: '2026-02-28' })
  expect(readReportsSearch({ period: 'century', editor: 'x', by: 'lost' })).toEqual({ by: 'lost' })
})
