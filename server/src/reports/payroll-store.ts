import type { RawBuilder } from 'kysely'
import type { TimeOff, WorkWeek } from '@clear-to-post/domain/availability'
import type { RateUnit } from '@clear-to-post/domain/payroll'
import { sql, type Caller, type Tx } from '../kernel/database.ts'
import { hasDutySql, statusSql } from '../kernel/domain-sql.ts'
import { tenantFilter } from '../kernel/tenancy.ts'

export type PaidEditorRow = {
  id: string
  name: string
  /** Null where they are in another company now, whose data it is. */
  email: string | null
  /** Whose editor they were for this; null: the service's. */
  tenant_id: string | null
  company: string | null
  has_left: boolean
  /** They edit there, or have a rate: a row stands also where nothing was done. */
  is_kept: boolean
  /** As they are set now, or were when they left. */
  work_week: WorkWeek | null
  time_off: TimeOff[]
  time_zone: string
  approved: number
  length_ms: number
  /** The rate that counts in the month; null without one. */
  from_month: string | null
  unit: RateUnit | null
  amount: number | null
  currency: string | null
}

/**
 * Editors of the companies within the caller's reach, a row for each company that they were editors of between two instants, or have
 * a rate of in the month, whatever they are by now. A video was edited for the company that they were in when its cut was sent.
 */
export const paidEditors = (
  tx: Tx,
  caller: Caller,
  { begin, end, month, most }: { begin: Date; end: Date; month: string; most: number },
) =>
  tx.rows(sql<PaidEditorRow>`
    with figure as (
      select f.editor_id, m.tenant_id, (count(*) filter (where f.is_first))::integer as approved, sum(f.length_ms) as length_ms
      from step_figure f
        join project_event e on e.project_id = f.project_id and e.seq = f.seq
        left join project_cut c on c.project_id = e.project_id
          and c.number = coalesce(e.counted->>'cut', e.metadata->>'cut')::integer
        join membership m on m.person_id = f.editor_id and ${wasThere(sql`coalesce(c.sent_at, f.at)`)}
      where f.at >= ${begin} and f.at < ${end} and ${tenantFilter(caller, sql`f.tenant_id`)}
        and ${tenantFilter(caller, sql`m.tenant_id`)}
      group by f.editor_id, m.tenant_id),
    stay as (
      select m.person_id, m.tenant_id, bool_or(${wasEditor}) as edited from membership m
      where (m.since < ${end} or m.since is null) and (m.until >= ${begin} or m.until is null) and ${tenantFilter(caller, sql`m.tenant_id`)}
      group by m.person_id, m.tenant_id),
    paid as (select editor_id as person_id, tenant_id from figure union select person_id, tenant_id from stay)
    select d.person_id as id, coalesce(p.name, name_of(d.person_id)) as name, case when p.removed_at is null then p.email end as email,
      d.tenant_id, t.name as company, not ${isStillThere} as has_left, ${isKept} as is_kept,
      case when l.id is null then p.work_week else l.work_week end as work_week,
      coalesce(l.time_off, p.time_off) as time_off, coalesce(l.time_zone, p.time_zone) as time_zone,
      coalesce(f.approved, 0) as approved, coalesce(f.length_ms, 0)::double precision as length_ms,
      case when r.amount is not null then r.from_month end as from_month, case when r.amount is not null then r.unit end as unit,
      r.amount, case when r.amount is not null then r.currency end as currency
    from paid d
    left join person p on p.id = d.person_id and ${tenantFilter(caller, sql`p.tenant_id`)}
    left join tenant t on t.id = d.tenant_id
    left join figure f on f.editor_id = d.person_id and f.tenant_id is not distinct from d.tenant_id
    left join stay s on s.person_id = d.person_id and s.tenant_id is not distinct from d.tenant_id
    left join lateral (
      select m.id, m.work_week, m.time_off, m.time_zone from membership m
      where m.person_id = d.person_id and m.tenant_id is not distinct from d.tenant_id and m.until is not null
      order by m.until desc limit 1) l on p.id is null or p.tenant_id is distinct from d.tenant_id
    left join lateral (
      select r.from_month, r.unit, r.amount, r.currency from editor_rate r
      where r.person_id = d.person_id and r.tenant_id is not distinct from d.tenant_id and r.from_month <= ${month}
        and ${tenantFilter(caller, sql`r.tenant_id`)}
      order by r.from_month desc limit 1) r on true
    where f.editor_id is not null or s.edited or ${isKept}
    order by name, d.person_id, d.tenant_id nulls first limit ${most}`)

/** Whether somebody was in a company (`m`) at an instant, or left it in that one. */
const wasThere = (at: RawBuilder<unknown>) =>
  sql`(m.since < ${at} or m.since is null) and (m.until >= ${at} or m.until is null)`

/** Whether a stay in a company (`m`) is one of an editor who is let in. */
const wasEditor = sql`(${hasDutySql(sql`m.role`, 'meet-goals')} and not m.is_disabled)`

/** Whether somebody (`p`) is at the company of a row (`d`) now. */
const isStillThere = sql`(p.id is not null and p.removed_at is null and p.tenant_id is not distinct from d.tenant_id)`

/** Whether a row of theirs stands also where nothing was done: they edit there now, or have a rate (`r`). */
const isKept = sql`(${isStillThere} and (r.amount is not null or (${hasDutySql(sql`p.role`, 'meet-goals')} and not p.is_disabled)))`

