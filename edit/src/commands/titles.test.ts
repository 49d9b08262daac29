import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brand, take } from '../../test/take.ts'
import { captionTrack } from '../caption-track.ts'
import { readRecipe } from '../read-recipe.ts'
import { sizeOf, titleMotions, titlePlaces, wholeRecipe, type Recipe } from '../recipe.ts'
import { safeArea } from '../safe-area.ts'
import { timelineOf, windowsOf } from '../timeline.ts'
import { chooseMusic, setMusic } from './ending.ts'
import { coverWords, moveLayer, placedOf, removeLayer, setLayerEdge, switchLayer } from './layers.ts'
import { addPinned, pinnedOf, setPinned } from './pictures.ts'
import { addTitle, setTitle, titlesOf } from './titles.ts'

const recipe: Recipe = {
  ...wholeRecipe([take(12_000)], brand),
  words: Array.from({ length: 20 }, (_, i) => ({
    id: `w${i}`,
    source: 'a',
    start: 500 + i * 500,
    end: 900 + i * 500,
    text: 'word',
    confidence: 1,
    origin: 'script' as const,
  })),
}
const [source] = recipe.sources
const span = (start: number, end: number) => ({ source: source!.id, start, end })
const text = { title: 'Ana Ray', line: 'Harbor Point Lending' }
const measure = (words: string) => words.length * 0.52

test('a title stands over its words, and long enough to be read', () => {
  const titled = addTitle(text, span(1000, 1400))(recipe)
  expect(titlesOf(titled)).toMatchObject([{ ...text, on: true, span: { start: 1000, end: 4000 } }])
  expect(titlesOf(addTitle(text, span(11_000, 11_400))(recipe))[0]!.span!.end).toBe(12_000)
  const long = addTitle({ title: 'x'.repeat(200), line: '' }, span(0, 5000))(recipe)
  expect(readRecipe(long).problems).toBeUndefined()
})

test('one title stands at a time: a new one takes its place, and ends stop at their neighbours', () => {
  const two = addTitle({ title: 'Second', line: '' }, span(3000, 6000))(addTitle(text, span(1000, 5000))(recipe))
  expect(titlesOf(two).map((one) => [one.title, one.span!.start, one.span!.end])).toEqual([
    ['Ana Ray', 1000, 3000],
    ['Second', 3000, 6000],
  ])
  const [first] = titlesOf(two)
  expect(setLayerEdge(first!.id, 'to', 150)(two)).toBe(two)
  expect(titlesOf(setLayerEdge(first!.id, 'to', 60)(two))[0]!.span).toEqual(span(1000, 2000))
  // B-roll under it is another matter.
  expect(placedOf(coverWords(['w1', 'w2'], { assetId: 'x', durationMs: null })(two))).toHaveLength(3)
})

test('a title is painted while it is seen, at its place, within the safe area', () => {
  const frame = sizeOf(recipe)
  const safe = safeArea(frame)
  const tops = titlePlaces.map((place) => {
    const titled = addTitle(text, span(1000, 4000))(recipe)
    const placed = setTitle(titlesOf(titled)[0]!.id, { place })(titled)
    const { states } = captionTrack({ ...placed, words: [] }, measure)
    const [shown] = states.filter(({ thirds }) => thirds.length > 0)
    expect([shown!.from, shown!.to]).toEqual([30, 120])
    const { plate, rows } = shown!.thirds[0]!
    expect(rows.map((row) => row.y > plate.y && row.y < plate.y + plate.height)).toEqual([true, true])
    expect(plate.x).toBeGreaterThanOrEqual(safe.x - 1)
    expect(plate.y).toBeGreaterThanOrEqual(safe.y - 1)
    expect(plate.x + plate.width).toBeLessThanOrEqual(safe.x + safe.width + 1)
    expect(plate.y + plate.height).toBeLessThanOrEqual(safe.y + safe.height + 1)
    return plate.y
  })
  expect(tops.toSorted((a, b) => b - a)).toEqual(tops)
  expect(new Set(tops).size).toBe(3)
})

test('captions make room for a title at the bottom, and none for one at the top', () => {
  const titled = addTitle(text, span(1000, 4000))(recipe)
  const high = setTitle(titlesOf(titled)[0]!.id, { place: 'top-left' })(titled)
  const top = (one: Recipe) => captionTrack(one, measure).pages[0]!.box.y
  expect(top(titled)).toBeLessThan(top(recipe))
  expect(top(high)).toBe(top(recipe))
})

