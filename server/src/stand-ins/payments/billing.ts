import {
  discountAt,
  periodEnd,
  periodPrice,
  planChange,
  type Billed,
  type Discount,
  type PeriodUse,
} from '@clear-to-post/domain/money'
import type { Database, Tx } from '../../kernel/database.ts'
import {
  PaymentRefused,
  type Order,
  type TakenOff,
  type Target,
  type VideosUsed,
} from '../../outside/payments/payments.ts'
import { usedCoupon } from './catalogue.ts'
import { oneAtATime, sandboxNow } from './clock.ts'
import { addEvent } from './events.ts'
import {
  addObject,
  findObject,
  lockObject,
  newId,
  nextDue,
  objectsOf,
  saveObject,
  soldPlan,
  type Bodies,
  type SandboxCard,
  type SandboxObject,
  type SoldPlan,
} from './objects.ts'

type Subscription = SandboxObject<'subscription'>

/** Begins a subscription: the first period is charged now, or invoiced. Throws `PaymentRefused`; nothing stands then. */
export const begin = async (
  tx: Tx,
  order: Order & { id: string; customerId: string; daysUntilDue: number | null },
  now: Date,
): Promise<void> => {
  const plan = await soldPlan(tx, order.planId)
  const body: Bodies['subscription'] = {
    status: 'active',
    planId: plan.id,
    quantity: order.quantity,
    ...discounted(order, now),
    startedAt: now.toISOString(),
    anchor: now.toISOString(),
    periods: 1,
    periodStart: now.toISOString(),
    periodEnd: periodEnd(now, plan.interval, 1).toISOString(),
    pausedFrom: null,
    endsAtPeriodEnd: false,
    daysUntilDue: order.daysUntilDue,
    owed: 0,
    attempts: 0,
  }
  if (!(await findObject(tx, 'subscription', order.id))) await requireUses(tx, order.couponId)
  const made = await addObject(tx, { ...order, kind: 'subscription', createdAt: now, body, dueAt: dueOf(body) })
  // The same order once more.
  if (!made) return
  const subscription = (await lockObject(tx, 'subscription', order.id))!
  await addEvent(tx, 'customer.subscription.created', order.id, now)
  const paid = await collect(tx, subscription, billed(body, plan, now), plan, now)
  if (!paid) throw new PaymentRefused('payment.declined')
}

// Counted when it is paid: others may have used it since the page was opened. The sandbox does one thing at a time.
const requireUses = async (tx: Tx, couponId: string | null): Promise<void> => {
  if (couponId === null) return
  const coupon = await usedCoupon(tx, couponId)
  if (coupon !== null && coupon.mostUses !== null && coupon.uses >= coupon.mostUses)
    throw new PaymentRefused('payment.refused', undefined, {
      field: 'coupon',
      words: `The coupon ${couponId} was used as often as it can be.`,
    })
}

/** Changes plan or seats, and settles the difference. Throws `PaymentRefused`; nothing is changed then. */
export const changePlan = async (tx: Tx, subscription: Subscription, to: Target, used: VideosUsed, now: Date) => {
  const { body } = subscription
  const plan = await soldPlan(tx, to.planId)
  if (to.offer) await requireUses(tx, to.offer.couponId)
  const { credit, charge, due, restarts } = await previewOf(tx, subscription, to, used, now)
  if (due < 0) await giveCredit(tx, subscription.customerId!, -due, now)
  else if (!(await collect(tx, subscription, due, plan, now))) throw new PaymentRefused('payment.declined')
  Object.assign(body, changed(body, to, now))
  if (restarts) restart(body, plan, now)
  await saveObject(tx, subscription, dueOf(body))
  await addEvent(tx, 'customer.subscription.updated', subscription.id, now)
  return { credit, charge, due }
}

const changed = (body: Bodies['subscription'], { planId, quantity, offer }: Target, now: Date) => {
  const off = offer === undefined ? {} : discounted(offer ?? nothingOff, now)
  const { couponId, formerCoupons = [] } = body
  const isGone = offer !== undefined && couponId
  return { ...body, planId, quantity, ...off, ...(isGone ? { formerCoupons: [...formerCoupons, couponId] } : {}) }
}
const nothingOff: TakenOff = { couponId: null, percentOff: 0, amountOff: 0, months: null }

