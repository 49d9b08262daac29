import { expect, test } from 'vitest'
import { inTime, other, pause, scriptOf, short, word } from '../../test/stretches.ts'
import { fillersAmongWords, settleSounds } from './fillers.ts'

/** Only the word at place 9 sounds like a hum. */
const hums = scriptOf(20).map((place, i) => (i === 9 ? { ...place, phones: ['AH'] } : place))
const among = (...parts: Parameters<typeof inTime>) => short(fillersAmongWords(inTime(...parts), hums))
const settled = (...parts: Parameters<typeof inTime>) => short(settleSounds(inTime(...parts)))

test('a word like a hum, alone between pauses and out of its place, is a filler', () => {
  expect(among(word(1), pause(), word(9), pause(), word(2))).toBe('w1 _ uh _ w2')
  const nasal = hums.map((place, i) => (i === 9 ? { ...place, phones: ['AE N D'] } : place))
  expect(short(fillersAmongWords(inTime(word(1), pause(), word(9), pause()), nasal))).toBe('w1 _ um _')
})

test('a word like a hum that its sentence leads to, that touches a word, or that is long, is that word', () => {
  expect(among(word(8), pause(), word(9), pause(), word(1))).toBe('w8 _ w9 _ w1')
  expect(among(word(1), pause(), word(9), pause(), word(10))).toBe('w1 _ w9 _ w10')
  expect(among(word(1), pause(50), word(9), pause(), word(2))).toBe('w1 _ w9 _ w2')
  expect(among(word(1), pause(), word(9, 1210), pause(), word(2))).toBe('w1 _ w9 _ w2')
  const plain = scriptOf(20, { phones: 'K AA T' })
  expect(short(fillersAmongWords(inTime(word(1), pause(), word(9), pause()), plain))).toBe('w1 _ w9 _')
})

test('hums between pauses are fillers, from 120 to 1200 ms', () => {
  expect(settled(word(1), pause(), other('AH'), pause(), word(2))).toBe('w1 _ uh _ w2')
  expect(settled(word(1), pause(), other('AA N'), pause(), word(2))).toBe('w1 _ um _ w2')
  expect(settled(word(1), pause(), other('AH', 110), pause(), word(2))).toBe('w1 _ [AH] _ w2')
  expect(settled(word(1), pause(), other('AH', 1210), pause(), word(2))).toBe('w1 _ [AH] _ w2')
  expect(settled(word(1), pause(), other('K AH'), pause(), word(2))).toBe('w1 _ [K AH] _ w2')
})

test('a hum that touches a word is a filler where the recogniser named it and it lasts 200 ms', () => {
  expect(settled(word(1), other('UM OW', 200), pause(), word(2))).toBe('w1 um _ w2')
  expect(settled(word(1), other('UM OW', 190), pause(), word(2))).toBe('w1 [UM OW] _ w2')
  expect(settled(word(1), other('AA OW', 200), pause(), word(2))).toBe('w1 [AA OW] _ w2')
})

test('a hum among other sounds beside the script belongs to them', () => {
  expect(settled(other('K L'), pause(), other('AH'), pause(), word(2))).toBe('[K L] _ [AH] _ w2')
})

test('one sound right after a word is the tail of that word', () => {
  const [tail] = settleSounds(inTime(word(1), other('S', 150), pause(), word(2)))
  expect(tail).toMatchObject({ place: 1, end: 450 })
  expect(settled(word(1), other('S', 90), word(2))).toBe('w1 w2')
  expect(settled(word(1), other('UH', 140), word(2))).toBe('w1 w2')
  expect(settled(word(1), other('S', 140), word(2))).toBe('w1 [S] w2')
  // Where the script does not go on with the next word, something else was said.
  expect(settled(word(1), other('S', 90), word(5))).toBe('w1 [S] w5')
})

test('what is shorter than 60 ms and no tail is a crackle', () => {
  expect(settled(word(1), pause(), other('S K', 50), pause(), word(2))).toBe('w1 _ _ w2')
  expect(settled(word(1), pause(), other('S K', 60), pause(), word(2))).toBe('w1 _ [S K] _ w2')
})
