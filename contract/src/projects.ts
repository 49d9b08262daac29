import { z } from 'zod'
import { captionStyleValues } from '@clear-to-post/domain/captions'
import { monthPattern } from '@clear-to-post/domain/calendar'
import { denyCategoryValues } from '@clear-to-post/domain/feedback'
import { networkNames } from '@clear-to-post/domain/networks'
import { waitReasons } from '@clear-to-post/domain/plans'
import { statusValues, verbs, type Verb } from '@clear-to-post/domain/workflow'
import { Asset, AssetId } from './assets.ts'
import { call } from './call.ts'
import { commentCalls } from './comments.ts'
import { isOurEra } from './era.ts'
import { Feedback, NewFeedback } from './feedback.ts'
import { PageQuery, pageOf } from './page.ts'
import { NewPost } from './publishing.ts'
import { line, visible, visibleText } from './visible.ts'

export const ProjectId = z.uuid()
export const Status = z.literal(statusValues)
export const CaptionStyle = z.literal(captionStyleValues)
export const Month = z
  .string()
  .regex(monthPattern, 'Write the month as YYYY-MM')
  .describe('A month as YYYY-MM, such as 2026-11')
/** A moment to publish at, with any offset; in UTC its year still has four digits. */
export const PublishAt = z.iso.datetime({ offset: true }).refine(isOurEra, 'Choose an earlier time')
/** Where a scheduled video goes: to its officer's hands, or to a network. */
export const Destination = z.enum(['download', ...networkNames])

/** What a Home Tour shows of the house. */
export const Tour = z.strictObject({
  address: line(120),
  price: line(40),
  beds: line(20),
  baths: line(20).default(''),
})

export const TimelineItem = z.object({
  status: Status,
  title: z.string(),
  description: z.string(),
  timestamp: z.iso.datetime(),
  /** Always `verb`, `actorId` and `actorRole`; further keys by verb: `cut` is the number of the cut it sent or judged. */
  metadata: z.record(z.string(), z.unknown()),
  /** A program did it, by this API key of its actor's. Without a name: it is gone, or the reader may not see whose keys are there. */
  key: z.object({ name: z.string().optional() }).optional(),
})

export const Project = z.object({
  id: ProjectId,
  title: z.string(),
  instructions: z.string(),
  submitMonth: Month,
  captionStyle: CaptionStyle,
  finalVideoId: AssetId.optional(),
  thumbnailUrl: z.string().optional(),
  modified: z.iso.datetime(),
  feedback: Feedback.optional(),
  captionSuggestion: z.string().optional(),
  editorId: z.uuid().optional(),
  userId: z.uuid(),
  assets: z.array(Asset).optional(),
  /** When source files may be removed; null until the video is approved or canceled. */
  expirationTimestamp: z.iso.datetime().nullable(),
  isFree: z.boolean().optional(),
  /** Every step; in lists the newest 20, without what a denial said (the latest is `feedback`). */
  timeline: z.array(TimelineItem),
  submitTimestamp: z.iso.datetime(),
  tenantId: z.uuid().optional(),
  status: Status,

  /** Beyond the specification, for the panel. */
  userName: z.string().optional(),
  editorName: z.string().optional(),
  publishAt: z.iso.datetime().optional(),
  destinations: z.array(Destination).optional(),
  /** Counts up with every change; send it back as `seq` to be refused when the project moved meanwhile. */
  seq: z.number().int(),
  /** How many cuts were sent to approval. */
  cuts: z.number().int(),
  /** The number of the cut that counts now: the latest one whose sending stands; to officers the latest approved one. */
  currentCut: z.number().int().optional(),
  /** Its month has begun, but it waits outside the queue, because no plan covers it. It goes on by itself as soon as one does. */
  waitsFor: z.enum(waitReasons).optional(),
  /** When the plan promises the cut; absent when nothing is promised. */
  dueBy: z.iso.datetime().optional(),
  /** `position` on the queue's own scale (for reorder), `place` counted from 1; only on single projects, capped at 1000. */
  queue: z.object({ position: z.number(), place: z.number().int().optional() }).optional(),
  tour: Tour.optional(),
  /** So many changes of the finished video may still be asked for; absent where nothing limits them. */
  revisionsLeft: z.number().int().optional(),
  /** On single projects, to who works on them: of the officer's brand kit what is no colour and no logo. */
  kit: z
    .object({
      bRoll: z.string().optional(),
      facebookLink: z.string().optional(),
      instagramLink: z.string().optional(),
      guidelinesUrl: z.string().optional(),
    })
    .optional(),
  /** To the officer, on single projects: the video is finished, and they want to be asked what they think of it. */
  asksAnswer: z.boolean().optional(),
  /** What the officer thinks of the finished video: points from 0 to 10. */
  answer: z.object({ score: z.number().int(), words: z.string().optional(), at: z.iso.datetime() }).optional(),
  /** What the caller may do now. */
  actions: z.array(z.enum(verbs as [Verb, ...Verb[]])),
  /**
   * Ready cuts that were not sent yet, oldest first; on single projects, to whoever may send one. `isOlder`: the edit was
   * changed after it was rendered.
   */
  unsentCuts: z.array(Asset.extend({ isOlder: z.boolean() })).optional(),
  /** What the caller may not do because the cut is partly their own work, and why. */
  withheld: z.array(z.object({ verb: z.enum(verbs as [Verb, ...Verb[]]), reason: z.string() })).optional(),
})
export type Project = z.infer<typeof Project>

