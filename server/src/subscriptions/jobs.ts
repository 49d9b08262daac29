import type { Database } from '../db/tenant.ts'
import type { Chore } from '../jobs/clock.ts'
import type { Job } from '../jobs/work.ts'
import { payments } from '../outside/payments/payments.ts'
import { runSandbox } from '../outside/payments/sandbox-billing.ts'
import { deliverEvents } from '../outside/payments/sandbox.ts'
import { absorb, handleEvent, reconcile, sweepEvents } from './mirror.ts'
import { payerRow, subscriptionPaidBy } from './store.ts'

export const paymentJob: Job<'payment'> = {
  name: 'payment',
  atOnce: 2,
  run: ({ eventId }, { database }) => handleEvent(database, eventId),
}

/** Safe to repeat: one that has ended is left alone. */
export const endSubscriptionJob: Job<'endSubscription'> = {
  name: 'endSubscription',
  atOnce: 1,
  run: async ({ providerId }, { database }) => {
    await payments().end(providerId, `end ${providerId}`)
    await absorb(database, { kind: 'subscription', id: providerId })
  },
}

/** Brings what a tenant pays for to the seats it has now, whatever number made it necessary. */
export const seatsJob: Job<'seats'> = {
  name: 'seats',
  atOnce: 1,
  run: async ({ tenantId }, { database }) => {
    const { payer, row } = await database.asSystem(async (tx) => ({
      payer: await payerRow(tx, { tenantId }),
      row: await subscriptionPaidBy(tx, { tenantId }),
    }))
    const { provider_id: id, item_id: itemId } = row ?? {}
    if (!payer?.customer_id || !row || !id || !itemId || row.quantity === Math.max(1, payer.seats)) return
    const to = { planId: row.plan_id, quantity: Math.max(1, payer.seats) }
    await payments().change(
      { id, itemId, customerId: payer.customer_id },
      to,
      `seats ${id} ${row.reading} ${to.quantity}`,
    )
    await absorb(database, { kind: 'subscription', id })
  },
}

/** What keeps our copy right when events fail to come. */
export const paymentChores = (database: Database, { publicUrl }: { publicUrl: string }): Chore[] => [
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
  { name: 'missed payment events', seconds: 300, run: async (now) => void (await sweepEvents(database, now)) },
  { name: 'payments compared', seconds: 3600, run: async (now) => void (await reconcile(database, now)) },
]
