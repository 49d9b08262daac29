import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRecipe } from '../read-recipe.ts'
import { problemsOf, wholeRecipe, type Recipe } from '../recipe.ts'
import { segmentsOf, timelineOf, windowsOf } from '../timeline.ts'
import { brand, take } from '../../test/take.ts'
import { layerKinds } from '../layer-kinds.ts'
import { lengthProblems } from '../render-length.ts'
import { cutWords, restoreWords } from './cuts.ts'
import { addEffect, addSticker } from './effects.ts'
import { addPinned } from './pictures.ts'
import {
  bRollOf,
  coverWords,
  focusLayer,
  moveLayer,
  removeLayer,
  setClipSound,
  setLayerEdge,
  setLayerSpeed,
  shownMs,
  slipLayer,
  stillMs,
  switchLayer,
  type ClipFile,
} from './layers.ts'

/** Two takes, each of ten words of 300 ms every 400 ms from 1 s on. */
const recipe: Recipe = {
  ...wholeRecipe([take(6000), take(6000, { id: 'b', assetId: 'y' })], brand),
  words: ['a', 'b'].flatMap((source) =>
    Array.from({ length: 10 }, (_, i) => ({
      id: `${source}${i + 1}`,
      source,
      start: 1000 + i * 400,
      end: 1300 + i * 400,
      text: 'word',
      confidence: 1,
      origin: 'script' as const,
    })),
  ),
}
const clip: ClipFile = { assetId: 'clip', durationMs: 10_000 }
const short: ClipFile = { assetId: 'short', durationMs: 1000 }
const still: ClipFile = { assetId: 'still', durationMs: null }
const frames = (from: Recipe, i = 0) => {
  const layer = bRollOf(from)[i]!
  return windowsOf(timelineOf(from), layer.span)
}

test('the own sound of B-roll is off until it is let in, within its range, and leaves nothing behind', () => {
  const covered = coverWords(
    recipe.words.map(({ id }) => id),
    { assetId: 'clip', durationMs: 60_000 },
  )(recipe)
  const [layer] = bRollOf(covered)
  expect(layer!.sound).toBeUndefined()
  const heard = setClipSound(layer!.id, {})(covered)
  expect(bRollOf(heard)[0]!.sound).toEqual({ gain: -12, duck: 8 })
  const loud = setClipSound(layer!.id, { gain: 99 })(heard)
  expect(bRollOf(loud)[0]!.sound).toEqual({ gain: 6, duck: 8 })
  expect(readRecipe(loud).recipe).toEqual(loud)
  expect(setClipSound(layer!.id, { gain: 7 })(loud)).toBe(loud)
  expect(setClipSound(layer!.id, null)(loud)).toEqual(covered)
  expect(setClipSound(layer!.id, null)(covered)).toBe(covered)
})

test('a clip covers the words that were chosen, from its beginning', () => {
  const covered = coverWords(['a3', 'a4', 'a5'], clip)(recipe)
  expect(bRollOf(covered)).toMatchObject([
    { kind: 'b-roll', assetId: 'clip', fromMs: 0, on: true, span: { source: 'a', start: 1800, end: 2900 } },
  ])
  expect(frames(covered)).toEqual([{ from: 54, to: 87 }])
  expect(readRecipe(structuredClone(covered)).problems).toBeUndefined()
})

test('words of two takes are covered one after the other, and the clip goes on', () => {
  const covered = coverWords(['a10', 'b1'], clip)(recipe)
  expect(bRollOf(covered).map(({ span, fromMs }) => [span.source, span.start, span.end, fromMs])).toEqual([
    ['a', 4600, 4900, 0],
    ['b', 1000, 1300, 300],
  ])
})

