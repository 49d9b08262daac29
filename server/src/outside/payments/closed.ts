import { BadSignature, PaymentAway, PaymentRefused, type Payments } from './payments.ts'

/** No provider: nothing can be bought here. What runs already goes on. */
export const closed = (): Payments => {
  const refuse = async (): Promise<never> => {
    throw new PaymentRefused('payment.closed')
  }
  async function* nothing() {}
  return {
    kind: 'closed',
    says: 'nothing can be bought: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET',
    readEvent: async () => {
      throw new BadSignature()
    },
    createCustomer: refuse,
    updateCustomer: refuse,
    checkout: refuse,
    subscribeByMail: refuse,
    portal: refuse,
    closePages: refuse,
    buy: refuse,
    findPurchase: async () => null,
    clockAhead: async () => 0,
    pause: refuse,
    resume: refuse,
    previewChange: refuse,
    change: refuse,
    voidOpen: refuse,
    putBack: refuse,
    endWithPeriod: refuse,
    goOn: refuse,
    end: refuse,
    undo: refuse,
    refund: refuse,
    credit: refuse,
    isGiven: refuse,
    saveProduct: refuse,
    createCoupon: refuse,
    retireCoupon: refuse,
    runningOf: async () => [],
    // Whoever was a customer is still known where they were: the removal stays open until the provider is configured again.
    forgetCustomer: async () => {
      throw new PaymentAway('no payment provider is configured')
    },
    read: async () => [],
    everything: nothing,
    missed: nothing,
  }
}
