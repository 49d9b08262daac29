import { periodPrice } from '@clear-to-post/domain/money'
import type { Tx } from '../../kernel/database.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { testCards } from './cards.ts'
import { findObject, objectsOf, soldPlan, type SandboxObject } from './objects.ts'

/** Why a card was not charged, in words for its owner; the address of the page carries the key. */
const cardProblems = {
  no: 'Your bank was told no. Nothing was charged.',
  declined: 'The card was declined. Nothing was charged. Use another one.',
  unknown: 'Use one of the test cards below. Never type a real card here.',
  'used-up':
    'The coupon of this price was used up meanwhile. Nothing was charged. Go back and choose the plan again, at its new price.',
  closed: 'A newer payment page was opened, so this one is closed. Nothing was charged here.',
}
export type CardProblem = keyof typeof cardProblems | 'asks'

export const checkoutView = async (tx: Tx, id: string) => {
  const session = await findObject(tx, 'checkout.session', id)
  if (!session) return null
  const { planId, quantity, percentOff, amountOff = 0, subscriptionId } = session.body
  const plan = await soldPlan(tx, planId)
  return {
    session,
    plan,
    price: periodPrice({ price: plan.price, quantity, percentOff, amountOff }),
    isPaid: subscriptionId !== null,
  }
}

export const checkoutBody = (
  { session, plan, price, isPaid }: NonNullable<Awaited<ReturnType<typeof checkoutView>>>,
  problem: unknown,
): string => {
  const { quantity, percentOff, amountOff = 0, months = null, backUrl, doneUrl, isClosed } = session.body
  if (isPaid) return `<p>This plan is paid.</p><p><a href="${escapeHtml(doneUrl)}">Go to my plan</a></p>`
  // No card helps here.
  const over = isClosed ? 'closed' : problem === 'used-up' ? problem : null
  if (over !== null)
    return `<p role="alert">${cardProblems[over]}</p><p><a href="${escapeHtml(backUrl)}">Back to the plans</a></p>`
  const off = [
    percentOff > 0 ? `${percentOff}% off` : '',
    amountOff > 0 ? `${money(amountOff, plan.currency)} off` : '',
  ].filter(Boolean)
  const terms = [
    quantity > 1 ? `${quantity} seats` : '',
    ...off,
    off.length > 0 && months !== null ? `for ${months === 1 ? 'a month' : `${months} months`}` : '',
  ].filter(Boolean)
  return `<p class="sum"><strong>${escapeHtml(plan.product)}</strong><br>
    ${money(price, plan.currency)} ${plan.interval === 'year' ? 'a year' : 'a month'}${terms.length > 0 ? ` (${terms.join(', ')})` : ''}</p>
    ${cardForm('Pay', problem)}<p><a href="${escapeHtml(backUrl)}">Back, without paying</a></p>`
}

export const portalView = async (tx: Tx, id: string) => {
  const portal = await findObject(tx, 'portal', id)
  const customer = portal && (await findObject(tx, 'customer', portal.customerId!))
  if (!portal || !customer || portal.body.isClosed) return null
  const subscriptions = await Promise.all(
    (await objectsOf(tx, 'subscription', customer.id)).map(async (one) => ({
      ...one,
      plan: await soldPlan(tx, one.body.planId),
    })),
  )
  const charges = await objectsOf(tx, 'charge', customer.id)
  const invoices = await objectsOf(tx, 'invoice', customer.id)
  return { portal, customer, subscriptions, charges, invoices }
}

