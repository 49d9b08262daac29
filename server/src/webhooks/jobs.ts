import { mostKept } from '@clear-to-post/domain/most-kept'
import { webhookDays } from '@clear-to-post/domain/webhooks'
import type { Database } from '../kernel/database.ts'
import { enqueueEach } from '../kernel/queue.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import type { Job } from '../kernel/work.ts'
import { tellAdministrators } from './notices.ts'
import { sendWaiting } from './send.ts'
import { dropOldEvents, dueEndpoints, endFormerSecrets, stopFull } from './send-store.ts'

/** Sends one endpoint what is due. A company with slow endpoints holds one place of a worker: nobody waits for it. */
export const webhookJob: Job<'webhook'> = {
  name: 'webhook',
  atOnce: 8,
  oneEach: true,
  run: async ({ endpointId }, { database, log, signal }) => {
    const counts = await sendWaiting({ database, now: () => new Date(), signal }, endpointId)
    if (counts.delivered + counts.failed > 0) log.info({ endpointId, ...counts }, 'sent a webhook what was due')
  },
}

export const webhookTasks = (database: Database): PeriodicTask[] => [
  {
    name: 'webhooks that are due',
    seconds: 2,
    // Asked for again as long as nobody has begun: what is on its way is not due.
    run: async (now) => {
      await database.asSystem(async (tx) => {
        const due = await dueEndpoints(tx, now, 200)
        await enqueueEach(
          tx,
          'webhook',
          due.map(({ id: endpointId, owner, turn }) => ({ data: { endpointId }, owner, priority: -turn })),
        )
      })
    },
  },
  {
    name: 'webhooks for which too much waits',
    seconds: 60,
    run: async (now) => {
      await database.asSystem(async (tx) => {
        for (const endpoint of await stopFull(tx, mostKept.webhookWaiting))
          await tellAdministrators(tx, { ...endpoint, state: 'full' }, now)
        await endFormerSecrets(tx, now)
      })
    },
  },
  {
    name: 'old webhook events',
    seconds: 3600,
    run: async (now) => {
      await database.asSystem((tx) => dropOldEvents(tx, new Date(now.getTime() - webhookDays * 86_400_000)))
    },
  },
]
