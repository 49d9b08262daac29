import { expect, test } from 'vitest'
import { shortened, speakingTime, wordsIn } from './speaking.ts'

test('the words of a script are counted and its speaking time estimated', () => {
  expect(wordsIn('  Two  words\n')).toBe(2)
  expect(wordsIn('')).toBe(0)
  expect(speakingTime('word '.repeat(150))).toBe('1 min')
  expect(speakingTime('word '.repeat(100))).toBe('40 s')
  expect(speakingTime('Hi')).toBe('5 s')
})

test('a script that is too long is cut after a sentence', () => {
  expect(shortened('Short.', 5000)).toBe('Short.')
  const long = `${'A sentence. '.repeat(100)}${'x'.repeat(400)}`
  expect(shortened(long, 1300)).toMatch(/A sentence\.$/)
  expect(shortened('x'.repeat(30), 20)).toBe(`${'x'.repeat(19)}…`)
})
