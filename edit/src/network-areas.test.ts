import { expect, test } from 'vitest'
import { brand, take } from '../test/take.ts'
import { captionTrack } from './caption-track.ts'
import { setCaptions } from './commands/captions.ts'
import { addPinned, setPinned } from './commands/pictures.ts'
import { finishFindings } from './finish-check.ts'
import { coveredBy, isCovered, networks } from './network-areas.ts'
import { sizeOf, wholeRecipe, type Recipe } from './recipe.ts'
import { timelineOf } from './timeline.ts'

const recipe: Recipe = {
  ...wholeRecipe([take(4000)], brand),
  words: ['Rates', 'moved', 'again.'].map((text, i) => ({
    id: `w${i}`,
    source: 'a',
    start: 1000 + i * 400,
    end: 1300 + i * 400,
    text,
    confidence: 1,
    origin: 'script' as const,
  })),
}
const frame = sizeOf(recipe)
const measure = (text: string) => text.length * 0.5
const found = (one: Recipe) => {
  const timeline = timelineOf(one)
  const { pages } = captionTrack(one, measure, timeline)
  return finishFindings(one, timeline, { pages, networks }).filter(({ kind }) => kind === 'under-app')
}

test('every network draws within the frame of an upright video, and nothing over other shapes', () => {
  for (const network of networks) {
    const covered = coveredBy(network, '9:16', frame)
    expect(covered.map(({ by }) => by)).toEqual(['top', 'words', 'buttons'])
    for (const { x, y, width, height } of covered) {
      expect(Math.min(x, y, width, height)).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(frame.width + 1e-6)
      expect(y + height).toBeLessThanOrEqual(frame.height + 1e-6)
    }
    expect(coveredBy(network, '16:9', frame)).toEqual([])
    expect(isCovered(network, '9:16', frame, { x: 1000, y: 1200, width: 60, height: 60 })).toBe(true)
    expect(isCovered(network, '9:16', frame, { x: 200, y: 1200, width: 60, height: 60 })).toBe(false)
  }
})

test('captions in their own place and a logo at the top are clear of every network’s words and buttons', () => {
  expect(found(recipe)).toEqual([])
  expect(found(setCaptions({ position: 1, size: 2, style: 3 })(recipe))).toEqual([])
  expect(found(addPinned('logo', 'logo', null)(recipe))).toEqual([])
})

test('a large picture that reaches under the buttons is found where it begins, and only for a chosen network', () => {
  const span = { source: 'a', start: 1000, end: 2000 }
  const placed = addPinned('picture', 'photo', span)(recipe)
  const [{ id }] = placed.layers as [Recipe['layers'][0]]
  const low = setPinned(id, { place: 'centre', size: 0.9 })(placed)
  expect(found(low)).toEqual([{ kind: 'under-app', frames: [30] }])
  expect(found(setPinned(id, { size: 0.4 })(low))).toEqual([])
  expect(finishFindings(low).map(({ kind }) => kind)).not.toContain('under-app')
})
