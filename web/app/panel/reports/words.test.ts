import { expect, test } from 'vitest'
import { saysWhenClear } from './words.ts'

const open = { open: 4, editors: 0, usual: 0, away: 0, reason: 'no-editor' as const }

test('a company without editors of its own is told of no missing editor, and who runs the service is', () => {
  expect(saysWhenClear(open, 'harbor')).toBe(false)
  expect(saysWhenClear(open, null)).toBe(true)
  expect(saysWhenClear({ ...open, editors: 1 }, 'harbor')).toBe(true)
  expect(saysWhenClear({ ...open, open: 0, reason: 'nothing-open' }, 'harbor')).toBe(true)
  expect(saysWhenClear(undefined, null)).toBe(false)
})