test('a clip shorter than its words covers as many as it lasts, and a still picture all of them', () => {
  const words = ['a1', 'a2', 'a3', 'a4', 'a5']
  const covered = coverWords(words, short)(recipe)
  expect(bRollOf(covered)[0]!.span).toEqual({ source: 'a', start: 1000, end: 2000 })
  // What was cut out between the words takes nothing of the clip's time.
  const cut = coverWords(words, short)(cutWords(['a2', 'a3'])(recipe))
  expect(shownMs(cut, bRollOf(cut)[0]!.span)).toBe(1000)
  expect(bRollOf(cut)[0]!.span.end).toBeGreaterThan(2000)
  expect(bRollOf(coverWords(words, still)(recipe))[0]!.span.end).toBe(2900)
  // Words that are cut out have no picture to cover.
  const gone = cutWords(words)(recipe)
  expect(bRollOf(coverWords(['a2', 'a3'], clip)(gone))).toEqual([])
})

test('words that come back under a clip let it stand still at its end, for as long as is said', () => {
  const words = ['a1', 'a2', 'a3', 'a4', 'a5']
  const cut = coverWords(words, short)(cutWords(['a2', 'a3'])(recipe))
  expect(stillMs(cut, bRollOf(cut)[0]!, short)).toBe(0)
  const back = restoreWords(['a2', 'a3'])(cut)
  const [layer] = bRollOf(back)
  expect(stillMs(back, layer!, short)).toBe(shownMs(back, layer!.span) - 1000)
  expect(stillMs(back, layer!, short)).toBeGreaterThan(300)
  expect(stillMs(back, layer!, still)).toBe(0)
})

