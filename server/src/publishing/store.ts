import { type FailureKind, type PostEvent, type PostState } from '@clear-to-post/domain/posting'
import type { Fit } from '@clear-to-post/domain/network-fits'
import type { Network } from '@clear-to-post/domain/networks'
import type { TiktokChoices } from '@clear-to-post/domain/tiktok-choices'
import type { RawBuilder } from 'kysely'
import { connectsFor } from '@clear-to-post/domain/access'
import { sql, systemCaller, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import { hasDutySql, statusSql } from '../kernel/domain-sql.ts'
import type { Handles } from '../outside/networks/adapter.ts'
import type { ConnectionRow, Holder } from './connection-store.ts'

export type PostRow = {
  id: string
  project_id: string
  user_id: string
  connection_id: string | null
  network: Network
  asset_id: string
  sha256: string
  title: string | null
  words: string
  privacy: string | null
  cover_ms: number | null
  /** In which language captions go with it as a file. */
  captions: string | null
  /** What TikTok demands that is chosen; null of other networks' posts, and of those from before. */
  tiktok: TiktokChoices | null
  /** The bounds within which another file is made and posted; null where the approved file itself is. */
  fit: Fit | null
  /** What is posted instead of the approved file, and the picture that stands before it, once they are made. */
  file_id: string | null
  cover_file_id: string | null
  due_at: Date
  state: PostState
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
  address: string | null
  live_at: Date | null
  created_at: Date
  /** Its schedule or approval was taken back while it may have been out: it is never sent again. */
  recalled_at: Date | null
  /** The step of its project that scheduled it; null where none is known. */
  schedule_seq: number | null
}
export const postColumns = sql`
  p.id, p.project_id, p.user_id, p.connection_id, p.network, p.asset_id, p.sha256, p.title, p.words, p.privacy, p.cover_ms, p.captions, p.tiktok, p.fit, p.file_id, p.cover_file_id, p.due_at,
  p.state, p.failure, p.failure_words, p.handles, p.tried, p.next_at, p.run, p.crashes, p.armed_at, p.remote_id, p.address, p.live_at,
  p.created_at, p.recalled_at, p.schedule_seq`

/** What an event may set beside the state. */
export type PostChanges = Partial<
  Pick<
    PostRow,
    | 'asset_id'
    | 'sha256'
    | 'fit'
    | 'failure'
    | 'failure_words'
    | 'tried'
    | 'next_at'
    | 'armed_at'
    | 'remote_id'
    | 'address'
    | 'live_at'
    | 'connection_id'
    | 'due_at'
    | 'schedule_seq'
    | 'handles'
    | 'words'
    | 'title'
    | 'privacy'
    | 'cover_ms'
    | 'captions'
    | 'tiktok'
    | 'file_id'
    | 'cover_file_id'
  >
>

/** Takes a post that is due for one run; undefined when another one has it. A run that ends lets go: one that did not is counted. */
export const claimPost = (tx: Tx, id: string, now: Date, leasedUntil: Date) =>
  tx.first(sql<PostRow>`
    update post p set run = p.run + 1, leased_until = ${leasedUntil}, crashes = p.crashes + (p.leased_until is not null)::integer
    where p.id = ${id} and p.next_at <= ${now} and (p.leased_until is null or p.leased_until <= ${now})
    returning ${postColumns}`)

/** The project stays as it is while the transaction lasts; locked before its posts, as by whoever moves it. */
export const shareProject = (tx: Tx, id: string) => tx.rows(sql`select from project where id = ${id} for share`)

/** The post of this run, locked; undefined when another run has taken it over. */
export const lockRun = (tx: Tx, id: string, run: number) =>
  tx.first(sql<PostRow>`select ${postColumns} from post p where p.id = ${id} and p.run = ${run} for update`)

export const renewLease = (tx: Tx, id: string, run: number, leasedUntil: Date) =>
  tx.count(sql`update post set leased_until = ${leasedUntil} where id = ${id} and run = ${run}`)

export const addHandles = (tx: Tx, id: string, run: number, more: Handles, leasedUntil: Date) =>
  tx.count(sql`
    update post set handles = handles || ${JSON.stringify(more)}::jsonb, leased_until = ${leasedUntil}
    where id = ${id} and run = ${run}`)

/** Lets go of a run; it is looked at again at `nextAt`. */
export const releasePost = (tx: Tx, id: string, run: number, nextAt: Date | null) =>
  tx.count(sql`update post set leased_until = null, crashes = 0, next_at = ${nextAt} where id = ${id} and run = ${run}`)

/** The worker of this run closes before it has ended: that is no crash. */
export const forgiveRun = (tx: Tx, id: string, run: number) =>
  tx.count(sql`update post set crashes = -1 where id = ${id} and run = ${run} and leased_until is not null`)

export const savePost = async (tx: Tx, row: PostRow, now: Date) => {
  await tx.count(sql`
    update post set asset_id = ${row.asset_id}, sha256 = ${row.sha256}, fit = ${row.fit === null ? null : JSON.stringify(row.fit)}::jsonb,
      state = ${row.state}, failure = ${row.failure}, failure_words = ${row.failure_words}, tried = ${row.tried},
      next_at = ${row.next_at}, armed_at = ${row.armed_at}, remote_id = ${row.remote_id}, address = ${row.address},
      live_at = ${row.live_at}, connection_id = ${row.connection_id}, due_at = ${row.due_at}, schedule_seq = ${row.schedule_seq},
      handles = ${JSON.stringify(row.handles)}, words = ${row.words}, title = ${row.title}, privacy = ${row.privacy},
      cover_ms = ${row.cover_ms}, captions = ${row.captions}, tiktok = ${row.tiktok === null ? null : JSON.stringify(row.tiktok)}::jsonb,
      file_id = ${row.file_id}, cover_file_id = ${row.cover_file_id}, modified_at = ${now}
    where id = ${row.id}`)
}

/** How often these happened to a post. */
export const timesOf = async (tx: Reader, postId: string, events: readonly PostEvent[]): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from post_event
    where post_id = ${postId} and event = any(${events as PostEvent[]}::text[])`))!.n

export const addPostEvent = async (
  tx: Tx,
  event: {
    postId: string
    event: PostEvent
    from: PostState
    to: PostState
    at: Date
    actorId: string
    detail: Record<string, unknown>
  },
) => {
  await tx.count(sql`
    insert into post_event (post_id, seq, event, from_state, to_state, at, actor_id, detail)
    select ${event.postId}, coalesce(max(e.seq), 0) + 1, ${event.event}, ${event.from}, ${event.to}, ${event.at},
      ${event.actorId}, ${JSON.stringify(event.detail)}
    from post_event e where e.post_id = ${event.postId}`)
}

/**
 * Whether the very file of this post may still go out: it is the approved one, nobody asked for another, and its officer still
 * films for the company whose video it is, and posts with the account. The project stays so.
 */
export const isStillApproved = async (tx: Tx, post: PostRow): Promise<boolean> =>
  post.recalled_at === null &&
  (await tx.first(sql`
    select from project j join asset a on a.id = ${post.asset_id} join person u on u.id = j.user_id
      left join tenant t on t.id = u.tenant_id
    where j.id = ${post.project_id} and u.id = ${post.user_id}
      and may_post_with(${post.connection_id}, u.id)
      and not u.is_disabled and ${hasDutySql(sql`u.role`, 'film')} and coalesce(t.is_active, true)
      and j.tenant_id is not distinct from u.tenant_id
      and j.approved_video_id = a.id and j.final_video_id = a.id and a.sha256 = ${post.sha256}
      and j.status in (${statusSql.scheduled}, ${statusSql.completed})
    for share of j`)) !== undefined

/** The newest posts of an officer that the service itself has taken back since, and that are not scheduled again; with when. */
export const takenBackSince = (tx: Tx, officerId: string, since: Date) =>
  tx.rows(sql<PostRow & { taken_at: Date }>`
    select ${postColumns}, e.at as taken_at
    from post p cross join lateral (
      select l.event, l.actor_id, l.at from post_event l where l.post_id = p.id order by l.seq desc limit 1) e
    where p.user_id = ${officerId} and p.state = 'withdrawn'
      and e.event = 'withdraw' and e.actor_id = ${systemCaller.id} and e.at > ${since}
    order by e.at desc, p.id limit 100`)

/** What the video of a post is called. */
export const projectTitle = async (tx: Reader, id: string): Promise<string | undefined> =>
  (await tx.first(sql<{ title: string }>`select title from project where id = ${id}`))?.title

export type FileRow = {
  id: string
  sha256: string
  file_size: number
  name: string
  duration_ms: number | null
  width: number | null
  height: number | null
  is_mp4: boolean | null
  pictures: string | null
  rate: number | null
}
/** The stored file of a post. */
export const fileOf = (tx: Reader, assetId: string) =>
  tx.first(sql<FileRow>`
    select a.id, coalesce(a.sha256, '') as sha256, a.file_size::float8 as file_size, a.derived ->> 'original' as name, a.duration_ms,
      (a.probe -> 'video' ->> 'width')::integer as width, (a.probe -> 'video' ->> 'height')::integer as height, (a.probe ->> 'mp4')::boolean as is_mp4,
      a.probe -> 'video' ->> 'codec' as pictures, (a.probe -> 'video' ->> 'fps')::float8 as rate
    from asset a where a.id = ${assetId} and a.state = 'ready' and a.sha256 is not null`)

/**
 * Posts that somebody should look at, in turn of their officers. What waits in the queue is read once: asked for each post, ten
 * thousand that are due at once took longer than they may be late.
 */
export const duePosts = (tx: Tx, now: Date, most: number) =>
  tx.rows(sql<{ id: string; user_id: string; network: Network; state: PostState; turn: number }>`
    with waiting as materialized (
      select j.group_id, j.data ->> 'postId' as post_id from pgboss.job j
      where j.name in ('post', 'post-upload') and j.state < 'active')
    select p.id, p.user_id, p.network, p.state,
      (row_number() over (partition by p.user_id order by p.next_at, p.id) - 1 + coalesce(own.count, 0))::integer as turn
    from post p left join (select group_id, count(*) as count from waiting group by group_id) own on own.group_id = p.user_id::text
    where p.next_at <= ${now} and (p.leased_until is null or p.leased_until <= ${now})
      and not exists (select from waiting w where w.post_id = p.id::text)
    order by turn, p.next_at, p.id limit ${most}`)

// Whose posts go when an account is ended: its person's own, or those of its company's officers.
const madeFor = (holder: Holder): RawBuilder<unknown> =>
  connectsFor(holder) === 'company'
    ? sql`(/* wall */ p.tenant_id = ${holder.tenantId}::uuid)`
    : sql`(/* wall */ p.user_id = ${holder.id}::uuid)`

/** Posts of this account that are not out yet, locked; of one officer where `officerId` names them. */
export const openPostsOf = (tx: Tx, holder: Holder, connectionId: string, officerId: string | null = null) =>
  tx.rows(sql<PostRow>`
    select ${postColumns} from post p
    where p.connection_id = ${connectionId} and ${madeFor(holder)} and (${officerId}::uuid is null or p.user_id = ${officerId}::uuid)
      and p.state in ('scheduled', 'preparing', 'prepared') order by p.id for update`)

/** Posts of a project that are not out yet, locked; whoever moves the project has it locked. */
export const recallablePosts = (tx: Tx, projectId: string) =>
  tx.rows(sql<PostRow>`
    select ${postColumns} from post p
    where p.project_id = ${projectId} and p.state in ('scheduled', 'preparing', 'prepared', 'failed')
    order by p.id for update`)

/** Posts whose end nobody has heard. */
export const unendedPosts = (tx: Tx) =>
  tx.rows(sql<PostRow>`
    select ${postColumns} from post p
    where p.state in ('scheduled', 'preparing', 'prepared', 'armed', 'sent', 'processing') order by p.id for update`)

/**
 * Inside another statement: post `p` is of the latest schedule of project `j`, and of the cut that is approved now. What became of a
 * former cut, which may have gone out at a time of its own, says nothing of this one.
 */
const isOfSchedule = sql`(p.project_id = j.id and p.schedule_seq = schedule_of(j.id) and p.asset_id = j.approved_video_id)`

/** The officer of a scheduled project that had posts and of whose cut nothing goes out, or is there; undefined where none ever was. */
export const officerOfUnposted = (tx: Tx, projectId: string) =>
  tx.first(sql<{ user_id: string }>`
    select j.user_id from project j
    where j.id = ${projectId} and exists (select from post p where p.project_id = j.id and p.schedule_seq = schedule_of(j.id))
      and not exists (
        select from post p where ${isOfSchedule} and p.recalled_at is null and p.state not in ('withdrawn', 'unconfirmed'))`)

/** What may be out already, and cannot be taken back: whatever its network says, it is not sent again. */
export const markRecalled = (tx: Tx, projectId: string, now: Date) =>
  tx.count(sql`
    update post set recalled_at = ${now}
    where project_id = ${projectId} and state in ('armed', 'sent', 'processing', 'unconfirmed') and recalled_at is null`)

/** The same for an account that is disconnected: connected again it does not go on. */
export const recallPostsOf = (tx: Tx, connectionId: string, now: Date, officerId: string | null = null) =>
  tx.count(sql`
    update post set recalled_at = ${now}
    where connection_id = ${connectionId} and (${officerId}::uuid is null or user_id = ${officerId}::uuid) and state in ('armed', 'sent', 'processing') and recalled_at is null`)

/**
 * Other posts of this account, whoever connected it, that have this id at the network, or that may be what has it: with the same
 * words, sent at about the same time, and nobody has heard under which id. `isProved`: the network itself says whose account a
 * connection is of; else only this connection's posts count. Asked by the service: a person does not see those of others.
 */
export const postsAlike = (
  tx: Reader,
  post: Pick<PostRow, 'id' | 'connection_id' | 'words' | 'armed_at'>,
  id: string,
  isProved: boolean,
) =>
  tx.rows(sql<Pick<PostRow, 'remote_id' | 'live_at'>>`
    select p.remote_id, p.live_at
    from connection own join connection c on c.id = own.id
        or (${isProved} and c.network = own.network and c.account_id = own.account_id)
      join post p on p.connection_id = c.id
    where own.id = ${post.connection_id} and p.id <> ${post.id}
      and (p.remote_id = ${id} or (
        p.remote_id is null and p.words = ${post.words} and p.state in ('armed', 'sent', 'unconfirmed', 'live')
        and p.armed_at > ${post.armed_at}::timestamptz - interval '1 hour'))`)

/**
 * The post of this project to this account that is on its way, or of which nobody has heard the end, whoever connected the account:
 * a page may be its officer's and their company's. Asked by the service: whoever posts with a company's account no more does not see
 * it.
 */
export const openPostAt = (
  tx: Tx,
  projectId: string,
  { id, network, account_id: account }: Pick<ConnectionRow, 'id' | 'network' | 'account_id'>,
  except: string | null = null,
) =>
  tx.first(sql<{ state: PostState }>`
    select p.state from post p left join connection c on c.id = p.connection_id
    where p.project_id = ${projectId}
      and (p.connection_id = ${id} or (c.network = ${network} and c.account_id = ${account}))
      and p.state in ('scheduled', 'preparing', 'prepared', 'armed', 'sent', 'processing', 'unconfirmed')
      and p.id is distinct from ${except}::uuid limit 1`)

/** Begins a post anew: no run of before has it any more. */
export const freeRun = (tx: Tx, id: string) =>
  tx.count(sql`update post set run = run + 1, leased_until = null, crashes = 0, recalled_at = null where id = ${id}`)

/** The same for a post that is moved: what was recalled stays so. */
export const endRun = (tx: Tx, id: string) =>
  tx.count(sql`update post set run = run + 1, leased_until = null, crashes = 0 where id = ${id}`)

/**
 * Posts of a project's schedule that are not on their way any more: posted again, they go out with it at its new time. `from`: only
 * those that were due then.
 */
export const moveEnded = (tx: Tx, projectId: string, { from = null, to }: { from?: Date | null; to: Date }) =>
  tx.count(sql`
    update post set due_at = ${to}
    where project_id = ${projectId} and schedule_seq = schedule_of(project_id)
      and (${from}::timestamptz is null or due_at = ${from}) and state in ('withdrawn', 'failed')`)

/** The posts of a project that are due at this very moment and wait, or may be out, locked; whoever moves the project has it locked. */
export const postsDueAt = (tx: Tx, projectId: string, dueAt: Date) =>
  tx.rows(sql<PostRow>`
    select ${postColumns} from post p
    where p.project_id = ${projectId} and p.due_at = ${dueAt} and p.schedule_seq = schedule_of(p.project_id)
      and p.state in ('scheduled', 'preparing', 'prepared', 'armed', 'sent', 'processing', 'live', 'unconfirmed') order by p.id for update`)

/** How the posts of a project's latest schedule stand. */
export const outcomesOf = (tx: Reader, projectId: string) =>
  tx.rows(sql<Pick<PostRow, 'network' | 'state' | 'address' | 'due_at'>>`
    select p.network, p.state, p.address, p.due_at from project j join post p on ${isOfSchedule}
    where j.id = ${projectId} and p.state <> 'withdrawn' order by p.created_at, p.id`)

/** Whether a scheduled video's own moment is still to come. */
export const isAhead = async (tx: Reader, projectId: string, now: Date): Promise<boolean> =>
  (await tx.first(sql`
    select from project where id = ${projectId} and status = ${statusSql.scheduled} and publish_at > ${now} and due_at > ${now}`)) !==
  undefined

/** The video of a post, locked, where it is scheduled. */
export const lockScheduledOf = (tx: Tx, postId: string) =>
  tx.first(sql<{ id: string }>`
    select j.id from project j
    where j.id = (select p.project_id from post p where p.id = ${postId}) and j.status = ${statusSql.scheduled} for update of j`)

/**
 * A scheduled video of which nothing is left to go out, and something is there, has its moment now. Its row is locked: nobody
 * begins a post of it meanwhile.
 */
export const bringMomentForward = (tx: Tx, projectId: string, now: Date) =>
  tx.count(sql`
    update project j set due_at = ${now}
    where j.id = ${projectId} and j.status = ${statusSql.scheduled} and j.publish_at > ${now} and j.due_at > ${now}
      and exists (select from post p where ${isOfSchedule} and p.state in ('live', 'handed'))
      and not exists (
        select from post p where ${isOfSchedule}
          and p.state in ('scheduled', 'preparing', 'prepared', 'armed', 'sent', 'processing'))`)

/**
 * Inside another statement: how each post of the latest schedule of the project of this row stands, and of those before what is
 * there or on its way; of its approved file, the newest 60; null where there are none.
 */
export const standingOf = (id: RawBuilder<unknown>, approvedFileId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select json_agg(json_build_object('network', k.network, 'state', k.state, 'failure', k.failure) order by k.network, k.id)
  from (
    select l.id, l.network, l.state, l.failure from post l
    where l.project_id = ${id} and l.asset_id = ${approvedFileId} and (l.schedule_seq = schedule_of(${id})
        or l.state in ('live', 'scheduled', 'preparing', 'prepared', 'armed', 'sent', 'processing'))
    order by l.id desc limit 60) k)`

/** The project and its approved file, for its own officer. */
export const approvedFile = (tx: Reader, caller: Pick<Caller, 'id'>, projectId: string) =>
  tx.first(sql<{ asset_id: string; tenant_id: string | null }>`
    select j.approved_video_id as asset_id, j.tenant_id from project j
    where j.id = ${projectId} and j.user_id = ${caller.id} and j.approved_video_id is not null`)

export const insertPost = async (
  tx: Tx,
  post: {
    projectId: string
    tenantId: string | null
    userId: string
    connectionId: string
    network: Network
    assetId: string
    sha256: string
    title: string | null
    words: string
    privacy: string | null
    coverMs: number | null
    captions: string | null
    tiktok: TiktokChoices | null
    fit: Fit | null
    dueAt: Date
    now: Date
  },
): Promise<string> =>
  (await tx.first(sql<{ id: string }>`
    insert into post (project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, title, words, privacy, cover_ms, captions, tiktok, fit, due_at,
      next_at, created_at, modified_at)
    values (${post.projectId}, ${post.tenantId}::uuid, ${post.userId}, ${post.connectionId}, ${post.network}, ${post.assetId},
      ${post.sha256}, ${post.title}, ${post.words}, ${post.privacy}, ${post.coverMs}, ${post.captions}, ${post.tiktok === null ? null : JSON.stringify(post.tiktok)}, ${post.fit === null ? null : JSON.stringify(post.fit)}, ${post.dueAt}, ${post.now}, ${post.now}, ${post.now})
    returning id`))!.id

/** Everything of this person that is nobody's record. Answers the accounts that they had connected, with their keys. */
export const eraseOf = async (tx: Tx, personId: string): Promise<ErasedConnection[]> => {
  await tx.count(sql`delete from connection_walk where user_id = ${personId}`)
  const erased = await tx.rows(sql<ErasedConnection>`
    delete from connection where user_id = ${personId}
    returning id, network, account_id, tokens, connected_at::text as connected_at`)
  await tx.count(sql`delete from connection_officer where user_id = ${personId}`)
  await tx.count(sql`delete from post_slots where user_id = ${personId}`)
  await tx.count(sql`delete from post_comment m using post p where p.id = m.post_id and p.user_id = ${personId}`)
  await tx.count(sql`delete from post_figures f using post p where p.id = f.post_id and p.user_id = ${personId}`)
  // Their own accounts are gone by now. What stands on a company's, or may, is the company's to find and to take down; what is on
  // its way there is followed to its end, and forgotten then (`forgetEnded`).
  const isKept = sql`(connection_id is not null and state in ('armed', 'sent', 'processing', 'live', 'unconfirmed'))`
  const isOnWay = sql`(connection_id is not null and state in ('armed', 'sent', 'processing'))`
  await tx.count(sql`
    update post set measure_at = null, failure_words = null,
      words = case when ${isOnWay} then words else '' end,
      title = case when ${isOnWay} then title end,
      handles = case when ${isOnWay} then handles else '{}' end,
      next_at = case when ${isOnWay} then next_at end,
      recalled_at = case when ${isOnWay} then coalesce(recalled_at, now()) else recalled_at end,
      connection_id = case when ${isKept} then connection_id end,
      remote_id = case when ${isKept} then remote_id end,
      address = case when ${isKept} then address end,
      state = case when state in ('scheduled', 'preparing', 'prepared') then 'withdrawn' else state end
    where user_id = ${personId}`)
  return erased
}
export type ErasedConnection = {
  id: string
  network: Network
  account_id: string
  tokens: string | null
  connected_at: string
}

/** A post that has ended after its officer was erased keeps nothing of theirs, nor the account unless it is there, or may be. */
export const forgetEnded = (tx: Tx, id: string) =>
  tx.count(sql`
    update post p set words = '', title = null, failure_words = null, handles = '{}', measure_at = null,
      connection_id = case when p.state in ('live', 'unconfirmed') then p.connection_id end
    where p.id = ${id} and exists (select from person u where u.id = p.user_id and u.removed_at is not null)`)

/** The officer of post `p` films for this company no more, or may not sign in: nobody else knows what stands on its account. */
export const officerIsGone = (tenantId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  not exists (
    select from person u
    where u.id = p.user_id and (/* wall */ u.tenant_id = ${tenantId}) and u.removed_at is null and not u.is_disabled
      and ${hasDutySql(sql`u.role`, 'film')})`

/** Whether a post went to a company's account, and its officer is gone; as the service. */
export const isOrphan = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.first(sql`
    select from post p join connection c on c.id = p.connection_id
    where p.id = ${id} and c.tenant_id is not null and ${officerIsGone(sql`c.tenant_id`)}`)) !== undefined

/** The admins of the company whose account this is, at most 20; as the service. */
export const adminsOfAccount = async (tx: Tx, connectionId: string | null): Promise<string[]> =>
  (
    await tx.rows(sql<{ id: string }>`
      select u.id from connection c join person u on u.tenant_id = c.tenant_id
      where c.id = ${connectionId} and ${hasDutySql(sql`u.role`, 'administer')} and not u.is_disabled and u.removed_at is null
      order by u.created_at limit 20`)
  ).map(({ id }) => id)
