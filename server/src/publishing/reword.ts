import { isDeepStrictEqual } from 'node:util'
import { refusal } from '@clear-to-post/contract/errors'
import type { PostEdit } from '@clear-to-post/contract/publishing'
import {
  networks as limits,
  writtenProblems,
  type Network,
  type NetworkLimits,
  type PostFile,
} from '@clear-to-post/domain/networks'
import { commentProblems } from '@clear-to-post/domain/post-comments'
import { afterPostEvent, editedParts, hasEnded } from '@clear-to-post/domain/posting'
import type { Caller, Tx } from '../kernel/database.ts'
import { commentOf, writeComment } from './comment-store.ts'
import { movePost, requireFewChanges } from './move.ts'
import { postWords, requireCaptions, requireSameCompany, writtenOf, type Written } from './plan.ts'
import { ownPost } from './shown-store.ts'
import { fileOf } from './store.ts'

type Reworded = Written & { comment: string | null }

/**
 * Changes a post before any of it is at its network: what is undefined stays, null takes it away. A run reads the post anew, locked,
 * in the transaction that begins to bring it there. Throws post.not-found, post.wrong-state, post.does-not-fit.
 */
export const rewordPost = async (tx: Tx, caller: Caller, id: string, edit: PostEdit, now: Date): Promise<void> => {
  const post = await ownPost(tx, caller, id)
  if (!post) throw refusal('post.not-found')
  const { name, ...network }: NetworkLimits = limits[post.network]
  requireSameCompany(caller, post)
  if (!post.is_approved || post.recalled_at !== null) throw refusal('post.wrong-state')
  if (afterPostEvent(post.state, 'reword') === null)
    throw refusal(
      'post.wrong-state',
      hasEnded(post.state)
        ? undefined
        : `${name} is being brought this post already, as it is. Take it back and schedule it again with what you change.`,
    )
  const before: Reworded = {
    ...writtenOf(post),
    comment: (await commentOf(tx, id))?.words ?? null,
  }
  const after: Reworded = {
    words: edit.words ?? before.words,
    title: (network.title && edit.title) ?? before.title,
    privacy: (network.privacy && edit.privacy) ?? before.privacy,
    coverMs: edit.coverMs === undefined ? before.coverMs : edit.coverMs,
    captions: edit.captions === undefined ? before.captions : edit.captions,
    tiktok: (post.network === 'tiktok' ? edit.tiktok : undefined) ?? before.tiktok,
    comment: edit.comment === undefined ? before.comment : edit.comment,
  }
  const changed = editedParts.filter((part) => !isDeepStrictEqual(after[part], before[part]))
  // Asked again with what stands there: nothing begins anew, and the history stays.
  if (changed.length === 0) return
  await requireFewChanges(tx, post)
  const file = await fileOf(tx, post.asset_id)
  requireFits(post.network, { durationMs: file?.duration_ms ?? null }, after)
  if (after.captions !== null && changed.includes('captions')) await requireCaptions(tx, post.asset_id, after.captions)
  if (changed.includes('comment')) await writeComment(tx, post.id, after.comment, now)
  const { words, title, privacy, coverMs, captions, tiktok } = after
  await movePost(
    tx,
    caller,
    post,
    'reword',
    now,
    {
      words,
      title,
      privacy,
      cover_ms: coverMs,
      captions,
      tiktok,
      // A picture that was made of another moment is not this one's.
      ...(changed.includes('coverMs') && { cover_file_id: null }),
      ...(post.state === 'scheduled' && { next_at: now }),
    },
    { changed },
  )
}

const requireFits = (network: Network, file: Pick<PostFile, 'durationMs'>, { comment, ...written }: Reworded): void => {
  const [problem] = [
    ...writtenProblems(network, file, postWords(written)),
    ...(comment === null ? [] : commentProblems(network, comment)),
  ]
  if (problem !== undefined) throw refusal('post.does-not-fit', problem)
}
