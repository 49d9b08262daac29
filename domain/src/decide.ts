import { monthAfter, monthIn, startOfMonth } from './calendar.ts'
import { canceledDays, expiryDays, type WaitReason } from './plans.ts'
import { mostKept } from './most-kept.ts'
import { isStaff, reachesTenant, servesAll, type Actor, type Role } from './roles.ts'
import { isTooNear, leastMinutesAhead } from './posting.ts'
import { Status, statuses, verbs, workflow, type InputOf, type ReviewedCut, type Rule, type Verb } from './workflow.ts'

/** What a decision reads of a project. Times are ISO instants; `timeZone` is the officer's (IANA). */
export type ProjectFacts = {
  status: Status
  userId: string
  editorId: string | null
  tenantId: string | null
  finalVideoId: string | null
  /** The latest approved cut's file: what the officer gets and what is published. */
  approvedVideoId: string | null
  submitMonth: string
  publishAt: string | null
  dueAt: string | null
  /** When its source files may be removed; absent when nothing depends on it. */
  expiresAt?: string | null
  /** Some edition was started, ever. */
  editingBegun: boolean
  isFree: boolean
  timeZone: string
  /** Revisions the officer may still ask for; null or absent: as many as they like. */
  revisionsLeft?: number | null
  /**
   * The latest step that a rollback would undo, and whether its actor served all tenants; null when only the submission stands.
   * `publishAt`: when the video was to go out before it; absent when nothing depends on it.
   */
  undoable: {
    verb: Verb
    actorId: string
    from: Status
    actorServesAll: boolean
    publishAt?: string | null
  } | null
  /** The current cut, where a verb asks about it; null or absent when there is none, or when nothing depends on it. */
  cut?: CutFacts | null
  /** The file that is being sent; absent when no file is named yet. */
  file?: FileFacts | null
  /** What the officer's company wants; the service's own way where it says nothing. */
  fourEyes?: FourEyes | null
  /** The officer's account was removed. */
  officerIsGone?: boolean
  /** The steps that its record holds; absent when nothing depends on it. */
  steps?: number
}

/**
 * How many people a video needs. `author-and-approver`: whoever approves a cut had no part in it, its sending included.
 * `three-people`: beside that, whoever sends it is not its author.
 */
export const fourEyesValues = ['author-and-approver', 'three-people'] as const
export type FourEyes = (typeof fourEyesValues)[number]

/** Whose work a file is. */
export type CutAuthors = {
  /** Who uploaded its file; null when that is not known. */
  uploadedBy: string | null
  /** Who asked for the render that made its file; null when it was made elsewhere. */
  renderedBy: string | null
  /** Who changed the project's edit before the cut was sent. */
  recipeBy: readonly string[]
}

/**
 * `isOlder`: it was rendered from another recipe than the edit has now. `reviewedAs`: the number of the cut as which the file was
 * approved or denied.
 */
export type FileFacts = CutAuthors & { isOlder?: boolean; reviewedAs?: number | null }

/** The latest cut whose sending stands, and everybody who had a part in it. */
export type CutFacts = CutAuthors & {
  /** Counts the cuts of a project from 1. A number names one sending of one file for good. */
  number: number
  /** The project's editor when it was sent. */
  editorId: string
  sentBy: string
}

/**
 * What a transition changes. Absent means untouched.
 * `queue`: enter at the end, go first among its editor's work, leave, or take a position.
 * `quota`: months whose quota is used or given back, for the project's officer. `enters`: a project that waited for a month
 * enters the queue in this one, if its officer has the right. `goal`: the editor's progress.
 */
export type Effects = {
  editorId?: string | null
  finalVideoId?: string | null
  submitMonth?: string
  publishAt?: string | null
  dueAt?: string | null
  queue?: 'end' | 'first' | 'leave' | { position: number }
  quota?: { use?: string; giveBack?: string }
  enters?: string
  waitsFor?: WaitReason
  goal?: 1 | -1
  /** So many days from now the source files may be removed. */
  expiresInDays?: number
}