/** A cut that was sent to approval. Cuts are never replaced. */
export const Cut = z.object({
  number: z.number().int(),
  asset: Asset,
  sentAt: z.iso.datetime(),
  editorId: z.uuid(),
  verdict: z.enum(['waiting', 'approved', 'denied', 'replaced']),
})

const inProject = z.object({ projectId: ProjectId })
const inUser = z.object({ userId: z.uuid() })
/** Optional guard against acting on a stale view. */
const seq = z.number().int().optional()
/** The cut that is judged, by its number; refused when another one is the current cut by then. Absent: the current one. */
const cut = z.number().int().min(1).optional()
/** The right to submit, month by month: this one and the next five. */
const Allowance = z.object({
  months: z.array(
    z.object({
      month: Month,
      used: z.number().int(),
      allowed: z.number().int(),
      /** `extra`: on a video bought by itself. */
      right: z.enum(['plan', 'free', 'extra', 'none']),
      /** Of `used`, so many wait although their month has begun. */
      held: z.number().int(),
      /** What a video sent in now needs when that month begins: a plan; `renewal`: a plan beyond the one that stops before. */
      needs: z.enum(['nothing', 'plan', 'renewal']),
    }),
  ),
})

const projectPage = {
  filters: {
    status: 'number',
    userId: 'uuid',
    editorId: 'uuid',
    tenantId: 'uuid',
    submitMonth: 'text',
    title: 'text',
    submitTimestamp: 'time',
    modified: 'time',
    answerScore: 'number',
    answered: 'time',
    dueBy: 'time',
    publishAt: 'time',
    isAssigned: 'boolean',
    /** In the title, or in the name of an officer whom the caller reaches. */
    search: 'search',
  },
  orders: ['submitTimestamp', 'modified', 'position', 'answered'],
  defaultOrder: 'submitTimestamp:desc',
} as const

