import type { Database, Tx } from '../../kernel/database.ts'
import { eventOf } from '../../outside/payments/events.ts'
import {
  PaymentRefused,
  isCounted,
  type ObjectRef,
  type Payments,
  type ProviderEvent,
  type Snapshot,
  type CustomerOwner,
} from '../../outside/payments/payments.ts'
import {
  begin,
  buyOne,
  changePlan,
  discountOf,
  dueOf,
  endNow,
  isByCredit,
  previewOf,
  purchaseIdOf,
  putBackNow,
  refundedOf,
  refundNow,
  refundObjectId,
  renews,
  resumeNow,
  undoNow,
  voidOpenNow,
} from './billing.ts'
import { catalogueOf, usedCoupon } from './catalogue.ts'
import { oneAtATime, sandboxNow } from './clock.ts'
import { sandboxSecret, addEvent, undelivered, type SandboxEvent } from './events.ts'
import {
  addObject,
  allOf,
  findObject,
  forgetCustomer,
  lockObject,
  newId,
  objectsOf,
  saveObject,
  type Kind,
  type SandboxObject,
} from './objects.ts'

/**
 * The embedded stand-in for a payment provider: it has customers, cards, periods, retries and events like one, and moves no
 * money. Its objects live in our database, so that every process of the product sees the same ones; its pages are in
 * pages.ts, its clock is ours and can be moved ahead.
 */
