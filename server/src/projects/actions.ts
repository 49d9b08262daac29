import { randomUUID } from 'node:crypto'
import type { CallRequest } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import type { projects } from '@clear-to-post/contract/projects'
import { monthAfter, monthIn, startOfMonth } from '@clear-to-post/domain/calendar'
import { expiryDays, rightToSubmit, termsOf, type WaitReason } from '@clear-to-post/domain/plans'
import { reachesTenant } from '@clear-to-post/domain/roles'
import {
  decide,
  refuseOtherCut,
  workflow,
  type CutAuthors,
  type CutFacts,
  type Effects,
  type FourEyes,
  type InputOf,
  type ProjectFacts,
  type Status,
  type Verb,
} from '@clear-to-post/domain/workflow'
import { assetsById, takeSources, requireCut } from '../assets/actions.ts'
import { asService, sql, systemCaller, type Caller, type Database, type Tx } from '../kernel/database.ts'
import { withLabels } from '../feedback/actions.ts'
import { addToGoal, countTowardsGoal } from '../goals/actions.ts'
import { enqueue } from '../kernel/queue.ts'
import { submitRightsOf } from '../subscriptions/actions.ts'
import { enterQueue, giveQuotaBack, markUsed, quotaUsed, rightNow, unmarkUsed, useQuota } from './quota.ts'
import { submitRefusal, waitNotice, waitRefusal } from './waiting.ts'
import {
  addComment,
  addCut,
  addEvent,
  attachComments,
  changeable,
  currentCut,
  stuckWith,
  expireSources,
  fileToSend,
  freePlace,
  saveVerdict,
  lockProject,
  nextDueProject,
  nextFor,
  openProjectsOf,
  postponeWaiting,
  queueEnd,
  returnedFirst,
  saveProject,
  undoableStep,
  type Changes,
  type Counted,
  type CurrentCut,
  type DueProject,
  type ProjectRow,
  type Undoable,
} from './store.ts'

export { countOpenOf } from './store.ts'

type Locked = ProjectRow & {
  time_zone: string
  undoable: Undoable | null
  cut: CurrentCut | null
}

/** Submits a video: quota, files, first event and queue place in one transaction. Answers the new project's id. */
export const createProject = async (
  tx: Tx,
  caller: Caller,
  input: CallRequest<typeof projects.create>['body'],
  now: Date,
): Promise<string> => {
  const officer = await officerOf(tx, caller, input.userId)
  const submitMonth = input.submitMonth ?? monthIn(now, officer.time_zone)
  const decision = decide('create', factsOfNew(officer, submitMonth), caller, { submitMonth }, now)
  if ('refusal' in decision) throw refusal(decision.refusal, decision.message)

  const rights = await submitRightsOf(tx, officer.id, now)
  const right = rightToSubmit(rights, await quotaUsed(tx, officer.id, submitMonth))
  if ('refusal' in right) throw submitRefusal(right.refusal, caller.role === 'User')
  const isFree = right.right === 'free'

  const id = randomUUID()
  // For a later month these are asked for again when it enters the queue.
  const { turnaroundHours: hours, revisionsPerProject: revisions } = termsOf(rights.plan, right.right)
  const queued = decision.effects.queue === 'end'
  await tx.count(sql`
    insert into project (id, tenant_id, user_id, title, instructions, caption_style, caption_suggestion, submit_month, status,
      queue_position, due_at, is_free, turnaround_hours, revisions_left, due_by, submitted_at, modified_at, version)
    values (${id}, ${officer.tenant_id}, ${officer.id}, ${input.title}, ${input.instructions}, ${input.captionStyle},
      ${input.captionSuggestion ?? null}, ${submitMonth}, ${decision.to}, ${queued ? await queueEnd(tx) : null},
      ${decision.effects.dueAt ?? null}, ${isFree}, ${hours}, ${revisions}, ${queued ? dueBy(now, hours) : null}, ${now}, ${now}, 1)`)
  await useQuota(tx, { id, user_id: officer.id }, submitMonth, right.right)
  if (decision.to !== 7) await markUsed(tx, id, right.right === 'plan' ? rights.subscriptionId : null, now)
  const coverId = await takeSources(tx, { assetIds: input.assets, userId: officer.id, projectId: id, actor: caller })
  await tx.count(sql`update project set cover_id = ${coverId} where id = ${id}`)
  await enqueue(tx, 'first-cut', { projectId: id })
  await record(tx, caller, {
    project: { id, user_id: officer.id, tenant_id: officer.tenant_id, version: 0 },
    verb: 'create',
    from: null,
    to: decision.to,
    now,
    more: { submitMonth, ...(decision.to === 7 ? { waitsFor: submitMonth } : {}) },
  })
  return id
}

