import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brand, take } from '../../test/take.ts'
import { captionTrack } from '../caption-track.ts'
import { readRecipe } from '../read-recipe.ts'
import { wholeRecipe, type Recipe } from '../recipe.ts'
import { breakBefore } from './captions.ts'
import {
  findInCaptions,
  pageText,
  shownWords,
  replaceInCaptions,
  setPageStart,
  textsByWord,
  wordAt,
  wordsOfPage,
  writePage,
} from './caption-pages.ts'

const said = 'Rates moved again. Your rate may change this week, so call me.'.split(' ')
const recipe: Recipe = {
  ...wholeRecipe([take(8000)], brand, 1),
  words: said.map((text, i) => ({
    id: `w${i}`,
    source: 'a',
    start: 300 + i * 500,
    end: 750 + i * 500,
    text,
    confidence: 1,
    origin: 'script' as const,
  })),
}
/** The same in two lines. */
const two: Recipe = { ...recipe, captions: { ...recipe.captions, style: 3 } }
/** Every letter is half as wide as it is high. */
const measure = (text: string) => text.length * 0.5
const pagesOf = (from: Recipe) => captionTrack(from, measure).pages
const texts = (from: Recipe) => pagesOf(from).map((page) => pageText(from, wordsOfPage(from, page)))

test('a text that is written over a page goes to its words, one by one', () => {
  expect(textsByWord(['Rates', 'moved', 'again.'], 'Rates fell again.')).toEqual(['Rates', 'fell', 'again.'])
  expect(textsByWord(['Rates', 'moved', 'again.'], 'Mortgage rates moved')).toEqual(['Mortgage rates', 'moved', ''])
  expect(textsByWord(['call', 'me.'], 'call me today.')).toEqual(['call', 'me today.'])
  expect(textsByWord(['call', 'me.'], 'please call me.')).toEqual(['please call', 'me.'])
  expect(textsByWord(['call', 'me.'], '')).toEqual(['', ''])
  // A word that had become two keeps both.
  expect(textsByWord(['Mortgage rates', 'moved'], 'Mortgage rates fell')).toEqual(['Mortgage rates', 'fell'])
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd e'), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(words, words, (old, now) => {
      expect(textsByWord(old, now.join(' ')).filter(Boolean).join(' ')).toBe(now.join(' '))
    }),
  )
})

test('a page is written like words of the transcript, and back again nothing is left of it', () => {
  const [first] = pagesOf(recipe)
  const before = shownWords(recipe, wordsOfPage(recipe, first!))
  const written = writePage(before, 'Mortgage rates moved again.')(recipe)
  expect(written.captions.overrides).toEqual({ w0: { text: 'Mortgage rates' } })
  expect(texts(written)[0]).toContain('Mortgage rates')
  // Letter by letter it is always the page as it was that is written over.
  const letters = ['Rates moved again', '', 'M', 'Rates moved again.'].reduce(
    (now, text) => writePage(before, text)(now),
    written,
  )
  expect(letters.captions).toEqual(recipe.captions)
  expect(writePage(before, 'Rates moved again.')(recipe)).toBe(recipe)
  const asked = { ...recipe, words: recipe.words.map((word) => ({ ...word, confidence: 0.2 })) }
  expect(writePage(before, 'Mortgage rates moved again.')(asked).words.map(({ confidence }) => confidence < 1)).toEqual(
    recipe.words.map(({ id }) => id !== 'w0'),
  )
  expect(readRecipe(structuredClone(written)).problems).toBeUndefined()
})

test('a page is split before a word, and joined over the end of a sentence as far as it fits', () => {
  expect(texts(recipe)[0]).toBe('Rates moved again.')
  const split = breakBefore('w2', 'page')(recipe)
  expect(texts(split).slice(0, 2)).toEqual(['Rates moved', 'again.'])
  const joined = breakBefore('w3', 'joined')(two)
  expect(texts(two)[0]).toBe('Rates moved again.')
  expect(texts(joined)[0]).toMatch(/^Rates moved again\. Your/)
  expect(readRecipe(structuredClone(joined)).problems).toBeUndefined()
  // A page that would hold more than its lines do stays two.
  const long: Recipe = { ...joined, captions: { ...joined.captions, size: 2 } }
  expect(texts(long).join(' ')).toBe(said.join(' '))
})

test('a place in the text of a page is the word before which it is split', () => {
  const words = shownWords(recipe, recipe.words.slice(0, 3))
  const places = [0, 3, 5, 6, 8, 12, 18].map((place) => wordAt(words, 'Rates moved again.', place))
  expect(places).toEqual([null, null, 'w1', 'w1', 'w1', 'w2', null])
  // A word that became two is not parted.
  expect(wordAt(words, 'Mortgage rates moved again.', 9)).toBe('w1')
})

test('the end of a page is drawn from word to word, and both pages keep one', () => {
  const pages = pagesOf(two)
  const second = pages[1]!.lines.flat()
  const later = setPageStart(pages, 1, second[1]!.from)(two)
  expect(wordsOfPage(later, pagesOf(later)[1]!)[0]!.id).toBe(second[1]!.id)
  const back = setPageStart(pagesOf(later), 1, second[0]!.from)(later)
  expect(texts(back)).toEqual(texts(two))
  // Within one way of the hand the pages are those from its beginning: it leads out and back.
  expect(texts(setPageStart(pages, 1, second[0]!.from)(later))).toEqual(texts(two))
  const far = setPageStart(pages, 1, 10_000)(two)
  expect(wordsOfPage(far, pagesOf(far)[1]!)[0]!.id).toBe(second.at(-1)!.id)
  const first = setPageStart(pages, 1, 0)(two)
  expect(wordsOfPage(first, pagesOf(first)[0]!)).toHaveLength(1)
  expect(setPageStart(pages, 0, 50)(two)).toBe(two)
  expect(setPageStart(pages, 1, second[0]!.from)(two)).toBe(two)
})

test('find and replace meets whole words of any case, and keeps the punctuation around them', () => {
  expect(findInCaptions(recipe, 'rates')).toEqual([['w0']])
  expect(findInCaptions(recipe, 'week so')).toEqual([['w8', 'w9']])
  expect(findInCaptions(recipe, 'rat')).toEqual([])
  expect(findInCaptions(recipe, ' … ')).toEqual([])
  const replaced = replaceInCaptions('this week', 'in the next two weeks')(recipe)
  expect(pageText(replaced, replaced.words)).toBe(
    'Rates moved again. Your rate may change in the next two weeks, so call me.',
  )
  expect(pageText(recipe, replaceInCaptions('me', 'us')(recipe).words)).toBe(said.join(' '))
  expect(pageText(replaceInCaptions('me', 'us')(recipe), recipe.words)).toMatch(/so call us\.$/)
  // What was written in a word’s place is found, too, and a text that ends up as it was heard leaves no trace.
  const written = writePage([{ id: 'w0', text: 'Rates' }], 'Mortgage rates')(recipe)
  expect(findInCaptions(written, 'mortgage rates moved')).toEqual([['w0', 'w1']])
  expect(replaceInCaptions('mortgage rates', 'Rates')(written).captions).toEqual(recipe.captions)
  expect(replaceInCaptions('nobody', 'somebody')(recipe)).toBe(recipe)
  expect(pageText(replaceInCaptions('again', '')(recipe), recipe.words)).toBe(
    'Rates moved Your rate may change this week, so call me.',
  )
})