export const sandbox = (database: Database, { publicUrl }: { publicUrl: string }): Payments => {
  const within = <T>(work: (tx: Tx, now: Date) => Promise<T>): Promise<T> =>
    database.asSystem(async (tx) => {
      await oneAtATime(tx)
      return work(tx, await sandboxNow(tx, new Date()))
    })
  const withSubscription = <T>(id: string, work: (tx: Tx, s: SandboxObject<'subscription'>, now: Date) => Promise<T>) =>
    within(async (tx, now) => {
      const found = await lockObject(tx, 'subscription', id)
      if (!found) throw new Error(`The sandbox knows no subscription ${id}`)
      return work(tx, found, now)
    })
  const pageOf = (kind: string, id: string) => `${publicUrl}/sandbox/${kind}/${id}`

  return {
    kind: 'sandbox',
    says: 'a sandbox: nobody is charged; set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET to take money',
    readEvent: async (raw, signature, now) =>
      eventOf(raw, signature, await database.asSystem((tx) => sandboxSecret(tx)), now),
    createCustomer: ({ owner, name, email, key }) =>
      within(async (tx, now) => {
        const id = `cus_sandbox_${key.replaceAll(/[^\w]/g, '')}`
        const body = { whose: owner, name, email, card: null, credit: 0 }
        await addObject(tx, { id, kind: 'customer', customerId: null, createdAt: now, body })
        return id
      }),
    updateCustomer: (id, { name, email }) =>
      within(async (tx, now) => {
        const customer = await lockObject(tx, 'customer', id)
        if (!customer || customer.body.isForgotten) return
        await saveObject(tx, { ...customer, body: { ...customer.body, name, email } })
        await addEvent(tx, 'customer.updated', id, now)
      }),
    checkout: ({ customerId, key: _key, ...order }) =>
      within(async (tx, now) => {
        const id = newId('cs')
        const body = { ...order, subscriptionId: null }
        await closeCheckouts(tx, customerId)
        await addObject(tx, { id, kind: 'checkout.session', customerId, createdAt: now, body })
        return pageOf('checkout', id)
      }),
    subscribeByMail: ({ key, ...order }) =>
      within(async (tx, now) => {
        const id = `sub_sandbox_${key.replaceAll(/[^\w]/g, '')}`
        await begin(tx, { ...order, id }, now)
        return { kind: 'subscription', id }
      }),
    portal: (customerId, backUrl) =>
      within(async (tx, now) => {
        const id = newId('bps')
        await addObject(tx, { id, kind: 'portal', customerId, createdAt: now, body: { backUrl } })
        return pageOf('portal', id)
      }),
    closePages: (customerId) =>
      within(async (tx) => {
        await closeCheckouts(tx, customerId)
        for (const open of await objectsOf(tx, 'portal', customerId))
          await saveObject(tx, { ...open, body: { ...open.body, isClosed: true } })
      }),
    buy: async (purchase) => {
      const { id, paid } = await within((tx, now) => buyOne(tx, purchase, now))
      if (!paid) throw new PaymentRefused('payment.declined')
      return { kind: 'payment_intent', id }
    },
    findPurchase: (_customerId, purchaseId) =>
      within(async (tx) => {
        const found = await findObject(tx, 'payment_intent', purchaseIdOf(purchaseId))
        return found ? { kind: 'payment_intent', id: found.id } : null
      }),
    pause: (id, from) =>
      withSubscription(id, async (tx, subscription, now) => {
        if (subscription.body.pausedFrom !== null) return
        if (subscription.body.periodEnd !== from.toISOString()) throw new PaymentRefused('subscription.changing')
        subscription.body.pausedFrom = from.toISOString()
        await saveObject(tx, subscription, dueOf(subscription.body))
        await addEvent(tx, 'customer.subscription.updated', id, now)
      }),
    resume: (id, anew) =>
      withSubscription(id, async (tx, subscription, now) => {
        if (subscription.body.pausedFrom !== null) await resumeNow(tx, subscription, anew, now)
      }),
    clockAhead: () => within(async (_tx, now) => now.getTime() - Date.now()),
    previewChange: ({ id }, to, used) =>
      withSubscription(id, async (tx, subscription, now) => {
        const { credit, charge, due, currency, renewsAt } = await previewOf(tx, subscription, to, used, now)
        return { credit, charge, due, currency, renewsAt }
      }),
    change: ({ id, from }, to, used) =>
      withSubscription(id, async (tx, subscription, now) => {
        const { planId, quantity, periodStart } = subscription.body
        if (!isCounted(from, { planId, periodStart: new Date(periodStart) }))
          throw new PaymentRefused('subscription.changing')
        if (planId !== to.planId || quantity !== to.quantity) await changePlan(tx, subscription, to, used, now)
      }),
    voidOpen: (id) => withSubscription(id, (tx, subscription, now) => voidOpenNow(tx, subscription, now)),
    putBack: ({ id }, to) => withSubscription(id, (tx, subscription, now) => putBackNow(tx, subscription, to, now)),
    endWithPeriod: (id) =>
      withSubscription(id, async (tx, subscription, now) => {
        if (subscription.body.status === 'canceled' || subscription.body.endsAtPeriodEnd) return
        subscription.body.isEndedByService = true
        await renews(tx, subscription, false, now)
      }),
    goOn: (id) =>
      withSubscription(id, async (tx, subscription, now) => {
        if (subscription.body.status === 'canceled' || !subscription.body.isEndedByService) return
        subscription.body.isEndedByService = false
        await renews(tx, subscription, true, now)
      }),
    end: (id) => withSubscription(id, async (tx, subscription, now) => void (await endNow(tx, subscription, now))),
    undo: (id) => withSubscription(id, (tx, subscription, now) => undoNow(tx, subscription, now)),
    refund: (what) => within((tx, now) => refundNow(tx, what, now)),
    credit: ({ customerId, amount, refundId }) =>
      within(async (tx, now) => {
        const customer = await lockObject(tx, 'customer', customerId)
        if (!customer) throw new PaymentRefused('payment.declined')
        const { credits = [] } = customer.body
        if (credits.includes(refundId)) return
        const body = { ...customer.body, credit: customer.body.credit + amount, credits: [...credits, refundId] }
        await saveObject(tx, { ...customer, body })
        await addEvent(tx, 'customer.updated', customerId, now)
      }),
    isGiven: ({ refundId, ...at }) =>
      within(async (tx) =>
        'chargeId' in at
          ? (await findObject(tx, 'refund', refundObjectId(refundId))) !== undefined
          : ((await findObject(tx, 'customer', at.customerId))?.body.credits ?? []).includes(refundId),
      ),
    ...catalogueOf(within),
    runningOf: (id) =>
      within(async (tx) =>
        (await objectsOf(tx, 'subscription', id)).filter(({ body }) => body.status !== 'canceled').map((one) => one.id),
      ),
    forgetCustomer: (id) => within((tx) => forgetCustomer(tx, id)),
    read: (about) => within((tx) => readAll(tx, about, publicUrl)),
    everything: async function* (since) {
      const kinds = ['subscription', 'charge', 'invoice', 'payment_intent', 'refund'] as const
      for (const kind of kinds) {
        const from = kind === 'subscription' ? new Date(0) : since
        const objects = await within((tx) => allOf<Kind>(tx, kind, from))
        for (const { id } of objects) yield* await within((tx) => readAll(tx, { kind, id }, publicUrl))
      }
    },
    missed: async function* () {
      for (const event of await within((tx) => undelivered(tx, 1000))) yield plain(event)
    },
  }
}

