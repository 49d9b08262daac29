import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { TakeLog } from '@clear-to-post/domain/take-log'
import { brand, take } from '../test/take.ts'
import { firstCut } from './first-cut.ts'
import { problemsOf, type Word } from './recipe.ts'
import { spokenWords } from './timeline.ts'

/** What is heard of a take, and of shorter ones in each of which one sentence was said anew; `*` begins a word beside the script. */
const cut = (said: string, ...anew: { sentence: string; said: string }[]) => {
  const logs = new Map<string, TakeLog>()
  const texts = [said, ...anew.map((one) => one.said)]
  const sources = texts.map((text, i) => take(1000 + text.split(' ').length * 400, { id: `s${i}`, assetId: `x${i}` }))
  const words: Word[] = texts.flatMap((text, i) =>
    text.split(' ').map((one, n) => ({
      id: `w${i}.${n}`,
      source: `s${i}`,
      text: one.replace('*', ''),
      start: 300 + n * 400,
      end: 600 + n * 400,
      confidence: 0.9,
      ...(one.startsWith('*') ? { origin: 'heard', mark: 'off-script' } : { origin: 'script' }),
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

it('beside sentences that were said anew the script is sorted once, however many takes there are', () => {
  const sorting = vi.spyOn(Int32Array.prototype, 'toSorted')
  try {
    const said = 'Rates moved again. Call me about the loan. Then we talk.'
    const anew = said.split('. ').map((sentence) => ({ sentence, said: sentence }))
    cut(said, ...anew, ...anew)
    expect(sorting).toHaveBeenCalledTimes(1)
  } finally {
    sorting.mockRestore()
  }
})

it('a sentence that was said anew takes nothing of the next one along, and leaves nothing of itself', () => {
  const rest = 'We do not charge for it. Then we talk.'
  for (const [said, sentence] of [
    ['We lock the rate for thirty days.', 'We lock the rate for you for thirty days.'],
    ['We can really always lock the rate for thirty days.', 'We can lock the rate for thirty days.'],
    ['We can *surely *now *and *always lock the rate for thirty days.', 'We can lock the rate for thirty days.'],
    // Its last word was not said, and the full stop neither.
    ['We lock the rate for thirty', 'We lock the rate for thirty days.'],
    ['We lock the rate for thirty days', 'We lock the rate for thirty days and do.'],
    ['We lock the rate for thirty really days.', 'We lock the rate for thirty days.'],
    [
      'If you lock with us this week the rate is yours for thirty days.',
      'If you lock with us this week the rate is yours for thirty days and we do not change it.',
    ],
  ] as const)
    expect(cut(`Rates moved again. ${said} ${rest}`, { sentence, said: sentence }).heard, said).toBe(
      `Rates moved again. ${sentence} ${rest}`,
    )
  // Said in fewer words than seven of ten it is not found, and a person chooses.
  const [little, sentence] = [
    'Bring your pay stubs and your tax.',
    'Bring your pay stubs and your tax returns when we meet.',
  ]
  expect(cut(`${little} ${rest}`, { sentence, said: sentence }).heard).toBe(`${little} ${rest} ${sentence}`)
})

it('a sentence that was said anew leaves a longer one alone that begins with its words, before it or after it', () => {
  for (const [said, sentence] of [
    ['|Call me. Rates are low. Call me today.', 'Call me.'],
    ['|Call me today. Rates are low. Call me today and save.', 'Call me today.'],
    ['|I can help you. Rates are low this week. I can help you buy a home.', 'I can help you.'],
    [
      '|You need three percent down. Most think twenty. You need three percent down and good credit.',
      'You need three percent down.',
    ],
    ['|We lock the rate. We lock the rate for thirty days. Call me.', 'We lock the rate.'],
    ['|Rates are low today. Buy now. Rates are low today so call me.', 'Rates are low today.'],
    ['Rates are low today so call me. Buy now. |Rates are low today.', 'Rates are low today.'],
    // It ends a longer one, too, and ends the take without its full stop.
    ['|Rates are low today. Buy now. They say rates are low today. Bye.', 'Rates are low today.'],
    ['Call me today. Rates are low. |Call me', 'Call me.'],
  ] as const) {
    const anew = { sentence, said: sentence.replace('.', '!') }
    expect(cut(said.replace('|', ''), anew).heard, said).toBe(said.replace(/\|[\w ]+\.?/, anew.said))
  }
})

it('more than one sentence may have been said anew', () => {
  const written = 'Rates are low. We lock the rate for thirty days now.'
  const anew = { sentence: 'None of these words.', said: 'Rates are low. We lock your rate for thirty days now.' }
  expect(cut(`Hello there. ${written} Rates are good. Call me.`, anew).heard).toBe(
    `Hello there. ${anew.said} Rates are good. Call me.`,
  )
})

const vocabulary =
  'we can lock the rate for thirty days you will not pay more if rates go up call me today and help with that loan it is free no fee right now step house seller down credit score lender bank week month home street'.split(
    ' ',
  )
const sentenceOf = (leastWords: number) =>
  fc
    .array(fc.constantFrom(...vocabulary), { minLength: leastWords, maxLength: 14 })
    .map(([first, ...more]) => `${[first![0]!.toUpperCase() + first!.slice(1), ...more].join(' ')}.`)
const talk = fc.record({
  before: fc.array(sentenceOf(3), { minLength: 1, maxLength: 4 }),
  sentence: sentenceOf(8),
  after: fc.array(sentenceOf(3), { minLength: 1, maxLength: 4 }),
  /** Words that the first try left out or had more; not its last one, which ends it. */
  otherwise: fc.array(fc.record({ at: fc.nat(999), word: fc.constantFrom(null, 'really', '*surely') }), {
    minLength: 1,
    maxLength: 2,
  }),
})

it('of the sentences around one that was said anew each word stays, however its first try was said', () => {
  fc.assert(
    fc.property(talk, ({ before, sentence, after, otherwise }) => {
      const first = otherwise.reduce((words, { at, word }) => {
        const place = Math.floor((at / 1000) * (words.length - 1))
        return word === null ? words.toSpliced(place, 1) : words.toSpliced(place, 0, word)
      }, sentence.split(' '))
      const said = [...before, first.join(' '), ...after].join(' ')
      const { recipe, heard } = cut(said, { sentence, said: sentence })
      // Where a neighbour is no other sentence than this one, or words were taken for a second try, there is none to be told from it.
      fc.pre(recipe.removed.filter(({ on }) => on).length === 1)
      const whole = [...before, sentence, ...after].join(' ')
      const counts = (text: string) => {
        const words = text.toLowerCase().match(/[a-z]+/g) ?? []
        return Map.groupBy(words, (word) => word)
      }
      const found = counts(heard)
      for (const [word, times] of counts(whole))
        expect(found.get(word)?.length ?? 0, `${word}: ${said} / ${heard}`).toBe(times.length)
    }),
    { seed: 7, numRuns: 300 },
  )
})
