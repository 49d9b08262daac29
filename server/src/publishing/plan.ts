import type { NewPost } from '@clear-to-post/contract/publishing'
import { refusal } from '@clear-to-post/contract/errors'
import { fitFor } from '@clear-to-post/domain/network-fits'
import { postProblems, type Network, type PostFile, type PostWords } from '@clear-to-post/domain/networks'
import { commentProblems } from '@clear-to-post/domain/post-comments'
import type { Caller, Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { captionLanguages } from '../edits/actions.ts'
import { insertComment } from './comment-store.ts'
import { usableConnection, type ConnectionRow } from './connection-store.ts'
import type { ShownPost } from './shown-store.ts'
import { approvedFile, fileOf, insertPost, openPostAt, type FileRow, type PostChanges, type PostRow } from './store.ts'

/** Posts that may be made of an approved file: whose account each goes to, and what was found of the file. */
export type PlannedPosts = {
  file: FileRow
  tenantId: string | null
  posts: { connection: ConnectionRow; post: NewPost }[]
  networks: Network[]
}

/**
 * What an officer wants posted where, held against the accounts that they post with and against what each network takes. Null where the project
 * has no approved file: its own step says why. Throws connection.not-found, post.does-not-fit.
 */
export const planPosts = async (
  tx: Tx,
  caller: Caller,
  projectId: string,
  wanted: readonly NewPost[],
): Promise<PlannedPosts | null> => {
  const approved = await approvedFile(tx, caller, projectId)
  if (approved && wanted.length > 0) requireSameCompany(caller, approved)
  const file = approved && (await fileOf(tx, approved.asset_id))
  const posts: PlannedPosts['posts'] = []
  for (const post of wanted) {
    const connection = await usableConnection(tx, caller, post.connectionId)
    if (!connection) throw refusal('connection.not-found')
    if (connection.state !== 'active')
      throw refusal('connection.not-found', `The account “${connection.name}” has to be connected again first.`)
    if (posts.some((one) => isSameAccount(one.connection, connection)))
      throw refusal('post.does-not-fit', `The account “${connection.name}” is named twice. Write one post for it.`)
    await requireNoneOpen(tx, projectId, connection)
    posts.push({ connection, post })
  }
  if (!approved || !file) return null
  for (const { connection, post } of posts) {
    const [problem] = [
      ...postProblems(connection.network, postFileOf(file), post),
      ...(post.comment === undefined ? [] : commentProblems(connection.network, post.comment)),
    ]
    if (problem !== undefined) throw refusal('post.does-not-fit', problem)
    if (post.captions !== undefined) await requireCaptions(tx, file.id, post.captions)
  }
  return {
    file,
    tenantId: approved.tenant_id,
    posts,
    networks: [...new Set(posts.map(({ connection }) => connection.network))],
  }
}

/** In which languages there are captions of this file. */
export const captionsOfFile = async (tx: Tx, assetId: string): Promise<string[]> =>
  (await captionLanguages(tx, [assetId])).get(assetId) ?? []

/** Throws post.does-not-fit where the video has no captions in this language. */
export const requireCaptions = async (tx: Tx, assetId: string, language: string): Promise<void> => {
  if (!(await captionsOfFile(tx, assetId)).includes(language))
    throw refusal('post.does-not-fit', 'There are no captions of this video in that language. Leave them out.')
}

/** What the networks' rules ask of a file. */
const postFileOf = (file: FileRow): PostFile => ({
  durationMs: file.duration_ms,
  bytes: file.file_size,
  width: file.width,
  height: file.height,
  format:
    file.is_mp4 === null || file.pictures === null || file.rate === null
      ? undefined
      : { isMp4: file.is_mp4, pictures: file.pictures, rate: file.rate },
})

/** A video is posted by who still films for the company that it was made for. */
export const requireSameCompany = (caller: Pick<Caller, 'tenantId'>, video: { tenant_id: string | null }): void => {
  if (video.tenant_id !== caller.tenantId)
    throw refusal(
      'post.does-not-fit',
      'This video was not made for the company that you film for now, so it is not posted from here. Schedule it without posts and post it yourself, or film it anew.',
    )
}

/** Whether two are the same account at its network: an officer and their company may have connected one page each. */
const isSameAccount = (one: ConnectionRow, other: ConnectionRow): boolean =>
  one.network === other.network && one.account_id === other.account_id

/** One video is on its way to one account once. */
export const requireNoneOpen = async (
  tx: Tx,
  projectId: string,
  connection: ConnectionRow,
  except: string | null = null,
): Promise<void> => {
  const { name } = connection
  const open = await asService(tx, () => openPostAt(tx, projectId, connection, except))
  if (!open) return
  const wayOut =
    open.state === 'unconfirmed'
      ? 'Say on the video’s page whether it is there.'
      : 'Take it back there, or wait for its end.'
  throw refusal('post.does-not-fit', `A post of this video to “${name}” stands on its page already. ${wayOut}`)
}

/** Makes the planned posts. */
export const makePosts = async (
  tx: Tx,
  caller: Caller,
  projectId: string,
  { file, tenantId, posts }: PlannedPosts,
  dueAt: Date,
  now: Date,
): Promise<void> => {
  for (const { connection, post } of posts) {
    const id = await insertPost(tx, {
      projectId,
      tenantId,
      userId: caller.id,
      connectionId: connection.id,
      network: connection.network,
      assetId: file.id,
      sha256: file.sha256,
      title: post.title ?? null,
      words: post.words,
      privacy: post.privacy ?? null,
      coverMs: post.coverMs ?? null,
      captions: post.captions ?? null,
      tiktok: connection.network === 'tiktok' ? (post.tiktok ?? null) : null,
      fit: fitFor(connection.network, postFileOf(file)),
      dueAt,
      now,
    })
    if (post.comment !== undefined) await insertComment(tx, id, post.comment, now)
  }
}

/** The cut that was approved since, to be posted with what was written and chosen. Throws post.does-not-fit. */
export const newCutFor = async (tx: Tx, post: ShownPost): Promise<PostChanges> => {
  const { network, captions } = post
  const file = post.approved_file_id === null ? undefined : await fileOf(tx, post.approved_file_id)
  if (!file) throw refusal('post.wrong-state')
  const [problem] = [
    ...postProblems(network, postFileOf(file), postWords(writtenOf(post))),
    ...(captions === null || (await captionsOfFile(tx, file.id)).includes(captions)
      ? []
      : ['There are no captions of the new cut in the language that was chosen.']),
  ]
  if (problem !== undefined)
    throw refusal(
      'post.does-not-fit',
      `${problem} Or schedule the video anew with a post that fits; unschedule it first if its time has not come yet.`,
    )
  const fit = fitFor(network, postFileOf(file))
  return { asset_id: file.id, sha256: file.sha256, fit, file_id: null, cover_file_id: null }
}

/** What an officer writes and chooses for a post; null where there is none. */
export type Written = Pick<PostRow, 'words' | 'title' | 'privacy' | 'captions' | 'tiktok'> & { coverMs: number | null }

export const writtenOf = ({ words, title, privacy, cover_ms: coverMs, captions, tiktok }: PostRow): Written => ({
  words,
  title,
  privacy,
  coverMs,
  captions,
  tiktok,
})

/** The same, as its network's rules are asked about it. */
export const postWords = ({ words, title, privacy, coverMs, captions, tiktok }: Written): PostWords => ({
  words,
  title: title ?? undefined,
  privacy: privacy ?? undefined,
  coverMs: coverMs ?? undefined,
  captions: captions ?? undefined,
  tiktok: tiktok ?? undefined,
})
