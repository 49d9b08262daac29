import fc from 'fast-check'
import { expect, it } from 'vitest'
import { brand, take } from '../test/take.ts'
import { frameAt, msAt, type Fps } from './frames.ts'
import { readRecipe } from './read-recipe.ts'
import { wholeRecipe, type Recipe } from './recipe.ts'
import { placesOf, segmentsOf, shownAt, spokenWords, timelineOf, windowsOf } from './timeline.ts'

const rates = [
  { num: 24, den: 1 },
  { num: 30000, den: 1001 },
  { num: 30, den: 1 },
  { num: 60000, den: 1001 },
] satisfies Fps[]

const length = 60_000
const span = fc
  .tuple(fc.integer({ min: 0, max: length - 200 }), fc.integer({ min: 100, max: 9000 }))
  .map(([start, long]) => ({ source: 'a', start, end: Math.min(length, start + long) }))

/** Any recipe of one source, kept once: cut, split, faded and moved at random. */
const recipes = fc
  .record({
    fps: fc.constantFrom(...rates),
    split: fc.integer({ min: 200, max: length - 200 }),
    removed: fc.array(span, { maxLength: 12 }),
    on: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    words: fc.array(span, { maxLength: 40 }),
    moves: fc.array(fc.tuple(span, fc.boolean()), { maxLength: 5 }),
    fades: fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 12, maxLength: 12 }),
    cards: fc.tuple(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 0, max: 4000 })),
    broll: span,
  })
  .map(({ fps, split, removed, on, words, moves, fades, cards, broll }): Recipe => {
    const whole = wholeRecipe([take(length, { fps })], brand)
    const card = (lengthMs: number) => (lengthMs ? { on: true, lengthMs, title: 'Ada', call: 'Call' } : null)
    return {
      ...whole,
      keep: [
        { id: 'k1', source: 'a', start: 0, end: split },
        { id: 'k2', source: 'a', start: split, end: length },
      ],
      removed: removed.map((one, i) => ({ ...one, id: `r${i}`, reason: 'silence', by: 'rule', why: 'x', on: on[i]! })),
      joints: removed.map((one, i) => ({
        id: `j${i}`,
        source: 'a',
        at: one.start,
        kind: 'crossfade',
        lengthMs: fades[i]!,
      })),
      words: words
        .toSorted((a, b) => a.start - b.start)
        .map((one, i) => ({ ...one, id: `w${i}`, text: 'word', confidence: 1, origin: 'script' })),
      moves: moves.map(([one, push], i) => ({
        ...one,
        id: `m${i}`,
        kind: push ? 'push' : 'punch-in',
        scale: 1.2,
        focus: null,
        by: 'rule',
        why: 'x',
        on: true,
      })),
      layers: [{ id: 'b', kind: 'b-roll', assetId: 'y', fromMs: 0, focus: { x: 0.5, y: 0.5 }, span: broll, on: true }],
      open: card(cards[0]),
      close: card(cards[1]),
      output: { ...whole.output, fps },
    }
  })
  .filter((recipe) => timelineOf(recipe).pieces.length > 0)

const check = (property: fc.IRawProperty<any>, numRuns = 150) => fc.assert(property, { numRuns })

it('frames convert to milliseconds and back without loss, in order', () => {
  check(
    fc.property(fc.constantFrom(...rates), fc.nat(5_000_000), fc.nat(5_000_000), (fps, a, b) => {
      expect(frameAt(msAt(a, fps), fps)).toBe(a)
      expect(frameAt(Math.min(a, b), fps)).toBeLessThanOrEqual(frameAt(Math.max(a, b), fps))
    }),
  )
})

it('the recipes generated for these tests are valid', () => {
  check(
    fc.property(recipes, (recipe) => {
      expect(readRecipe(structuredClone(recipe)).problems).toBe(undefined)
    }),
    50,
  )
})

