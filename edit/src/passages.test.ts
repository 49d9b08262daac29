import { expect, test } from 'vitest'
import { brand, take } from '../test/take.ts'
import { acceptWords } from './commands/words.ts'
import { concernsOf, passagesOf } from './passages.ts'
import { wholeRecipe } from './recipe.ts'

const source = take(10_000, { id: 's1', assetId: 'a1' })
const recipe = wholeRecipe([source], brand)

test('the transcript lists words, decisions before what they contain, unsaid words in place and words to check', () => {
  const word = (id: string, start: number, text: string, more = {}) => ({
    id,
    source: 's1',
    start,
    end: start + 300,
    text,
    confidence: 0.9,
    origin: 'script' as const,
    ...more,
  })
  const removed = [
    { id: 'r1', source: 's1', start: 0, end: 800, reason: 'silence' as const, by: 'rule' as const, why: '', on: true },
    {
      id: 'r2',
      source: 's1',
      start: 1350,
      end: 1800,
      reason: 'filler' as const,
      by: 'rule' as const,
      why: '',
      on: true,
    },
  ]
  const said = {
    ...recipe,
    removed,
    words: [
      word('w1', 1000, 'Rates'),
      word('w2', 1400, 'um', { mark: 'filler' }),
      word('w3', 1800, 'fell', { confidence: 0.2 }),
      word('w4', 2200, 'maybe', { mark: 'off-script' }),
      word('w5', 2600, 'perhaps.', { mark: 'off-script' }),
      word('w6', 3400, 'Ōno’s “½ 房” 🏠 №'),
      word('w7', 3800, 'soon', { confidence: 0.3, estimated: true }),
      word('w8', 4200, 'again', { confidence: 0.3, estimated: true }),
    ],
    unsaid: [{ id: 'u1', source: 's1', at: 3000, text: 'this week' }],
  }
  const [passage] = passagesOf(said)
  expect(passage!.tokens.map(({ key }) => key)).toEqual([
    'k1.r1',
    'k1.w1',
    'k1.r2',
    'k1.w2',
    'k1.w3',
    'k1.w4',
    'k1.w5',
    'k1.u1',
    'k1.w6',
    'k1.w7',
    'k1.w8',
  ])
  expect(passage!.tokens[3]).toMatchObject({ out: { id: 'r2' }, offered: null })
  expect(concernsOf([passage!]).map(({ kind, keys }) => [kind, keys.length])).toEqual([
    ['unsure', 1],
    ['off-script', 2],
    ['unsaid', 1],
    ['boxes', 1],
    ['estimated', 2],
  ])
  const looked = passagesOf(acceptWords(['w7', 'w8'])(said))
  expect(concernsOf(looked).map(({ kind }) => kind)).not.toContain('estimated')
  expect(passage!.tokens.at(-3)).toMatchObject({ missing: ['房', '№'] })
})
