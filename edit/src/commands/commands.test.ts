import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brand, take } from '../../test/take.ts'
import { problemsOf, wholeRecipe, type Recipe, type Removed } from '../recipe.ts'
import { isOut } from '../removals.ts'
import { spokenWords, timelineOf } from '../timeline.ts'
import { breakBefore, chooseEmoji } from './captions.ts'
import { cutStretch, cutWords, restoreWords, spanOfWords, switchReason, switchRemoval, toggleWords } from './cuts.ts'
import { acceptWords, correctWord, writeOut } from './words.ts'

const source = take(20_000, { id: 's1', assetId: 'a1' })

/** Words of 300 ms every 400 ms. */
const spoken = (text: string): Recipe => ({
  ...wholeRecipe([source], brand),
  words: text.split(' ').map((word, i) => ({
    id: `w${i + 1}`,
    source: 's1',
    start: 1000 + i * 400,
    end: 1300 + i * 400,
    text: word,
    confidence: 0.9,
    origin: 'script' as const,
  })),
})
const heard = (recipe: Recipe) =>
  spokenWords(recipe)
    .map(({ word }) => word.text)
    .join(' ')
const removal = (part: Partial<Removed>): Removed => ({
  id: 'r1',
  source: 's1',
  start: 0,
  end: 1,
  reason: 'filler',
  by: 'rule',
  why: 'Filler: “um”.',
  on: true,
  ...part,
})
const recipe = spoken('Rates um fell again this week and so did payments')

test('cutting removes whole words and keeps the margins of their neighbours', () => {
  const cut = cutWords(['w4', 'w5'])(recipe)
  expect(heard(cut)).toBe('Rates um fell week and so did payments')
  const [one] = cut.removed
  expect(one).toMatchObject({ reason: 'by-hand', by: 'person', on: true, why: 'Taken out by hand: “again this”.' })
  // Between two words lie 100 ms: neither neighbour is touched.
  expect(one!.start).toBeGreaterThanOrEqual(2100)
  expect(one!.end).toBeLessThanOrEqual(3000)
  expect(problemsOf(cut)).toEqual([])
  expect(cutWords(['w4'])(cut)).toBe(cut)
})

test('a word can be restored alone, and the words cut with it stay out', () => {
  const cut = cutWords(['w2', 'w3', 'w4', 'w5', 'w6'])(recipe)
  const some = restoreWords(['w4'])(cut)
  expect(heard(some)).toBe('Rates again and so did payments')
  expect(some.removed).toHaveLength(2)
  expect(new Set(some.removed.map(({ id }) => id)).size).toBe(2)
  expect(heard(restoreWords(['w2', 'w3', 'w5', 'w6'])(some))).toBe(heard(recipe))
})

test('undoing a rule’s decision switches it off, and undoing a cut by hand deletes it', () => {
  const ruled = { ...recipe, removed: [removal({ start: 1350, end: 1780 })] }
  expect(heard(ruled)).not.toContain('um')
  const back = toggleWords(['w2'])(ruled)
  expect(back.removed).toEqual([removal({ start: 1350, end: 1780, on: false })])
  expect(switchRemoval('r1', true)(back)).toEqual(ruled)
  const byHand = cutWords(['w3'])(recipe)
  expect(switchRemoval(byHand.removed[0]!.id, false)(byHand).removed).toEqual([])
  expect(switchReason('filler', false)(ruled).removed[0]!.on).toBe(false)
  expect(switchReason('silence', false)(ruled)).toBe(ruled)
})

test('a stretch that contains cuts can be cut', () => {
  const cut = cutWords(['w2'])(recipe)
  const { frames } = timelineOf(cut)
  const shorter = cutStretch(30, 90)(cut)
  expect(timelineOf(shorter).frames).toBe(frames - 60)
  expect(problemsOf(shorter)).toEqual([])
  expect(cutStretch(frames, frames + 10)(cut)).toBe(cut)
})

