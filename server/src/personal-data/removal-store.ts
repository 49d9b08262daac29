import type { RawBuilder } from 'kysely'
import type { ReasonToStay } from '@clear-to-post/domain/personal-data'
import type { RemovedPerson, ErasureTargets, RoomData } from '../kernel/personal-data.ts'
import { sql, type Caller, type Tx } from '../kernel/database.ts'
import { enqueueEach } from '../kernel/queue.ts'
import { tenantFilter } from '../kernel/tenancy.ts'

export type RemovalRow = {
  id: string
  number: string
  by_role: string
  removed_at: Date
  finished_at: Date | null
  erased: string[]
  stays: { what: string; why: string }[]
}

/** What a removal's jobs have to do, and which steps of it are done. It names the person until their rows are erased once more. */
export type Work = { leaving: RemovedPerson | null; traces: ErasureTargets; done: string[] }

const columns = sql`r.id, r.number, r.by_role, r.removed_at, r.finished_at, r.erased, r.stays`

export const addRemoval = async (
  tx: Tx,
  r: Pick<RemovalRow, 'number' | 'erased' | 'stays'> & {
    personId: string
    tenantId: string | null
    byRole: string
    now: Date
    work: Work
  },
): Promise<RemovalRow> =>
  (await tx.first(sql<RemovalRow>`
    insert into removal as r (number, person_id, tenant_id, by_role, removed_at, erased, stays, work)
    values (${r.number}, ${r.personId}, ${r.tenantId}, ${r.byRole}, ${r.now}, ${JSON.stringify(r.erased)},
      ${JSON.stringify(r.stays)},
      -- What comes from here on is for whoever has the address next.
      jsonb_set(${JSON.stringify(r.work)}, '{leaving,until}', to_jsonb(clock_timestamp()))) returning ${columns}`))!

/** The open work of a removal, locked; null when there is none. */
export const lockRemoval = async (tx: Tx, id: string): Promise<Work | null> => {
  const row = await tx.first(sql<{ work: Work | null; removed_at: Date }>`
    select work, removed_at from removal where id = ${id} for update`)
  if (row?.work?.leaving) row.work.leaving.until ??= row.removed_at.toISOString()
  return row?.work ?? null
}

export const saveWork = (tx: Tx, id: string, work: Work) =>
  tx.count(sql`update removal set work = ${JSON.stringify(work)} where id = ${id} and work is not null`)

/** Nothing is left to do: from here on the row names nobody. */
export const finishRemoval = async (tx: Tx, id: string): Promise<void> => {
  await tx.count(sql`
    update removal set work = null, finished_at = clock_timestamp() where id = ${id} and work is not null`)
  await tx.rows(sql`select forget_samples()`)
}

/** What stays of everybody: their row, and their part in the record. */
export const ofEverybody: readonly ReasonToStay[] = ['record', 'number']

/**
 * For which reasons something else of this person's stays, as the rooms say whose it is: who they are now says nothing of it.
 * With a company: something that is of this company.
 */
export const reasonsOf = async (
  tx: Tx,
  personId: string,
  rooms: readonly [string, RoomData][],
  companyId?: string,
): Promise<ReadonlySet<ReasonToStay>> => {
  const found = new Set<ReasonToStay>()
  for (const [, room] of rooms)
    for (const [table, { stays = {}, of, staying = of, company = sql`null::uuid` }] of Object.entries(room.tables))
      for (const reason of Object.keys(stays) as ReasonToStay[])
        if (
          !ofEverybody.includes(reason) &&
          !found.has(reason) &&
          (await tx.first(sql`
            select from ${sql.table(table)} t
            where ${staying(personId)} and ${companyId === undefined ? sql`true` : sql`${company} = ${companyId}::uuid`} limit 1`))
        )
          found.add(reason)
  return found
}

/** The grants that a removal still has to end; one without a sealed key (from before) has nothing to end. */
export const grantsOf = ({ traces }: Work) => (traces.grants ?? []).filter(({ accounts }) => accounts.length > 0)

/** The grant by which this account came, while it is open. */
export const grantOf = async (tx: Tx, removalId: string, connectionId: string) => {
  const row = await tx.first(sql<{ work: Work | null }>`select work from removal where id = ${removalId}`)
  return row?.work && grantsOf(row.work).find(({ accounts }) => accounts[0]!.connectionId === connectionId)
}

/** One job for each grant; each removal has one of them running at a time. */
export const enqueueGrants = (tx: Tx, removalId: string, work: Work) =>
  enqueueEach(
    tx,
    'end-grant',
    grantsOf(work).map(({ accounts }) => ({
      data: { removalId, connectionId: accounts[0]!.connectionId },
      owner: removalId,
    })),
  )

const openGrants = sql`
  jsonb_array_elements(r.work->'traces'->'grants') g (allowed)
    cross join lateral (select g.allowed #>> '{accounts,0,connectionId}' as connection_id) c
  where c.connection_id is not null`

/** Removals of which more is open than grants for longer than `before`, although no job is at them. */
export const stuckRemovals = (tx: Tx, before: Date, steps: readonly string[]) =>
  tx.rows(sql<{ id: string }>`
    select id from removal r where r.work is not null and r.removed_at < ${before}
      and (not r.work->'done' @> ${JSON.stringify(['rows', ...steps])}::jsonb or not exists (select from ${openGrants}))
      and not exists (
        select from pgboss.job j where j.name = 'erase' and j.state < 'completed' and j.data->>'removalId' = r.id::text)`)

/** Grants that are open for longer than `before`, although no job is at them. */
export const stuckGrants = (tx: Tx, before: Date) =>
  tx.rows(sql<{ removalId: string; connectionId: string }>`
    select r.id as "removalId", c.connection_id as "connectionId" from removal r, ${openGrants}
      and r.work->'done' ? 'rows' and r.removed_at < ${before} and not exists (
        select from pgboss.job j where j.name = 'end-grant' and j.state < 'completed'
          and j.data->>'removalId' = r.id::text and j.data->>'connectionId' = c.connection_id)`)

/** How the list's fields stand in SQL. */
export const removalColumns = {
  columns: { number: sql`r.number`, removedAt: sql`r.removed_at` },
  id: sql`r.id`,
}

type Parts = { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> }

export const removalsSelect = (caller: Caller, { where, tail, keys }: Parts) =>
  sql<RemovalRow & { page_key: string; page_id: string }>`
    select ${columns}, ${keys} from removal r where ${tenantFilter(caller, sql`r.tenant_id`)} and ${where} ${tail}`
