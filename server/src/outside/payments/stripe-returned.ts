import type Stripe from 'stripe'
import type { Snapshot } from './payments.ts'
import { chargeOf, creditOf, invoiceOf, subscriptionIn } from './stripe-snapshots.ts'

/** What went back of payments at Stripe, whoever sent it. All amounts in the smallest unit. */

/** A charge of an invoice with what its bank took back. */
const wholeCharge = async (api: Stripe, c: Stripe.Charge, of?: Stripe.Invoice): Promise<Snapshot | null> => {
  const charge = chargeOf(c)
  return charge && { ...charge, subscriptionId: of ? subscriptionIn(of) : null, disputed: await takenBack(api, c) }
}

/** What of ours a charge bought: nothing, where it went back wholly. Stripe marks it as it marks its payment intent. */
const purchaseBy = (c: Stripe.Charge, whole: Snapshot | null): Snapshot | null => {
  const { purchaseId } = c.metadata
  if (purchaseId === undefined || !c.paid || whole?.kind !== 'charge') return null
  const stands = whole.price - whole.refunded - whole.disputed
  return { kind: 'purchase', purchaseId, state: stands > 0 ? 'paid' : 'failed', chargeId: c.id }
}

/**
 * Both, as they are read: a payment is known as a single video's before it is kept. What pays a mailed invoice, or is about to, is
 * told by that invoice; a card that failed on it is a charge of its own.
 */
export const chargeAndPurchase = async (api: Stripe, c: Stripe.Charge): Promise<(Snapshot | null)[]> => {
  const invoices = await invoicesOf(api, c)
  const mailed = invoices.filter((one) => one.collection_method === 'send_invoice')
  if (mailed.length > 0 && c.status !== 'failed') return Promise.all(mailed.map((one) => wholeInvoice(api, one)))
  const whole = await wholeCharge(api, c, invoices[0])
  return [purchaseBy(c, whole), whole]
}

/** An invoice with what went back of it once it was paid; the charge that paid it where credit paid the rest: a charge does not know of it. */
export const wholeInvoice = async (api: Stripe, i: Stripe.Invoice): Promise<Snapshot | null> => {
  const invoice = invoiceOf(i)
  const credit = creditOf(i)
  if (invoice === null && i.status === 'paid' && credit > 0 && credit < i.total)
    for await (const one of chargesOf(api, i.id)) {
      const charge = await wholeCharge(api, one, i)
      return charge?.kind === 'charge' ? { ...charge, credit } : null
    }
  return invoice && invoice.paid && invoice.price > 0 ? { ...invoice, ...(await wentBackOf(api, i)) } : invoice
}

/** Did a refund end without reaching anybody? Its amount is with us again. */
export const hasFailed = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled'

/** A refund of ours that failed; null for every other one. */
export const failedRefundOf = (refund: Stripe.Refund): Snapshot | null => {
  const refundId = refund.metadata?.['refundId']
  const charge = refund.charge
  if (!hasFailed(refund) || refundId === undefined || charge === null) return null
  return { kind: 'failed-refund', refundId, chargeId: typeof charge === 'string' ? charge : charge.id }
}

/** What the payer's bank took back of a charge, and has not returned. An inquiry (`warning_`) moves no money. */
const takenBack = async (api: Stripe, { id, disputed }: Stripe.Charge): Promise<number> => {
  if (!disputed) return 0
  let sum = 0
  for await (const { amount, status } of api.disputes.list({ charge: id, limit: 100 }))
    if (status !== 'won' && status !== 'prevented' && !status.startsWith('warning_')) sum += amount
  return sum
}

/** What went back of an invoice that was paid: by credit notes, and of its payments. */
const wentBackOf = async (
  api: Stripe,
  { id, post_payment_credit_notes_amount: noted }: Stripe.Invoice,
): Promise<{ refunded: number; disputed: number }> => {
  let [refunded, disputed] = [0, 0]
  if (noted > 0)
    for await (const { status, post_payment_amount, refunds } of api.creditNotes.list({ invoice: id, limit: 100 })) {
      // What a note sent back as a refund is counted with its payment.
      const sent = refunds.filter(({ type }) => type === 'refund').reduce((sum, one) => sum + one.amount_refunded, 0)
      if (status === 'issued') refunded += post_payment_amount - sent
    }
  for await (const charge of chargesOf(api, id)) {
    refunded += charge.amount_refunded
    disputed += await takenBack(api, charge)
  }
  return { refunded, disputed }
}

/** The charges that paid an invoice. */
async function* chargesOf(api: Stripe, invoice: string): AsyncGenerator<Stripe.Charge> {
  const expand = ['data.payment.payment_intent.latest_charge', 'data.payment.charge']
  for await (const { payment } of api.invoicePayments.list({ invoice, status: 'paid', limit: 100, expand })) {
    const { payment_intent: intent } = payment
    const charge = typeof intent === 'object' ? intent.latest_charge : payment.charge
    if (typeof charge === 'object' && charge !== null) yield charge
  }
}

/** What went back of what a subscription's invoices since a moment were paid with. */
export const wentBackSince = async (api: Stripe, subscription: string, since: Date): Promise<number> => {
  let back = 0
  // An invoice may be a moment older than the period that it began.
  const created = { gte: Math.floor(since.getTime() / 1000) - 60 }
  for await (const invoice of api.invoices.list({ subscription, status: 'paid', created, limit: 100 })) {
    const { refunded, disputed } = await wentBackOf(api, invoice)
    back += refunded + disputed
  }
  return back
}

/** The invoices that a charge was made for, which it does not name itself. A single video has none. */
const invoicesOf = async (api: Stripe, { payment_intent: intent, metadata }: Stripe.Charge) => {
  if (!intent || metadata['purchaseId'] !== undefined) return []
  const payment = { type: 'payment_intent', payment_intent: typeof intent === 'string' ? intent : intent.id } as const
  const invoices: Stripe.Invoice[] = []
  for await (const { invoice } of api.invoicePayments.list({ payment, limit: 100, expand: ['data.invoice'] }))
    if (typeof invoice === 'object' && !invoice.deleted) invoices.push(invoice)
  return invoices
}
