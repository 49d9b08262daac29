import type { RawBuilder } from 'kysely'
import type { TimeOff, WorkWeek } from '@clear-to-post/domain/availability'
import type { Role } from '@clear-to-post/domain/roles'
import { sql, type Caller, type Tx } from '../kernel/database.ts'
import { hasDutySql, statusSql } from '../kernel/domain-sql.ts'
import { tenantFilter } from '../kernel/tenancy.ts'

/** What narrows a report. */
export type Narrowed = { tenantId?: string | undefined; userId?: string | undefined; editorId?: string | undefined }

/** The roles that somebody has and had in a company, as it knows them. As the service. */
export const rolesAt = async (tx: Tx, personId: string, companyId: string): Promise<Role[]> =>
  (
    await tx.rows(sql<{ role: Role }>`
      select distinct role from membership where person_id = ${personId} and tenant_id = ${companyId} and role is not null`)
  ).map(({ role }) => role)

export type FiguresRow = {
  sent_in: number
  approved: number
  first_pass: number
  promised: number
  on_time: number
  denied: number
  revisions: number
  canceled: number
  length_ms: number
  turnaround_hours: number | null
  promised_hours: number | null
}

/** Holds the caller's reports one behind the other, until the transaction ends: who asks for many waits for their own. */
export const takeTurn = (tx: Tx, { id }: Caller) =>
  tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('report', 0) # hashtextextended(${id}, 0))`)

/** The figures of each step between `bounds`, by its place from 1, and those of all of it as place 0. */
export const figuresBetween = (tx: Tx, caller: Caller, bounds: readonly Date[], narrowed: Narrowed) =>
  tx.rows(sql<FiguresRow & { place: number }>`
    select coalesce(f.place, 0)::integer as place, ${figures} from (
      select width_bucket(f.at, ${[...bounds]}::timestamptz[]) as place, ${counted}
      from step_figure f where ${within(caller, bounds, narrowed)}) f
    group by grouping sets ((f.place), ())`)

/** The figures of editors, companies, officers or products, most approved videos first. */
export const figuresBy = (
  tx: Tx,
  caller: Caller,
  bounds: readonly Date[],
  narrowed: Narrowed,
  { by, most }: { by: Part; most: number },
) =>
  tx.rows(sql<FiguresRow & { id: string | null; name: string | null }>`
    select ${figures}, f.part as id, ${nameOf(by)} as name
    from (
      select (${partOf(by)})::text as part, ${counted} from step_figure f
      where ${within(caller, bounds, narrowed)} and ${by === 'editor' ? sql`f.editor_id is not null` : sql`true`}) f
    group by f.part order by approved desc, sent_in desc, f.part limit ${most}`)

export type CategoryRow = { category: string; count: number }
export const categoriesOf = (tx: Tx, caller: Caller, bounds: readonly Date[], narrowed: Narrowed) =>
  tx.rows(sql<CategoryRow>`
    select c.category, count(*)::integer as count from step_figure f cross join lateral unnest(f.categories) c (category)
    where f.verb = 'deny' and ${within(caller, bounds, narrowed)} group by c.category order by count desc, c.category`)

export type CriterionRow = { id: string; label: string; count: number; low: number; average: number }
export const criteriaOf = (tx: Tx, caller: Caller, bounds: readonly Date[], narrowed: Narrowed) =>
  tx.rows(sql<CriterionRow>`
    select s.score->>'id' as id, (array_agg(s.score->>'label' order by f.at desc, f.project_id, f.seq))[1] as label,
      count(*)::integer as count, (count(*) filter (where (s.score->>'score')::numeric <= 5))::integer as low,
      avg((s.score->>'score')::numeric)::double precision as average
    from step_figure f cross join lateral jsonb_array_elements(f.scores) s (score)
    where f.verb = 'deny' and ${within(caller, bounds, narrowed)} group by 1 order by average, id limit 50`)

/** Officers by when they sent videos in: `bounds` are the beginning of the period before, of this one, and its end. */
export const officersOf = async (
  tx: Tx,
  caller: Caller,
  [before, begin, end]: readonly [Date, Date, Date],
  narrowed: Narrowed,
) =>
  (await tx.first(sql<{ active: number; fresh: number; lost: number }>`
    with sender as (
      select f.user_id, max(f.at) as last from step_figure f
      where f.verb = 'create' and ${within(caller, [before, end], narrowed)} group by f.user_id)
    select (count(*) filter (where s.last >= ${begin}))::integer as active,
      -- The offset keeps it a look into each officer's own steps, instead of a walk over everybody's.
      (count(*) filter (where s.last >= ${begin} and not exists (
        select from step_figure f where f.user_id = s.user_id and f.verb = 'create' and f.at < ${begin} and ${reach(caller, narrowed)}
        offset 0)))::integer as fresh,
      (count(*) filter (where s.last < ${begin}))::integer as lost
    from sender s`))!

