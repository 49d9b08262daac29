import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { HistoryEntry, Words } from '@clear-to-post/contract/notifications'
import { sql, type Caller, type Reader } from '../kernel/database.ts'
import type { Audience } from './triggers-audience.ts'

/** What is said to whom, as it stood when the trigger fired. */
export type RunContent = { notification: z.output<typeof Words>; transport_type: ('push' | 'email')[] } & Audience

/** One due time of a trigger and what became of it; without `ended_at` people are being told. */
export type RunRow = {
  id: string
  trigger_id: string
  due_at: Date
  fired_at: Date
  time_zone: string
  content: RunContent
  status: 'success' | 'failed' | 'info' | 'warn' | null
  total: number
  success: number
  error: number
  /** A failure for one person begins with their name, which the row has as their number. */
  error_list: string[]
  done_to: string | null
  failures: number
  began_at: Date
  ended_at: Date | null
}

/** The columns of a RunRow; `r` is the alias of trigger_run. */
export const runRow = sql`r.id, r.trigger_id, r.due_at, r.fired_at, r.time_zone, r.content, r.status, r.total, r.success, r.error,
  array(
    select case when e.person_id is null then e.words else coalesce(p.name, 'Somebody') || substr(e.words, 37) end
    from (
      select words, at, case when words ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}: ' then left(words, 36)::uuid end as person_id
      from unnest(r.error_list) with ordinality as every (words, at)) e
    left join person p on p.id = e.person_id and p.removed_at is null order by e.at) as error_list, r.done_to, r.failures, r.began_at, r.ended_at`

/** How the history's fields stand in SQL. */
export const runColumns = {
  columns: { status: sql`coalesce(r.status, 'info')`, executedAt: sql`r.fired_at` },
  id: sql`r.id`,
}

type Parts = { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> }

/** A company reads the runs that told its people, and none from before the trigger was given to it. */
const toldFor = ({ tenantId }: Caller): RawBuilder<unknown> =>
  tenantId === null ? sql`true` : sql`(/* wall */ r.content->'tenantIds' = jsonb_build_array(${tenantId}::uuid))`

export const runsSelect = (caller: Caller, triggerId: string, { where, tail, keys }: Parts) =>
  sql<RunRow & { page_key: string; page_id: string }>`
    select ${runRow}, ${keys} from trigger_run r where r.trigger_id = ${triggerId} and ${toldFor(caller)} and ${where} ${tail}`

/** The latest runs of each of these triggers that the caller reads, newest first, at most 20 of each. */
export const latestRuns = async (
  tx: Reader,
  caller: Caller,
  triggerIds: readonly string[],
): Promise<Map<string, RunRow[]>> => {
  const rows = await tx.rows(sql<RunRow>`
    select ${runRow} from unnest(${triggerIds as string[]}::uuid[]) as t (id)
    cross join lateral (select ${runRow} from trigger_run r where r.trigger_id = t.id and ${toldFor(caller)} order by r.due_at desc limit 20) r
    order by r.due_at desc`)
  return Map.groupBy(rows, ({ trigger_id }) => trigger_id)
}

export const presentRun = (run: RunRow): z.input<typeof HistoryEntry> => ({
  batchId: run.id,
  executedAt: run.fired_at.toISOString(),
  timezone: run.time_zone,
  status: run.status ?? 'info',
  users: { total: run.total, success: run.success, error: run.error },
  ...(run.error_list.length > 0 ? { errorList: run.error_list } : {}),
  ...(run.ended_at ? { executionTimeDuration: Math.max(0, run.ended_at.getTime() - run.began_at.getTime()) } : {}),
})
