import { expect, it } from 'vitest'
import { cutWords } from './verdict.ts'

it('verdicts on a cut never tell an editor to film again', () => {
  for (const [code, words] of Object.entries(cutWords)) expect(words ?? '', code).not.toMatch(/film|phone|microphone/i)
  expect(Object.values(cutWords).filter(Boolean).length).toBeGreaterThan(8)
})
