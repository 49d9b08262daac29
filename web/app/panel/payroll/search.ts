import { monthAfter, monthPattern } from '@clear-to-post/domain/calendar'

/** What of the payroll lives in its address: the month, `2026-11`; without one the month before this one. */
export type PayrollSearch = { month?: string }

export const readPayrollSearch = (search: Record<string, unknown>): PayrollSearch =>
  typeof search['month'] === 'string' && monthPattern.test(search['month']) ? { month: search['month'] } : {}

/** The months that are offered, this one first; `chosen` too, however old. */
export const monthsOf = (thisMonth: string, chosen: string): string[] => {
  const months = Array.from({ length: 13 }, (_, back) => monthAfter(thisMonth, -back))
  return months.includes(chosen) ? months : [...months, chosen]
}