export const portalBody = (
  { portal, customer, subscriptions, charges, invoices }: NonNullable<Awaited<ReturnType<typeof portalView>>>,
  problem: unknown,
): string => {
  const { card, credit } = customer.body
  const running = subscriptions.filter(({ body }) => body.status !== 'canceled')
  const rows = [
    ...charges.map(({ id, createdAt, body }) => ({
      at: createdAt,
      href: `/sandbox/receipts/${id}`,
      word: body.paid ? 'paid' : 'failed',
      ...body,
    })),
    ...invoices.map(({ id, createdAt, body }) => ({
      at: createdAt,
      href: `/sandbox/invoices/${id}`,
      word: body.status,
      ...body,
    })),
  ].sort((a, b) => b.at.getTime() - a.at.getTime())
  const plans = running.map(
    ({ id, body, plan }) => `<div class="sum"><strong>${escapeHtml(plan.product)}</strong>
      <p>${body.endsAtPeriodEnd ? 'Ends' : body.pausedFrom ? 'Paused; this period ends' : body.status === 'past_due' ? 'Not paid; began' : 'Renews'}
      ${dateOf(new Date(body.status === 'past_due' ? body.periodStart : body.periodEnd))}</p>
      <form method="post"><input type="hidden" name="what" value="${escapeHtml(id)}">
      ${body.endsAtPeriodEnd ? '<button name="do" value="keep">Keep the plan</button>' : '<button name="do" value="end" class="quiet">End the plan with this period</button>'}</form></div>`,
  )
  const list = rows.map(
    ({ at, href, word, price, currency, description }) =>
      `<li><a href="${href}">${dateOf(at)}</a> ${escapeHtml(description)} · ${money(price, currency)} · ${word}</li>`,
  )
  return `<h2>Plan</h2>${plans.join('') || '<p>No plan runs.</p>'}
    ${credit > 0 ? `<p>To your credit for the next invoices: ${money(credit, 'usd')}</p>` : ''}
    <h2>Card</h2><p>${card ? cardWords(card) : 'No card yet.'}</p>${cardForm('Use this card', problem, 'card')}
    <h2>Invoices and receipts</h2>${list.length > 0 ? `<ul>${list.join('')}</ul>` : '<p>Nothing yet.</p>'}
    <p><a href="${escapeHtml(portal.body.backUrl)}">Back to my panel</a></p>`
}

export const receiptBody = ({ createdAt, body }: SandboxObject<'charge'>): string => {
  const { price, credit, currency, description, card } = body
  return `<dl><dt>For</dt><dd>${escapeHtml(description)}</dd><dt>Amount</dt><dd>${money(price, currency)}</dd>${creditWords(credit, currency)}
   <dt>Date</dt><dd>${dateOf(createdAt)}</dd><dt>Card</dt><dd>${card ? cardWords(card) : 'none'}</dd></dl>`
}

export const invoiceBody = ({ createdAt, body }: SandboxObject<'invoice'>): string =>
  `<dl><dt>For</dt><dd>${escapeHtml(body.description)}</dd><dt>Amount</dt><dd>${money(body.price, body.currency)}</dd>${creditWords(body.credit, body.currency)}
   <dt>Date</dt><dd>${dateOf(createdAt)}</dd><dt>State</dt><dd>${body.status}</dd></dl>
   ${body.status === 'open' ? '<form method="post"><button>Pay this invoice</button></form>' : ''}`

const creditWords = (credit: number | undefined, currency: string): string =>
  credit === undefined || credit === 0 ? '' : `<dt>Paid by credit</dt><dd>${money(credit, currency)}</dd>`

const cardForm = (verb: string, problem: unknown, what = 'pay'): string => {
  const hidden = `<input type="hidden" name="do" value="${what}">`
  if (problem === 'asks')
    return `<form method="post">${hidden}
      <p role="alert">Your bank asks: is it you who pays?</p>
      <button name="answer" value="yes">Yes, it is me</button> <button name="answer" value="no" class="quiet">No</button></form>`
  const wrong = Object.entries(cardProblems).find(([name]) => name === problem)?.[1]
  const cards = Object.entries(testCards).map(
    ([card, { words }]) => `<li><code>${card.replace(/(.{4})(?=.)/g, '$1 ')}</code> ${words}</li>`,
  )
  return `<form method="post">${hidden}<label for="number">Test card number</label>
    ${wrong === undefined ? '' : `<p role="alert" id="wrong">${wrong}</p>`}
    <input id="number" name="number" inputmode="numeric" autocomplete="off" required${wrong === undefined ? '' : ' aria-invalid="true" aria-describedby="wrong"'}>
    <button>${verb}</button></form><details open><summary>Test cards</summary><ul>${cards.join('')}</ul></details>`
}

const cardWords = ({ brand, last4 }: { brand: string; last4: string }) =>
  `${escapeHtml(brand.charAt(0).toUpperCase() + brand.slice(1))} ending in ${escapeHtml(last4)}`

const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: amount % 100 === 0 ? 0 : 2,
  }).format(amount / 100)

const dateOf = (at: Date): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(at)
