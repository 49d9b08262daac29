/** Money is whole numbers in the currency's smallest unit (cents); nothing here ever holds a fraction of one. */

export type Interval = 'month' | 'year'

/**
 * What is billed for a period: `price` a seat, `percentOff` with at most two decimals, and `amountOff`, which is taken off the
 * whole once the percent are.
 */
export type Billed = { price: number; quantity: number; percentOff: number; amountOff?: number; interval: Interval }

/** The whole period's price. A half cent goes to the customer; nothing is below zero. */
export const periodPrice = ({ price, quantity, percentOff, amountOff = 0 }: Omit<Billed, 'interval'>): number => {
  const hundredths = 10_000 - Math.round(percentOff * 100)
  // Rounded half down, in integers.
  const reduced = Number((2n * BigInt(price) * BigInt(quantity) * BigInt(hundredths) + 9_999n) / 20_000n)
  return Math.max(0, reduced - amountOff)
}

/** What is taken off a plan, and until when; null: for good. */
export type Discount = { percentOff: number; amountOff: number; ends: Date | null }

/** What of a discount counts for what is invoiced at a moment. */
export const discountAt = (
  { percentOff, amountOff, ends }: Discount,
  at: Date,
): Pick<Billed, 'percentOff' | 'amountOff'> =>
  ends !== null && ends <= at ? { percentOff: 0, amountOff: 0 } : { percentOff, amountOff }

/** The part of an amount that falls on what is left of a period at a moment. Whole seconds, rounded down. */
export const partLeft = (amount: number, period: { start: Date; end: Date }, at: Date): number => {
  const [start, end, now] = [period.start, period.end, at].map((one) => BigInt(Math.floor(one.getTime() / 1000)))
  const left = now! <= start! ? end! - start! : now! >= end! ? 0n : end! - now!
  return end! <= start! ? 0 : Number((BigInt(amount) * left) / (end! - start!))
}

/**
 * What was used of the running period: so many videos of those that it holds for all seats and months, and how it stands:
 * paid, not paid (yet), or paused from its start, so that nobody owes anything for it. `back`: what of its payment went back
 * already, by whoever's hands. `stands`: what still stands of all payments that cover it, those of earlier periods too; absent
 * where nothing of them went back. `next`: the videos of a period once it is changed; absent: no more for the same price.
 */
export type PeriodUse = {
  videos: number
  of: number
  payment: 'paid' | 'owed' | 'paused'
  back: number
  stands?: number | undefined
  next?: number | undefined
}

/** A change of plan: what comes back of the old one, what is due of the new one, and whether a new period begins. */
export type PlanChange = { credit: number; charge: number; due: number; restarts: boolean }

/**
 * From which moment of the running period a change of plan or seats counts. More is paid from the begun month on, because
 * all of its videos are there at once, and those that were used count in the new plan, too. Less, or another interval,
 * comes back from now on, from where the used videos would end if they were spread over the period, or from where what
 * went back already would end, whichever is later: so no more comes back than what of the payment stands. Of a period that
 * was not paid, or that went back wholly, nothing does.
 */
export const changeCounts = (
  from: Billed,
  to: Billed,
  period: { start: Date; end: Date },
  at: Date,
  use: PeriodUse,
): Date => {
  const { videos, of, payment, back, stands } = use
  if (isMore(from, to, use)) {
    let month = period.start
    for (let count = 1; periodEnd(period.start, 'month', count) <= at; count++)
      month = periodEnd(period.start, 'month', count)
    return month < period.end ? month : period.end
  }
  if (payment !== 'paid') return period.end
  const length = period.end.getTime() - period.start.getTime()
  const price = periodPrice(from)
  const gone = price > 0 ? Math.max(back, price - (stands ?? price)) / price : 0
  const share = Math.min(1, Math.max(of > 0 ? videos / of : 1, gone))
  const used = period.start.getTime() + Math.ceil((length * share) / 1000) * 1000
  return new Date(Math.min(period.end.getTime(), Math.max(at.getTime(), used)))
}

/**
 * What a change costs now: the difference for what is left of the period, counted from `changeCounts`. Between monthly and
 * yearly, and where more videos cost no more than before, a new period begins now and is due in full. `due` below zero is a credit for the next invoices: never more than
 * the part of the period that was not used, by time and by videos.
 */
export const planChange = (
  from: Billed,
  to: Billed,
  period: { start: Date; end: Date },
  at: Date,
  use: PeriodUse,
): PlanChange => {
  const restarts = beginsAnew(from, to, use)
  if (use.payment === 'paused' && !restarts) return { credit: 0, charge: 0, due: 0, restarts }
  const moment = changeCounts(from, to, period, at, use)
  const old = partLeft(periodPrice(from), period, moment)
  const rest = restarts ? periodPrice(to) : partLeft(periodPrice(to), period, moment)
  const [credit, charge] = isMore(from, to, use) ? [0, rest - old] : [old, rest]
  return { credit, charge, due: charge - credit, restarts }
}

const isMore = (from: Billed, to: Billed, use: PeriodUse): boolean =>
  !beginsAnew(from, to, use) && periodPrice(to) >= periodPrice(from)

// Within a period nobody gets more videos for nothing: what holds more and costs no more is bought as it is sold.
const beginsAnew = (from: Billed, to: Billed, { of, next = of }: PeriodUse): boolean =>
  from.interval !== to.interval || (next > of && periodPrice(to) > 0 && periodPrice(to) <= periodPrice(from))

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

/** What a coupon takes off: so many percent, or an amount of its currency; in `months` from its use, null for good. */
export type Offer = { percentOff: number; amountOff: number; currency: string | null; months: number | null }

/** The offer that makes a plan's first period cheapest; of equal ones that which holds longer. Null: nothing is taken off. */
export const betterOffer = <One extends Offer>(
  plan: Pick<Billed, 'price' | 'quantity'> & { currency: string },
  ...offers: (One | null)[]
): One | null => {
  const price = ({ percentOff, amountOff }: Pick<Offer, 'percentOff' | 'amountOff'>) =>
    periodPrice({ ...plan, percentOff, amountOff })
  let best: One | null = null
  for (const one of offers) {
    if (one === null || (one.amountOff > 0 && one.currency !== plan.currency)) continue
    const [now, before] = [price(one), price(best ?? { percentOff: 0, amountOff: 0 })]
    const isLonger = best !== null && (one.months ?? Infinity) > (best.months ?? Infinity)
    if (now < before || (now === before && isLonger)) best = one
  }
  return best
}

/** For how many invoices of a plan an offer of so many months counts. */
export const periodsOff = (months: number, interval: Interval): number =>
  interval === 'year' ? Math.ceil(months / 12) : months
