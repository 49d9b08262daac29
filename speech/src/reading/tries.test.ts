import { expect, test } from 'vitest'
import { inTime, other, pause, scriptOf, word, words } from '../../test/stretches.ts'
import { leftOut, type Said } from './said.ts'
import { giveUpTries } from './tries.ts'

const script = scriptOf(15)
const tried = (...parts: Parameters<typeof inTime>) => giveUpTries(inTime(...parts), script)

/** `w3` said, `(w3)` broken off, `w3²` said before, `[2]` a number of off-script sounds. */
const short = (list: readonly Said[]): string =>
  list
    .map((one) => {
      if (one.kind === 'filler') return one.text
      const text = one.kind === 'place' ? `w${one.place}${one.repeats ? '²' : ''}` : `[${one.sounds}]`
      return one.brokenOff ? `(${text})` : text
    })
    .join(' ')

test('words that are repeated from their beginning are marked as a broken-off attempt', () => {
  expect(short(tried(...words(0, 2), pause(), ...words(0, 4)))).toBe('(w0) (w1) (w2) w0 w1 w2 w3 w4')
})

test('a short sound right after an attempt belongs to it, and a later or long one does not', () => {
  expect(short(tried(...words(0, 2), other('K'), ...words(0, 4)))).toBe('(w0) (w1) (w2) ([1]) w0 w1 w2 w3 w4')
  expect(short(tried(...words(0, 2), pause(510), other('K'), ...words(0, 4)))).toContain('(w2) [1] w0')
  expect(short(tried(...words(0, 2), other('K', 710), ...words(0, 4)))).toContain('(w2) [1] w0')
})

test('a repeated whole sentence is kept unless nearly all of it is said again', () => {
  expect(short(tried(...words(0, 4), pause(), ...words(0, 4), ...words(5, 9)))).toMatch(/^\(w0\).*\(w4\) w0/)
  expect(short(tried(...words(0, 4), pause(), ...words(1, 2), ...words(5, 9)))).not.toContain('(w0)')
})

test('after more than four seconds of other sounds the first attempt is kept', () => {
  expect(short(tried(...words(0, 2), other('K L', 4000), ...words(0, 4)))).toContain('(w0)')
  expect(short(tried(...words(0, 2), other('K L', 4010), ...words(0, 4)))).toBe('w0 w1 w2 [5] w3 w4')
})

test('sentences in another order are not broken-off attempts', () => {
  expect(short(tried(...words(5, 9), pause(), ...words(0, 4)))).toBe('w5 w6 w7 w8 w9 w0 w1 w2 w3 w4')
})

test('several short beginnings in a row are off-script', () => {
  expect(short(tried(...words(0, 4), word(12), word(11), word(10), ...words(5, 9)))).toContain('[')
  expect(short(tried(word(3), word(2), ...words(0, 4)))).toBe('[2] w0 w1 w2 w3 w4')
})

test('off-script sounds with pauses of up to 500 ms are one stretch', () => {
  expect(short(tried(word(0), other('K'), pause(500), other('L S'), word(1)))).toBe('w0 [3] w1')
  expect(short(tried(word(0), other('K'), pause(510), other('L S'), word(1)))).toBe('w0 [1] [2] w1')
})

test('unsaid words are placed right after the word before them', () => {
  const said = tried(...words(0, 1), ...words(3, 4))
  expect(leftOut(said, 6)).toEqual([
    { place: 2, at: 600 },
    { place: 5, at: 1200 },
  ])
  expect(leftOut([], 1)).toEqual([{ place: 0, at: 0 }])
})
