import type Stripe from 'stripe'
import type { CouponSnapshot, Snapshot } from './payments.ts'

/** What of Stripe's things is kept here: each as the snapshot that the product reads; null for what is none of ours. */

type ChargeSnapshot = Extract<Snapshot, { kind: 'charge' }>
type SubscriptionSnapshot = Extract<Snapshot, { kind: 'subscription' }>

// What a subscription's snapshot needs beside the thing itself.
export const subscriptionParts = [
  'default_payment_method',
  'latest_invoice',
  'discounts.source.coupon',
  'customer.invoice_settings.default_payment_method',
]

export const subscriptionOf = (s: Stripe.Subscription): SubscriptionSnapshot | null => {
  const item = s.items.data[0]
  if (!item) return null
  const customer = typeof s.customer === 'string' || s.customer.deleted ? null : s.customer
  const method = s.default_payment_method ?? customer?.invoice_settings.default_payment_method ?? null
  const card = method === null || typeof method === 'string' ? null : (method.card ?? null)
  const pausedFrom = Number(s.metadata.paused_from)
  const discounts = s.discounts.filter((one) => typeof one !== 'string')
  const off = discounts.map(({ source }) => (typeof source.coupon === 'string' ? null : source.coupon))
  // One for a single invoice has no end at Stripe, and is used up by the next one.
  const ends = discounts.flatMap(({ end, source: { coupon } }) => {
    const isOnce = coupon !== null && typeof coupon !== 'string' && coupon.duration === 'once'
    return end ?? (isOnce ? item.current_period_end + 1 : [])
  })
  return {
    kind: 'subscription',
    id: s.id,
    customerId: idOf(s.customer)!,
    status: s.status,
    isCharged: isCharged(s),
    planId: item.price.id,
    itemId: item.id,
    quantity: Math.max(1, item.quantity ?? 1),
    percentOff: off.reduce((most, one) => Math.max(most, one?.percent_off ?? 0), 0),
    amountOff: off.reduce((most, one) => Math.max(most, one?.amount_off ?? 0), 0),
    discountEnds: ends.length > 0 ? moment(Math.min(...ends)) : null,
    // A discount that is over is listed no more: what was ordered stands beside it.
    couponIds: [
      ...new Set([
        ...discounts.flatMap(({ source: { coupon } }) => (coupon === null ? [] : idOf(coupon)!)),
        ...(s.metadata['coupon'] ? [s.metadata['coupon']] : []),
      ]),
    ],
    startedAt: moment(s.start_date),
    periodStart: moment(item.current_period_start),
    periodEnd: moment(item.current_period_end),
    // Paused elsewhere, by hand: then nothing says until when was paid.
    pausedFrom: s.pause_collection === null ? null : moment(pausedFrom || item.current_period_end),
    // One that was canceled at once names nothing else.
    endsAt: s.ended_at
      ? moment(s.ended_at)
      : s.cancel_at_period_end
        ? moment(item.current_period_end)
        : s.cancel_at === null
          ? null
          : moment(s.cancel_at),
    daysUntilDue: s.days_until_due,
    paymentMethodId: idOf(method),
    card: card && { brand: card.brand, last4: card.last4 },
    // What Stripe owes a customer stands below zero.
    credit: Math.max(0, -(customer?.balance ?? 0)),
  }
}

// A period begins with the status that the last one had, and its invoice is a draft for an hour. What was taken back with its
// invoice had been paid before.
const isCharged = ({ latest_invoice: last, collection_method, metadata }: Stripe.Subscription): boolean => {
  if (last === null) return true
  if (typeof last === 'string') return false
  if (collection_method === 'send_invoice') return last.status !== 'draft'
  return last.status === 'paid' || isTakenBack(last, metadata)
}
/** Is a subscription's last invoice void because a change was taken back? */
export const isTakenBack = ({ id, status }: Stripe.Invoice, { taken_back }: Stripe.Metadata): boolean =>
  status === 'void' && taken_back === id

/** Without what its bank took back, and what it was charged for: `wholeCharge` asks for that. */
export const chargeOf = (c: Stripe.Charge): ChargeSnapshot | null => {
  const customerId = idOf(c.customer)
  if (customerId === null) return null
  const card = c.payment_method_details?.card
  return {
    kind: 'charge',
    id: c.id,
    customerId,
    subscriptionId: null,
    createdAt: moment(c.created),
    paid: c.paid,
    receiptUrl: c.receipt_url ?? '',
    status: c.refunded ? 'refunded' : c.status,
    price: c.amount,
    credit: 0,
    refunded: c.amount_refunded,
    disputed: 0,
    currency: c.currency,
    paymentType: c.payment_method_details?.type ?? 'card',
    card: card?.last4 && card.brand ? { brand: card.brand, last4: card.last4 } : null,
    description: c.description ?? '',
  }
}

/** What of an invoice came out of the customer's balance. */
export const creditOf = (i: Stripe.Invoice): number => {
  // What stands to a customer's good is below zero.
  const used = (i.ending_balance ?? i.starting_balance) - i.starting_balance
  return Math.max(0, Math.min(used, -i.starting_balance))
}

