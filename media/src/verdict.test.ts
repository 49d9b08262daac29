import { expect, it } from 'vitest'
import { cutWords } from './verdict.ts'

it('an editor reads other words about a cut than an officer about a take: nobody films a cut again', () => {
  for (const [code, words] of Object.entries(cutWords)) expect(words ?? '', code).not.toMatch(/film|phone|microphone/i)
  expect(Object.values(cutWords).filter(Boolean).length).toBeGreaterThan(8)
})
