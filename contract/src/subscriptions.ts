import { z } from 'zod'
import { mostRefunds, paymentSteps } from '@clear-to-post/domain/plans'
import { call } from './call.ts'
import { PageQuery, pageOf } from './page.ts'
import { visible } from './visible.ts'

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
  /**
   * Beyond the specification: what a coupon takes off a new subscription, of every seat so many percent, then the amount once,
   * for this many of its periods (absent: all). Absent when nothing is taken off.
   */
  offer: z
    .object({ percentOff: z.number(), amountOff: z.number().int(), periods: z.number().int().optional() })
    .optional(),
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
const OneSubscription = z.object({
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

  /** Beyond the specification, for the panel. `quantity`: seats of a tenant's. */
  quantity: z.number().int().optional(),
  percentOff: z.number().optional(),
  /** What is taken off each period beside the percent, and from when on nothing is; absent: nothing, or for good. */
  amountOff: z.number().int().optional(),
  discountEnds: z.iso.datetime().optional(),
  /** What the next period costs, in the currency's smallest unit. */
  renewalPrice: z.number().int().optional(),
  /** Paused: what was paid counts until then. */
  pausedFrom: z.iso.datetime().optional(),
  /** It does not renew. */
  endsAt: z.iso.datetime().optional(),
  /** A renewal failed: everything goes on until then. */
  graceUntil: z.iso.datetime().optional(),
  /** Told to whoever pays. */
  card: z.object({ brand: z.string(), last4: z.string() }).optional(),
  /** What stands to the payer's good, in the smallest unit; used before the card is charged. Absent when nothing does. */
  credit: z.number().int().optional(),
  /** One video beyond the plan; absent when the caller cannot buy one. */
  extra: z
    .object({
      price: z.number().int(),
      currency: z.string(),
      spare: z.number().int(),
      /** Videos that were used, and whose payment its bank took back, and what is `due` for the oldest. Absent: none. */
      owed: z.object({ videos: z.number().int(), due: z.number().int(), currency: z.string() }).optional(),
    })
    .optional(),
  /** What the caller may do now. */
  actions: z.array(z.enum(['portal', 'pause', 'resume', 'change', 'charge'])).optional(),
})
export const Subscription = OneSubscription.extend({
  /** What a person pays themselves although this one, of their company, is the one that counts. Absent: nothing. */
  paidBeside: OneSubscription.optional(),
})
export type Subscription = z.infer<typeof Subscription>

/** `price` in cents, `paymentType` such as card; `credit` where nothing was left to pay. */
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
  /** Beyond the specification: what it was for, and the currency of `price`. */
  description: z.string().optional(),
  currency: z.string().optional(),
  /** Also beyond it: what came out of the payer's credit beside `price`. Absent when nothing did. */
  credit: z.number().int().optional(),
  /** What its payer’s bank took back, and has not returned. Absent when nothing. */
  disputed: z.number().int().optional(),
})

/** Who pays. */
const Payer = z.object({ id: z.uuid(), name: z.string(), isCompany: z.boolean() })

/** A payment of anybody's, for whoever looks after payments. */
export const Payment = Charge.extend({
  payer: Payer,
  /** What is to be done about it (`nextStepOf` of the domain), and until when it can wait. */
  step: z.enum(paymentSteps),
  until: z.iso.datetime().optional(),
  /** What was given back of it, oldest first. */
  refunds: z
    .array(
      z.object({
        kind: z.enum(['card', 'credit']),
        amount: z.number().int(),
        reason: z.string(),
        by: z.string().nullable(),
        state: z.enum(['waiting', 'done', 'refused']),
        at: z.iso.datetime(),
      }),
    )
    .max(mostRefunds),
  /** What may still be given back, and by which ways the caller may. */
  left: z.number().int().optional(),
  ways: z.array(z.enum(['card', 'credit'])),
})
export type Payment = z.infer<typeof Payment>

