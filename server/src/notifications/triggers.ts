import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import { refusal } from '@clear-to-post/contract/errors'
import type { CallRequest } from '@clear-to-post/contract/call'
import type {
  notifications,
  Recurrence,
  Schedule,
  Trigger,
  triggerActions,
  triggerStatuses,
  Words,
} from '@clear-to-post/contract/notifications'
import { dayIn } from '@clear-to-post/domain/calendar'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { firstDayAfter, nextDue, nextDues, type Timetable } from '@clear-to-post/domain/occurrences'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import { asService, tenantFilter } from '../kernel/tenancy.ts'
import { unknownOf } from '../subscriptions/actions.ts'
import { unknownTenantsOf } from '../tenants/actions.ts'
import { sizeOfAudience, type Audience } from './triggers-audience.ts'
import { latestRuns, presentRun, type RunRow } from './triggers-history.ts'

export type TriggerStatus = (typeof triggerStatuses)[number]

export type TriggerRow = {
  id: string
  title: string
  description: string
  transport_type: ('push' | 'email')[]
  notification: z.output<typeof Words>
  status: TriggerStatus
  recurrence: z.output<typeof Recurrence> | null
  time_zone: string
  tenant_ids: string[] | null
  execution_date: string | null
  time_of_day: string
  criteria: Audience['criteria']
  /** Null: not due any more, or paused. */
  next_execution: Date | null
  /** Null for triggers from before there was an engine, until the clock gives them one. */
  first_day: string | null
  created_at: Date
  modified_at: Date
}

/** The columns of a TriggerRow; `t` is the alias of notification_trigger. */
export const triggerRow = sql`t.id, t.title, t.description, t.transport_type, t.notification, t.status, t.recurrence, t.time_zone,
  t.tenant_ids, t.execution_date, t.time_of_day, t.criteria, t.next_execution, t.first_day, t.created_at,
  t.modified_at`

/** How the list's fields stand in SQL. */
export const triggerColumns = {
  columns: { status: sql`t.status`, title: sql`t.title`, createdAt: sql`t.created_at` },
  id: sql`t.id`,
}

type Parts = { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> }

export const triggersSelect = (caller: Caller, { where, tail, keys }: Parts) =>
  sql<TriggerRow & { page_key: string; page_id: string }>`
    select ${triggerRow}, ${keys} from notification_trigger t where ${within(caller)} and ${where} ${tail}`

/** Triggers as the API shows them, each with its latest runs. */
export const presentTriggers = async (
  tx: Reader,
  caller: Caller,
  rows: readonly TriggerRow[],
): Promise<z.input<typeof Trigger>[]> => {
  const runs = await latestRuns(
    tx,
    caller,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => presentTrigger(row, runs.get(row.id) ?? []))
}

const presentTrigger = (row: TriggerRow, runs: readonly RunRow[]): z.input<typeof Trigger> => ({
  id: row.id,
  title: row.title,
  description: row.description,
  transportType: row.transport_type,
  notification: row.notification,
  status: row.status,
  recurrence: row.recurrence ?? undefined,
  timezone: row.time_zone,
  tenantIds: row.tenant_ids ?? undefined,
  executionDate: row.execution_date ?? undefined,
  timeOfDay: row.time_of_day,
  criteria: row.criteria,
  nextExecution: row.next_execution?.toISOString(),
  createdAt: row.created_at.toISOString(),
  modified: row.modified_at.toISOString(),
  history: runs.map(presentRun),
  actions: actionsFor(row),
})

const actionsFor = ({ status }: TriggerRow): (typeof triggerActions)[number][] => {
  if (hasEnded(status)) return ['delete']
  return ['edit', status === 'paused' ? 'resume' : 'pause', 'cancel', 'delete']
}

