import type { Role } from './roles.ts'
import type { WaitReason } from './plans.ts'

/** Project statuses (docs/specification/workflow.md). The number is what the wire and the database carry, and stands only here. */
export const Status = {
  submitted: 0,
  inProgress: 1,
  completed: 2,
  waitingApproval: 3,
  denied: 4,
  revisioning: 5,
  canceled: 6,
  scheduled: 7,
} as const
export type Status = (typeof Status)[keyof typeof Status]
export const statusValues = Object.values(Status)

/** As people read them. */
export const statuses = {
  [Status.submitted]: 'Submitted',
  [Status.inProgress]: 'In Progress',
  [Status.completed]: 'Completed',
  [Status.waitingApproval]: 'Waiting Approval',
  [Status.denied]: 'Denied',
  [Status.revisioning]: 'Revisioning',
  [Status.canceled]: 'Canceled',
  [Status.scheduled]: 'Scheduled',
} as const satisfies Record<Status, string>

/** Whose project a role may act on: its own as the officer, one it edits, one nobody else edits, or any within its tenancy. */
type Reach = 'own' | 'edits' | 'unclaimed' | 'any'

export type Rule = {
  /** Statuses the verb may start from; empty for create, which starts from nothing. */
  from: readonly Status[]
  /** Roles, and which projects of theirs. A role that is absent may never do it. */
  who: Readonly<Partial<Record<Role, Reach>>>
  /** Narrower statuses for one role. */
  fromFor?: Readonly<Partial<Record<Role, readonly Status[]>>>
  /** A rollback passes over it and undoes the step before. */
  isSilent?: true
  /** It is said of the current cut, and its record carries that cut's number. */
  isOfCut?: true
  /** The button's words. */
  label: string
  /** What the timeline says; names are left out, because the record outlives the person. */
  title: string
  description: string
}

/**
 * THE workflow: the only place where a transition is written (docs/specification/workflow.md).
 * The API, the panel's buttons, the timeline's texts, the access table and the tests all read it.
 */
