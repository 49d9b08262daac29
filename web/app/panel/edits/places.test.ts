import { expect, test } from 'vitest'
import { addGain } from '@clear-to-post/edit/commands/sound'
import { splitAt } from '@clear-to-post/edit/commands/trims'
import { flatten, passagesOf } from '@clear-to-post/edit/passages'
import { wholeRecipe } from '@clear-to-post/edit/recipe'
import { brand, take } from '../../../../edit/test/take.ts'
import { placesOf } from './places.ts'
import { carried, selectedTokens } from './selection.ts'
import { wordsAround } from './sentence.ts'

const source = take(20_000, { id: 's1', assetId: 'a1' })
const texts = 'Rates moved. At the closing, you get the keys! The rates are good.'.split(' ')
const recipe = {
  ...wholeRecipe([source], brand),
  words: texts.map((text, i) => {
    const times = { start: 500 + i * 400, end: 800 + i * 400 }
    return { id: `w${i}`, source: 's1', ...times, text, confidence: 1, origin: 'script' as const }
  }),
}
const flat = flatten(passagesOf(recipe))

test('words are found whatever is written big or with a comma, by the beginning of the last one', () => {
  expect(placesOf(flat, 'rates').map(({ text, after }) => `${text} | ${after}`)).toEqual([
    'Rates | moved. At the closing,',
    'rates | are good.',
  ])
  const [place, ...others] = placesOf(flat, ' the CLOSING yo ')
  expect(others).toEqual([])
  expect(place).toMatchObject({ text: 'the closing, you', before: 'Rates moved. At', after: 'get the keys! The' })
  const keys = flat.map(({ key }) => key)
  expect([keys.indexOf(place!.anchor), keys.indexOf(place!.focus)]).toEqual([3, 5])
  for (const nothing of ['', '  ', '…', 'clo you']) expect(placesOf(flat, nothing)).toEqual([])
})

test('the sentence around a word ends with its full stop', () => {
  const [place] = placesOf(flat, 'keys')
  const words = flat.filter((token) => token.kind === 'word' && token.key === place!.anchor) as never
  expect(wordsAround(flat, words).map(({ word }) => word.text)).toEqual(texts.slice(2, 9))
  expect(wordsAround(flat, [])).toEqual([])
})

test('a selection stays on its words when their passage is parted or made louder', () => {
  const [place] = placesOf(flat, 'get the keys')
  const louder = addGain([1], 2)(splitAt(90)(recipe))
  const now = flatten(passagesOf(louder))
  expect(now.some(({ key }) => key === place!.anchor)).toBe(false)
  const words = selectedTokens(now, carried(now, place!)).map((token) =>
    token.kind === 'word' ? token.text : token.kind,
  )
  expect(words).toEqual(['get', 'the', 'keys!'])
  expect(carried(flat, place!)).toBe(place)
  expect(carried(flat, null)).toBe(null)
})
