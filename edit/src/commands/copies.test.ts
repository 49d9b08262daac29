import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brand, take } from '../../test/take.ts'
import { readRecipe } from '../read-recipe.ts'
import { wholeRecipe, type Card, type Recipe } from '../recipe.ts'
import { timelineOf, windowsOf } from '../timeline.ts'
import { copiesOf, duplicated, pasted, type Pasted } from './copies.ts'
import { cutStretch } from './cuts.ts'
import { addEffect, addSticker } from './effects.ts'
import { moveLayer, placedOf, shownFrames } from './layers.ts'
import { addPinned } from './pictures.ts'
import { addTitle } from './titles.ts'

/** Two takes of six seconds at thirty frames a second. */
const bare = wholeRecipe([take(6000), take(6000, { id: 'b', assetId: 'y' })], brand)
const span = (start: number, end: number, source = 'a') => ({ source, start, end })
const shown = (recipe: Recipe, id: string) =>
  windowsOf(timelineOf(recipe), placedOf(recipe).find((one) => one.id === id)!.span)
const done = (result: Pasted) => {
  if (result.why) throw new Error(`Nothing was pasted: ${result.why}.`)
  return result
}
const title = addTitle({ title: 'Hello', line: '' }, span(1000, 4000))(bare)

test('a copy is as long as its layer and begins where it is pasted, also in another take', () => {
  const copies = copiesOf(title, ['t1'])
  const { recipe, ids, isShorter } = done(pasted(title, copies, 200))
  expect(ids).toEqual(['t2'])
  expect(shown(recipe, 't2')).toEqual([{ from: 200, to: 290 }])
  expect(recipe.layers[1]).toMatchObject({ kind: 'lower-third', title: 'Hello', span: { source: 'b' } })
  expect(shown(recipe, 't1')).toEqual([{ from: 30, to: 120 }])
  expect(isShorter).toBe(false)
  // What was copied stays so, whatever becomes of its layer.
  expect(done(pasted(bare, copies, 0)).recipe.layers).toHaveLength(1)
})

test('a copy that is pasted where the very same lies goes behind it, again and again, as a duplicate does', () => {
  const stuck = addSticker('house', span(1000, 2000))(bare)
  const copies = copiesOf(stuck, ['s1'])
  const two = done(pasted(stuck, copies, 30))
  expect(shown(two.recipe, 's2')).toEqual([{ from: 90, to: 150 }])
  expect(done(duplicated(stuck, ['s1']))).toEqual(two)
  const three = done(pasted(two.recipe, copies, 30))
  // Six seconds of the first take: the third has a second of it, and ends with it.
  expect(shown(three.recipe, 's3')).toEqual([{ from: 150, to: 180 }])
  expect(three.isShorter).toBe(true)
})

test('a title that is pasted over another one takes its place from it', () => {
  const { recipe } = done(pasted(title, copiesOf(title, ['t1']), 60))
  expect(shown(recipe, 't1')).toEqual([{ from: 30, to: 60 }])
  expect(shown(recipe, 't2')).toEqual([{ from: 60, to: 150 }])
})

test('several keep their distances and their order, and are pasted all or none', () => {
  const both = addEffect('ding', span(4000, 4100))(title)
  const copies = copiesOf(both, ['e2', 't1'])
  expect(copies.map(({ layer, after }) => [layer.id, after])).toEqual([
    ['t1', 0],
    ['e2', 90],
  ])
  const { recipe, ids } = done(pasted(both, copies, 200))
  expect(ids.map((id) => shown(recipe, id)[0]!.from)).toEqual([200, 290])
  // The video is 360 frames long: the second would begin after its end.
  expect(pasted(both, copies, 300)).toEqual({ why: 'end' })
})

