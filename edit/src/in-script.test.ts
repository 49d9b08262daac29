import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inScript, wordsOfScript } from './in-script.ts'

it('as many words are answered as stand in a row somewhere in the script, whatever marks are between them', () => {
  const shared = inScript(wordsOfScript('Rates are low. Call me – call me now!'), 10)
  expect(shared(['call', 'me', 'now', 'please'], 0)).toBe(3)
  expect(shared(['rates', 'are', 'high'], 0)).toBe(2)
  expect(shared(['me', 'call'], 0)).toBe(2)
  expect(shared(['nobody', 'rates'], 0)).toBe(0)
  expect(shared(['nobody', 'rates'], 1)).toBe(1)
  expect(inScript(wordsOfScript(''), 10)(['rates'], 0)).toBe(0)
  expect(
    inScript(wordsOfScript('Save & invest, save & invest.'), 10)(['save', '', 'invest', 'save', '', 'invest', 'um'], 0),
  ).toBe(6)
  expect(inScript(wordsOfScript('a b c d'), 2)(['a', 'b', 'c'], 0)).toBe(2)
})

it('the answer is the longest beginning that a search through the script finds', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 })
  fc.assert(
    fc.property(words, words, fc.nat(5), (script, said, from) => {
      const text = ` ${script.join(' ')} `
      const lengths = Array.from({ length: Math.min(8, Math.max(0, said.length - from)) }, (_, n) => n + 1)
      const longest = lengths.findLast((n) => text.includes(` ${said.slice(from, from + n).join(' ')} `)) ?? 0
      expect(inScript(script, 8)(said, from)).toBe(longest)
    }),
  )
})
