import { expect, test } from 'vitest'
import { isSame, keptOf } from './use-views.ts'

test('a view keeps the plain values of an address, and nothing that is not there', () => {
  expect(keptOf({ q: 'eli', status: 3, isLate: true, order: undefined, tags: ['a'] })).toEqual({
    q: 'eli',
    status: 3,
    isLate: true,
  })
})

test('two views are the same in whichever order their parts stand, and other values make another one', () => {
  expect(isSame({ q: 'a', role: 'QA' }, { role: 'QA', q: 'a' })).toBe(true)
  expect(isSame({}, {})).toBe(true)
  expect(isSame({ q: 'a' }, { q: 'b' })).toBe(false)
  expect(isSame({ q: 'a' }, { q: 'a', role: 'QA' })).toBe(false)
  expect(isSame({ status: 3 }, { status: '3' })).toBe(false)
})
