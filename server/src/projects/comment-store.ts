import { sees } from '@clear-to-post/domain/access'
import type { Role } from '@clear-to-post/domain/roles'
import { Status } from '@clear-to-post/domain/workflow'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import type { ProjectRow } from './store.ts'

export type CommentRow = {
  id: string
  project_id: string
  number: number
  at_ms: number
  text: string
  author_id: string
  author_name: string
  created_at: Date
  event_seq: number | null
  done_at: Date | null
  parent_id: string | null
  edited_at: Date | null
  deleted_at: Date | null
  internal: boolean
}

/** The columns of a CommentRow; `c` is the alias of project_comment. */
const commentRow = sql`c.id, c.project_id, c.number, c.at_ms, c.text, c.author_id, c.created_at, c.event_seq, c.done_at, c.parent_id, c.edited_at,
  c.deleted_at, c.internal,
  coalesce(name_of(c.author_id), '') as author_name`

/** Comments by time; the officer's own and those written once the video was finished, or all for staff. */
export const commentsOf = (tx: Reader, caller: Caller, projectId: string) =>
  tx.rows(sql<CommentRow>`
    select ${commentRow} from project_comment c
    where c.project_id = ${projectId} and (${sees(caller.role, 'comment.internal')} or not c.internal)
      and (c.deleted_at is null or exists (
        select from project_comment a where a.parent_id = c.id and a.deleted_at is null))
    order by c.at_ms, c.id`)

/** A comment of a project as far as the caller reads it; under the project's lock. */
export const findComment = (tx: Tx, caller: Caller, projectId: string, commentId: string) =>
  tx.first(sql<CommentRow>`
    select ${commentRow} from project_comment c
    where c.id = ${commentId} and c.project_id = ${projectId}
      and (${sees(caller.role, 'comment.internal')} or not c.internal)`)

export const addAnswer = (tx: Tx, parent: CommentRow, project: ProjectRow, caller: Caller, text: string, now: Date) =>
  tx.first(sql<CommentRow>`
    insert into project_comment as c (project_id, user_id, tenant_id, number, at_ms, text, author_id, created_at, internal, parent_id)
    values (${project.id}, ${project.user_id}, ${project.tenant_id}, ${parent.number}, ${parent.at_ms}, ${text}, ${caller.id},
      ${now}, ${parent.internal}, ${parent.id})
    returning ${commentRow}`)

export const changeComment = (tx: Tx, commentId: string, text: string, now: Date) =>
  tx.first(sql<CommentRow>`
    update project_comment c set text = ${text}, edited_at = ${now} where c.id = ${commentId} returning ${commentRow}`)

/** Its words go; that something stood there stays, for who answered it. */
export const markCommentDeleted = (tx: Tx, commentId: string, now: Date) =>
  tx.first(sql<CommentRow>`
    update project_comment c set text = '', deleted_at = ${now} where c.id = ${commentId} returning ${commentRow}`)

/** Who wrote in a thread, with the role of today; as the service. */
export const writersOf = (tx: Tx, parentId: string) =>
  tx.rows(sql<{ id: string; role: Role }>`
    select distinct p.id, p.role from project_comment c join person p on p.id = c.author_id
    where (c.id = ${parentId} or c.parent_id = ${parentId}) and c.deleted_at is null and p.removed_at is null`)

/** Whether a remark of this person's stays between staff: it does until the video is finished. */
export const isInternal = ({ status }: Pick<ProjectRow, 'status'>, { role }: Pick<Caller, 'role'>): boolean =>
  sees(role, 'comment.internal') && status !== Status.completed && status !== Status.scheduled

/** The remarks about a project's cuts that its officer reads, or those between staff; under the project's lock. */
export const countComments = async (tx: Tx, projectId: string, internal: boolean): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from project_comment where project_id = ${projectId} and internal = ${internal}`))!.n

export const addComment = (
  tx: Tx,
  row: ProjectRow,
  number: number,
  caller: Caller,
  atMs: number,
  text: string,
  now: Date,
) =>
  tx.first(sql<CommentRow>`
    insert into project_comment as c (project_id, user_id, tenant_id, number, at_ms, text, author_id, created_at, internal)
    values (${row.id}, ${row.user_id}, ${row.tenant_id}, ${number}, ${atMs}, ${text}, ${caller.id}, ${now},
      ${isInternal(row, caller)})
    returning ${commentRow}`)

/** Ticks a comment of a project off, or takes the tick back; undefined where the project has no such comment. */
export const tick = (tx: Tx, projectId: string, commentId: string, caller: Caller, at: Date | null) =>
  tx.first(sql<CommentRow>`
    update project_comment c set done_at = ${at}::timestamptz, done_by = ${at && caller.id}::uuid
    where c.id = ${commentId} and c.project_id = ${projectId}
    returning ${commentRow}`)

/** Comments that went along with a request that is taken back wait for the next one. */
export const detachComments = (tx: Tx, projectId: string, seq: number) =>
  tx.count(sql`update project_comment set event_seq = null where project_id = ${projectId} and event_seq = ${seq}`)

/** Comments that were not sent along with an earlier revision request go with this one. */
export const attachComments = (tx: Tx, projectId: string, seq: number) =>
  tx.rows(sql<{ id: string }>`
    update project_comment set event_seq = ${seq} where project_id = ${projectId} and event_seq is null and not internal and parent_id is null and deleted_at is null
    returning id`)
