import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeOf, pushedTo, windowBetween, windowOf } from './framing.ts'
import { layerPlaces } from './recipe.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const point = fc.record({ x: share, y: share })
const size = fc.record({ width: fc.integer({ min: 64, max: 4000 }), height: fc.integer({ min: 64, max: 4000 }) })

test('the window of any picture is even, lies within it and has the shape of the frame to two dots', () => {
  fc.assert(
    fc.property(
      size,
      size,
      point,
      fc.double({ min: 1, max: 2, noNaN: true }),
      point,
      (picture, frame, focus, near, at) => {
        const seen = windowOf(picture, frame, focus, { from: near, to: near, focus: at })
        expect(Math.min(seen.x, seen.y)).toBeGreaterThanOrEqual(0)
        expect(seen.x + seen.width).toBeLessThanOrEqual(picture.width)
        expect(seen.y + seen.height).toBeLessThanOrEqual(picture.height)
        const isWhole = seen.width === picture.width && seen.height === picture.height
        if (!isWhole) for (const dots of Object.values(seen)) expect(dots % 2).toBe(0)
        const scale = Math.max(frame.width / picture.width, frame.height / picture.height) * near
        expect(Math.abs(seen.width - frame.width / scale)).toBeLessThanOrEqual(2)
        expect(Math.abs(seen.height - frame.height / scale)).toBeLessThanOrEqual(2)
      },
    ),
  )
})

test('the point of a zoom stays in its place, and a focus of 0 or 1 is an end of the picture', () => {
  const [picture, frame] = [
    { width: 1080, height: 1920 },
    { width: 1080, height: 1920 },
  ]
  const focus = { x: 0.25, y: 0.75 }
  const seen = windowOf(picture, frame, { x: 0.5, y: 0.5 }, { from: 1.5, to: 1.5, focus })
  expect(seen).toEqual({ x: 90, y: 480, width: 720, height: 1280 })
  expect(windowOf(picture, { width: 1000, height: 1000 }, { x: 0, y: 1 })).toEqual({
    x: 0,
    y: 840,
    width: 1080,
    height: 1080,
  })
  expect(windowOf({ width: 721, height: 1281 }, { width: 721, height: 1281 }, focus)).toEqual({
    x: 0,
    y: 0,
    width: 721,
    height: 1281,
  })
})

test('a window on its way to another place begins and ends there, keeps its size and stays within the picture', () => {
  fc.assert(
    fc.property(size, size, point, point, share, (picture, frame, here, there, done) => {
      const [from, to] = [windowOf(picture, frame, here), windowOf(picture, frame, there)]
      expect(windowBetween(from, to, 0)).toEqual(from)
      expect(windowBetween(from, to, 1)).toEqual(to)
      const { x, y, width, height } = windowBetween(from, to, done)
      expect([width, height]).toEqual([from.width, from.height])
      expect(x).toBeGreaterThanOrEqual(Math.min(from.x, to.x))
      expect(x).toBeLessThanOrEqual(Math.max(from.x, to.x))
      expect(y).toBeGreaterThanOrEqual(Math.min(from.y, to.y))
      expect(y).toBeLessThanOrEqual(Math.max(from.y, to.y))
    }),
  )
})

test('a push begins with the whole frame, ends where it is told and stays within the picture', () => {
  const frame = { width: 720, height: 1280 }
  fc.assert(
    fc.property(fc.double({ min: 1, max: 2, noNaN: true }), point, share, (to, focus, done) => {
      const { x, y, width, height } = pushedTo({ from: 1, to, focus }, frame, done)
      expect(x + frame.width).toBeLessThanOrEqual(width)
      expect(y + frame.height).toBeLessThanOrEqual(height)
    }),
  )
  const push = { from: 1, to: 1.5, focus: { x: 1, y: 0 } }
  expect(pushedTo(push, frame, 0)).toEqual({ x: 0, y: 0, ...frame })
  expect(pushedTo(push, frame, 1)).toEqual({ x: 360, y: 0, width: 1080, height: 1920 })
})

test('a picture lies within the frame in every place, as large as it is told, and keeps its shape', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...layerPlaces),
      fc.double({ min: 0.1, max: 0.8, noNaN: true }),
      size,
      (place, part, picture) => {
        const frame = { width: 720, height: 1280 }
        const box = placeOf({ place, size: part }, picture, frame)
        expect(Math.abs(Math.max(box.width, box.height) - part * 720)).toBeLessThanOrEqual(1)
        expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(0)
        expect(box.x + box.width).toBeLessThanOrEqual(720)
        expect(box.y + box.height).toBeLessThanOrEqual(1280)
      },
    ),
  )
})
