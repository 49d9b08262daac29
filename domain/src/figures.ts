import { dayIn, instantAt, timeIn } from './calendar.ts'
import { dayAfter } from './periods.ts'
import { isTooNear } from './posting.ts'

/** How often a post was seen and answered, all in all, as far as its network says; absent is not told, and not none. */
export type Figures = {
  views?: number | undefined
  likes?: number | undefined
  comments?: number | undefined
  shares?: number | undefined
  /** All that people watched of it together. */
  watchSeconds?: number | undefined
}
export const figureNames = ['views', 'likes', 'comments', 'shares', 'watchSeconds'] as const satisfies (keyof Figures)[]
export type FigureName = (typeof figureNames)[number]

/** What several posts have together; a figure that none of them tells stays absent. */
export const sumFigures = (all: readonly Figures[]): Figures =>
  all.reduce<Figures>((sum, one) => {
    for (const name of figureNames) if (one[name] !== undefined) sum[name] = (sum[name] ?? 0) + one[name]
    return sum
  }, {})

/** A post's figures are read daily for so many days. */
export const figureDays = 30

/** When a post's figures are read next after `now`; null once they are read no more. */
export const nextReading = (liveAt: Date, now: Date): Date | null => {
  const next = now.getTime() + dayMs
  return next > liveAt.getTime() + figureDays * dayMs ? null : new Date(next)
}
const dayMs = 86_400_000

/** A post that was measured when it was a week old at the most: `seen` counts what its account's posts are compared by. */
export type MeasuredPost = { account: string; liveAt: Date; seen: number }

/** Before so many posts no time is said to be better: one video that did well would decide it alone. */
export const leastPosts = 12
/** Nor of so few posts on one weekday, or in one part of the day. */
const leastTogether = 3
/** Better by less than this is chance. */
const leastLift = 1.15
/** A part of the day, in hours. */
const partHours = 3

export type BestTime =
  | { posts: number; needed: number }
  | {
      posts: number
      needed: 0
      /** 1 is Monday; `lift`: so many times what the account's posts usually have. Absent where no day is clearly better. */
      weekday?: { weekday: number; lift: number }
      /** From this hour on, for three hours. */
      hour?: { hour: number; lift: number }
      /** The next such moment. */
      next?: Date
    }

/**
 * When an officer's own posts did best, in their zone: a day of the week and a part of the day, each by itself, because together
 * there would be too few posts of a kind. Each post counts by what its account's posts usually have, so that a large account does
 * not speak for a small one.
 */
export const bestTimeOf = (posts: readonly MeasuredPost[], now: Date, timeZone: string): BestTime => {
  if (posts.length < leastPosts) return { posts: posts.length, needed: leastPosts - posts.length }
  const usual = new Map(
    [...Map.groupBy(posts, ({ account }) => account)].map(([account, those]) => [
      account,
      median(those.map(({ seen }) => seen)),
    ]),
  )
  const lifts = posts.map(({ account, liveAt, seen }) => ({
    weekday: weekdayOf(dayIn(liveAt, timeZone)),
    hour: Math.floor(Number(timeIn(liveAt, timeZone).slice(0, 2)) / partHours) * partHours,
    lift: seen / Math.max(1, usual.get(account)!),
  }))
  const weekday = best(lifts, ({ weekday: of }) => of)
  const hour = best(lifts, ({ hour: of }) => of)
  const next = weekday || hour ? nextAt(weekday?.at, hour?.at, now, timeZone) : null
  return {
    posts: posts.length,
    needed: 0,
    ...(weekday ? { weekday: { weekday: weekday.at, lift: weekday.lift } } : {}),
    ...(hour ? { hour: { hour: hour.at, lift: hour.lift } } : {}),
    ...(next ? { next } : {}),
  }
}

const best = <One extends { lift: number }>(lifts: readonly One[], of: (one: One) => number) => {
  const [first] = [...Map.groupBy(lifts, of)]
    .filter(([, those]) => those.length >= leastTogether)
    .map(([at, those]) => ({ at, lift: Math.round(median(those.map(({ lift }) => lift)) * 10) / 10 }))
    .filter(({ lift }) => lift >= leastLift)
    .toSorted((a, b) => b.lift - a.lift || a.at - b.at)
  return first
}

/** Where no hour is better it is nine in the morning, and where no day is, the next one. */
const nextAt = (weekday: number | undefined, hour: number | undefined, now: Date, timeZone: string): Date | null => {
  const today = dayIn(now, timeZone)
  const time = `${String(hour ?? 9).padStart(2, '0')}:00`
  for (let days = 0; days <= 7; days++) {
    const day = dayAfter(today, days)
    if (weekday !== undefined && weekdayOf(day) !== weekday) continue
    const at = instantAt(day, time, timeZone)
    if (!isTooNear(at, now)) return at
  }
  return null
}

const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7