export type WorkflowRefusal =
  | 'project.not-found'
  | 'project.forbidden'
  | 'project.wrong-status'
  | 'project.own-edit'
  | 'project.other-cut'
  | 'project.older-render'
  | 'project.same-cut'
  | 'project.claimed'
  | 'project.nothing-to-roll-back'
  | 'project.month-past'
  | 'project.month-far'
  | 'project.time-past'
  | 'project.time-near'
  | 'project.no-editor'
  | 'project.revisions-used'
  | 'project.too-many-steps'

export type Decision = { to: Status; effects: Effects } | { refusal: WorkflowRefusal; message: string }

/**
 * May this actor do this verb on this project now, whatever the input? Null when yes.
 * A project outside the actor's reach is `project.not-found`: absent and forbidden look the same.
 */
export const refuse = (
  verb: Verb,
  project: ProjectFacts,
  actor: Actor,
): Extract<Decision, { refusal: unknown }> | null => {
  const rule: Rule = workflow[verb]
  const reach = rule.who[actor.role]
  if (reach === undefined) return no('project.forbidden', 'Your role does not do this.')
  const inReach = reach === 'own' ? project.userId === actor.id : reachesTenant(actor, project.tenantId)
  if (!inReach) return no('project.not-found', 'There is no such project.')
  const from = rule.fromFor?.[actor.role] ?? rule.from
  // Only create starts from nothing.
  if (verb !== 'create' && !from.includes(project.status)) return wrongStatus(verb, project.status)
  if (reach === 'edits' && project.editorId !== actor.id)
    return no('project.claimed', 'Another editor has this project.')
  if (reach === 'unclaimed' && !isFreeFor(project, actor))
    return no('project.claimed', 'Another editor has this project.')
  return special[verb]?.(project, actor) ?? refuseMoreSteps(verb, project, actor)
}

/**
 * A record that is full takes nothing more from people than its end; what the service does goes on. The last of its steps are
 * for staff: an officer leaves them enough to finish what was begun.
 */
const refuseMoreSteps = (verb: Verb, { steps = 0 }: ProjectFacts, { role }: Actor): ReturnType<typeof no> | null =>
  steps < mostKept.steps - reserveBefore(verb, role) || verb === 'cancel' || role === 'SYSTEM'
    ? null
    : no('project.too-many-steps', 'The record of this video is full. Send in a new video for what is left to do.')

/** The steps that a verb leaves: the last ones finish what was begun, and begin nothing. */
const reserveBefore = (verb: Verb, role: Role): number => {
  if (!isStaff(role)) return mostKept.stepsOfStaff
  return finishing.includes(verb) ? 0 : mostKept.stepsToFinish
}
const finishing: readonly Verb[] = ['send', 'approve', 'deny']

/** The whole decision for one verb. `now` is the moment of the transition. */
export const decide = <V extends Verb>(
  verb: V,
  project: ProjectFacts,
  actor: Actor,
  input: InputOf<V>,
  now: Date,
): Decision =>
  refuse(verb, project, actor) ??
  refuseOtherCut(project, (input as ReviewedCut).cut) ??
  outcomes[verb](project, actor, input as never, now)

/** The verbs this actor may do on this project now, for the panel's buttons. */
export const actionsFor = (project: ProjectFacts, actor: Actor): Verb[] =>
  verbs.filter((verb) => verb !== 'create' && refuse(verb, project, actor) === null)

/** The verbs whose time it is, which this actor may not do because of their own part in the cut; each with the reason. */
export const withheldFrom = (project: ProjectFacts, actor: Actor): { verb: Verb; reason: string }[] =>
  verbs.flatMap((verb) => {
    const refused = verb === 'create' ? null : refuse(verb, project, actor)
    return refused?.refusal === 'project.own-edit' ? [{ verb, reason: refused.message }] : []
  })

