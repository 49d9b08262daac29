import type { CallAnswer } from '@clear-to-post/contract/call'
import type { Figures, reports } from '@clear-to-post/contract/reports'
import type { Step } from '@clear-to-post/domain/periods'
import { locale } from '../../language.ts'
import { messages } from './messages.ts'

/** Figures of a report as people read them. */

export const numberWords = (value: number): string => value.toLocaleString(locale)

/** Hours with one digit where they are few: `4.5 h`, `31 h`. */
export const hoursWords = (hours: number | undefined): string =>
  hours === undefined
    ? messages.none
    : messages.hours(hours.toLocaleString(locale, { maximumFractionDigits: hours < 10 ? 1 : 0 }))

/** A share in whole percent; a dash of nothing. */
export const shareWords = (part: number, of: number): string => (of === 0 ? messages.none : percentWords(part / of))

export const percentWords = (share: number): string =>
  share.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 0 })

export const shareOf = (part: number, of: number): number | undefined => (of === 0 ? undefined : part / of)

export const minutesOf = ({ lengthMs }: Pick<Figures, 'lengthMs'>): number => Math.round(lengthMs / 6000) / 10

/** Where a company has no editors the service’s cut for it, of whom its ADMIN sees nothing: then nothing can be said. */
export const saysWhenClear = (
  forecast: CallAnswer<(typeof reports)['forecast']> | undefined,
  company: string | null | undefined,
): forecast is CallAnswer<(typeof reports)['forecast']> =>
  forecast !== undefined && (!company || forecast.editors > 0 || forecast.open === 0)

/** What a step is called under a chart: `Nov 3`, or `Nov 2026` for a month. */
export const stepWords = (day: string, step: Step): string =>
  (step === 'month' ? month : dayOfMonth).format(new Date(`${day}T12:00:00Z`))

const dayOfMonth = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
