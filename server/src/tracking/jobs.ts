import type { Database } from '../kernel/database.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import { dropOldEvents } from './store.ts'

/** For so many days the events of pages are kept. */
const keptDays = 180

export const trackingTasks = (database: Database): PeriodicTask[] => [
  {
    name: 'old page events',
    seconds: 3600,
    run: async (now) => {
      await database.asSystem((tx) => dropOldEvents(tx, new Date(now.getTime() - keptDays * 86_400_000)))
    },
  },
]