/** Refuses what was decided about another cut than the current one; null when it is the same, or none was named. */
export const refuseOtherCut = (
  { cut }: Pick<ProjectFacts, 'cut'>,
  reviewedCut: number | undefined,
): Extract<Decision, { refusal: unknown }> | null =>
  reviewedCut === undefined || reviewedCut === cut?.number
    ? null
    : no(
        'project.other-cut',
        cut
          ? `Cut ${cut.number} is the current one, not cut ${reviewedCut}. Watch cut ${cut.number}, then decide.`
          : `Cut ${reviewedCut} is not the current one any more. Look at the project again.`,
      )

/**
 * Whether a wish of this actor's counts against the revisions of the plan: an officer's and their company's ADMIN's do, the
 * service's own do not.
 */
export const usesRevision = (
  actor: Pick<Actor, 'role' | 'tenantId'>,
  left: number | null | undefined,
): left is number => !servesAll(actor) && typeof left === 'number'

const no = (refusal: WorkflowRefusal, message: string) => ({ refusal, message })

const wrongStatus = (verb: Verb, status: Status) =>
  no('project.wrong-status', `“${workflow[verb].label}” is not possible: the project is ${statuses[status]}.`)

// A fresh project is anyone's unless it was assigned; denied and revision work stays with the editor who had it.
const isFreeFor = (project: ProjectFacts, actor: Actor): boolean =>
  project.editorId === actor.id || (project.editorId === null && project.status === Status.submitted)

/** Four eyes: the parts that somebody may have had in a cut, the most telling first, as they are told of it. */
type Part = { is: (who: string, project: ProjectFacts, cut: Partial<CutFacts>) => boolean; fact: string }
const authorship: readonly Part[] = [
  { is: (who, _project, cut) => cut.renderedBy === who, fact: 'You rendered this cut.' },
  { is: (who, _project, cut) => cut.uploadedBy === who, fact: 'You uploaded this cut.' },
  { is: (who, _project, cut) => cut.recipeBy?.includes(who) ?? false, fact: 'You changed the edit of this cut.' },
  {
    is: (who, project, cut) => cut.editorId === who || project.editorId === who,
    fact: 'You are the editor of this video.',
  },
]
const parts: readonly Part[] = [
  ...authorship,
  { is: (who, _project, cut) => cut.sentBy === who, fact: 'You sent this cut to approval.' },
  { is: (who, project) => project.userId === who, fact: 'This is your own video.' },
]

const special: Partial<Record<Verb, (project: ProjectFacts, actor: Actor) => ReturnType<typeof no> | null>> = {
  approve: (project, actor) => {
    // Whose work it is has to be known before anybody approves it.
    if (!project.cut || project.cut.uploadedBy === null) return wrongStatus('approve', project.status)
    const part = parts.find(({ is }) => is(actor.id, project, project.cut!))
    return part ? no('project.own-edit', `${part.fact} Somebody else approves it.`) : null
  },
  send: (project, actor) => {
    if (project.fourEyes !== 'three-people') return null
    const part = authorship.find(({ is }) => is(actor.id, project, project.file ?? {}))
    return part ? no('project.own-edit', `${part.fact} In this company somebody else sends it to approval.`) : null
  },
  schedule: (project) => (isApproved(project) ? null : wrongStatus('schedule', project.status)),
  review: (project, actor) => {
    if (project.finalVideoId === null) return wrongStatus('review', project.status)
    return usesRevision(actor, project.revisionsLeft) && project.revisionsLeft <= 0
      ? no(
          'project.revisions-used',
          'The revisions of this video are used up, and another plan counts only for videos that join the queue later. Write to us where this one still needs a change.',
        )
      : null
  },
  release: (project) => (project.finalVideoId !== null ? wrongStatus('release', project.status) : null),
  reschedule: (project) => (isApproved(project) ? null : wrongStatus('reschedule', project.status)),
  publish: (project) => (isApproved(project) ? null : wrongStatus('publish', project.status)),
  reorder: (_project, actor) =>
    servesAll(actor)
      ? null
      : no(
          'project.forbidden',
          'One queue holds the videos of all companies, so only the service’s admin moves them. Write to us.',
        ),
  hold: (project) => (project.finalVideoId !== null ? wrongStatus('hold', project.status) : null),
  rollback: (project, actor) => {
    const last = project.undoable
    if (last === null)
      return no('project.nothing-to-roll-back', 'There is no step to undo: the project was only submitted.')
    if (last.verb === 'cancel' && project.officerIsGone === true)
      return no('project.nothing-to-roll-back', 'The officer’s account is gone. What was canceled then stays canceled.')
    if (last.actorServesAll && servedWork.has(last.verb) && !servesAll(actor))
      return no(
        'project.forbidden',
        'People of the service did this step, so only the service’s admin can undo it. Write to us.',
      )
    if (isWayBack(last.verb, project) && project.editingBegun)
      return no(
        'project.nothing-to-roll-back',
        'This video was made since it joined the queue, so it keeps its place in this month. Cancel it if nobody wants it.',
      )
    const ownReview = (last.verb === 'approve' || last.verb === 'deny') && last.actorId === actor.id
    return actor.role === 'QA' && !ownReview
      ? no('project.forbidden', 'You can roll back only your own approval or denial. Ask an admin.')
      : null
  },
}

