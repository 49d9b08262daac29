import { z } from 'zod'
import { call } from './call.ts'

export const Plan = z.object({
  id: z.string(),
  currency: z.string(),
  /** In the currency's smallest unit (cents). */
  price: z.number().int(),
  interval: z.enum(['month', 'year']),
  metadata: z.object({
    projectsPerMonth: z.number().int(),
    revisionsPerProject: z.number().int(),
    turnaroundHours: z.number(),
    rank: z.number().int(),
  }),
  subscriptionItemId: z.string(),
})

export const Product = z.object({
  id: z.string(),
  name: z.string(),
  descriptions: z.object({ description: z.string(), subtitle: z.string() }),
  metadata: z.looseObject({ position: z.number() }),
  plans: z.array(Plan),
  percentOff: z.number().default(0),
})

/** `type`: 0 customer subscription, 1 tenant subscription. */
export const Subscription = z.object({
  id: z.string(),
  status: z.string(),
  startDate: z.iso.datetime().optional(),
  daysUntilDue: z.number().int().optional(),
  renewAutomatically: z.boolean().optional(),
  currentPeriodStart: z.iso.datetime().optional(),
  currentPeriodEnd: z.iso.datetime().optional(),
  paymentMethodId: z.string().optional(),
  product: Product,
  type: z.union([z.literal(0), z.literal(1)]).optional(),
  plan: Plan.optional(),
})

/** `price` in cents, `paymentType` such as card. */
export const Charge = z.object({
  id: z.string(),
  created: z.iso.datetime(),
  paid: z.boolean(),
  receiptUrl: z.string(),
  status: z.string(),
  price: z.number().int(),
  paymentType: z.string(),
  last4: z.string().optional(),
  brand: z.string().optional(),
})

export const subscriptions = {
  products: call({
    method: 'GET',
    path: '/subscriptions/products/list/',
    summary: 'What I may choose: my tenant’s allowed products, with its coupon taken off',
    access: 'signed-in',
    returns: z.array(Product),
    refuses: [],
  }),
  publicProduct: call({
    method: 'GET',
    path: '/subscriptions/products/public/retrieve/:id',
    summary: 'One product',
    access: 'anyone',
    params: z.object({ id: z.string().min(1).max(200) }),
    returns: Product,
    perMinute: 120,
    refuses: ['product.not-found', 'request.too-many'],
  }),
  active: call({
    method: 'GET',
    path: '/subscriptions/active/',
    summary: 'My running subscription; the tenant’s counts for its members',
    access: 'signed-in',
    returns: Subscription,
    refuses: ['subscription.none'],
  }),
  find: call({
    method: 'GET',
    path: '/subscriptions/:userId/find/',
    summary: 'The running subscription of anyone',
    access: 'subscription.read',
    params: z.object({ userId: z.uuid() }),
    returns: Subscription,
    refuses: ['subscription.none', 'account.not-found'],
  }),
  charges: call({
    method: 'GET',
    path: '/subscriptions/payment/charge/list/',
    summary: 'What I was charged, newest first',
    access: 'signed-in',
    returns: z.array(Charge),
    refuses: [],
  }),
  publicProducts: call({
    method: 'GET',
    path: '/subscriptions/products/public/list/',
    summary: 'What we sell, ascending by metadata position',
    access: 'anyone',
    returns: z.array(Product),
    perMinute: 120,
    refuses: ['request.too-many'],
  }),
}