export const lostOfficers = (
  tx: Tx,
  caller: Caller,
  [before, begin, end]: readonly [Date, Date, Date],
  narrowed: Narrowed,
  most: number,
) =>
  tx.rows(sql<{ id: string; name: string | null; company: string | null; videos: number; last: Date }>`
    select s.user_id as id, name_of(s.user_id) as name, s.videos, s.last,
      (select t.name from tenant t join person p on p.tenant_id = t.id where p.id = s.user_id and ${tenantFilter(caller, sql`p.tenant_id`)}) as company
    from (
      select f.user_id, count(*)::integer as videos, max(f.at) as last from step_figure f
      where f.verb = 'create' and ${within(caller, [before, end], narrowed)}
      group by f.user_id having max(f.at) < ${begin}
      order by videos desc, last desc, f.user_id limit ${most}) s
    order by s.videos desc, s.last desc, s.user_id`)

/** Editors within the caller's reach who may sign in. */
export const editorsAtWork = (tx: Tx, caller: Caller) =>
  tx.rows(sql<{ id: string; work_week: WorkWeek | null; time_off: TimeOff[]; time_zone: string }>`
    select p.id, p.work_week, p.time_off, p.time_zone from person p
    where ${hasDutySql(sql`p.role`, 'meet-goals')} and not p.is_disabled and p.removed_at is null
      and ${tenantFilter(caller, sql`p.tenant_id`)}`)

/** Videos that editors have to begin or to finish, by the editor whose they are; null: the pool's. */
export const openWork = (tx: Tx, caller: Caller) =>
  tx.rows(sql<{ editor_id: string | null; videos: number }>`
    select p.editor_id, count(*)::integer as videos from project p
    where p.status in (${statusSql.submitted}, ${statusSql.inProgress}, ${statusSql.denied}, ${statusSql.revisioning})
      and ${tenantFilter(caller, sql`p.tenant_id`)}
    group by p.editor_id`)

/** The last four hundred cuts that were sent to approval since then, with who had begun them, and when. */
export const lapsOf = (tx: Tx, caller: Caller, since: Date) =>
  tx.rows(sql<{ editor_id: string; started_at: Date; sent_at: Date }>`
    select s.editor_id, s.started_at, e.at as sent_at
    from project_event e
      join project p on p.id = e.project_id
      cross join lateral (
        select b.actor_id as editor_id, b.at as started_at from project_event b
        where b.project_id = e.project_id and b.seq < e.seq and b.verb = 'start' order by b.seq desc limit 1) s
    where e.verb = 'send' and e.at > ${since} and ${tenantFilter(caller, sql`p.tenant_id`)}
      and not exists (select from project_event u where u.project_id = e.project_id and u.undoes = e.seq)
    order by e.at desc limit 400`)

/** The columns that `figures` sums. */
const counted = sql`f.verb, f.is_first, f.is_first_pass, f.is_late, f.took_s, f.promised_s, f.length_ms`

const figures = sql`
  (count(*) filter (where f.verb = 'create'))::integer as sent_in,
  (count(*) filter (where f.is_first))::integer as approved,
  (count(*) filter (where f.is_first_pass))::integer as first_pass,
  (count(f.is_late))::integer as promised,
  (count(*) filter (where not f.is_late))::integer as on_time,
  (count(*) filter (where f.verb = 'deny'))::integer as denied,
  (count(*) filter (where f.verb = 'review'))::integer as revisions,
  (count(*) filter (where f.verb = 'cancel'))::integer as canceled,
  coalesce(sum(f.length_ms), 0)::double precision as length_ms,
  percentile_cont(0.5) within group (order by f.took_s) / 3600 as turnaround_hours,
  percentile_cont(0.5) within group (order by f.promised_s) / 3600 as promised_hours`

type Part = 'editor' | 'company' | 'officer' | 'product'

/** A product is that of the plan on which the video entered the queue. */
const partOf = (by: Part): RawBuilder<unknown> =>
  by === 'editor'
    ? sql`f.editor_id`
    : by === 'company'
      ? sql`f.tenant_id`
      : by === 'officer'
        ? sql`f.user_id`
        : sql`(select l.product_id from project p join plan l on l.id = p.paid_plan where p.id = f.project_id)`

const nameOf = (by: Part): RawBuilder<unknown> =>
  by === 'company'
    ? sql`(select t.name from tenant t where t.id = f.part::uuid)`
    : by === 'product'
      ? sql`(select r.name from product r where r.id = f.part)`
      : sql`name_of(f.part::uuid)`

const reach = (caller: Caller, { tenantId, userId, editorId }: Narrowed): RawBuilder<unknown> => sql`
  ${tenantFilter(caller, sql`f.tenant_id`)}
  and ${tenantId === undefined ? sql`true` : sql`f.tenant_id = ${tenantId}`}
  and ${userId === undefined ? sql`true` : sql`f.user_id = ${userId}`}
  and ${editorId === undefined ? sql`true` : sql`f.editor_id = ${editorId}`}`

const within = (caller: Caller, bounds: readonly Date[], narrowed: Narrowed): RawBuilder<unknown> =>
  sql`f.at >= ${bounds[0]} and f.at < ${bounds.at(-1)} and ${reach(caller, narrowed)}`