/** A customer with a card that pays, and a running subscription, as if it had been bought now: for the demo. */
export const addSandboxSubscription = async (
  tx: Tx,
  { owner, name, planId, quantity }: { owner: CustomerOwner; name: string; planId: string; quantity: number },
): Promise<{ customerId: string; subscriptionId: string }> => {
  const now = await sandboxNow(tx, new Date())
  const [customerId, subscriptionId] = [newId('cus'), newId('sub')]
  const card = { brand: 'visa', last4: '4242', pays: 'always' as const }
  const body = { whose: owner, name, email: '', card, credit: 0 }
  await addObject(tx, { id: customerId, kind: 'customer', customerId: null, createdAt: now, body })
  const order = { planId, quantity, couponId: null, percentOff: 0, amountOff: 0, months: null }
  await begin(tx, { ...order, id: subscriptionId, customerId, daysUntilDue: null }, now)
  return { customerId, subscriptionId }
}

const closeCheckouts = async (tx: Tx, customerId: string): Promise<void> => {
  for (const open of await objectsOf(tx, 'checkout.session', customerId))
    if (open.body.subscriptionId === null && !open.body.isClosed)
      await saveObject(tx, { ...open, body: { ...open.body, isClosed: true } })
}

const plain = ({ id, type, kind, objectId, createdAt }: SandboxEvent): ProviderEvent => ({
  id,
  type,
  about: { kind, id: objectId },
  createdAt,
})

const readAll = async (tx: Tx, { kind, id }: ObjectRef, publicUrl: string): Promise<Snapshot[]> => {
  const found = await findObject(tx, kind as Kind, id)
  if (!found) return []
  const one = (of: ObjectRef) => readAll(tx, of, publicUrl)
  switch (found.kind) {
    case 'subscription': {
      const subscription = found as SandboxObject<'subscription'>
      const coupon = subscription.body.couponId ? await usedCoupon(tx, subscription.body.couponId) : null
      return [...(coupon ? [coupon] : []), await subscriptionOf(tx, subscription)]
    }
    case 'charge': {
      const { createdAt, customerId, body } = found as SandboxObject<'charge'>
      const receiptUrl = `${publicUrl}/sandbox/receipts/${id}`
      const charge = {
        kind: 'charge' as const,
        id,
        customerId: customerId!,
        subscriptionId: body.subscriptionId ?? null,
        createdAt,
        receiptUrl,
        paymentType: 'card',
      }
      return [...(await purchasesOf(tx, customerId!, id, body)), { ...charge, ...shown(body) }]
    }
    case 'invoice': {
      const { createdAt, customerId, body } = found as SandboxObject<'invoice'>
      const { status, price, credit = 0, currency, description, subscriptionId } = body
      const snapshot: Snapshot = {
        kind: 'charge',
        id,
        customerId: customerId!,
        subscriptionId,
        createdAt,
        paid: status === 'paid',
        receiptUrl: `${publicUrl}/sandbox/invoices/${id}`,
        status,
        price,
        credit,
        refunded: 0,
        disputed: 0,
        currency,
        paymentType: isByCredit(body) ? 'credit' : 'invoice',
        card: null,
        description,
      }
      return [snapshot, ...(await one({ kind: 'subscription', id: subscriptionId }))]
    }
    case 'refund': {
      const { refundId, chargeId, status } = (found as SandboxObject<'refund'>).body
      const failed: Snapshot[] = status === 'failed' ? [{ kind: 'failed-refund', refundId, chargeId }] : []
      return [...failed, ...(await one({ kind: 'charge', id: chargeId }))]
    }
    case 'payment_intent': {
      return one({ kind: 'charge', id: (found as SandboxObject<'payment_intent'>).body.chargeId })
    }
    case 'checkout.session': {
      const { subscriptionId } = (found as SandboxObject<'checkout.session'>).body
      return subscriptionId === null ? [] : one({ kind: 'subscription', id: subscriptionId })
    }
    case 'customer': {
      const subscriptions = await objectsOf(tx, 'subscription', id)
      return Promise.all(subscriptions.map((s) => subscriptionOf(tx, s)))
    }
    default:
      return []
  }
}

