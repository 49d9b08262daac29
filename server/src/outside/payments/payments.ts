import type { PeriodUse } from '@clear-to-post/domain/money'

/** Who pays. */
export type CustomerOwner = { userId: string } | { tenantId: string }

/** A card as people know it. */
export type Card = { brand: string; last4: string }

/** What an event is about, by the provider's id. Kinds we do not keep are read as nothing. */
export type ObjectRef = { kind: string; id: string }

/** Something happened at the provider: only what it is about is believed, the thing itself is read anew. */
export type ProviderEvent = { id: string; type: string; about: ObjectRef; createdAt: Date }

/** A thing of the provider's as it was when it was read. Prices in the smallest unit. */
export type Snapshot =
  | {
      kind: 'subscription'
      id: string
      customerId: string
      status: string
      /** The running period was paid, or, of one that is invoiced by e-mail, its invoice was sent: it is no draft. */
      isCharged: boolean
      planId: string
      itemId: string
      quantity: number
      percentOff: number
      /** Taken off each invoice beside the percent; both until a moment, null: for good. */
      amountOff: number
      discountEnds: Date | null
      /** Whose coupons these are, and were, as far as the provider still says. */
      couponIds: string[]
      startedAt: Date
      periodStart: Date
      periodEnd: Date
      /** Paused: what was paid counts until then. */
      pausedFrom: Date | null
      /** Does not renew, or ended then. */
      endsAt: Date | null
      /** Invoiced by e-mail, to be paid within so many days. */
      daysUntilDue: number | null
      paymentMethodId: string | null
      card: Card | null
      /** What stands to the customer's good; used before anything is charged. */
      credit: number
    }
  | {
      kind: 'charge'
      id: string
      customerId: string
      /** The subscription that it was charged for; null: a single video, or none of ours. */
      subscriptionId: string | null
      createdAt: Date
      paid: boolean
      receiptUrl: string
      status: string
      /** What was left to pay beside `credit`. */
      price: number
      /** What the customer had to the good and was used for it. */
      credit: number
      /** What went back to the card, whoever gave it; of a mailed invoice by credit notes, too. */
      refunded: number
      /** What the payer's bank took back, and has not returned. */
      disputed: number
      currency: string
      /** `credit`: nothing was left to pay. */
      paymentType: string
      card: Card | null
      description: string
    }
  /** A refund of ours that reached nobody: the provider ended it as failed, maybe days after it was taken. */
  | { kind: 'failed-refund'; refundId: string; chargeId: string }
  /** `chargeId`: the payment that it was bought by. */
  | { kind: 'purchase'; purchaseId: string; state: 'paid' | 'failed' | 'started'; chargeId?: string | undefined }
  | {
      kind: 'product'
      id: string
      name: string
      descriptions: { description: string; subtitle: string }
      metadata: { position: number; [key: string]: unknown }
      couponId: string | null
      isActive: boolean
      plans: { id: string; currency: string; price: number; interval: 'month' | 'year'; metadata: PlanWords }[]
    }
  | CouponSnapshot
  /** Nobody can use it any more; what it took off stays. */
  | { kind: 'gone-coupon'; id: string }

/** Takes percent or an amount off, for some months from its use or for good. */
export type CouponSnapshot = {
  kind: 'coupon'
  id: string
  percentOff: number | null
  amountOff: number | null
  currency: string | null
  months: number | null
  /** It can be used before this moment, and so often; null: without a bound. */
  redeemBy: Date | null
  mostUses: number | null
  uses: number
  isValid: boolean
}

/** A product as it is to be sold. `id` null: a plan that is not sold yet. */
export type ProductOrder = {
  id: string
  isNew: boolean
  name: string
  descriptions: { description: string; subtitle: string }
  position: number
  couponId: string | null
  isActive: boolean
  plans: {
    id: string | null
    /** It was retired before. */
    isBack: boolean
    currency: string
    price: number
    interval: 'month' | 'year'
    metadata: PlanWords
  }[]
  /** Plans on sale that are to be sold no more. */
  retired: string[]
}
export type CouponOrder = Omit<CouponSnapshot, 'kind' | 'uses' | 'isValid'>
type PlanWords = { projectsPerMonth: number; revisionsPerProject: number; turnaroundHours: number; rank: number }

/** What a change of plan costs now (`credit` comes back of the old plan), and each period from then on. */
export type ChangePreview = { credit: number; charge: number; due: number; currency: string; renewsAt: Date }

