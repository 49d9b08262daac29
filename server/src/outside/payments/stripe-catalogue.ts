import type Stripe from 'stripe'
import { PaymentRefused, type CouponOrder, type ProductOrder, type Snapshot } from './payments.ts'
import { couponOf, productOf } from './stripe-snapshots.ts'
import { unlessMissing } from './stripe-errors.ts'

/** What of Stripe's catalogue the product changes: products with their prices, and coupons. */

type Ask = <T>(question: (api: Stripe) => Promise<T>) => Promise<T>

export const catalogueOf = (ask: Ask) => ({
  saveProduct: (order: ProductOrder & { key: string }): Promise<Snapshot[]> =>
    ask(async (api) => {
      const { id, isNew, name, descriptions, position, couponId, isActive, plans, retired, key } = order
      const { description, subtitle } = descriptions
      const words = { position: String(position), subtitle, coupon: couponId ?? '' }
      // An empty text takes away what stands there; where nothing does, Stripe takes none.
      if (isNew) {
        const metadata = Object.fromEntries(Object.entries(words).filter(([, text]) => text !== ''))
        const about = { id, name, metadata, active: isActive, ...(description === '' ? {} : { description }) }
        await api.products.create(about, { idempotencyKey: `${key} product` })
      }
      const sold: string[] = []
      for (const [i, plan] of plans.entries()) sold.push(await soldPrice(api, id, plan, `${key} price ${i}`))
      // The default price cannot be retired.
      const main = sold[0] === undefined ? {} : { default_price: sold[0] }
      await api.products.update(
        id,
        { name, description, metadata: words, active: isActive, ...main },
        { idempotencyKey: `${key} update` },
      )
      for (const price of retired)
        await api.prices.update(price, { active: false }, { idempotencyKey: `${key} retire ${price}` })
      const kept = await productOf(api, await api.products.retrieve(id))
      return kept ? [kept] : []
    }),
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
    }),
  retireCoupon: async (id: string): Promise<Snapshot[]> => {
    await ask((api) => api.coupons.del(id)).catch(unlessMissing)
    return [{ kind: 'gone-coupon', id }]
  },
})

/** A price that is on sale: one that was retired is sold again, a new one is made. */
const soldPrice = async (
  api: Stripe,
  product: string,
  { id, isBack, currency, price, interval, metadata }: ProductOrder['plans'][number],
  idempotencyKey: string,
): Promise<string> => {
  if (id !== null) {
    if (isBack) await api.prices.update(id, { active: true }, { idempotencyKey })
    return id
  }
  const words = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, String(value)]))
  const made = await api.prices.create(
    { product, currency, unit_amount: price, recurring: { interval }, metadata: words },
    { idempotencyKey },
  )
  return made.id
}
