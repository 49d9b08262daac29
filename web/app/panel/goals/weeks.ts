import { daysOfIsoWeek, isoWeekOf } from '@clear-to-post/domain/calendar'
import { locale } from '../../language.ts'

/** The week `by` weeks after this one. */
export const weekFrom = (isoWeek: string, by: number): string => {
  const monday = new Date(`${daysOfIsoWeek(isoWeek)[0]}T00:00:00Z`)
  monday.setUTCDate(monday.getUTCDate() + 7 * by)
  return isoWeekOf(monday.toISOString().slice(0, 10))
}

/** `Nov 16 – 22, 2026`. */
export const weekWords = (isoWeek: string): string => {
  const days = daysOfIsoWeek(isoWeek)
  return range.formatRange(new Date(`${days[0]}T12:00:00Z`), new Date(`${days[6]}T12:00:00Z`))
}

const range = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