test('a new clip takes its place, and what lay there is shortened, parted or gone', () => {
  const first = coverWords(['a2', 'a3', 'a4', 'a5', 'a6'], clip)(recipe)
  const parted = coverWords(['a4'], short)(first)
  expect(
    bRollOf(parted)
      .toSorted((a, b) => a.span.start - b.span.start)
      .map(({ assetId, span, fromMs }) => [assetId, span.start, span.end, fromMs]),
  ).toEqual([
    ['clip', 1400, 2200, 0],
    ['short', 2200, 2500, 0],
    // It goes on where it would have been.
    ['clip', 2500, 3300, 1100],
  ])
  expect(new Set(parted.layers.map(({ id }) => id)).size).toBe(3)
  const over = coverWords(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7'], clip)(parted)
  expect(bRollOf(over)).toHaveLength(1)
})

test('ends move by frames; with its start the clip’s own start moves, so that later pictures stay', () => {
  const covered = coverWords(['a3', 'a4', 'a5'], clip)(recipe)
  const { id } = bRollOf(covered)[0]!
  const later = setLayerEdge(id, 'from', 60, clip)(covered)
  expect(bRollOf(later)[0]).toMatchObject({ fromMs: 200, span: { start: 2000, end: 2900 } })
  expect(bRollOf(setLayerEdge(id, 'from', 54, clip)(later))[0]).toEqual(bRollOf(covered)[0])
  // Before the clip's first picture there is none: from there on it begins later in its place.
  expect(bRollOf(setLayerEdge(id, 'from', 48, clip)(covered))[0]).toMatchObject({ fromMs: 0, span: { start: 1600 } })
  expect(frames(setLayerEdge(id, 'to', 90, clip)(covered))).toEqual([{ from: 54, to: 90 }])
  expect(frames(setLayerEdge(id, 'to', 10, clip)(covered))).toEqual([{ from: 54, to: 55 }])
  expect(frames(setLayerEdge(id, 'to', 5000, clip)(covered))).toEqual([{ from: 54, to: 180 }])
  const brief = coverWords(['a3', 'a4', 'a5'], short)(recipe)
  expect(
    shownMs(setLayerEdge(id, 'to', 5000, short)(brief), bRollOf(setLayerEdge(id, 'to', 5000, short)(brief))[0]!.span),
  ).toBe(1000)
  expect(setLayerEdge('nobody', 'to', 90, clip)(covered)).toBe(covered)
})

test('a layer is moved, slipped, focused, switched and removed', () => {
  const covered = coverWords(['a3', 'a4', 'a5'], clip)(recipe)
  const { id } = bRollOf(covered)[0]!
  expect(frames(moveLayer(id, 5)(covered))).toEqual([{ from: 59, to: 92 }])
  expect(moveLayer(id, -5)(moveLayer(id, 5)(covered))).toEqual(covered)
  expect(bRollOf(slipLayer(id, 2500, clip)(covered))[0]!.fromMs).toBe(2500)
  // Never past the point from which it still fills its place.
  expect(bRollOf(slipLayer(id, 99_999, clip)(covered))[0]!.fromMs).toBe(8900)
  expect(bRollOf(focusLayer(id, { x: 2 })(covered))[0]!.focus).toEqual({ x: 1, y: 0.5 })
  const off = switchLayer(id, false)(covered)
  expect(segmentsOf(off).flatMap(({ overlays }) => overlays)).toEqual([])
  expect(segmentsOf(covered).flatMap(({ overlays }) => overlays)).toHaveLength(1)
  expect(switchLayer(id, true)(off)).toEqual(covered)
  expect(removeLayer(id)(covered)).toEqual(recipe)
  expect(removeLayer('nobody')(covered)).toBe(covered)
})

test('a clip that is played faster keeps its place, and begins earlier where it would run out', () => {
  const covered = coverWords(['a3', 'a4', 'a5'], clip)(recipe)
  const { id, span } = bRollOf(covered)[0]!
  const late = slipLayer(id, 8000, clip)(covered)
  const faster = setLayerSpeed(id, 2, clip)(late)
  // 1.1 s of the video are 2.2 s of the clip.
  expect(bRollOf(faster)[0]).toMatchObject({ speed: 2, fromMs: 7800, span })
  expect(stillMs(faster, bRollOf(faster)[0]!, clip)).toBe(0)
  expect(bRollOf(setLayerSpeed(id, 1, clip)(faster))[0]).not.toHaveProperty('speed')
  expect(bRollOf(setLayerSpeed(id, 9, clip)(covered))[0]!.speed).toBe(4)
  expect(setLayerSpeed(id, 1, clip)(covered)).toBe(covered)
  expect(setLayerSpeed(id, 2, still)(covered)).toBe(covered)
  // A second of clip lasts half a second, or two.
  const brief = coverWords(['a3', 'a4'], short)(recipe)
  const [own] = bRollOf(brief)
  const half = setLayerSpeed(own!.id, 2, short)(brief)
  expect(stillMs(half, bRollOf(half)[0]!, short)).toBe(shownMs(half, own!.span) - 500)
  const slow = setLayerEdge(own!.id, 'to', 5000, short)(setLayerSpeed(own!.id, 0.5, short)(brief))
  expect(shownMs(slow, bRollOf(slow)[0]!.span)).toBe(2000)
  // What an end gives up is taken from the clip at its own pace.
  const shorter = setLayerEdge(id, 'from', 60, clip)(setLayerSpeed(id, 2, clip)(covered))
  expect(bRollOf(shorter)[0]!.fromMs).toBe(400)
})

test('any sequence of commands keeps a valid recipe, without overlaps, and leaves the one before as it was', () => {
  const files = [clip, short, still]
  const word = fc.nat(19)
  const step = fc.oneof(
    fc.tuple(fc.constant('cover' as const), word, word, fc.nat(2)),
    fc.tuple(fc.constant('cut' as const), word, word, fc.nat(1)),
    fc.tuple(fc.constant('edge' as const), fc.nat(9), fc.integer({ min: -50, max: 500 }), fc.nat(1)),
    fc.tuple(fc.constant('move' as const), fc.nat(9), fc.integer({ min: -100, max: 100 }), fc.nat(1)),
    fc.tuple(fc.constant('slip' as const), fc.nat(9), fc.integer({ min: -500, max: 12_000 }), fc.nat(1)),
    fc.tuple(fc.constant('focus' as const), fc.nat(9), fc.integer({ min: -2, max: 3 }), fc.nat(1)),
    fc.tuple(fc.constant('speed' as const), fc.nat(9), fc.integer({ min: 0, max: 20 }), fc.nat(1)),
    fc.tuple(fc.constant('switch' as const), fc.nat(9), fc.nat(1), fc.nat(1)),
    fc.tuple(fc.constant('remove' as const), fc.nat(9), fc.nat(1), fc.nat(1)),
  )
  const fileOf = (id: string) => files.find(({ assetId }) => assetId === id)!
  const apply = (now: Recipe, [kind, a, b, c]: [string, number, number, number]): Recipe => {
    const ids = now.words.slice(Math.min(a, b), Math.max(a, b) + 1).map(({ id }) => id)
    if (kind === 'cover') return coverWords(ids, files[c]!)(now)
    if (kind === 'cut') return (c === 0 ? cutWords : restoreWords)(ids)(now)
    const layer = bRollOf(now)[a % Math.max(1, bRollOf(now).length)]
    if (!layer) return now
    const { id, assetId } = layer
    if (kind === 'edge') return setLayerEdge(id, c === 0 ? 'from' : 'to', b, fileOf(assetId))(now)
    if (kind === 'move') return moveLayer(id, b)(now)
    if (kind === 'slip') return slipLayer(id, b, fileOf(assetId))(now)
    if (kind === 'speed') return setLayerSpeed(id, b / 4, fileOf(assetId))(now)
    if (kind === 'focus') return focusLayer(id, c === 0 ? { x: b } : { y: b })(now)
    return kind === 'switch' ? switchLayer(id, b === 0)(now) : removeLayer(id)(now)
  }
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      let now = recipe
      for (const one of steps) {
        const written = JSON.stringify(now)
        const next = apply(now, one as [string, number, number, number])
        // What undoing leads back to is untouched; where nothing was done, it is the same object.
        expect(JSON.stringify(now)).toBe(written)
        if (next !== now) expect(JSON.stringify(next)).not.toBe(written)
        now = next
        expect(problemsOf(now)).toEqual([])
        const layers = bRollOf(now)
        for (const [i, { span }] of layers.entries())
          for (const other of layers.slice(i + 1))
            expect(
              span.source !== other.span.source || span.end <= other.span.start || other.span.end <= span.start,
            ).toBe(true)
        expect(layers.filter(({ fromMs }) => fromMs < 0)).toEqual([])
      }
      const read = readRecipe(JSON.parse(JSON.stringify(now)))
      expect(read.problems).toBeUndefined()
      expect(read.recipe).toEqual(now)
    }),
    { numRuns: 300 },
  )
})

