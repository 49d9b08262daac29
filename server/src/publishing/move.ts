import { refusal } from '@clear-to-post/contract/errors'
import { mostKept } from '@clear-to-post/domain/most-kept'
import {
  afterPostEvent,
  hasEnded,
  isLate,
  lateHours,
  type FailureKind,
  type PostEvent,
} from '@clear-to-post/domain/posting'
import { networks as limits, type NetworkLimits } from '@clear-to-post/domain/networks'
import { systemCaller, type Caller, type Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { notePost } from '../webhooks/actions.ts'
import { wakeComment } from './comment-store.ts'
import { measureFrom, zoneOf } from './figures-store.ts'
import {
  addPostEvent,
  adminsOfAccount,
  forgetEnded,
  isAhead,
  isOrphan,
  projectTitle,
  savePost,
  takenBackSince,
  timesOf,
  type PostChanges,
  type PostRow,
} from './store.ts'

/** Something that is not possible in a post's state: another run or its officer was there first. */
export class PostMoved extends Error {}

/** One more change of a locked post by its officer: each is kept. Throws post.wrong-state. */
export const requireFewChanges = (tx: Tx, post: PostRow): Promise<void> =>
  requireFew(tx, post, ['reword', 'move'], 'changed')

/** The same of posting it again. Whoever has changed it a hundred times may still do so. Throws post.wrong-state. */
export const requireFewRepeats = (tx: Tx, post: PostRow): Promise<void> =>
  requireFew(tx, post, ['repeat'], 'scheduled again')

const requireFew = async (tx: Tx, { id }: PostRow, events: readonly PostEvent[], what: string): Promise<void> => {
  if ((await timesOf(tx, id, events)) >= mostKept.postChanges)
    throw refusal(
      'post.wrong-state',
      `This post was ${what} ${mostKept.postChanges} times, which is the most. Schedule the video anew with the posts that you want; unschedule it first if its time has not come yet.`,
    )
}

/** The one way a post moves; its row is locked. Answers the row as it is then. */
export const movePost = async (
  tx: Tx,
  caller: Pick<Caller, 'id'>,
  post: PostRow,
  event: PostEvent,
  now: Date,
  changes: PostChanges = {},
  detail: Record<string, unknown> = {},
): Promise<PostRow> => {
  const to = afterPostEvent(post.state, event)
  if (to === null) throw new PostMoved(`${event} is not possible: the post is ${post.state}`)
  const after: PostRow = { ...post, ...changes, state: to }
  await savePost(tx, after, now)
  await addPostEvent(tx, { postId: post.id, event, from: post.state, to, at: now, actorId: caller.id, detail })
  await notePost(tx, {
    id: post.id,
    projectId: post.project_id,
    event,
    network: post.network,
    state: to,
    failure: after.failure,
    dueAt: after.due_at,
    now,
  })
  const { tells }: NetworkLimits = limits[post.network]
  // Within the hour the first ones have seen it.
  if (event === 'live' && tells !== undefined && after.remote_id !== null)
    await measureFrom(tx, [post.id], new Date(now.getTime() + 3_600_000))
  if (hasEnded(to)) await askWhetherDone(tx, post, now)
  if (event === 'live') await wakeComment(tx, post.id, now)
  if (event === 'remove') await measureFrom(tx, [post.id], null)
  if (!hasEnded(post.state) && hasEnded(to) && (await forgetEnded(tx, post.id)) > 0) {
    const told = tellCompany(after, event)
    if (told) await notify(tx, post, event, told, await adminsOfAccount(tx, post.connection_id), now)
    return after
  }
  // An officer who is shut out or has moved on reads nothing: who may answer is asked.
  if (event === 'lose' && (await isOrphan(tx, post.id))) {
    await notify(tx, post, event, tellCompany(after, event)!, await adminsOfAccount(tx, post.connection_id), now)
    return after
  }
  const told = tell(after, event, caller)
  if (told) await notifyOfficer(tx, post, event, told, now)
  return after
}

/** Where its video's own moment has not come yet, a job looks whether anything of it is left to go out. */
const askWhetherDone = async (tx: Tx, { id, user_id: owner, project_id: projectId }: PostRow, now: Date) => {
  if (await isAhead(tx, projectId, now)) await enqueue(tx, 'post', { postId: id }, { owner })
}

type Told = { title: string; body: string }
export const notifyOfficer = (tx: Tx, post: PostRow, event: string, told: Told, now: Date): Promise<void> =>
  notify(tx, post, event, told, [post.user_id], now)

const notify = (tx: Tx, post: PostRow, event: string, told: Told, userIds: string[], now: Date): Promise<void> =>
  enqueue(tx, 'notice', {
    notice: {
      kind: 'posting',
      ...told,
      cta: { label: 'Open the video', url: `/panel/projects/${post.project_id}` },
      metadata: { projectId: post.project_id, postId: post.id },
      cause: `post ${post.id} ${event} ${now.toISOString()}`,
      about: post.project_id,
    },
    userIds,
  })

/**
 * Its officer hears once of each moment that passes without it: what for, and how long it is still tried. `again`: the network
 * takes nothing before.
 */
export const sayLate = async (
  tx: Tx,
  post: PostRow,
  next: Date,
  why: string,
  again: Date | null = null,
): Promise<void> => {
  if (post.recalled_at !== null || !isLate(post.due_at, next)) return
  const { name } = limits[post.network]
  const ends = new Date(post.due_at.getTime() + lateHours * 3_600_000)
  const last = `until ${lateHours} hours after it`
  const then = again && `We try again on ${await whenFor(tx, post, again)}${again < ends ? `, and go on ${last}` : ''}`
  await tellLate(
    tx,
    post,
    `is not on ${name} at its time: ${why} ${then ?? `We go on trying ${last}`}, and tell you how that ends. Where that is too late, take it back on the video’s page.`,
  )
}

/** The same of one that may be out already: it is asked about until then. `isSilent`: the network gives no answer at all. */
export const sayUnheard = async (
  tx: Tx,
  post: PostRow,
  next: Date,
  { until, isSilent }: { until: Date; isSilent: boolean },
): Promise<void> => {
  if (post.recalled_at !== null || !isLate(post.due_at, next)) return
  const { name } = limits[post.network]
  const unsaid = post.state === 'processing' ? 'the network still works on it' : 'the network does not say yet'
  const why = isSilent ? 'the network does not answer' : unsaid
  await tellLate(
    tx,
    post,
    `was sent to ${name}, and may be there or not: ${why}. Look at your account before you post it by hand; it cannot be taken back now. We go on asking until ${await whenFor(tx, post, until)}, and tell you how that ends.`,
  )
}

const tellLate = async (tx: Tx, post: PostRow, words: string): Promise<void> => {
  const title = (await projectTitle(tx, post.project_id)) ?? 'Your video'
  const told = { title: `Late on ${limits[post.network].name}`, body: `“${title}” ${words}` }
  await notifyOfficer(tx, post, 'late', told, post.due_at)
}

/** Day and time where its officer lives: `December 1 at 8:00 AM EST`. */
const whenFor = async (tx: Tx, { user_id: id }: PostRow, at: Date): Promise<string> => {
  const timeZone = await zoneOf(tx, { id })
  const day = at.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone })
  const time = at.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone })
  return `${day} at ${time}`
}

