import { createHash } from 'node:crypto'
import { sql, type Tx } from '../../kernel/database.ts'
import { PaymentRefused, type CouponSnapshot, type Payments, type Snapshot } from '../../outside/payments/payments.ts'
import { addObject, findObject } from './objects.ts'

type Within = <T>(work: (tx: Tx, now: Date) => Promise<T>) => Promise<T>

/**
 * The sandbox's catalogue is what our own tables list: it answers what was asked for as it would stand there, and whoever asked
 * writes it into the tables. Of a coupon it keeps who asked first, since that one's terms stand.
 */
export const catalogueOf = (within: Within): Pick<Payments, 'saveProduct' | 'createCoupon' | 'retireCoupon'> => ({
  saveProduct: async ({ id, name, descriptions, position, couponId, isActive, plans, key }): Promise<Snapshot[]> => [
    {
      kind: 'product',
      id,
      name,
      descriptions,
      metadata: { position, subtitle: descriptions.subtitle, ...(couponId === null ? {} : { coupon: couponId }) },
      couponId,
      isActive,
      plans: plans.map(({ id: sold, isBack: _isBack, ...plan }, i) => ({
        ...plan,
        // A repeat of the same request makes the same plan.
        id: sold ?? `price_sandbox_${createHash('sha256').update(`${key} ${i}`).digest('hex').slice(0, 24)}`,
      })),
    },
  ],
  createCoupon: ({ key, ...coupon }) =>
    within(async (tx, now) => {
      const id = `coupon_${coupon.id}`
      const isFirst = await addObject(tx, { id, kind: 'coupon', customerId: null, createdAt: now, body: { key } })
      const isRepeat = !isFirst && (await findObject(tx, 'coupon', id))?.body.key === key
      if (!isRepeat && (!isFirst || (await tx.first(sql`select 1 from coupon where id = ${coupon.id}`))))
        throw new PaymentRefused('coupon.taken')
      return [{ kind: 'coupon', ...coupon, uses: 0, isValid: true }]
    }),
  retireCoupon: async (id) => [{ kind: 'gone-coupon', id }],
})

/** A coupon as it is after a subscription used it; null: it is listed no more. */
export const usedCoupon = async (tx: Tx, id: string): Promise<CouponSnapshot | null> => {
  const row = await tx.first(sql<Omit<CouponSnapshot, 'kind'>>`
    select c.id, c.percent_off as "percentOff", c.amount_off as "amountOff", c.currency, c.months, c.redeem_by as "redeemBy",
      c.most_uses as "mostUses", c.is_valid as "isValid", (
        select count(*)::integer from sandbox_object o where o.kind = 'subscription' and (
          o.body->>'couponId' = c.id or jsonb_exists(o.body->'formerCoupons', c.id))) as uses
    from coupon c where c.id = ${id}`)
  return row ? { kind: 'coupon', ...row } : null
}
