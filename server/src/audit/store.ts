import type { RawBuilder } from 'kysely'
import type { AuditAct, AuditKind } from '@clear-to-post/domain/audit'
import type { Role } from '@clear-to-post/domain/roles'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import type { Formerly } from '../kernel/personal-data.ts'
import { holds, type PageColumns } from '../kernel/page.ts'
import { tenantFilter } from '../kernel/tenancy.ts'

/** By column, [from, to]; true where only that it changed is kept. */
export type AuditChanges = Record<string, true | [unknown, unknown]>

export type EntryRow = {
  id: string
  at: Date
  tenant_id: string | null
  actor_id: string | null
  actor_role: Role
  /** The API key that they called by. */
  key_id: string | null
  kind: AuditKind
  act: AuditAct
  subject_id: string
  person_id: string | null
  /** Null once they went with their person. */
  changes: AuditChanges | null
  seq: string | null
  hash: string | null
}

/** How the list's fields stand in SQL. Words are looked for in the names of who did it and of what it was done to. */
export const entryColumns = (caller: Caller): PageColumns => ({
  columns: {
    at: sql`e.at`,
    kind: sql`e.kind`,
    act: sql`e.act`,
    actorId: sql`e.actor_id`,
    personId: sql`e.person_id`,
    subjectId: sql`e.subject_id`,
    tenantId: sql`e.tenant_id`,
  },
  id: sql`e.id`,
  searches: {
    words: (words) => sql`(
      e.person_id in (select p.id from person p where ${tenantFilter(caller, sql`p.tenant_id`)} and (${holds(sql`p.name`, words)} or ${holds(sql`p.email`, words)}))
      or e.actor_id in (select p.id from person p where ${tenantFilter(caller, sql`p.tenant_id`)} and (${holds(sql`p.name`, words)} or ${holds(sql`p.email`, words)}))
      or e.tenant_id in (select t.id from tenant t where ${tenantFilter(caller, sql`t.id`)} and ${holds(sql`t.name`, words)})
      or e.subject_id in (select n.id::text from notification_trigger n where ${triggersOf(caller)} and ${holds(sql`n.title`, words)})
      or e.subject_id in (select d.id from product d where ${holds(sql`d.name`, words)})
      or e.subject_id in (select l.id from plan l join product d on d.id = l.product_id where ${holds(sql`d.name`, words)})
      or ${holds(sql`e.subject_id`, words)} or ${holds(sql`v.changes::text`, words)})`,
  },
})

/** The triggers `n` that a company's ADMIN reads: those for that company alone. */
const triggersOf = ({ tenantId }: Caller): RawBuilder<unknown> =>
  tenantId === null ? sql`true` : sql`(/* wall */ n.tenant_ids = array[${tenantId}::uuid])`

type Parts = { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> }

export const entrySelect = (caller: Caller, { where, tail, keys }: Parts) =>
  sql<EntryRow & { page_key: string; page_id: string }>`
    select e.id, e.at, e.tenant_id, e.actor_id, e.actor_role, e.key_id, e.kind, e.act, e.subject_id, e.person_id, v.changes, s.seq::text as seq,
      encode(s.hash, 'hex') as hash, ${keys}
    from audit_entry e left join audit_value v on v.entry_id = e.id left join audit_seal s on s.entry_id = e.id
    where ${tenantFilter(caller, sql`e.tenant_id`)} and ${where} ${tail}`

/** How what these entries name is called, by its id, where it is within the caller's reach. */
export const namesOf = async (tx: Reader, caller: Caller, rows: readonly EntryRow[]): Promise<Map<string, string>> => {
  const ids = new Set(
    rows.flatMap((row) => [row.subject_id, row.tenant_id, row.actor_id, row.key_id, row.person_id, ...idsIn(row)]),
  )
  const found = await tx.rows(sql<{ id: string; name: string }>`
    with asked as (select unnest(${[...ids].filter((id) => id !== null)}::text[]) as id)
    select a.id, p.name from asked a join person p on p.id::text = a.id where ${tenantFilter(caller, sql`p.tenant_id`)}
    union all select a.id, t.name from asked a join tenant t on t.id::text = a.id where ${tenantFilter(caller, sql`t.id`)}
    union all select a.id, n.title from asked a join notification_trigger n on n.id::text = a.id where ${triggersOf(caller)}
    union all select a.id, d.name from asked a join product d on d.id = a.id
    union all select a.id, d.name || ', ' || l.interval from asked a join plan l on l.id = a.id join product d on d.id = l.product_id
    union all select a.id, k.name from asked a join api_key k on k.id::text = a.id where ${tenantFilter(caller, sql`k.tenant_id`)}
    union all select a.id, i.email from asked a join invitation i on i.id::text = a.id where ${tenantFilter(caller, sql`i.tenant_id`)}`)
  return new Map(found.map(({ id, name }) => [id, name]))
}

