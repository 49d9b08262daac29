import { mostCrashes } from '@clear-to-post/domain/crashes'
import { afterCommentEvent, type CommentEvent } from '@clear-to-post/domain/post-comments'
import {
  postTries,
  processingHours,
  secondsBeforeTry,
  settleSeconds,
  type FailureKind,
} from '@clear-to-post/domain/posting'
import { networks as limits } from '@clear-to-post/domain/networks'
import type { Tx } from '../kernel/database.ts'
import {
  RefusedByNetwork,
  SilentNetwork,
  type CommentAtNetwork,
  type CommentWork,
} from '../outside/networks/adapter.ts'
import { withAccess, type PostDeps } from './adapter-work.ts'
import {
  addCommentHandles,
  claimComment,
  forgiveCommentRun,
  lockComment,
  releaseComment,
  renewCommentLease,
  saveComment,
  type CommentRow,
} from './comment-store.ts'
import { connectionById } from './connection-store.ts'
import { leaseFrom, TakenOver, whileLeased } from './lease.ts'
import { notifyOfficer } from './move.ts'
import { isStillApproved, shareProject, type PostRow } from './store.ts'
import { accessTo } from './tokens.ts'

type Both = { comment: CommentRow; post: PostRow }
type Step = { comment: CommentRow; next: 'go on' | Date | null }

/**
 * Brings the first comment of a post as far as it goes now. Its one request is sent as a post's is: `armed` is committed before it,
 * and a run that finds it armed asks the network and never sends on a guess. Answers when it is looked at next; null when nothing
 * more happens by itself, undefined when another run has it. Nothing here changes the post. `signal`: its worker is closing.
 */
