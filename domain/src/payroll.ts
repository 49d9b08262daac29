import { usualWeek, workSpans, type Availability } from './availability.ts'
import { dayIn, instantAt, isoWeekOf } from './calendar.ts'
import { dayAfter } from './periods.ts'

/** What editors are paid by: a minute of approved video, or an hour that they had a video in hand. */
export const rateUnits = ['minute', 'hour'] as const
export type RateUnit = (typeof rateUnits)[number]
/** `amount` in the currency's smallest unit. */
export type Rate = { unit: RateUnit; amount: number; currency: string }

/** The most that is paid of one day and of one week (Monday to Sunday) in the editor's zone, in milliseconds: the usual week's. */
export const mostOfDayMs = 8 * 3_600_000
export const mostOfWeekMs = 40 * 3_600_000

/** A video in an editor's hands: from when it was theirs to work on, until its cut was sent or another editor got it. */
export type InHand = { startedAt: Date; endedAt: Date }

/**
 * The milliseconds that an editor had videos in hand within their own hours, of laps that ended in a month that begins at
 * `monthStart`: what lies upon each other counts once, also where an earlier month has counted it, and no day and no week counts
 * more than its most, whatever hours the editor has set. Where a lap lies outside of their hours, or they have set none, the usual
 * week's count; outside of these, too, a lap counts as long as it took, up to one day's most. `laps` are those that ended by the
 * month's end, with those of the months before that lie upon them or in the same week.
 */
export const inHandMs = (laps: readonly InHand[], availability: Availability, monthStart: Date): number => {
  const spansOf = ({ startedAt, endedAt }: InHand): Span[] => {
    const own = workSpans(availability, startedAt, endedAt)
    if (own.length > 0) return own
    const usual = workSpans({ ...availability, workWeek: usualWeek }, startedAt, endedAt)
    if (usual.length > 0) return usual
    const start = startedAt.getTime()
    return [{ start, end: Math.min(endedAt.getTime(), start + mostOfDayMs) }]
  }
  const paidOf = (some: readonly InHand[]): number => withinMost(apart(some.flatMap(spansOf)), availability.timeZone)
  return paidOf(laps) - paidOf(laps.filter(({ endedAt }) => endedAt < monthStart))
}

/** Minutes and hours as they are shown and paid: to the hundredth, a half up. */
export const paidMinutes = (ms: number): number => hundredths(ms, 60_000) / 100
export const paidHours = (ms: number): number => hundredths(ms, 3_600_000) / 100

/**
 * What is to be paid, in the currency's smallest unit, rounded to the nearest, a half up: of the minutes or hours as they are
 * shown, so that whoever multiplies what stands there comes to the same sum.
 */
export const payOf = (
  { unit, amount }: Rate,
  { lengthMs, inHandMs }: { lengthMs: number; inHandMs: number },
): number => {
  const shown = unit === 'minute' ? hundredths(lengthMs, 60_000) : hundredths(inHandMs, 3_600_000)
  return Number((2n * BigInt(shown) * BigInt(amount) + 100n) / 200n)
}

const hundredths = (ms: number, per: number): number =>
  Number((200n * BigInt(Math.round(ms)) + BigInt(per)) / (2n * BigInt(per)))

type Span = { start: number; end: number }

// The same stretches of time, what lies upon each other once.
const apart = (spans: readonly Span[]): Span[] => {
  const once: Span[] = []
  let until = -Infinity
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end > until) once.push({ start: Math.max(start, until), end })
    until = Math.max(until, end)
  }
  return once
}

const withinMost = (spans: readonly Span[], timeZone: string): number => {
  const days = new Map<string, number>()
  for (const { start, end } of spans)
    for (let at = start; at < end;) {
      const day = dayIn(new Date(at), timeZone)
      const until = Math.min(end, instantAt(dayAfter(day, 1), '00:00', timeZone).getTime())
      days.set(day, (days.get(day) ?? 0) + until - at)
      at = until
    }
  const weeks = new Map<string, number>()
  for (const [day, ms] of days) {
    const week = isoWeekOf(day)
    weeks.set(week, (weeks.get(week) ?? 0) + Math.min(ms, mostOfDayMs))
  }
  return [...weeks.values()].reduce((sum, ms) => sum + Math.min(ms, mostOfWeekMs), 0)
}
