import { dayAfter } from './periods.ts'
import type { PostState } from './posting.ts'

/** Fewer empty days between two posts are no gap: nobody posts every day. */
export const leastGapDays = 3

/** Whether a post fills its moment: it is there, or may still come. */
export const fillsItsMoment = (state: PostState): boolean => !['failed', 'withdrawn', 'removed'].includes(state)

/**
 * Stretches of at least `leastGapDays` empty days that a post follows, from today on. `days`: consecutive `YYYY-MM-DD`; `filled`:
 * those with a post. What comes after the last post is no gap, it is only not planned yet.
 */
export const gapsOf = (days: readonly string[], filled: ReadonlySet<string>, today: string) => {
  const gaps: { first: string; last: string; days: number }[] = []
  let first: string | undefined
  let length = 0
  for (const day of days) {
    if (day < today) continue
    if (!filled.has(day)) {
      first ??= day
      length++
      continue
    }
    if (first !== undefined && length >= leastGapDays) gaps.push({ first, last: dayAfter(day, -1), days: length })
    first = undefined
    length = 0
  }
  return gaps
}

/** What shows the same time on a clock is due at the same time. */
export const isSameMinute = (one: string | Date, other: string | Date): boolean => minuteOf(one) === minuteOf(other)

type Due = { dueAt: string; network: string; state: PostState }

/** The most posts that fill the same moment on the same network; 0 where there are none. */
export const mostTogether = (posts: readonly Due[]): number => {
  const filling = posts.filter(({ state }) => fillsItsMoment(state))
  const moments = Map.groupBy(filling, ({ dueAt, network }) => `${minuteOf(dueAt)} ${network}`)
  return Math.max(0, ...[...moments.values()].map((some) => some.length))
}

const minuteOf = (at: string | Date): number => Math.floor(new Date(at).getTime() / 60_000)