/** A plan of anybody's. `until`: when it renews, ends, began to pause, or how long it may be owed. */
export const PayersPlan = z.object({
  id: z.uuid(),
  payer: Payer,
  product: z.string(),
  interval: z.enum(['month', 'year']),
  state: z.enum(['running', 'owing', 'paused', 'ending', 'ended']),
  quantity: z.number().int(),
  renewalPrice: z.number().int(),
  currency: z.string(),
  started: z.iso.datetime(),
  until: z.iso.datetime().optional(),
  isByHand: z.boolean(),
})
export type PayersPlan = z.infer<typeof PayersPlan>

const PlanId = z.string().min(1).max(200)
/**
 * What whoever presses was shown, in the currency's smallest unit: `due` now, and what each further period costs. Never more is
 * charged: what costs more by now is refused, and nothing is done. A program that leaves it out pays what it costs.
 */
const ShownPrice = z.strictObject({ due: z.number().int(), renewalPrice: z.number().int() })
/** The same of a change of plan, as its preview answered it; within an hour it is reckoned as of `at`. */
const ShownChange = ShownPrice.extend({ fromCredit: z.number().int(), at: z.iso.datetime() })
const payer = [
  'payment.not-for-you',
  'payment.closed',
  'payment.refused',
  'payment.unavailable',
  'request.too-many',
] as const
const changes = [
  ...payer,
  'subscription.none',
  'subscription.of-company',
  'subscription.by-hand',
  'subscription.changing',
  'tenant.switched-off',
] as const

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
  chargesOf: call({
    method: 'GET',
    path: '/subscriptions/:payerId/payment/charge/list/',
    summary: 'What a person or a company was charged, newest first',
    access: 'subscription.read',
    params: z.object({ payerId: z.uuid() }),
    returns: z.array(Charge),
    refuses: ['account.not-found'],
  }),
  payments: call({
    method: 'GET',
    path: '/subscriptions/payments/list/',
    summary: 'What all payers in my reach were charged, what is to be done about it, and what was given back',
    access: 'subscription.read',
    query: PageQuery,
    page: {
      filters: { payer: 'text', state: 'text', created: 'time' },
      orders: ['created', 'price'],
      defaultOrder: 'created:desc',
    },
    returns: pageOf(Payment),
    refuses: [],
  }),
  plans: call({
    method: 'GET',
    path: '/subscriptions/plans/list/',
    summary: 'The plans of all payers in my reach, with those that ended',
    access: 'subscription.read',
    query: PageQuery,
    page: {
      filters: { payer: 'text', product: 'text', state: 'text', started: 'time' },
      orders: ['started', 'payer'],
      defaultOrder: 'started:desc',
    },
    returns: pageOf(PayersPlan),
    refuses: [],
  }),
  giveBack: call({
    method: 'POST',
    path: '/subscriptions/payments/:chargeId/giveBack/',
    summary: 'Give a part of a payment back, to the card or to the payer’s good; never more than was paid',
    access: 'refund.write',
    needsFreshSignIn: true,
    params: z.object({ chargeId: z.string().min(1).max(200) }),
    body: z.strictObject({
      /** In the currency's smallest unit. */
      amount: z.number().int().min(1).max(100_000_000),
      way: z.enum(['card', 'credit']),
      reason: visible(300),
      /** What was left of the payment when whoever asks looked at it. */
      left: z.number().int().min(0).max(100_000_000),
    }),
    returns: Payment,
    refuses: [
      'payment.not-found',
      'tenant.service-only',
      'refund.changed',
      'refund.too-much',
      'refund.not-by-card',
      'refund.no-credit',
    ],
  }),
  portal: call({
    method: 'GET',
    path: '/subscriptions/portal/',
    summary: 'A page of the payment service with my card and invoices, where a plan is ended, too',
    access: 'signed-in',
    needsFreshSignIn: true,
    needsVerifiedAddress: true,
    returns: z.object({ url: z.string() }),
    asksOutside: true,
    unrecorded: true,
    refuses: [...payer, 'tenant.switched-off'],
  }),
  checkout: call({
    method: 'POST',
    path: '/subscriptions/payment/checkout/',
    summary: 'A page of the payment service on which I pay for this plan; a company that is invoiced has it at once',
    access: 'signed-in',
    needsVerifiedAddress: true,
    /** `shown.renewalPrice`: of the period after the first, where a coupon may have ended. */
    body: z.strictObject({ planId: PlanId, shown: ShownPrice.optional() }),
    returns: z.object({ url: z.string() }),
    asksOutside: true,
    unrecorded: true,
    refuses: [
      ...payer,
      'price.changed',
      'plan.not-found',
      'subscription.running',
      'subscription.of-company',
      'subscription.owes',
      'tenant.switched-off',
    ],
  }),
  charge: call({
    method: 'POST',
    path: '/subscriptions/payment/charge/',
    summary: 'Buys one video beyond the plan with the card on file; it stays until a month needs it',
    access: 'signed-in',
    needsVerifiedAddress: true,
    body: z
      .strictObject({
        shown: ShownPrice.pick({ due: true }).optional(),
        /** Pays for one that is owed (`extra.owed`), and adds none. While one is owed no other is sold. */
        forOwed: z.boolean().optional(),
      })
      .optional(),
    returns: z.object({ success: z.boolean() }),
    asksOutside: true,
    unrecorded: true,
    refuses: [
      ...payer,
      'price.changed',
      'subscription.none',
      'subscription.changing',
      'subscription.owes',
      'payment.no-card',
      'payment.declined',
      'payment.needs-confirmation',
    ],
  }),
  pause: call({
    method: 'PUT',
    path: '/subscriptions/pause/',
    summary: 'Charges nothing from the next period on; what is paid counts until then',
    access: 'signed-in',
    returns: Subscription,
    asksOutside: true,
    unrecorded: true,
    refuses: [...changes, 'subscription.paused', 'subscription.ending', 'subscription.owes'],
  }),
  resume: call({
    method: 'PUT',
    path: '/subscriptions/resume/',
    summary: 'Goes on; when the paid period is over, a new one begins and is charged now',
    access: 'signed-in',
    body: z.strictObject({ shown: ShownPrice.optional() }).optional(),
    returns: Subscription,
    asksOutside: true,
    unrecorded: true,
    refuses: [
      ...changes,
      'price.changed',
      'subscription.not-paused',
      'subscription.owes',
      'payment.declined',
      'payment.needs-confirmation',
    ],
  }),
  previewPlan: call({
    method: 'GET',
    path: '/subscriptions/plan/preview/',
    summary: 'What changing to this plan would cost now, and from then on',
    access: 'signed-in',
    query: z.strictObject({ planId: PlanId }),
    returns: z.object({
      /** All in the currency's smallest unit; `due` below zero is kept for the next invoices. */
      credit: z.number().int(),
      charge: z.number().int(),
      due: z.number().int(),
      /** What of `due` comes out of what stands to the payer's good. */
      fromCredit: z.number().int(),
      renewalPrice: z.number().int(),
      currency: z.string(),
      interval: z.enum(['month', 'year']),
      renewsAt: z.iso.datetime(),
      /** The moment as of which it was reckoned. */
      at: z.iso.datetime(),
    }),
    asksOutside: true,
    unrecorded: true,
    refuses: [
      ...changes,
      'plan.not-found',
      'plan.same',
      'subscription.paused',
      'subscription.ending',
      'subscription.owes',
    ],
  }),
  updatePlan: call({
    method: 'PUT',
    path: '/subscriptions/plan/update/',
    summary: 'Changes the plan now; the difference is charged, or credited, at once',
    access: 'signed-in',
    body: z.strictObject({ planId: PlanId, shown: ShownChange.optional() }),
    returns: Subscription,
    asksOutside: true,
    unrecorded: true,
    refuses: [
      ...changes,
      'price.changed',
      'plan.not-found',
      'plan.same',
      'subscription.paused',
      'subscription.ending',
      'subscription.owes',
      'payment.declined',
      'payment.needs-confirmation',
    ],
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