// What was bought by a charge; one that went back wholly bought nothing.
const purchasesOf = async (
  tx: Tx,
  customerId: string,
  chargeId: string,
  charge: SandboxObject<'charge'>['body'],
): Promise<Snapshot[]> =>
  (await objectsOf(tx, 'payment_intent', customerId))
    .filter(({ body }) => body.chargeId === chargeId)
    .map(({ body: { purchaseId, status } }) => {
      const stands = charge.price - refundedOf(charge) - (charge.disputed ?? 0)
      const state = status === 'succeeded' && stands > 0 ? 'paid' : 'failed'
      return { kind: 'purchase', purchaseId, state, chargeId }
    })

const shown = (body: SandboxObject<'charge'>['body']) => {
  const { paid, status, price, credit = 0, disputed = 0, currency, description, card } = body
  return { paid, status, price, credit, refunded: refundedOf(body), disputed, currency, description, card }
}

const subscriptionOf = async (
  tx: Tx,
  { id, customerId, body }: SandboxObject<'subscription'>,
): Promise<Extract<Snapshot, { kind: 'subscription' }>> => {
  const { percentOff, amountOff, ends: discountEnds } = discountOf(body)
  const isOff = discountEnds === null || discountEnds > (await sandboxNow(tx, new Date()))
  const { card = null, credit = 0 } = (await findObject(tx, 'customer', customerId!))?.body ?? {}
  const byCard = body.daysUntilDue === null
  return {
    kind: 'subscription',
    id,
    customerId: customerId!,
    status: body.status,
    isCharged: body.draft === undefined && (!byCard || body.status === 'active'),
    planId: body.planId,
    itemId: id.replace(/^sub/, 'si'),
    quantity: body.quantity,
    percentOff: isOff ? percentOff : 0,
    amountOff: isOff ? amountOff : 0,
    discountEnds: isOff ? discountEnds : null,
    couponIds: [...(body.couponId ? [body.couponId] : []), ...(body.formerCoupons ?? [])],
    startedAt: new Date(body.startedAt),
    periodStart: new Date(body.periodStart),
    periodEnd: new Date(body.periodEnd),
    pausedFrom: body.pausedFrom === null ? null : new Date(body.pausedFrom),
    endsAt: body.endedAt ? new Date(body.endedAt) : body.endsAtPeriodEnd ? new Date(body.periodEnd) : null,
    daysUntilDue: body.daysUntilDue,
    paymentMethodId: byCard && card ? `pm_sandbox_${customerId!.slice(-12)}_${card.last4}` : null,
    card: byCard && card ? { brand: card.brand, last4: card.last4 } : null,
    credit,
  }
}
