import type { RawBuilder } from 'kysely'
import { connectsFor } from '@clear-to-post/domain/access'
import type { FigureName } from '@clear-to-post/domain/figures'
import type { CommentState } from '@clear-to-post/domain/post-comments'
import { toldPostEvents, type EditedPart, type FailureKind, type ToldPostEvent } from '@clear-to-post/domain/posting'
import { hasDuty } from '@clear-to-post/domain/roles'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import { statusSql } from '../kernel/domain-sql.ts'
import { tenantFilter } from '../kernel/tenancy.ts'
import type { Holder } from './connection-store.ts'
import { officerIsGone, postColumns, type PostRow } from './store.ts'

export type ShownPost = PostRow & {
  project_title: string
  /** It went to an account that the caller takes posts down from: one they post with, or their company's whose ADMIN they are. */
  is_removable: boolean
  /** It went to an account of the company whose ADMIN the caller is, and its officer is gone. */
  is_orphan: boolean
  /** No later post of its video was made for the same account, whoever connected that. */
  is_latest: boolean
  /** The company that the video was made for; null where its officer films for themselves. */
  tenant_id: string | null
  account: string | null
  is_approved: boolean
  /** The approved cut, while it may go out. */
  approved_file_id: string | null
  /** When the project itself is due; null where it is not scheduled. */
  scheduled_at: Date | null
  /** What its network said of it last. */
  figures: ({ at: string; day: string } & { [name in FigureName]: number | null }) | null
  /** The step that scheduled the project, where it is scheduled. */
  current_schedule: number | null
  /** Its first comment. */
  comment: { words: string; state: CommentState; failure: FailureKind | null; failure_words: string | null } | null
}
// An account of post `p` that somebody posts with, or of the company whose ADMIN they are.
const usedBy = (caller: Holder): RawBuilder<unknown> =>
  connectsFor(caller) === 'company'
    ? sql`(/* wall */ c.tenant_id = ${caller.tenantId}::uuid)`
    : sql`((/* wall */ c.user_id = ${caller.id}::uuid) or (/* wall */ c.tenant_id = ${caller.tenantId}::uuid and exists (
        select from connection_officer o where o.connection_id = c.id and o.user_id = ${caller.id}::uuid)))`

const approvedFileId = sql`case when j.approved_video_id = j.final_video_id and j.status in (${statusSql.scheduled}, ${statusSql.completed})
    then j.approved_video_id end`

// What an account is called is read by who posts with it, and by its company's ADMINs.
const shownColumns = (caller: Holder): RawBuilder<unknown> => sql`
  ${postColumns}, j.title as project_title, j.tenant_id,
  (select c.name from connection c where c.id = p.connection_id and ${usedBy(caller)}) as account,
  exists (select from connection c where c.id = p.connection_id and c.state <> 'disconnected' and ${usedBy(caller)}) as is_removable,
  ${
    connectsFor(caller) === 'company'
      ? sql`(exists (select from connection c where c.id = p.connection_id and (/* wall */ c.tenant_id = ${caller.tenantId}::uuid)) and ${officerIsGone(sql`${caller.tenantId}::uuid`)})`
      : sql`false`
  } as is_orphan,
  not exists (
    select from post later join connection c on c.id = later.connection_id join connection its on its.id = p.connection_id
    where later.project_id = p.project_id and (later.created_at, later.id) > (p.created_at, p.id)
      and c.network = its.network and c.account_id = its.account_id) as is_latest,
  (select jsonb_build_object('at', f.at, 'day', f.day, 'views', f.views, 'likes', f.likes, 'comments', f.comments,
      'shares', f.shares, 'watchSeconds', f.watch_seconds)
    from post_figures f where f.post_id = p.id order by f.day desc limit 1) as figures,
  (select jsonb_build_object('words', m.words, 'state', m.state, 'failure', m.failure, 'failure_words', m.failure_words)
    from post_comment m where m.post_id = p.id) as comment,
  ${approvedFileId} as approved_file_id, coalesce(${approvedFileId} = p.asset_id, false) as is_approved,
  case when j.status = ${statusSql.scheduled} then j.publish_at end as scheduled_at,
  case when j.status = ${statusSql.scheduled} then schedule_of(j.id) end as current_schedule`

// An officer their own, staff those of the companies that they serve.
const inReach = (caller: Caller): RawBuilder<unknown> =>
  hasDuty(caller.role, 'serve')
    ? tenantFilter(caller, sql`j.tenant_id`)
    : sql`(/* wall */ j.user_id = ${caller.id}::uuid)`

