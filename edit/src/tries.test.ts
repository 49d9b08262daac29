import { expect, it } from 'vitest'
import { take } from '../test/take.ts'
import { cutWords, restoreWords, takeTry } from './commands/cuts.ts'
import { firstCut } from './first-cut.ts'
import { problemsOf, type Recipe, type Word } from './recipe.ts'
import { isOut } from './removals.ts'
import { spokenWords, timelineOf } from './timeline.ts'
import { longest, saidAgain, sharedWith } from './tries.ts'

const source = take(60_000, { id: 's1', assetId: 'a', name: 'take.mp4' })
const brand = { primary: '#2647e0', secondary: '#ff5a3c', logo: null, name: 'An officer', line: '', legal: '' }

/** Words of 300 ms, 100 ms apart; `|` is a pause of a second, and a word after `?` is unsure. */
const recipeOf = (text: string): Recipe => {
  let at = 0
  const words: Word[] = []
  for (const part of text.split(' ')) {
    if (part === '|') at += 1000
    else {
      const isUnsure = part.startsWith('?')
      const word = { text: part.replace('?', ''), confidence: isUnsure ? 0.2 : 1, origin: 'heard' as const }
      words.push({ id: `w${words.length}`, source: 's1', start: at, end: at + 300, ...word })
      at += 400
    }
  }
  return firstCut({ sources: [source], words, silences: [], brand, style: 1 })
}
const heard = (recipe: Recipe) =>
  spokenWords(recipe, timelineOf(recipe))
    .map(({ word }) => word.text)
    .join(' ')

it('a sentence said twice has two tries, of which the last is in the video', () => {
  const recipe = recipeOf('Rates moved again this week. | Rates moved again this week. | Call me today.')
  const [again, ...more] = saidAgain(recipe)
  expect(more).toEqual([])
  expect(again!.tries.map(({ words, isIn }) => [words.length, isIn])).toEqual([
    [5, false],
    [5, true],
  ])
})

it('another try takes the place of the one in the video, and back again', () => {
  const recipe = recipeOf('Um rates moved again this week. | Rates moved uh again this week. | Call me today.')
  const once = saidAgain(recipe)[0]!
  expect(once.tries.map(({ isIn }) => isIn)).toEqual([false, true])
  const other = takeTry(once.tries, 0)(recipe)
  expect(problemsOf(other)).toEqual([])
  expect(heard(other)).toBe('rates moved again this week. Call me today.')
  expect(saidAgain(other)[0]!.tries.map(({ isIn }) => isIn)).toEqual([true, false])
  expect(heard(takeTry(saidAgain(other)[0]!.tries, 1)(other))).toBe(heard(recipe))
})

it('the try with the fewest fillers, pauses and unsure words is the best, of equals the last', () => {
  const best = (text: string) => saidAgain(recipeOf(text))[0]?.best
  expect(best('Rates moved again this week. | Rates moved again this week.')).toBe(1)
  expect(best('Rates moved again this week. | Rates um moved again this week.')).toBe(0)
  expect(best('Rates moved again this week. | Rates moved ?again this week.')).toBe(0)
})

it('a try that is much quieter than the others has a fault for each 4 dB', () => {
  const recipe = recipeOf('Rates moved again this week. | Rates moved again this week. | Call me today.')
  // The first try lies within the first 1.9 s.
  const lufs = Array.from({ length: 100 }, (_, i) => (i < 19 ? -18 : -27))
  const heard = new Map([['s1', { first: 0, perSecond: 10, lufs }]])
  expect(saidAgain(recipe, heard)[0]!.tries.map(({ faults }) => faults.quiet)).toEqual([0, 2])
  expect(saidAgain(recipe, heard)[0]!.best).toBe(0)
  expect(saidAgain(recipe)[0]!.best).toBe(1)
})

it('sentences said twice on purpose, and sentences that are only similar, have no tries', () => {
  const apart = recipeOf('Call me any time today. | Rates moved again this week. | Call me any time today.')
  expect(saidAgain(cutWords(['w0', 'w1', 'w2', 'w3', 'w4'])(apart))).toEqual([])
  const twice = recipeOf('Call me any time today. | Call me any time today.')
  const both = restoreWords(twice.words.map(({ id }) => id))(twice)
  expect(both.words.some((word) => isOut(both, word))).toBe(false)
  expect(saidAgain(both)).toEqual([])
  const similar = recipeOf('Rates moved again this week. | Prices fell again this month.')
  expect(saidAgain(cutWords(['w0', 'w1', 'w2', 'w3', 'w4'])(similar))).toEqual([])
})

it('a start that was given up between two tries does not part them', () => {
  const recipe = recipeOf('Rates moved again this week. | Rates moved | Rates moved again this week.')
  expect(saidAgain(cutWords(['w0', 'w1', 'w2', 'w3', 'w4'])(recipe)).map(({ tries }) => tries.length)).toEqual([2])
})

it('words in common are counted in their order, of a text as long as the longest sentence', () => {
  const text = Array.from({ length: longest }, (_, i) => `w${i}`)
  expect(sharedWith(text, text)(0, longest)).toEqual(text.map((_, i) => i + 1))
  expect(sharedWith(text, text)(10, 50).at(-1)).toBe(40)
  expect(sharedWith(text, text.toReversed())(0, longest).at(-1)).toBe(1)
  expect(sharedWith(text, ['w40', 'other', 'w5', 'w29', 'w30', 'w59'])(0, 6)).toEqual([1, 1, 1, 2, 3, 4])
  expect(sharedWith(['a', 'b', 'a', 'c'], ['a', 'a', 'b', 'c', 'c'])(0, 5)).toEqual([1, 2, 2, 3, 3])
  expect(sharedWith([], ['a'])(0, 1)).toEqual([0])
})