export const workflow = {
  create: {
    from: [],
    who: { User: 'own', ADMIN: 'any' },
    isSilent: true,
    label: 'New video',
    title: 'Submitted',
    description: 'The video was sent in.',
  },
  release: {
    from: [Status.scheduled],
    who: { SYSTEM: 'any' },
    label: 'Release',
    title: 'Entered the queue',
    description: 'Its month has begun, so the video joined the editing queue.',
  },
  hold: {
    from: [Status.scheduled],
    who: { SYSTEM: 'any' },
    isSilent: true,
    label: 'Wait',
    title: 'Waits for a plan',
    description: 'Its month has begun, but no plan covers it. It joins the queue by itself as soon as one does.',
  },
  start: {
    from: [Status.submitted, Status.denied, Status.revisioning],
    who: { Editor: 'unclaimed', ADMIN: 'any' },
    label: 'Start editing',
    title: 'Editing started',
    description: 'An editor is working on the video.',
  },
  send: {
    from: [Status.inProgress],
    who: { Editor: 'edits', ADMIN: 'any' },
    label: 'Send to approval',
    title: 'Sent to approval',
    description: 'A finished cut waits for approval.',
  },
  approve: {
    from: [Status.waitingApproval],
    who: { QA: 'any', ADMIN: 'any' },
    label: 'Approve',
    title: 'Approved',
    description: 'The cut passed review.',
    isOfCut: true,
  },
  deny: {
    from: [Status.waitingApproval],
    who: { QA: 'any', ADMIN: 'any' },
    label: 'Deny',
    title: 'Denied',
    description: 'The cut goes back to its editor with feedback.',
    isOfCut: true,
  },
  review: {
    from: [Status.completed, Status.scheduled],
    who: { User: 'own', ADMIN: 'any' },
    label: 'Request a revision',
    title: 'Revision requested',
    description: 'A change was asked for.',
    isOfCut: true,
  },
  schedule: {
    from: [Status.completed],
    who: { User: 'own', ADMIN: 'any' },
    label: 'Schedule',
    title: 'Scheduled',
    description: 'At the chosen time it is posted, or ready to download and share.',
    isOfCut: true,
  },
  unschedule: {
    from: [Status.scheduled],
    who: { User: 'own', QA: 'any', ADMIN: 'any' },
    label: 'Unschedule',
    title: 'Unscheduled',
    description: 'The schedule was taken back.',
  },
  reschedule: {
    from: [Status.scheduled],
    // What is posted where and when is its officer's alone.
    who: { User: 'own' },
    isSilent: true,
    label: 'Move to…',
    title: 'Moved to another time',
    description: 'It goes out at another time, and so do its posts that were due with it.',
  },
  publish: {
    from: [Status.scheduled],
    who: { SYSTEM: 'any' },
    label: 'Publish',
    title: 'Ready to post',
    description: 'The scheduled time came. The video is ready to download and share.',
  },
  cancel: {
    from: [
      Status.submitted,
      Status.inProgress,
      Status.waitingApproval,
      Status.denied,
      Status.revisioning,
      Status.scheduled,
    ],
    // SYSTEM: when the officer is removed, and when no plan came for a video that waited.
    who: { User: 'own', ADMIN: 'any', SYSTEM: 'any' },
    fromFor: { User: [Status.submitted, Status.scheduled] },
    label: 'Cancel',
    title: 'Canceled',
    description: 'The video was canceled.',
  },
  rollback: {
    from: statusValues,
    who: { QA: 'any', ADMIN: 'any' },
    isSilent: true,
    label: 'Roll back',
    title: 'Rolled back',
    description: 'The last step was undone.',
  },
  reorder: {
    from: [Status.submitted],
    who: { ADMIN: 'any' },
    isSilent: true,
    label: 'Move in the queue',
    title: 'Moved in the queue',
    description: 'The place in the queue changed.',
  },
  assign: {
    from: [Status.submitted, Status.inProgress, Status.denied, Status.revisioning],
    who: { ADMIN: 'any', SYSTEM: 'any' },
    isSilent: true,
    label: 'Assign an editor',
    title: 'Assigned',
    description: 'The video was given to an editor.',
  },
} as const satisfies Record<string, Rule>

export type Verb = keyof typeof workflow
export const verbs = Object.keys(workflow) as Verb[]

/** Whether the verb is said of the current cut. */
export const isOfCut = (verb: Verb): boolean => (workflow[verb] as Rule).isOfCut === true

/** Whether a rollback may take this step back. */
export const isStep = (verb: Verb): boolean => !(workflow[verb] as Rule).isSilent

/** `cut`: the number of the cut that the caller judges; refused when another one is the current cut. */
export type ReviewedCut = { cut?: number | undefined }

/**
 * What the officer reads of a step's record; everything else stays between staff. A file's id is not here: it leads to the
 * file, and an officer gets a cut when it is approved.
 */
export const officerReads: ReadonlySet<string> = new Set([
  'verb',
  'actorId',
  'actorRole',
  'undoes',
  'submitMonth',
  'waitsFor',
  'editorId',
  'cut',
  'publishAt',
  'destinations',
  'outcomes',
  'revision',
  'comments',
])

/** What each verb needs from its caller. Verbs without a row need nothing. */
export type Inputs = {
  create: { submitMonth: string }
  /** `askAt`: when it is asked again at the latest. */
  hold: { waits: WaitReason; askAt: string }
  /** `olderIsMeant`: the sender knows that the edit was changed after this file was rendered. */
  send: { finalVideoId: string; olderIsMeant?: boolean | undefined }
  approve: ReviewedCut & { publishAt?: string | undefined }
  deny: ReviewedCut & { denyFeedback: unknown; categories: readonly string[] }
  review: ReviewedCut & { revision: string }
  schedule: ReviewedCut & { publishAt: string; destinations: readonly string[] }
  reschedule: { publishAt: string }
  reorder: { position: number }
  assign: { editorId: string | null }
}
export type InputOf<V extends Verb> = V extends keyof Inputs ? Inputs[V] : Record<never, never>