/** How many triggers of the caller's company will run; counted one at a time for each company. */
const willRun = async (tx: Tx, caller: Caller): Promise<number> => {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`triggers ${caller.tenantId}`}, 0))`)
  const rows = await tx.rows(sql<{ status: TriggerStatus }>`
    select t.status from notification_trigger t where ${within(caller)} and t.status not in ('completed', 'expired', 'cancelled')`)
  return rows.length
}

const hasEnded = (status: TriggerStatus): boolean => ['completed', 'expired', 'cancelled'].includes(status)

type New = CallRequest<typeof notifications.createTrigger>['body']
type Changed = CallRequest<typeof notifications.updateTrigger>['body']
type Previewed = CallRequest<typeof notifications.previewTrigger>['body']

/** Throws trigger.never when it would not run even once, trigger.too-many, and request.invalid for companies or products that do not exist. */
export const createTrigger = async (tx: Tx, caller: Caller, data: New, now: Date): Promise<TriggerRow> => {
  await requireKnown(tx, caller, data)
  const timetable = timetableFrom(data, now)
  const next = nextDue(timetable, now)
  if (!next) throw refusal('trigger.never')
  if (caller.tenantId !== null && (await willRun(tx, caller)) >= mostKept.triggers) throw refusal('trigger.too-many')
  return (await tx.first(sql<TriggerRow>`
    insert into notification_trigger as t (title, description, transport_type, notification, recurrence, time_zone, tenant_ids,
      execution_date, time_of_day, criteria, first_day, next_execution, created_at, modified_at)
    values (${data.title}, ${data.description}, ${data.transportType}::text[], ${JSON.stringify(data.notification)},
      ${jsonOrNull(data.recurrence)}, ${data.timezone}, ${scopeOf(caller, data.tenantIds)}::uuid[],
      ${data.executionDate ?? null}, ${data.timeOfDay}, ${JSON.stringify(data.criteria)}, ${timetable.firstDay}, ${next},
      ${now}, ${now})
    returning ${triggerRow}`))!
}

/**
 * Throws trigger.not-found, trigger.ended for one that will never run again, trigger.changed when the caller has not seen
 * what it is now, trigger.never when the change would make it one that never runs, or request.invalid for companies or
 * products that do not exist. A run that is under way goes on as it was, unless the trigger is paused or canceled: `stop` ends it.
 */
export const changeTrigger = async (
  tx: Tx,
  caller: Caller,
  id: string,
  data: Changed,
  { now, stop }: { now: Date; stop: (tx: Tx, triggerId: string) => Promise<unknown> },
): Promise<TriggerRow> => {
  const row = await tx.first(
    sql<TriggerRow>`select ${triggerRow} from notification_trigger t where t.id = ${id} and ${within(caller)} for update`,
  )
  if (!row) throw refusal('trigger.not-found')
  if (hasEnded(row.status)) throw refusal('trigger.ended')
  if (data.modified !== undefined && Date.parse(data.modified) !== row.modified_at.getTime())
    throw refusal('trigger.changed')
  await requireKnown(tx, caller, data)

  const recurrence = data.recurrence === undefined ? row.recurrence : data.recurrence
  const executionDate = data.executionDate === undefined ? row.execution_date : data.executionDate
  const schedule = { timezone: data.timezone ?? row.time_zone, timeOfDay: data.timeOfDay ?? row.time_of_day }
  const status = statusAfter(row, data)
  const isNewTime = timeFields.some((field) => data[field] !== undefined) || row.first_day === null
  const wakes = status === 'scheduled' && row.status !== 'scheduled'
  let { first_day: firstDay, next_execution: next } = row
  if (isNewTime || wakes) {
    const given = { ...schedule, recurrence: recurrence ?? undefined, executionDate: executionDate ?? undefined }
    const timetable = isNewTime ? timetableFrom(given, now) : timetableOf(row)
    firstDay = timetable.firstDay
    next = nextDue(timetable, now)
    if (next === null && status !== 'cancelled') throw refusal('trigger.never')
  }
  const isStopped = status === 'paused' || status === 'cancelled'
  if (isStopped && row.status === 'running') await asService(tx, () => stop(tx, id))
  const tenantIds = data.tenantIds === undefined ? row.tenant_ids : data.tenantIds
  return (await tx.first(sql<TriggerRow>`
    update notification_trigger t set
      title = ${data.title ?? row.title}, description = ${data.description ?? row.description},
      transport_type = ${data.transportType ?? row.transport_type}::text[],
      notification = ${JSON.stringify(data.notification ?? row.notification)},
      recurrence = ${jsonOrNull(recurrence)}, time_zone = ${schedule.timezone}, tenant_ids = ${scopeOf(caller, tenantIds)}::uuid[],
      execution_date = ${executionDate}, time_of_day = ${schedule.timeOfDay}, first_day = ${firstDay},
      criteria = ${JSON.stringify(data.criteria ?? row.criteria)}, status = ${status},
      next_execution = ${isStopped ? null : next}, modified_at = ${now}
    where id = ${id} returning ${triggerRow}`))!
}

/** Triggers from before there was an engine get their next run; whoever has none any more has expired. */
export const scheduleOld = async (tx: Tx, now: Date): Promise<void> => {
  const old = await tx.rows(sql<TriggerRow>`
    select ${triggerRow} from notification_trigger t
    where t.first_day is null and t.status in ('scheduled', 'active') for update skip locked`)
  for (const row of old) {
    const given = { timezone: row.time_zone, timeOfDay: row.time_of_day }
    const timetable = timetableFrom(
      { ...given, recurrence: row.recurrence ?? undefined, executionDate: row.execution_date ?? undefined },
      now,
    )
    const next = nextDue(timetable, now)
    await tx.count(sql`
      update notification_trigger set first_day = ${timetable.firstDay}, next_execution = ${next},
        status = ${next ? row.status : 'expired'} where id = ${row.id}`)
  }
}

const timeFields = ['recurrence', 'timezone', 'executionDate', 'timeOfDay'] as const

const statusAfter = (row: TriggerRow, data: Changed): TriggerStatus => {
  if (data.status === 'paused' || data.status === 'cancelled') return data.status
  if (data.status === 'scheduled') return row.status === 'running' ? 'running' : 'scheduled'
  // What failed for good has another chance at another time.
  const hasNewTime = timeFields.some((field) => data[field] !== undefined)
  return row.status === 'failed' && row.next_execution === null && hasNewTime ? 'scheduled' : row.status
}

export const deleteTrigger = async (tx: Tx, caller: Caller, id: string): Promise<void> => {
  if ((await tx.count(sql`delete from notification_trigger where id = ${id} and ${within(caller)}`)) === 0)
    throw refusal('trigger.not-found')
}

/** Throws trigger.not-found. */
export const findTrigger = async (tx: Reader, caller: Caller, id: string): Promise<TriggerRow> => {
  const row = await tx.first(
    sql<TriggerRow>`select ${triggerRow} from notification_trigger t where t.id = ${id} and ${within(caller)}`,
  )
  if (!row) throw refusal('trigger.not-found')
  return row
}

/**
 * How many people these settings mean now, and when they would next come due. Throws request.invalid for companies or
 * products that do not exist.
 */
export const previewTrigger = async (tx: Tx, caller: Caller, data: Previewed, now: Date) => {
  await requireKnown(tx, caller, data)
  const { criteria, tenantIds, schedule } = data
  const sizeOf = (audience: Audience) => asService(tx, () => sizeOfAudience(tx, audience, now))
  return {
    ...(criteria ? { users: await sizeOf({ criteria, tenantIds: scopeOf(caller, tenantIds) }) } : {}),
    ...(schedule
      ? { nextExecutions: nextDues(timetableFrom(schedule, now), now, 5).map((due) => due.toISOString()) }
      : {}),
  }
}

/** When a trigger is due. */
export const timetableOf = (row: TriggerRow): Timetable => ({
  timeZone: row.time_zone,
  timeOfDay: row.time_of_day,
  firstDay: row.first_day!,
  recurrence: row.recurrence,
})

export const audienceOf = (row: TriggerRow): Audience => ({ criteria: row.criteria, tenantIds: row.tenant_ids })

const timetableFrom = (
  { timezone, timeOfDay, executionDate, recurrence }: z.output<typeof Schedule>,
  now: Date,
): Timetable => {
  const at = { timeZone: timezone, timeOfDay, recurrence }
  if (executionDate === undefined) return { ...at, firstDay: firstDayAfter(now, at) }
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(executionDate)
  return { ...at, firstDay: isDay ? executionDate : dayIn(new Date(executionDate), timezone) }
}

/** People within the caller's reach; throws account.not-found when one is not. */
export const requireReach = async (tx: Tx, caller: Caller, userIds: readonly string[]): Promise<void> => {
  const found = await tx.rows(
    sql`select 1 from person where id = any(${userIds as string[]}::uuid[]) and not is_company and ${tenantFilter(caller, sql`tenant_id`)}`,
  )
  if (found.length !== new Set(userIds).size) throw refusal('account.not-found')
}

/** The query's own wall: a tenant's ADMIN sees triggers for that tenant only. */
const within = ({ tenantId }: Caller) =>
  tenantId === null ? sql`true` : sql`(/* wall */ tenant_ids = array[${tenantId}::uuid])`

// A tenant's own ADMIN reaches that tenant's people, whatever is named. Naming none means everybody.
const scopeOf = (caller: Caller, tenantIds: string[] | null | undefined): string[] | null => {
  if (caller.tenantId !== null) return [caller.tenantId]
  return tenantIds?.length ? tenantIds : null
}

// What a company's own ADMIN names beside their company counts for nothing (`scopeOf`), and they may not learn of it.
const requireKnown = async (
  tx: Tx,
  { tenantId }: Caller,
  { criteria, tenantIds }: { criteria?: Audience['criteria'] | undefined; tenantIds?: string[] | null | undefined },
): Promise<void> => {
  const products = criteria?.type === 'usersFromTier' ? criteria.params.productIds : []
  const unknown = [
    ...(tenantId === null && tenantIds?.length ? await unknownTenantsOf(tx, tenantIds) : []).map((id) => ({
      path: 'body.tenantIds',
      message: `There is no company “${id}”.`,
    })),
    ...(products.length > 0 ? await unknownOf(tx, { products, plans: [] }) : []).map((id) => ({
      path: 'body.criteria.params.productIds',
      message: `There is no product “${id}”.`,
    })),
  ]
  if (unknown.length > 0)
    throw refusal(
      'request.invalid',
      unknown
        .slice(0, 3)
        .map(({ message }) => message)
        .join(' '),
      unknown.slice(0, 20),
    )
}

const jsonOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)
