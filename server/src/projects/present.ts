import type { z } from 'zod'
import type { CallReply } from '@clear-to-post/contract/call'
import type { projects, Comment, Version } from '@clear-to-post/contract/projects'
import { isStaff, type Actor } from '@clear-to-post/domain/roles'
import { actionsFor, type Status } from '@clear-to-post/domain/workflow'
import { presentAsset } from '../assets/actions.ts'
import type { AssetRow } from '../assets/actions.ts'
import { factsOf } from './actions.ts'
import type { CommentRow, CutRow, ProjectRow, Undoable } from './store.ts'

type Shown = CallReply<typeof projects.find>

/** A project's row with everything its shape needs; lists leave out files and the place in the queue. */
export type FullRow = ProjectRow & {
  time_zone: string
  user_name: string | null
  editor_name: string | null
  undoable: Undoable | null
  timeline: {
    status: Status
    title: string
    description: string
    timestamp: string
    metadata: Record<string, unknown>
  }[]
  place?: number
}

/**
 * A project as this actor may see it. The officer sees the approved cut only, and what reviewers wrote about
 * a cut stays between staff.
 */
export const presentProject = (
  row: FullRow,
  actor: Actor,
  assets: ReadonlyMap<string, AssetRow>,
  now: Date,
  sources?: readonly AssetRow[],
): Shown => {
  const staff = isStaff(actor.role) || actor.role === 'SYSTEM'
  const finalVideoId = staff ? row.final_video_id : row.approved_video_id
  const cover = row.cover_id ? assets.get(row.cover_id) : undefined
  const thumbnailUrl = cover && presentAsset(cover, now).thumbnailUrl
  return {
    id: row.id,
    title: row.title,
    instructions: row.instructions,
    submitMonth: row.submit_month,
    captionStyle: row.caption_style as Shown['captionStyle'],
    ...(finalVideoId ? { finalVideoId } : {}),
    ...(thumbnailUrl ? { thumbnailUrl } : {}),
    modified: row.modified_at.toISOString(),
    ...(staff && row.feedback ? { feedback: row.feedback as Shown['feedback'] } : {}),
    ...(row.caption_suggestion ? { captionSuggestion: row.caption_suggestion } : {}),
    ...(row.editor_id ? { editorId: row.editor_id } : {}),
    userId: row.user_id,
    ...(sources ? { assets: sources.map((asset) => presentAsset(asset, now)) } : {}),
    expirationTimestamp: row.expires_at?.toISOString() ?? null,
    isFree: row.is_free,
    timeline: row.timeline.map((item) => ({
      ...item,
      timestamp: new Date(item.timestamp).toISOString(),
      metadata: staff ? item.metadata : withoutFeedback(item.metadata),
    })),
    submitTimestamp: row.submitted_at.toISOString(),
    ...(row.tenant_id ? { tenantId: row.tenant_id } : {}),
    status: row.status,
    ...(row.user_name ? { userName: row.user_name } : {}),
    ...(row.editor_name ? { editorName: row.editor_name } : {}),
    ...(row.publish_at ? { publishAt: row.publish_at.toISOString() } : {}),
    ...(row.destinations ? { destinations: row.destinations as Shown['destinations'] } : {}),
    version: row.version,
    cuts: row.cuts,
    ...(row.due_by ? { dueBy: row.due_by.toISOString() } : {}),
    ...(row.status === 0 && row.queue_position !== null
      ? { queue: { position: row.queue_position, ...(row.place ? { place: row.place } : {}) } }
      : {}),
    actions: actionsFor(factsOf(row), actor),
  }
}

export const presentCut = (cut: CutRow, asset: AssetRow, now: Date): z.input<typeof Version> => ({
  number: cut.number,
  asset: presentAsset(asset, now),
  sentAt: cut.sent_at.toISOString(),
  editorId: cut.editor_id,
  verdict: cut.verdict as z.input<typeof Version>['verdict'],
})

export const presentComment = (row: CommentRow): z.input<typeof Comment> => ({
  id: row.id,
  projectId: row.project_id,
  version: row.number,
  atMs: row.at_ms,
  text: row.text,
  authorId: row.author_id,
  authorName: row.author_name,
  createdAt: row.created_at.toISOString(),
  attached: row.event_seq !== null,
})

const withoutFeedback = ({ denyFeedback: _scores, categories: _categories, ...rest }: Record<string, unknown>) => rest
