import type { Database } from '../kernel/database.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import { enqueue, enqueueEach } from '../kernel/queue.ts'
import type { Job } from '../kernel/work.ts'
import { storage } from '../outside/storage.ts'
import { giveUpLostExports, makeExport } from './exports.ts'
import { dropEndedExports, exportsThatCount } from './exports-store.ts'
import { endGrantOf, finishErasing, stepsOutside } from './removal.ts'
import { stuckGrants, stuckRemovals } from './removal-store.ts'

export const eraseJob: Job<'erase'> = {
  name: 'erase',
  atOnce: 1,
  run: ({ removalId }, context) => finishErasing(context, removalId),
}

export const endGrantJob: Job<'end-grant'> = {
  name: 'end-grant',
  atOnce: 4,
  // Whoever connected many servers that are slow holds one lane.
  oneEach: true,
  run: (data, context) => endGrantOf(context, data),
}

export const exportJob: Job<'export'> = {
  name: 'export',
  atOnce: 1,
  run: (data, context) => makeExport(context, data),
}

export const personalDataTasks = (database: Database): PeriodicTask[] => [
  { name: 'open removals', seconds: 600, run: (now) => resumeRemovals(database, now) },
  { name: 'lost data downloads', seconds: 600, run: (now) => giveUpLostExports(database, now) },
  { name: 'ended data downloads', seconds: 3600, run: (now) => dropExports(database, now) },
]

/** A removal whose job used up its tries is taken up again until it is done: a provider may have been away for days. */
export const resumeRemovals = (database: Database, now: Date): Promise<void> =>
  database.asSystem(async (tx) => {
    const before = new Date(now.getTime() - 600_000)
    for (const { id } of await stuckRemovals(tx, before, stepsOutside)) await enqueue(tx, 'erase', { removalId: id })
    const grants = await stuckGrants(tx, before)
    await enqueueEach(
      tx,
      'end-grant',
      grants.map((data) => ({ data, owner: data.removalId })),
    )
  })

/** Removes files whose days are over, and folders that are no download's (any more). */
export const dropExports = async (database: Database, now: Date): Promise<void> => {
  const folders = await storage().area('exports').names()
  const alive = await database.asSystem(async (tx) => {
    await dropEndedExports(tx, now)
    return exportsThatCount(tx)
  })
  const kept = new Set(alive.map(({ id }) => id))
  for (const id of folders) if (!kept.has(id)) await storage().area('exports').drop(id)
}
