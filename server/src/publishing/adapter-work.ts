import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { mayBeOut } from '@clear-to-post/domain/posting'
import { fileUrl } from '../assets/actions.ts'
import { captionsIn } from '../edits/actions.ts'
import type { Database } from '../kernel/database.ts'
import { RefusedByNetwork, type Work } from '../outside/networks/adapter.ts'
import type { Networks, OpenNetwork } from '../outside/networks/networks.ts'
import { storage } from '../outside/storage.ts'
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

/** What an adapter needs for this post. `isRight`: the file's bytes are those that were approved; read where nothing is armed. */
export const workOf = async (
  deps: PostDeps,
  post: PostRow,
): Promise<{ open: OpenNetwork; work: Work; isRight: boolean }> => {
  const network = deps.networks.of(post.network)
  if (!network) throw new RefusedByNetwork('retry', 'This network is not set up at the moment.')
  if (post.connection_id === null) throw new RefusedByNetwork('reauth', 'The account is not connected any more.')
  const { access: token, server } = await accessTo(deps, post.connection_id)
  const { connection, approved, made, cover, captions } = await deps.database.asSystem(async (tx) => ({
    connection: await connectionById(tx, post.connection_id!),
    approved: await fileOf(tx, post.asset_id),
    made: post.file_id === null ? null : await postFileById(tx, post.file_id),
    cover: post.cover_file_id === null ? null : await postFileById(tx, post.cover_file_id),
    // Only what is still to be brought is written.
    captions: post.captions === null || isOut(post.state) ? null : await captionsIn(tx, post.asset_id, post.captions),
  }))
  if (!connection) throw new RefusedByNetwork('reauth', 'The account is not connected any more.')
  if (!approved) throw new RefusedByNetwork('permanent', 'The approved file is not there any more.')
  const file = { ...approved, ...placeOf(made) }
  const isRight =
    isOut(post.state) ||
    ((await hashOf(post.asset_id, approved.name)) === post.sha256 &&
      (post.fit === null || (made != null && (await isMadeOf(post, made)))) &&
      (cover == null || (await isMadeOf(post, cover))))
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
        const bytes = await buffer((await openFile(post.asset_id, file.name)).stream(start, end))
        if (bytes.length !== end - start + 1)
          throw new Error(`the file of asset ${post.asset_id} is shorter than it was`)
        return new Blob([new Uint8Array(bytes)])
      },
      address: () => deps.publicUrl + fileUrl(post.asset_id, file.name, deps.now()),
    },
    ...(captions && { captions }),
    ...(picture && {
      cover: {
        bytes: picture.file_size,
        read: async () => {
          const bytes = await buffer((await openFile(post.asset_id, picture.name)).stream())
          return new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' })
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
  // Their words are gone, with whoever said them.
  const isMissing = post.captions !== null && captions === null && !isOut(post.state)
  if (isMissing && work.handles['captions'] === undefined) await work.keep({ captions: 'refused' })
  return { open: network, work, isRight }
}

/** The same, of a file whose bytes are still those that were approved. */
export const approvedWorkOf = async (deps: PostDeps, post: PostRow) => {
  const found = await workOf(deps, post)
  if (!found.isRight) throw new RefusedByNetwork('permanent', 'The file is not the one that was approved.')
  return found
}

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
const isMadeOf = async (post: PostRow, made: PostFileRow): Promise<boolean> =>
  made.asset_id === post.asset_id &&
  made.parent_sha256 === post.sha256 &&
  made.name !== null &&
  (await hashOf(post.asset_id, made.name)) === made.sha256

const placeOf = (made: PostFileRow | null | undefined) =>
  made?.name == null ? undefined : { name: made.name, file_size: made.bytes!, width: made.width, height: made.height }

const hashOf = async (assetId: string, name: string): Promise<string> => {
  const digest = createHash('sha256')
  for await (const part of (await openFile(assetId, name)).stream()) digest.update(part as Buffer)
  return digest.digest('hex')
}

const openFile = async (assetId: string, name: string) => {
  const file = await storage().open(assetId, name)
  if (!file) throw new Error(`the file of asset ${assetId} is not there`)
  return file
}
