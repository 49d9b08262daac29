import type { Database } from '../kernel/database.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import { sealWaiting } from './store.ts'

/** So many links are made in one transaction. */
const portion = 500

/** What was committed gets its place in its chain within seconds; no change waits for another one's. */
export const auditTasks = (database: Database): PeriodicTask[] => [
  {
    name: 'audit chains',
    seconds: 5,
    run: async (_now, signal) => {
      while (!signal.aborted && (await database.asSystem((tx) => sealWaiting(tx, portion))) === portion);
    },
  },
]