export type PostHistory = { event: ToldPostEvent; at: string; due_at: string | null; changed: EditedPart[] | null }[]

/** The newest first, each with the latest of what happened to it. */
export const shownPosts = (tx: Reader, caller: Caller, projectId: string) =>
  tx.rows(sql<ShownPost & { history: PostHistory | null }>`
    select ${shownColumns(caller)}, (
      select json_agg(json_build_object('event', h.event, 'at', h.at, 'due_at', h.due_at, 'changed', h.changed) order by h.seq) from (
        select e.event, e.at, e.seq, case when e.event = 'move' then e.detail ->> 'to' end as due_at,
          case when e.event = 'reword' then e.detail -> 'changed' end as changed from post_event e
        where e.post_id = p.id and e.event = any(${[...toldPostEvents]}) order by e.seq desc limit 20) h) as history
    from post p join project j on j.id = p.project_id
    where p.project_id = ${projectId} and ${inReach(caller)} order by p.created_at desc, p.id desc limit 200`)

/** A post of this person's; theirs alone to move. */
export const ownPost = (tx: Tx, caller: Holder, id: string) =>
  tx.first(sql<ShownPost>`
    select ${shownColumns(caller)} from post p join project j on j.id = p.project_id
    where p.id = ${id} and p.user_id = ${caller.id} for update of p`)

/** Locks the video of one's own post, before the post, as everybody does who decides which posts of it are open. */
export const lockVideoOf = (tx: Tx, caller: Holder, postId: string) =>
  tx.first(sql`
    select from project j
    where j.id = (select p.project_id from post p where p.id = ${postId} and (/* wall */ p.user_id = ${caller.id}::uuid))
    for update of j`)

/** A live post that somebody may take down: their own, or, of a company's accounts, its ADMIN. */
export const removablePost = async (tx: Tx, caller: Holder, id: string): Promise<ShownPost | undefined> =>
  connectsFor(caller) === 'company'
    ? tx.first(sql<ShownPost>`
        select ${shownColumns(caller)} from post p join project j on j.id = p.project_id join connection own on own.id = p.connection_id
        where p.id = ${id} and (/* wall */ p.tenant_id = ${caller.tenantId}::uuid) and (/* wall */ own.tenant_id = ${caller.tenantId}::uuid)
        for update of p`)
    : ownPost(tx, caller, id)

/**
 * A post of which somebody says whether it is there: their own; or, as the ADMIN of the company whose account it went to, one whose
 * officer is gone (`officerIsGone`).
 */
export const answerablePost = async (tx: Tx, caller: Holder, id: string): Promise<ShownPost | undefined> =>
  connectsFor(caller) === 'company'
    ? tx.first(sql<ShownPost>`
        select ${shownColumns(caller)} from post p join project j on j.id = p.project_id join connection own on own.id = p.connection_id
        where p.id = ${id} and (/* wall */ p.tenant_id = ${caller.tenantId}::uuid) and (/* wall */ own.tenant_id = ${caller.tenantId}::uuid)
          and ${officerIsGone(sql`${caller.tenantId}::uuid`)}
        for update of p`)
    : ownPost(tx, caller, id)

export const postsBetween = (tx: Reader, caller: Holder, from: Date, to: Date) =>
  tx.rows(sql<ShownPost>`
    select ${shownColumns(caller)} from post p join project j on j.id = p.project_id
    where p.user_id = ${caller.id} and p.due_at >= ${from} and p.due_at < ${to} order by p.due_at, p.id limit 500`)

/** This person's posts that were measured and are younger than `since`, the newest first. */
export const measuredOf = (tx: Reader, caller: Holder, since: Date) =>
  tx.rows(sql<ShownPost>`
    select ${shownColumns(caller)} from post p join project j on j.id = p.project_id
    where (/* wall */ p.user_id = ${caller.id}::uuid) and p.live_at >= ${since}
      and exists (select from post_figures f where f.post_id = p.id)
    order by p.live_at desc, p.id limit 500`)

/** A person reaches the project: theirs, or of a company that they serve. */
export const reachesProject = async (tx: Reader, caller: Caller, projectId: string): Promise<boolean> =>
  (await tx.first(sql`select from project j where j.id = ${projectId} and ${inReach(caller)}`)) !== undefined
