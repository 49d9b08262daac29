import type { WebhookMessage } from '@clear-to-post/contract/webhook-events'
import { sql, type Reader, type Tx } from '../kernel/database.ts'
import type { EndpointRow } from './store.ts'

/** Endpoints with something that is due, of each company in turn, without those that somebody is about to work on. */
export const dueEndpoints = (tx: Tx, now: Date, most: number) =>
  tx.rows(sql<{ id: string; owner: string; turn: number }>`
    select e.id, coalesce(e.tenant_id::text, 'the service') as owner,
      (row_number() over (partition by e.tenant_id order by e.id) - 1)::integer as turn
    from webhook_endpoint e left join tenant t on t.id = e.tenant_id
    where e.state = 'active' and coalesce(t.is_active, true) and coalesce(e.resting_until <= ${now}, true)
      and exists (
        select from webhook_delivery d
        where d.endpoint_id = e.id and d.state = 'waiting' and d.next_at <= ${now}
          and coalesce(d.leased_until <= ${now}, true))
      and not exists (
        select from pgboss.job j where j.name = 'webhook' and j.state <= 'active' and j.data ->> 'endpointId' = e.id::text)
    order by turn, e.id limit ${most}`)

export type Sender = Pick<
  EndpointRow,
  'id' | 'tenant_id' | 'url' | 'secret' | 'former_secret' | 'former_until' | 'state' | 'failing_since'
> & { is_active: boolean; is_resting: boolean; rested: boolean }

/** The endpoint, whose deliveries nobody else claims or settles meanwhile. */
export const lockEndpoint = (tx: Tx, id: string, now: Date) =>
  tx.first(sql<Sender>`
    select e.id, e.tenant_id, e.url, e.secret, e.former_secret, e.former_until, e.state, e.failing_since,
      coalesce(t.is_active, true) as is_active, coalesce(e.resting_until > ${now}, false) as is_resting,
      e.resting_until is not null as rested
    from webhook_endpoint e left join tenant t on t.id = e.tenant_id where e.id = ${id} for no key update of e`)

export type Claimed = {
  id: string
  event_id: string
  turn_id: string
  run: number
  tries: number
  type: WebhookMessage['type']
  at: Date
  data: Record<string, unknown>
}

/** Of each turn the first that waits, where it is due and nobody has it; whoever claims has the endpoint locked. */
export const claimDeliveries = (
  tx: Tx,
  endpointId: string,
  { limit, now, leasedUntil }: { limit: number; now: Date; leasedUntil: Date },
) =>
  tx.rows(sql<Claimed>`
    with recursive head as (
      (select d.id, d.turn_id from webhook_delivery d
        where d.endpoint_id = ${endpointId} and d.state = 'waiting' order by d.turn_id, d.number limit 1)
      union all
      select n.id, n.turn_id from head h cross join lateral (
        select d.id, d.turn_id from webhook_delivery d
        where d.endpoint_id = ${endpointId} and d.state = 'waiting' and d.turn_id > h.turn_id
        order by d.turn_id, d.number limit 1) n
    ), due as materialized (
      select d.id from head h join webhook_delivery d on d.id = h.id
      where d.next_at <= ${now} and coalesce(d.leased_until <= ${now}, true)
      order by d.next_at, d.number limit ${limit}
    )
    update webhook_delivery d set run = d.run + 1, leased_until = ${leasedUntil} from due, webhook_event v
    where d.id = due.id and v.id = d.event_id
    returning d.id, d.event_id, d.turn_id, d.run, d.tries, v.type, v.at, v.data`)

/** Lets go of what was claimed and not tried. */
export const releaseDelivery = (tx: Tx, { id, run }: Pick<Claimed, 'id' | 'run'>) =>
  tx.count(sql`update webhook_delivery set leased_until = null where id = ${id} and run = ${run}`)

export const addAttempt = async (
  tx: Tx,
  a: {
    deliveryId: string
    tenantId: string | null
    at: Date
    ms: number
    status: number | null
    error: string | null
    answer: string
    most: number
  },
) => {
  await tx.count(sql`
    insert into webhook_attempt (delivery_id, tenant_id, at, ms, status, error, answer)
    values (${a.deliveryId}, ${a.tenantId}::uuid, ${a.at}, ${a.ms}, ${a.status}::integer, ${a.error}::text, ${a.answer})`)
  await tx.count(sql`
    delete from webhook_attempt where id in (
      select id from webhook_attempt where delivery_id = ${a.deliveryId} order by at desc, id desc offset ${a.most})`)
}

