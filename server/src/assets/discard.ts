import { refusal } from '@clear-to-post/contract/errors'
import type { Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { deleteUnused, findAsset, findOwnAsset } from './store.ts'

/**
 * Throws away a file that nothing uses; with `authorId` only if it is theirs. What lies on the disk follows with the job.
 * Throws asset.not-found, asset.in-use.
 */
export const discardAsset = async (tx: Tx, assetId: string, authorId?: string): Promise<void> => {
  const owner = authorId ?? (await findAsset(tx, assetId))?.author_id
  if (owner === undefined) throw refusal('asset.not-found')
  if (await discardUnused(tx, assetId, owner)) return
  throw refusal((await findOwnAsset(tx, assetId, owner)) ? 'asset.in-use' : 'asset.not-found')
}

/** The same for a file that may be gone or in use by now: false, then. */
export const discardUnused = async (tx: Tx, assetId: string, authorId: string): Promise<boolean> => {
  if ((await deleteUnused(tx, assetId, authorId)) === 0) return false
  await enqueue(tx, 'ingest', { assetId })
  return true
}
