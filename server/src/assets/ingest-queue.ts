import { sql, type Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'

/** Long files wait below all others. */
export const longPriority = -1000

/**
 * Enqueues the ingest of a file in its author's turn: behind one file of everybody else for each of their own that waits
 * already. `isLong`: among the long ones.
 */
export const enqueueIngest = async (tx: Tx, assetId: string, { isLong = false } = {}): Promise<void> => {
  const author = await tx.first(sql<{ id: string; waiting: number }>`
    select a.author_id as id, (
      select count(*)::integer from pgboss.job j
      where j.name = 'ingest' and j.state < 'active' and j.group_id = a.author_id::text) as waiting
    from asset a where a.id = ${assetId}`)
  if (!author) return
  const turn = Math.min(author.waiting, -longPriority - 1)
  await enqueue(
    tx,
    'ingest',
    { assetId, ...(isLong && { isLong }) },
    { owner: author.id, priority: isLong ? longPriority - turn : -turn },
  )
}
