import { expect, it } from 'vitest'
import { boundsOf, dayAfter, daysOf, periodBefore, stepOf, stepsOf } from './periods.ts'

it('the period before is as many days long and ends the day before', () => {
  expect(periodBefore('2026-03-01', '2026-03-31')).toEqual({ from: '2026-01-29', to: '2026-02-28' })
  expect(periodBefore('2026-11-24', '2026-11-24')).toEqual({ from: '2026-11-23', to: '2026-11-23' })
  expect(daysOf('2026-01-29', '2026-02-28')).toBe(daysOf('2026-03-01', '2026-03-31'))
  expect(dayAfter('2024-02-28', 1)).toBe('2024-02-29')
})

it('steps are days, weeks from Monday, or months, and the first begins with the period', () => {
  expect(stepsOf('2026-11-20', '2026-11-24')).toEqual([
    '2026-11-20',
    '2026-11-21',
    '2026-11-22',
    '2026-11-23',
    '2026-11-24',
  ])
  expect(stepsOf('2026-10-21', '2026-11-24').slice(0, 3)).toEqual(['2026-10-21', '2026-10-26', '2026-11-02'])
  expect(stepsOf('2026-01-15', '2026-12-31').slice(0, 2)).toEqual(['2026-01-15', '2026-02-01'])
  expect(stepOf('2026-01-01', '2026-01-31')).toBe('day')
  for (let days = 1; days <= 366; days++)
    expect(stepsOf('2026-01-02', dayAfter('2026-01-02', days - 1)).length).toBeLessThanOrEqual(31)
})

it('bounds are midnights of the zone, also where its clocks change', () => {
  expect(boundsOf('2026-03-07', '2026-03-09', 'America/New_York').map((at) => at.toISOString())).toEqual([
    '2026-03-07T05:00:00.000Z',
    '2026-03-08T05:00:00.000Z',
    '2026-03-09T04:00:00.000Z',
    '2026-03-10T04:00:00.000Z',
  ])
})
