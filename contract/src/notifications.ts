import { z } from 'zod'
import { kindNames } from '@clear-to-post/domain/audiences'
import { isTimeZone } from '@clear-to-post/domain/calendar'
import { rhythms } from '@clear-to-post/domain/delivery'
import { call } from './call.ts'
import { isOurEra } from './era.ts'
import { PageQuery, pageOf } from './page.ts'
import { visible, visibleText } from './visible.ts'

export const Notification = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  triggerId: z.uuid().optional(),
  title: z.string(),
  body: z.string(),
  status: z.enum(['failed', 'delivered', 'deleted']),
  deliveredAt: z.iso.datetime(),
  openedAt: z.iso.datetime().optional(),
  deletedAt: z.iso.datetime().optional(),
  cta: z.object({ label: z.string(), url: z.string() }).optional(),
  metadata: z.record(z.string(), z.unknown()),
  error: z.string().optional(),
})

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Write the time of day as HH:MM')
const KindName = z.enum(kindNames)
/** How one hears of what: `quiet` in the zone of one's profile, null for none. */
export const Choices = z.object({
  kinds: z.array(
    z.object({
      kind: KindName,
      label: z.string(),
      text: z.string(),
      email: z.enum(rhythms),
      push: z.boolean(),
      /** Comes in quiet hours, too. */
      isUrgent: z.boolean(),
    }),
  ),
  quiet: z.object({ from: z.string(), until: z.string() }).nullable(),
  timezone: z.string(),
})

export const triggerStatuses = [
  'scheduled',
  'running',
  'completed',
  'failed',
  'paused',
  'cancelled',
  'active',
  'expired',
] as const
export const Criteria = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('allUsers'), params: z.strictObject({}).default({}) }),
  z.strictObject({
    type: z.literal('noProjects'),
    params: z.strictObject({ days: z.number().int().min(1).max(3650).default(30) }).prefault({}),
  }),
  z.strictObject({ type: z.literal('noSubscription'), params: z.strictObject({}).default({}) }),
  z.strictObject({
    type: z.literal('usersFromTier'),
    params: z.strictObject({ productIds: z.array(z.string().max(200)).min(1).max(100) }),
  }),
])
/** `weekDays`: 1 Monday to 7 Sunday. `ocurrences` is spelled as the specification spells it. */
export const Recurrence = z.strictObject({
  frequency: z.enum(['daily', 'weekly', 'monthly']),
  interval: z.number().int().min(1).max(366),
  weekDays: z
    .array(z.number().int().min(1).max(7))
    .max(7)
    .overwrite((days) => [...new Set(days)].sort((a, b) => a - b))
    .optional(),
  dayOfMonth: z.number().int().min(1).max(31).optional(),
  endDate: z.iso.datetime({ offset: true }).refine(isOurEra, 'Choose a year from 1970 to 9998').optional(),
  ocurrences: z.number().int().min(1).max(10_000).optional(),
})
/** What a program keeps beside the words, of 5,000 letters at most as JSON. */
const Metadata = z
  .record(z.string().max(100), z.unknown())
  .refine((data) => JSON.stringify(data).length <= 5000, 'Keep it to 5,000 letters')
