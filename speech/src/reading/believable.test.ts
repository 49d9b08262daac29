import { expect, test } from 'vitest'
import { inTime, other, pause, scriptOf, short, word, words } from '../../test/stretches.ts'
import { keepBelievable } from './believable.ts'

const script = scriptOf(30)
const kept = (...parts: Parameters<typeof inTime>) => short(keepBelievable(inTime(...parts), script))

test('five words in a row are kept, and single words among off-script sounds are not', () => {
  const scrap = (place: number) => word(place, 300, -20)
  expect(kept(...words(0, 4), other('AA L', 900), scrap(12), other('S', 900), scrap(20), other('K', 900))).toBe(
    'w0 w1 w2 w3 w4 [AA L ? S ? K]',
  )
})

test('a few words that lead from one row to the next are kept', () => {
  expect(kept(...words(0, 4), pause(), ...words(7, 8), pause(), ...words(11, 15))).toBe(
    'w0 w1 w2 w3 w4 _ w7 w8 _ w11 w12 w13 w14 w15',
  )
})

test('words after more than three left out are kept only where a sentence begins', () => {
  const worse = (place: number) => word(place, 300, -100)
  expect(kept(...words(0, 4), worse(9), ...words(11, 15))).toBe('w0 w1 w2 w3 w4 [?] w11 w12 w13 w14 w15')
  expect(kept(...words(0, 4), worse(10), ...words(11, 15))).toBe('w0 w1 w2 w3 w4 w10 w11 w12 w13 w14 w15')
})

test('an isolated word beside off-script sounds is kept if it is as clear as the others', () => {
  expect(kept(...words(0, 4), other('AA L', 900), word(9, 300, -10))).toBe('w0 w1 w2 w3 w4 [AA L] w9')
  expect(kept(...words(0, 4), other('AA L', 900), word(9, 300, -11))).toBe('w0 w1 w2 w3 w4 [AA L ?]')
})

test('a hesitation of up to 300 ms does not end a row of words, and a longer one does', () => {
  const unclear = (first: number) => [word(first, 300, -14), word(first + 1, 300, -14)]
  const row = [...words(10, 14), ...words(15, 19)]
  expect(kept(...row, other('S', 900), ...unclear(25), other('AA', 300), word(27), word(28), word(29))).toContain('w25')
  expect(kept(...row, other('S', 900), ...unclear(25), other('AA', 310), word(27), word(28), word(29))).not.toContain(
    'w25',
  )
})

test('without any certain row of words nothing is removed', () => {
  expect(kept(word(0), other('L', 900), word(9))).toBe('w0 [L] w9')
})
