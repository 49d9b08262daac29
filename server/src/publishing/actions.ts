import { refusal } from '@clear-to-post/contract/errors'
import { unposted, type Step } from '@clear-to-post/domain/audiences'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { networks as limits, type NetworkLimits } from '@clear-to-post/domain/networks'
import { afterCommentEvent } from '@clear-to-post/domain/post-comments'
import {
  afterPostEvent,
  hasEnded,
  isTooNear,
  mayBeOut,
  staysReady,
  takesNewCut,
  type PostEvent,
} from '@clear-to-post/domain/posting'
import { systemCaller, type Caller, type Database, type Reader, type Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { asService } from '../kernel/tenancy.ts'
import { networks, provesAccounts } from '../outside/networks/networks.ts'
import { asRefusal } from './connect.ts'
import { commentOf, endCommentRun, holdComments, renewComment, saveComment, type CommentRow } from './comment-store.ts'
import { usableConnection } from './connection-store.ts'
import { movePost, requireFewChanges, requireFewRepeats } from './move.ts'
import { newCutFor, requireNoneOpen, requireSameCompany } from './plan.ts'
import {
  bringMomentForward,
  endRun,
  freeRun,
  lockScheduledOf,
  markRecalled,
  moveEnded,
  outcomesOf,
  postsDueAt,
  postsAlike,
  recallablePosts,
  officerOfUnposted,
  unendedPosts,
  type PostRow,
} from './store.ts'
import { type ShownPost, answerablePost, lockVideoOf, ownPost, removablePost } from './shown-store.ts'
import { accessTo } from './tokens.ts'

export { endAllowed, ownsConnections } from './connect.ts'
export { sayTakenBackMeanwhile } from './move.ts'
export { makePosts, planPosts } from './plan.ts'
export { standingOf } from './store.ts'

/** Takes back every post of a project that is not out yet; whoever moves the project has it locked. */
export const withdrawPosts = async (
  tx: Tx,
  caller: Pick<Caller, 'id'>,
  projectId: string,
  now: Date,
): Promise<void> => {
  for (const post of await recallablePosts(tx, projectId)) {
    await freeRun(tx, post.id)
    await movePost(tx, caller, post, 'withdraw', now, { next_at: null }, { why: 'the schedule was taken back' })
  }
  await markRecalled(tx, projectId, now)
}

/** Nothing of an earlier try is left. */
const anew = {
  handles: {},
  tried: 0,
  failure: null,
  failure_words: null,
  armed_at: null,
  remote_id: null,
  address: null,
  live_at: null,
} as const

/**
 * A video is scheduled again by a step that did not choose where it is posted: its officer does. An undone step brings no post
 * back, because what was chosen meanwhile, and whether its moment has passed, only its officer knows.
 */
export const notifyUnposted = async (tx: Tx, projectId: string, seq: number): Promise<void> => {
  const officer = await officerOfUnposted(tx, projectId)
  if (!officer) return
  const { kind, title, body } = unposted
  await enqueue(tx, 'notice', {
    notice: {
      kind,
      title,
      body,
      cta: { label: 'Open the video', url: `/panel/projects/${projectId}` },
      metadata: { projectId, seq, step: 'unposted' satisfies Step },
      cause: `project ${projectId} unposted ${seq}`,
      about: projectId,
    },
    userIds: [officer.user_id],
  })
}

/**
 * In a restored copy: what was taken back after the backup stands there as if nobody had. So nothing is posted by itself: what may
 * be out is looked for by its officer, and what is due later waits for their word. Answers how many.
 */
export const holdOldPosts = async (tx: Tx, now: Date): Promise<number> => {
  await holdComments(tx, now)
  const posts = await unendedPosts(tx)
  for (const post of posts) {
    await freeRun(tx, post.id)
    const mayBeThere = mayBeOut(post.state) || post.due_at <= now
    const why = 'restored from a backup'
    await movePost(tx, systemCaller, post, mayBeThere ? 'lose' : 'hold', now, { next_at: null }, { why })
  }
  return posts.length
}

/**
 * How the posts of a project's schedule ended, none where there are none; while one is on its way, when the next of them is due,
 * which may have passed.
 */
export const endedPosts = async (tx: Reader, projectId: string) => {
  const posts = await outcomesOf(tx, projectId)
  const open = posts.filter(({ state }) => !hasEnded(state))
  if (open.length > 0) return { nextDue: new Date(Math.min(...open.map(({ due_at: at }) => at.getTime()))) }
  return posts.map(({ network, state, address }) => ({
    destination: network,
    outcome:
      state === 'live'
        ? 'posted'
        : state === 'handed'
          ? 'in the inbox'
          : state === 'unconfirmed'
            ? 'not known'
            : state === 'removed'
              ? 'taken down'
              : 'not posted',
    ...(address === null ? {} : { address }),
  }))
}

/** A video whose posts were all moved before its own moment is done with the last of them. Answers whether this was it. */
export const endWithLastPost = (database: Database, postId: string, now: Date): Promise<boolean> =>
  database.asSystem(async (tx) => {
    const video = await lockScheduledOf(tx, postId)
    return video !== undefined && (await bringMomentForward(tx, video.id, now)) > 0
  })

/**
 * Posts again what failed, was taken back or is not there; at once where its moment has passed. A video that is scheduled anew has
 * another moment than its posts of before.
 */
export const repeatPost = async (tx: Tx, caller: Caller, id: string, now: Date): Promise<void> => {
  await lockVideoOf(tx, caller, id)
  const post = await requireOwn(tx, caller, id, 'repeat')
  if (!post.is_approved && (post.approved_file_id === null || !takesNewCut(post.state)))
    throw refusal('post.wrong-state', 'This video is not approved any more, so it is not posted.')
  requireSameCompany(caller, post)
  const connection = post.connection_id === null ? null : await usableConnection(tx, caller, post.connection_id)
  if (!connection || connection.state !== 'active') throw refusal('connection.not-found')
  await requireNoneOpen(tx, post.project_id, connection, post.id)
  if (!post.is_latest)
    throw refusal(
      'post.wrong-state',
      'A later post of this video to the same account stands on its page. Go on with that one, or schedule the video anew.',
    )
  await requireFewRepeats(tx, post)
  const newCut = post.is_approved ? {} : await newCutFor(tx, post)
  await freeRun(tx, post.id)
  await renewComment(tx, post.id, now)
  // A time of its own stays, unless the video was scheduled anew.
  const keepsTime = post.due_at > now && post.schedule_seq === post.current_schedule
  const dueAt = keepsTime ? post.due_at : (post.scheduled_at ?? post.due_at)
  const changes = {
    ...anew,
    ...newCut,
    next_at: now,
    due_at: dueAt > now ? dueAt : now,
    schedule_seq: post.current_schedule ?? post.schedule_seq,
  }
  const files = post.is_approved ? {} : { from: post.asset_id, to: post.approved_file_id }
  await movePost(tx, caller, post, 'repeat', now, changes, files)
}

/**
 * Moves one post to another time; the video, and what else is posted of it, stay. Throws post.not-found, post.wrong-state,
 * post.time-near, post.time-past.
 */
export const moveOnePost = async (tx: Tx, caller: Caller, id: string, dueAt: Date, now: Date): Promise<void> => {
  const post = await requireOwn(tx, caller, id, 'move')
  if (!post.is_approved || post.scheduled_at === null) throw refusal('post.wrong-state')
  if (isTooNear(post.due_at, now)) throw refusal('post.time-near')
  if (isTooNear(dueAt, now)) throw refusal('post.time-past')
  await requireFewChanges(tx, post)
  await moveInTime(tx, caller, post, dueAt, now)
}

/**
 * Moves the posts of a project that are due with it; one that was moved to a time of its own stays there. Whoever moves the
 * project has it locked. Throws post.wrong-state where one of them may be out already.
 */
export const movePostsWith = async (
  tx: Tx,
  caller: Caller,
  projectId: string,
  { from, to }: { from: Date; to: Date },
  now: Date,
): Promise<void> => {
  const posts = await postsDueAt(tx, projectId, from)
  if (posts.some(({ state }) => afterPostEvent(state, 'move') === null)) throw refusal('post.wrong-state')
  for (const post of posts) await moveInTime(tx, caller, post, to, now)
  await moveEnded(tx, projectId, { from, to })
}

/**
 * A video that nothing is on its way of goes out at another time than before: what was taken back of it goes out with it, posted
 * again. Done by the service, because staff take this step, too; whoever moves the project has it locked.
 */
export const moveTakenBack = (tx: Tx, projectId: string, to: Date): Promise<number> =>
  asService(tx, () => moveEnded(tx, projectId, { to }))

/** No run of before has it any more, so that one which was about to send it finds that out. */
const moveInTime = async (tx: Tx, caller: Caller, post: PostRow, dueAt: Date, now: Date): Promise<void> => {
  if (post.recalled_at !== null) throw refusal('post.wrong-state')
  await endRun(tx, post.id)
  const times = { from: post.due_at.toISOString(), to: dueAt.toISOString() }
  const changes = { due_at: dueAt, next_at: now, tried: 0 }
  const moved = await movePost(tx, caller, post, 'move', now, changes, times)
  const { keepsReady }: NetworkLimits = limits[post.network]
  if (post.state !== 'scheduled' && !staysReady(dueAt, now, keepsReady === true))
    await movePost(tx, caller, moved, 'restart', now, { handles: {} })
}

/** Somebody who may know looked: it is there. */
export const confirmPost = async (
  tx: Tx,
  caller: Caller,
  id: string,
  address: string | null,
  now: Date,
): Promise<ShownPost> => {
  const post = inState(await answerablePost(tx, caller, id), 'live')
  // What lies in an account's inbox only its officer has posted there.
  const isKnown = post.state === 'unconfirmed' || (post.state === 'handed' && post.user_id === caller.id)
  if (!isKnown) throw refusal('post.wrong-state')
  const changes = { address, live_at: now, next_at: null }
  return { ...post, ...(await movePost(tx, caller, post, 'live', now, changes, whoLooked(post, caller))) }
}

/** Somebody who may know looked: it is not there. Whether the video is still approved does not matter. */
export const denyPost = async (tx: Tx, caller: Caller, id: string, now: Date): Promise<ShownPost> => {
  const post = inState(await answerablePost(tx, caller, id), 'deny')
  return { ...post, ...(await movePost(tx, caller, post, 'deny', now, { next_at: null }, whoLooked(post, caller))) }
}

const whoLooked = ({ user_id: officer }: ShownPost, { id }: Caller) => ({
  by: officer === id ? 'its officer' : 'its company’s admin',
})

/**
 * Writes the first comment again: after a failure, or where its officer looked and it is not there. Throws post.not-found,
 * post.wrong-state.
 */
export const repeatComment = (tx: Tx, caller: Caller, id: string, now: Date): Promise<void> =>
  moveComment(
    tx,
    caller,
    id,
    'repeat',
    { failure: null, failure_words: null, tried: 0, handles: {}, next_at: now },
    now,
  )

/** Its officer looked: the comment is there. Throws post.not-found, post.wrong-state. */
export const confirmComment = (tx: Tx, caller: Caller, id: string, now: Date): Promise<void> =>
  moveComment(tx, caller, id, 'live', { live_at: now, next_at: null }, now)

const moveComment = async (
  tx: Tx,
  caller: Caller,
  id: string,
  event: 'repeat' | 'live',
  changes: Partial<CommentRow>,
  now: Date,
): Promise<void> => {
  const post = await ownPost(tx, caller, id)
  if (!post) throw refusal('post.not-found')
  const comment = await commentOf(tx, id)
  const to = comment && afterCommentEvent(comment.state, event)
  const isUsable = event === 'live' || post.account !== null
  if (!comment || !to || post.state !== 'live' || !isUsable || (event === 'live' && comment.state !== 'unconfirmed'))
    throw refusal('post.wrong-state')
  // Each asks the network, which counts what all of ours ask.
  if (event === 'repeat' && comment.run >= mostKept.commentRuns)
    throw refusal(
      'post.wrong-state',
      `This comment was tried ${mostKept.commentRuns} times, which is the most. Write it below the post at ${limits[post.network].name} yourself.`,
    )
  await endCommentRun(tx, id)
  await saveComment(tx, { ...comment, ...changes, state: to }, now)
}

export const withdrawPost = async (tx: Tx, caller: Caller, id: string, now: Date): Promise<void> => {
  const post = await requireOwn(tx, caller, id, 'withdraw')
  await freeRun(tx, post.id)
  await movePost(tx, caller, post, 'withdraw', now, { next_at: null }, { why: 'its officer took it back' })
}

/** Takes a post down from its network; no transaction is open while that is asked. */
export const takeDownPost = async (database: Database, caller: Caller, id: string, now: Date): Promise<ShownPost> => {
  const post = await database.inTenant(caller, (tx) => requireRemovable(tx, caller, id))
  const open = networks().of(post.network)
  if (!open?.adapter.takeDown || post.remote_id === null) throw refusal('post.wrong-state')
  const { remote_id: remoteId, live_at: liveAt } = post
  const alike = await database.asSystem((tx) => postsAlike(tx, post, remoteId, provesAccounts(open)))
  // Of two rows with one id, what is there is of the one that was posted first.
  const isAnothers = alike.some(
    ({ remote_id: its, live_at: at }) => its === remoteId && at !== null && liveAt !== null && at < liveAt,
  )
  if (isAnothers) throw refusal('post.wrong-state')
  const connection =
    post.connection_id === null
      ? undefined
      : await database.inTenant(caller, (tx) => usableConnection(tx, caller, post.connection_id!))
  if (!connection) throw refusal('connection.not-found')
  try {
    const { access: token, server } = await accessTo({ database, networks: networks(), now: () => now }, connection.id)
    const { keys } = open
    await open.adapter.takeDown({
      keys,
      token,
      server,
      accountId: connection.account_id,
      ask: networks().ask,
      postId: remoteId,
    })
  } catch (error) {
    throw asRefusal(error)
  }
  return database.inTenant(caller, async (tx) => {
    const fresh = await requireRemovable(tx, caller, id)
    return { ...fresh, ...(await movePost(tx, caller, fresh, 'remove', now, { next_at: null })) }
  })
}

const requireOwn = async (
  tx: Tx,
  caller: Caller,
  id: string,
  event: 'repeat' | 'move' | 'withdraw',
): Promise<ShownPost> => inState(await ownPost(tx, caller, id), event)

const requireRemovable = async (tx: Tx, caller: Caller, id: string): Promise<ShownPost> =>
  inState(await removablePost(tx, caller, id), 'remove')

const inState = (post: ShownPost | undefined, event: PostEvent): ShownPost => {
  if (!post) throw refusal('post.not-found')
  if (afterPostEvent(post.state, event) === null) throw refusal('post.wrong-state')
  return post
}
