import type { Figures } from '@clear-to-post/domain/figures'
import type { Network } from '@clear-to-post/domain/networks'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'

/** Of post `p`: of whoever is shut out, or whose company is closed, nothing is read while that lasts; then it goes on. */
const isLetIn = sql`exists (
  select from person o left join tenant t on t.id = o.tenant_id
  where o.id = p.user_id and not o.is_disabled and coalesce(t.is_active, true))`

/** When a post is measured next; null: no more. */
export const measureFrom = (tx: Tx, postIds: readonly string[], at: Date | null) =>
  tx.count(sql`update post set measure_at = ${at} where id = any(${postIds}::uuid[])`)

/** What is measured no more: it is a month old, or its officer does not post with the account now. */
export const endMeasuring = (tx: Tx, now: Date) =>
  tx.count(sql`
    update post p set measure_at = null
    where p.measure_at <= ${now} and (p.state <> 'live' or p.live_at < ${now}::timestamptz - interval '31 days'
      or not may_post_with(p.connection_id, p.user_id))`)

/** One at a time decides which accounts are asked about: the networks count by the minute. */
export const holdMeasuring = async (tx: Tx): Promise<boolean> =>
  (await tx.first(sql<{ got: boolean }>`select pg_try_advisory_xact_lock(hashtextextended('figures', 0)) as got`))!.got

/**
 * Accounts of a network with posts that are to be measured, in turn of whose they are, the longest waiting first; as many as the
 * last minute has left of `perMinute`.
 */
export const accountsToMeasure = (tx: Tx, network: Network, now: Date, perMinute: number) =>
  tx.rows(sql<{ id: string; owner: string; turn: number }>`
    with asked as (
      select j.data ->> 'connectionId' as id, j.created_on, j.state < 'active' as waits from pgboss.job j
      where j.name = 'figures'),
    due as (
      select c.id, coalesce(c.tenant_id, c.user_id) as owner, min(p.measure_at) as at
      from post p join connection c on c.id = p.connection_id
      where p.measure_at <= ${now} and p.network = ${network} and c.state = 'active' and ${isLetIn}
        and not exists (select from asked a where a.id = c.id::text and a.waits)
      group by c.id)
    select d.id, d.owner, (row_number() over (partition by d.owner order by d.at, d.id))::integer as turn
    from due d order by turn, d.at, d.id
    limit greatest(0, ${perMinute} - (
      select count(*) from asked a join connection c on c.id::text = a.id
      where c.network = ${network} and a.created_on > ${now}::timestamptz - interval '1 minute'))`)

/** Not asked for again before `at`, whatever becomes of the job. */
export const restMeasuring = (tx: Tx, connectionIds: readonly string[], now: Date, at: Date) =>
  tx.count(sql`
    update post set measure_at = ${at} where connection_id = any(${connectionIds}::uuid[]) and measure_at <= ${now}`)

/** The posts of an account that were not measured within the last hours, the longest ago first. */
export const postsToMeasure = (tx: Tx, connectionId: string, now: Date, most: number) =>
  tx.rows(sql<{ id: string; remote_id: string; live_at: Date }>`
    select p.id, p.remote_id, p.live_at from post p
    where p.connection_id = ${connectionId} and p.measure_at is not null and p.remote_id is not null and p.live_at is not null
      and p.state = 'live' and may_post_with(p.connection_id, p.user_id) and ${isLetIn}
      and not exists (
        select from post_figures f where f.post_id = p.id and f.at > ${now}::timestamptz - interval '20 hours')
    order by p.measure_at, p.id limit ${most}`)

/** Keeps what a network said today; the later reading of a day counts. */
export const saveFigures = (
  tx: Tx,
  postId: string,
  { views, likes, comments, shares, watchSeconds }: Figures,
  now: Date,
) =>
  tx.count(sql`
    insert into post_figures (post_id, day, at, views, likes, comments, shares, watch_seconds)
    values (${postId}, (${now}::timestamptz at time zone 'UTC')::date, ${now}, ${views ?? null}, ${likes ?? null},
      ${comments ?? null}, ${shares ?? null}, ${watchSeconds ?? null})
    on conflict (post_id, day) do update set at = excluded.at, views = excluded.views, likes = excluded.likes,
      comments = excluded.comments, shares = excluded.shares, watch_seconds = excluded.watch_seconds
    where excluded.at >= post_figures.at`)

/**
 * This person's posts of half a year that were measured, each by its last reading within a week: by views, or by likes where the
 * network tells none.
 */
export const measuredPosts = (tx: Reader, { id }: Pick<Caller, 'id'>, now: Date) =>
  tx.rows(sql<{ account: string; live_at: Date; seen: number }>`
    select coalesce(p.connection_id::text, p.network) as account, p.live_at, coalesce(f.views, f.likes)::float8 as seen
    from post p cross join lateral (
      select f.views, f.likes from post_figures f
      where f.post_id = p.id and f.at <= p.live_at + interval '7 days' order by f.day desc limit 1) f
    where (/* wall */ p.user_id = ${id}::uuid) and p.live_at > ${now}::timestamptz - interval '180 days'
      and p.live_at < ${now}::timestamptz - interval '2 days' and coalesce(f.views, f.likes) is not null
    order by p.live_at desc limit 1000`)

export const zoneOf = async (tx: Reader, { id }: Pick<Caller, 'id'>): Promise<string> =>
  (await tx.first(sql<{ zone: string }>`select time_zone_of(${id}) as zone`))!.zone