type Extra<V extends Verb> = {
  /** The version the caller acted on; a project that moved since is refused. */
  version?: number | undefined
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
  { version, metadata, changes: extra, check }: Extra<V> = {},
): Promise<void> => {
  const locked = await lockProject(tx, caller, projectId)
  if (!locked) throw refusal('project.not-found')
  const undoable = verb === 'rollback' ? ((await undoableStep(tx, projectId)) ?? null) : null
  const cut = judging.has(verb) ? ((await currentCut(tx, caller, projectId)) ?? null) : null
  const file =
    verb === 'send' ? ((await fileToSend(tx, projectId, (input as InputOf<'send'>).finalVideoId)) ?? null) : null
  const project = { ...locked, undoable, cut, file }
  const decision = decide(verb, factsOf(project), caller, input, now)
  if ('refusal' in decision) throw refusal(decision.refusal, decision.message)
  if (version !== undefined && version !== project.version) throw refusal('project.changed')
  await check?.(project, input)

  const { changes, counted } = undoable
    ? await undo(tx, project, undoable, now)
    : await apply(tx, caller, project, verb, decision.to, decision.effects, now)
  const all = { ...changes, ...extra }
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
        ...(undoable ? { undoes: undoable.verb } : {}),
      },
      before: silent.has(verb) ? null : pick(project, changeable),
      counted,
      undoes: undoable?.seq ?? null,
    }),
  ])
  if (!isSaved) throw refusal('project.changed')
}

// What is said of one cut: each carries the number of the cut that it was said of.
const judging: ReadonlySet<Verb> = new Set<Verb>(['approve', 'deny', 'review', 'schedule'])

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
    version,
  }: { finalVideoId: string; olderIsMeant?: boolean | undefined; version?: number | undefined },
  now: Date,
) =>
  advance(tx, caller, projectId, 'send', { finalVideoId, olderIsMeant }, now, {
    version,
    metadata: { finalVideoId },
    check: () => requireCut(tx, { assetId: finalVideoId, projectId }),
  })

/** Throws feedback.no-criterion. The denial keeps the labels of this moment. */
export const deny = async (
  tx: Tx,
  caller: Caller,
  projectId: string,
  { denyFeedback, categories, cut, version }: NonNullable<CallRequest<typeof projects.deny>['body']>,
  now: Date,
) => {
  const feedback = { ...denyFeedback, criteria: await withLabels(tx, denyFeedback.criteria) }
  await advance(tx, caller, projectId, 'deny', { denyFeedback: feedback, categories, cut }, now, {
    version,
    metadata: { categories, denyFeedback: feedback },
    changes: { feedback },
  })
}

export const requestRevision = async (
  tx: Tx,
  caller: Caller,
  projectId: string,
  { revision, cut, version }: { revision: string; cut?: number | undefined; version?: number | undefined },
  now: Date,
) => {
  const before = await lockProject(tx, caller, projectId)
  const attached = before ? await attachComments(tx, projectId, before.version + 1) : []
  await advance(tx, caller, projectId, 'review', { revision, cut }, now, {
    version,
    metadata: { revision, comments: attached.length },
    changes: {
      due_by: before?.turnaround_hours == null ? null : dueBy(now, before.turnaround_hours),
      // What an admin asks for is not counted against the officer's plan.
      ...(caller.role === 'User' && before?.revisions_left != null
        ? { revisions_left: before.revisions_left - 1 }
        : {}),
    },
  })
}

export const assign = (tx: Tx, caller: Caller, projectId: string, editorId: string | null, now: Date) =>
  advance(tx, caller, projectId, 'assign', { editorId }, now, {
    metadata: { editorId },
    // Whoever gets a project must be able to see it.
    check: async (project) => {
      if (editorId === null) return
      const editor = await tx.first(sql`
        select from person where id = ${editorId} and role in ('Editor', 'ADMIN') and not is_disabled
          and (tenant_id is null or tenant_id = ${project.tenant_id}) and ${withinReach(caller)}`)
      if (!editor) throw refusal('account.not-found')
    },
  })

