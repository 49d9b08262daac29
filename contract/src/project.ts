import { z } from 'zod'
import { captionStyleValues } from '@clear-to-post/domain/captions'
import { monthPattern } from '@clear-to-post/domain/calendar'
import { networkNames } from '@clear-to-post/domain/networks'
import { failureKinds, postStates } from '@clear-to-post/domain/posting'
import { waitReasons } from '@clear-to-post/domain/plans'
import { statusValues, verbs, type Verb } from '@clear-to-post/domain/workflow'
import { Asset, AssetId } from './assets.ts'
import { isOurEra } from './era.ts'
import { Feedback } from './feedback.ts'
import { line } from './visible.ts'

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
  key: z
    .object({
      name: z.string().optional(),
      /** The key is a company's own: no person acted. */
      isCompanys: z.boolean().optional(),
    })
    .optional(),
})

export const Project = z.object({
  id: ProjectId,
  title: z.string(),
  instructions: z.string(),
  submitMonth: Month,
  captionStyle: CaptionStyle,
  finalVideoId: AssetId.optional(),
  thumbnailUrl: z.string().optional(),
  /** Of the video in the thumbnail, in seconds. */
  duration: z.number().optional(),
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
  /** Of the company, where there are several and the caller serves all of them. */
  tenantName: z.string().optional(),
  userName: z.string().optional(),
  editorName: z.string().optional(),
  publishAt: z.iso.datetime().optional(),
  destinations: z.array(Destination).optional(),
  /** Of a completed project: the networks that have it, where every post of its schedule is there. */
  postedOn: z.array(z.enum(networkNames)).optional(),
  /** Of a scheduled or completed project: how each post of its schedule stands, but for those that were taken back. */
  posts: z
    .array(
      z.object({ network: z.enum(networkNames), state: z.enum(postStates), failure: z.enum(failureKinds).optional() }),
    )
    .optional(),
  /** On single projects: posts were made of it, of this schedule or of one before, which `publishing.posts` tells. */
  hasPosts: z.boolean().optional(),
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
  /** A remark that the caller writes now stays between staff. */
  remarksAreInternal: z.boolean().optional(),
  /** The step that `rollback` would take back, where `actions` has it: its event's number and its words in the timeline. */
  undoable: z.object({ seq: z.number().int(), verb: z.enum(verbs as [Verb, ...Verb[]]), title: z.string() }).optional(),
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
  /** In which languages captions go beside it as a file, where its officer chooses so for a post; only of one that waits or is approved. */
  captions: z.array(z.string()).optional(),
})

/** Captions that go beside a cut as a file: `srt` is its text, in SubRip, on the cut's own clock. */
export const CutCaptions = z.object({ language: z.string(), srt: z.string() })
export type CutCaptions = z.infer<typeof CutCaptions>
