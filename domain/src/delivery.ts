import { dayIn, instantAt, minuteIn } from './calendar.ts'

/** How often e-mails of a kind may come. */
export const rhythms = ['at-once', 'hourly', 'daily', 'never'] as const
export type Rhythm = (typeof rhythms)[number]

/** Ways out of the panel. */
export const channels = ['email', 'push'] as const
export type Channel = (typeof channels)[number]

/** `HH:MM` in the person's own zone; past midnight where `from` is later than `until`, none where they are equal. */
export type QuietHours = { from: string; until: string }

/** The local hour of daily digests. */
export const digestTime = '08:00'

/**
 * The moment at which something said `now` leaves for a person; `now` itself where nothing holds it back, null for never.
 * A digest leaves at the next full hour or the next 08:00 of the person's zone, and not before quiet hours end.
 */
export const whenToSend = (rhythm: Rhythm, quiet: QuietHours | null, timeZone: string, now: Date): Date | null => {
  if (rhythm === 'never') return null
  const at =
    rhythm === 'hourly' ? nextHour(timeZone, now) : rhythm === 'daily' ? nextTime(digestTime, timeZone, now) : now
  return quiet === null ? at : afterQuiet(quiet, timeZone, at)
}

const nextHour = (timeZone: string, now: Date): Date => {
  const start = Math.floor(now.getTime() / minuteMs) * minuteMs
  return new Date(start + (60 - (minuteIn(now, timeZone) % 60)) * minuteMs)
}

/** The next moment, later than `now`, at which clocks of the zone show `time`. */
const nextTime = (time: string, timeZone: string, now: Date): Date => {
  const today = dayIn(now, timeZone)
  const at = instantAt(today, time, timeZone)
  return at > now ? at : instantAt(dayAfter(today), time, timeZone)
}

const afterQuiet = ({ from, until }: QuietHours, timeZone: string, at: Date): Date => {
  const [start, end] = [minutes(from), minutes(until)]
  const isQuiet = (ms: number) => {
    const minute = minuteIn(new Date(ms), timeZone)
    return start <= end ? minute >= start && minute < end : minute >= start || minute < end
  }
  if (!isQuiet(at.getTime())) return at
  const began = Math.floor(at.getTime() / minuteMs) * minuteMs
  const left = (end - minuteIn(at, timeZone) + 1440) % 1440
  const wakes = began + left * minuteMs
  if (minuteIn(new Date(wakes), timeZone) === end) return new Date(wakes)
  // Clocks change on the way: the hour that comes twice may begin outside the quiet hours, long before they end.
  let minute = began
  while (isQuiet(minute)) minute += minuteMs
  return new Date(minute)
}

const minuteMs = 60_000

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