/**
 * A remark on the current cut: by the officer once it is finished, by reviewers any time there is a cut. Refused when it
 * was written of another cut (`about`).
 */
export const comment = async (
  tx: Tx,
  caller: Caller,
  projectId: string,
  { atMs, text, cut: about }: NonNullable<CallRequest<typeof projects.comment>['body']>,
  now: Date,
) => {
  const project = await lockProject(tx, caller, projectId)
  if (!project) throw refusal('project.not-found')
  const cut = await currentCut(tx, caller, projectId)
  if (!cut) throw refusal('project.wrong-status', 'There is no cut to comment on yet.')
  const other = refuseOtherCut({ cut: cutFacts(cut) }, about)
  if (other) throw refusal(other.refusal, other.message)
  const end = (await assetsById(tx, [cut.asset_id])).get(cut.asset_id)?.duration_ms ?? atMs
  // A player's last moment may lie a little behind the length that was measured.
  if (atMs > end + 1000)
    throw refusal('project.beyond-cut', undefined, [{ path: 'body.atMs', message: `The cut is ${end} ms long.` }])
  return (await addComment(tx, project, cut.number, caller, Math.min(atMs, end), text, now))!
}

/**
 * What becomes of an officer's projects when the officer leaves for good: all that are not finished are canceled, as the
 * officer's own step or the ADMIN's; what an editor has begun, which no officer cancels, by the service.
 */
export const closeProjectsOf = async (tx: Tx, caller: Caller, userId: string, now: Date): Promise<void> => {
  const officer: Caller = { id: userId, role: 'User', tenantId: null, roleVersion: null }
  await asService(tx, async () => {
    // Whoever was moved between companies may have left projects where this ADMIN does not reach.
    for (const { id, tenant_id, status } of await openProjectsOf(tx, userId)) {
      const own = status === 0 || status === 7 ? officer : systemCaller
      const by = caller.role === 'ADMIN' && reachesTenant(caller, tenant_id) ? caller : own
      await advance(tx, by, id, 'cancel', {}, now)
    }
    await expireSources(tx, userId, now)
  })
}

/** Gives waiting projects back to the pool whose editor can start them no more; runs as the service. */
export const freeWaitingOf = async (tx: Tx, editorId: string, now: Date): Promise<void> => {
  for (const { id } of await stuckWith(tx, editorId)) await assign(tx, systemCaller, id, null, now)
}

/**
 * Releases and publishes what is due; each project in its own transaction. What no plan covers waits, and is not asked again
 * before that may have changed. One that fails does not hold the others back: it is thrown at the end. Answers how many
 * moved.
 */
export const runDue = async (database: Database, now: Date): Promise<number> => {
  const failed = new Map<string, unknown>()
  for (let moved = 0; ;) {
    let asked: string | undefined
    const outcome = await database
      .asSystem(async (tx) => {
        const due = await nextDueProject(tx, now, [...failed.keys()])
        asked = due?.id
        return due && (await moveDue(tx, due, now))
      })
      .catch((error: unknown) => {
        if (asked === undefined) throw error
        failed.set(asked, error)
        return 'failed' as const
      })
    if (outcome === 'moved') moved++
    if (outcome !== undefined) continue
    if (failed.size > 0)
      throw new AggregateError(
        failed.values(),
        `Due projects that could not be moved: ${[...failed.keys()].join(', ')}`,
      )
    return moved
  }
}

const moveDue = async (tx: Tx, due: DueProject, now: Date): Promise<'moved' | 'waits'> => {
  if (due.final_video_id !== null) {
    await advance(tx, systemCaller, due.id, 'publish', {}, now, {
      metadata: { outcomes: [{ destination: 'download', outcome: 'ready to download and share' }] },
    })
    return 'moved'
  }
  const current = monthIn(now, due.time_zone)
  const found = await rightNow(tx, due, current > due.submit_month ? current : due.submit_month, now)
  if (!('waits' in found)) {
    await advance(tx, systemCaller, due.id, 'release', {}, now)
    return 'moved'
  }
  const nextMonth = startOfMonth(monthAfter(current, 1), due.time_zone)
  if (due.waits_for !== null) await postponeWaiting(tx, due, found.waits, nextMonth, now)
  else await hold(tx, due, found.waits, nextMonth, now)
  return 'waits'
}

