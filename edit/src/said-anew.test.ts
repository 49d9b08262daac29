import { expect, it } from 'vitest'
import type { TakeLog } from '@clear-to-post/domain/take-log'
import { brand, take } from '../test/take.ts'
import { firstCut } from './first-cut.ts'
import { problemsOf, type Word } from './recipe.ts'
import { spokenWords } from './timeline.ts'

/** What is heard of a take, and of shorter ones in each of which one sentence was said anew. */
const cut = (said: string, ...anew: { sentence: string; said: string }[]) => {
  const logs = new Map<string, TakeLog>()
  const texts = [said, ...anew.map((one) => one.said)]
  const sources = texts.map((text, i) => take(1000 + text.split(' ').length * 400, { id: `s${i}`, assetId: `x${i}` }))
  const words: Word[] = texts.flatMap((text, i) =>
    text.split(' ').map((one, n) => ({
      id: `w${i}.${n}`,
      source: `s${i}`,
      text: one,
      start: 300 + n * 400,
      end: 600 + n * 400,
      confidence: 0.9,
      origin: 'script',
    })),
  )
  anew.forEach(({ sentence }, i) => logs.set(`s${i + 1}`, { again: [], shown: [], sentence }))
  const recipe = firstCut({ sources, words, silences: [], logs, script: said, brand, style: 1 })
  expect(problemsOf(recipe)).toEqual([])
  const heard = (of: typeof recipe) =>
    spokenWords(of)
      .map(({ word }) => word.text)
      .join(' ')
  return { recipe, heard: heard(recipe), heardOf: heard }
}

it('a sentence that was said anew is played where it was said first, which goes with its reason and a switch', () => {
  const anew = { sentence: 'Call me about the loan.', said: 'Call me about that loan!' }
  const { recipe, heard, heardOf } = cut('Rates moved again. Call me about the loan. Then we talk.', anew)
  expect(heard).toBe('Rates moved again. Call me about that loan! Then we talk.')
  const gone = recipe.removed.find(({ why }) => why.includes('anew'))
  expect(gone).toMatchObject({
    why: 'The officer said this sentence anew: “Call me about the loan.”.',
    reason: 'broken-off',
    by: 'rule',
    on: true,
  })
  const back = recipe.removed.map((one) => (one === gone ? { ...one, on: false } : one))
  expect(heardOf({ ...recipe, removed: back })).toContain('Call me about the loan.')
})

it('the first, the last and several sentences are said anew, of two alike the later one, and one twice', () => {
  const said = 'Rates moved again. Call me about the loan. Rates moved again. Then we talk.'
  expect(cut(said, { sentence: 'Then we talk.', said: 'Then we talk now.' }).heard).toBe(
    'Rates moved again. Call me about the loan. Rates moved again. Then we talk now.',
  )
  expect(
    cut(
      said,
      { sentence: 'Call me about the loan.', said: 'Call me about your loan.' },
      { sentence: 'Rates moved again.', said: 'Rates moved once again.' },
      { sentence: 'Call me about the loan.', said: 'Call me about the house loan.' },
    ).heard,
  ).toBe('Rates moved again. Call me about the house loan. Rates moved once again. Then we talk.')
})

it('a sentence that the take does not hold, and one in which nothing was said, change nothing', () => {
  const said = 'Rates moved again. Call me.'
  expect(cut(said, { sentence: 'Houses are cheap these days.', said: 'Houses cost less today.' }).heard).toBe(
    `${said} Houses cost less today.`,
  )
  expect(cut(said, { sentence: 'Call me.', said: 'um' }).heard.replace(' um', '')).toBe(said)
})

it('thousands of words where one sentence was to be said anew are kept, and take no longer than a sentence', () => {
  const talk = (n: number, words: string[]) => Array.from({ length: n }, (_, i) => words[i % words.length]).join(' ')
  const rates = ['rates', 'went', 'up', 'again', 'this', 'week', 'and', 'that', 'is', 'good']
  // Found nowhere, and nearly everywhere: more than a machine does in an hour, were each stretch compared with all of it.
  for (const sentence of ['Nothing of this was spoken.', talk(150, rates), talk(60, rates)]) {
    const { recipe } = cut(talk(15_000, rates), { sentence, said: talk(4_000, rates) })
    expect(spokenWords(recipe).filter(({ word }) => word.source === 's1').length).toBeGreaterThan(0)
  }
})
