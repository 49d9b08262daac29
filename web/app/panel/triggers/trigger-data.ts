import type { CallInput } from '@clear-to-post/contract/call'
import type { notifications, Trigger } from '@clear-to-post/contract/notifications'
import { dayIn, instantAt } from '@clear-to-post/domain/calendar'
import { messages } from './messages.ts'

export type CriteriaType = Trigger['criteria']['type']
export type Repeats = 'once' | 'daily' | 'weekly' | 'monthly'

/** What the trigger's form holds; texts are empty where there is nothing. Days are `YYYY-MM-DD` in the trigger's zone. */
export type Form = {
  title: string
  description: string
  wordsTitle: string
  wordsBody: string
  ctaLabel: string
  ctaUrl: string
  push: boolean
  email: boolean
  criteria: CriteriaType
  days: number
  productIds: readonly string[]
  companies: readonly string[]
  repeats: Repeats
  interval: number
  /** 1 Monday to 7 Sunday. */
  weekDays: readonly number[]
  dayOfMonth: number
  firstDay: string
  timeOfDay: string
  timezone: string
  ends: 'never' | 'on' | 'after'
  lastDay: string
  times: number
}

/** What a part of the form is given. */
export type PartProps = {
  form: Form
  problems: Problems
  onChange: (part: Partial<Form>) => void
  isDisabled: boolean
}

type Body = CallInput<typeof notifications.createTrigger>['body']
type Changes = CallInput<typeof notifications.updateTrigger>['body']

export const blank = (timezone: string): Form => ({
  title: '',
  description: '',
  wordsTitle: '',
  wordsBody: '',
  ctaLabel: '',
  ctaUrl: '',
  push: true,
  email: true,
  criteria: 'allUsers',
  days: 30,
  productIds: [],
  companies: [],
  repeats: 'once',
  interval: 1,
  weekDays: [1],
  dayOfMonth: 1,
  firstDay: '',
  timeOfDay: '09:00',
  timezone,
  ends: 'never',
  lastDay: '',
  times: 10,
})

export const formOf = (trigger: Trigger): Form => {
  const { timezone = 'UTC', recurrence, executionDate, criteria, notification } = trigger
  const empty = blank(timezone)
  const dayOf = (text: string | undefined) =>
    text === undefined || text.length === 10 ? (text ?? '') : dayIn(new Date(text), timezone)
  return {
    ...empty,
    title: trigger.title,
    description: trigger.description,
    wordsTitle: notification.title,
    wordsBody: notification.body,
    ctaLabel: notification.cta?.label ?? '',
    ctaUrl: notification.cta?.url ?? '',
    push: trigger.transportType.includes('push'),
    email: trigger.transportType.includes('email'),
    criteria: criteria.type,
    days: criteria.type === 'noProjects' ? criteria.params.days : empty.days,
    productIds: criteria.type === 'usersFromTier' ? criteria.params.productIds : [],
    companies: trigger.tenantIds ?? [],
    repeats: recurrence?.frequency ?? 'once',
    interval: recurrence?.interval ?? 1,
    weekDays: recurrence?.weekDays ?? empty.weekDays,
    dayOfMonth: recurrence?.dayOfMonth ?? empty.dayOfMonth,
    firstDay: dayOf(executionDate),
    timeOfDay: trigger.timeOfDay,
    ends: recurrence?.endDate ? 'on' : recurrence?.ocurrences ? 'after' : 'never',
    lastDay: recurrence?.endDate ? dayIn(new Date(recurrence.endDate), timezone) : '',
    times: recurrence?.ocurrences ?? empty.times,
  }
}

/** The form as the calls take it. */
export const bodyOf = (form: Form): Body => ({
  title: form.title.trim(),
  description: form.description.trim(),
  ...sayingOf(form),
  ...audienceOf(form),
  ...scheduleOf(form),
})

/** What is said, and by which ways. */
export const sayingOf = ({ wordsTitle, wordsBody, ctaLabel, ctaUrl, push, email }: Form) => ({
  transportType: [...(push ? (['push'] as const) : []), ...(email ? (['email'] as const) : [])],
  notification: {
    title: wordsTitle.trim(),
    body: wordsBody.trim(),
    ...(ctaLabel.trim() && ctaUrl.trim() ? { cta: { label: ctaLabel.trim(), url: ctaUrl.trim() } } : {}),
  },
})

export const audienceOf = ({ criteria, days, productIds, companies }: Form) => ({
  criteria:
    criteria === 'noProjects'
      ? { type: criteria, params: { days } }
      : criteria === 'usersFromTier'
        ? { type: criteria, params: { productIds: [...productIds] } }
        : { type: criteria },
  ...(companies.length > 0 ? { tenantIds: [...companies] } : {}),
})

export const scheduleOf = (form: Form) => ({
  timezone: form.timezone,
  timeOfDay: form.timeOfDay,
  ...(form.firstDay ? { executionDate: form.firstDay } : {}),
  ...(form.repeats === 'once' ? {} : { recurrence: recurrenceOf(form, form.repeats) }),
})

const recurrenceOf = (form: Form, frequency: Exclude<Repeats, 'once'>) => ({
  frequency,
  interval: form.interval,
  ...(frequency === 'weekly' && form.weekDays.length > 0 ? { weekDays: [...form.weekDays].sort((a, b) => a - b) } : {}),
  ...(frequency === 'monthly' ? { dayOfMonth: form.dayOfMonth } : {}),
  // The last day counts to its end.
  ...(form.ends === 'on' && form.lastDay
    ? { endDate: instantAt(form.lastDay, '23:59', form.timezone).toISOString() }
    : {}),
  ...(form.ends === 'after' ? { ocurrences: form.times } : {}),
})

/** What was changed, as the call takes it: what is not named stays, and counting does not begin anew. */
export const changesOf = (form: Form, kept: Form): Changes => {
  const [now, before] = [bodyOf(form) as Record<string, unknown>, bodyOf(kept) as Record<string, unknown>]
  const names = [...new Set([...Object.keys(now), ...Object.keys(before)])]
  const changed = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(before[name]))
  return Object.fromEntries(changed.map((name) => [name, now[name] ?? null]))
}

export type Problems = Partial<
  Record<
    'title' | 'wordsTitle' | 'wordsBody' | 'ctaLabel' | 'ctaUrl' | 'transport' | 'products' | 'timeOfDay' | 'lastDay',
    string
  >
>

/** What is still missing, by field. */
export const problemsOf = (form: Form): Problems => {
  const [label, url] = [form.ctaLabel.trim(), form.ctaUrl.trim()]
  return {
    ...(form.title.trim() ? {} : { title: messages.needName }),
    ...(form.wordsTitle.trim() ? {} : { wordsTitle: messages.needTitle }),
    ...(form.wordsBody.trim() ? {} : { wordsBody: messages.needBody }),
    ...(url && !label ? { ctaLabel: messages.needLabel } : {}),
    ...(label && !url ? { ctaUrl: messages.needUrl } : {}),
    ...(url && !/^(\/(?![/\\])|https:\/\/)[^\s\\]*$/.test(url) ? { ctaUrl: messages.badUrl } : {}),
    ...(form.push || form.email ? {} : { transport: messages.needTransport }),
    ...(form.criteria === 'usersFromTier' && form.productIds.length === 0 ? { products: messages.needProduct } : {}),
    ...(form.timeOfDay ? {} : { timeOfDay: messages.needTime }),
    ...(form.repeats !== 'once' && form.ends === 'on' && !form.lastDay ? { lastDay: messages.needLastDay } : {}),
  }
}
