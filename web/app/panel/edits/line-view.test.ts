import fc from 'fast-check'
import { expect, test } from 'vitest'
import { edgeSpeed, mostZoom, seenOf, showing, zoomedAt } from './line-view.ts'

const room = { width: 1000, rim: 16 }

test('zooming keeps the frame under the pointer in its place, and stops at both ends of the line', () => {
  const near = zoomedAt({ zoom: 1, left: 0 }, 4, 500, room)
  expect(near).toEqual({ zoom: 4, left: 1500 })
  // Out again, from wherever: all of it is seen.
  expect(zoomedAt(near, 1, 100, room)).toEqual({ zoom: 1, left: 0 })
  const zoom = fc.double({ min: 1, max: 200, noNaN: true })
  fc.assert(
    fc.property(
      zoom,
      zoom,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 16, max: 984 }),
      (from, to, at, x) => {
        const before = { zoom: from, left: at * room.width * (from - 1) }
        const after = zoomedAt(before, to, x, room)
        expect(after.left).toBeGreaterThanOrEqual(0)
        expect(after.left).toBeLessThanOrEqual(room.width * (to - 1) + 1e-6)
        const share = (place: { zoom: number; left: number }) =>
          (place.left + x - room.rim) / (room.width * place.zoom - 2 * room.rim)
        const isInside = after.left > 0 && after.left < room.width * (to - 1)
        if (isInside) expect(share(after)).toBeCloseTo(share(before), 6)
      },
    ),
  )
})

test('the nearest zoom shows single frames of a long video and never less than all of a short one', () => {
  expect(mostZoom(18_000, room) * room.width).toBeGreaterThan(18_000 * 12)
  expect(mostZoom(10, room)).toBe(1)
})

test('the line stays while the playhead is in sight, and else turns on like a page', () => {
  expect(showing({ zoom: 4, left: 0 }, 0.1, room)).toBe(0)
  const on = showing({ zoom: 4, left: 0 }, 0.5, room)
  expect(on).toBeGreaterThan(1500)
  expect(showing({ zoom: 4, left: on }, 0.5, room)).toBe(on)
  expect(showing({ zoom: 4, left: 0 }, 1, room)).toBe(3000)
  expect(showing({ zoom: 4, left: 3000 }, 0, room)).toBe(0)
})

test('the part in sight is said as shares of the line, without the margins on both sides', () => {
  expect(seenOf({ zoom: 1, left: 0 }, room)).toEqual({ from: 0, to: 1 })
  const { from, to } = seenOf({ zoom: 4, left: 1500 }, room)
  expect(from).toBeCloseTo((1500 - 16) / 3968)
  expect(to - from).toBeCloseTo(1000 / 3968)
  expect(seenOf({ zoom: 4, left: 3000 }, room).to).toBe(1)
})

test('a drawn thing takes the line along near its edges only, the farther out the faster', () => {
  expect([100, 500, 900].map((x) => edgeSpeed(x, 1000))).toEqual([0, 0, 0])
  expect(edgeSpeed(10, 1000)).toBeLessThan(0)
  expect(edgeSpeed(1100, 1000)).toBeGreaterThan(edgeSpeed(990, 1000))
  expect(edgeSpeed(990, 1000)).toBeGreaterThan(0)
  // However narrow the line is, its middle stays quiet.
  expect(edgeSpeed(40, 80)).toBe(0)
})