/** Why it is late; `isRefused`: the network has said so. */
export const lateWords = (kind: FailureKind, isRefused: boolean): string => {
  if (kind === 'limit') return 'the network takes no more for now.'
  return isRefused ? 'the network does not take it yet.' : 'the network does not answer.'
}

/**
 * Takes a post back though its officer did not, and tells them: which video, where, why, and the way on. `why` is for the record,
 * `reason` for the officer.
 */
export const withdrawFor = async (
  tx: Tx,
  caller: Pick<Caller, 'id'>,
  post: PostRow,
  { why, account, reason, wayOn: next }: { why: string; account?: string; reason: string; wayOn: string },
  now: Date,
): Promise<PostRow> => {
  const after = await movePost(tx, caller, post, 'withdraw', now, { next_at: null }, { why })
  if (caller.id !== post.user_id) await tellTakenBack(tx, post, { account, reason, wayOn: next }, now)
  return after
}

const tellTakenBack = async (
  tx: Tx,
  post: PostRow,
  { account, reason, wayOn: next }: { account?: string; reason: string; wayOn: string },
  at: Date,
): Promise<void> => {
  const { name } = limits[post.network]
  const video = (await projectTitle(tx, post.project_id)) ?? 'Your video'
  const where = account === undefined ? name : `“${account}” (${name})`
  const told = { title: `Not posted on ${name}`, body: `“${video}” is not posted on ${where}: ${reason} ${next}` }
  await notifyOfficer(tx, post, 'withdraw', told, at)
}

