import type { Verb } from '@clear-to-post/domain/workflow'
import { sql, type Tx } from '../db/tenant.ts'

export type NotificationRow = {
  id: string
  user_id: string
  trigger_id: string | null
  title: string
  body: string
  status: 'failed' | 'delivered' | 'deleted'
  delivered_at: Date
  opened_at: Date | null
  deleted_at: Date | null
  cta: { label: string; url: string } | null
  metadata: Record<string, unknown>
  error: string | null
}

/** How the list's fields stand in SQL. */
export const listColumns = {
  columns: { status: sql`n.status`, deliveredAt: sql`n.delivered_at` },
  id: sql`n.id`,
}

/** Marks an item as opened, once; undefined when it is not theirs or was deleted. */
export const openNotification = (tx: Tx, userId: string, id: string, now: Date) =>
  tx.first(sql<NotificationRow>`
    update notification set opened_at = coalesce(opened_at, ${now})
    where id = ${id} and (/* wall */ user_id = ${userId}) and status <> 'deleted' returning *`)

export const deleteNotifications = (tx: Tx, userId: string, now: Date) =>
  tx.count(sql`
    update notification set status = 'deleted', deleted_at = ${now} where (/* wall */ user_id = ${userId}) and status <> 'deleted'`)

export type ToldEvent = {
  verb: Verb
  actor_id: string
  user_id: string
  editor_id: string | null
  title: string
}

/**
 * An event of a project with those who may hear of it. Whoever lost a claim by a rollback is the one who had made it:
 * the project names no editor any more.
 */
export const eventToTell = (tx: Tx, projectId: string, seq: number) =>
  tx.first(sql<ToldEvent>`
    select e.verb, e.actor_id, e.user_id, p.title, coalesce(p.editor_id, (
      select u.actor_id from project_event u
      where u.project_id = e.project_id and u.seq = e.undoes and u.actor_role = 'Editor')) as editor_id
    from project_event e join project p on p.id = e.project_id
    where e.project_id = ${projectId} and e.seq = ${seq}`)

export type NewNotification = {
  userId: string
  title: string
  body: string
  cta: { label: string; url: string } | null
  metadata: Record<string, unknown>
  cause: string
}

/** False when this person was told of this cause before, or is gone for good. */
export const addNotification = async (tx: Tx, n: NewNotification): Promise<boolean> =>
  (await tx.count(sql`
    insert into notification (user_id, title, body, cta, metadata, cause)
    select p.id, ${n.title}, ${n.body}, ${n.cta && JSON.stringify(n.cta)}::jsonb, ${JSON.stringify(n.metadata)}::jsonb, ${n.cause}
    from person p where p.id = ${n.userId} and p.removed_at is null
    on conflict do nothing`)) === 1
