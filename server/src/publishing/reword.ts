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
import { requireCaptions, requireSameCompany } from './actions.ts'
import { commentOf, writeComment } from './comment-store.ts'
import { movePost, requireFewChanges } from './move.ts'
import { ownPost } from './shown-store.ts'
import { fileOf, type PostRow } from './store.ts'

/** What an officer writes and chooses for a post; null where there is none. */
type Written = Pick<PostRow, 'words' | 'title' | 'privacy' | 'captions' | 'tiktok'> & {
  coverMs: number | null
  comment: string | null
}

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
  const before: Written = {
    words: post.words,
    title: post.title,
    privacy: post.privacy,
    coverMs: post.cover_ms,
    captions: post.captions,
    tiktok: post.tiktok,
    comment: (await commentOf(tx, id))?.words ?? null,
  }
  const after: Written = {
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

const requireFits = (
  network: Network,
  file: Pick<PostFile, 'durationMs'>,
  { words, title, privacy, coverMs, captions, tiktok, comment }: Written,
): void => {
  const [problem] = [
    ...writtenProblems(network, file, {
      words,
      title: title ?? undefined,
      privacy: privacy ?? undefined,
      coverMs: coverMs ?? undefined,
      captions: captions ?? undefined,
      tiktok: tiktok ?? undefined,
    }),
    ...(comment === null ? [] : commentProblems(network, comment)),
  ]
  if (problem !== undefined) throw refusal('post.does-not-fit', problem)
}