/** Of a change, what names something else. */
const idsIn = ({ changes }: EntryRow): string[] =>
  Object.entries(changes ?? {}).flatMap(([field, change]) =>
    change !== true && field.endsWith('_id') ? change.filter((value) => typeof value === 'string') : [],
  )

/** A link, what it is made of, and the one before it. */
export type LinkRow = {
  id: string
  seq: string
  entry_id: string
  hash: Buffer
  previous: Buffer | null
  /** Of an entry that is gone: null. */
  text: string | null
  at: Date | null
  values_hash: Buffer | null
  salt: Buffer | null
  changes: string | null
  is_person_gone: boolean
}

export const linksAfter = (tx: Reader, caller: Caller, { after, most }: { after: number; most: number }) =>
  tx.rows(sql<LinkRow>`
    select s.id::text as id, s.seq::text as seq, s.entry_id, s.hash, b.hash as previous, case when e.id is not null then audit_text(e) end as text, e.at, e.values_hash, v.salt,
      v.changes::text as changes,
      e.person_id is not null and is_gone(e.person_id) as is_person_gone
    from audit_seal s
      left join lateral (
        select o.hash from audit_seal o where o.tenant_id = s.tenant_id and o.seq = s.seq - 1
        union all
        select o.hash from audit_seal o where s.tenant_id is null and o.tenant_id is null and o.seq = s.seq - 1) b on true
      left join audit_entry e on e.id = s.entry_id and e.tenant_id is not distinct from s.tenant_id
      left join audit_value v on v.entry_id = e.id
    where s.id > ${after} and ${tenantFilter(caller, sql`s.tenant_id`)} order by s.id limit ${most}`)

export const countWaiting = async (tx: Reader, caller: Caller): Promise<number> =>
  (await tx.first(sql<{ count: number }>`
    select count(*)::integer as count from audit_entry e
    where ${tenantFilter(caller, sql`e.tenant_id`)} and not exists (select from audit_seal s where s.entry_id = e.id)`))!
    .count

/** Makes the links of what waits, at most so many, and answers how many. */
export const sealWaiting = async (tx: Tx, most: number): Promise<number> =>
  (await tx.first(sql<{ done: number }>`select seal_audit(${most}) as done`))!.done

/** When the last other account that had proved this address ceased to have it, not later than `until`; null where none had it. */
const othersEnd = (personId: RawBuilder<unknown>, email: RawBuilder<unknown>, until: RawBuilder<unknown>) => sql`(
  select max(o.at) from audit_value w join audit_entry o on o.id = w.entry_id
  where w.changes ? 'email' and w.changes #>> '{email,0}' = ${email} and o.kind = 'person' and w.person_id <> ${personId}
    and o.at <= ${until} and coalesce(w.changes #> '{email_verified_at,0}' <> 'null', true))`

/** Since when the address that somebody has is no other account's; null where none had it. As the service. */
export const addressSince = async (tx: Tx, { id, email }: { id: string; email: string }): Promise<string | null> =>
  (await tx.first(sql<{ since: string | null }>`
    select to_json(${othersEnd(sql`${id}::uuid`, sql`${email}::text`, sql`'infinity'::timestamptz`)})#>>'{}' as since`))!
    .since

/** What somebody was before: their addresses in turn, names and roles. As the service. */
export const formerlyOf = async (tx: Tx, personId: string): Promise<Formerly> => {
  const changes = await tx.rows(sql<{
    until: string
    since: string | null
    email: string | null
    isConfirmed: boolean
    name: string | null
    role: Role | null
  }>`
    select to_json(e.at)#>>'{}' as until, v.changes #>> '{email,0}' as email,
      to_json(${othersEnd(sql`v.person_id`, sql`v.changes #>> '{email,0}'`, sql`e.at`)})#>>'{}' as since,
      coalesce(v.changes #> '{email_verified_at,0}' <> 'null', true) as "isConfirmed",
      v.changes #>> '{name,0}' as name, v.changes #>> '{role,0}' as role
    from audit_value v join audit_entry e on e.id = v.entry_id
    where v.person_id = ${personId} and e.kind = 'person' and v.changes ?| array['email', 'name', 'role'] order by e.at`)
  const every = <Of>(values: readonly (Of | null)[]): Of[] => [...new Set(values.filter((one) => one !== null))]
  return {
    addresses: changes.flatMap(({ email, until, since, isConfirmed }) =>
      email === null ? [] : [{ email, until, since, isConfirmed }],
    ),
    // Who calls themselves something else every hour is looked for by the last ones.
    names: every(changes.map(({ name }) => name)).slice(-100),
    roles: every(changes.map(({ role }) => role)),
  }
}

/** Lets go of what entries said of somebody who was removed. */
export const forgetValuesOf = (tx: Tx, personId: string) =>
  tx.rows(sql<{ forgotten: string | null }>`select forget_audited(${personId})::text as forgotten`)