test('a picture lies over its words or over the whole video, and a logo never fills it', () => {
  const pinned = addPinned('logo', 'logo', null)(addPinned('picture', 'photo', span(1000, 2000))(recipe))
  const [photo, logo] = pinnedOf(pinned)
  expect(windowsOf(timelineOf(pinned), photo!.span!)).toEqual([{ from: 30, to: 60 }])
  expect(pinnedOf(setPinned(photo!.id, { place: 'full', size: 9 })(pinned))[0]).toMatchObject({
    place: 'full',
    size: 1,
  })
  expect(setPinned(logo!.id, { place: 'full' })(pinned)).toBe(pinned)
  expect(pinnedOf(setPinned(logo!.id, { place: 'centre', size: 0 })(pinned))[1]).toMatchObject({ size: 0.05 })
  const coming = setPinned(photo!.id, { motion: 'fade' })(pinned)
  expect(pinnedOf(coming)[0]).toMatchObject({ motion: 'fade', place: 'top-left' })
  expect(setPinned(photo!.id, { motion: 'fade' })(coming)).toBe(coming)
  expect(setPinned(photo!.id, { motion: undefined })(coming)).toEqual(pinned)
})

test('music is chosen with a level under the voice, keeps it with another piece, and stays within its ranges', () => {
  const first = chooseMusic('song')(recipe)
  expect(first.sound.music).toEqual({ assetId: 'song', gain: -12, duck: 12, fadeOutMs: 1500 })
  expect(chooseMusic('song')(first)).toBe(first)
  const loud = setMusic({ gain: 9, duck: 99, fadeOutMs: -5 })(first)
  expect(loud.sound.music).toEqual({ assetId: 'song', gain: 0, duck: 30, fadeOutMs: 0 })
  expect(readRecipe(loud).problems).toBeUndefined()
  expect(chooseMusic('other')(loud).sound.music).toEqual({ ...loud.sound.music, assetId: 'other' })
  expect(chooseMusic(null)(loud).sound.music).toBe(null)
  expect(setMusic({ gain: -20 })(recipe)).toBe(recipe)
})

test('after any commands on layers of every kind the recipe is valid, and the one before is as it was', () => {
  const step = fc.record({
    kind: fc.constantFrom('title', 'picture', 'cover', 'edge', 'move', 'text', 'pin', 'come', 'switch', 'remove'),
    a: fc.nat(13_000),
    b: fc.integer({ min: -400, max: 4000 }),
    flag: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      let now = recipe
      for (const { kind, a, b, flag } of steps) {
        const written = JSON.stringify(now)
        const id = now.layers[a % Math.max(1, now.layers.length)]?.id ?? ''
        const start = Math.min(a, 11_000)
        const place = titlePlaces[a % 3]!
        const command = {
          title: () =>
            addTitle({ title: `Title ${a}`, line: flag ? 'x' : '' }, span(start, start + Math.max(1, b % 900))),
          picture: () => addPinned(flag ? 'logo' : 'picture', 'photo', flag ? null : span(start, start + 800)),
          cover: () => coverWords([`w${a % 20}`], { assetId: 'clip', durationMs: flag ? null : 900 }),
          edge: () => setLayerEdge(id, flag ? 'from' : 'to', b),
          move: () => moveLayer(id, b % 90),
          text: () => setTitle(id, flag ? { title: `Other ${b}` } : { place }),
          pin: () => setPinned(id, flag ? { size: b / 1000 } : { place: a % 2 ? 'full' : 'centre' }),
          come: () => setPinned(id, { motion: [undefined, ...titleMotions][a % 5] }),
          switch: () => switchLayer(id, flag),
          remove: () => removeLayer(id),
        }[kind]()
        const next = command(now)
        expect(JSON.stringify(now)).toBe(written)
        if (next !== now) expect(JSON.stringify(next)).not.toBe(written)
        now = next
        expect(readRecipe(JSON.parse(JSON.stringify(now)))).toEqual({ recipe: now })
        const titles = titlesOf(now).flatMap((one) => (one.span ? [one.span] : []))
        for (const [i, one] of titles.entries())
          for (const other of titles.slice(i + 1)) expect(one.end <= other.start || other.end <= one.start).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})
