import { mostKept } from '@clear-to-post/domain/most-kept'
import type { Database } from '../kernel/database.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import { dropClosedLetters, dropOldLetters } from './store.ts'

export const supportTasks = (database: Database): PeriodicTask[] => [
  {
    name: 'old letters',
    seconds: 6 * 3600,
    run: async (now) => {
      await database.asSystem((tx) => dropOldLetters(tx, new Date(now.getTime() - mostKept.letterDays * 86_400_000)))
      await database.asSystem(dropClosedLetters)
    },
  },
]
