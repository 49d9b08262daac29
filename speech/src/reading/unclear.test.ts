import { expect, test } from 'vitest'
import { inTime, other, pause, short, word } from '../../test/stretches.ts'
import type { Place } from '../grammar.ts'
import { mergeSplitWords, recogniseUnclear } from './unclear.ts'

const script: Place[] = ['R EY T S', 'AA R', 'L OW ER', 'DH IH S', 'W IY K', 'K AO L'].map((phones) => ({
  phones: [phones],
  sentenceStart: false,
  clauseStart: false,
}))
const recognised = (...parts: Parameters<typeof inTime>) => recogniseUnclear(inTime(...parts), script)

test('sounds in the place of a left-out word, and similar to it, are recognised as that word', () => {
  expect(short(recognised(word(1), other('L OW ER'), word(3)))).toBe('w1 w2 w3')
  expect(short(recognised(word(1), other('S SH S'), word(3)))).toBe('w1 [S SH S] w3')
  // Nothing was left out.
  expect(short(recognised(word(1), other('L OW ER'), word(2)))).toBe('w1 [L OW ER] w2')
})

test('several recognised words share the time by their sounds, with a lower score than any measured word', () => {
  const [, two, three] = recognised(word(1), other('L OW ER D IY S', 600), word(4))
  expect(two).toEqual({ kind: 'place', place: 2, score: -200, start: 300, end: 600 })
  expect(three).toEqual({ kind: 'place', place: 3, score: -200, start: 600, end: 900 })
})

test('a word is recognised only if its sounds last 35 to 220 ms each', () => {
  expect(short(recognised(word(1), other('L OW ER', 105), word(3)))).toBe('w1 w2 w3')
  expect(short(recognised(word(1), other('L OW ER', 104), word(3)))).toBe('w1 [L OW ER] w3')
  expect(short(recognised(word(1), other('L OW ER', 660), word(3)))).toBe('w1 w2 w3')
  expect(short(recognised(word(1), other('L OW ER', 661), word(3)))).toBe('w1 [L OW ER] w3')
})

test('at most four words are recognised in one place', () => {
  expect(short(recognised(word(0), other('AA R L OW ER D IY S W IY K', 1000), word(5)))).toBe('w0 w1 w2 w3 w4 w5')
  const longer = [...script, script[5]!]
  const list = inTime(word(0), other('AA R L OW ER D IY S W IY K', 1000), word(6))
  expect(short(recogniseUnclear(list, longer))).toBe('w0 [AA R L OW ER D IY S W IY K] w6')
})

test('one word found twice within 150 ms is one drawn-out word', () => {
  const joined = mergeSplitWords(inTime(word(1), pause(150), word(1), word(2)))
  expect(short(joined)).toBe('w1 w2')
  expect(joined[0]).toMatchObject({ start: 0, end: 750 })
  expect(short(mergeSplitWords(inTime(word(1), pause(160), word(1))))).toBe('w1 _ w1')
})
