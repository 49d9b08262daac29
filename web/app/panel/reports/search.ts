import { dayIn } from '@clear-to-post/domain/calendar'
import { dayAfter } from '@clear-to-post/domain/periods'
import { reportParts } from '@clear-to-post/contract/reports'

export const periods = ['week', 'month', 'quarter', 'year', 'this-month', 'last-month'] as const
export type Period = (typeof periods)[number]
export const partKeys = [...reportParts, 'lost'] as const
export type PartKey = (typeof partKeys)[number]

/** What of the reports lives in their address. Without a period it is the last four weeks. */
export type ReportsSearch = { period?: Period; tenant?: string; editor?: string; officer?: string; by?: PartKey }

export const readReportsSearch = (search: Record<string, unknown>): ReportsSearch => {
  const period = periods.find((one) => one === search['period'])
  const by = partKeys.find((one) => one === search['by'])
  return {
    ...(period === undefined ? {} : { period }),
    ...id(search, 'tenant'),
    ...id(search, 'editor'),
    ...id(search, 'officer'),
    ...(by === undefined ? {} : { by }),
  }
}

/** The days of a period as it is now: the last so many days with today, or a month of the calendar. */
export const daysOfPeriod = (period: Period, now: Date, timeZone: string): { from: string; to: string } => {
  const today = dayIn(now, timeZone)
  const first = `${today.slice(0, 7)}-01`
  if (period === 'this-month') return { from: first, to: today }
  if (period === 'last-month') {
    const to = dayAfter(first, -1)
    return { from: `${to.slice(0, 7)}-01`, to }
  }
  return { from: dayAfter(today, 1 - lengths[period]), to: today }
}

const lengths = { week: 7, month: 28, quarter: 91, year: 365 }

const id = <Key extends string>(search: Record<string, unknown>, key: Key): Partial<Record<Key, string>> => {
  const value = search[key]
  return (typeof value === 'string' && /^[\da-f-]{36}$/.test(value) ? { [key]: value } : {}) as Partial<
    Record<Key, string>
  >
}
