import type { z } from 'zod'
import type { CallReply } from '@clear-to-post/contract/call'
import type { Comment } from '@clear-to-post/contract/comments'
import type { projects, Cut } from '@clear-to-post/contract/projects'
import type { Network } from '@clear-to-post/domain/networks'
import type { FailureKind, PostState } from '@clear-to-post/domain/posting'
import { type Actor } from '@clear-to-post/domain/roles'
import { actionsFor, withheldFrom, type FourEyes, type ProjectFacts } from '@clear-to-post/domain/decide'
import { commentActsFor, type CommentFacts } from '@clear-to-post/domain/comments'
import { officerReads, Status, type Verb } from '@clear-to-post/domain/workflow'
import { presentAsset, thumbnailUrl } from '../assets/actions.ts'
import type { AssetRow } from '../assets/actions.ts'
import { factsOf } from './facts.ts'
import { isInternal, type CommentRow } from './comment-store.ts'
import type { CurrentCut, CutRow, KitRow, ProjectRow } from './store.ts'
import { sees } from '@clear-to-post/domain/access'

type Shown = CallReply<typeof projects.find>

/** A project's row with everything its shape needs. */
export type FullRow = ProjectRow & {
  time_zone: string
  user_name: string | null
  /** Null where there is one company, or the caller serves one. */
  tenant_name: string | null
  editor_name: string | null
  cover_thumb: string | null
  cover_ms: number | null
  /** How the posts of its latest schedule stand, while it is scheduled or completed; null where there are none. */
  posts: { network: Network; state: PostState; failure: FailureKind | null }[] | null
  /** Whether any were made, of any schedule; null in lists. */
  has_posts: boolean | null
  events: Event[]
  /** The cut that waits for approval, for staff; null in every other status. */
  cut: CutInList | null
  /** What the officer's company wants, while the project is edited. */
  four_eyes: FourEyes | null
  /** Counted from 1; null in lists, and out of the queue. */
  place: number | null
}
/** Posted is what lies at a network, where no other post of the schedule is missing; what was taken back is none. */
const presentPosts = ({ status, posts: made }: FullRow): Pick<Shown, 'posts' | 'postedOn'> => {
  const rows = made ?? []
  const posts = rows.flatMap(({ network, state, failure }) =>
    state === 'withdrawn' ? [] : { network, state, ...(state === 'failed' && failure !== null ? { failure } : {}) },
  )
  const live = posts.filter(({ state }) => state === 'live')
  const isPosted =
    status === Status.completed && live.length > 0 && rows.every(({ state }) => state === 'live' || state === 'removed')
  return {
    ...(posts.length > 0 ? { posts } : {}),
    ...(isPosted ? { postedOn: [...new Set(live.map(({ network }) => network))] } : {}),
  }
}

/** Within a row its time is text. */
type CutInList = Omit<CurrentCut, 'sent_at'> & { sent_at: string }
type Event = {
  seq: number
  status: Status
  title: string
  description: string
  timestamp: string
  /** Null of a step that a list leaves out. */
  metadata: Record<string, unknown> | null
  verb: Verb
  actorId: string
  actorServesAll: boolean
  /** The API key that it was done by; null: no program did it. */
  key: { name: string | null; isCompanys?: boolean } | null
  /** Whether a rollback may undo it, and whether one did. */
  isStep: boolean
  isUndone: boolean
  /** The number of the cut that it sent or judged. */
  cut: number | null
}

/**
 * A project as this actor may see it. The officer sees the approved cut only, and what reviewers wrote about
 * a cut stays between staff.
 */
