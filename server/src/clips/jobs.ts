import { dropClipFile } from '../assets/actions.ts'
import type { Database } from '../kernel/database.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import type { Log } from '../kernel/work.ts'
import { clipsNobodyNeeds, deleteClip } from './store.ts'

/** So long a clip that was taken out can be put back, and is there for an edit that brings it back by undoing. */
export const keptDays = 30

export const clipTasks = ({ database, log }: { database: Database; log: Log }): PeriodicTask[] => [
  {
    name: 'clips taken out',
    seconds: 3600,
    run: async (now) => {
      const removed = await sweepClips(database, now)
      if (removed > 0) log.info({ removed }, 'removed clips that were taken out of their library')
    },
  },
]

/** Removes clips that were taken out 30 days ago and that no edit needs any more. Answers how many. */
export const sweepClips = (database: Database, now: Date): Promise<number> =>
  database.asSystem(async (tx) => {
    const before = new Date(now.getTime() - keptDays * 86_400_000)
    const gone = await clipsNobodyNeeds(tx, { before, now })
    for (const { id, asset_id } of gone) {
      await deleteClip(tx, id)
      await dropClipFile(tx, asset_id)
    }
    return gone.length
  })
