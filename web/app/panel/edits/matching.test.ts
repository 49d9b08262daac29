import { expect, test } from 'vitest'
import { matching } from './matching.ts'

const named = ['Split the passage here', 'Play or pause', 'Trim the passage to end here', 'Pass over it'].map(
  (label) => ({
    label,
  }),
)
const found = (text: string) => matching(named, text).map(({ label }) => label)

test('commands are found by the beginnings of their words in any order, those that begin so first', () => {
  expect(found('')).toHaveLength(4)
  expect(found('pass')).toEqual(['Pass over it', 'Split the passage here', 'Trim the passage to end here'])
  expect(found('end pass')).toEqual(['Trim the passage to end here'])
  expect(found('ssage')).toEqual([])
  expect(found('  PLAY, ')).toEqual(['Play or pause'])
})