type Asked = { editorIds: readonly string[]; begin: Date; end: Date }

/** When somebody was an editor of a company; null: from the beginning, or until now. */
export type Stay = { person_id: string; tenant_id: string | null; since: Date | null; until: Date | null }

/** When these were editors who are let in, of stays that lie between two instants, in the order of their ends. */
export const staysAsEditors = (tx: Tx, caller: Caller, { editorIds, begin, end }: Asked) =>
  tx.rows(sql<Stay>`
    select m.person_id, m.tenant_id, m.since, m.until from membership m
    where m.person_id = any(${editorIds as string[]}::uuid[]) and (m.since < ${end} or m.since is null)
      and (m.until >= ${begin} or m.until is null) and ${wasEditor} and ${tenantFilter(caller, sql`m.tenant_id`)}
    order by m.until nulls last, m.since nulls first`)

/** A video of a company in an editor's hands; `ended_at` null: until now. */
export type Lap = { editor_id: string; tenant_id: string | null; started_at: Date; ended_at: Date | null }

/** What these editors had in hand, of what they sent, or what was handed over to somebody else, between two instants. */
export const endedBySteps = (tx: Tx, caller: Caller, { editorIds, begin, end }: Asked) =>
  tx.rows(sql<Lap & { ended_at: Date }>`
    select s.editor_id, p.tenant_id, s.started_at, e.at as ended_at
    from project_event e
      join project p on p.id = e.project_id
      cross join lateral (
        select ${editorOf(sql`b`)} as editor_id, b.at as started_at
        from project_event b
        where b.project_id = e.project_id and b.seq < e.seq and (b.verb = 'start' or ${isHandedOver(sql`b`)}) and ${isNotUndone(sql`b`)}
        order by b.seq desc limit 1) s
    where (e.verb = 'send' or ${isHandedOver(sql`e`)}) and e.at >= ${begin} and e.at < ${end} and ${isNotUndone(sql`e`)}
      and ${tenantFilter(caller, sql`p.tenant_id`)} and s.editor_id = any(${editorIds as string[]}::uuid[])`)

/**
 * What these editors began, or got in progress, before an instant, and had in hand after another one, in the order of its beginnings.
 * It is in hand until somebody else begins it or gets it, or it is in progress no more.
 */
export const begunBy = (tx: Tx, caller: Caller, { editorIds, begin, end }: Asked) =>
  tx.rows(sql<Lap>`
    select ${editorOf(sql`b`)} as editor_id, p.tenant_id, b.at as started_at, l.ended_at
    from project_event b
      join project p on p.id = b.project_id
      cross join lateral (
        select min(x.at) as ended_at from project_event x
        where x.project_id = b.project_id and x.seq > b.seq and ${isNotUndone(sql`x`)} and (x.verb = 'start' or ${isHandedOver(sql`x`)}
          or (x.to_status <> ${statusSql.inProgress} and x.undoes is null))) l
    where (b.verb = 'start' or ${isHandedOver(sql`b`)}) and ${editorOf(sql`b`)} = any(${editorIds as string[]}::uuid[])
      and b.at < ${end} and ${isNotUndone(sql`b`)} and (l.ended_at is null or l.ended_at > ${begin})
      and ${tenantFilter(caller, sql`p.tenant_id`)}
    order by b.at`)

const isHandedOver = (event: RawBuilder<unknown>) =>
  sql`(${event}.verb = 'assign' and ${event}.from_status = ${statusSql.inProgress})`

/** Whose a video is by a step that begins it or hands it over. */
const editorOf = (event: RawBuilder<unknown>) =>
  sql`(case ${event}.verb when 'start' then ${event}.actor_id else (${event}.metadata->>'editorId')::uuid end)`

const isNotUndone = (event: RawBuilder<unknown>) =>
  sql`not exists (select from project_event u where u.project_id = ${event}.project_id and u.undoes = ${event}.seq)`

/** Keeps what an editor is paid from a month on; the same month's before is replaced. */
export const keepRate = (
  tx: Tx,
  {
    personId,
    tenantId,
    fromMonth,
    unit,
    amount,
    currency,
    by,
    now,
  }: {
    personId: string
    tenantId: string | null
    fromMonth: string
    unit: RateUnit
    amount: number | null
    currency: string
    by: string
    now: Date
  },
) =>
  tx.count(sql`
    insert into editor_rate (person_id, tenant_id, from_month, unit, amount, currency, set_by, set_at)
    values (${personId}, ${tenantId}, ${fromMonth}, ${unit}, ${amount}, ${currency}, ${by}, ${now})
    on conflict (person_id, tenant_id, from_month) do update set unit = excluded.unit, amount = excluded.amount,
      currency = excluded.currency, set_by = excluded.set_by, set_at = excluded.set_at`)

/** For how many other months an editor has rates. */
export const countRates = async (tx: Tx, personId: string, month: string): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from editor_rate where person_id = ${personId} and from_month <> ${month}`))!.n

/** Somebody within the caller's reach who edits there, or did: what they did is paid. */
export const editorInReach = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql<{ tenant_id: string | null }>`
    select p.tenant_id from person p
    where p.id = ${id} and p.removed_at is null and ${tenantFilter(caller, sql`p.tenant_id`)} and exists (
      select from membership m
      where m.person_id = p.id and m.tenant_id is not distinct from p.tenant_id and ${hasDutySql(sql`m.role`, 'meet-goals')}
        and ${tenantFilter(caller, sql`m.tenant_id`)})`)
