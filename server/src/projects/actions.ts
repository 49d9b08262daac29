import type { NewPost } from '@clear-to-post/contract/publishing'
import { makePosts, movePostsWith, planPosts } from '../publishing/actions.ts'
import type { CallRequest } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import type { projects } from '@clear-to-post/contract/projects'
import { reachesTenant, hasDuty, officerActor, type Actor } from '@clear-to-post/domain/roles'
import { refuse, refuseOtherCut, usesRevision } from '@clear-to-post/domain/decide'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { Status } from '@clear-to-post/domain/workflow'
import { assetsById, requireCut } from '../assets/actions.ts'
import { withLabels } from '../feedback/actions.ts'
import { sql, systemCaller, type Caller, type Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { advance } from './advance.ts'
import { dueBy } from './effects.ts'
import { cutFacts, factsOf } from './facts.ts'
import { addComment, attachComments, countComments, isInternal } from './comment-store.ts'
import {
  actorsOf,
  adminsOf,
  currentCut,
  expireSources,
  isVisible,
  keepAnswer,
  lettersOfSteps,
  lockProject,
  nextFor,
  openProjectsOf,
  mayEditFor,
  withinReach,
} from './store.ts'

export { countOpenOf, isVisible } from './store.ts'

/** Starts editing one project, or what `next` would show. Exactly one editor wins, under any concurrency. */
export const startEdition = async (
  tx: Tx,
  caller: Caller,
  projectId: string | undefined,
  now: Date,
): Promise<string> => {
  const id = projectId ?? (await nextFor(tx, caller, caller.id, { lock: true }))?.id
  if (id === undefined) throw refusal('project.queue-empty')
  await advance(tx, caller, id, 'start', {}, now, { changes: { editing_begun: true } })
  return id
}

export const sendToApproval = (
  tx: Tx,
  caller: Caller,
  projectId: string,
  {
    finalVideoId,
    olderIsMeant,
    seq,
  }: { finalVideoId: string; olderIsMeant?: boolean | undefined; seq?: number | undefined },
  now: Date,
) =>
  advance(tx, caller, projectId, 'send', { finalVideoId, olderIsMeant }, now, {
    seq,
    metadata: { finalVideoId },
    check: () => requireCut(tx, { assetId: finalVideoId, projectId }),
  })

/** Throws feedback.no-criterion. The denial keeps the labels of this moment. */
export const deny = async (
  tx: Tx,
  caller: Caller,
  projectId: string,
  { denyFeedback, categories, cut, seq }: NonNullable<CallRequest<typeof projects.deny>['body']>,
  now: Date,
) => {
  const feedback = { ...denyFeedback, criteria: await withLabels(tx, denyFeedback.criteria) }
  const metadata = { categories, denyFeedback: feedback }
  await advance(tx, caller, projectId, 'deny', { denyFeedback: feedback, categories, cut }, now, {
    seq,
    metadata,
    changes: { feedback },
    check: () => requireRoomToSay(tx, projectId, metadata),
  })
}

/**
 * Schedules the finished video, and makes its posts: each to an account of the caller's own, of the very file that is approved.
 * Throws the workflow's refusals, connection.not-found, post.does-not-fit.
 */
export const schedule = async (
  tx: Tx,
  caller: Caller,
  projectId: string,
  wanted: {
    publishAt: string
    destinations: readonly string[]
    posts?: readonly NewPost[] | undefined
    cut?: number | undefined
    seq?: number | undefined
  },
  now: Date,
): Promise<void> => {
  const { posts = [], cut, seq } = wanted
  const publishAt = new Date(wanted.publishAt).toISOString()
  // Locked before its posts, as by everybody who moves a project.
  await lockProject(tx, caller, projectId)
  const planned = posts.length === 0 ? null : await planPosts(tx, caller, projectId, posts)
  const destinations = [...new Set([...wanted.destinations, ...(planned?.networks ?? [])])]
  await advance(tx, caller, projectId, 'schedule', { publishAt, destinations, cut }, now, {
    seq,
    metadata: { publishAt, destinations },
    changes: { destinations },
  })
  if (planned) await makePosts(tx, caller, projectId, planned, new Date(publishAt), now)
  else if (posts.length > 0)
    throw refusal(
      'post.does-not-fit',
      'Only the officer whose video it is posts it. Schedule it without posts, or ask them to.',
    )
}

/** Moves a scheduled video to another time, and its posts that are due with it: all of them or nothing. */
export const reschedule = (
  tx: Tx,
  caller: Caller,
  projectId: string,
  wanted: { publishAt: string; seq?: number | undefined },
  now: Date,
): Promise<void> => {
  const to = new Date(wanted.publishAt)
  const publishAt = to.toISOString()
  return advance(tx, caller, projectId, 'reschedule', { publishAt }, now, {
    seq: wanted.seq,
    metadata: { publishAt },
    check: ({ publish_at: from }) => movePostsWith(tx, caller, projectId, { from: from!, to }, now),
  })
}

export const requestRevision = async (
  tx: Tx,
  caller: Caller,
  projectId: string,
  { revision, cut, seq }: { revision: string; cut?: number | undefined; seq?: number | undefined },
  now: Date,
) => {
  const before = await lockProject(tx, caller, projectId)
  const attached = before ? await attachComments(tx, projectId, before.seq + 1) : []
  const metadata = { revision, comments: attached.length }
  await advance(tx, caller, projectId, 'review', { revision, cut }, now, {
    seq,
    metadata,
    check: () => requireRoomToSay(tx, projectId, metadata),
    changes: {
      due_by: before?.turnaround_hours == null ? null : dueBy(now, before.turnaround_hours),
      // What the service's own admin asks for is not counted against the plan.
      ...(before && usesRevision(caller, before.revisions_left) ? { revisions_left: before.revisions_left - 1 } : {}),
    },
  })
}

/** Throws project.too-many-steps where a project's record holds as many words as it may. */
const requireRoomToSay = async (tx: Tx, projectId: string, metadata: object): Promise<void> => {
  if ((await lettersOfSteps(tx, projectId)) + JSON.stringify(metadata).length > mostKept.stepLetters)
    throw refusal(
      'project.too-many-steps',
      'The record of this video holds a million letters already. Say it in fewer words, or send in a new video.',
    )
}

export const assign = (
  tx: Tx,
  caller: Caller,
  projectId: string,
  { editorId, seq }: { editorId: string | null; seq?: number | undefined },
  now: Date,
) =>
  advance(tx, caller, projectId, 'assign', { editorId }, now, {
    seq,
    metadata: { editorId },
    // Whoever gets a project must be able to see it.
    check: async (project) => {
      if (editorId === null) return
      const isSeen = await tx.first(sql`select from person where id = ${editorId} and ${withinReach(caller)}`)
      if (!isSeen || !(await asService(tx, () => mayEditFor(tx, editorId, project.tenant_id))))
        throw refusal('account.not-found')
    },
  })

/**
 * A remark on the current cut: by the officer once it is finished, by reviewers any time there is a cut. Refused when it
 * was written of another cut (`about`), where it would reach others than its writer believed (`believed`), and where there are as
 * many as a project may have.
 */
export const comment = async (
  tx: Tx,
  caller: Caller,
  projectId: string,
  { atMs, text, cut: about, isInternal: believed }: NonNullable<CallRequest<typeof projects.comment>['body']>,
  now: Date,
) => {
  const project = await lockProject(tx, caller, projectId)
  if (!project) throw refusal('project.not-found')
  const cut = await currentCut(tx, caller, projectId)
  if (!cut) throw refusal('project.wrong-status', 'There is no cut to comment on yet.')
  const other = refuseOtherCut({ cut: cutFacts(cut) }, about)
  if (other) throw refusal(other.refusal, other.message)
  const internal = isInternal(project, caller)
  if (believed !== undefined && believed !== internal)
    throw refusal(
      'project.other-readers',
      internal
        ? 'The video is worked on again, so what you post stays between staff. Look at your words again, then post them.'
        : 'The video is finished, so its officer reads what you post. You began it between staff: look at your words again, then post them.',
    )
  const end = (await assetsById(tx, [cut.asset_id])).get(cut.asset_id)?.duration_ms ?? atMs
  // A player's last moment may lie a little behind the length that was measured.
  if (atMs > end + 1000)
    throw refusal('project.beyond-cut', undefined, [{ path: 'body.atMs', message: `The cut is ${end} ms long.` }])
  if ((await countComments(tx, projectId, internal)) >= mostKept.remarks) throw refusal('project.too-many-remarks')
  return (await addComment(tx, project, cut.number, caller, Math.min(atMs, end), text, now))!
}

/** What the officer thinks of their finished video; the last word counts. Throws project.not-found, project.not-finished. */
export const answer = async (
  tx: Tx,
  caller: Caller,
  projectId: string,
  { score, words }: NonNullable<CallRequest<typeof projects.answer>['body']>,
  now: Date,
): Promise<void> => {
  if ((await keepAnswer(tx, caller, projectId, score, words || null, now)) === 1) return
  throw refusal((await isVisible(tx, caller, projectId)) ? 'project.not-finished' : 'project.not-found')
}

/**
 * What becomes of an officer's projects when the officer leaves for good: all that are not finished are canceled, as the
 * officer's own step or the ADMIN's; what an editor has begun, which no officer cancels, by the service.
 */
export const closeProjectsOf = async (tx: Tx, caller: Caller, userId: string, now: Date): Promise<void> => {
  const officer: Caller = { ...officerActor(userId), securityStamp: null }
  await asService(tx, async () => {
    // Whoever was moved between companies may have left projects where this ADMIN does not reach.
    for (const { id, tenant_id, status } of await openProjectsOf(tx, userId)) {
      const own = status === Status.submitted || status === Status.scheduled ? officer : systemCaller
      const by = hasDuty(caller.role, 'administer') && reachesTenant(caller, tenant_id) ? caller : own
      await advance(tx, by, id, 'cancel', {}, now)
    }
    await expireSources(tx, userId, now)
  })
}

/**
 * Of these reviewers those who may approve the cut that waits, because they had no part in it; where there are none, the ADMINs who
 * may. Asked by the service.
 */
export const approversOf = async (tx: Tx, projectId: string, reviewerIds: readonly string[]): Promise<string[]> => {
  const project = await lockProject(tx, systemCaller, projectId)
  if (!project) return []
  const cut = (await currentCut(tx, systemCaller, projectId)) ?? null
  const facts = factsOf({ ...project, cut, undoable: null })
  const mayApprove = (one: Actor) => refuse('approve', facts, one) === null
  const reviewers = (await actorsOf(tx, reviewerIds)).filter(mayApprove)
  const found = reviewers.length > 0 ? reviewers : (await adminsOf(tx, project.tenant_id)).filter(mayApprove)
  return found.map(({ id }) => id)
}
