import { refusal } from '@clear-to-post/contract/errors'
import type { Database, Tx } from '../kernel/database.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import type { Job } from '../kernel/work.ts'
import { PaymentRefused, payments } from '../outside/payments/payments.ts'
import { sendMail } from '../mail/actions.ts'
import { tellOfPayers } from './customers.ts'
import { prepareChange, readCovering } from './change.ts'
import { finishAllBack, finishBack, goBack, wayBack, type Before } from './going-back.ts'
import { seatsChanged } from './actions.ts'
import { syncFromProvider, handleEvent, reconcile, sayEndedMeanwhile, sweepEvents, payersOf } from './mirror.ts'
import {
  beginChange,
  endChange,
  payerRow,
  runningBeside,
  subscriptionPaidBy,
  surplusIds,
  videosUsed,
  type PayerRow,
} from './store.ts'

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
    await syncFromProvider(database, { kind: 'subscription', id: providerId })
  },
}

/**
 * Brings what a tenant pays for to the seats it has now, whatever number made it necessary. One that is off, or whose plan ends, is
 * charged for nothing: its seats follow once it is on again, or keeps the plan. While an invoice is open they wait, unless they are
 * those again that were paid.
 */
export const seatsJob: Job<'seats'> = {
  name: 'seats',
  atOnce: 1,
  run: async ({ tenantId }, { database }) => {
    const ahead = await payments().clockAhead()
    const found = await database.asSystem(async (tx) => {
      const [row, payer] = [await subscriptionPaidBy(tx, { tenantId }), await payerRow(tx, { tenantId })]
      if (!payer?.customer_id || !row?.provider_id || !row.item_id) return undefined
      if (!payer.is_active || row.ends_at !== null) return undefined
      if (row.quantity === Math.max(1, payer.seats)) return undefined
      const { provider_id: id, item_id: itemId } = row
      const begun = await beginChange(tx, row.id, { by: `seats ${tenantId}`, now: new Date() })
      if (begun === null) throw refusal('subscription.changing')
      const running = { id, itemId, customerId: payer.customer_id, row }
      return { running, quantity: Math.max(1, payer.seats), back: await wayBack(tx, row), begun }
    })
    if (!found) return
    const { running, quantity, back, begun } = found
    const { id, row } = running
    const to = { planId: row.plan_id, quantity }
    const end = () => database.asSystem((tx) => endChange(tx, row.id, begun.until))
    const key = `seats ${id} ${row.reading} ${quantity}`
    const onceMore = async () => void (await database.asSystem((tx) => seatsChanged(tx, tenantId)))
    const isBack = (way: Before | null) => way?.planId === to.planId && way.quantity === quantity
    const prepare = async () => {
      // What was cut comes first, and the seats once more after it.
      if (await finishBack(database, row.id, key)) return onceMore
      if (isBack(back)) {
        // A period may have begun since, and its event be on the way: its invoice is none of a change.
        await syncFromProvider(database, { kind: 'subscription', id })
        if (!isBack(await database.asSystem((tx) => wayBack(tx, row)))) return onceMore
        return () => goBack(database, { id: row.id, providerId: id, itemId: running.itemId }, to, key)
      }
      await readCovering(database, row)
      const used = await database.asSystem((tx) => videosUsed(tx, row, ahead))
      return prepareChange(database, running, to, used, key)
    }
    const change = await prepare().catch(async (error: unknown) => {
      if (!begun.isAgain) await end()
      return unlessOwing(error)
    })
    await change?.().catch(async (error: unknown) => {
      // What became of it is unknown otherwise, and the mark stays.
      if (error instanceof PaymentRefused) await end()
      unlessOwing(error)
    })
    await syncFromProvider(database, { kind: 'subscription', id })
    await end()
  },
}

// The seats wait for an open invoice; the news that it was paid, or is void, asks for them again.
const unlessOwing = (error: unknown): undefined => {
  if (!(error instanceof PaymentRefused) || error.reason !== 'subscription.owes') throw error
}

/**
 * Closes the payment pages of a payer who lost an admin, was switched off or shut out: nobody pays for what nobody asks for
 * any more. The plan of who is off is charged no more, and goes on for who is back before its period ends. Safe to repeat.
 */
export const payerChangedJob: Job<'payer-standing'> = {
  name: 'payer-standing',
  atOnce: 1,
  run: async (who, { database }) => {
    const find = () =>
      database.asSystem(async (tx) => ({ payer: await payerRow(tx, who), row: await subscriptionPaidBy(tx, who) }))
    let { payer, row } = await find()
    if (payer?.customer_id && payments().kind !== 'closed') await payments().closePages(payer.customer_id)
    // Until it was said for what stands: they may be switched meanwhile, and another look have said so already.
    for (
      let said: boolean | undefined;
      payer && row?.provider_id && payer.is_active !== said;
      { payer, row } = await find()
    ) {
      said = payer.is_active
      await (said ? payments().goOn(row.provider_id) : payments().endWithPeriod(row.provider_id))
      await syncFromProvider(database, { kind: 'subscription', id: row.provider_id })
    }
    if (payer?.is_active) await database.asSystem((tx) => catchUp(tx, payer))
  },
}

/** Whoever is on again hears what they could not, and a company pays for the seats that changed while it was off. */
const catchUp = async (tx: Tx, payer: PayerRow): Promise<void> => {
  await sayEndedMeanwhile(tx, payer)
  if (payer.tenant_id !== null) await seatsChanged(tx, payer.tenant_id)
}

/** Nobody pays twice: the later of two plans is ended, the money given back, and the payer told. Safe to repeat. */
export const surplusJob: Job<'surplus'> = {
  name: 'surplus',
  atOnce: 1,
  run: async ({ providerId }, { database }) => {
    // What we keep may be old: whatever runs for this payer is read anew before anything is ended.
    const beside = await database.asSystem((tx) => runningBeside(tx, providerId))
    for (const { provider_id: id } of beside) await syncFromProvider(database, { kind: 'subscription', id })
    const [payer] = beside
    if (!payer || !(await database.asSystem((tx) => surplusIds(tx, payer))).includes(providerId)) return
    await payments().undo(providerId, `undo ${providerId}`)
    await database.asSystem(async (tx) => {
      for (const { id, email } of await payersOf(tx, payer))
        await sendMail(tx, {
          key: `surplus ${providerId} ${id}`,
          to: email,
          template: 'message',
          data: {
            title: 'A plan was paid twice; the second payment comes back',
            body: 'A plan was running already, so the later one was ended at once and its whole price is given back. Your bank may need some days to show it.\n\nYou have nothing to do. To change the plan, open it in the panel.',
            link: { label: 'Open my plan', url: '/panel/plan' },
          },
        })
    })
    await syncFromProvider(database, { kind: 'subscription', id: providerId })
  },
}

/** What keeps our copy right when events fail to come. */
export const paymentTasks = (database: Database): PeriodicTask[] => [
  { name: 'missed payment events', seconds: 300, run: async (now) => void (await sweepEvents(database, now)) },
  { name: 'plans gone back', seconds: 60, run: (now) => finishAllBack(database, now) },
  { name: 'payers told of', seconds: 300, run: (_now, signal) => tellOfPayers(database, signal) },
  { name: 'payments compared', seconds: 3600, run: async (now) => void (await reconcile(database, now)) },
]
