import { dayIn, instantAt } from '@clear-to-post/domain/calendar'
import { dayAfter } from '@clear-to-post/domain/periods'
import { locale } from '../language.ts'
import { currentZone } from '../times.ts'

/** Days `YYYY-MM-DD` of calendars, in the viewer's zone. The week begins on Monday. */

export const today = (): string => dayIn(new Date(), currentZone())

/** A day's beginning in the viewer's zone: on days when the clock changes it is no multiple of 24 hours from the next. */
export const startOfDay = (day: string): Date => instantAt(day, '00:00', currentZone())

/** The first day of the month before or after a day's own. */
export const otherMonth = (day: string, way: 1 | -1): string => {
  const at = new Date(`${day.slice(0, 7)}-01`)
  at.setUTCMonth(at.getUTCMonth() + way)
  return at.toISOString().slice(0, 10)
}

export const mondayOf = (day: string): string => dayAfter(day, -((new Date(day).getUTCDay() + 6) % 7))

/** Whole weeks that hold a day's month. */
export const weeksOfMonth = (day: string): string[] => {
  const first = mondayOf(`${day.slice(0, 7)}-01`)
  const weeks = Math.ceil((Date.parse(otherMonth(day, 1)) - Date.parse(first)) / (7 * 86_400_000))
  return Array.from({ length: weeks * 7 }, (_, index) => dayAfter(first, index))
}

/** `Mon, Nov 23`. */
export const dayName = (day: string): string => dayNames.format(noonOf(day))
/** `Nov 23 – 29, 2026` in short, from the first day to the last. */
export const spanName = (days: readonly string[]): string =>
  dayNames.formatRange(noonOf(days[0]!), noonOf(days.at(-1)!))
/** `November 2026`. */
export const monthName = (day: string): string => monthNames.format(noonOf(`${day.slice(0, 7)}-01`))
/** `5:00 PM`. */
export const timeOf = (at: string): string =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: currentZone() }).format(new Date(at))

const noonOf = (day: string): Date => new Date(`${day}T12:00:00Z`)
const dayNames = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
const monthNames = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
