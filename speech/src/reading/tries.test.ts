import { expect, test } from 'vitest'
import { inTime, other, pause, scriptOf, word, words } from '../../test/stretches.ts'
import { leftOut, type Said } from './said.ts'
import { giveUpTries } from './tries.ts'

const script = scriptOf(15)
const tried = (...parts: Parameters<typeof inTime>) => giveUpTries(inTime(...parts), script)

/** `w3` said, `(w3)` given up, `w3²` said before, `[2]` so many sounds beside the script. */
const short = (list: readonly Said[]): string =>
  list
    .map((one) => {
      if (one.kind === 'filler') return one.text
      const text = one.kind === 'place' ? `w${one.place}${one.repeats ? '²' : ''}` : `[${one.sounds}]`
      return one.brokenOff ? `(${text})` : text
    })
    .join(' ')

test('what was begun and then said again from its beginning is a try that was given up', () => {
  expect(short(tried(...words(0, 2), pause(), ...words(0, 4)))).toBe('(w0) (w1) (w2) w0 w1 w2 w3 w4')
})

test('half a word or a sigh right after the try belongs to it, what follows later or is long does not', () => {
  expect(short(tried(...words(0, 2), other('K'), ...words(0, 4)))).toBe('(w0) (w1) (w2) ([1]) w0 w1 w2 w3 w4')
  expect(short(tried(...words(0, 2), pause(510), other('K'), ...words(0, 4)))).toContain('(w2) [1] w0')
  expect(short(tried(...words(0, 2), other('K', 710), ...words(0, 4)))).toContain('(w2) [1] w0')
})

test('a whole sentence said once more stays unless nearly all of it is said again', () => {
  expect(short(tried(...words(0, 4), pause(), ...words(0, 4), ...words(5, 9)))).toMatch(/^\(w0\).*\(w4\) w0/)
  expect(short(tried(...words(0, 4), pause(), ...words(1, 2), ...words(5, 9)))).not.toContain('(w0)')
})

test('after more than four seconds of something else the first try stays', () => {
  expect(short(tried(...words(0, 2), other('K L', 4000), ...words(0, 4)))).toContain('(w0)')
  expect(short(tried(...words(0, 2), other('K L', 4010), ...words(0, 4)))).toBe('w0 w1 w2 [5] w3 w4')
})

test('sentences in another order give nothing up', () => {
  expect(short(tried(...words(5, 9), pause(), ...words(0, 4)))).toBe('w5 w6 w7 w8 w9 w0 w1 w2 w3 w4')
})

test('short beginnings one after the other are something else that is said', () => {
  expect(short(tried(...words(0, 4), word(12), word(11), word(10), ...words(5, 9)))).toContain('[')
  expect(short(tried(word(3), word(2), ...words(0, 4)))).toBe('[2] w0 w1 w2 w3 w4')
})

test('what stands beside the script is one up to a pause of 500 ms', () => {
  expect(short(tried(word(0), other('K'), pause(500), other('L S'), word(1)))).toBe('w0 [3] w1')
  expect(short(tried(word(0), other('K'), pause(510), other('L S'), word(1)))).toBe('w0 [1] [2] w1')
})

test('words that nobody said are missing right after the word before them', () => {
  const said = tried(...words(0, 1), ...words(3, 4))
  expect(leftOut(said, 6)).toEqual([
    { place: 2, at: 600 },
    { place: 5, at: 1200 },
  ])
  expect(leftOut([], 1)).toEqual([{ place: 0, at: 0 }])
})
