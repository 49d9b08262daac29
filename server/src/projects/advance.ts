import { refusal } from '@clear-to-post/contract/errors'
import { decide, mayEndRight } from '@clear-to-post/domain/decide'
import { type InputOf, isOfCut, isStep, Status, type Verb } from '@clear-to-post/domain/workflow'
import type { Caller, Tx } from '../kernel/database.ts'
import { enqueueFirstCut, stopFirstCut, stopRenders } from '../edits/actions.ts'
import { moveTakenBack, notifyUnposted, withdrawPosts } from '../publishing/actions.ts'
import { applyEffects, undoStep, withoutGoneEditor } from './effects.ts'
import { factsOf } from './facts.ts'
import {
  changeable,
  currentCut,
  fileToSend,
  isGone,
  lockProject,
  saveProject,
  undoableStep,
  type Changes,
  type ProjectRow,
} from './store.ts'
import { record } from './timeline.ts'

type Extra<V extends Verb> = {
  /** The number of the last event that the caller knows; a project that moved since is refused. */
  seq?: number | undefined
  /** Further keys of the timeline item's metadata. */
  metadata?: Record<string, unknown>
  /** Further columns this verb sets. */
  changes?: Changes
  /** Checks that need the locked row, before anything is written. */
  check?: (project: ProjectRow, input: InputOf<V>) => Promise<void>
}

/**
 * The one way a project moves: lock the row, decide, save, append the event, count, enqueue, in the caller's transaction.
 * Throws the workflow's refusal; nothing is written then.
 */
export const advance = async <V extends Verb>(
  tx: Tx,
  caller: Caller,
  projectId: string,
  verb: V,
  input: InputOf<V>,
  now: Date,
  { seq, metadata, changes: extra, check }: Extra<V> = {},
): Promise<void> => {
  const locked = await lockProject(tx, caller, projectId)
  if (!locked) throw refusal('project.not-found')
  // Removed while this step waited for the lock: what was canceled then stays canceled.
  if (verb === 'rollback') locked.officer_is_gone = await isGone(tx, locked.user_id)
  const undoable = verb === 'rollback' ? ((await undoableStep(tx, projectId)) ?? null) : null
  const cut = isOfCut(verb) ? ((await currentCut(tx, caller, projectId)) ?? null) : null
  const file =
    verb === 'send' ? ((await fileToSend(tx, projectId, (input as InputOf<'send'>).finalVideoId)) ?? null) : null
  const endsRight = mayEndRight(verb, { finalVideoId: locked.final_video_id, undoable })
  // A finished file is work that was done, whoever asked for it: such a video does not give its right back.
  const hasFile = endsRight && (await stopRenders(tx, projectId, now)).isRendered && !locked.editing_begun
  if (verb === 'cancel') await stopFirstCut(tx, projectId, now)
  const begun = hasFile ? { editing_begun: true } : {}
  const project = { ...locked, undoable, cut, file }
  const decision = decide(verb, factsOf({ ...project, ...begun }), caller, input, now)
  if ('refusal' in decision) throw refusal(decision.refusal, decision.message)
  if (seq !== undefined && seq !== project.seq) throw refusal('project.changed')
  await check?.(project, input)

  const { changes, counted } = undoable
    ? await undoStep(tx, caller, project, undoable, decision, now)
    : await applyEffects(tx, caller, project, verb, decision.to, decision.effects, now)
  const all = { ...changes, ...begun, ...extra, ...(await withoutGoneEditor(tx, project, changes)) }
  // Sent behind each other without waiting: the row is locked, nobody can have come in between.
  const [isSaved] = await Promise.all([
    saveProject(tx, project, all, now),
    record(tx, caller, {
      project,
      verb,
      from: project.status,
      to: decision.to,
      now,
      more: {
        ...metadata,
        ...(cut ? { cut: cut.number } : {}),
        // What was approved, by its file: what is published later is this one.
        ...(cut && verb === 'approve' ? { finalVideoId: cut.asset_id } : {}),
        ...(changes.final_video_id && counted.cut !== undefined ? { cut: counted.cut } : {}),
        ...(file?.is_older ? { isOlder: true } : {}),
        ...(hasFile ? { isRendered: true } : {}),
        ...(undoable ? { undoes: undoable.verb } : {}),
      },
      before: isStep(verb) ? pick(project, changeable) : null,
      counted,
      undoes: undoable?.seq ?? null,
    }),
  ])
  if (!isSaved) throw refusal('project.changed')
  // What leaves its schedule by another way than its moment, or is finished no more, is posted nowhere.
  const wasReady = project.status === Status.scheduled || project.status === Status.completed
  const isReady = decision.to === Status.scheduled || (decision.to === Status.completed && verb === 'publish')
  if (wasReady && !isReady && decision.to !== project.status) await withdrawPosts(tx, caller, projectId, now)
  // A schedule has posts of its own, and a video that is moved takes along those that are due with it.
  const at = changes.publish_at && new Date(changes.publish_at)
  if (at && verb !== 'reschedule' && project.publish_at && at.getTime() !== project.publish_at.getTime())
    await moveTakenBack(tx, projectId, at)
  if (decision.to === Status.scheduled && (undoable || !wasReady)) await notifyUnposted(tx, projectId, project.seq + 1)
  // A first cut that was left alone while the video waited or was canceled is made now; one that is there stays.
  const begins = decision.effects.enters !== undefined || undoable?.verb === 'cancel'
  if (begins && decision.to !== Status.scheduled) await enqueueFirstCut(tx, project)
}

const pick = <T, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>
