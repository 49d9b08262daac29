import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutText } from './cut-text.ts'

it('a text is cut before a character that does not fit, and never through it', () => {
  expect([cutText('ab😀c', 2), cutText('ab😀c', 3), cutText('ab😀c', 4), cutText('ab', 9)]).toEqual([
    'ab',
    'ab',
    'ab😀',
    'ab',
  ])
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, most) => {
      const cut = cutText(text, most)
      expect(text.startsWith(cut)).toBe(true)
      expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, most) - 1)
      expect(cut.length).toBeLessThanOrEqual(most)
      expect(cut.isWellFormed()).toBe(text.isWellFormed() || cut.isWellFormed())
    }),
  )
})