test('nothing is pasted on a card, beyond the end, or when there are as many as may be; a logo has no place to copy', () => {
  const card: Card = { on: true, title: 'Hi', call: '', lengthMs: 1000 }
  const carded: Recipe = { ...title, open: card, close: card }
  const copies = copiesOf(carded, ['t1'])
  expect(pasted(carded, copies, 29)).toEqual({ why: 'card' })
  expect(pasted(carded, copies, 390)).toEqual({ why: 'card' })
  expect(done(pasted(carded, copies, 389)).isShorter).toBe(true)
  expect(pasted(title, copies, 360)).toEqual({ why: 'end' })
  // Twenty stickers at the same moment are the most.
  const full = Array.from({ length: 20 }).reduce<Recipe>((now) => addSticker('tick', span(1000, 3000))(now), bare)
  expect(pasted(full, copiesOf(full, ['s1']), 40)).toEqual({ why: 'full' })
  const logo = addPinned('logo', 'x', null)(title)
  expect(copiesOf(logo, ['p2'])).toEqual([])
})

test('pasted copies of any layers are a valid recipe, in their places, and nothing else of it changes', () => {
  const place = fc.tuple(fc.nat(5500), fc.integer({ min: 40, max: 4000 }), fc.constantFrom('a', 'b'))
  const layer = fc.tuple(fc.constantFrom('title', 'sticker', 'effect', 'picture'), place)
  const cuts = fc.array(fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 60 })), { maxLength: 4 })
  const asked = fc.tuple(fc.array(layer, { minLength: 1, maxLength: 6 }), cuts, fc.nat(400), fc.nat(63))
  let times = 0
  fc.assert(
    fc.property(asked, ([layers, stretches, frame, chosen]) => {
      const cut = stretches.reduce((now, [from, length]) => cutStretch(from, from + length)(now), bare)
      const recipe = layers.reduce((now, [kind, [start, length, source]]) => {
        const where = span(start, Math.min(6000, start + length), source)
        if (kind === 'title') return addTitle({ title: 'Hello', line: '' }, where)(now)
        if (kind === 'sticker') return addSticker('star', where)(now)
        return (kind === 'effect' ? addEffect('pop', where) : addPinned('picture', 'x', where))(now)
      }, cut)
      const copies = copiesOf(
        recipe,
        recipe.layers.flatMap(({ id }, i) => (chosen & (1 << i) ? [id] : [])),
      )
      const result = pasted(recipe, copies, frame)
      if (result.why) return
      times++
      const { recipe: now, ids, isShorter } = result
      expect(readRecipe(structuredClone(now)).problems).toBeUndefined()
      expect({ ...now, layers: [] }).toEqual({ ...recipe, layers: [] })
      expect(ids).toHaveLength(copies.length)
      const timeline = timelineOf(now)
      const lengths = ids.map((id) => shownFrames(timeline, placedOf(now).find((one) => one.id === id)!.span))
      lengths.forEach((length, i) => expect(length).toBeLessThanOrEqual(copies[i]!.frames))
      // Nothing of a kind that stands alone lies over another one of it, so a later copy may shorten no earlier one.
      expect(lengths.some((length, i) => length < copies[i]!.frames)).toBe(isShorter)
      const first = Math.min(...ids.map((id) => shown(now, id)[0]!.from))
      expect(first).toBeGreaterThanOrEqual(frame)
      ids.forEach((id, i) => expect(shown(now, id)[0]!.from - first).toBe(copies[i]!.after))
    }),
    { numRuns: 300 },
  )
  expect(times).toBeGreaterThan(50)
})

test('a layer of any length is moved by frames, and back to where it was', () => {
  const lengths = fc.tuple(fc.integer({ min: 60, max: 100 }), fc.integer({ min: 1, max: 50 }))
  fc.assert(
    fc.property(lengths, ([length, by]) => {
      const frames = (n: number) => Math.round((n * 1000) / 30)
      const stuck = addSticker('house', span(1000, 1000 + frames(length)))(bare)
      const moved = moveLayer('s1', by)(stuck)
      expect(shown(moved, 's1')).toEqual([{ from: 30 + by, to: 30 + by + length }])
      expect(moveLayer('s1', -by)(moved)).toEqual(stuck)
    }),
  )
})
