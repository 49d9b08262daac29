import type { RawBuilder } from 'kysely'
import type { DeliveryState, WebhookState, WebhookType, webhookTest } from '@clear-to-post/domain/webhooks'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import { hasDutySql } from '../kernel/domain-sql.ts'
import { holds, type PageColumns } from '../kernel/page.ts'
import { tenantFilter } from '../kernel/tenancy.ts'

export type EndpointRow = {
  id: string
  tenant_id: string | null
  url: string
  description: string
  events: WebhookType[]
  /** Sealed, as is the former one. */
  secret: string
  former_secret: string | null
  former_until: Date | null
  state: WebhookState
  failing_since: Date | null
  last_delivered_at: Date | null
  created_at: Date
}
const endpointColumns = sql`
  e.id, e.tenant_id, e.url, e.description, e.events, e.secret, e.former_secret, e.former_until, e.state, e.failing_since,
  e.last_delivered_at, e.created_at`

/** Of the caller's reach; locked where it is about to change. */
export const endpointOf = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql<EndpointRow>`
    select ${endpointColumns} from webhook_endpoint e
    where e.id = ${id} and ${tenantFilter(caller, sql`e.tenant_id`)} for no key update`)

export type ShownEndpoint = EndpointRow & { tenant_name: string | null }

export const shownEndpoint = (tx: Reader, caller: Caller, id: string) =>
  tx.first(sql<ShownEndpoint>`
    select ${endpointColumns}, t.name as tenant_name from webhook_endpoint e left join tenant t on t.id = e.tenant_id
    where e.id = ${id} and ${tenantFilter(caller, sql`e.tenant_id`)}`)

type Parts = { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> }

export const endpointPage: PageColumns = {
  columns: { createdAt: sql`e.created_at`, state: sql`e.state`, tenantId: sql`e.tenant_id` },
  id: sql`e.id`,
  searches: {
    search: (words) =>
      sql`(${holds(sql`e.url`, words)} or ${holds(sql`e.description`, words)} or ${holds(sql`t.name`, words)})`,
  },
}

export const endpointsSelect = (caller: Caller, { where, tail, keys }: Parts) => sql<
  ShownEndpoint & { page_key: string; page_id: string }
>`
  select ${endpointColumns}, t.name as tenant_name, ${keys}
  from webhook_endpoint e left join tenant t on t.id = e.tenant_id
  where ${tenantFilter(caller, sql`e.tenant_id`)} and ${where} ${tail}`

/** Whoever adds one counts the others first, one at a time for each company. */
export const countEndpoints = async (tx: Tx, tenantId: string | null): Promise<number> => {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('webhooks of ' || ${tenantId ?? 'the service'}, 0))`)
  return (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from webhook_endpoint where tenant_id is not distinct from ${tenantId}::uuid`))!.n
}

export const addEndpoint = async (
  tx: Tx,
  e: {
    id: string
    tenantId: string | null
    url: string
    description: string
    events: readonly WebhookType[]
    secret: string
    now: Date
  },
) => {
  await tx.count(sql`
    insert into webhook_endpoint (id, tenant_id, url, description, events, secret, created_at, modified_at)
    values (${e.id}, ${e.tenantId}::uuid, ${e.url}, ${e.description}, ${e.events as WebhookType[]}::text[], ${e.secret}, ${e.now},
      ${e.now})`)
}

/** Whole, as it is to be; whoever writes it has it locked. */
export const saveEndpoint = async (tx: Tx, e: EndpointRow, now: Date) => {
  await tx.count(sql`
    update webhook_endpoint set url = ${e.url}, description = ${e.description}, events = ${e.events}::text[],
      secret = ${e.secret}, former_secret = ${e.former_secret}, former_until = ${e.former_until}, state = ${e.state},
      failing_since = ${e.failing_since}, modified_at = ${now}
    where id = ${e.id}`)
}

/** Nothing of before holds its tries up any more. */
export const endRest = (tx: Tx, id: string, now: Date) =>
  tx.count(sql`
    with rested as (update webhook_endpoint set resting_until = null, failing_since = null where id = ${id})
    update webhook_delivery set tries = 0, next_at = ${now} where endpoint_id = ${id} and state = 'waiting'`)

/** What waited for it is sent nowhere, and goes with its events. */
export const dropEndpoint = (tx: Tx, caller: Caller, id: string) =>
  tx.count(sql`delete from webhook_endpoint e where e.id = ${id} and ${tenantFilter(caller, sql`e.tenant_id`)}`)

export const projectOf = (tx: Reader, id: string) =>
  tx.first(sql<{ id: string; user_id: string; tenant_id: string | null }>`
    select id, user_id, tenant_id from project where id = ${id}`)

