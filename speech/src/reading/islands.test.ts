import { expect, test } from 'vitest'
import { inTime, other, pause, short, word, words } from '../../test/stretches.ts'
import { dropIslands } from './islands.ts'

const dropped = (...parts: Parameters<typeof inTime>) => short(dropIslands(inTime(...parts)))

test('one or two script words within off-script sounds count as off-script, and three do not', () => {
  const [before, after] = [other('AA L', 900), other('S K', 900)]
  expect(dropped(...words(0, 3), before, word(12), after, ...words(5, 8))).toBe('w0 w1 w2 w3 [AA L ? S K] w5 w6 w7 w8')
  expect(dropped(...words(0, 3), before, ...words(12, 13), after, ...words(5, 8))).not.toContain('w12')
  expect(dropped(...words(0, 3), before, ...words(12, 14), after, ...words(5, 8))).toContain('[AA L] w12 w13 w14 [S K]')
})

test('words up to two places from the script on either side are kept', () => {
  const around = (place: number) => dropped(...words(0, 3), other('AA L'), word(place), other('S K'), ...words(20, 24))
  expect(around(4)).toContain('w4')
  expect(around(7)).toContain('w7')
  expect(around(8)).not.toContain('w8')
  expect(around(16)).toContain('w16')
  expect(around(15)).not.toContain('w15')
})

test('words between script words, or at the end, are kept', () => {
  expect(dropped(...words(0, 3), pause(), word(12), pause(), ...words(4, 6))).toBe('w0 w1 w2 w3 _ w12 _ w4 w5 w6')
  expect(dropped(word(12))).toBe('w12')
})