// Only invoices that are sent, or that credit paid wholly: what a card pays is told by its charge. Without what went back:
// `wholeInvoice` asks for that. One that takes nothing, as that of a smaller plan, puts to the customer's good, and is no payment.
export const invoiceOf = (i: Stripe.Invoice): ChargeSnapshot | null => {
  const customerId = idOf(i.customer)
  const credit = creditOf(i)
  const isByCredit = credit > 0 && credit === i.total
  if ((i.collection_method !== 'send_invoice' && !isByCredit) || i.status === 'draft' || customerId === null)
    return null
  if (i.total <= 0) return null
  return {
    kind: 'charge',
    id: i.id,
    customerId,
    subscriptionId: subscriptionIn(i),
    createdAt: moment(i.created),
    paid: i.status === 'paid',
    receiptUrl: i.hosted_invoice_url ?? '',
    status: i.status ?? 'open',
    // What a credit note took off before it was paid, nobody owes or pays.
    price: Math.max(0, i.total - credit - i.pre_payment_credit_notes_amount),
    credit,
    refunded: 0,
    disputed: 0,
    currency: i.currency,
    paymentType: isByCredit ? 'credit' : 'invoice',
    card: null,
    description: i.number ?? '',
  }
}

/** The subscription that an invoice is of; null: it is of none. */
export const subscriptionIn = (i: Pick<Stripe.Invoice, 'parent'>): string | null =>
  idOf(i.parent?.subscription_details?.subscription)

export const purchaseOf = ({ metadata, status, latest_charge: charge }: Stripe.PaymentIntent): Snapshot | null => {
  const { purchaseId } = metadata
  if (purchaseId === undefined) return null
  const isOver = status === 'canceled' || status === 'requires_payment_method' || status === 'requires_action'
  const chargeId = typeof charge === 'string' ? charge : charge?.id
  return {
    kind: 'purchase',
    purchaseId,
    state: status === 'succeeded' ? 'paid' : isOver ? 'failed' : 'started',
    chargeId,
  }
}

// A product without our numbers is none of ours, whatever else the account sells.
export const productOf = async (api: Stripe, product: Stripe.Product): Promise<Snapshot | null> => {
  const position = Number(product.metadata.position)
  if (product.metadata.position === undefined || !Number.isFinite(position)) return null
  const { subtitle = '', coupon } = product.metadata
  const plans: Extract<Snapshot, { kind: 'product' }>['plans'] = []
  for await (const price of api.prices.list({ product: product.id, active: true, limit: 100 })) {
    const metadata = planWords({ ...product.metadata, ...price.metadata })
    const { interval, interval_count: count } = price.recurring ?? { interval: '' }
    if (metadata === null || price.unit_amount === null || count !== 1) continue
    if (interval === 'month' || interval === 'year') {
      const period = interval satisfies string as 'month' | 'year'
      plans.push({ id: price.id, currency: price.currency, price: price.unit_amount, interval: period, metadata })
    }
  }
  return {
    kind: 'product',
    id: product.id,
    name: product.name,
    descriptions: { description: product.description ?? '', subtitle },
    metadata: { ...product.metadata, position },
    couponId: coupon ?? null,
    isActive: product.active,
    plans,
  }
}

const planWords = (metadata: Record<string, string>) => {
  const names = ['projectsPerMonth', 'revisionsPerProject', 'turnaroundHours', 'rank'] as const
  const [projectsPerMonth, revisionsPerProject, turnaroundHours, rank] = names.map((name) => Number(metadata[name]))
  const all = { projectsPerMonth, revisionsPerProject, turnaroundHours, rank } as Record<(typeof names)[number], number>
  return Object.values(all).every(Number.isFinite) ? all : null
}

// One that takes off the first invoice only is one of a month.
export const couponOf = (c: Stripe.Coupon): CouponSnapshot | null =>
  (c.percent_off ?? null) === null && (c.amount_off ?? null) === null
    ? null
    : {
        kind: 'coupon',
        id: c.id,
        percentOff: c.percent_off ?? null,
        amountOff: c.amount_off ?? null,
        currency: (c.amount_off ?? null) === null ? null : c.currency,
        months: c.duration === 'once' ? 1 : c.duration === 'repeating' ? c.duration_in_months : null,
        redeemBy: c.redeem_by === null ? null : moment(c.redeem_by),
        mostUses: c.max_redemptions,
        uses: c.times_redeemed,
        isValid: c.valid,
      }

/** The coupons that a subscription uses: each is used once more than before. */
export const couponsOf = (s: Stripe.Subscription): (CouponSnapshot | null)[] =>
  s.discounts.map((one) =>
    typeof one === 'string' || typeof one.source.coupon === 'string' || one.source.coupon === null
      ? null
      : couponOf(one.source.coupon),
  )

export async function* mapped<T>(
  list: AsyncIterable<T>,
  to: (one: T) => Found | Promise<Found>,
): AsyncGenerator<Snapshot> {
  for await (const one of list) for (const snapshot of [await to(one)].flat()) if (snapshot) yield snapshot
}
type Found = Snapshot | null | (Snapshot | null)[]

/** What was asked for with something else; an id alone is a thing that is gone. */
export async function* theirs<T extends object>(
  one: T | string | null,
  to: (one: T) => Promise<Found>,
): AsyncGenerator<Snapshot> {
  if (one === null || typeof one === 'string') return
  for (const snapshot of [await to(one)].flat()) if (snapshot) yield snapshot
}

export const idOf = (thing: string | { id: string } | null | undefined): string | null =>
  thing === null || thing === undefined ? null : typeof thing === 'string' ? thing : thing.id

export const moment = (seconds: number): Date => new Date(seconds * 1000)
