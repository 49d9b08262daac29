import { sql, type Tx } from './database.ts'
import { enqueue, type JobName, type Jobs } from './queue.ts'

/** Long work waits below all other of its kind; a lane with `quickFrom` above it is kept free of it. */
export const longPriority = -1000

/**
 * Enqueues a job in its owner's turn: behind one of everybody else's for each of the owner's own that waits already.
 * `isLong`: among the long ones. With `oneEach` each owner has one running.
 */
export const enqueueInTurn = async <Name extends JobName>(
  tx: Tx,
  name: Name,
  data: Jobs[Name],
  { owner, isLong = false }: { owner: string; isLong?: boolean },
): Promise<void> => {
  const row = await tx.first(sql<{ waiting: number }>`
    select count(*)::integer as waiting from pgboss.job j
    where j.name = ${name} and j.state < 'active' and j.group_id = ${owner}`)
  const turn = Math.min(row!.waiting, -longPriority - 1)
  await enqueue(tx, name, data, { owner, priority: isLong ? longPriority - turn : -turn })
}
