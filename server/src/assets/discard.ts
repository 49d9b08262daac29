import { refusal } from '@clear-to-post/contract/errors'
import type { Tx } from '../db/tenant.ts'
import { enqueue } from '../jobs/queue.ts'
import { deleteUnused, findAsset, findOwnAsset } from './store.ts'

/**
 * Throws away a file that nothing uses; with `authorId` only if it is theirs. What lies on the disk follows with the job.
 * Throws asset.not-found, asset.in-use.
 */
export const discardAsset = async (tx: Tx, assetId: string, authorId?: string): Promise<void> => {
  const owner = authorId ?? (await findAsset(tx, assetId))?.author_id
  if (owner === undefined) throw refusal('asset.not-found')
  if ((await deleteUnused(tx, assetId, owner)) === 1) return enqueue(tx, 'ingest', { assetId })
  throw refusal((await findOwnAsset(tx, assetId, owner)) ? 'asset.in-use' : 'asset.not-found')
}
