import { invitationRules } from '@clear-to-post/domain/invitations'
import type { Database } from '../kernel/database.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import { dropOld } from './store.ts'

/** Nobody's address stays here because they were once invited. */
export const invitationTasks = (database: Database): PeriodicTask[] => [
  {
    name: 'old invitations',
    seconds: 3600,
    run: async (now) => {
      await database.asSystem((tx) => dropOld(tx, new Date(now.getTime() - invitationRules.keptDays * 86_400_000)))
    },
  },
]
