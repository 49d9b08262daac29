import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brand, take } from '../../test/take.ts'
import { captionTrack } from '../caption-track.ts'
import { readRecipe } from '../read-recipe.ts'
import { effectNames, stickerNames, titleMotions, wholeRecipe } from '../recipe.ts'
import { effectMs, effectsHeard } from '../sound-effects.ts'
import { stickerSizes } from '../stickers.ts'
import { segmentsOf, timelineOf } from '../timeline.ts'
import { addEffect, addSticker, effectsOf, setEffect, setSticker, stickersOf } from './effects.ts'
import { moveLayer, removeLayer, setLayerEdge, switchLayer } from './layers.ts'

const recipe = wholeRecipe([take(12_000)], brand)
const span = (start: number, end: number) => ({ source: 'a', start, end })
const measure = (words: string) => words.length * 0.52

test('a sticker is seen from its passage’s first frame to its last, and is painted, not laid', () => {
  const stuck = setSticker('s1', { motion: undefined })(addSticker('arrow', span(1000, 1200))(recipe))
  const { states } = captionTrack(stuck, measure)
  const seen = states.filter(({ stickers }) => stickers.length > 0)
  expect(seen.map(({ from, to }) => [from, to])).toEqual([[30, 90]])
  expect(segmentsOf(stuck).flatMap(({ overlays }) => overlays)).toEqual([])
  const { id } = stickersOf(stuck)[0]!
  const moved = setLayerEdge(id, 'to', 75)(moveLayer(id, 15)(stuck))
  expect(captionTrack(moved, measure).states.find(({ stickers }) => stickers.length > 0)).toMatchObject({
    from: 45,
    to: 75,
  })
  expect(captionTrack(switchLayer(id, false)(stuck), measure).states.every(({ key }) => key === '')).toBe(true)
  expect(removeLayer(id)(stuck)).toEqual(recipe)
  // Two lie over each other where they meet, and what looks alike is one state.
  const two = setSticker('s2', { motion: undefined })(addSticker('star', span(2000, 4000))(stuck))
  expect(captionTrack(two, measure).states.map(({ stickers }) => stickers.map(({ name }) => name).join())).toEqual([
    '',
    'arrow',
    'arrow,star',
    'star',
    '',
  ])
})

test('a sticker comes frame by frame, stands, and goes as it came, within its box', () => {
  const added = addSticker('ring', span(1000, 4000))(recipe)
  expect(stickersOf(added)[0]!.motion).toBe('wipe')
  expect(stickersOf(addSticker('star', span(0, 1000))(recipe))[0]!.motion).toBe('grow')
  for (const motion of titleMotions) {
    const states = captionTrack(setSticker('s1', { motion })(added), measure).states.filter(({ key }) => key !== '')
    // Twelve frames in, nine out, and one state in between.
    expect(states.map(({ from }) => from)).toEqual([...frames(30, 42), ...frames(42, 43), ...frames(111, 120)])
    expect(new Set(states.slice(0, 13).map(({ key }) => key)).size).toBe(13)
    expect(states[12]!.stickers[0]).not.toHaveProperty('entrance')
    const { box } = states[12]!.stickers[0]!
    const tallest = Math.max(...states.map(({ stickers }) => stickers[0]!.box.height))
    if (motion === 'rise') expect(tallest).toBeGreaterThan(box.height)
    else expect(tallest).toBe(box.height)
  }
})

const frames = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

test('a sound effect lasts as long as it sounds or its place does, and a repeated passage has it again', () => {
  const rung = addEffect('ding', span(1000, 1100))(recipe)
  const heard = (one: typeof recipe) => effectsHeard(one, timelineOf(one))
  expect(heard(rung)).toEqual([{ id: 'e1', name: 'ding', at: 1, seconds: 1.4, gain: -6 }])
  expect(heard(setLayerEdge('e1', 'to', 45)(rung))).toMatchObject([{ at: 1, seconds: 0.5 }])
  expect(heard(setLayerEdge('e1', 'to', 300)(rung))).toMatchObject([{ at: 1, seconds: 1.4 }])
  expect(heard(moveLayer('e1', 60)(rung))).toMatchObject([{ at: 3 }])
  const twice = { ...rung, keep: [...rung.keep, { id: 'k2', source: 'a', start: 500, end: 6000 }] }
  expect(heard(twice).map(({ at }) => at)).toEqual([1, 12.5])
  expect(
    heard({ ...rung, removed: [{ ...span(900, 3000), id: 'r', reason: 'by-hand', by: 'person', why: '', on: true }] }),
  ).toEqual([])
  expect(effectsOf(addEffect('rise', span(11_500, 11_600))(recipe))[0]!.span).toEqual(span(11_500, 12_000))
})

test('after any commands on stickers and sound effects the recipe can be read', () => {
  const at = fc.integer({ min: 0, max: 12_000 })
  const wild = fc.double({ min: -1e4, max: 1e4, noNaN: true })
  const step = fc.oneof(
    fc.tuple(fc.constantFrom(...stickerNames), at, at).map(([name, from, to]) => addSticker(name, span(from, to))),
    fc.tuple(fc.constantFrom(...effectNames), at).map(([name, from]) => addEffect(name, span(from, from))),
    fc.tuple(wild, wild, wild, wild).map(([x, y, size, turn]) => setSticker('s1', { at: { x, y }, size, turn })),
    wild.map((gain) => setEffect('e1', { gain })),
    fc
      .tuple(fc.constantFrom('s1', 'e1', 'e2'), fc.integer({ min: -400, max: 400 }))
      .map(([id, by]) => moveLayer(id, by)),
    fc
      .tuple(fc.constantFrom('s1', 'e1', 'e2'), fc.constantFrom('from', 'to'), fc.integer({ min: 0, max: 400 }))
      .map(([id, edge, frame]) => setLayerEdge(id, edge as 'from' | 'to', frame)),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const made = steps.reduce((now, one) => one(now), recipe)
      expect(readRecipe(structuredClone(made)).problems).toBeUndefined()
    }),
  )
})

test('a sticker has bounds of its own, turns around, and nothing changes where nothing would', () => {
  const stuck = addSticker('house', span(0, 2000))(recipe)
  const [before] = stickersOf(stuck)
  const changed = setSticker('s1', { at: { x: 2, y: -1 }, size: 9, turn: 190 })(stuck)
  expect(stickersOf(changed)[0]).toMatchObject({ at: { x: 1, y: 0 }, size: stickerSizes.most, turn: -170 })
  expect(stickersOf(setSticker('s1', { turn: 360 })(changed))[0]).not.toHaveProperty('turn')
  expect(setSticker('s1', { at: before!.at, size: before!.size, turn: 0 })(stuck)).toBe(stuck)
  expect(setEffect('none', { gain: 3 })(stuck)).toBe(stuck)
  expect(effectMs('pop')).toBe(160)
})