/**
 * The project waits, its timeline says why, and its officer is told: once for all that wait for the same month. Asked again
 * after a minute: a plan may have been bought in this very moment.
 */
const hold = async (tx: Tx, due: DueProject, waits: WaitReason, nextMonth: Date, now: Date): Promise<void> => {
  const askAt = new Date(Math.min(now.getTime() + 60_000, nextMonth.getTime()))
  await advance(tx, systemCaller, due.id, 'hold', { waits, askAt: askAt.toISOString() }, now, { metadata: { waits } })
  const notice = {
    kind: 'payments' as const,
    ...waitNotice(waits, due, now),
    cta: { label: 'Open the video', url: `/panel/projects/${due.id}` },
    metadata: { projectId: due.id, waits },
    cause: `waits ${due.user_id} ${due.submit_month}`,
  }
  await enqueue(tx, 'notice', { notice, userIds: [due.user_id] })
}

type FactsRow = ProjectRow & {
  time_zone: string
  undoable: ProjectFacts['undoable']
  cut: CurrentCut | null
  file?: (Pick<CurrentCut, 'uploaded_by' | 'rendered_by' | 'recipe_by'> & { is_older: boolean }) | null
  four_eyes: FourEyes | null
  officer_is_gone?: boolean
}

export const factsOf = (p: FactsRow): ProjectFacts => ({
  status: p.status,
  userId: p.user_id,
  editorId: p.editor_id,
  tenantId: p.tenant_id,
  finalVideoId: p.final_video_id,
  approvedVideoId: p.approved_video_id,
  submitMonth: p.submit_month,
  publishAt: p.publish_at?.toISOString() ?? null,
  dueAt: p.due_at?.toISOString() ?? null,
  editingBegun: p.editing_begun,
  isFree: p.is_free,
  timeZone: p.time_zone,
  revisionsLeft: p.revisions_left,
  undoable: p.undoable,
  cut: p.cut && cutFacts(p.cut),
  file: p.file ? { ...cutAuthors(p.file), isOlder: p.file.is_older } : null,
  fourEyes: p.four_eyes,
  officerIsGone: p.officer_is_gone === true,
})

const cutAuthors = (file: Pick<CurrentCut, 'uploaded_by' | 'rendered_by' | 'recipe_by'>): CutAuthors => ({
  uploadedBy: file.uploaded_by,
  renderedBy: file.rendered_by,
  recipeBy: file.recipe_by,
})

const cutFacts = (cut: CurrentCut): CutFacts => ({
  ...cutAuthors(cut),
  number: cut.number,
  editorId: cut.editor_id,
  sentBy: cut.sent_by,
})

type Officer = { id: string; tenant_id: string | null; time_zone: string }

const officerOf = async (tx: Tx, caller: Caller, userId: string | undefined): Promise<Officer> => {
  if (caller.role === 'User' && userId !== undefined && userId !== caller.id) throw refusal('account.not-found')
  if (caller.role === 'ADMIN' && userId === undefined)
    throw refusal('request.invalid', 'Say for whom: an admin submits on behalf of an officer.', [
      { path: 'body.userId', message: 'Required for an admin' },
    ])
  const officer = await tx.first(sql<Officer>`
    select id, tenant_id, time_zone from person
    where id = ${userId ?? caller.id} and role = 'User' and not is_disabled and ${withinReach(caller)} for update`)
  if (!officer) throw refusal('account.not-found')
  return officer
}

// The wall before people: staff of a tenant reach its people only.
const withinReach = ({ id, role, tenantId }: Caller) =>
  role === 'User'
    ? sql`(/* wall */ id = ${id})`
    : tenantId === null
      ? sql`true`
      : sql`(/* wall */ tenant_id = ${tenantId}::uuid)`

const factsOfNew = (officer: Officer, submitMonth: string): ProjectFacts => ({
  status: 0,
  userId: officer.id,
  editorId: null,
  tenantId: officer.tenant_id,
  finalVideoId: null,
  approvedVideoId: null,
  submitMonth,
  publishAt: null,
  dueAt: null,
  editingBegun: false,
  isFree: false,
  timeZone: officer.time_zone,
  undoable: null,
})

// Steps that change no status leave nothing to roll back.
const silent = new Set<Verb>(['reorder', 'assign', 'rollback', 'create', 'hold'])