/**
 * Who was shut out hears of nothing: what the service took back of theirs meanwhile is said when they are let in again, once, and
 * not where it was said before.
 */
export const sayTakenBackMeanwhile = async (tx: Tx, officerId: string, now: Date): Promise<void> => {
  const since = new Date(now.getTime() - mostKept.noticeDays * 86_400_000)
  const words = {
    reason: 'you were shut out when it was on its way, so it was taken back.',
    wayOn: 'Schedule it again on the video’s page.',
  }
  for (const post of await takenBackSince(tx, officerId, since)) await tellTakenBack(tx, post, words, post.taken_at)
}

/** What the officer hears, with the way on. */
const tell = (post: PostRow, event: PostEvent, { id }: Pick<Caller, 'id'>): Told | null => {
  const { name } = limits[post.network]
  // Who said so themselves knows it, and of an officer who is gone their company's admin says so.
  if (event === 'live' && id === systemCaller.id)
    return {
      title: `Posted on ${name}`,
      body: `Your video is there. ${post.address === null ? 'Look at your account for it.' : 'Its address stands on the video’s page.'}`,
    }
  if (event === 'hand')
    return {
      title: `Finish it in ${name}`,
      body: `Your video lies in your ${name} inbox. Open the app within a day, add the text and post it; the text stands on the video’s page.`,
    }
  if (event === 'remove' && id !== post.user_id)
    return {
      title: `Taken down from ${name}`,
      body: 'Your company’s admin took your video down there. Ask them about it before you post it again.',
    }
  if (event === 'fail')
    return {
      title: `Not posted on ${name}`,
      body: `${post.failure_words ?? ''} ${wayOn[post.failure ?? 'permanent']}`.trim(),
    }
  if (event === 'hold')
    return {
      title: `Not posted on ${name} until you say so`,
      body: 'The service was put back from a copy, and what happened since that copy is not known. Press “Schedule again” on the video’s page, and it goes out as planned.',
    }
  if (event === 'lose')
    return {
      title: `Look at ${name}`,
      body: `${name} does not tell whether your video was posted. Look at your account, then say on the video’s page whether it is there.`,
    }
  return null
}

/** What the admins of its account hear where its officer is gone. */
const tellCompany = (post: PostRow, event: PostEvent): Told | null => {
  const { name } = limits[post.network]
  if (event === 'live')
    return {
      title: `Posted on ${name}`,
      body: 'A video of somebody who has left stands on your company’s account. Take it down on the video’s page if it should not be there.',
    }
  if (event === 'lose')
    return {
      title: `Look at ${name}`,
      body: `${name} does not tell whether a video of somebody who has left was posted. Look at your company’s account, then say on the video’s page whether it is there.`,
    }
  return null
}

/** What helps, by the kind of a failure. */
export const wayOn = {
  retry: 'Try again on the video’s page.',
  reauth: 'Connect the account again under Connections, or ask your admin where it is your company’s; then post again.',
  permanent: 'Change what it names, then post again on the video’s page.',
  limit: 'The network takes no more for now. Post again tomorrow.',
  policy: 'Look at the account for a message of the network’s, then post again.',
} as const
