import { expect, it } from 'vitest'
import { listenFor, untouched, type Waiting } from './hands-free.ts'

/** When it is called, ms; null where it is not. */
const calledAt = (levels: [db: number, ms: number][]): number | null => {
  let waiting: Waiting = untouched
  let at = 0
  for (const [db, ms] of levels)
    for (let t = 0; t < ms; t += 30) {
      at += 30
      const next = listenFor(waiting, db, 30)
      if (next.isCalled) return at
      waiting = next
    }
  return null
}

it('a voice starts a take after 200 ms, in a quiet and in a loud room', () => {
  expect(
    calledAt([
      [-62, 1500],
      [-30, 600],
    ]),
  ).toBe(1710)
  expect(
    calledAt([
      [-40, 1500],
      [-24, 600],
    ]),
  ).toBe(1710)
})

it('a clap starts it at once', () => {
  expect(
    calledAt([
      [-62, 1500],
      [-18, 30],
    ]),
  ).toBe(1530)
})

it('a room, a knock, a far whisper and the press that began it start nothing', () => {
  expect(calledAt([[-45, 20_000]])).toBeNull()
  expect(
    calledAt([
      [-62, 1500],
      [-40, 150],
      [-62, 3000],
    ]),
  ).toBeNull()
  expect(
    calledAt([
      [-75, 1500],
      [-55, 5000],
    ]),
  ).toBeNull()
  expect(
    calledAt([
      [-10, 300],
      [-62, 5000],
    ]),
  ).toBeNull()
})
