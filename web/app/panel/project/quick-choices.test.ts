import { expect, it } from 'vitest'
import { quickChoices } from './quick-choices.ts'

it('no two of the quick times of a day are the same, whatever weekday it is', () => {
  // A week from a Sunday on.
  const days = Array.from({ length: 7 }, (_, at) => `2026-11-${22 + at}`)
  expect(days.map((day) => quickChoices(day).map(({ days: ahead }) => ahead))).toEqual([
    [1, 7],
    [1, 7],
    [1, 6, 7],
    [1, 5, 7],
    [1, 4, 7],
    [1, 3, 7],
    [1, 2, 7],
  ])
})