const apply = async (
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
  if (effects.publishAt !== undefined)
    changes.publish_at = effects.publishAt === null ? null : new Date(effects.publishAt)
  if (effects.dueAt !== undefined) changes.due_at = effects.dueAt === null ? null : new Date(effects.dueAt)
  if (effects.enters !== undefined) {
    const entered = await enterQueue(tx, project, effects.enters, now)
    if ('waits' in entered) throw waitRefusal(entered.waits)
    if (entered.isMoved) Object.assign(counted, { used: effects.enters, gaveBack: project.submit_month })
    changes.turnaround_hours = entered.terms.turnaroundHours
    changes.revisions_left = entered.terms.revisionsPerProject
  }
  if (effects.expires === 'set') changes.expires_at = new Date(now.getTime() + expiryDays * 86_400_000)
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
    const goal =
      effects.goal && project.editor_id ? { editorId: project.editor_id, sentAt: new Date(cut.sent_at) } : null
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

// Everything the step set goes back to what it was, and everything it counted is taken back.
const undo = async (
  tx: Tx,
  project: Locked,
  step: Undoable,
  now: Date,
): Promise<{ changes: Changes; counted: Counted }> => {
  const { before, counted } = step
  if (counted.goal) await addToGoal(tx, counted.goal, -1)
  if (counted.used !== undefined) await giveQuotaBack(tx, project, counted.used)
  if (counted.gaveBack !== undefined) await countAgain(tx, project, step, counted.gaveBack, now)
  if (step.verb === 'release' || step.verb === 'unschedule') await unmarkUsed(tx, project.id)
  if (counted.cut !== undefined)
    await saveVerdict(tx, project.id, step.verb === 'send' ? 'replaced' : 'waiting', counted.cut)
  // A moment that has passed must not fire again at once: the project stays Scheduled until somebody unschedules it.
  const dueAt = before.due_at && new Date(before.due_at) > now ? before.due_at : null
  // But one that is no longer canceled is asked whether its month has begun.
  const asksAgain = step.verb === 'cancel' && step.from === 7 && project.final_video_id === null
  const begins = startOfMonth(project.submit_month, project.time_zone)
  return { changes: { ...before, waits_for: null, due_at: asksAgain && begins <= now ? now : dueAt }, counted: {} }
}

// A rollback may go one over the limit; what was bought is used before that.
const countAgain = async (tx: Tx, project: Locked, step: Undoable, month: string, now: Date): Promise<void> => {
  const { user_id: userId, is_free: isFree } = project
  // A project that was not the free one does not become it.
  const rights = { ...(await submitRightsOf(tx, userId, now)), freeProjectUsed: true }
  const found = rightToSubmit(rights, await quotaUsed(tx, userId, month))
  const right = isFree ? 'free' : 'refusal' in found ? 'plan' : found.right
  await useQuota(tx, project, month, right, { isAgain: true })
  if (step.from === 0) await markUsed(tx, project.id, right === 'plan' ? rights.subscriptionId : null, now)
}

const placeOf = (tx: Tx, project: ProjectRow, queue: NonNullable<Effects['queue']>): Promise<number | null> | null => {
  if (queue === 'leave') return null
  if (queue === 'end') return queueEnd(tx)
  if (queue === 'first') return returnedFirst(tx, project.editor_id!)
  return freePlace(tx, project.id, queue.position)
}

const record = async (
  tx: Tx,
  caller: Caller,
  step: {
    project: Pick<ProjectRow, 'id' | 'user_id' | 'tenant_id' | 'version'>
    verb: Verb
    from: Status | null
    to: Status
    now: Date
    more?: Record<string, unknown>
    before?: Changes | null
    counted?: Counted | null
    undoes?: number | null
  },
) => {
  const { project, verb, from, to, now } = step
  const seq = project.version + 1
  const { title, description } = workflow[verb]
  const added = addEvent(tx, {
    projectId: project.id,
    seq,
    userId: project.user_id,
    tenantId: project.tenant_id,
    verb,
    from,
    to,
    title,
    description,
    metadata: { verb, actorId: caller.id, actorRole: caller.role, ...step.more },
    caller,
    at: now,
    before: step.before ?? null,
    counted: step.counted ?? null,
    undoes: step.undoes ?? null,
  })
  await Promise.all([added, enqueue(tx, 'project-event', { projectId: project.id, seq })])
}

const dueBy = (now: Date, hours: number): Date => new Date(now.getTime() + hours * 3_600_000)

const pick = <T, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>
