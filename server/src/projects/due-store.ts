import { endsByWaiting, toldAlike, type WaitReason } from '@clear-to-post/domain/plans'
import { sql, type Tx } from '../kernel/database.ts'
import { hasDutySql, statusSql } from '../kernel/domain-sql.ts'
import { projectRow, type ProjectRow } from './store.ts'

/** A project whose moment has come. */
export type DueProject = ProjectRow & { time_zone: string }

/** The first project whose moment has come, locked so that no other worker takes it in the same breath. First come, first served. */
export const nextDueProject = (tx: Tx, now: Date, except: readonly string[]) =>
  tx.first(sql<DueProject>`
    select ${projectRow}, time_zone_of(p.user_id) as time_zone from project p
    where p.due_at <= ${now} and p.status = ${statusSql.scheduled} and not (p.id = any (${except as string[]}::uuid[]))
    order by p.due_at, p.submitted_at, p.id limit 1 for update of p skip locked`)

/** The project's moment has come, but it waits for something: it is asked again then. */
export const askAgain = (tx: Tx, id: string, at: Date) =>
  tx.count(sql`update project set due_at = ${at} where id = ${id}`)

/** When the officer of a waiting project was told that it is canceled in the end, if that was the last that they were told. */
export const toldOfEnd = async (tx: Tx, id: string): Promise<Date | undefined> => {
  const last = await tx.first(sql<{ at: Date; waits: WaitReason }>`
    select at, metadata->>'waits' as waits from project_event
    where project_id = ${id} and verb = 'hold' order by seq desc limit 1`)
  return last && endsByWaiting(last.waits) ? last.at : undefined
}

/**
 * The other projects of this officer that wait for the same month and company and were told of the same would be answered the
 * same: they are asked again when it is. Those that somebody is waking at this moment are left to be asked. It names each column
 * of a project that `rightNow` reads (waking.test.ts).
 */
export const postponeWaiting = (tx: Tx, row: ProjectRow, waits: WaitReason, askAt: Date, now: Date) =>
  tx.count(sql`
    update project set due_at = ${askAt}, waits_for = ${waits} where id in (
      select id from project where user_id = ${row.user_id} and submit_month = ${row.submit_month}
        and tenant_id is not distinct from ${row.tenant_id}::uuid and waits_for = any(${toldAlike(row.waits_for ?? waits)}::text[])
        and is_free = ${row.is_free} and due_at <= ${now}
      for update skip locked)`)

/** Whose a waiting project is, and how many of theirs wait for that month there. */
export const officerOfWaiting = async (tx: Tx, { user_id, tenant_id, submit_month }: ProjectRow) =>
  (await tx.first(sql<{ name: string; is_disabled: boolean; waiting: number }>`
    select o.name, o.is_disabled, (
      select count(*)::integer from project p
      where p.user_id = o.id and p.tenant_id is not distinct from ${tenant_id}::uuid and p.submit_month = ${submit_month}
        and p.status = ${statusSql.scheduled} and p.final_video_id is null) as waiting
    from person o where o.id = ${user_id}`))!

/** Who can do something about what waits for its officer: the admins of its company, or of the service. */
export const adminsOf = async (tx: Tx, tenantId: string | null): Promise<string[]> =>
  (
    await tx.rows(sql<{ id: string }>`
      select p.id from person p
      where p.tenant_id is not distinct from ${tenantId}::uuid and ${hasDutySql(sql`p.role`, 'administer')} and not p.is_disabled
        and p.removed_at is null
      order by p.created_at limit 50`)
  ).map(({ id }) => id)