export const presentProject = (row: FullRow, actor: Actor, now: Date, files?: readonly AssetRow[]): Shown => {
  const staff = sees(actor.role, 'project.work')
  const undoable = undoableOf(row.events)
  const facts = factsOf({ ...row, undoable })
  const actions = actionsFor(facts, actor)
  const withheld = withheldFrom(facts, actor)
  const currentCut = currentCutIn(row.events, staff ? 'send' : 'approve')
  const finalVideoId = staff ? row.final_video_id : row.approved_video_id
  const thumbnail = row.cover_id && thumbnailUrl(row.cover_id, row.cover_thumb, now)
  return {
    id: row.id,
    title: row.title,
    instructions: row.instructions,
    submitMonth: row.submit_month,
    captionStyle: row.caption_style as Shown['captionStyle'],
    ...(finalVideoId ? { finalVideoId } : {}),
    ...(thumbnail ? { thumbnailUrl: thumbnail } : {}),
    ...(row.cover_ms === null ? {} : { duration: row.cover_ms / 1000 }),
    modified: row.modified_at.toISOString(),
    ...(staff && row.feedback ? { feedback: row.feedback as Shown['feedback'] } : {}),
    ...(row.caption_suggestion ? { captionSuggestion: row.caption_suggestion } : {}),
    ...(row.editor_id ? { editorId: row.editor_id } : {}),
    userId: row.user_id,
    ...(files ? { assets: files.map((file) => presentAsset(file, now)) } : {}),
    expirationTimestamp: row.expires_at?.toISOString() ?? null,
    isFree: row.is_free,
    timeline: row.events.flatMap(({ status, title, description, timestamp, metadata, cut, key, actorId }) =>
      metadata === null
        ? []
        : {
            status,
            title,
            description,
            timestamp: new Date(timestamp).toISOString(),
            // Steps from before records named their cut have kept its number elsewhere.
            metadata: { ...(cut === null ? {} : { cut }), ...(staff ? metadata : forOfficer(metadata)) },
            // How staff work is nothing to an officer.
            ...(key && (staff || actorId === actor.id)
              ? {
                  key: {
                    ...(key.name === null ? {} : { name: key.name }),
                    ...(key.isCompanys ? { isCompanys: true } : {}),
                  },
                }
              : {}),
          },
    ),
    submitTimestamp: row.submitted_at.toISOString(),
    ...(row.tenant_id ? { tenantId: row.tenant_id } : {}),
    status: row.status,
    ...(row.tenant_name ? { tenantName: row.tenant_name } : {}),
    ...(row.user_name ? { userName: row.user_name } : {}),
    ...(row.editor_name ? { editorName: row.editor_name } : {}),
    ...(row.publish_at ? { publishAt: row.publish_at.toISOString() } : {}),
    ...(row.destinations ? { destinations: row.destinations as Shown['destinations'] } : {}),
    ...presentPosts(row),
    ...(row.has_posts ? { hasPosts: true } : {}),
    seq: row.seq,
    ...(row.waits_for ? { waitsFor: row.waits_for } : {}),
    cuts: row.cuts,
    ...(currentCut === null ? {} : { currentCut }),
    ...(row.due_by ? { dueBy: row.due_by.toISOString() } : {}),
    ...(row.status === Status.submitted && row.queue_position !== null
      ? { queue: { position: row.queue_position, ...(row.place ? { place: row.place } : {}) } }
      : {}),
    ...(row.tour ? { tour: row.tour } : {}),
    ...(row.revisions_left === null ? {} : { revisionsLeft: row.revisions_left }),
    ...(row.answer_score === null || row.answered_at === null
      ? {}
      : {
          answer: {
            score: row.answer_score,
            ...(row.answer_words ? { words: row.answer_words } : {}),
            at: row.answered_at.toISOString(),
          },
        }),
    actions,
    ...(isInternal(row, actor) ? { remarksAreInternal: true } : {}),
    ...(undoable && actions.includes('rollback')
      ? { undoable: { seq: undoable.seq, verb: undoable.verb, title: undoable.title } }
      : {}),
    ...(withheld.length > 0 ? { withheld } : {}),
  }
}

export const presentCut = (
  cut: CutRow,
  asset: AssetRow,
  captions: string[] | undefined,
  now: Date,
): z.input<typeof Cut> => ({
  number: cut.number,
  asset: presentAsset(asset, now),
  sentAt: cut.sent_at.toISOString(),
  editorId: cut.editor_id,
  verdict: cut.verdict as z.input<typeof Cut>['verdict'],
  ...(captions?.length ? { captions } : {}),
})

export const commentFacts = (row: CommentRow): CommentFacts => ({
  authorId: row.author_id,
  isAnswer: row.parent_id !== null,
  isDeleted: row.deleted_at !== null,
  isAttached: row.event_seq !== null,
})

export const presentComment = (row: CommentRow, actor: Actor): z.input<typeof Comment> => ({
  id: row.id,
  projectId: row.project_id,
  cut: row.number,
  atMs: row.at_ms,
  text: row.text,
  authorId: row.author_id,
  authorName: row.author_name,
  createdAt: row.created_at.toISOString(),
  attached: row.event_seq !== null,
  ...(row.done_at && { doneAt: row.done_at.toISOString() }),
  ...(row.parent_id && { parentId: row.parent_id }),
  ...(row.edited_at && { editedAt: row.edited_at.toISOString() }),
  ...(row.deleted_at && { isDeleted: true }),
  ...(row.internal && { isInternal: true }),
  actions: commentActsFor(commentFacts(row), actor),
})

/** What of the officer's kit a single project shows: the brief to who works on it, the question to the officer. */
export const presentKit = (
  project: Shown,
  kit: KitRow | undefined,
  actor: Actor,
): Pick<Shown, 'kit' | 'asksAnswer'> => {
  if (!sees(actor.role, 'project.work')) {
    const isFinished = project.status === Status.completed || project.status === Status.scheduled
    return isFinished && project.finalVideoId && kit?.asks_feedback ? { asksAnswer: true } : {}
  }
  const { b_roll: bRoll, facebook_link: facebookLink, instagram_link: instagramLink } = kit ?? {}
  const parts = { bRoll, facebookLink, instagramLink, guidelinesUrl: kit?.guidelines_url }
  const said = Object.fromEntries(Object.entries(parts).filter(([, value]) => value))
  return Object.keys(said).length > 0 ? { kit: said } : {}
}

// The latest step that was not undone yet, and what it started from.
const undoableOf = (
  events: readonly Event[],
): (NonNullable<ProjectFacts['undoable']> & Pick<Event, 'seq' | 'title'>) | null => {
  const at = events.findLastIndex(({ isStep, isUndone }) => isStep && !isUndone)
  if (at < 1) return null
  const { seq, verb, title, actorId, actorServesAll } = events[at]!
  return { seq, verb, title, actorId, actorServesAll, from: events[at - 1]!.status }
}

// The cut of the latest sending that stands; the officer's is that of the latest approval that stands.
const currentCutIn = (events: readonly Event[], verb: 'send' | 'approve'): number | null =>
  events.findLast((event) => event.verb === verb && !event.isUndone)?.cut ?? null

const forOfficer = (metadata: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => officerReads.has(key)))