test('no command brings more of a kind to one moment than are rendered, and what is too much already may be changed', () => {
  const span = { source: 'a', start: 0, end: 3000 }
  const repeated = (recipe: Recipe, command: (recipe: Recipe) => Recipe, times: number) =>
    Array.from({ length: times }).reduce<Recipe>((so) => command(so), recipe)
  for (const add of [addSticker('tick', span), addPinned('picture', 'x', span), addPinned('logo', 'x', null)]) {
    const full = repeated(recipe, add, 25)
    expect(full.layers).toHaveLength(20)
    expect(lengthProblems(full)).toEqual([])
    expect(add(full)).toBe(full)
  }
  expect(repeated(recipe, addEffect('pop', span), 25).layers).toHaveLength(25)
  const most = layerKinds.sticker.mostAtOnce
  const full = repeated(recipe, addSticker('tick', span), most)
  const last = full.layers.at(-1)!.id
  const beside = addSticker('tick', { source: 'a', start: 4000, end: 6000 })(full)
  const [id, later] = [beside.layers.at(-1)!.id, timelineOf(beside)]
  expect(windowsOf(later, beside.layers.at(-1)!.span!)[0]!.from).toBe(120)
  expect(moveLayer(id, -60)(beside)).toBe(beside)
  expect(setLayerEdge(id, 'from', 60)(beside)).toBe(beside)
  const freed = switchLayer(last, false)(beside)
  const moved = moveLayer(id, -60)(freed)
  expect(moved).not.toBe(freed)
  expect(switchLayer(last, true)(moved)).toBe(moved)
  // Of an edit from before the most.
  const older = { ...full, layers: [...full.layers, ...full.layers.map((one) => ({ ...one, id: `x${one.id}` }))] }
  expect(setLayerEdge(last, 'to', 60)(older)).not.toBe(older)
})
