import type { z } from 'zod'
import type { Charge, Product, Subscription } from '@clear-to-post/contract/subscriptions'
import {
  betterOffer,
  discountAt,
  extraPrice,
  periodPrice,
  periodsOff,
  type Discount,
  type Offer,
} from '@clear-to-post/domain/money'
import { graceEnd } from '@clear-to-post/domain/plans'
import type { ChargeRow, OfferRow, ProductRow, SubscriptionRow } from './store.ts'

/** `ofCompany`: what the viewer's tenant has off; `seats`: for how many they would pay; `had`: coupons that they had already. */
export const presentProduct = (
  row: ProductRow,
  ofCompany: OfferRow | null = null,
  seats = 1,
  had: ReadonlySet<string> = new Set(),
): z.input<typeof Product> => {
  const { percent_off, offer: own, plans, ...product } = row
  const percentOff = own && !isLeft(own, had) ? 0 : percent_off
  return {
    ...product,
    percentOff: Math.max(percentOff, ofCompany && isLeft(ofCompany, had) ? ofCompany.percent_off : 0),
    plans: plans.map((plan) => {
      const offer = offerFor(row, plan, ofCompany, seats, had)
      // Nobody's subscription stands behind a listed plan.
      return { ...plan, subscriptionItemId: '', ...(offer ? { offer: shownOffer(offer, plan.interval) } : {}) }
    }),
  }
}

const shownOffer = ({ percentOff, amountOff, months }: Offer, interval: 'month' | 'year') => ({
  percentOff,
  amountOff,
  ...(months === null ? {} : { periods: periodsOff(months, interval) }),
})

/** The better of a product's own offer and a company's, for a plan of so many seats, and whose coupon it is. */
export const offerFor = (
  product: ProductRow,
  { price, currency }: { price: number; currency: string },
  ofCompany: OfferRow | null,
  quantity: number,
  had: ReadonlySet<string>,
): (Offer & { couponId: string | null }) | null => {
  const read = (row: OfferRow) =>
    isLeft(row, had)
      ? {
          percentOff: row.percent_off,
          amountOff: row.amount_off,
          currency: row.currency,
          months: row.months,
          couponId: row.coupon_id,
        }
      : null
  const own = product.offer
    ? read(product.offer)
    : { percentOff: product.percent_off, amountOff: 0, currency: null, months: null, couponId: null }
  return betterOffer({ price, quantity, currency }, own, ofCompany && read(ofCompany))
}

/** A coupon of some months is for each payer once, however often they end their plan and buy another. */
const isLeft = ({ months, coupon_id }: OfferRow, had: ReadonlySet<string>): boolean =>
  months === null || !had.has(coupon_id)

/** What is taken off a subscription. */
export const discountOf = ({
  percent_off,
  amount_off,
  discount_ends,
}: Pick<SubscriptionRow, 'percent_off' | 'amount_off' | 'discount_ends'>): Discount => ({
  percentOff: percent_off,
  amountOff: amount_off,
  ends: discount_ends,
})

/** What the next period of a subscription costs. */
export const renewalPriceOf = (
  row: Pick<
    SubscriptionRow,
    'price' | 'quantity' | 'percent_off' | 'amount_off' | 'discount_ends' | 'current_period_end'
  >,
): number => {
  const { price, quantity } = row
  const at = row.current_period_end
  const off = discountOf(row)
  return periodPrice({ price, quantity, ...(at === null ? off : discountAt(off, at)) })
}

/** What the viewer is to the subscription; without it only what everybody of the company sees. */
export type Viewer = {
  /** Pays it, and may change it. */
  pays: boolean
  /** Looks after whoever pays it: sees the price and the card, changes nothing. */
  looksAfter?: boolean
  /** Videos bought by themselves and not used; null when the viewer cannot buy any. */
  spareExtras: number | null
  /** What they owe of those, and used: how many, and what the oldest cost. */
  owedExtra?: { videos: number; price: number; currency: string } | undefined
}