const discounted = ({ couponId, percentOff, amountOff, months }: TakenOff, now: Date) => ({
  percentOff,
  amountOff,
  discountEnds: months === null ? null : periodEnd(now, 'month', months).toISOString(),
  couponId,
})

/** What `changePlan` would settle. */
export const previewOf = async (tx: Tx, subscription: Subscription, to: Target, used: VideosUsed, now: Date) => {
  const { body } = subscription
  const [before, after] = [await soldPlan(tx, body.planId), await soldPlan(tx, to.planId)]
  const period = { start: new Date(body.periodStart), end: new Date(body.periodEnd) }
  const at = now < period.start ? period.start : now
  // The running period was paid for with the discount of its start, which may have ended since.
  const [from, next] = [billedOf(body, before, period.start), billedOf(changed(body, to, now), after, at)]
  const isAnother = body.planId !== to.planId || body.quantity !== to.quantity
  // A draft is open within the hour.
  if (isAnother && (body.draft !== undefined || (await openInvoices(tx, subscription)).length > 0))
    throw new PaymentRefused('subscription.owes')
  const [payment, back] = [await paymentOf(tx, subscription), used.credited + (await wentBackOf(tx, subscription))]
  const change = planChange(from, next, period, to.at ?? at, { ...used, payment, back })
  const renewsAt = change.restarts ? periodEnd(now, after.interval, 1) : period.end
  return { ...change, currency: after.currency, renewsAt }
}

// What was not paid for the running period does not come back: an open invoice is not paid, nor one that is void, unless what it
// was written for was taken back with it.
const paymentOf = async (tx: Tx, subscription: Subscription): Promise<PeriodUse['payment']> => {
  const { body } = subscription
  if (body.pausedFrom !== null && body.pausedFrom <= body.periodStart) return 'paused'
  const isOpen = body.draft !== undefined || (await openInvoices(tx, subscription)).length > 0
  if (body.status !== 'active' || isOpen) return 'owed'
  const last = await lastBilled(tx, subscription)
  return last?.body.status === 'void' && body.takenBack !== last.id ? 'owed' : 'paid'
}

/** What a subscription was invoiced, or its card charged, last. */
const lastBilled = async (tx: Tx, { id, customerId }: Subscription) => {
  const [invoices, charges] = [await objectsOf(tx, 'invoice', customerId!), await objectsOf(tx, 'charge', customerId!)]
  return [...invoices, ...charges.filter(({ body }) => body.paid)]
    .filter(({ body }) => body.subscriptionId === id)
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0]
}

const openInvoices = async (tx: Tx, { id, customerId }: Subscription) =>
  (await objectsOf(tx, 'invoice', customerId!)).filter(
    ({ body }) => body.subscriptionId === id && body.status === 'open',
  )

/**
 * Makes a subscription's open invoices void. Answers the newest, or the last one where it is void already; null: nothing is. What
 * nobody owes any more is not overdue.
 */
export const voidOpenNow = async (tx: Tx, subscription: Subscription, now: Date): Promise<string | null> => {
  const open = await openInvoices(tx, subscription)
  for (const invoice of open) await voidInvoice(tx, invoice, now)
  if (open.length > 0 && subscription.body.status === 'past_due') {
    subscription.body.status = 'active'
    await saveObject(tx, subscription, dueOf(subscription.body))
    await addEvent(tx, 'customer.subscription.updated', subscription.id, now)
  }
  if (subscription.body.draft !== undefined) return open[0]?.id ?? null
  const last = open[0] ?? (await lastBilled(tx, subscription))
  return last && (open[0] || last.body.status === 'void') ? last.id : null
}

/** Nobody owes it any more, and it pays for nothing. What it had used of the customer's good stands there again. */
const voidInvoice = async (tx: Tx, invoice: SandboxObject<'invoice'>, now: Date): Promise<void> => {
  const { credit = 0 } = invoice.body
  await saveObject(tx, { ...invoice, body: { ...invoice.body, status: 'void' } })
  if (credit > 0) await giveCredit(tx, invoice.customerId!, credit, now)
  await addEvent(tx, 'invoice.voided', invoice.id, now)
}