export const runComment = async (
  deps: PostDeps,
  postId: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Date | null | undefined> => {
  const { database, now } = deps
  const claimed = await database.asSystem((tx) => claimComment(tx, postId, now(), leaseFrom(now())))
  if (!claimed) return undefined
  const { run } = claimed.comment
  const forgive = () => void database.asSystem((tx) => forgiveCommentRun(tx, postId, run)).catch(() => {})
  signal?.addEventListener('abort', forgive)
  try {
    let at: Step = isDeadly(claimed.comment)
      ? await crashed(deps, claimed)
      : { comment: claimed.comment, next: 'go on' }
    while (at.next === 'go on') at = await step(deps, { ...claimed, comment: at.comment })
    const { next } = at
    await database.asSystem((tx) => releaseComment(tx, postId, run, next))
    return next
  } catch (error) {
    if (error instanceof TakenOver) return undefined
    await broken(deps, claimed).catch(() => {})
    throw error
  } finally {
    signal?.removeEventListener('abort', forgive)
  }
}

/** Workers died over it, one after another. Asking what became of it is a short request, and worth more tries. */
const isDeadly = ({ state, crashes }: CommentRow): boolean => crashes >= (state === 'armed' ? postTries : mostCrashes)
const crashedWords = 'Our service stopped twice while it worked on this comment.'

/** It is not begun again by itself. What may be there already is its officer's to look at. */
const crashed = (deps: PostDeps, at: Both): Promise<Step> =>
  inRun(deps, at, async (tx, fresh) =>
    fresh.comment.state === 'armed' ? lose(tx, deps, fresh) : fail(tx, deps, fresh, 'retry', crashedWords),
  )

/** A fault of ours: tried again a few times, then told, so that nothing hangs without a word. */
const broken = (deps: PostDeps, at: Both): Promise<Step> =>
  inRun(deps, at, async (tx, fresh) => {
    const { comment } = fresh
    const tried = comment.tried + 1
    if (tried >= postTries)
      return comment.state === 'armed'
        ? lose(tx, deps, fresh)
        : fail(tx, deps, fresh, 'permanent', 'Something went wrong on our side.')
    const next = inSeconds(deps, secondsBeforeTry(tried))
    const after = { ...comment, tried }
    await saveComment(tx, after, deps.now())
    await releaseComment(tx, comment.post_id, comment.run, next)
    return { comment: after, next }
  })

const step = (deps: PostDeps, at: Both): Promise<Step> => {
  if (at.comment.state === 'waiting') return send(deps, at)
  return at.comment.state === 'armed' ? reconcile(deps, at) : Promise.resolve({ comment: at.comment, next: null })
}

const send = async (deps: PostDeps, at: Both): Promise<Step> => {
  try {
    const { adapter, work } = await workOf(deps, at)
    if ((await withAccess(deps, at.post, work, async (one) => adapter.prepare?.(one) ?? 'ready')) === 'waiting')
      return { comment: at.comment, next: inSeconds(deps, 15) }
    const armed = await inRun(deps, at, async (tx, fresh) => {
      // What was taken back, or down, meanwhile gets no comment.
      if (fresh.post.state !== 'live' || !(await isStillApproved(tx, fresh.post)))
        return move(tx, deps, fresh, 'fail', takenBack, null)
      return move(tx, deps, fresh, 'arm', { armed_at: deps.now() }, 'go on')
    })
    if (armed.comment.state !== 'armed') return armed
    return await publish(deps, { ...at, comment: armed.comment })
  } catch (error) {
    return unsent(deps, at, error)
  }
}

const publish = async (deps: PostDeps, at: Both): Promise<Step> => {
  const { adapter, work } = await workOf(deps, at)
  try {
    const id = await withAccess(deps, at.post, work, adapter.publish)
    return await settle(deps, at, { is: 'live', id })
  } catch (error) {
    if (error instanceof SilentNetwork) return { comment: at.comment, next: inSeconds(deps, settleSeconds) }
    if (!(error instanceof RefusedByNetwork)) throw error
    // A sign-in or patience is asked for before anything is done.
    if (error.kind === 'reauth' || error.kind === 'limit') return refusedBefore(deps, at, error)
    return noteRefusal(deps, at, error)
  }
}

/** It said no, but some say no to what they did all the same: where it can be asked, it is asked before anybody is told. */
const noteRefusal = (deps: PostDeps, at: Both, { kind, message }: RefusedByNetwork): Promise<Step> =>
  inRun(deps, at, async (tx, fresh) => {
    const after = { ...fresh.comment, handles: { ...fresh.comment.handles, refusedKind: kind, refusedWords: message } }
    await saveComment(tx, after, deps.now())
    return { comment: after, next: inSeconds(deps, settleSeconds) }
  })

/** A comment that was armed, and of which nobody has heard: the network alone knows. */
const reconcile = async (deps: PostDeps, at: Both): Promise<Step> => {
  const settled = new Date(at.comment.armed_at!.getTime() + settleSeconds * 1000)
  if (deps.now() < settled) return { comment: at.comment, next: settled }
  try {
    const { adapter, work } = await workOf(deps, at)
    return await settle(deps, at, await withAccess(deps, at.post, work, adapter.find))
  } catch (error) {
    if (!(error instanceof RefusedByNetwork) && !(error instanceof SilentNetwork)) throw error
    return settle(deps, at, { is: 'unknown' })
  }
}

const settle = (deps: PostDeps, at: Both, standing: CommentAtNetwork): Promise<Step> =>
  inRun(deps, at, async (tx, fresh) => {
    const { comment } = fresh
    if (standing.is === 'live')
      return move(tx, deps, fresh, 'live', { remote_id: standing.id, live_at: deps.now(), ...unfailed }, null)
    const { refusedKind: kind, refusedWords: words } = comment.handles
    // Where nobody says whether it is there, what was said of it holds.
    if (standing.is === 'absent' || (standing.is === 'untold' && kind)) {
      const tried = comment.tried + 1
      // Proved that it is not there, of what workers died over twice: it is not sent a third time.
      if (standing.is === 'absent' && comment.crashes >= mostCrashes)
        return fail(tx, deps, fresh, 'retry', crashedWords)
      if (kind || tried >= postTries)
        return fail(
          tx,
          deps,
          fresh,
          (kind as FailureKind | null) ?? 'retry',
          String(words ?? 'The network did not take the comment.'),
        )
      return move(tx, deps, fresh, 'absent', { tried }, inSeconds(deps, secondsBeforeTry(tried)))
    }
    const late = comment.armed_at!.getTime() + processingHours * 3_600_000
    if (standing.is === 'untold' || deps.now().getTime() >= late) return lose(tx, deps, fresh)
    const after = { ...comment, tried: comment.tried + 1 }
    await saveComment(tx, after, deps.now())
    return { comment: after, next: inSeconds(deps, secondsBeforeTry(after.tried)) }
  })

/** Its officer knows, or hears of the post itself. */
const takenBack = {
  failure: 'permanent',
  failure_words: 'The post, or its approval, was taken back before.',
  next_at: null,
} as const

const unfailed = { failure: null, failure_words: null, next_at: null } as const

/** Nothing of it was sent: it is tried again, or told. */
const unsent = async (deps: PostDeps, at: Both, error: unknown): Promise<Step> => {
  if (!(error instanceof RefusedByNetwork) && !(error instanceof SilentNetwork)) throw error
  const kind = error instanceof RefusedByNetwork ? error.kind : 'retry'
  const words = error instanceof RefusedByNetwork ? error.message : 'The network did not answer.'
  return inRun(deps, at, async (tx, fresh) => {
    const tried = fresh.comment.tried + 1
    if ((kind !== 'retry' && kind !== 'limit') || tried >= postTries) return fail(tx, deps, fresh, kind, words)
    const after = { ...fresh.comment, tried }
    await saveComment(tx, after, deps.now())
    const again = error instanceof RefusedByNetwork ? error.again : null
    return { comment: after, next: again ?? inSeconds(deps, secondsBeforeTry(tried)) }
  })
}

/** The same, of one that was armed: the network has said no before it did anything. */
const refusedBefore = (deps: PostDeps, at: Both, { kind, message, again }: RefusedByNetwork): Promise<Step> =>
  inRun(deps, at, async (tx, fresh) => {
    const tried = fresh.comment.tried + 1
    if (kind === 'reauth' || tried >= postTries) return fail(tx, deps, fresh, kind, message)
    return move(tx, deps, fresh, 'absent', { tried }, again ?? inSeconds(deps, secondsBeforeTry(tried)))
  })

const fail = async (tx: Tx, deps: PostDeps, at: Both, kind: FailureKind, words: string): Promise<Step> => {
  const failed = await move(tx, deps, at, 'fail', { failure: kind, failure_words: words, next_at: null }, null)
  const { name } = limits[at.post.network]
  await notifyOfficer(
    tx,
    at.post,
    'comment failed',
    {
      title: `No first comment on ${name}`,
      body: `Your video is posted there, without the comment. ${words} Send the comment again on the video’s page.`,
    },
    deps.now(),
  )
  return failed
}

const lose = async (tx: Tx, deps: PostDeps, at: Both): Promise<Step> => {
  const lost = await move(tx, deps, at, 'lose', { next_at: null }, null)
  const { name } = limits[at.post.network]
  await notifyOfficer(
    tx,
    at.post,
    'comment lost',
    {
      title: `Look at your comment on ${name}`,
      body: `Your video is posted there. ${name} does not tell whether your first comment is, too. Look at the post, then say so on the video’s page.`,
    },
    deps.now(),
  )
  return lost
}

const move = async (
  tx: Tx,
  deps: PostDeps,
  { comment }: Both,
  event: CommentEvent,
  changes: Partial<CommentRow>,
  next: Step['next'],
): Promise<Step> => {
  const to = afterCommentEvent(comment.state, event)
  if (to === null) throw new TakenOver()
  const after = { ...comment, ...changes, state: to }
  await saveComment(tx, after, deps.now())
  return { comment: after, next }
}

const workOf = async (deps: PostDeps, { comment, post }: Both) => {
  const open = deps.networks.of(post.network)
  if (!open) throw new RefusedByNetwork('retry', 'This network is not set up at the moment.')
  if (!open.adapter.comment) throw new RefusedByNetwork('permanent', 'This network takes no comments from here.')
  if (post.connection_id === null) throw new RefusedByNetwork('reauth', 'The account is not connected any more.')
  if (post.remote_id === null) throw new RefusedByNetwork('permanent', 'Which post is yours, the network did not say.')
  const { access: token, server } = await accessTo(deps, post.connection_id)
  const connection = await deps.database.asSystem((tx) => connectionById(tx, post.connection_id!))
  if (!connection) throw new RefusedByNetwork('reauth', 'The account is not connected any more.')
  const { post_id: postId, run } = comment
  const lease = whileLeased({
    handles: comment.handles,
    now: deps.now,
    add: (more, until) => deps.database.asSystem((tx) => addCommentHandles(tx, postId, run, more, until)),
    renew: (until) => deps.database.asSystem((tx) => renewCommentLease(tx, postId, run, until)),
    ask: deps.networks.ask,
  })
  const work: CommentWork = {
    keys: open.keys,
    token,
    server,
    accountId: connection.account_id,
    get handles() {
      return lease.handles
    },
    keep: lease.keep,
    ask: lease.ask,
    comment: { id: postId, words: comment.words, postId: post.remote_id, madeAt: comment.created_at },
    now: deps.now,
  }
  return { adapter: open.adapter.comment, work }
}

const inSeconds = (deps: PostDeps, seconds: number): Date => new Date(deps.now().getTime() + seconds * 1000)

/** One transaction of this run on the locked comment; the project first, as everybody locks them. */
const inRun = (deps: PostDeps, { comment, post }: Both, work: (tx: Tx, fresh: Both) => Promise<Step>): Promise<Step> =>
  deps.database.asSystem(async (tx) => {
    await shareProject(tx, post.project_id)
    const fresh = await lockComment(tx, comment.post_id, comment.run)
    if (!fresh) throw new TakenOver()
    return work(tx, fresh)
  })