/** The plan that is bought. `couponId` takes `percentOff` and `amountOff` off, for `months` or (null) for good. */
export type Order = {
  planId: string
  quantity: number
  couponId: string | null
  percentOff: number
  amountOff: number
  months: number | null
}

/**
 * A payment provider. Every call that changes something takes a `key`: said twice with one key it happens once. Throws
 * `PaymentRefused` for what the provider will not do, `PaymentAway` when it gave no answer (what became of it is unknown).
 */
export type Payments = {
  kind: 'stripe' | 'sandbox' | 'closed'
  /** Who moves the money, in words for the operator. */
  says: string
  /** Reads what came to the webhook door. Throws `BadSignature` when it was not signed by the provider, or is too old. */
  readEvent: (raw: Buffer, signature: string, now: Date) => Promise<ProviderEvent>
  /** Answers the new customer's id. */
  createCustomer: (who: { owner: CustomerOwner; name: string; email: string; key: string }) => Promise<string>
  /** Who a customer is from now on; without an email nothing is mailed. One that was forgotten stays so. Safe to repeat. */
  updateCustomer: (customerId: string, who: { name: string; email: string }) => Promise<void>
  /**
   * A page on which the customer pays for a plan; it leads back to `doneUrl` or `backUrl`. Older ones of this customer are
   * closed: of several that are open at once the newest can be paid.
   */
  checkout: (order: Order & { customerId: string; doneUrl: string; backUrl: string; key: string }) => Promise<string>
  /** A subscription that is invoiced by e-mail. */
  subscribeByMail: (order: Order & { customerId: string; daysUntilDue: number; key: string }) => Promise<ObjectRef>
  /** A page on which the customer sees invoices, changes the card and ends the subscription. */
  portal: (customerId: string, backUrl: string) => Promise<string>
  /** Closes the customer's open payment pages, as far as the provider can. One that was paid already stays paid. */
  closePages: (customerId: string) => Promise<void>
  /** Charges the card on file for one video. The purchase's id is its key. */
  buy: (purchase: {
    customerId: string
    purchaseId: string
    price: number
    currency: string
    description: string
  }) => Promise<ObjectRef>
  /** What became of a purchase whose answer never came; null: the provider never heard of it. */
  findPurchase: (customerId: string, purchaseId: string) => Promise<ObjectRef | null>
  /**
   * `from`: the end of the running period. Throws `PaymentRefused` where another one runs by now: a renewal that has begun is charged
   * for all that. One that is paused stays so.
   */
  pause: (subscriptionId: string, from: Date, key: string) => Promise<void>
  /** `anew`: what was paid is used up, so that a new period begins and is charged now. */
  resume: (subscriptionId: string, anew: boolean, key: string) => Promise<void>
  /** By how many ms the provider's clock is ahead of ours: its periods begin by its own. */
  clockAhead: () => Promise<number>
  /** `used`: what the payer's people have used of the running period; a change credits no more than is left of it. */
  previewChange: (subscription: Running, to: Target, used: VideosUsed) => Promise<ChangePreview>
  /**
   * Changes plan or seats; the difference is charged, or credited, at once. `used` was counted for `from`: throws
   * `PaymentRefused` where another plan or another period runs by now, and, as its preview does, while an invoice of it is open.
   */
  change: (subscription: Running & { from: Counted }, to: Target, used: VideosUsed, key: string) => Promise<void>
  /**
   * The first half of taking a change back whose difference was invoiced and not paid: a subscription's open invoices are void.
   * Answers the newest; null where its last invoice is neither open nor void: then nothing is changed. Safe to repeat.
   */
  voidOpen: (subscriptionId: string, key: string) => Promise<string | null>
  /**
   * The second half: it has the plan and seats again that were paid, nothing is settled, and `invoice` names what is void for that.
   * Safe to repeat.
   */
  putBack: (
    subscription: Pick<Running, 'id' | 'itemId'>,
    to: Pick<Target, 'planId' | 'quantity'> & { invoice: string },
    key: string,
  ) => Promise<void>
  /**
   * Charges a subscription no more: it ends with its period, unless `goOn` is said before. One that ends by its customer’s wish,
   * or has ended, is left alone. Both are safe to repeat.
   */
  endWithPeriod: (subscriptionId: string) => Promise<void>
  /** Takes `endWithPeriod` back. What the customer ended stays ended. */
  goOn: (subscriptionId: string) => Promise<void>
  /** Ends a subscription now. One that has ended already is left alone. */
  end: (subscriptionId: string, key: string) => Promise<void>
  /** Ends a subscription that was bought by mistake, and gives back what was paid for it. Safe to repeat. */
  undo: (subscriptionId: string, key: string) => Promise<void>
  /**
   * Gives a part of a charge back to the card it came from. `refundId` is its key, also when a repeat comes days later.
   * Throws `PaymentRefused` where the provider will not, or did and it failed: it is not tried again under this key.
   */
  refund: (what: { chargeId: string; amount: number; refundId: string }) => Promise<void>
  /** Puts an amount to a customer's good, which the next invoices use. The same of its key. */
  credit: (what: { customerId: string; amount: number; currency: string; refundId: string }) => Promise<void>
  /** Whether `refund` or `credit` with this key stands there already, however it ended: an answer may have been lost. */
  isGiven: (what: { refundId: string } & ({ chargeId: string } | { customerId: string })) => Promise<boolean>
  /** Sells a product as it says, from now on; subscriptions that run keep their plan. Answers it as it is then. */
  saveProduct: (product: ProductOrder & { key: string }) => Promise<Snapshot[]>
  /** Throws `PaymentRefused` where there is one of this code. */
  createCoupon: (coupon: CouponOrder & { key: string }) => Promise<Snapshot[]>
  /** Nobody uses it any more; who did keeps what it takes off. Safe to repeat. */
  retireCoupon: (couponId: string) => Promise<Snapshot[]>
  /** The customer's subscriptions that have not ended. */
  runningOf: (customerId: string) => Promise<string[]>
  /** Erases who a customer is, with cards and open pages; what was paid stays without a name. Safe to repeat. */
  forgetCustomer: (customerId: string) => Promise<void>
  /** The thing as it is now, and whatever else it concerns. Empty when there is none, or none that we keep. */
  read: (about: ObjectRef) => Promise<Snapshot[]>
  /** Everything we keep a copy of: the catalogue first, then subscriptions, then what was charged since. */
  everything: (since: Date) => AsyncIterable<Snapshot>
  /** Events that never reached the webhook door, as far as the provider knows. */
  missed: (since: Date) => AsyncIterable<ProviderEvent>
}
/**
 * `offer`: what is taken off from now on instead of what was; null: nothing. Absent: what is taken off stays. `at`: the moment, by
 * the provider's clock, as of which it is reckoned; absent: now.
 */
