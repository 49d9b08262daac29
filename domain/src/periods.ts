import { instantAt } from './calendar.ts'

/** A period of whole days `YYYY-MM-DD` in somebody's time zone, the last one counted too, in steps for a chart. */
export type Step = 'day' | 'week' | 'month'

/** A report reaches over so many days at most: what it costs is bounded, whoever asks. */
export const mostReportDays = 366

/** Days from the first to the last, both counted; below 1 when they stand the wrong way round. */
export const daysOf = (from: string, to: string): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000 + 1

/** The day so many days later. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** As many steps as a chart shows well: 31 days, 27 weeks or 13 months at most. */
export const stepOf = (from: string, to: string): Step => {
  const days = daysOf(from, to)
  return days <= 31 ? 'day' : days <= 183 ? 'week' : 'month'
}

/** The day on which each step begins: the first with the period, the others with their Monday or their month. */
export const stepsOf = (from: string, to: string): string[] => {
  const step = stepOf(from, to)
  const days = Array.from({ length: daysOf(from, to) }, (_, i) => dayAfter(from, i))
  return days.filter((day) => day === from || step === 'day' || (step === 'week' ? isMonday(day) : day.endsWith('-01')))
}

/** The instants at which the steps begin, and the one at which the last ends: the period's own bounds are the outer ones. */
export const boundsOf = (from: string, to: string, timeZone: string): Date[] =>
  [...stepsOf(from, to), dayAfter(to, 1)].map((day) => instantAt(day, '00:00', timeZone))

/** As many days right before. */
export const periodBefore = (from: string, to: string): { from: string; to: string } => ({
  from: dayAfter(from, -daysOf(from, to)),
  to: dayAfter(from, -1),
})

const isMonday = (day: string): boolean => new Date(`${day}T00:00:00Z`).getUTCDay() === 1
