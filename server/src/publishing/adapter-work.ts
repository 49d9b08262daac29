import { openAsBlob } from 'node:fs'
import { mayBeOut } from '@clear-to-post/domain/posting'
import { fileUrl } from '../assets/actions.ts'
import { captionsIn } from '../edits/actions.ts'
import type { Database } from '../kernel/database.ts'
import { hashFile } from '../kernel/hash-file.ts'
import { RefusedByNetwork, type Work } from '../outside/networks/adapter.ts'
import type { Networks, OpenNetwork } from '../outside/networks/networks.ts'
import type { Copies } from '../outside/storage.ts'
import { whileLeased } from './lease.ts'
import { connectionById } from './connection-store.ts'
import { postFileById, type PostFileRow } from './post-files.ts'
import { addHandles, fileOf, renewLease, type PostRow } from './store.ts'
import { accessTo } from './tokens.ts'

/** What the runs of posts work with. */
export type PostDeps = {
  database: Database
  networks: Networks
  /** The origin from which networks fetch files. */
  publicUrl: string
  now: () => Date
}

/** The same within one run, which holds local copies of its files until it ends. */
export type RunDeps = PostDeps & { copies: Copies }

/**
 * What an adapter needs for this post. Before anything is armed no byte is brought, and no address told, of a file that is not the
 * approved one, and `requireApproved` throws: each file is read for this once, by the first who asks, so that a run that only asks the
 * network how far it is reads nothing.
 */
export const workOf = async (
  deps: RunDeps,
  post: PostRow,
): Promise<{ open: OpenNetwork; work: Work; requireApproved: () => Promise<void> }> => {
  const network = deps.networks.of(post.network)
  if (!network) throw new RefusedByNetwork('retry', 'This network is not set up at the moment.')
  if (post.connection_id === null) throw new RefusedByNetwork('reauth', 'The account is not connected any more.')
  const { access: token, server } = await accessTo(deps, post.connection_id)
  const { connection, approved, made, cover } = await deps.database.asSystem(async (tx) => ({
    connection: await connectionById(tx, post.connection_id!),
    approved: await fileOf(tx, post.asset_id),
    made: post.file_id === null ? null : await postFileById(tx, post.file_id),
    cover: post.cover_file_id === null ? null : await postFileById(tx, post.cover_file_id),
  }))
  if (!connection) throw new RefusedByNetwork('reauth', 'The account is not connected any more.')
  if (!approved) throw new RefusedByNetwork('permanent', 'The approved file is not there any more.')
  const file = { ...approved, ...placeOf(made) }
  const requireApproved = once(async () => {
    const isRight =
      isOut(post.state) ||
      ((await hashOf(deps, post.asset_id, approved.name)) === post.sha256 &&
        (post.fit === null || (made != null && (await isMadeOf(deps, post, made)))) &&
        (cover == null || (await isMadeOf(deps, post, cover))))
    if (!isRight) throw new RefusedByNetwork('permanent', 'The file is not the one that was approved.')
  })
  // Read piece by piece while it is sent: one of a gigabyte takes no memory (decision 780). Reading fails once it is changed.
  const sent = once(async () => openAsBlob(await localFile(deps, post.asset_id, file.name)))
  const picture = placeOf(cover)
  const lease = whileLeased({
    handles: post.handles,
    now: deps.now,
    add: (more, until) => deps.database.asSystem((tx) => addHandles(tx, post.id, post.run, more, until)),
    renew: (until) => deps.database.asSystem((tx) => renewLease(tx, post.id, post.run, until)),
    ask: deps.networks.ask,
  })
  const work: Work = {
    keys: network.keys,
    token,
    server,
    partBytes: network.adapter.partBytes,
    accountId: connection.account_id,
    get handles() {
      return lease.handles
    },
    keep: lease.keep,
    ask: lease.ask,
    file: {
      bytes: file.file_size,
      seconds: approved.duration_ms === null ? null : approved.duration_ms / 1000,
      sha256: made?.sha256 ?? post.sha256,
      width: file.width,
      height: file.height,
      part: async (start, end) => {
        // Opened before its hash is read: what is changed after that cannot be read any more.
        const whole = await sent()
        await requireApproved()
        const part = whole.slice(start, end + 1)
        if (part.size !== end - start + 1) throw new Error(`the file of asset ${post.asset_id} is shorter than it was`)
        return part
      },
      address: async () => {
        await requireApproved()
        return deps.publicUrl + fileUrl(post.asset_id, file.name, deps.now())
      },
    },
    // Only what is still to be brought is written.
    ...(post.captions !== null &&
      !isOut(post.state) && { captions: captionsOf(deps, post, post.captions, lease.keep) }),
    ...(picture && {
      cover: {
        bytes: picture.file_size,
        read: async () => {
          await requireApproved()
          return openAsBlob(await localFile(deps, post.asset_id, picture.name), { type: 'image/jpeg' })
        },
      },
    }),
    post: {
      id: post.id,
      madeAt: post.created_at,
      armedAt: post.armed_at,
      words: post.words,
      ...(post.title === null ? {} : { title: post.title }),
      ...(post.privacy === null ? {} : { privacy: post.privacy }),
      ...(post.tiktok === null ? {} : { tiktok: post.tiktok }),
      ...(post.cover_ms === null ? {} : { coverMs: post.cover_ms }),
    },
    now: deps.now,
  }
  return { open: network, work, requireApproved }
}

