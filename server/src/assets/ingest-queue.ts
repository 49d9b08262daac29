import { sql, type Tx } from '../kernel/database.ts'
import { enqueueInTurn } from '../kernel/enqueue-in-turn.ts'

/** Enqueues the ingest of a file in its author's turn. `isLong`: among the long ones. */
export const enqueueIngest = async (tx: Tx, assetId: string, { isLong = false } = {}): Promise<void> => {
  const author = await tx.first(sql<{ id: string }>`select author_id as id from asset where id = ${assetId}`)
  if (author) await enqueueInTurn(tx, 'ingest', { assetId, ...(isLong && { isLong }) }, { owner: author.id, isLong })
}
