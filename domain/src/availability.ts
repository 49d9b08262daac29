import { dayIn, instantAt } from './calendar.ts'
import { dayAfter } from './periods.ts'

/** When somebody works on a day, by the clocks of their own zone: `HH:MM`, the end after the begin. */
export type Hours = { from: string; to: string }
/** Monday first; null: not on that day. */
export type WorkWeek = readonly (Hours | null)[]
/** Days off, both counted: `YYYY-MM-DD`. */
export type TimeOff = { from: string; to: string }
export type Availability = { workWeek: WorkWeek; timeOff: readonly TimeOff[]; timeZone: string }
/** Milliseconds since 1970. */
type Span = { start: number; end: number }

/** The week of an editor who said none. */
export const usualWeek: WorkWeek = [1, 2, 3, 4, 5, 6, 7].map((day) => (day < 6 ? { from: '09:00', to: '17:00' } : null))

/** So many stretches of days off of one person may lie ahead; what is over is kept for a year and counts to none. */
export const mostTimeOff = 60

/** Those that are not over. */
export const comingTimeOff = (timeOff: readonly TimeOff[], now: Date): TimeOff[] =>
  timeOff.filter(({ to }) => to >= now.toISOString().slice(0, 10))

/** How far ahead a forecast looks, in days. */
export const forecastDays = 90

/** When somebody works between two instants, each day's hours one after the other. */
export const workSpans = ({ workWeek, timeOff, timeZone }: Availability, from: Date, until: Date): Span[] => {
  const spans: Span[] = []
  const last = dayIn(until, timeZone)
  for (let day = dayIn(from, timeZone); day <= last; day = dayAfter(day, 1)) {
    const hours = workWeek[(new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7]
    if (!hours || timeOff.some((off) => off.from <= day && day <= off.to)) continue
    const start = Math.max(from.getTime(), instantAt(day, hours.from, timeZone).getTime())
    const end = Math.min(until.getTime(), instantAt(day, hours.to, timeZone).getTime())
    if (start < end) spans.push({ start, end })
  }
  return spans
}

/** Milliseconds that somebody works between two instants. */
export const workedMs = (availability: Availability, from: Date, until: Date): number =>
  workSpans(availability, from, until).reduce((all, { start, end }) => all + end - start, 0)

/** One video that was begun and sent to approval. */
export type Lap = { editorId: string; startedAt: Date; sentAt: Date }

/**
 * The median of what videos took of their editors' own hours, in milliseconds; undefined without any. Work outside of all hours
 * counts as long as it took.
 */
export const paceOf = (
  laps: readonly Lap[],
  of: (editorId: string) => Availability | undefined,
): number | undefined => {
  const took = laps
    .flatMap(({ editorId, startedAt, sentAt }) => {
      const availability = of(editorId)
      return availability === undefined
        ? []
        : [workedMs(availability, startedAt, sentAt) || sentAt.getTime() - startedAt.getTime()]
    })
    .toSorted((a, b) => a - b)
  if (took.length === 0) return undefined
  const middle = took.length / 2
  return took.length % 2 === 1 ? took[Math.floor(middle)]! : (took[middle - 1]! + took[middle]!) / 2
}

/**
 * When open work is done: at the first instant by which each editor had the hours for what is theirs, and all of them together
 * for everything. `own`: how many videos only that editor goes on with. `open`: all of them, those in the pool, too. `pace`: ms a
 * video takes. Null: not within `forecastDays`, or nobody works.
 */
export const clearBy = (
  editors: readonly { availability: Availability; own: number }[],
  { open, pace, now }: { open: number; pace: number; now: Date },
): Date | null => {
  const horizon = new Date(now.getTime() + forecastDays * 86_400_000)
  const all = editors.map(({ availability, own }) => ({
    spans: workSpans(availability, now, horizon),
    need: own * pace,
  }))
  const hadBy = (spans: readonly Span[], at: number): number =>
    spans.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, at) - start), 0)
  const isClearAt = (at: number): boolean => {
    const had = all.map(({ spans }) => hadBy(spans, at))
    return had.every((ms, i) => ms >= all[i]!.need) && had.reduce((sum, ms) => sum + ms, 0) >= open * pace
  }
  if (open === 0) return now
  if (!isClearAt(horizon.getTime())) return null
  let [low, high] = [now.getTime(), horizon.getTime()]
  while (high - low > 60_000) {
    const middle = Math.floor((low + high) / 2)
    if (isClearAt(middle)) high = middle
    else low = middle
  }
  return new Date(high)
}
