import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brand, take } from '../../test/take.ts'
import { captionTrack } from '../caption-track.ts'
import { passagesOf } from '../passages.ts'
import { readRecipe } from '../read-recipe.ts'
import { wholeRecipe, type Recipe } from '../recipe.ts'
import { segmentsOf, spokenWords, timelineOf, windowsOf } from '../timeline.ts'
import { cutStretch, cutWords } from './cuts.ts'
import { addTitle } from './titles.ts'
import { movePieces, moveWords, stepWords } from './order.ts'
import { splitAt } from './trims.ts'

const sentences = ['Rates moved again.', 'That is good news.', 'Call me today.', 'Bye now.']
/** Two takes of eight seconds; in the first four sentences, a word every half second. */
const recipe: Recipe = {
  ...wholeRecipe([take(8000), take(8000, { id: 'b', assetId: 'y' })], brand),
  words: sentences
    .join(' ')
    .split(' ')
    .map((text, i) => ({
      id: `w${i}`,
      source: 'a',
      start: 200 + i * 500,
      end: 500 + i * 500,
      text,
      confidence: 1,
      origin: 'script' as const,
    })),
}
const said = (one: Recipe) =>
  spokenWords(one)
    .map(({ word }) => word.text)
    .join(' ')
const ids = (from: number, to = from) => Array.from({ length: to - from + 1 }, (_, i) => `w${from + i}`)
const playedOf = (one: Recipe) => timelineOf(one).pieces.map(({ source, from, to }) => `${source} ${from} ${to}`)

test('a sentence changes places with the one before it or after it, and back', () => {
  const later = stepWords(ids(0, 2), 1)(recipe)
  expect(said(later)).toBe('That is good news. Rates moved again. Call me today. Bye now.')
  const last = stepWords(ids(0, 2), 1)(stepWords(ids(0, 2), 1)(later))
  expect(said(last)).toBe('That is good news. Call me today. Bye now. Rates moved again.')
  // The second take has no words: nobody is heard after it.
  expect(stepWords(ids(0, 2), 1)(last)).toBe(last)
  expect(said(stepWords(ids(0, 2), -1)(later))).toBe(said(recipe))
  expect(stepWords(ids(0, 2), -1)(recipe)).toBe(recipe)
  expect(timelineOf(last).frames).toBe(timelineOf(recipe).frames)
  expect(readRecipe(structuredClone(last)).problems).toBeUndefined()
})

test('words of a sentence go before the rest of it first, and words that are out stay behind nobody', () => {
  const cut = cutWords(['w1'])(recipe)
  expect(said(stepWords(['w2'], -1)(cut))).toMatch(/^again\. Rates That is/)
  expect(stepWords(['w1'], 1)(cut)).toBe(cut)
  expect(said(moveWords(ids(7, 9), 'w0')(cut))).toMatch(/^Call me today\. Rates again\. That/)
  expect(said(moveWords(ids(0, 2), null)(recipe))).toMatch(/Bye now\. Rates moved again\.$/)
  // Before itself, or beside itself, it is already.
  expect(moveWords(ids(3, 6), 'w4')(recipe)).toBe(recipe)
  expect(moveWords(ids(3, 6), 'w7')(recipe)).toBe(recipe)
})

test('the transcript reads in the order of playing, and captions and what lies over words go along', () => {
  const titled = addTitle({ title: 'Call', line: '' }, { source: 'a', start: 3700, end: 5100 })(recipe)
  const [before] = windowsOf(timelineOf(titled), titled.layers[0]!.span!)
  const moved = moveWords(ids(7, 9), 'w0')(titled)
  expect(moved.layers).toBe(titled.layers)
  const [after, ...parts] = windowsOf(timelineOf(moved), moved.layers[0]!.span!)
  // The title is longer than its sentence: its rest stays with the words that follow there.
  expect(after!.from).toBeLessThan(before!.from)
  expect(after!.to - after!.from + parts.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(
    before!.to - before!.from,
  )
  const read = passagesOf(moved).flatMap(({ tokens }) => tokens.flatMap((one) => (one.kind === 'word' ? one.text : [])))
  expect(read.join(' ')).toBe(said(moved))
  const { pages } = captionTrack(moved, (text) => text.length / 2)
  expect(pages[0]!.lines.flat()[0]).toMatchObject({ id: 'w7' })
  for (const [i, page] of pages.entries()) expect(page.from).toBeGreaterThanOrEqual(pages[i - 1]?.to ?? 0)
})

test('any passages moved anywhere are played as asked, whole, and moved back they are as before', () => {
  const stretch = fc.tuple(fc.nat(460), fc.integer({ min: 1, max: 60 }))
  const asked = fc.tuple(
    fc.array(stretch, { maxLength: 5 }),
    fc.array(fc.nat(460), { maxLength: 5 }),
    fc.array(fc.tuple(fc.nat(9), fc.nat(3), fc.nat(10)), { minLength: 1, maxLength: 5 }),
  )
  let times = 0
  fc.assert(
    fc.property(asked, ([cuts, splits, moves]) => {
      let now = cuts.reduce((one, [from, length]) => cutStretch(from, from + length)(one), recipe)
      now = splits.reduce((one, frame) => splitAt(frame)(one), now)
      for (const [first, more, before] of moves) {
        const last = first + more
        const old = playedOf(now)
        const next = movePieces(first, last, before)(now)
        if (next === now) continue
        times++
        const block = old.slice(first, last + 1)
        const rest = old.toSpliced(first, block.length)
        const place = before < first ? before : before - block.length
        expect(playedOf(next)).toEqual(rest.toSpliced(place, 0, ...block))
        expect(readRecipe(structuredClone(next)).problems).toBeUndefined()
        const timeline = timelineOf(next)
        expect(timeline.frames).toBe(timelineOf(now).frames)
        expect({ ...next, keep: [] }).toEqual({ ...now, keep: [] })
        // What is rendered covers the video without a gap.
        let at = 0
        for (const segment of segmentsOf(next, { longest: 60 })) {
          expect(segment.at).toBe(at)
          at += segment.frames
        }
        expect(at).toBe(timeline.frames)
        const back = movePieces(place, place + block.length - 1, before < first ? last + 1 : first)(next)
        expect(playedOf(back)).toEqual(old)
        now = next
      }
    }),
    { numRuns: 300 },
  )
  expect(times).toBeGreaterThan(100)
})
