import { expect, test } from 'vitest'
import {
  firstCutRules,
  isLongFirstCut,
  mostListeningMs,
  mostScriptWords,
  outcomeNames,
  refusedScript,
} from './first-cut.ts'

test('a script may have five words for each second of the recordings and two hundred more', () => {
  expect([0, 2000, 60_000].map(mostScriptWords)).toEqual([200, 210, 500])
  expect(refusedScript('word '.repeat(210), 2000)).toBeNull()
  expect(refusedScript('word '.repeat(211), 2000)).toBe(
    'This script has 211 words, and no more than 210 can be said in these recordings. Give only the words that are said in them.',
  )
})

test('every way to write many words is counted', () => {
  const long = [
    'a '.repeat(29_990),
    'a.'.repeat(29_990),
    'a-'.repeat(29_990),
    '9'.repeat(59_990),
    'a'.repeat(59_990),
    '['.repeat(59_990),
  ]
  for (const script of long) expect(refusedScript(script, 2000)).not.toBeNull()
  expect(refusedScript('Let’s talk: it isn’t $12, it’s 6.25%!', 0)).toBeNull()
  expect(refusedScript('–'.repeat(4000), 0)).toBeNull()
  expect(refusedScript('–'.repeat(4001), 0)).toContain('too long for these recordings')
})

test('ten minutes of recordings are long work', () => {
  expect([599_999, 600_000].map(isLongFirstCut)).toEqual([false, true])
})

test('words are looked for at most for twenty minutes, and what no rule decided is counted as such', () => {
  expect(mostListeningMs).toBe(1_200_000)
  expect(outcomeNames).toEqual([...firstCutRules, 'none'])
})