it('each kept frame is shown exactly once, in order, and maps back to its source frame', () => {
  check(
    fc.property(recipes, (recipe) => {
      const timeline = timelineOf(recipe)
      const wrong: unknown[] = []
      for (const piece of timeline.pieces)
        for (let frame = piece.from; frame < piece.to; frame += 7) {
          const places = placesOf(timeline, 'a', frame)
          if (places.length !== 1 || !shownAt(timeline, places[0]!).some((one) => one.frame === frame))
            wrong.push(frame)
        }
      for (let at = timeline.open; at < timeline.frames - timeline.close; at += 7) {
        const shown = shownAt(timeline, at)
        if (shown.length !== 1 && shown.length !== 2) wrong.push(at)
        for (const one of shown) if (placesOf(timeline, 'a', one.frame).join() !== `${at}`) wrong.push(at)
      }
      expect(wrong).toEqual([])
      // Nothing is lost: kept frames and removed frames are all there are.
      const gone = new Set<number>()
      for (const one of recipe.removed.filter((r) => r.on))
        for (let f = frameAt(one.start, timeline.fps); f < frameAt(one.end, timeline.fps); f++) gone.add(f)
      const lengths = timeline.pieces.reduce((sum, piece) => sum + piece.to - piece.from, 0)
      expect(lengths + gone.size).toBe(frameAt(length, timeline.fps))
    }),
    60,
  )
})

it('segments follow each other without gaps and add up to the video', () => {
  check(
    fc.property(recipes, fc.option(fc.integer({ min: 30, max: 300 }), { nil: undefined }), (recipe, longest) => {
      const timeline = timelineOf(recipe)
      let at = 0
      for (const segment of segmentsOf(recipe, { longest })) {
        expect(segment.at).toBe(at)
        expect(segment.frames).toBeGreaterThan(0)
        if (longest && segment.kind === 'shot') expect(segment.frames).toBeLessThanOrEqual(1.5 * longest)
        if (segment.kind === 'shot') expect(placesOf(timeline, 'a', segment.shot.from)).toEqual([at])
        at += segment.frames
      }
      expect(at).toBe(timeline.frames)
    }),
  )
})

it('a push and a layer continue evenly across the cuts within them', () => {
  check(
    fc.property(recipes, (recipe) => {
      const segments = segmentsOf({ ...recipe, joints: [], moves: recipe.moves.slice(0, 1) })
      let near = 1
      for (const segment of segments) {
        if (segment.kind !== 'shot' || !segment.shot.zoom || recipe.moves[0]!.kind !== 'push') continue
        expect(segment.shot.zoom.from).toBeCloseTo(near, 9)
        expect(segment.shot.zoom.to).toBeGreaterThan(near)
        near = segment.shot.zoom.to
      }
      expect(near === 1 || Math.abs(near - 1.2) < 1e-9).toBe(true)
      let shown = 0
      for (const { overlays } of segments)
        for (const overlay of overlays) {
          expect(overlay.shown).toBe(shown)
          shown += overlay.to - overlay.from
        }
      const windows = windowsOf(timelineOf({ ...recipe, joints: [] }), recipe.layers[0]!.span!)
      expect(shown).toBe(windows.reduce((sum, window) => sum + window.to - window.from, 0))
    }),
  )
})

it('each kept word is spoken exactly once, within the piece it belongs to', () => {
  check(
    fc.property(recipes, (recipe) => {
      const timeline = timelineOf(recipe)
      const spoken = spokenWords(recipe, timeline)
      for (const { word, from, to, piece } of spoken) {
        const { at, from: first, to: last } = timeline.pieces[piece]!
        expect(from >= at && to <= at + last - first && from < to).toBe(true)
        expect(recipe.words.includes(word)).toBe(true)
      }
      const middle = (word: { start: number; end: number }) => frameAt((word.start + word.end) / 2, timeline.fps)
      const heard = recipe.words.filter((word) => placesOf(timeline, 'a', middle(word)).length > 0)
      expect(spoken.map(({ word }) => word.id).toSorted()).toEqual(heard.map(({ id }) => id).toSorted())
    }),
  )
})

it('a joint crossfades while its passage is removed, and does nothing once the passage is back', () => {
  const whole = wholeRecipe(
    [{ id: 'a', assetId: 'x', name: 'a', durationMs: 10_000, width: 1, height: 1, fps: rates[2]!, hasSound: true }],
    brand,
  )
  const removed = {
    id: 'r',
    source: 'a',
    start: 4000,
    end: 6000,
    reason: 'silence',
    by: 'rule',
    why: '',
    on: true,
  } as const
  const faded: Recipe = {
    ...whole,
    removed: [removed],
    joints: [{ id: 'j', source: 'a', at: 5000, kind: 'crossfade', lengthMs: 500 }],
  }
  expect(segmentsOf(faded).map(({ kind, frames }) => [kind, frames])).toEqual([
    ['shot', 105],
    ['crossfade', 15],
    ['shot', 105],
  ])
  expect(segmentsOf({ ...faded, removed: [{ ...removed, on: false }] }).map(({ frames }) => frames)).toEqual([300])
})