export type Target = { planId: string; quantity: number; offer?: TakenOff | null; at?: Date }
export type TakenOff = Pick<Order, 'couponId' | 'percentOff' | 'amountOff' | 'months'>
/** `credited`: what of the period's payments the service gave back as credit, or is about to give back. */
export type VideosUsed = Pick<PeriodUse, 'videos' | 'of' | 'stands' | 'next'> & { credited: number }
/** The plan and the period that something was counted for. */
export type Counted = { planId: string; periodStart: Date | null }
/** Does what runs now still stand as it was counted? */
export const isCounted = (from: Counted, now: Counted): boolean =>
  from.planId === now.planId && from.periodStart?.getTime() === now.periodStart?.getTime()
type Running = { id: string; itemId: string; customerId: string }

/** The provider will not do it; `reason` is a refusal of the contract's. */
export class PaymentRefused extends Error {
  readonly reason:
    | 'payment.declined'
    | 'payment.no-card'
    | 'payment.needs-confirmation'
    | 'payment.closed'
    | 'subscription.changing'
    | 'subscription.owes'
    | 'coupon.taken'
    | 'payment.refused'
  /** The provider's words on what it does not take, and of which field, as it calls it. */
  readonly says: { field: string | null; words: string } | undefined
  constructor(reason: PaymentRefused['reason'], cause?: unknown, says?: PaymentRefused['says']) {
    super(reason, { cause })
    this.reason = reason
    this.says = says
  }
}

/** No answer came, or none that says anything. */
export class PaymentAway extends Error {}

/** What came to the webhook door was not signed by the provider, or too long ago. */
export class BadSignature extends Error {}

let opened: Payments | undefined

/** What this process pays by, from now on: main/payments.ts chooses it. */
export const usePayments = (chosen: Payments): Payments => (opened = chosen)

export const payments = (): Payments => {
  if (!opened) throw new Error('openPayments() of main/payments.ts was not called')
  return opened
}