test('a correction changes the caption only, and is removed without a trace', () => {
  const corrected = correctWord('w1', ' Mortgage  rates ')(recipe)
  expect(corrected.captions.overrides).toEqual({ w1: { text: 'Mortgage rates' } })
  expect(corrected.words).toBe(recipe.words)
  expect(correctWord('w1', '')(recipe).captions.overrides).toEqual({ w1: { text: '' } })
  const broken = breakBefore('w1', 'page')(corrected)
  expect(correctWord('w1', 'Rates')(broken).captions.overrides).toEqual({ w1: { break: 'page' } })
  expect(breakBefore('w1', null)(correctWord('w1', null)(broken)).captions.overrides).toEqual({})
  expect(chooseEmoji('w1', null)(chooseEmoji('w1', '🏠')(recipe)).captions.emoji).toEqual({})
  expect(correctWord('nobody', 'x')(recipe)).toBe(recipe)
})

test('typed words replace an unrecognised stretch, each with its share of the time', () => {
  const unknown = { text: '…', mark: 'off-script' as const, confidence: 0.3, origin: 'heard' as const }
  const [, one, two] = recipe.words
  const before = { ...recipe, words: recipe.words.with(1, { ...one!, ...unknown }).with(2, { ...two!, ...unknown }) }
  const after = writeOut([one!.id, two!.id], ' call  me – today 🏠 ')(before)
  expect(after.captions).toBe(before.captions)
  expect(after.words.slice(1, 4).map(({ text, start, end }) => [text, start, end])).toEqual([
    ['call', one!.start, one!.start + 150],
    ['me –', one!.start + 150, one!.end],
    ['today 🏠', two!.start, two!.end],
  ])
  expect(after.words[1]).toEqual({ ...after.words[1], id: one!.id, confidence: 1, origin: 'typed' })
  expect(after.words.some(({ mark, text }) => mark || text === '…')).toBe(false)
  expect(problemsOf(after)).toEqual([])
  const cut = cutWords([after.words[2]!.id])(after)
  expect(cut.words.filter((word) => isOut(cut, word)).map(({ text }) => text)).toEqual(['me –'])
  // More words than the time allows become a caption override.
  const crowded = writeOut([one!.id], 'a b c d e f g h i j')(before)
  expect(crowded.captions.overrides[one!.id]?.text).toBe('a b c d e f g h i j')
  expect(crowded.words[1]!.mark).toBeUndefined()
  expect(writeOut([one!.id], ' … ')(before)).toBe(before)
})

test('an accepted word is no longer marked for checking', () => {
  const marked = { ...recipe, words: recipe.words.map((word) => ({ ...word, mark: 'off-script' as const })) }
  const [first, second] = acceptWords(['w1'])(marked).words
  expect(first).toEqual({ ...recipe.words[0], confidence: 1 })
  expect(second!.mark).toBe('off-script')
  expect(spanOfWords(recipe, ['w3', 'w4'])).toEqual({ source: 's1', start: 1700, end: 2600 })
})

test('after any sequence of cuts and restorations exactly the cut words are out', () => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(9), fc.nat(9)), { maxLength: 12 })
  fc.assert(
    fc.property(steps, (list) => {
      const out = new Set<string>()
      let now = recipe
      for (const [cuts, a, b] of list) {
        const ids = recipe.words.slice(Math.min(a, b), Math.max(a, b) + 1).map(({ id }) => id)
        now = (cuts ? cutWords : restoreWords)(ids)(now)
        for (const id of ids)
          if (cuts) out.add(id)
          else out.delete(id)
        expect(problemsOf(now)).toEqual([])
      }
      expect(now.words.filter((word) => isOut(now, word)).map(({ id }) => id)).toEqual(
        now.words.filter(({ id }) => out.has(id)).map(({ id }) => id),
      )
    }),
    { numRuns: 200 },
  )
})
