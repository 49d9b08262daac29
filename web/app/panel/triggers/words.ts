import type { HistoryEntry, Trigger } from '@clear-to-post/contract/notifications'
import { locale } from '../../language.ts'
import { messages } from './messages.ts'

/** What a trigger does, in words. Times are said as the clocks of the trigger's own zone show them. */

/** `Every 2 weeks on Monday and Thursday at 9:00 AM, New York`. */
export const scheduleWords = ({
  recurrence,
  timeOfDay,
  timezone = 'UTC',
}: Pick<Trigger, 'recurrence' | 'timeOfDay' | 'timezone'>): string => {
  const at = messages.at(timeWords(timeOfDay), zoneWords(timezone))
  if (!recurrence) return messages.once + at
  const { frequency, interval, weekDays, dayOfMonth, endDate, ocurrences } = recurrence
  const every = interval === 1 ? messages.every1[frequency] : messages.everyN[frequency](interval)
  const days =
    frequency === 'weekly' && weekDays?.length
      ? messages.onDays(list.format([...weekDays].sort((a, b) => a - b).map((day) => weekDayWords(day, 'long'))))
      : frequency === 'monthly' && dayOfMonth !== undefined
        ? messages.onDayOfMonth(dayOfMonth)
        : ''
  const end = endDate === undefined ? '' : messages.until(dayIn(endDate, timezone))
  return every + days + at + end + (ocurrences === undefined ? '' : messages.timesInAll(ocurrences))
}

/** `No video for 30 days of Harbor Point`. `planNames` by product id, `companyNames` by id. */
export const audienceWords = (
  { criteria, tenantIds }: Pick<Trigger, 'criteria' | 'tenantIds'>,
  planNames: ReadonlyMap<string, string>,
  companyNames: ReadonlyMap<string, string> = new Map(),
): string => {
  const [only, ...more] = tenantIds ?? []
  const name = more.length === 0 && only !== undefined ? companyNames.get(only) : undefined
  const within = tenantIds?.length ? messages.inCompanies(name ?? tenantIds.length) : ''
  switch (criteria.type) {
    case 'noProjects':
      return messages.audience.noProjects(criteria.params.days) + within
    case 'usersFromTier':
      return (
        messages.audience.usersFromTier(list.format(criteria.params.productIds.map((id) => planNames.get(id) ?? id))) +
        within
      )
    default:
      return messages.audience[criteria.type] + within
  }
}

/** What became of a run: `412 of 420 told, 2 failed`. */
export const outcomeWords = (run: HistoryEntry): string => {
  const { total, success, error } = run.users
  const number = (n: number) => n.toLocaleString(locale)
  if (outcomeOf(run) === 'missed') return messages.missed
  if (outcomeOf(run) === 'sending') return messages.sending(number(success))
  if (total === 0 && run.status === 'info') return messages.nobody
  const told = success === total ? messages.toldAll(number(success)) : messages.toldSome(number(success), number(total))
  return error > 0 ? `${told}, ${messages.errors(number(error))}` : told
}

/** When it runs next, or why it does not. */
export const nextWords = ({ status, nextExecution, timezone = 'UTC' }: Trigger): string => {
  if (status === 'running') return messages.noNext.running
  if (nextExecution) return messages.next(momentWords(nextExecution, timezone))
  return status === 'paused' ? messages.noNext.paused : messages.noNext.other
}

/** When it ran last and what became of it. */
export const lastWords = ({ history }: Trigger): string => {
  const [last] = history ?? []
  return last ? messages.last(momentWords(last.executedAt, last.timezone), outcomeWords(last)) : messages.neverRan
}

/** A run's status, and what of it the API says only between the lines. */
export const outcomeOf = (run: HistoryEntry): keyof typeof messages.outcomes => {
  if (run.executionTimeDuration === undefined) return 'sending'
  if (run.status === 'warn' && run.users.total === 0 && run.errorList?.[0]?.startsWith('Missed')) return 'missed'
  return run.status
}

/** `Mon, Nov 23, 9:00 AM EST`, with the year when it is another than this one. */
export const momentWords = (iso: string, timeZone: string, now = new Date()): string => {
  const at = new Date(iso)
  const isThisYear = at.getUTCFullYear() === now.getUTCFullYear()
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...(isThisYear ? {} : { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at)
}

/** `America/New_York` → `New York`. */
export const zoneWords = (timeZone: string): string => timeZone.split('/').at(-1)!.replaceAll('_', ' ')

/** 1 Monday to 7 Sunday. */
export const weekDayWords = (day: number, weekday: 'long' | 'short'): string =>
  new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, day)))

const timeWords = (timeOfDay: string): string =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
    new Date(`2024-01-01T${timeOfDay}:00Z`),
  )

const dayIn = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone, month: 'short', day: 'numeric', year: 'numeric' }).format(new Date(iso))

const list = new Intl.ListFormat(locale)
