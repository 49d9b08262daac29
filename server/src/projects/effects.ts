import { Refusal } from '@clear-to-post/contract/errors'
import { monthAfter, monthIn, startOfMonth } from '@clear-to-post/domain/calendar'
import { rightToSubmit } from '@clear-to-post/domain/plans'
import { servesAll } from '@clear-to-post/domain/roles'
import { mayEndRight, type Effects } from '@clear-to-post/domain/decide'
import { Status, type Verb } from '@clear-to-post/domain/workflow'
import { requireRoomAhead } from '../assets/actions.ts'
import { addToGoal, countTowardsGoal } from '../goals/actions.ts'
import type { Caller, Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { holdPlan, submitRightsOf } from '../subscriptions/actions.ts'
import { detachComments } from './comment-store.ts'
import { countedFor, enterQueue, giveQuotaBack, markUsed, quotaUsed, unmarkUsed, useQuota } from './quota.ts'
import {
  addCut,
  freePlace,
  mayEditFor,
  saveVerdict,
  queueEnd,
  returnedFirst,
  type Changes,
  type Counted,
  type CurrentCut,
  type ProjectRow,
  type Undoable,
} from './store.ts'
import { returnRefusal, waitRefusal } from './waiting.ts'

/** A project under its lock. */
type Locked = ProjectRow & {
  time_zone: string
  cut: CurrentCut | null
}

/** What a step changes in the row, once it has counted what it counts. Throws where the queue takes no more. */
export const applyEffects = async (
  tx: Tx,
  caller: Caller,
  project: Locked,
  verb: Verb,
  to: Status,
  effects: Effects,
  now: Date,
): Promise<{ changes: Changes; counted: Counted }> => {
  const changes: Changes = { status: to, waits_for: effects.waitsFor ?? null }
  const counted: Counted = {}
  if (effects.editorId !== undefined) changes.editor_id = effects.editorId
  if (effects.submitMonth !== undefined) changes.submit_month = effects.submitMonth
  Object.assign(changes, timesOf(effects))
  if (effects.enters !== undefined) {
    const entered = await enterQueue(tx, project, effects.enters, now)
    if ('waits' in entered) throw waitRefusal(entered.waits, entered.former)
    if (entered.isMoved) Object.assign(counted, { used: effects.enters, gaveBack: project.submit_month })
    changes.turnaround_hours = entered.terms.turnaroundHours
    changes.revisions_left = entered.terms.revisionsPerProject
  }
  if (effects.expiresInDays !== undefined)
    changes.expires_at = new Date(now.getTime() + effects.expiresInDays * 86_400_000)
  if (effects.queue !== undefined) {
    changes.queue_position = await placeOf(tx, project, effects.queue)
    const hours = changes.turnaround_hours ?? project.turnaround_hours
    if (effects.queue === 'end' && hours !== null) changes.due_by = dueBy(now, hours)
  }
  if (effects.finalVideoId) {
    changes.final_video_id = effects.finalVideoId
    counted.cut = await addCut(tx, project, effects.finalVideoId, effects.editorId ?? caller.id, now)
  }
  if (verb === 'approve' || verb === 'deny') {
    const cut = project.cut!
    counted.cut = cut.number
    if (verb === 'approve')
      Object.assign(changes, { approved_video_id: cut.asset_id, cover_id: cut.asset_id, feedback: null, due_by: null })
    const goal = effects.goal ? { editorId: cut.editor_id, sentAt: cut.sent_at } : null
    const day = goal && (await countTowardsGoal(tx, goal))
    await saveVerdict(tx, project.id, verb === 'approve' ? 'approved' : 'denied', cut.number)
    if (goal && day) counted.goal = { editorId: goal.editorId, ...day }
  }
  if (effects.quota?.giveBack !== undefined) {
    counted.gaveBack = effects.quota.giveBack
    await giveQuotaBack(tx, project, counted.gaveBack)
  }
  return { changes, counted }
}

const timesOf = ({ publishAt, dueAt }: Effects): Pick<Changes, 'publish_at' | 'due_at'> => ({
  ...(publishAt === undefined ? {} : { publish_at: publishAt === null ? null : new Date(publishAt) }),
  ...(dueAt === undefined ? {} : { due_at: dueAt === null ? null : new Date(dueAt) }),
})

/**
 * Everything the step set goes back to what it was, but for a time that has passed meanwhile (`to`, `effects`), one that
 * was chosen since the approval that is undone, and an editor who was assigned since, and everything it counted is taken back. Throws where what was given back has to count again, and this
 * actor finds no right for it.
 */
export const undoStep = async (
  tx: Tx,
  caller: Caller,
  project: Locked,
  step: Undoable,
  { to, effects }: { to: Status; effects: Effects },
  now: Date,
): Promise<{ changes: Changes; counted: Counted }> => {
  const { before, counted } = step
  if (counted.goal) await addToGoal(tx, counted.goal, -1)
  if (counted.used !== undefined) await giveQuotaBack(tx, project, counted.used)
  if (counted.gaveBack !== undefined) await countAgain(tx, caller, project, step, counted.gaveBack, now)
  if (mayEndRight('rollback', { finalVideoId: project.final_video_id, undoable: step }))
    await unmarkUsed(tx, project.id)
  if (step.verb === 'review') await detachComments(tx, project.id, step.seq)
  if (counted.cut !== undefined)
    await saveVerdict(tx, project.id, step.verb === 'send' ? 'replaced' : 'waiting', counted.cut)
  const waitsAgain = step.from === Status.scheduled && project.final_video_id === null
  if (waitsAgain) await requireRoomAhead(tx, project.user_id, project.id)
  // A cut was made: whatever is taken back later, that work was done.
  const begun = project.cuts > 0 ? { editing_begun: project.editing_begun } : {}
  const hasBegun = startOfMonth(project.submit_month, project.time_zone) <= now
  // One that was canceled is asked at once; who takes an entering back wants it to wait on.
  const isAhead = before.due_at && new Date(before.due_at) > now
  const askedAt = step.verb === 'cancel' && hasBegun ? now : isAhead ? before.due_at! : nextMonthOf(project, now)
  const waits = waitsAgain ? { due_at: askedAt } : {}
  const assigned = step.isAssignedSince ? { editor_id: project.editor_id } : {}
  // The next approval is for the time that was chosen last.
  const chosen = step.verb === 'approve' && step.isRescheduledSince ? { publish_at: project.publish_at } : {}
  return {
    changes: {
      ...before,
      ...begun,
      ...assigned,
      ...chosen,
      ...waits,
      ...timesOf(effects),
      status: to,
      waits_for: null,
    },
    counted: {},
  }
}

/** What waits in the queue after a step is anybody's where whoever has it can start it no more: nobody else could. */
export const withoutGoneEditor = async (
  tx: Tx,
  project: ProjectRow,
  { status, editor_id = project.editor_id }: Changes,
): Promise<Pick<Changes, 'editor_id'>> =>
  status === Status.submitted && editor_id && !(await asService(tx, () => mayEditFor(tx, editor_id, project.tenant_id)))
    ? { editor_id: null }
    : {}

const nextMonthOf = ({ time_zone: zone }: Locked, now: Date): Date =>
  startOfMonth(monthAfter(monthIn(now, zone), 1), zone)

/** When a cut is promised that may take so many hours. */
export const dueBy = (now: Date, hours: number): Date => new Date(now.getTime() + hours * 3_600_000)

// What was bought is used before the plan’s limit is passed, and only the service passes it: a company finds a right, as a
// submission would.
const countAgain = async (
  tx: Tx,
  caller: Caller,
  project: Locked,
  step: Undoable,
  month: string,
  now: Date,
): Promise<void> => {
  const { user_id: userId, is_free: isFree } = project
  // A project that was not the free one does not become it.
  const rights = { ...(await submitRightsOf(tx, userId, now, project)), freeProjectUsed: true }
  const use = countedFor(rights, await quotaUsed(tx, userId, month, project.tenant_id))
  const found = rightToSubmit(rights, { ...use, ...(await holdPlan(tx, rights, month, now)) })
  const mayExceed = servesAll(caller)
  if ('refusal' in found && !isFree && !mayExceed) throw returnRefusal(found.refusal)
  const right = isFree ? 'free' : 'refusal' in found ? 'plan' : found.right
  await useQuota(tx, project, month, right, { isAgain: mayExceed, now }).catch((error: unknown) => {
    throw isFree && error instanceof Refusal ? returnRefusal('free-video') : error
  })
  if (step.from === Status.submitted) await markUsed(tx, project.id, right === 'plan' ? rights : null, now)
}

const placeOf = (tx: Tx, project: ProjectRow, queue: NonNullable<Effects['queue']>): Promise<number | null> | null => {
  if (queue === 'leave') return null
  if (queue === 'end') return queueEnd(tx)
  if (queue === 'first') return returnedFirst(tx, project.editor_id!)
  return freePlace(tx, project.id, queue.position)
}