/** Whether undoing this step takes a video out of the queue again, to wait for its month: what it used is used no more. */
const isWayBack = (undone: Verb, { finalVideoId }: Pick<ProjectFacts, 'finalVideoId'>): boolean =>
  finalVideoId === null && (undone === 'release' || undone === 'unschedule')

/** Whether a step may take a project's right away: whoever takes it makes sure that nothing is made of it any more. */
export const mayEndRight = (verb: Verb, project: Pick<ProjectFacts, 'finalVideoId' | 'undoable'>): boolean =>
  verb === 'cancel' || (verb === 'rollback' && project.undoable !== null && isWayBack(project.undoable.verb, project))

// What the people who serve all companies do on a video: a company takes none of it back.
const servedWork: ReadonlySet<Verb> = new Set<Verb>(['start', 'send', 'approve', 'deny'])

// What goes out is the very file that was approved.
const isApproved = ({ finalVideoId, approvedVideoId }: ProjectFacts): boolean =>
  approvedVideoId !== null && approvedVideoId === finalVideoId

/** So many months ahead a project may be submitted: a year's, as long as the longest billing period. */
export const monthsAhead = 12

type Outcome<V extends Verb> = (project: ProjectFacts, actor: Actor, input: InputOf<V>, now: Date) => Decision