/** Keeps an event of a project for every endpoint that hears of it; answers for how many. */
export const addEvent = async (
  tx: Tx,
  event: { projectId: string; type: WebhookType; data: unknown; at: Date; most: number },
): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select add_webhook_event(${event.projectId}::uuid, ${event.type}, ${JSON.stringify(event.data)}::jsonb, ${event.at}::timestamptz,
      ${event.most}::integer) as n`))!.n

/** An event for one endpoint alone, as the service. Answers the delivery's id. */
export const addTest = async (
  tx: Tx,
  { endpoint, type, now }: { endpoint: EndpointRow; type: typeof webhookTest; now: Date },
): Promise<string> =>
  (await tx.first(sql<{ id: string }>`
    with event as (
      insert into webhook_event (tenant_id, project_id, type, data, at)
      values (${endpoint.tenant_id}::uuid, null, ${type}, jsonb_build_object('endpointId', ${endpoint.id}::text), ${now})
      returning id)
    insert into webhook_delivery (endpoint_id, event_id, tenant_id, turn_id, at, next_at)
    select ${endpoint.id}, event.id, ${endpoint.tenant_id}::uuid, event.id, ${now}, ${now} from event returning id`))!
    .id

export type DeliveryRow = {
  id: string
  event_id: string
  project_id: string | null
  type: WebhookType | typeof webhookTest
  state: DeliveryState
  tries: number
  status: number | null
  at: Date
  next_at: Date
  settled_at: Date | null
  project_title: string | null
}
const deliveryColumns = sql`
  d.id, d.event_id, v.project_id, v.type, d.state, d.tries, d.status, d.at, d.next_at, d.settled_at, j.title as project_title`
const deliveryTables = sql`
  webhook_delivery d join webhook_event v on v.id = d.event_id left join project j on j.id = v.project_id`

export const deliveryPage: PageColumns = {
  columns: { at: sql`d.at`, state: sql`d.state`, type: sql`v.type`, projectId: sql`v.project_id` },
  id: sql`d.id`,
}

export const deliveriesSelect = (caller: Caller, endpointId: string, { where, tail, keys }: Parts) => sql<
  DeliveryRow & { page_key: string; page_id: string }
>`
  select ${deliveryColumns}, ${keys} from ${deliveryTables}
  where d.endpoint_id = ${endpointId} and ${tenantFilter(caller, sql`d.tenant_id`)} and ${where} ${tail}`

export const deliveryOf = (tx: Reader, caller: Caller, endpointId: string, id: string) =>
  tx.first(sql<DeliveryRow & { data: Record<string, unknown> }>`
    select ${deliveryColumns}, v.data from ${deliveryTables}
    where d.id = ${id} and d.endpoint_id = ${endpointId} and ${tenantFilter(caller, sql`d.tenant_id`)}`)

export type AttemptRow = { at: Date; ms: number; status: number | null; error: string | null; answer: string }

/** The newest first. */
export const attemptsOf = (tx: Reader, caller: Caller, deliveryId: string, most: number) =>
  tx.rows(sql<AttemptRow>`
    select a.at, a.ms, a.status, a.error, a.answer from webhook_attempt a
    where a.delivery_id = ${deliveryId} and ${tenantFilter(caller, sql`a.tenant_id`)} order by a.at desc, a.id desc limit ${most}`)

/** How many wait for an endpoint, counted up to `most`. */
export const countWaiting = async (tx: Reader, endpointId: string, most: number): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from (
      select from webhook_delivery d where d.endpoint_id = ${endpointId} and d.state = 'waiting' limit ${most}) w`))!.n

/** How many would wait that do not, of what happened since a moment, counted up to `most`. */
export const countSince = async (
  tx: Reader,
  asked: { endpointId: string; since: Date; onlyFailed: boolean; most: number },
): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from (
      select from webhook_delivery d where d.endpoint_id = ${asked.endpointId} and d.at >= ${asked.since}
        and (d.state in ('failed', 'suppressed') or (d.state = 'delivered' and not ${asked.onlyFailed}::boolean))
      limit ${asked.most}) w`))!.n

/** All of those wait again; answers how many. */
export const repeatSince = (tx: Tx, asked: { endpointId: string; since: Date; onlyFailed: boolean; now: Date }) =>
  tx.count(sql`
    update webhook_delivery d set state = 'waiting', tries = 0, next_at = ${asked.now}, leased_until = null, run = d.run + 1,
      settled_at = null
    where d.endpoint_id = ${asked.endpointId} and d.at >= ${asked.since}
      and (d.state in ('failed', 'suppressed') or (d.state = 'delivered' and not ${asked.onlyFailed}::boolean))`)

/** One waits again, and is next where nothing of before it in its turn waits. */
export const repeatOne = async (tx: Tx, caller: Caller, endpointId: string, id: string, now: Date) => {
  await tx.count(sql`
    update webhook_delivery d set state = 'waiting', tries = 0, next_at = ${now}, leased_until = null, run = d.run + 1,
      settled_at = null
    where d.id = ${id} and d.endpoint_id = ${endpointId} and d.state <> 'waiting' and ${tenantFilter(caller, sql`d.tenant_id`)}`)
  // What waited before it is tried at once, too.
  await tx.count(sql`
    update webhook_delivery d set next_at = ${now} from webhook_delivery own
    where own.id = ${id} and d.endpoint_id = ${endpointId} and d.turn_id = own.turn_id and d.state = 'waiting' and d.next_at > ${now}
      and ${tenantFilter(caller, sql`d.tenant_id`)}`)
}

/** Whom an endpoint's company tells about it. */
export const administratorsOf = (tx: Tx, tenantId: string | null) =>
  tx.rows(sql<{ id: string; name: string; email: string }>`
    select p.id, p.name, p.email from person p
    where p.tenant_id is not distinct from ${tenantId}::uuid and ${hasDutySql(sql`p.role`, 'administer')} and not p.is_disabled
    order by p.created_at limit 50`)