/** It has the plan and seats again that were paid before the change whose invoice is void. */
export const putBackNow = async (
  tx: Tx,
  subscription: Subscription,
  { planId, quantity, invoice }: Pick<Target, 'planId' | 'quantity'> & { invoice: string },
  now: Date,
): Promise<void> => {
  Object.assign(subscription.body, { planId, quantity, takenBack: invoice })
  await saveObject(tx, subscription, dueOf(subscription.body))
  await addEvent(tx, 'customer.subscription.updated', subscription.id, now)
}

// What of the running period's charges went back to the card, or was taken back by its bank.
const wentBackOf = async (tx: Tx, { id, customerId, body }: Subscription): Promise<number> => {
  let back = 0
  for (const { body: charge, createdAt } of await objectsOf(tx, 'charge', customerId!))
    if (charge.subscriptionId === id && charge.paid && createdAt >= new Date(body.periodStart))
      back += refundedOf(charge) + (charge.disputed ?? 0)
  return back
}

/** What was given back of a charge. */
export const refundedOf = ({ status, price, refunds = {} }: Bodies['charge']): number =>
  status === 'refunded' ? price : Object.values(refunds).reduce((all, one) => all + one, 0)

/** Resumes a paused one; `anew`: a period begins now and is charged. Throws `PaymentRefused`. */
export const resumeNow = async (tx: Tx, subscription: Subscription, anew: boolean, now: Date): Promise<void> => {
  const { body } = subscription
  body.pausedFrom = null
  if (anew) {
    const plan = await soldPlan(tx, body.planId)
    restart(body, plan, now)
    if (!(await collect(tx, subscription, billed(body, plan, now), plan, now)))
      throw new PaymentRefused('payment.declined')
  }
  await saveObject(tx, subscription, dueOf(body))
  await addEvent(tx, 'customer.subscription.updated', subscription.id, now)
}

/** Whether a subscription goes on after its period. */
export const renews = async (
  tx: Tx,
  subscription: SandboxObject<'subscription'>,
  goesOn: boolean,
  now: Date,
): Promise<void> => {
  subscription.body.endsAtPeriodEnd = !goesOn
  await saveObject(tx, subscription, dueOf(subscription.body))
  await addEvent(tx, 'customer.subscription.updated', subscription.id, now)
}

/** Ends it at once; false when it had ended. */
export const endNow = async (tx: Tx, subscription: Subscription, now: Date): Promise<boolean> => {
  if (subscription.body.status === 'canceled') return false
  Object.assign(subscription.body, { status: 'canceled', endedAt: now.toISOString() })
  await saveObject(tx, subscription)
  await addEvent(tx, 'customer.subscription.deleted', subscription.id, now)
  return true
}

/** Ends it and gives back what was paid for it. */
export const undoNow = async (tx: Tx, subscription: Subscription, now: Date): Promise<void> => {
  if (subscription.body.status === 'canceled') return
  const customerId = subscription.customerId!
  // What stood to their good and was used comes back, too.
  const { planId, periodStart } = subscription.body
  const { draft } = subscription.body
  let credit = draft === undefined ? billed(subscription.body, await soldPlan(tx, planId), new Date(periodStart)) : 0
  for (const charge of await objectsOf(tx, 'charge', customerId))
    if (charge.body.subscriptionId === subscription.id && charge.body.status === 'succeeded') {
      credit -= charge.body.price
      await saveObject(tx, { ...charge, body: { ...charge.body, status: 'refunded' } })
      await addEvent(tx, 'charge.refunded', charge.id, now)
    }
  for (const invoice of await objectsOf(tx, 'invoice', customerId))
    if (
      invoice.body.subscriptionId === subscription.id &&
      (invoice.body.status === 'open' || isByCredit(invoice.body))
    ) {
      credit -= invoice.body.price
      await saveObject(tx, { ...invoice, body: { ...invoice.body, status: 'void' } })
      await addEvent(tx, 'invoice.voided', invoice.id, now)
    }
  if (credit > 0) await giveCredit(tx, customerId, credit, now)
  await endNow(tx, subscription, now)
}

/** Was all of it paid by what the customer had to the good? */
export const isByCredit = ({ price, credit = 0 }: Bodies['invoice']): boolean => price === 0 && credit > 0

