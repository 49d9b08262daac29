import type { CallRequest } from '@clear-to-post/contract/call'
import type { notifications } from '@clear-to-post/contract/notifications'
import { systemCaller, sql, type Tx } from '../../kernel/database.ts'
import { changeTrigger, createTrigger } from '../../notifications/triggers.ts'

type Data = CallRequest<typeof notifications.createTrigger>['body']

/** Three triggers as an admin keeps them: none of them says anything to the demo's people before its day comes. */
export const addDemoTriggers = async (tx: Tx, now: Date): Promise<void> => {
  await createTrigger(tx, systemCaller, returnReminder, now)
  const paused = await createTrigger(tx, systemCaller, endOfMonth, now)
  await changeTrigger(tx, systemCaller, paused.id, { status: 'paused' }, { now, stop: async () => {} })
  const harbor = await tx.first(sql<{ id: string }>`select id from tenant where invite_code = 'HARBOR-DEMO'`)
  const executionDate = new Date(now.getTime() + 60 * 86_400_000).toISOString().slice(0, 10)
  await createTrigger(
    tx,
    systemCaller,
    { ...season, executionDate, ...(harbor ? { tenantIds: [harbor.id] } : {}) },
    now,
  )
}

const common = { transportType: ['push', 'email'], timezone: 'America/New_York' } satisfies Partial<Data>

const returnReminder: Data = {
  ...common,
  title: 'No video for 30 days',
  description: 'Brings quiet officers back at the beginning of a week.',
  notification: {
    title: 'Two minutes for a video?',
    body: 'It has been a month since your last one. Pick a script, read it to your phone, and leave the rest to us.',
    cta: { label: 'Film one now', url: '/panel/new' },
  },
  recurrence: { frequency: 'weekly', interval: 1, weekDays: [1] },
  timeOfDay: '10:00',
  criteria: { type: 'noProjects', params: { days: 30 } },
}

const endOfMonth: Data = {
  ...common,
  title: 'Last day of the month',
  description: 'For plans whose videos do not carry over.',
  notification: {
    title: 'Videos left this month?',
    body: 'What your plan holds this month ends tonight. A video that you send today still counts.',
    cta: { label: 'See what is left', url: '/panel/plan' },
  },
  recurrence: { frequency: 'monthly', interval: 1, dayOfMonth: 31 },
  timeOfDay: '08:30',
  criteria: { type: 'usersFromTier', params: { productIds: ['prod_starter', 'prod_steady'] } },
}

const season: Data = {
  ...common,
  title: 'Season’s scripts',
  description: '',
  notification: {
    title: 'New scripts are here',
    body: 'Five short ones for the weeks ahead, each read in under two minutes.',
    cta: { label: 'Read the scripts', url: '/panel/scripts' },
  },
  timeOfDay: '09:00',
  criteria: { type: 'allUsers', params: {} },
}