export const projects = {
  list: call({
    method: 'GET',
    path: '/projects/list',
    summary: 'Projects I may see: my own, the ones I edit and the pool, or all',
    access: 'project.list',
    query: PageQuery,
    page: projectPage,
    returns: pageOf(Project),
    refuses: [],
  }),
  find: call({
    method: 'GET',
    path: '/projects/:projectId/',
    summary: 'One project with its files and its place in the queue',
    access: 'project.read',
    params: inProject,
    returns: Project,
    refuses: ['project.not-found'],
  }),
  next: call({
    method: 'GET',
    path: '/projects/:userId/next',
    summary: 'What this editor would start next: a look, not a claim',
    access: 'project.next',
    params: inUser,
    returns: Project,
    refuses: ['project.queue-empty', 'account.not-found'],
  }),
  create: call({
    method: 'POST',
    path: '/projects/create',
    summary: 'Submit a video',
    access: 'project.create',
    needsVerifiedAddress: true,
    body: z.strictObject({
      title: visible(120),
      instructions: z.string().trim().max(5000).default(''),
      captionStyle: CaptionStyle.default(1),
      submitMonth: Month.optional(),
      captionSuggestion: z.string().trim().max(5000).optional(),
      tour: Tour.optional(),
      assets: z.array(AssetId).min(1).max(20),
      /** An ADMIN submits on behalf of this person. */
      userId: z.uuid().optional(),
    }),
    returns: Project,
    creates: true,
    refuses: [
      'asset.not-found',
      'asset.not-ready',
      'asset.not-a-video',
      'asset.in-use',
      'account.not-found',
      'account.not-confirmed',
      'project.month-past',
      'project.month-far',
      'project.too-many-today',
      'project.ahead-full',
      'project.quota-used',
      'project.seats-used',
      'project.payments-used',
      'project.no-plan',
      'subscription.changing',
    ],
  }),
  reorder: call({
    method: 'POST',
    path: '/projects/reorder/',
    summary: 'Move a project in the queue',
    access: 'project.reorder',
    body: z.strictObject({ projectId: ProjectId, position: z.number().min(-1e15).max(1e15) }),
    returns: Project,
    refuses: ['project.not-found', 'project.forbidden', 'project.wrong-status', 'project.too-many-steps'],
  }),
  start: call({
    method: 'PUT',
    path: '/projects/edition/start/',
    summary: 'Start editing a project, or the next one',
    access: 'project.start',
    body: z.strictObject({ projectId: ProjectId.optional() }).optional(),
    returns: Project,
    refuses: [
      'project.not-found',
      'project.wrong-status',
      'project.claimed',
      'project.queue-empty',
      'project.too-many-steps',
    ],
  }),
  send: call({
    method: 'PUT',
    path: '/projects/:projectId/sendToApproval/',
    summary: 'Send a finished cut to approval',
    access: 'project.send',
    params: inProject,
    body: z.strictObject({
      finalVideoId: AssetId,
      /** The edit was changed after this file was rendered, and the file is meant all the same; else it is refused. */
      olderIsMeant: z.boolean().optional(),
      seq,
    }),
    returns: Project,
    refuses: [
      'project.not-found',
      'project.wrong-status',
      'project.claimed',
      'project.own-edit',
      'project.changed',
      'project.older-render',
      'project.same-cut',
      'asset.not-found',
      'asset.not-ready',
      'asset.not-a-video',
      'project.cuts-full',
      'project.too-many-steps',
    ],
  }),
  approve: call({
    method: 'POST',
    path: '/projects/:projectId/approve/',
    summary: 'Approve the cut that waits for approval, now or for a time',
    access: 'project.approve',
    params: inProject,
    body: z.strictObject({ publishAt: PublishAt.optional(), cut, seq }).optional(),
    returns: Project,
    refuses: [
      'project.not-found',
      'project.wrong-status',
      'project.own-edit',
      'project.other-cut',
      'project.time-past',
      'project.changed',
      'project.too-many-steps',
    ],
  }),
  deny: call({
    method: 'POST',
    path: '/projects/:projectId/deny/',
    summary: 'Deny the cut with scores and reasons',
    access: 'project.deny',
    params: inProject,
    body: z.strictObject({
      denyFeedback: NewFeedback,
      categories: z.array(z.enum(denyCategoryValues)).min(1).max(10),
      cut,
      seq,
    }),
    returns: Project,
    refuses: [
      'project.not-found',
      'project.wrong-status',
      'project.other-cut',
      'project.changed',
      'feedback.no-criterion',
      'project.too-many-steps',
    ],
  }),
  review: call({
    method: 'POST',
    path: '/projects/:projectId/review/',
    summary: 'Ask for a revision of the finished video',
    access: 'project.review',
    params: inProject,
    body: z.strictObject({ revision: visibleText(5000), cut, seq }),
    returns: Project,
    refuses: [
      'project.not-found',
      'project.wrong-status',
      'project.revisions-used',
      'project.other-cut',
      'project.changed',
      'project.too-many-steps',
    ],
  }),
  schedule: call({
    method: 'POST',
    path: '/projects/:projectId/schedule/',
    summary: 'Schedule the finished video',
    access: 'project.schedule',
    params: inProject,
    body: z.strictObject({
      publishAt: PublishAt,
      destinations: z.array(Destination).min(1).max(10).default(['download']),
      /** Where it is posted by itself, each with its own words; their networks join `destinations`. */
      posts: z.array(NewPost).max(10).optional(),
      cut,
      seq,
    }),
    returns: Project,
    refuses: [
      'connection.not-found',
      'post.does-not-fit',
      'project.not-found',
      'project.wrong-status',
      'project.time-past',
      'project.other-cut',
      'project.changed',
      'project.too-many-steps',
    ],
  }),
  reschedule: call({
    method: 'POST',
    path: '/projects/:projectId/reschedule/',
    summary: 'Move a scheduled video to another time, with its posts that are due with it',
    access: 'project.reschedule',
    params: inProject,
    body: z.strictObject({ publishAt: PublishAt, seq }),
    returns: Project,
    refuses: [
      'post.wrong-state',
      'project.changed',
      'project.not-found',
      'project.wrong-status',
      'project.time-near',
      'project.time-past',
      'project.too-many-steps',
    ],
  }),
  unschedule: call({
    method: 'POST',
    path: '/projects/:projectId/unschedule/',
    summary: 'Take the schedule back',
    access: 'project.unschedule',
    params: inProject,
    body: z.strictObject({ seq }).optional(),
    returns: Project,
    refuses: [
      'project.changed',
      'project.not-found',
      'project.wrong-status',
      'project.quota-used',
      'project.no-plan',
      'subscription.changing',
      'project.too-many-steps',
    ],
  }),
  cancel: call({
    method: 'DELETE',
    path: '/projects/:projectId/cancel/',
    summary: 'Cancel a project',
    access: 'project.cancel',
    params: inProject,
    returns: Project,
    refuses: ['project.not-found', 'project.wrong-status'],
  }),
  rollback: call({
    method: 'POST',
    path: '/projects/:projectId/rollback/',
    summary: 'Undo the last step',
    access: 'project.rollback',
    params: inProject,
    body: z.strictObject({ seq }).optional(),
    returns: Project,
    refuses: [
      'project.changed',
      'project.not-found',
      'project.nothing-to-roll-back',
      'project.forbidden',
      'project.ahead-full',
      'project.quota-used',
      'project.seats-used',
      'project.payments-used',
      'project.no-plan',
      'subscription.changing',
      'project.too-many-steps',
    ],
  }),
  assign: call({
    method: 'POST',
    path: '/projects/:projectId/assign/',
    summary: 'Give a project to an editor, or back to the pool',
    access: 'project.assign',
    params: inProject,
    body: z.strictObject({ editorId: z.uuid().nullable() }),
    returns: Project,
    refuses: [
      'project.not-found',
      'project.wrong-status',
      'project.no-editor',
      'account.not-found',
      'project.too-many-steps',
    ],
  }),
  free: call({
    method: 'GET',
    path: '/projects/free/allowed/',
    summary: 'May I still submit my one free project?',
    access: 'project.free',
    returns: z.object({ canCreate: z.boolean() }),
    refuses: [],
  }),
  /** What the new-video page needs to say before anything is uploaded. */
  allowance: call({
    method: 'GET',
    path: '/projects/allowance/',
    summary: 'My right to submit, month by month: this one and the next five',
    access: 'project.free',
    returns: Allowance,
    refuses: [],
  }),
  allowanceOf: call({
    method: 'GET',
    path: '/projects/user/:userId/allowance/',
    summary: 'The same of an officer within my reach',
    access: 'subscription.read',
    params: inUser,
    returns: Allowance,
    refuses: ['account.not-found'],
  }),
  history: call({
    method: 'GET',
    path: '/projects/user/:userId/history/',
    summary: 'The projects of one officer, newest first',
    access: 'project.history',
    params: inUser,
    query: PageQuery,
    page: projectPage,
    returns: pageOf(Project),
    refuses: ['account.not-found'],
  }),
  pool: call({
    method: 'GET',
    path: '/projects/pool/size/',
    summary: 'How many projects wait in the queue',
    access: 'project.pool',
    returns: z.object({ size: z.number().int() }),
    refuses: [],
  }),
  cuts: call({
    method: 'GET',
    path: '/projects/:projectId/cuts/',
    summary: 'Every cut that was sent, newest first',
    access: 'project.read',
    params: inProject,
    returns: z.object({ items: z.array(Cut) }),
    refuses: ['project.not-found'],
  }),
  ...commentCalls,
  triage: call({
    method: 'GET',
    path: '/projects/triage/counts/',
    summary: 'What of the open work is late, due until a moment and nobody’s, and how long the last week’s videos took',
    access: 'project.triage',
    query: z.strictObject({ until: z.iso.datetime({ offset: true }).refine(isOurEra, 'Choose an earlier time') }),
    returns: z.object({
      late: z.number().int(),
      dueSoon: z.number().int(),
      unassigned: z.number().int(),
      /** The median from the queue to the first approval, of what was first approved in the last seven days. */
      turnaroundHours: z.number().optional(),
    }),
    refuses: [],
  }),
  decided: call({
    method: 'GET',
    path: '/projects/decided/list/',
    summary: 'What reviewers approved and denied, newest first, the last hundred',
    access: 'project.decided',
    returns: z.object({
      items: z.array(
        z.object({
          projectId: ProjectId,
          title: z.string(),
          userName: z.string(),
          verdict: z.enum(['approved', 'denied']),
          cut: z.number().int().optional(),
          at: z.iso.datetime(),
          byName: z.string(),
          isOwn: z.boolean(),
          /** Somebody took the decision back. */
          isUndone: z.boolean(),
        }),
      ),
    }),
    refuses: [],
  }),
  answer: call({
    method: 'POST',
    path: '/projects/:projectId/answer/',
    summary: 'Say what I think of the finished video; a later answer takes the place of the first',
    access: 'project.answer',
    params: inProject,
    body: z.strictObject({ score: z.number().int().min(0).max(10), words: z.string().trim().max(2000).optional() }),
    returns: Project,
    refuses: ['project.not-found', 'project.not-finished'],
  }),
  sources: call({
    method: 'GET',
    path: '/projects/:projectId/sources/',
    summary: 'A signed address that downloads all source files as one zip',
    access: 'project.sources',
    params: inProject,
    returns: z.object({ url: z.string() }),
    refuses: ['project.not-found'],
  }),
}