/** Charges one video. The charge stands whether or not it was paid. */
export const buyOne = async (
  tx: Tx,
  purchase: { customerId: string; purchaseId: string; price: number; currency: string; description: string },
  now: Date,
): Promise<{ id: string; paid: boolean }> => {
  const id = purchaseIdOf(purchase.purchaseId)
  const before = await findObject(tx, 'payment_intent', id)
  if (before) return { id, paid: before.body.status === 'succeeded' }
  const customer = (await lockObject(tx, 'customer', purchase.customerId))!
  if (customer.body.card === null) throw new PaymentRefused('payment.no-card')
  const { paid, chargeId } = await chargeCard(tx, customer, purchase, now)
  const body = {
    purchaseId: purchase.purchaseId,
    status: paid ? ('succeeded' as const) : ('failed' as const),
    chargeId,
  }
  await addObject(tx, { id, kind: 'payment_intent', customerId: customer.id, createdAt: now, body })
  await addEvent(tx, paid ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', id, now)
  return { id, paid }
}
export const purchaseIdOf = (purchaseId: string): string => `pi_sandbox_${purchaseId.replaceAll('-', '')}`

/** A new card for everything that is charged from now on; what is owed is tried at once. */
export const changeCard = async (tx: Tx, customerId: string, card: SandboxCard, now: Date): Promise<void> => {
  const customer = (await lockObject(tx, 'customer', customerId))!
  await saveObject(tx, { ...customer, body: { ...customer.body, card } })
  await addEvent(tx, 'customer.updated', customerId, now)
  for (const { id, body } of await objectsOf(tx, 'subscription', customerId))
    if (body.status === 'past_due') await retry(tx, (await lockObject(tx, 'subscription', id))!, now)
}

export const payInvoice = async (tx: Tx, invoice: SandboxObject<'invoice'>, now: Date): Promise<void> => {
  if (invoice.body.status !== 'open') return
  await saveObject(tx, { ...invoice, body: { ...invoice.body, status: 'paid' } })
  await addEvent(tx, 'invoice.paid', invoice.id, now)
  const subscription = (await lockObject(tx, 'subscription', invoice.body.subscriptionId))!
  if (subscription.body.status !== 'past_due') return
  subscription.body.status = 'active'
  await saveObject(tx, subscription, dueOf(subscription.body))
  await addEvent(tx, 'customer.subscription.updated', subscription.id, now)
}

/** Does everything that is due by the sandbox's clock: renewals, new tries, ends. Answers how much was done. */
export const runSandbox = async (database: Database, realNow: Date): Promise<number> => {
  for (let done = 0; ; done++) {
    const went = await database.asSystem(async (tx) => {
      await oneAtATime(tx)
      const now = await sandboxNow(tx, realNow)
      const due = await nextDue(tx, now)
      if (!due) return false
      if (due.kind === 'subscription') await turn(tx, due as Subscription, now)
      else if (due.kind === 'invoice') await overdue(tx, due as SandboxObject<'invoice'>, now)
      else if (due.kind === 'refund') await failRefund(tx, due as SandboxObject<'refund'>, now)
      else await saveObject(tx, due)
      return true
    })
    if (!went || done > 10_000) return done
  }
}

// One step of one subscription: a period later at most, so that a clock that leaps passes every period in between.
const turn = async (tx: Tx, subscription: Subscription, now: Date): Promise<void> => {
  const { body } = subscription
  if (body.status === 'canceled') return void (await saveObject(tx, subscription))
  if (body.status === 'past_due' && body.daysUntilDue === null) return retry(tx, subscription, dueOf(body) ?? now)
  if (body.draft !== undefined) return chargeDraft(tx, subscription, body.draft)
  // What happens at a period's end happens then, however late we look.
  const at = new Date(body.periodEnd)
  if (body.endsAtPeriodEnd) return void (await endNow(tx, subscription, at))
  const plan = await soldPlan(tx, body.planId)
  body.periods++
  body.periodStart = body.periodEnd
  body.periodEnd = periodEnd(new Date(body.anchor), plan.interval, body.periods).toISOString()
  if (body.pausedFrom === null) body.draft = billed(body, plan, at)
  await saveObject(tx, subscription, dueOf(body))
  await addEvent(tx, 'customer.subscription.updated', subscription.id, at)
}

// The period began an hour ago, with the status that it had. The event stands for that of its invoice, too.
const chargeDraft = async (tx: Tx, subscription: Subscription, amount: number): Promise<void> => {
  const { body } = subscription
  const at = dueOf(body)!
  delete body.draft
  if (!(await collect(tx, subscription, amount, await soldPlan(tx, body.planId), at)))
    Object.assign(body, { status: 'past_due', owed: amount, attempts: 1 })
  await saveObject(tx, subscription, dueOf(body))
  await addEvent(tx, 'customer.subscription.updated', subscription.id, at)
}

// Days after the period's start at which a failed renewal is tried again; after the last it ends.
const tries = [3, 8, 13]

const retry = async (tx: Tx, subscription: Subscription, now: Date): Promise<void> => {
  const { body } = subscription
  const plan = await soldPlan(tx, body.planId)
  if (await collect(tx, subscription, body.owed, plan, now))
    Object.assign(body, { status: 'active', owed: 0, attempts: 0 })
  else if (body.attempts > tries.length) return void (await endNow(tx, subscription, now))
  else body.attempts++
  await saveObject(tx, subscription, dueOf(body))
  await addEvent(tx, 'customer.subscription.updated', subscription.id, now)
}

const overdue = async (tx: Tx, invoice: SandboxObject<'invoice'>, now: Date): Promise<void> => {
  await saveObject(tx, invoice)
  const subscription = (await lockObject(tx, 'subscription', invoice.body.subscriptionId))!
  if (invoice.body.status !== 'open' || subscription.body.status !== 'active') return
  subscription.body.status = 'past_due'
  await saveObject(tx, subscription, dueOf(subscription.body))
  await addEvent(tx, 'customer.subscription.updated', subscription.id, now)
}

/** Gives a part of a charge back. A repeat does it once; one that failed is not made again. Throws `PaymentRefused`. */
export const refundNow = async (
  tx: Tx,
  { chargeId, amount, refundId }: { chargeId: string; amount: number; refundId: string },
  now: Date,
): Promise<void> => {
  const id = refundObjectId(refundId)
  const charge = await lockObject(tx, 'charge', chargeId)
  const { refunds = {}, price = 0, status, failsRefunds, disputed = 0 } = charge?.body ?? {}
  if ((await findObject(tx, 'refund', id))?.body.status === 'failed') throw new PaymentRefused('payment.declined')
  if (refundId in refunds) return
  const sum = Object.values(refunds).reduce((all, one) => all + one, amount)
  if (!charge || status !== 'succeeded' || sum + disputed > price) throw new PaymentRefused('payment.declined')
  const body = { ...charge.body, refunds: { ...refunds, [refundId]: amount } }
  await saveObject(tx, { ...charge, body: sum === price ? { ...body, status: 'refunded' } : body })
  await addObject(tx, {
    id,
    kind: 'refund',
    customerId: charge.customerId,
    createdAt: now,
    body: { refundId, chargeId, status: 'succeeded' },
    dueAt: failsRefunds ? new Date(now.getTime() + day) : null,
  })
  await addEvent(tx, 'charge.refunded', chargeId, now)
}

export const refundObjectId = (refundId: string): string => `re_sandbox_${refundId.replaceAll('-', '')}`

const failRefund = async (tx: Tx, refund: SandboxObject<'refund'>, now: Date): Promise<void> => {
  const { refundId, chargeId } = refund.body
  const charge = (await lockObject(tx, 'charge', chargeId))!
  const { [refundId]: _failed, ...refunds } = charge.body.refunds ?? {}
  await saveObject(tx, { ...charge, body: { ...charge.body, refunds, status: 'succeeded' } })
  await saveObject(tx, { ...refund, body: { ...refund.body, status: 'failed' } })
  await addEvent(tx, 'refund.failed', refund.id, now)
}

const restart = (body: Bodies['subscription'], plan: SoldPlan, now: Date) =>
  Object.assign(body, {
    anchor: now.toISOString(),
    periods: 1,
    periodStart: now.toISOString(),
    periodEnd: periodEnd(now, plan.interval, 1).toISOString(),
  })

/** When a subscription does something by itself. */
export const dueOf = (body: Bodies['subscription']): Date | null => {
  if (body.status === 'canceled') return null
  if (body.draft !== undefined) return new Date(new Date(body.periodStart).getTime() + draftMs)
  if (body.status === 'active' || body.daysUntilDue !== null) return new Date(body.periodEnd)
  const days = tries[body.attempts - 1] ?? tries.at(-1)! + 1
  return new Date(new Date(body.periodStart).getTime() + days * day)
}

/** Charges, or invoices, an amount; what the customer has to the good is used first. False when the card does not pay. */
const collect = async (tx: Tx, subscription: Subscription, amount: number, plan: SoldPlan, now: Date) => {
  const { body } = subscription
  const customer = (await lockObject(tx, 'customer', subscription.customerId!))!
  const credit = Math.min(customer.body.credit, amount)
  const rest = amount - credit
  const useCredit = () =>
    credit > 0 && saveObject(tx, { ...customer, body: { ...customer.body, credit: customer.body.credit - credit } })
  const description = `${plan.product}, ${plan.interval === 'year' ? 'yearly' : 'monthly'}${body.quantity > 1 ? `, ${body.quantity} seats` : ''}`
  const what = { price: rest, credit, currency: plan.currency, description, subscriptionId: subscription.id }
  if (rest === 0 && credit === 0) return true
  if (rest === 0 || body.daysUntilDue !== null) {
    await useCredit()
    const id = newId('in')
    const invoice = { ...what, status: rest === 0 ? ('paid' as const) : ('open' as const) }
    const dueAt = rest === 0 ? null : new Date(now.getTime() + (body.daysUntilDue ?? 0) * day)
    await addObject(tx, { id, kind: 'invoice', customerId: customer.id, createdAt: now, body: invoice, dueAt })
    await addEvent(tx, rest === 0 ? 'invoice.paid' : 'invoice.finalized', id, now)
    return true
  }
  const { paid } = await chargeCard(tx, customer, what, now)
  if (paid) await useCredit()
  return paid
}

const chargeCard = async (
  tx: Tx,
  customer: SandboxObject<'customer'>,
  what: Pick<Bodies['charge'], 'price' | 'credit' | 'currency' | 'description' | 'subscriptionId'>,
  now: Date,
) => {
  const { price, credit = 0, currency, description, subscriptionId } = what
  const { card } = customer.body
  const paid = card?.pays === 'always'
  const chargeId = newId('ch')
  const shown = card && { brand: card.brand, last4: card.last4 }
  const body = {
    paid,
    status: paid ? 'succeeded' : 'failed',
    price,
    currency,
    description,
    card: shown,
    // What did not pay has used nothing up.
    ...(paid && credit > 0 ? { credit } : {}),
    ...(subscriptionId === undefined ? {} : { subscriptionId }),
    ...(card?.later === 'fails refunds' ? { failsRefunds: true as const } : {}),
    ...(card?.later === 'takes back' ? { disputed: price } : {}),
  }
  await addObject(tx, { id: chargeId, kind: 'charge', customerId: customer.id, createdAt: now, body })
  await addEvent(tx, paid ? 'charge.succeeded' : 'charge.failed', chargeId, now)
  if (card?.later === 'takes back') await addEvent(tx, 'charge.dispute.created', chargeId, now)
  return { paid, chargeId }
}

const giveCredit = async (tx: Tx, customerId: string, amount: number, now: Date) => {
  const customer = (await lockObject(tx, 'customer', customerId))!
  await saveObject(tx, { ...customer, body: { ...customer.body, credit: customer.body.credit + amount } })
  await addEvent(tx, 'customer.updated', customerId, now)
}

const billedOf = (body: Bodies['subscription'], { price, interval }: SoldPlan, at: Date): Billed => ({
  price,
  interval,
  quantity: body.quantity,
  ...discountAt(discountOf(body), at),
})
const billed = (body: Bodies['subscription'], plan: SoldPlan, at: Date): number => periodPrice(billedOf(body, plan, at))

/** What is taken off a subscription. */
export const discountOf = ({ percentOff, amountOff = 0, discountEnds }: Bodies['subscription']): Discount => ({
  percentOff,
  amountOff,
  ends: discountEnds ? new Date(discountEnds) : null,
})

const day = 86_400_000
/** How long the invoice of a renewal is a draft, as at Stripe. */
export const draftMs = 3_600_000
