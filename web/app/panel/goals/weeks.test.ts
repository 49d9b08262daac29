import { expect, test } from 'vitest'
import { weekFrom, weekWords } from './weeks.ts'

test('the weeks before and after are right, also over the end of a year', () => {
  expect(weekFrom('2026-W47', 1)).toBe('2026-W48')
  expect(weekFrom('2026-W53', 1)).toBe('2027-W01')
  expect(weekFrom('2027-W01', -1)).toBe('2026-W53')
})

test('a week is written as its range of days', () => {
  expect(weekWords('2026-W47').replaceAll(/\s/g, ' ')).toBe('Nov 16 – 22, 2026')
})
