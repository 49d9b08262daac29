/** Money is whole numbers in the currency's smallest unit (cents); nothing here ever holds a fraction of one. */

export type Interval = 'month' | 'year'

/** What is billed for a period: `price` a seat, `percentOff` with at most two decimals. */
export type Billed = { price: number; quantity: number; percentOff: number; interval: Interval }

/** The whole period's price. A half cent goes to the customer. */
export const periodPrice = ({ price, quantity, percentOff }: Omit<Billed, 'interval'>): number => {
  const hundredths = 10_000 - Math.round(percentOff * 100)
  // Rounded half down, in integers.
  return Number((2n * BigInt(price) * BigInt(quantity) * BigInt(hundredths) + 9_999n) / 20_000n)
}

/** The part of an amount that falls on what is left of a period at a moment. Whole seconds, rounded down. */
export const partLeft = (amount: number, period: { start: Date; end: Date }, at: Date): number => {
  const [start, end, now] = [period.start, period.end, at].map((one) => BigInt(Math.floor(one.getTime() / 1000)))
  const left = now! <= start! ? end! - start! : now! >= end! ? 0n : end! - now!
  return end! <= start! ? 0 : Number((BigInt(amount) * left) / (end! - start!))
}

/** A change of plan: what comes back of the old one, what is due of the new one, and whether a new period begins. */
export type PlanChange = { credit: number; charge: number; due: number; restarts: boolean }

/**
 * What a change costs now: the rest of the running period at the new price minus the rest at the old one. Between monthly
 * and yearly a new period begins now. `due` below zero is a credit for the next invoices.
 */
export const planChange = (from: Billed, to: Billed, period: { start: Date; end: Date }, at: Date): PlanChange => {
  const restarts = from.interval !== to.interval
  const credit = partLeft(periodPrice(from), period, at)
  const charge = restarts ? periodPrice(to) : partLeft(periodPrice(to), period, at)
  return { credit, charge, due: charge - credit, restarts }
}

/**
 * One video by itself: a month's price, with the discount that the plan has, shared by its videos and rounded up. A plan
 * that is as good as given away says nothing of what a video is worth: then it is the price without discount.
 */
export const extraPrice = (
  { price, interval, percentOff }: Omit<Billed, 'quantity'>,
  projectsPerMonth: number,
): number => {
  const shares = (interval === 'year' ? 12 : 1) * Math.max(1, projectsPerMonth)
  const discounted = Math.ceil(periodPrice({ price, quantity: 1, percentOff }) / shares)
  return discounted < leastCharge ? Math.ceil(price / shares) : discounted
}

/** Less than this no card is charged for. */
const leastCharge = 50

/** The end of the `count`th period after `anchor`, in UTC: the anchor's day, or the month's last where it has none. */
export const periodEnd = (anchor: Date, interval: Interval, count: number): Date => {
  const months = anchor.getUTCMonth() + count * (interval === 'year' ? 12 : 1)
  const lastDay = new Date(Date.UTC(anchor.getUTCFullYear(), months + 1, 0)).getUTCDate()
  const end = new Date(anchor)
  end.setUTCFullYear(anchor.getUTCFullYear(), months, Math.min(anchor.getUTCDate(), lastDay))
  return end
}

/** The better of two offers in percent, and whose coupon it is. */
export const betterOffer = <Offer extends { percentOff: number }>(...offers: (Offer | null)[]): Offer | null =>
  offers.reduce<Offer | null>((best, one) => (one && one.percentOff > (best?.percentOff ?? 0) ? one : best), null)
