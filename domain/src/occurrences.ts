import { dayIn, instantAt } from './calendar.ts'

/**
 * When something that repeats is due. Days are counted as people count them (a calendar in the time zone), then put on
 * the zone's clock: a time that a day does not have (clocks go forward) comes as much later as the clocks jump, and of a
 * time that a day has twice (clocks go back) the first one counts. So every due day has exactly one due moment.
 */

/** `weekDays`: 1 Monday to 7 Sunday. `endDate`: an instant, itself still included. `ocurrences` is the API's spelling. */
export type Recurrence = {
  frequency: 'daily' | 'weekly' | 'monthly'
  interval: number
  weekDays?: readonly number[] | undefined
  /** A month that is shorter has its last day instead. */
  dayOfMonth?: number | undefined
  endDate?: string | undefined
  ocurrences?: number | undefined
}

export type Timetable = {
  /** IANA name. */
  timeZone: string
  /** `HH:MM` on that zone's clocks. */
  timeOfDay: string
  /** `YYYY-MM-DD`: no due day is earlier, and intervals and `ocurrences` are counted from here. */
  firstDay: string
  /** Without it: once, on the first day. */
  recurrence?: Recurrence | null | undefined
}

/** The next due moment after an instant; null when there is none any more. */
export const nextDue = (timetable: Timetable, after: Date): Date | null => nextDues(timetable, after, 1)[0] ?? null

/** The next due moments after an instant, at most `count`, ascending. */
export const nextDues = (timetable: Timetable, after: Date, count: number): Date[] => {
  const { timeZone, timeOfDay, recurrence } = timetable
  const end = recurrence?.endDate === undefined ? Infinity : Date.parse(recurrence.endDate)
  const found: Date[] = []
  for (const day of dueDays(timetable, dayIn(after, timeZone))) {
    if (found.length === count) break
    const at = instantAt(day, timeOfDay, timeZone)
    if (at.getTime() > end) break
    if (at > after) found.push(at)
  }
  return found
}

/**
 * Where counting begins when nobody named a first day: the first day that fits after `now`, so that “every second
 * Monday” begins with the next Monday and not with the one after it.
 */
export const firstDayAfter = (now: Date, { timeZone, timeOfDay, recurrence }: Omit<Timetable, 'firstDay'>): string => {
  const firstDay = dayIn(now, timeZone)
  const everyOne = recurrence ? { ...recurrence, interval: 1, endDate: undefined, ocurrences: undefined } : daily
  const due = nextDue({ timeZone, timeOfDay, firstDay, recurrence: everyOne }, now)
  return due ? dayIn(due, timeZone) : firstDay
}

const daily = { frequency: 'daily', interval: 1 } satisfies Recurrence

// Due days, ascending, from two before `from` on: a moment that a gap moves, or that is far from UTC, may be another day's.
// Those before are only counted: a clock for each of thousands of days takes a second.
function* dueDays({ firstDay, recurrence }: Timetable, from: string): Generator<string> {
  if (!recurrence) {
    yield firstDay
    return
  }
  const { ocurrences = Infinity } = recurrence
  const first = toNumber(firstDay)
  // Whoever counts must begin at the beginning; all others need not walk through the years before.
  const earliest = toNumber(from) - 2
  const start = ocurrences === Infinity ? Math.max(0, periodOf(recurrence, first, earliest)) : 0
  let counted = 0
  for (let period = start; ; period++) {
    for (const day of daysOfPeriod(recurrence, first, period)) {
      if (day < first) continue
      if (counted === ocurrences || day > lastDay) return
      counted++
      if (day >= earliest) yield toText(day)
    }
  }
}

// Which period of the recurrence, 0 at the first day, a day falls into.
const periodOf = ({ frequency, interval }: Recurrence, first: number, day: number): number => {
  const units = {
    daily: () => day - first,
    weekly: () => (mondayOf(day) - mondayOf(first)) / 7,
    monthly: () => monthOf(day) - monthOf(first),
  }
  return Math.floor(units[frequency]() / interval)
}

const daysOfPeriod = (
  { frequency, interval, weekDays, dayOfMonth }: Recurrence,
  first: number,
  period: number,
): number[] => {
  switch (frequency) {
    case 'daily':
      return [first + period * interval]
    case 'weekly': {
      const monday = mondayOf(first) + period * interval * 7
      const days = weekDays?.length ? [...new Set(weekDays)].sort((a, b) => a - b) : [first - mondayOf(first) + 1]
      return days.map((day) => monday + day - 1)
    }
    case 'monthly': {
      const month = monthOf(first) + period * interval
      const wanted = dayOfMonth ?? toDate(first).getUTCDate()
      return [Math.min(startOfMonth(month) + wanted, startOfMonth(month + 1)) - 1]
    }
  }
}

// Days are numbered from 1970-01-01, which was a Thursday; months from year 0.
const toNumber = (day: string): number => {
  const number = Date.parse(`${day}T00:00:00Z`) / 86_400_000
  // What is no number is never past an end: whoever counts days by it would count for ever.
  if (!Number.isInteger(number)) throw new RangeError(`No day of ours: ${day}`)
  return number
}
const toDate = (day: number): Date => new Date(day * 86_400_000)
const toText = (day: number): string => toDate(day).toISOString().slice(0, 10)
const mondayOf = (day: number): number => day - ((((day + 3) % 7) + 7) % 7)
const monthOf = (day: number): number => toDate(day).getUTCFullYear() * 12 + toDate(day).getUTCMonth()
const startOfMonth = (month: number): number => {
  const date = new Date(0)
  date.setUTCFullYear(Math.floor(month / 12), month % 12, 1)
  return date.getTime() / 86_400_000
}
// In every zone it ends in a year of four digits.
const lastDay = toNumber('9999-12-30')
