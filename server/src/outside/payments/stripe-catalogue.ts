import type Stripe from 'stripe'
import { PaymentRefused, type CouponOrder, type ProductOrder, type Snapshot } from './payments.ts'
import { couponOf, productOf } from './stripe-snapshots.ts'
import { refusedInWords, unlessMissing } from './stripe-errors.ts'

/** What of Stripe's catalogue the product changes: products with their prices, and coupons. */

type Ask = <T>(question: (api: Stripe) => Promise<T>) => Promise<T>

export const catalogueOf = (ask: Ask) => ({
  saveProduct: (order: ProductOrder & { key: string }): Promise<Snapshot[]> =>
    ask(async (api) => {
      const { id, isNew, name, descriptions, position, couponId, isActive, plans, retired, key } = order
      const { description, subtitle } = descriptions
      const words = { position: String(position), subtitle, coupon: couponId ?? '' }
      // What may be refused comes first, and nothing of it is sold: one without our words is none of ours.
      if (isNew) await api.products.create({ id, name, active: false }, { idempotencyKey: `${key} product` })
      const sold: string[] = []
      for (const [i, plan] of plans.entries())
        sold.push(plan.id ?? (await newPrice(api, id, plan, `${key} price ${i}`)))
      await api.products.update(
        id,
        { name, description, metadata: isNew ? written(words) : words },
        { idempotencyKey: `${key} words` },
      )
      for (const [i, plan] of plans.entries())
        if (plan.id === null || plan.isBack)
          await api.prices.update(sold[i]!, { active: true }, { idempotencyKey: `${key} sell ${i}` })
      // The default price cannot be retired.
      const main = sold[0] === undefined ? {} : { default_price: sold[0] }
      await api.products.update(id, { active: isActive, ...main }, { idempotencyKey: `${key} update` })
      for (const price of retired)
        await api.prices.update(price, { active: false }, { idempotencyKey: `${key} retire ${price}` })
      const kept = await productOf(api, await api.products.retrieve(id))
      return kept ? [kept] : []
    }).catch(refusedInWords),
  createCoupon: ({
    key,
    id,
    percentOff,
    amountOff,
    currency,
    months,
    redeemBy,
    mostUses,
  }: CouponOrder & { key: string }) =>
    ask(async (api): Promise<Snapshot[]> => {
      const off = amountOff === null ? { percent_off: percentOff! } : { amount_off: amountOff, currency: currency! }
      const made = await api.coupons
        .create(
          {
            id,
            ...off,
            ...(months === null ? { duration: 'forever' } : { duration: 'repeating', duration_in_months: months }),
            ...(redeemBy === null ? {} : { redeem_by: Math.floor(redeemBy.getTime() / 1000) }),
            ...(mostUses === null ? {} : { max_redemptions: mostUses }),
          },
          { idempotencyKey: key },
        )
        .catch((error: unknown): never => {
          throw (error as { code?: string }).code === 'resource_already_exists'
            ? new PaymentRefused('coupon.taken', error)
            : error
        })
      const kept = couponOf(made)
      return kept ? [kept] : []
    }).catch(refusedInWords),
  retireCoupon: async (id: string): Promise<Snapshot[]> => {
    await ask((api) => api.coupons.del(id)).catch(unlessMissing)
    return [{ kind: 'gone-coupon', id }]
  },
})

// Where nothing stands yet, there is nothing that an empty text takes away.
const written = (words: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(words).filter(([, text]) => text !== ''))

/** A price that is not on sale yet: it is once all of its product are there. */
const newPrice = async (
  api: Stripe,
  product: string,
  { currency, price, interval, metadata }: ProductOrder['plans'][number],
  idempotencyKey: string,
): Promise<string> => {
  const words = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, String(value)]))
  const made = await api.prices.create(
    { product, currency, unit_amount: price, recurring: { interval }, metadata: words, active: false },
    { idempotencyKey },
  )
  return made.id
}
