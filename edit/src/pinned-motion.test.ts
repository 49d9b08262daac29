import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pinnedLook, stretchesOf } from './pinned-motion.ts'
import { titleMotions } from './recipe.ts'
import { entranceAt } from './title-motion.ts'

const fps = { num: 30, den: 1 }

test('the stretches of any part of a window follow each other, and look as the same frames of all of it', () => {
  const asked = fc.tuple(fc.constantFrom(undefined, ...titleMotions), fc.nat(100), fc.integer({ min: 1, max: 200 }))
  fc.assert(
    fc.property(asked, fc.nat(200), fc.nat(200), ([motion, first, length], one, other) => {
      const window = { from: first, to: first + length }
      const [from, to] = [one, other].map((at) => first + (at % (length + 1))).toSorted((a, b) => a - b) as [
        number,
        number,
      ]
      let at = from
      for (const stretch of stretchesOf({ motion }, window, { from, to }, fps)) {
        expect(stretch.from).toBe(at)
        expect(stretch.to > at || from === to).toBe(true)
        for (; at < stretch.to; at++)
          expect(motion ? entranceAt(motion, window, fps, at) : null).toEqual(stretch.entrance)
      }
      expect(at).toBe(to)
      expect(stretchesOf({ motion }, window, { from, to }, fps).length).toBeLessThanOrEqual(22)
    }),
  )
})

test('a picture on its way lies on even dots, is drawn from its left, and rests where it stands', () => {
  const dots = fc.integer({ min: 1, max: 600 }).map((half) => 2 * half)
  const box = fc.record({ x: dots, y: dots, width: dots, height: dots })
  const still = { opacity: 1, below: 0, size: 1, shown: 1 }
  fc.assert(
    fc.property(box, fc.constantFrom(...titleMotions), fc.integer({ min: 0, max: 60 }), (place, motion, frame) => {
      expect(pinnedLook(place, still)).toEqual({ box: place, opacity: 1, shown: place.width })
      const entrance = entranceAt(motion, { from: 0, to: 61 }, fps, frame)
      if (!entrance) return
      const { box, opacity, shown } = pinnedLook(place, entrance)
      for (const value of [box.x, box.y, box.width, box.height, shown]) expect(value % 2).toBe(0)
      expect(opacity).toBeGreaterThan(0)
      expect(shown).toBeGreaterThan(0)
      expect(shown).toBeLessThanOrEqual(box.width)
      expect(box.width).toBeLessThanOrEqual(place.width)
      // It comes from below, and grows out of its middle.
      expect(box.y + box.height).toBeGreaterThanOrEqual(place.y + box.height)
      if (motion !== 'rise') expect(Math.abs(2 * box.x + box.width - 2 * place.x - place.width)).toBeLessThanOrEqual(2)
    }),
  )
})
