import type { Coupon } from '@clear-to-post/contract/catalogue'
import { betterOffer, periodsOff } from '@clear-to-post/domain/money'
import { PlanCards, PlanPeriod, type Product } from '../../site/plan-cards.tsx'
import { priceOf, type Written } from './form.ts'
import { messages } from './messages.ts'

/** The card as the public page shows it. */
export const CardPreview = ({ written, coupon }: { written: Written; coupon: Coupon | undefined }) => (
  <section aria-labelledby="preview" className="plans grid gap-3 lg:sticky lg:top-5">
    <h2 id="preview" className="text-base">
      {messages.preview}
    </h2>
    <div className="justify-self-start">
      <PlanPeriod />
    </div>
    <PlanCards products={[productOf(written, coupon)]} isToLook />
  </section>
)

const productOf = ({ name, subtitle, description, position, plans }: Written, coupon: Coupon | undefined): Product => {
  const offer =
    coupon?.state === 'usable'
      ? {
          percentOff: coupon.percentOff ?? 0,
          amountOff: coupon.amountOff ?? 0,
          currency: coupon.currency,
          months: coupon.months,
        }
      : null
  return {
    id: 'preview',
    name: name.trim() === '' ? messages.name : name,
    descriptions: { description, subtitle },
    metadata: { position },
    percentOff: offer?.percentOff ?? 0,
    plans: plans
      .map(({ key, currency, interval, before: _before, ...plan }) => {
        const price = priceOf({ key, currency, interval, before: null, ...plan }) ?? 0
        const { projectsPerMonth, revisionsPerProject, turnaroundHours } = plan
        const off = betterOffer({ price, quantity: 1, currency }, offer)
        return {
          id: key,
          currency,
          price,
          interval,
          subscriptionItemId: '',
          metadata: { projectsPerMonth, revisionsPerProject, turnaroundHours, rank: 1 },
          ...(off
            ? {
                offer: {
                  percentOff: off.percentOff,
                  amountOff: off.amountOff,
                  ...(off.months === null ? {} : { periods: periodsOff(off.months, interval) }),
                },
              }
            : {}),
        }
      })
      .toSorted((a, b) => a.price - b.price),
  }
}