/** False where another run has it by now, or a person sent it again. */
export const settleDelivery = async (
  tx: Tx,
  { id, run }: Pick<Claimed, 'id' | 'run'>,
  to: { state: 'delivered' | 'failed' | 'waiting'; tries: number; status: number | null; nextAt: Date; now: Date },
): Promise<boolean> =>
  (await tx.count(sql`
    update webhook_delivery set state = ${to.state}, tries = ${to.tries}, status = ${to.status}::integer, next_at = ${to.nextAt},
      leased_until = null, settled_at = case when ${to.state} <> 'waiting' then ${to.now}::timestamptz end
    where id = ${id} and run = ${run} and state = 'waiting'`)) === 1

/** What waits behind a delivery of its turn waits as long as it, or until now. */
export const holdTurn = (tx: Tx, endpointId: string, turnId: string, nextAt: Date) =>
  tx.count(sql`
    update webhook_delivery set next_at = ${nextAt}
    where endpoint_id = ${endpointId} and turn_id = ${turnId} and state = 'waiting' and tries = 0`)

/** How many turns fail, counted up to `most`. */
export const countFailing = async (tx: Reader, endpointId: string, most: number): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from (
      select from webhook_delivery d
      where d.endpoint_id = ${endpointId} and d.state = 'waiting' and d.tries > 0 limit ${most}) f`))!.n

/** To the minute, and at once where it failed before. */
export const noteTaken = (tx: Tx, endpointId: string, now: Date) =>
  tx.count(sql`
    update webhook_endpoint set failing_since = null, resting_until = null, last_delivered_at = ${now}
    where id = ${endpointId} and (failing_since is not null or resting_until is not null
      or coalesce(last_delivered_at < ${now}::timestamptz - interval '1 minute', true))`)

export const noteFailing = (
  tx: Tx,
  endpointId: string,
  to: { state: EndpointRow['state']; failingSince: Date; restingUntil: Date | null },
) =>
  tx.count(sql`
    update webhook_endpoint set state = ${to.state}, failing_since = ${to.failingSince}, resting_until = ${to.restingUntil}
    where id = ${endpointId}`)

/** Endpoints for which as much waits as is kept; from now on nothing more is, until a person says so. */
export const stopFull = (tx: Tx, most: number) =>
  tx.rows(sql<{ id: string; tenant_id: string | null; url: string }>`
    update webhook_endpoint e set state = 'full' where e.state <> 'full' and (
      select count(*) from (
        select from webhook_delivery d where d.endpoint_id = e.id and d.state = 'waiting' limit ${most}) w) >= ${most}
    returning e.id, e.tenant_id, e.url`)

export const dropOldEvents = (tx: Tx, before: Date) => tx.count(sql`delete from webhook_event where at < ${before}`)

export const endFormerSecrets = (tx: Tx, now: Date) =>
  tx.count(sql`
    update webhook_endpoint set former_secret = null, former_until = null where former_until <= ${now}`)

/** In a restored copy: what waited may have been sent since. */
export const suppressWaiting = (tx: Tx, now: Date) =>
  tx.count(sql`
    update webhook_delivery set state = 'suppressed', settled_at = ${now}, leased_until = null, run = run + 1
    where state = 'waiting'`)

/** How many seconds the longest due delivery of an endpoint that is sent to has waited; 0 where none does. */
export const webhookLag = async (tx: Reader): Promise<number> =>
  (await tx.first(sql<{ seconds: number }>`
    select coalesce(extract(epoch from max(now() - d.next_at)), 0)::float8 as seconds
    from webhook_endpoint e left join tenant t on t.id = e.tenant_id cross join lateral (
      select min(d.next_at) as next_at from webhook_delivery d where d.endpoint_id = e.id and d.state = 'waiting') d
    where e.state = 'active' and coalesce(t.is_active, true) and d.next_at <= now()`))!.seconds