/** The same, of a file whose bytes are still those that were approved. */
export const approvedWorkOf = async (deps: RunDeps, post: PostRow) => {
  const found = await workOf(deps, post)
  await found.requireApproved()
  return found
}

const captionsOf = (deps: PostDeps, post: PostRow, language: string, keep: Work['keep']) => ({
  language,
  read: once(async () => {
    const captions = await deps.database.asSystem((tx) => captionsIn(tx, post.asset_id, language))
    // Their words are gone, with whoever said them.
    if (captions === null) await keep({ captions: 'refused' })
    return captions
  }),
})

/** Does it with the account's token; where the network refuses that one, once more with another. */
export const withAccess = async <W extends Pick<Work, 'token' | 'server'>, T>(
  deps: PostDeps,
  post: Pick<PostRow, 'connection_id'>,
  work: W,
  act: (work: W) => Promise<T>,
): Promise<T> => {
  try {
    return await act(work)
  } catch (error) {
    if (!(error instanceof RefusedByNetwork) || error.kind !== 'reauth' || post.connection_id === null) throw error
    const { access, server } = await accessTo(deps, post.connection_id, work.token)
    Object.assign(work, { token: access, server })
    return act(work)
  }
}

/** What was brought is not read again. */
const isOut = (state: PostRow['state']): boolean => mayBeOut(state) || state === 'handed'

/** Whether what is posted instead of the approved file, or beside it, was made of these very bytes, and is still what was made. */
const isMadeOf = async (deps: RunDeps, post: PostRow, made: PostFileRow): Promise<boolean> =>
  made.asset_id === post.asset_id &&
  made.parent_sha256 === post.sha256 &&
  made.name !== null &&
  (await hashOf(deps, post.asset_id, made.name)) === made.sha256

const placeOf = (made: PostFileRow | null | undefined) =>
  made?.name == null ? undefined : { name: made.name, file_size: made.bytes!, width: made.width, height: made.height }

const hashOf = async (deps: RunDeps, assetId: string, name: string): Promise<string> =>
  (await hashFile(await localFile(deps, assetId, name))).sha256

/** The path of one of its files on this machine's disk, of what lies in a bucket the copy that this run holds. */
const localFile = async ({ copies }: RunDeps, assetId: string, name: string): Promise<string> => {
  const path = await copies.of(assetId, name)
  if (path === undefined) throw new Error(`the file of asset ${assetId} is not there`)
  return path
}

const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let done: Promise<T> | undefined
  return () => (done ??= work())
}
