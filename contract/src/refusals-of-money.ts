import type { Kind } from './kinds.ts'

/** Plans, coupons and payments: refusals that errors.ts puts together with the others. */
export const refusalsOfMoney = {
  'rate.too-many': {
    kind: 'conflict',
    message: 'This editor has rates from very many months on. Change one of those instead of adding another.',
  },
  'product.changed': {
    kind: 'conflict',
    message: 'Somebody changed this product since you opened it. Look at it again, then save.',
  },
  'product.changing': {
    kind: 'conflict',
    message: 'A change of this product is under way. Try again in a few minutes.',
  },
  'plan.twice': { kind: 'conflict', message: 'Two of these plans are the same. Change or remove one.' },
  'coupon.not-found': { kind: 'not-found', message: 'There is no such coupon, or nobody can use it any more.' },
  'coupon.taken': { kind: 'conflict', message: 'There is or was a coupon of this code. Choose another code.' },
  'coupon.too-late': { kind: 'conflict', message: 'Its last day is over. Choose a later one.' },
  'coupon.too-far': { kind: 'conflict', message: 'A coupon ends within five years. Choose an earlier last day.' },
  'product.not-found': { kind: 'not-found', message: 'There is no such product.' },
  'subscription.none': { kind: 'not-found', message: 'There is no running subscription. Choose a plan to start one.' },
  'subscription.running': {
    kind: 'conflict',
    message: 'You have a plan already. Change it instead of buying another.',
  },
  'subscription.of-company': {
    kind: 'conflict',
    message: 'Your company pays for your plan. Its admin changes it.',
  },
  'subscription.by-hand': { kind: 'conflict', message: 'This plan was set up by hand. Write to us to change it.' },
  'subscription.paused': { kind: 'conflict', message: 'Your plan is paused. Resume it first.' },
  'subscription.not-paused': { kind: 'conflict', message: 'Your plan is not paused.' },
  'subscription.changing': {
    kind: 'conflict',
    message: 'A change of the plan is under way. Try again in a moment.',
  },
  'subscription.ending': {
    kind: 'conflict',
    message: 'Your plan ends with this period. Choose to keep it first, under “Card and invoices”.',
  },
  'subscription.owes': {
    kind: 'conflict',
    message: 'The last renewal is not paid yet. Pay it or change the card first, under “Card and invoices”.',
  },
  'plan.not-found': { kind: 'not-found', message: 'There is no such plan. Choose one of those on the page.' },
  'plan.same': { kind: 'conflict', message: 'You have this plan already.' },
  'payment.not-for-you': { kind: 'forbidden', message: 'Plans are bought by loan officers and by a company’s admin.' },
  'payment.no-card': { kind: 'conflict', message: 'There is no card yet. Add one under “Card and invoices”.' },
  'payment.declined': {
    kind: 'conflict',
    message: 'The card was declined. Nothing was changed. Use another card, or ask your bank.',
  },
  'payment.needs-confirmation': {
    kind: 'conflict',
    message: 'Your bank wants to hear from you first. Add the card again under “Card and invoices”.',
  },
  'price.changed': {
    kind: 'conflict',
    message: 'This costs something else by now. Nothing was charged. Look at it again.',
  },
  'payment.not-found': { kind: 'not-found', message: 'There is no such payment.' },
  'refund.too-much': {
    kind: 'conflict',
    message: 'That is more than is left of this payment. Look at what was given back already.',
  },
  'refund.changed': {
    kind: 'conflict',
    message:
      'Something went back of this payment since you opened it. Look at what is left, then give it if it is still due.',
  },
  'refund.no-credit': {
    kind: 'conflict',
    message: 'Who paid has left, so no later invoice would use a credit. Give it back to the card, if it was one.',
  },
  'refund.not-by-card': { kind: 'conflict', message: 'This was not paid by card. Give it as credit instead.' },
  'payment.closed': { kind: 'conflict', message: 'Nothing can be bought here yet. Ask us to set up payments.' },
  'payment.refused': {
    kind: 'conflict',
    message: 'The payment service does not take this. Look at what was asked for, or write to us.',
  },
  'payment.unavailable': {
    kind: 'unavailable',
    message: 'The payment service does not answer. You are not charged twice; try again in a minute.',
  },
  'payment.bad-event': { kind: 'invalid-argument', message: 'This event was not signed by the payment service.' },
} as const satisfies Record<string, { kind: Kind; message: string }>
