import type { PeriodicTask } from '../../kernel/scheduler.ts'
import type { Database } from '../../kernel/database.ts'
import { payments } from '../../outside/payments/payments.ts'
import { runSandbox } from './billing.ts'
import { deliverEvents } from './events.ts'

/** What a provider does by itself: renewals, and events at our own door. */
export const sandboxTasks = (database: Database, { publicUrl }: { publicUrl: string }): PeriodicTask[] => [
  {
    name: 'sandbox of payments',
    seconds: 5,
    run: async (now, signal) => {
      if (payments().kind !== 'sandbox') return
      await runSandbox(database, now)
      await deliverEvents(database, async (body, signature) => {
        const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
        const answer = await fetch(`${publicUrl}/webhooks/payments`, { method: 'POST', headers, body, signal }).catch(
          () => null,
        )
        return answer?.ok === true
      })
    },
  },
]
