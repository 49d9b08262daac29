/** Months, days and ISO weeks as people in a time zone see them. `timeZone` is an IANA name. */

/** `YYYY-MM` of an instant. */
export const monthIn = (at: Date, timeZone: string): string => dayIn(at, timeZone).slice(0, 7)

/** `YYYY-MM-DD` of an instant. */
export const dayIn = (at: Date, timeZone: string): string => {
  const { year, month, day } = partsIn(at, timeZone)
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}`
}

/** `YYYY-Www`, the ISO 8601 week of an instant. */
export const isoWeekIn = (at: Date, timeZone: string): string => isoWeekOf(dayIn(at, timeZone))

/** `YYYY-Www` of a day `YYYY-MM-DD`. */
export const isoWeekOf = (day: string): string => {
  const date = new Date(`${day}T00:00:00Z`)
  // The week belongs to the year of its Thursday.
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7))
  const week = Math.ceil(((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000 + 1) / 7)
  return `${pad(date.getUTCFullYear(), 4)}-W${pad(week)}`
}

/** The seven days `YYYY-MM-DD` of an ISO week, Monday first. */
export const daysOfIsoWeek = (isoWeek: string): string[] => {
  const [year, week] = isoWeek.split('-W').map(Number) as [number, number]
  const fourth = new Date(Date.UTC(year, 0, 4))
  const monday = fourth.getTime() - ((fourth.getUTCDay() || 7) - 1) * 86_400_000 + (week - 1) * 7 * 86_400_000
  return Array.from({ length: 7 }, (_, i) => new Date(monday + i * 86_400_000).toISOString().slice(0, 10))
}

/** `YYYY-MM` so many months later. */
export const monthAfter = (month: string, months: number): string => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

/** The instant at which `YYYY-MM` begins in a time zone. */
export const startOfMonth = (month: string, timeZone: string): Date => {
  const wall = Date.parse(`${month}-01T00:00:00Z`)
  // Two rounds settle the offset also when the clock changes near midnight.
  const guess = wall - offsetAt(wall, timeZone)
  return new Date(wall - offsetAt(guess, timeZone))
}

/**
 * The instant at which a zone's clocks show `HH:MM` on a day `YYYY-MM-DD`. A time that the day does not have comes as much
 * later as the clocks jump; of one that it has twice, the first counts.
 */
export const instantAt = (day: string, time: string, timeZone: string): Date => {
  const wall = Date.parse(`${day}T${time}:00Z`)
  const before = offsetAt(wall - 86_400_000, timeZone)
  const after = offsetAt(wall + 86_400_000, timeZone)
  // Reckoned from before a jump, a missing time lands behind it, and a doubled one is the first.
  if (before === after || offsetAt(wall - after, timeZone) !== after || offsetAt(wall - before, timeZone) === before)
    return new Date(wall - before)
  return new Date(wall - after)
}

/** The instant of a day `YYYY-MM-DD` at which a zone's clocks show what they show at `at`; as instantAt where the clocks change. */
export const sameTimeOn = (day: string, at: Date, timeZone: string): Date =>
  instantAt(day, timeIn(at, timeZone), timeZone)

/** `HH:MM` that clocks of a zone show. */
export const timeIn = (at: Date, timeZone: string): string => {
  const { hour, minute } = partsIn(at, timeZone)
  return `${pad(hour)}:${pad(minute)}`
}

/** Minutes since midnight that clocks of a zone show, 0 to 1439. */
export const minuteIn = (at: Date, timeZone: string): number => {
  const { hour, minute } = partsIn(at, timeZone)
  return hour * 60 + minute
}

/** `YYYY-MM`. */
export const monthPattern = /^\d{4}-(0[1-9]|1[0-2])$/

/** Names of places only: an offset such as `+05:00` knows no summer. */
export const isTimeZone = (name: string): boolean => {
  if (/^[+-]/.test(name)) return false
  try {
    formatIn(name)
    return true
  } catch {
    return false
  }
}

const offsetAt = (ms: number, timeZone: string): number => {
  const p = partsIn(new Date(ms), timeZone)
  return Date.UTC(p.year, p.month - 1, p.day, p.hour, p.minute, p.second) - Math.floor(ms / 1000) * 1000
}

const partsIn = (at: Date, timeZone: string) => {
  const parts = Object.fromEntries(
    formatIn(timeZone)
      .formatToParts(at)
      .map((p) => [p.type, Number(p.value)]),
  )
  return parts as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>
}

/** One for each zone there is, however people spell its name: some 600 at most. */
const formats = new Map<string, Intl.DateTimeFormat>()
const formatIn = (timeZone: string): Intl.DateTimeFormat => {
  const name = timeZone.toLowerCase()
  let format = formats.get(name)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US-u-ca-iso8601', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formats.set(name, format)
  }
  return format
}

const pad = (n: number, width = 2): string => String(n).padStart(width, '0')

/** Is there such a week (`2026-W53`)? Most years have 52. */
export const isIsoWeek = (isoWeek: string): boolean =>
  /^\d{4}-W\d\d$/.test(isoWeek) &&
  Number(isoWeek.slice(0, 4)) >= 1970 &&
  isoWeekOf(daysOfIsoWeek(isoWeek)[0]!) === isoWeek
