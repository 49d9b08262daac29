import { expect, it } from 'vitest'
import type { TakeLog } from '@clear-to-post/domain/take-log'
import { brand, take } from '../test/take.ts'
import { firstCut } from './first-cut.ts'
import { unrecognised } from './drawn.ts'
import type { Word } from './recipe.ts'
import { retakesIn } from './retakes.ts'
import { saidAgain } from './tries.ts'
import { spokenWords } from './timeline.ts'

/** Words of 300 ms; `|` is a pause of a second, `*` a mark in the middle of such a pause; `*3` goes back to word 3 of the script. */
const recorded = (text: string, shown: TakeLog['shown'] = []) => {
  const words: Word[] = []
  const again: { ms: number; word: number }[] = []
  let at = 300
  for (const part of text.split(' ')) {
    if (part === '|' || part.startsWith('*')) {
      if (part !== '|') again.push({ ms: at + 500, word: Number(part.slice(1)) })
      at += 1000
      continue
    }
    words.push({
      id: `w${words.length}`,
      source: 'a',
      start: at,
      end: at + 300,
      text: part === '_' ? unrecognised : part,
      confidence: 0.9,
      origin: 'script',
    })
    at += 320
  }
  return { words, log: { again, shown }, lengthMs: at + 300 }
}
const texts = (words: readonly Word[]) => words.map(({ text }) => text).join(' ')
const givenUp = (text: string, shown?: TakeLog['shown']) => {
  const { words, log } = recorded(text, shown)
  return retakesIn(words, log).map(texts)
}

it('a try that was marked as given up begins where its words were said last before', () => {
  expect(givenUp('Rates moved. Find three things and * Find three things today.')).toEqual(['Find three things and'])
  expect(givenUp('One. Find three * Find three things * Find three things today.')).toEqual([
    'Find three',
    'Find three things',
  ])
  // Back to the sentence before the one that was just marked.
  expect(givenUp('One two three. Find it * Find it now * One two three. Find it now.')).toEqual([
    'One two three. Find it Find it now',
  ])
  expect(givenUp('Call me. Um find three things * Find three things.')).toEqual(['find three things'])
})

it('a try that was said otherwise begins where the prompter came to its sentence', () => {
  const said = 'Rates moved. | Everybody asks about it, sorry * Most people wonder.'
  expect(givenUp(said)).toEqual([])
  expect(
    givenUp(said.replace('*', '*2'), [
      [0, 0],
      [1, 700],
      [2, 1800],
      [3, 2400],
    ]),
  ).toEqual(['Everybody asks about it, sorry'])
})

it('a mark takes nothing away where nothing more is said, nothing was said before, or no beginning is found', () => {
  expect(givenUp('Find three things. *')).toEqual([])
  expect(givenUp('* Find three things.')).toEqual([])
  expect(givenUp('Find three things * _ _ Call me.')).toEqual([])
})

it('the first cut leaves out a marked try with its reason and a switch, and keeps it as an alternate', () => {
  const script = 'Find three things today. Find three things today. Call me.'
  const cut = (text: string) => {
    const { words, log, lengthMs } = recorded(text)
    const sources = [take(lengthMs)]
    const recipe = firstCut({ sources, words, silences: [], logs: new Map([['a', log]]), script, brand, style: 1 })
    return { recipe, kept: texts(spokenWords(recipe).map(({ word }) => word)) }
  }
  // The script says it twice, so words alone do not tell; and the try that was given up has fewer faults.
  const { recipe, kept } = cut('Find three things today. * Find um three um things today. Call me.')
  expect(kept).toBe('Find three things today. Call me.')
  expect(recipe.removed.find(({ reason }) => reason === 'broken-off')).toMatchObject({
    why: 'The officer pressed “Again from here” after: “Find three things today.”.',
    by: 'rule',
    on: true,
  })
  expect(saidAgain(recipe).map(({ tries }) => tries.map(({ isIn }) => isIn))).toEqual([[false, true]])
  expect(cut('Find three things today. | Find three things today. Call me.').kept).toBe(
    'Find three things today. Find three things today. Call me.',
  )
})
