import fc from 'fast-check'
import { expect, test } from 'vitest'
import { enlargedSize } from './framing.ts'
import { shakeUnit, steadyAt, steadyPath, steadyRoom, type Shake } from './steady.ts'

const fps = { num: 30, den: 1 }
const picture = { width: 1080, height: 1920 }
const whole = { x: 0, y: 0, ...picture }
const shakeOf = (way: readonly { x: number; y: number; turn: number }[]): Shake => {
  const steps = (part: 'x' | 'y' | 'turn') =>
    way.map((one, i) => (i === 0 ? 0 : Math.round((one[part] - way[i - 1]![part]) / shakeUnit)))
  return { version: 1, fps, x: steps('x'), y: steps('y'), turn: steps('turn') }
}
const given = { picture, window: whole, size: picture }

test('a hand that trembles is taken out, and a way that was meant stays', () => {
  // Four dots of trembling around a pan of half a dot a frame, which itself is not held back.
  const way = Array.from({ length: 150 }, (_, i) => ({
    x: (0.5 * i + 4 * Math.sin(i * 1.7)) / 1080,
    y: (3 * Math.cos(i * 2.1)) / 1080,
    turn: 0.004 * Math.sin(i * 1.3),
  }))
  const path = steadyPath(shakeOf(way))
  const [left, right] = [45, 105]
  for (let at = left; at < right; at++) {
    const { x, y, turn } = steadyAt(path, at, given)
    expect(Math.abs(x + 4 * Math.sin(at * 1.7))).toBeLessThan(1.6)
    expect(Math.abs(y + 3 * Math.cos(at * 2.1))).toBeLessThan(1.6)
    expect(Math.abs(turn + 0.004 * Math.sin(at * 1.3))).toBeLessThan(0.0006)
  }
})

test('a steady picture is not moved, nor is one of which nothing was measured', () => {
  const still = steadyPath(shakeOf(Array.from({ length: 60 }, () => ({ x: 0, y: 0, turn: 0 }))))
  const none = steadyPath({ version: 1, fps, x: [], y: [], turn: [] })
  for (const path of [still, none]) expect(steadyAt(path, 30, given)).toEqual({ x: 0, y: 0, turn: 0 })
})

test('however it was shaken, turned and framed, no corner of the frame is empty', () => {
  const even = (least: number, most: number) => fc.integer({ min: least / 2, max: most / 2 }).map((half) => 2 * half)
  const size = fc.record({ width: even(180, 1920), height: even(180, 1920) })
  const step = fc.record({
    x: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
    y: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
    turn: fc.double({ min: -0.2, max: 0.2, noNaN: true }),
  })
  const asked = fc.record({
    size,
    way: fc.array(step, { minLength: 2, maxLength: 60 }),
    turn: fc.integer({ min: -15, max: 15 }),
    at: fc.nat(80),
    part: fc.double({ min: 0.2, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(asked, ({ size, way, turn, at, part }) => {
      const window = { x: 100, y: 200, width: Math.round(1080 * part), height: Math.round(1920 * part) }
      const move = steadyAt(steadyPath(shakeOf(way)), at, { picture, window, size, turn })
      const large = enlargedSize(size, turn, true)
      const room = steadyRoom(size)
      expect(Math.abs(move.x)).toBeLessThanOrEqual((room.width - size.width) / 2)
      expect(Math.abs(move.y)).toBeLessThanOrEqual((room.height - size.height) / 2)
      const angle = (turn * Math.PI) / 180 + move.turn
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
      for (const [right, low] of [
        [1, 1],
        [1, -1],
        [-1, 1],
        [-1, -1],
      ] as const) {
        // Where this corner of the frame lies in the picture that is turned around its middle.
        const [x, y] = [(right * size.width) / 2 - move.x, (low * size.height) / 2 - move.y]
        expect(Math.abs(x * cos + y * sin)).toBeLessThanOrEqual(large.width / 2 + 1)
        expect(Math.abs(y * cos - x * sin)).toBeLessThanOrEqual(large.height / 2 + 1)
      }
    }),
  )
})
