import type { RawBuilder } from 'kysely'
import type { TimeOff, WorkWeek } from '@clear-to-post/domain/availability'
import type { RateUnit } from '@clear-to-post/domain/payroll'
import { sql, type Caller, type Tx } from '../kernel/database.ts'
import { hasDutySql, statusSql } from '../kernel/domain-sql.ts'
import { tenantFilter } from '../kernel/tenancy.ts'

export type PaidEditorRow = {
  id: string
  name: string
  email: string
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

/** Editors within the caller's reach who edited something between two instants, or have a rate in the month. */
export const paidEditors = (
  tx: Tx,
  caller: Caller,
  { begin, end, month, most }: { begin: Date; end: Date; month: string; most: number },
) =>
  tx.rows(sql<PaidEditorRow>`
    select p.id, p.name, p.email, p.work_week, p.time_off, p.time_zone, coalesce(f.approved, 0) as approved,
      coalesce(f.length_ms, 0)::double precision as length_ms,
      case when r.amount is not null then r.from_month end as from_month, case when r.amount is not null then r.unit end as unit,
      r.amount, case when r.amount is not null then r.currency end as currency
    from person p
    left join (
      select f.editor_id, (count(*) filter (where f.is_first))::integer as approved, sum(f.length_ms) as length_ms
      from step_figure f
      where f.at >= ${begin} and f.at < ${end} and f.editor_id is not null and ${tenantFilter(caller, sql`f.tenant_id`)}
      group by f.editor_id) f on f.editor_id = p.id
    left join lateral (
      select r.from_month, r.unit, r.amount, r.currency from editor_rate r
      where r.person_id = p.id and r.tenant_id is not distinct from p.tenant_id and r.from_month <= ${month}
        and ${tenantFilter(caller, sql`r.tenant_id`)}
      order by r.from_month desc limit 1) r on true
    where ${tenantFilter(caller, sql`p.tenant_id`)} and (f.editor_id is not null or r.amount is not null
      or (${hasDutySql(sql`p.role`, 'meet-goals')} and not p.is_disabled and p.removed_at is null))
    order by p.name, p.id limit ${most}`)

/**
 * What these editors had in hand that ended between two instants: from beginning a video, or getting it in progress, until its cut
 * was sent or somebody else got it. A step that was undone begins and ends nothing.
 */
export const lapsBetween = (
  tx: Tx,
  caller: Caller,
  { editorIds, begin, end }: { editorIds: readonly string[]; begin: Date; end: Date },
) =>
  tx.rows(sql<{ editor_id: string; started_at: Date; ended_at: Date }>`
    select s.editor_id, s.started_at, e.at as ended_at
    from project_event e
      join project p on p.id = e.project_id
      cross join lateral (
        select case b.verb when 'start' then b.actor_id else (b.metadata->>'editorId')::uuid end as editor_id, b.at as started_at
        from project_event b
        where b.project_id = e.project_id and b.seq < e.seq and (b.verb = 'start' or ${isHandedOver(sql`b`)})
          and ${isNotUndone(sql`b`)}
        order by b.seq desc limit 1) s
    where (e.verb = 'send' or ${isHandedOver(sql`e`)}) and e.at >= ${begin} and e.at < ${end}
      and ${tenantFilter(caller, sql`p.tenant_id`)} and s.editor_id = any(${editorIds as string[]}::uuid[])
      and ${isNotUndone(sql`e`)}`)

const isHandedOver = (event: RawBuilder<unknown>) =>
  sql`(${event}.verb = 'assign' and ${event}.from_status = ${statusSql.inProgress})`

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

/** An editor within the caller's reach. */
export const editorInReach = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql<{ tenant_id: string | null }>`
    select p.tenant_id from person p
    where p.id = ${id} and ${hasDutySql(sql`p.role`, 'meet-goals')} and p.removed_at is null and ${tenantFilter(caller, sql`p.tenant_id`)}`)
