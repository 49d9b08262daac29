import { nextFreeSlot, type PostSlot } from '@clear-to-post/domain/post-slots'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import { statusSql } from '../kernel/domain-sql.ts'

/** When in the week this person posts, and the first slot that neither a post nor a scheduled video of theirs fills. */
export const slotsShown = async (
  tx: Reader,
  caller: Pick<Caller, 'id'>,
  now: Date,
): Promise<{ items: PostSlot[]; next?: string }> => {
  const kept = await slotsOf(tx, caller)
  if (!kept) return { items: [] }
  const taken = await momentsTaken(tx, caller, now)
  const next = nextFreeSlot(
    kept.slots,
    taken.map(({ at }) => at),
    now,
    kept.time_zone,
  )
  return { items: kept.slots, ...(next ? { next: next.toISOString() } : {}) }
}

const slotsOf = (tx: Reader, { id }: Pick<Caller, 'id'>) =>
  tx.first(sql<{ slots: PostSlot[]; time_zone: string }>`
    select s.slots, time_zone_of(s.user_id) as time_zone from post_slots s where s.user_id = ${id}`)

export const saveSlots = async (tx: Tx, { id }: Pick<Caller, 'id'>, slots: readonly PostSlot[], now: Date) => {
  await tx.count(sql`
    insert into post_slots (user_id, slots, modified_at) values (${id}, ${JSON.stringify(slots)}, ${now})
    on conflict (user_id) do update set slots = excluded.slots, modified_at = excluded.modified_at`)
}

/** Moments from now on that something of this person's fills; more than these fill no half a year of slots. */
const momentsTaken = (tx: Reader, { id }: Pick<Caller, 'id'>, now: Date) =>
  tx.rows(sql<{ at: Date }>`
    select p.due_at as at from post p
    where p.user_id = ${id} and p.due_at >= ${now} and p.state not in ('failed', 'withdrawn', 'removed')
    union
    select j.publish_at from project j
    where j.user_id = ${id} and j.status = ${statusSql.scheduled} and j.publish_at >= ${now}
    order by at limit 2000`)
