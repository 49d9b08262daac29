import type { CommentState } from '@clear-to-post/domain/post-comments'
import type { FailureKind } from '@clear-to-post/domain/posting'
import { sql, type Reader, type Tx } from '../kernel/database.ts'
import type { Handles } from '../outside/networks/adapter.ts'
import { postColumns, type PostRow } from './store.ts'

export type CommentRow = {
  post_id: string
  words: string
  state: CommentState
  failure: FailureKind | null
  failure_words: string | null
  handles: Handles
  tried: number
  next_at: Date | null
  run: number
  /** How many runs in a row began and did not end: their worker died. */
  crashes: number
  armed_at: Date | null
  remote_id: string | null
  live_at: Date | null
  created_at: Date
}
const columns = sql`
  m.post_id, m.words, m.state, m.failure, m.failure_words, m.handles, m.tried, m.next_at, m.run, m.crashes, m.armed_at, m.remote_id,
  m.live_at, m.created_at`

export const insertComment = (tx: Tx, postId: string, words: string, now: Date) =>
  tx.count(sql`
    insert into post_comment (post_id, words, created_at, modified_at) values (${postId}, ${words}, ${now}, ${now})`)

/** The comment of a post of which nothing is out: these words from now on, or none. One after another goes on counting its runs. */
export const writeComment = (tx: Tx, postId: string, words: string | null, now: Date) =>
  words === null
    ? tx.count(sql`
        with gone as (delete from post_comment where post_id = ${postId} returning run)
        update post set comment_runs = gone.run from gone where id = ${postId}`)
    : tx.count(sql`
        insert into post_comment (post_id, words, run, created_at, modified_at)
        select id, ${words}, comment_runs, ${now}, ${now} from post where id = ${postId}
        on conflict (post_id) do update set words = excluded.words, modified_at = excluded.modified_at`)

/** The comment of a post, locked. */
export const commentOf = (tx: Tx, postId: string) =>
  tx.first(sql<CommentRow>`select ${columns} from post_comment m where m.post_id = ${postId} for update`)

/** Takes a comment that is due for one run, with its post; undefined when another run has it. A run that did not let go is counted. */
export const claimComment = async (tx: Tx, postId: string, now: Date, leasedUntil: Date) => {
  const comment = await tx.first(sql<CommentRow>`
    update post_comment m set run = m.run + 1, leased_until = ${leasedUntil}, crashes = m.crashes + (m.leased_until is not null)::integer
    where m.post_id = ${postId} and m.next_at <= ${now} and (m.leased_until is null or m.leased_until <= ${now})
    returning ${columns}`)
  const post = comment && (await tx.first(sql<PostRow>`select ${postColumns} from post p where p.id = ${postId}`))
  return comment && post ? { comment, post } : undefined
}

/** The comment of this run and its post as it is now; undefined when another run has taken it over. */
export const lockComment = async (tx: Tx, postId: string, run: number) => {
  const post = await tx.first(sql<PostRow>`select ${postColumns} from post p where p.id = ${postId} for share`)
  const comment = await tx.first(sql<CommentRow>`
    select ${columns} from post_comment m where m.post_id = ${postId} and m.run = ${run} for update`)
  return comment && post ? { comment, post } : undefined
}

export const saveComment = (tx: Tx, row: CommentRow, now: Date) =>
  tx.count(sql`
    update post_comment set state = ${row.state}, failure = ${row.failure}, failure_words = ${row.failure_words},
      handles = ${JSON.stringify(row.handles)}, tried = ${row.tried}, next_at = ${row.next_at}, armed_at = ${row.armed_at},
      remote_id = ${row.remote_id}, live_at = ${row.live_at}, modified_at = ${now}
    where post_id = ${row.post_id}`)

export const addCommentHandles = (tx: Tx, postId: string, run: number, more: Handles, leasedUntil: Date) =>
  tx.count(sql`
    update post_comment set handles = handles || ${JSON.stringify(more)}::jsonb, leased_until = ${leasedUntil}
    where post_id = ${postId} and run = ${run}`)

export const renewCommentLease = (tx: Tx, postId: string, run: number, leasedUntil: Date) =>
  tx.count(sql`update post_comment set leased_until = ${leasedUntil} where post_id = ${postId} and run = ${run}`)

export const releaseComment = (tx: Tx, postId: string, run: number, nextAt: Date | null) =>
  tx.count(sql`
    update post_comment set leased_until = null, crashes = 0, next_at = ${nextAt} where post_id = ${postId} and run = ${run}`)

/** The worker of this run closes before it has ended: that is no crash. */
export const forgiveCommentRun = (tx: Tx, postId: string, run: number) =>
  tx.count(sql`
    update post_comment set crashes = -1 where post_id = ${postId} and run = ${run} and leased_until is not null`)

/** Its post has come to be there: it is sent, unless it was before. */
export const wakeComment = (tx: Tx, postId: string, now: Date) =>
  tx.count(sql`update post_comment set next_at = ${now} where post_id = ${postId} and state = 'waiting'`)

/** Its post is posted anew: whatever became of it belongs to the post of before, and no run of before has it any more. */
export const renewComment = (tx: Tx, postId: string, now: Date) =>
  tx.count(sql`
    update post_comment set state = 'waiting', failure = null, failure_words = null, handles = '{}', tried = 0, next_at = null,
      armed_at = null, remote_id = null, live_at = null, run = run + 1, leased_until = null, crashes = 0, modified_at = ${now}
    where post_id = ${postId}`)

/**
 * In a restored copy: what was about to be written below a post that is there may have been since. Its officer looks; nothing is sent
 * by itself.
 */
export const holdComments = (tx: Tx, now: Date) =>
  tx.count(sql`
    update post_comment set state = 'unconfirmed', next_at = null, run = run + 1, leased_until = null, crashes = 0, modified_at = ${now}
    where state in ('waiting', 'armed') and next_at is not null`)

/** Its officer sends it again, or says that it is there; no run of before has it any more. */
export const endCommentRun = (tx: Tx, postId: string) =>
  tx.count(sql`update post_comment set run = run + 1, leased_until = null, crashes = 0 where post_id = ${postId}`)

/** Comments that somebody should look at, in turn of their officers; those that wait in the queue are looked at soon. */
export const dueComments = (tx: Reader, now: Date, most: number) =>
  tx.rows(sql<{ post_id: string; user_id: string; turn: number }>`
    select m.post_id, p.user_id, (row_number() over (partition by p.user_id order by m.next_at, m.post_id) - 1)::integer as turn
    from post_comment m join post p on p.id = m.post_id
    where m.next_at <= ${now} and (m.leased_until is null or m.leased_until <= ${now})
      and not exists (
        select from pgboss.job j where j.name = 'post-comment' and j.state < 'active' and j.data ->> 'postId' = m.post_id::text)
    order by turn, m.next_at, m.post_id limit ${most}`)
