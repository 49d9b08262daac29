import { z } from 'zod'
import { call } from './call.ts'
import { line, visible } from './visible.ts'

/** What is sold, as whoever sells it sees it: with what is no longer sold, and how many have it. */

/** In the currency's smallest unit (cents). */
const Amount = z.number().int().min(50).max(100_000_000)
/** What plans and amounts off can be in: each has cents, which the amounts count. */
export const currencies = ['usd', 'aud', 'cad', 'eur', 'gbp'] as const
const Currency = z
  .string()
  .regex(new RegExp(`^(${currencies.join('|')})$`), `Write one of these currencies: ${currencies.join(', ')}`)

/** What a plan costs and holds. Nothing of it changes once it is sold: other terms are another plan. */
const Terms = z.strictObject({
  currency: Currency,
  price: Amount,
  interval: z.enum(['month', 'year']),
  projectsPerMonth: z.number().int().min(1).max(1000),
  revisionsPerProject: z.number().int().min(0).max(100),
  turnaroundHours: z.number().int().min(1).max(720),
})
export type Terms = z.infer<typeof Terms>

const CouponCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9][A-Z0-9_-]{2,39}$/, 'Write 3 to 40 letters, digits, - or _')

export const SoldProduct = z.object({
  id: z.string(),
  name: z.string(),
  subtitle: z.string(),
  description: z.string(),
  /** Products stand on the page by ascending positions. */
  position: z.number(),
  couponId: z.string().nullable(),
  isActive: z.boolean(),
  /** Changes whenever anything of it does. */
  version: z.string(),
  /** First those on sale; `subscribers` counts plans that run. */
  plans: z.array(
    z.object({
      id: z.string(),
      currency: z.string(),
      price: z.number().int(),
      interval: z.enum(['month', 'year']),
      projectsPerMonth: z.number().int(),
      revisionsPerProject: z.number().int(),
      turnaroundHours: z.number(),
      isActive: z.boolean(),
      subscribers: z.number().int(),
    }),
  ),
})
export type SoldProduct = z.infer<typeof SoldProduct>

export const Coupon = z.object({
  id: z.string(),
  /** One of both. */
  percentOff: z.number().nullable(),
  amountOff: z.number().int().nullable(),
  currency: z.string().nullable(),
  /** For how many months from its use; null: for good. */
  months: z.number().int().nullable(),
  /** It can be used before this moment. */
  redeemBy: z.iso.datetime().nullable(),
  mostUses: z.number().int().nullable(),
  uses: z.number().int(),
  state: z.enum(['usable', 'over', 'used-up', 'retired']),
  /** The names of products and companies whose prices it takes something off. */
  usedBy: z.array(z.string()),
})
export type Coupon = z.infer<typeof Coupon>

const ProductForm = z.strictObject({
  name: visible(80),
  subtitle: line(120),
  description: line(500),
  position: z.number().min(0).max(10_000),
  couponId: visible(200).nullable(),
  isActive: z.boolean(),
  /** `id`: one that it has. With other terms than it had, it is sold no more and another one is sold instead. */
  plans: z
    .array(Terms.extend({ id: visible(200).optional() }))
    .min(1)
    .max(10),
})
export type ProductForm = z.infer<typeof ProductForm>

const provider = ['tenant.service-only', 'payment.closed', 'payment.refused', 'payment.unavailable'] as const

export const catalogue = {
  list: call({
    method: 'GET',
    path: '/catalogue/list/',
    summary: 'All products, plans and coupons, with those that are no longer sold',
    access: 'catalogue.write',
    returns: z.object({ products: z.array(SoldProduct), coupons: z.array(Coupon) }),
    refuses: ['tenant.service-only'],
  }),
  createProduct: call({
    method: 'POST',
    path: '/catalogue/products/create/',
    summary: 'Sell a new product with its plans',
    access: 'catalogue.write',
    needsFreshSignIn: true,
    body: ProductForm,
    creates: true,
    returns: SoldProduct,
    asksOutside: true,
    unrecorded: true,
    refuses: [...provider, 'coupon.not-found', 'plan.twice'],
  }),
  updateProduct: call({
    method: 'PUT',
    path: '/catalogue/products/:productId/update/',
    summary:
      'Change what is sold: for new subscriptions, and when somebody changes their plan; who has a plan keeps it as it was',
    access: 'catalogue.write',
    needsFreshSignIn: true,
    params: z.object({ productId: z.string().min(1).max(200) }),
    /** `version`: of the product that was looked at. */
    body: ProductForm.extend({ version: visible(100) }),
    returns: SoldProduct,
    asksOutside: true,
    unrecorded: true,
    refuses: [
      ...provider,
      'product.not-found',
      'product.changed',
      'product.changing',
      'plan.not-found',
      'plan.twice',
      'coupon.not-found',
    ],
  }),
  createCoupon: call({
    method: 'POST',
    path: '/catalogue/coupons/create/',
    summary: 'Make a coupon: so many percent or an amount, for some months or for good, until a day, so often',
    access: 'catalogue.write',
    needsFreshSignIn: true,
    body: z
      .strictObject({
        id: CouponCode,
        percentOff: z.number().int().min(1).max(100).optional(),
        amountOff: Amount.optional(),
        currency: Currency.optional(),
        months: z.number().int().min(1).max(36).optional(),
        /** Within five years. */
        redeemBy: z.iso.datetime().optional(),
        mostUses: z.number().int().min(1).max(1_000_000).optional(),
      })
      .refine(({ percentOff, amountOff }) => (percentOff === undefined) !== (amountOff === undefined), {
        message: 'Say how many percent, or which amount',
        path: ['percentOff'],
      })
      .refine(({ amountOff, currency }) => (amountOff === undefined) === (currency === undefined), {
        message: 'An amount has a currency',
        path: ['currency'],
      }),
    creates: true,
    returns: Coupon,
    asksOutside: true,
    unrecorded: true,
    refuses: [...provider, 'coupon.taken', 'coupon.too-late', 'coupon.too-far'],
  }),
  retireCoupon: call({
    method: 'POST',
    path: '/catalogue/coupons/:couponId/retire/',
    summary: 'Let nobody use a coupon any more; who used it keeps what it takes off',
    access: 'catalogue.write',
    needsFreshSignIn: true,
    params: z.object({ couponId: z.string().min(1).max(200) }),
    returns: Coupon,
    asksOutside: true,
    unrecorded: true,
    refuses: [...provider, 'coupon.not-found'],
  }),
}