const outcomes: { [V in Verb]: Outcome<V> } = {
  create: (project, _actor, { submitMonth }, now) => {
    const current = monthIn(now, project.timeZone)
    if (submitMonth < current)
      return no('project.month-past', `The month ${submitMonth} is over. Choose ${current} or later.`)
    const last = monthAfter(current, monthsAhead)
    if (submitMonth > last)
      return no('project.month-far', `The month ${submitMonth} is too far ahead. Choose ${last} or earlier.`)
    return submitMonth > current
      ? {
          to: Status.scheduled,
          effects: { quota: { use: submitMonth }, dueAt: startOfMonth(submitMonth, project.timeZone).toISOString() },
        }
      : { to: Status.submitted, effects: { quota: { use: submitMonth }, queue: 'end' } }
  },
  release: (project, _actor, _input, now) => {
    const current = monthIn(now, project.timeZone)
    // An officer who moved westward may be in the month before still.
    const month = current > project.submitMonth ? current : project.submitMonth
    return { to: Status.submitted, effects: { submitMonth: month, queue: 'end', dueAt: null, enters: month } }
  },
  hold: (_project, _actor, { waits, askAt }) => ({ to: Status.scheduled, effects: { dueAt: askAt, waitsFor: waits } }),
  start: (_project, actor) => ({ to: Status.inProgress, effects: { editorId: actor.id, queue: 'leave' } }),
  send: (project, actor, { finalVideoId, olderIsMeant }) =>
    project.file?.reviewedAs
      ? no(
          'project.same-cut',
          `This file was judged as cut ${project.file.reviewedAs} already. Change the edit and render it again, or upload another file.`,
        )
      : project.file?.isOlder && !olderIsMeant
        ? no(
            'project.older-render',
            'The edit was changed after this file was rendered. Render it again to send what the edit shows now.',
          )
        : {
            to: Status.waitingApproval,
            // An ADMIN who sends a cut of somebody else's project does not become its editor.
            effects: { finalVideoId, editorId: project.editorId ?? actor.id },
          },
  approve: (project, _actor, { publishAt }, now) => {
    if (publishAt !== undefined && Date.parse(publishAt) <= now.getTime()) return timePast
    const at = publishAt ?? project.publishAt
    const ahead = at !== null && Date.parse(at) > now.getTime()
    return ahead
      ? { to: Status.scheduled, effects: { publishAt: at, dueAt: at, goal: 1, expiresInDays: expiryDays } }
      : { to: Status.completed, effects: { publishAt: null, dueAt: null, goal: 1, expiresInDays: expiryDays } }
  },
  deny: () => ({ to: Status.denied, effects: { queue: 'first' } }),
  // The publishing time stands through a revision: an approval before it goes back to Scheduled by itself.
  review: () => ({ to: Status.revisioning, effects: { queue: 'first', dueAt: null } }),
  schedule: (_project, _actor, { publishAt }, now) =>
    Date.parse(publishAt) <= now.getTime()
      ? timePast
      : { to: Status.scheduled, effects: { publishAt, dueAt: publishAt } },
  reschedule: (project, _actor, { publishAt }, now) =>
    isTooNear(new Date(project.publishAt!), now)
      ? no(
          'project.time-near',
          `A video that goes out within ${leastMinutesAhead} minutes, or whose time has come, is not moved any more. Unschedule it to choose another time.`,
        )
      : isTooNear(new Date(publishAt), now)
        ? no('project.time-past', `Choose a time that is at least ${leastMinutesAhead} minutes ahead.`)
        : { to: Status.scheduled, effects: { publishAt, dueAt: publishAt } },
  unschedule: (project, _actor, _input, now) => {
    if (project.finalVideoId !== null) return { to: Status.completed, effects: { publishAt: null, dueAt: null } }
    const current = monthIn(now, project.timeZone)
    return { to: Status.submitted, effects: { submitMonth: current, dueAt: null, queue: 'end', enters: current } }
  },
  publish: () => ({ to: Status.completed, effects: { publishAt: null, dueAt: null } }),
  cancel: (project) => ({
    to: Status.canceled,
    effects: {
      queue: 'leave',
      publishAt: null,
      dueAt: null,
      expiresInDays: canceledDays,
      ...(project.editingBegun ? {} : { quota: { giveBack: project.submitMonth } }),
    },
  }),
  // What is restored beyond the status comes from the undone step's own record: see `advance`.
  rollback: (project, _actor, _input, now) =>
    project.undoable!.verb === 'cancel' && project.expiresAt && Date.parse(project.expiresAt) <= now.getTime()
      ? no(
          'project.nothing-to-roll-back',
          `The files of a canceled video are removed after ${canceledDays} days, so this one cannot be brought back. Send it in again.`,
        )
      : whereItWas(project, now),
  reorder: (_project, _actor, { position }) => ({ to: Status.submitted, effects: { queue: { position } } }),
  assign: (project, _actor, { editorId }) =>
    editorId === null && project.status !== Status.submitted
      ? no('project.no-editor', 'A project that was begun needs an editor. Choose one.')
      : { to: project.status, effects: { editorId } },
}

// A time that has passed does not come again: what was scheduled for it is finished, as by an approval after it.
const whereItWas = ({ undoable, finalVideoId }: ProjectFacts, now: Date): Decision => {
  const { from, publishAt } = undoable!
  if (from !== Status.scheduled || finalVideoId === null) return { to: from, effects: {} }
  return publishAt && Date.parse(publishAt) > now.getTime()
    ? { to: from, effects: { dueAt: publishAt } }
    : { to: Status.completed, effects: { publishAt: null, dueAt: null } }
}

const timePast = no('project.time-past', 'That time has passed. Choose a time in the future.')
