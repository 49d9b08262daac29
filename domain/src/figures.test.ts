import { expect, it } from 'vitest'
import { bestTimeOf, figureDays, leastPosts, nextReading, sumFigures } from './figures.ts'

const zone = 'America/New_York'
const now = new Date('2026-11-27T12:00:00Z')
/** Monday 2 November 2026 and so many days later, at this hour in New York (UTC-5 by then). */
const at = (day: number, hour: number) => new Date(Date.UTC(2026, 10, 2 + day, hour + 5))
const posts = (
  count: number,
  day: (index: number) => number,
  hour: (index: number) => number,
  seen: (index: number) => number,
) =>
  Array.from({ length: count }, (_, index) => ({
    account: 'one',
    liveAt: at(day(index), hour(index)),
    seen: seen(index),
  }))

it('fewer posts than are needed say how many are missing, and no time', () => {
  const few = posts(
    leastPosts - 1,
    (n) => n,
    () => 9,
    () => 100,
  )
  expect(bestTimeOf(few, now, zone)).toEqual({ posts: 11, needed: 1 })
  expect(bestTimeOf([], now, zone)).toEqual({ posts: 0, needed: 12 })
})

it('the day and hours at which posts did clearly better are named with the next such moment in the zone', () => {
  // Four Tuesdays at ten did three times as well as other days at four in the afternoon.
  const all = posts(
    16,
    (n) => (n % 4 === 0 ? 1 + (n / 4) * 7 : n % 7 === 1 ? 2 : n % 7),
    (n) => (n % 4 === 0 ? 10 : 16),
    (n) => (n % 4 === 0 ? 300 : 100),
  )
  expect(bestTimeOf(all, now, zone)).toEqual({
    posts: 16,
    needed: 0,
    weekday: { weekday: 2, lift: 3 },
    hour: { hour: 9, lift: 3 },
    next: new Date('2026-12-01T14:00:00Z'),
  })
})

it('posts that all did alike name no better time', () => {
  const alike = posts(
    30,
    (n) => n,
    (n) => 8 + (n % 5) * 3,
    () => 100,
  )
  expect(bestTimeOf(alike, now, zone)).toEqual({ posts: 30, needed: 0 })
})

it('one video that did well on its day alone decides nothing', () => {
  const all = posts(
    20,
    (n) => (n === 0 ? 4 : n % 2),
    () => 9,
    (n) => (n === 0 ? 100_000 : 100),
  )
  expect(bestTimeOf(all, now, zone)).toEqual({ posts: 20, needed: 0 })
})

it('a large account does not speak for a small one', () => {
  const large = posts(
    10,
    (n) => n * 7,
    () => 9,
    () => 50_000,
  )
  const small = posts(
    10,
    (n) => 3 + n * 7,
    () => 9,
    () => 20,
  ).map((one) => ({ ...one, account: 'two' }))
  expect(bestTimeOf([...large, ...small], now, zone)).toEqual({ posts: 20, needed: 0 })
})

it('a moment across a change of the clocks is at the same hour of the wall', () => {
  const winter = new Date('2027-03-12T20:00:00Z')
  // Sundays: the next one has the change to summer time in the night before.
  const all = posts(
    16,
    (n) => (n < 8 ? 6 + n * 7 : n - 8),
    (n) => (n < 8 ? 9 : 15),
    (n) => (n < 8 ? 300 : 100),
  )
  expect(bestTimeOf(all, winter, zone)).toMatchObject({ next: new Date('2027-03-14T13:00:00Z') })
})

it('a sum leaves out what no post tells, and counts what some tell', () => {
  expect(sumFigures([{ views: 3, likes: 0 }, { views: 4 }, {}])).toEqual({ views: 7, likes: 0 })
  expect(sumFigures([])).toEqual({})
})

it('figures are read each day until a post is thirty days old', () => {
  const live = new Date('2026-11-01T00:00:00Z')
  const after = (days: number) => new Date(live.getTime() + days * 86_400_000)
  expect(nextReading(live, after(1))).toEqual(after(2))
  expect(nextReading(live, after(figureDays - 1))).toEqual(after(figureDays))
  expect(nextReading(live, after(figureDays - 0.5))).toBeNull()
})
