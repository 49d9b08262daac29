import { expect, it } from 'vitest'
import { usualWeek } from '@clear-to-post/domain/availability'
import { hoursOfWeek } from './week-words.ts'

it('the hours of a week stand in one line, days with the same hours together', () => {
  expect(hoursOfWeek(usualWeek)).toBe('Mon–Fri 09:00–17:00')
  const saturday = { from: '10:00', to: '12:00' }
  expect(hoursOfWeek(usualWeek.with(2, null).with(5, saturday))).toBe(
    'Mon–Tue 09:00–17:00, Thu–Fri 09:00–17:00, Sat 10:00–12:00',
  )
  expect(hoursOfWeek(usualWeek.map(() => null))).toBe('')
})