export const presentSubscription = (
  row: SubscriptionRow,
  product: ProductRow,
  viewer: Viewer = { pays: false, spareExtras: null },
): z.input<typeof Subscription> => {
  const seesMoney = viewer.pays || viewer.looksAfter === true
  const shown = presentProduct(product)
  const plan = shown.plans.find(({ id }) => id === row.plan_id)
  // An invoice of this period may be open until its day.
  const owes =
    row.status === 'past_due' ||
    row.is_taken_back ||
    (row.owed_since !== null && row.current_period_start !== null && row.owed_since < row.current_period_start)
  const grace =
    owes && graceEnd({ status: row.status, periodStart: row.current_period_start, owedSince: row.owed_since })
  const { quantity, currency } = row
  const card =
    row.card_brand !== null && row.card_last4 !== null ? { brand: row.card_brand, last4: row.card_last4 } : null
  return {
    id: row.id,
    status: row.status,
    startDate: row.start_date.toISOString(),
    ...(row.days_until_due === null ? {} : { daysUntilDue: row.days_until_due }),
    renewAutomatically: row.status === 'active' && row.ends_at === null && row.paused_from === null,
    ...(row.current_period_start ? { currentPeriodStart: row.current_period_start.toISOString() } : {}),
    ...(row.current_period_end ? { currentPeriodEnd: row.current_period_end.toISOString() } : {}),
    ...(viewer.pays && row.payment_method_id !== null ? { paymentMethodId: row.payment_method_id } : {}),
    product: shown,
    type: row.tenant_id === null ? 0 : 1,
    ...(plan ? { plan: { ...plan, subscriptionItemId: row.item_id ?? row.id } } : {}),
    quantity,
    percentOff: row.percent_off,
    ...(row.amount_off > 0 ? { amountOff: row.amount_off } : {}),
    ...(row.discount_ends ? { discountEnds: row.discount_ends.toISOString() } : {}),
    ...(seesMoney ? { renewalPrice: renewalPriceOf(row) } : {}),
    ...(row.paused_from ? { pausedFrom: row.paused_from.toISOString() } : {}),
    ...(row.ends_at ? { endsAt: row.ends_at.toISOString() } : {}),
    ...(grace ? { graceUntil: grace.toISOString() } : {}),
    ...(seesMoney && card ? { card } : {}),
    ...(seesMoney && row.credit > 0 ? { credit: row.credit } : {}),
    ...(viewer.spareExtras === null
      ? {}
      : {
          extra: {
            price: extraOf(row),
            currency,
            spare: viewer.spareExtras,
            ...(viewer.owedExtra ? { owed: owedOf(viewer.owedExtra) } : {}),
          },
        }),
    actions: [...(viewer.pays ? payersActions(row) : []), ...(viewer.spareExtras === null ? [] : ['charge' as const])],
  }
}

const owedOf = ({ videos, price, currency }: NonNullable<Viewer['owedExtra']>) => ({ videos, due: price, currency })

/** What one video beyond this plan costs. A discount that ends takes nothing off: meanwhile any number of them could be bought. */
export const extraOf = ({ price, interval, percent_off, discount_ends, plan_metadata }: SubscriptionRow): number =>
  extraPrice({ price, interval, percentOff: discount_ends === null ? percent_off : 0 }, plan_metadata.projectsPerMonth)

const payersActions = (row: SubscriptionRow): ('portal' | 'pause' | 'resume' | 'change')[] => {
  if (row.provider_id === null) return ['portal']
  if (row.paused_from !== null) return ['portal', 'resume']
  return row.status === 'active' && row.ends_at === null ? ['portal', 'pause', 'change'] : ['portal']
}

export const presentCharge = (row: ChargeRow): z.input<typeof Charge> => ({
  id: row.id,
  created: row.created_at.toISOString(),
  paid: row.paid,
  receiptUrl: row.receipt_url,
  status: row.status,
  price: row.price,
  paymentType: row.payment_type,
  ...(row.last4 === null ? {} : { last4: row.last4 }),
  ...(row.brand === null ? {} : { brand: row.brand }),
  description: row.description,
  currency: row.currency,
  ...(row.credit === 0 ? {} : { credit: row.credit }),
  ...(row.disputed === 0 ? {} : { disputed: row.disputed }),
})
