import type { z } from 'zod'
import { refusal } from '@clear-to-post/contract/errors'
import type { CallRequest } from '@clear-to-post/contract/call'
import type { notifications, Trigger } from '@clear-to-post/contract/notifications'
import { reaches, sql, type Caller, type Tx } from '../db/tenant.ts'

export type TriggerRow = {
  id: string
  title: string
  description: string
  transport_type: string[]
  notification: unknown
  status: string
  recurrence: unknown
  time_zone: string
  tenant_ids: string[] | null
  execution_date: string | null
  time_of_day: string
  criteria: unknown
  next_execution: Date | null
  created_at: Date
  modified_at: Date
}

/** How the list's fields stand in SQL. */
export const triggerColumns = {
  columns: { status: sql`t.status`, title: sql`t.title`, createdAt: sql`t.created_at` },
  id: sql`t.id`,
}

export const presentTrigger = (row: TriggerRow): z.input<typeof Trigger> => {
  const shown = {
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
    history: [],
  }
  // JSON columns come back as what zod let in; zod reads them again on the way out.
  return shown as z.input<typeof Trigger>
}

type New = CallRequest<typeof notifications.createTrigger>['body']
type Changed = CallRequest<typeof notifications.updateTrigger>['body']

export const createTrigger = async (tx: Tx, caller: Caller, data: New, now: Date): Promise<TriggerRow> =>
  (await tx.first(sql<TriggerRow>`
    insert into notification_trigger (title, description, transport_type, notification, recurrence, time_zone, tenant_ids,
      execution_date, time_of_day, criteria, created_at, modified_at)
    values (${data.title}, ${data.description}, ${data.transportType}::text[], ${JSON.stringify(data.notification)},
      ${data.recurrence ? JSON.stringify(data.recurrence) : null}, ${data.timezone}, ${scopeOf(caller, data.tenantIds)}::uuid[],
      ${data.executionDate ?? null}, ${data.timeOfDay}, ${JSON.stringify(data.criteria)}, ${now}, ${now})
    returning *`))!

/** Throws trigger.not-found, or trigger.ended for one that will never run again. */
export const changeTrigger = async (
  tx: Tx,
  caller: Caller,
  id: string,
  data: Changed,
  now: Date,
): Promise<TriggerRow> => {
  const row = await tx.first(
    sql<TriggerRow>`select * from notification_trigger where id = ${id} and ${within(caller)} for update`,
  )
  if (!row) throw refusal('trigger.not-found')
  if (['completed', 'expired', 'cancelled'].includes(row.status)) throw refusal('trigger.ended')
  return (await tx.first(sql<TriggerRow>`
    update notification_trigger set
      title = ${data.title ?? row.title}, description = ${data.description ?? row.description},
      transport_type = ${data.transportType ?? row.transport_type}::text[],
      notification = ${JSON.stringify(data.notification ?? row.notification)},
      recurrence = ${jsonOrNull(data.recurrence ?? row.recurrence)}, time_zone = ${data.timezone ?? row.time_zone},
      tenant_ids = ${scopeOf(caller, data.tenantIds ?? row.tenant_ids ?? undefined)}::uuid[],
      execution_date = ${data.executionDate ?? row.execution_date}, time_of_day = ${data.timeOfDay ?? row.time_of_day},
      criteria = ${JSON.stringify(data.criteria ?? row.criteria)}, status = ${data.status ?? row.status}, modified_at = ${now}
    where id = ${id} returning *`))!
}

export const deleteTrigger = async (tx: Tx, caller: Caller, id: string): Promise<void> => {
  if ((await tx.count(sql`delete from notification_trigger where id = ${id} and ${within(caller)}`)) === 0)
    throw refusal('trigger.not-found')
}

/** People within the caller's reach; throws account.not-found when one is not. */
export const requireReach = async (tx: Tx, caller: Caller, userIds: readonly string[]): Promise<void> => {
  const found = await tx.rows(
    sql`select 1 from person where id = any(${userIds as string[]}::uuid[]) and ${reaches(caller, sql`tenant_id`)}`,
  )
  if (found.length !== new Set(userIds).size) throw refusal('account.not-found')
}

/** The query's own wall: a tenant's ADMIN sees triggers for that tenant only. */
export const within = ({ tenantId }: Caller) =>
  tenantId === null ? sql`true` : sql`(/* wall */ tenant_ids = array[${tenantId}::uuid])`

// A tenant's own ADMIN reaches that tenant's people, whatever is named.
const scopeOf = (caller: Caller, tenantIds: string[] | undefined): string[] | null =>
  caller.tenantId !== null ? [caller.tenantId] : (tenantIds ?? null)

const jsonOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)
