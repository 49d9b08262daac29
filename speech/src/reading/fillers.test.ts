import { expect, test } from 'vitest'
import { inTime, other, pause, scriptOf, short, word } from '../../test/stretches.ts'
import { fillersAmongWords, settleSounds } from './fillers.ts'

/** Only the word at place 9 sounds like a hum. */
const hums = scriptOf(20).map((place, i) => (i === 9 ? { ...place, phones: ['AH'] } : place))
const among = (...parts: Parameters<typeof inTime>) => short(fillersAmongWords(inTime(...parts), hums))
const settled = (...parts: Parameters<typeof inTime>) => short(settleSounds(inTime(...parts)))

test('a word that sounds like a hum, alone between pauses and out of order, is a filler', () => {
  expect(among(word(1), pause(), word(9), pause(), word(2))).toBe('w1 _ uh _ w2')
  const nasal = hums.map((place, i) => (i === 9 ? { ...place, phones: ['AE N D'] } : place))
  expect(short(fillersAmongWords(inTime(word(1), pause(), word(9), pause()), nasal))).toBe('w1 _ um _')
})

test('a word that sounds like a hum stays a word if it is in order, touches a word or is long', () => {
  expect(among(word(8), pause(), word(9), pause(), word(1))).toBe('w8 _ w9 _ w1')
  expect(among(word(1), pause(), word(9), pause(), word(10))).toBe('w1 _ w9 _ w10')
  expect(among(word(1), pause(50), word(9), pause(), word(2))).toBe('w1 _ w9 _ w2')
  expect(among(word(1), pause(), word(9, 1210), pause(), word(2))).toBe('w1 _ w9 _ w2')
  const plain = scriptOf(20, { phones: 'K AA T' })
  expect(short(fillersAmongWords(inTime(word(1), pause(), word(9), pause()), plain))).toBe('w1 _ w9 _')
})

test('a hum between pauses of 120 to 1200 ms is a filler', () => {
  expect(settled(word(1), pause(), other('AH'), pause(), word(2))).toBe('w1 _ uh _ w2')
  expect(settled(word(1), pause(), other('AA N'), pause(), word(2))).toBe('w1 _ um _ w2')
  expect(settled(word(1), pause(), other('AH', 110), pause(), word(2))).toBe('w1 _ [AH] _ w2')
  expect(settled(word(1), pause(), other('AH', 1210), pause(), word(2))).toBe('w1 _ [AH] _ w2')
  expect(settled(word(1), pause(), other('K AH'), pause(), word(2))).toBe('w1 _ [K AH] _ w2')
})

test('a hum that touches a word is a filler if the recogniser named it and it lasts 200 ms', () => {
  expect(settled(word(1), other('UM OW', 200), pause(), word(2))).toBe('w1 um _ w2')
  expect(settled(word(1), other('UM OW', 190), pause(), word(2))).toBe('w1 [UM OW] _ w2')
  expect(settled(word(1), other('AA OW', 200), pause(), word(2))).toBe('w1 [AA OW] _ w2')
})

test('a hum among other off-script sounds belongs to them', () => {
  expect(settled(other('K L'), pause(), other('AH'), pause(), word(2))).toBe('[K L] _ [AH] _ w2')
})

test('a single sound right after a word belongs to that word', () => {
  const [tail] = settleSounds(inTime(word(1), other('S', 150), pause(), word(2)))
  expect(tail).toMatchObject({ place: 1, end: 450 })
  expect(settled(word(1), other('S', 90), word(2))).toBe('w1 w2')
  expect(settled(word(1), other('UH', 140), word(2))).toBe('w1 w2')
  expect(settled(word(1), other('S', 140), word(2))).toBe('w1 [S] w2')
  // Where the next word of the script does not follow, it is an off-script sound.
  expect(settled(word(1), other('S', 90), word(5))).toBe('w1 [S] w5')
})

test('a sound shorter than 60 ms that belongs to no word is removed as noise', () => {
  expect(settled(word(1), pause(), other('S K', 50), pause(), word(2))).toBe('w1 _ _ w2')
  expect(settled(word(1), pause(), other('S K', 60), pause(), word(2))).toBe('w1 _ [S K] _ w2')
})