export const Words = z.strictObject({
  title: visible(120),
  body: visibleText(2000),
  cta: z
    .strictObject({
      label: visible(60),
      // Whatever else an address may begin with, it is clicked on in mails and in the panel.
      url: z
        .string()
        .max(500)
        .regex(
          // Browsers read a backslash as a slash, and a path that climbs may begin with two: both would lead out of here.
          /^\/(?![^?#]*\/\/|\/|[^?#]*\/\.\.?(?:[/?#]|$)|\.\.?(?:[/?#]|$))[^\s\\]*$|^https:\/\/[^\s\\/?#][^\s\\]*$/,
          'Write a path such as /panel/new, or an address that begins with https://',
        ),
    })
    .optional(),
  metadata: Metadata.optional(),
})
/**
 * One run. A missed one is a `warn` at its due time; an `info` without `executionTimeDuration` (milliseconds) is being sent
 * right now. `users`: `total` were chosen, `success` were told, `error` could not be; the rest had chosen not to hear.
 */
export const HistoryEntry = z.object({
  batchId: z.string(),
  executedAt: z.iso.datetime(),
  timezone: z.string(),
  status: z.enum(['success', 'failed', 'info', 'warn']),
  users: z.object({ total: z.number().int(), success: z.number().int(), error: z.number().int() }),
  errorList: z.array(z.string()).optional(),
  executionTimeDuration: z.number().optional(),
})
const TimeZone = z.string().max(64).refine(isTimeZone, 'Name an IANA time zone such as America/Chicago')
export const Schedule = z.strictObject({
  recurrence: Recurrence.optional(),
  timezone: TimeZone.default('America/New_York'),
  /** The first (or only) day, `YYYY-MM-DD` or an instant; the time of day is `timeOfDay` in `timezone`. */
  executionDate: z.iso
    .date()
    .or(z.iso.datetime({ offset: true }))
    .refine(isOurEra, 'Choose a year from 1970 to 9998')
    .optional(),
  timeOfDay: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Write the time of day as HH:MM'),
})
/** Companies whose people are meant; without any, everybody's. */
const TenantIds = z.array(z.uuid()).max(1000)
const TriggerData = z.strictObject({
  title: visible(120),
  description: z.string().trim().max(2000).default(''),
  transportType: z
    .array(z.enum(['push', 'email']))
    .min(1)
    .max(2)
    .overwrite((ways) => [...new Set(ways)]),
  notification: Words,
  ...Schedule.shape,
  tenantIds: TenantIds.optional(),
  criteria: Criteria,
})
/** What may be done to a trigger now. */
export const triggerActions = ['edit', 'pause', 'resume', 'cancel', 'delete'] as const
export const Trigger = z.object({
  id: z.uuid(),
  title: z.string(),
  description: z.string(),
  transportType: z.array(z.enum(['push', 'email'])),
  notification: Words,
  /** The latest 20 runs, newest first. */
  history: z.array(HistoryEntry).optional(),
  status: z.enum(triggerStatuses),
  recurrence: Recurrence.optional(),
  timezone: z.string().optional(),
  tenantIds: z.array(z.uuid()).optional(),
  executionDate: z.string().optional(),
  timeOfDay: z.string(),
  criteria: Criteria,
  nextExecution: z.iso.datetime().optional(),
  createdAt: z.iso.datetime().optional(),
  modified: z.iso.datetime().optional(),
  actions: z.array(z.enum(triggerActions)),
})
export type Trigger = z.infer<typeof Trigger>
export type HistoryEntry = z.infer<typeof HistoryEntry>
const inTrigger = z.object({ id: z.uuid() })

/** `until`: only what I was told up to then, the `deliveredAt` of the newest that I have seen. */
const ToldUntil = z.strictObject({ until: z.iso.datetime().optional() })

export const notifications = {
  createTrigger: call({
    method: 'POST',
    path: '/notifications/trigger/',
    summary: 'Make a trigger: who hears what, when',
    access: 'trigger.write',
    needsFreshSignIn: true,
    body: TriggerData,
    returns: Trigger,
    creates: true,
    refuses: ['trigger.never', 'trigger.too-many'],
  }),
  triggers: call({
    method: 'GET',
    path: '/notifications/trigger/list/',
    summary: 'All triggers',
    access: 'trigger.write',
    query: PageQuery,
    page: {
      filters: { status: 'text', title: 'text' },
      orders: ['createdAt', 'title'],
      defaultOrder: 'createdAt:desc',
    },
    returns: pageOf(Trigger),
    refuses: [],
  }),
  updateTrigger: call({
    method: 'PUT',
    path: '/notifications/trigger/:id/',
    summary: 'Change, pause, resume or cancel a trigger',
    access: 'trigger.write',
    needsFreshSignIn: true,
    params: inTrigger,
    /** `status`: `scheduled` resumes what was paused. Null takes away what was set. */
    body: TriggerData.partial().extend({
      // What is not named stays: no default may take its place.
      description: z.string().trim().max(2000).optional(),
      timezone: TimeZone.optional(),
      recurrence: Recurrence.nullable().optional(),
      executionDate: Schedule.shape.executionDate.nullable(),
      tenantIds: TenantIds.nullable().optional(),
      status: z.enum(['scheduled', 'paused', 'cancelled']).optional(),
      /** The `modified` that this change was made from: refused when somebody has changed the trigger since. */
      modified: z.iso.datetime().optional(),
    }),
    returns: Trigger,
    refuses: ['trigger.not-found', 'trigger.ended', 'trigger.changed', 'trigger.never'],
  }),
  trigger: call({
    method: 'GET',
    path: '/notifications/trigger/:id/',
    summary: 'One trigger',
    access: 'trigger.write',
    params: inTrigger,
    returns: Trigger,
    refuses: ['trigger.not-found'],
  }),
  triggerRuns: call({
    method: 'GET',
    path: '/notifications/trigger/:id/history/',
    summary: 'Every run of a trigger, and the times that were missed',
    access: 'trigger.write',
    params: inTrigger,
    query: PageQuery,
    page: {
      filters: { status: 'text', executedAt: 'time' },
      orders: ['executedAt'],
      defaultOrder: 'executedAt:desc',
    },
    returns: pageOf(HistoryEntry),
    refuses: ['trigger.not-found'],
  }),
  previewTrigger: call({
    method: 'POST',
    path: '/notifications/trigger/preview/',
    summary: 'How many people a trigger would tell now, and its next five runs, before it is saved',
    access: 'trigger.write',
    body: z.strictObject({
      criteria: Criteria.optional(),
      tenantIds: TenantIds.optional(),
      schedule: Schedule.optional(),
    }),
    returns: z.object({
      /** With `criteria`. */
      users: z.number().int().optional(),
      /** With `schedule`. */
      nextExecutions: z.array(z.iso.datetime()).optional(),
    }),
    unrecorded: true,
    refuses: [],
  }),
  testTrigger: call({
    method: 'POST',
    path: '/notifications/trigger/test/',
    summary: 'Send me what a trigger would say, at once, by what I have not switched off',
    access: 'trigger.write',
    body: z.strictObject({ transportType: TriggerData.shape.transportType, notification: Words }),
    returns: z.object({ success: z.literal(true) }),
    refuses: [],
  }),
  deleteTrigger: call({
    method: 'DELETE',
    path: '/notifications/trigger/:id/',
    summary: 'Delete a trigger with its history',
    access: 'trigger.write',
    params: inTrigger,
    returns: z.object({ success: z.literal(true) }),
    refuses: ['trigger.not-found'],
  }),
  push: call({
    method: 'POST',
    path: '/notifications/push/',
    perMinute: 20,
    summary: 'Tell these people something now',
    access: 'trigger.write',
    needsFreshSignIn: true,
    body: z.strictObject({ userIds: z.array(z.uuid()).min(1).max(1000), ...Words.shape }),
    returns: z.object({ success: z.boolean() }),
    refuses: ['account.not-found'],
  }),
  list: call({
    method: 'GET',
    path: '/notifications/list/',
    summary: 'What I was told, newest first',
    access: 'signed-in',
    query: PageQuery,
    page: {
      filters: { status: 'text', deliveredAt: 'time', opened: 'boolean' },
      orders: ['deliveredAt'],
      defaultOrder: 'deliveredAt:desc',
    },
    returns: pageOf(Notification),
    refuses: [],
  }),
  read: call({
    method: 'PUT',
    path: '/notifications/:id/read/',
    summary: 'Mark one as opened',
    access: 'signed-in',
    params: z.object({ id: z.uuid() }),
    returns: Notification,
    refuses: ['notification.not-found'],
  }),
  clear: call({
    method: 'DELETE',
    path: '/notifications/clear/',
    summary: 'Delete all of mine',
    access: 'signed-in',
    query: ToldUntil,
    returns: z.object({ success: z.literal(true) }),
    refuses: [],
  }),
  readAll: call({
    method: 'PUT',
    path: '/notifications/read/',
    summary: 'Mark all of mine as opened',
    access: 'signed-in',
    query: ToldUntil,
    returns: z.object({ success: z.literal(true) }),
    refuses: [],
  }),
  choices: call({
    method: 'GET',
    path: '/notifications/choices/',
    summary: 'How I hear of what',
    access: 'signed-in',
    returns: Choices,
    refuses: [],
  }),
  choose: call({
    method: 'PUT',
    path: '/notifications/choices/',
    summary: 'Change how I hear of what; what is not named stays',
    access: 'signed-in',
    body: z.strictObject({
      kinds: z
        .array(z.strictObject({ kind: KindName, email: z.enum(rhythms).optional(), push: z.boolean().optional() }))
        .max(kindNames.length)
        .optional(),
      quiet: z.strictObject({ from: Time, until: Time }).nullable().optional(),
    }),
    returns: Choices,
    refuses: ['request.invalid'],
  }),
}
