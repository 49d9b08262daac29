import { expect, it } from 'vitest'
import { personIn, personRules, type Face, type Look } from './person.ts'

/** A minute of looks, one a second, at a face of an ordinary size. */
const minute = (faces: (second: number) => Partial<Face>[]): Look[] =>
  Array.from({ length: 60 }, (_, second) => ({
    at: second * 1000,
    faces: faces(second).map((face) => ({ x: 0.5, y: 0.4, height: 0.15, sure: 0.9, ...face })),
  }))
const found = (faces: (second: number) => Partial<Face>[]) => personIn(minute(faces), 60_000)

/** Even numbers from −1 to 1, the same each time. */
const dice = () => {
  let seed = 7
  return () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 31 - 1
}

it('the picture stays at one place for a person who sits, nods and is overlooked now and then', () => {
  const random = dice()
  const person = found((second) =>
    second % 9 === 4 ? [] : [{ x: 0.72 + 0.025 * random(), y: 0.4 + 0.03 * random(), sure: 0.8 + 0.15 * random() }],
  )
  expect(person?.doubts).toEqual([])
  expect(person?.holds).toHaveLength(1)
  expect(Math.abs(person!.holds[0]!.x - 0.72)).toBeLessThan(0.02)
})

it('the place is that of the head, which is higher than the box of the face', () => {
  const [hold] = found(() => [{}])!.holds
  expect(hold!.height).toBeCloseTo(personRules.head * 0.15, 2)
  expect(hold!.y).toBeCloseTo(0.4 - personRules.above * 0.15, 2)
})

it('a box that jumps away for a moment moves nothing', () => {
  const person = found((second) => [{ x: second === 20 ? 0.1 : 0.6 }])
  expect(person?.holds).toHaveLength(1)
})

it('a person who goes to the other side is held here, then there, and nowhere on the way', () => {
  const person = found((second) => [{ x: second < 30 ? 0.25 : second > 33 ? 0.75 : 0.25 + (second - 30) * 0.15 }])
  expect(person?.doubts).toEqual([])
  expect(person?.holds.map(({ x }) => x)).toEqual([0.25, 0.75])
  expect(person!.holds[0]!.end).toBeLessThanOrEqual(31_000)
  expect(person!.holds[1]!.start).toBeGreaterThanOrEqual(32_000)
})

it('without a face there is no person, with one for a moment a doubt and no place', () => {
  expect(found(() => [])).toBeNull()
  // What a detector sees in a plant or a lamp.
  expect(found((second) => (second === 12 ? [{ sure: 0.7 }] : [{ sure: 0.35 }]))).toBeNull()
  expect(found((second) => (second < 9 ? [{}] : []))).toEqual({
    holds: [],
    doubts: [{ start: 0, end: 60_000, kind: 'seldom' }],
  })
})

it('two people of one size are a doubt, somebody small in the background is none', () => {
  expect(found(() => [{ x: 0.2 }, { x: 0.8 }])?.doubts).toEqual([{ start: 0, end: 60_000, kind: 'two' }])
  // The place is one person's all the time.
  expect(found(() => [{ x: 0.8 }, { x: 0.2, height: 0.16 }])?.holds.map(({ x }) => x)).toEqual([0.2])
  const behind = found(() => [{ x: 0.3 }, { x: 0.8, height: 0.06 }])
  expect(behind?.doubts).toEqual([])
  expect(behind?.holds.map(({ x }) => x)).toEqual([0.3])
})

it('a stretch without a face is a doubt with its ends, and a short one is none', () => {
  expect(found((second) => (second > 20 && second < 30 ? [] : [{}]))?.doubts).toEqual([
    { start: 20_000, end: 30_000, kind: 'lost' },
  ])
  expect(found((second) => (second > 20 && second < 25 ? [] : [{}]))?.doubts).toEqual([])
  expect(found((second) => (second < 50 ? [{}] : []))?.doubts).toEqual([{ start: 49_000, end: 60_000, kind: 'lost' }])
})

it('somebody who walks about all the time is followed at few places, or a doubt', () => {
  const person = found((second) => [{ x: 0.5 + 0.4 * Math.sin(second * 1.3) }])!
  expect(person.doubts).toEqual([{ start: 0, end: 60_000, kind: 'restless' }])
  const slow = found((second) => [{ x: 0.5 + 0.08 * Math.sin(second / 4) }])!
  expect(slow.doubts).toEqual([])
  expect(slow.holds.length).toBeLessThanOrEqual(personRules.places)
})
