import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { periodPrice } from '@clear-to-post/domain/money'
import type { Database, Tx } from '../../kernel/database.ts'
import type { Config } from '../../kernel/config.ts'
import { PaymentRefused, type Payments } from '../../outside/payments/payments.ts'
import { begin, changeCard, payInvoice, runSandbox } from './billing.ts'
import { readCard, testCards } from './cards.ts'
import { moveClock, oneAtATime, sandboxNow } from './clock.ts'
import { deliverEvents, addEvent } from './events.ts'
import { findObject, lockObject, objectsOf, saveObject, soldPlan, type SandboxObject } from './objects.ts'
import { allowStyle } from '../../kernel/headers.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { isFromHere } from '../../kernel/network.ts'

/**
 * The sandbox's own pages, where no money moves: `/sandbox/checkout/…` and `/sandbox/portal/…`, receipts and invoices. Forms
 * without a script, an address that nobody guesses, and words on every page that say what it is. On this machine alone
 * `POST /sandbox/clock` `{ days }` moves its clock ahead.
 */
export const mountSandbox = async (
  app: FastifyInstance,
  { config, database, payments }: { config: Config; database: Database; payments: Payments },
): Promise<void> => {
  if (payments.kind !== 'sandbox') return
  const deliver = () => deliverEvents(database, postTo(app))
  const page = (reply: FastifyReply, title: string, body: string) =>
    allowStyle(reply, style)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(pageOf(title, body))
  const gone = (reply: FastifyReply) =>
    page(reply.code(404), 'This page is gone', '<p>Go back to your panel and open it again.</p>')
  // Every form leads to an address again, so that the browser's way back never sends one a second time.
  type Asked = FastifyRequest<{
    Params: { id: string }
    Querystring: { said?: unknown }
    Body: Record<string, string> | null
  }>
  const within = <T>(work: (tx: Tx, now: Date) => Promise<T>): Promise<T> =>
    database.asSystem(async (tx) => {
      await oneAtATime(tx)
      return work(tx, await sandboxNow(tx, new Date()))
    })

  app.get('/sandbox/checkout/:id', async ({ params: { id }, query }: Asked, reply) => {
    const shown = await within((tx) => checkoutView(tx, id))
    return shown ? page(reply, 'Pay for your plan', checkoutBody(shown, query.said)) : gone(reply)
  })
  app.post('/sandbox/checkout/:id', async ({ params: { id }, body }: Asked, reply) => {
    const shown = await within((tx) => checkoutView(tx, id))
    if (!shown) return gone(reply)
    const { session, isPaid } = shown
    if (!isPaid) {
      const said = await withCard(body, (card) =>
        within(async (tx, now) => {
          const open = await lockObject(tx, 'checkout.session', id)
          if (!open || open.body.subscriptionId !== null) return
          if (open.body.isClosed) throw new Closed()
          const { planId, quantity, percentOff } = open.body
          const subscriptionId = id.replace(/^cs/, 'sub')
          await changeCard(tx, open.customerId!, card, now)
          const order = { id: subscriptionId, customerId: open.customerId!, planId, quantity, percentOff }
          await begin(tx, { ...order, daysUntilDue: null }, now)
          await saveObject(tx, { ...open, body: { ...open.body, subscriptionId } })
          await addEvent(tx, 'checkout.session.completed', id, now)
        }),
      )
      if (said !== null) return reply.redirect(`/sandbox/checkout/${id}?said=${said}`, 303)
    }
    await deliver()
    return reply.redirect(session.body.doneUrl, 303)
  })

  app.get('/sandbox/portal/:id', async ({ params: { id }, query }: Asked, reply) => {
    const shown = await within((tx) => portalView(tx, id))
    return shown ? page(reply, 'Card and invoices', portalBody(shown, query.said)) : gone(reply)
  })
  app.post('/sandbox/portal/:id', async ({ params: { id }, body }: Asked, reply) => {
    const shown = await within((tx) => portalView(tx, id))
    if (!shown) return gone(reply)
    const { customer } = shown
    let said: Said | null = null
    if (body?.do === 'card')
      said = await withCard(body, (card) => within((tx, now) => changeCard(tx, customer.id, card, now)))
    else await within((tx, now) => portalStep(tx, customer.id, body?.do ?? '', body?.what ?? '', now))
    await deliver()
    return reply.redirect(`/sandbox/portal/${id}${said === null ? '' : `?said=${said}`}`, 303)
  })

  app.get('/sandbox/receipts/:id', async ({ params: { id } }: Asked, reply) => {
    const charge = await within((tx) => findObject(tx, 'charge', id))
    if (!charge) return gone(reply)
    const { price, credit, currency, description, paid, card } = charge.body
    return page(
      reply,
      paid ? 'Receipt' : 'Not paid',
      `<dl><dt>For</dt><dd>${escapeHtml(description)}</dd><dt>Amount</dt><dd>${money(price, currency)}</dd>${creditWords(credit, currency)}
       <dt>Date</dt><dd>${dateOf(charge.createdAt)}</dd><dt>Card</dt><dd>${card ? cardWords(card) : 'none'}</dd></dl>`,
    )
  })
  app.get('/sandbox/invoices/:id', async ({ params: { id } }: Asked, reply) => {
    const invoice = await within((tx) => findObject(tx, 'invoice', id))
    return invoice ? page(reply, 'Invoice', invoiceBody(invoice)) : gone(reply)
  })
  app.post('/sandbox/invoices/:id', async ({ params: { id } }: Asked, reply) => {
    await within(async (tx, now) => {
      const invoice = await lockObject(tx, 'invoice', id)
      if (invoice) await payInvoice(tx, invoice, now)
    })
    await deliver()
    return reply.redirect(`/sandbox/invoices/${id}`, 303)
  })

  app.post<{ Body: { days?: unknown } | null }>('/sandbox/clock', async (request, reply) => {
    const days = Number(request.body?.days)
    if (!isFromHere(request) || config.isHosted) return reply.callNotFound()
    if (!(days > 0 && days <= 4000)) return reply.code(400).send({ message: 'Say { "days": 1 } to 4000.' })
    await within((tx) => moveClock(tx, days * 86_400_000))
    const done = await runSandbox(database, new Date())
    await deliver()
    return { now: await within(async (_tx, now) => now.toISOString()), done }
  })
}

/** Says an event at our own door, as it would come from outside. */
export const postTo =
  (app: Pick<FastifyInstance, 'inject'>) =>
  async (payload: string, signature: string): Promise<boolean> => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    return (await app.inject({ method: 'POST', url: '/webhooks/payments', headers, payload })).statusCode === 200
  }

/** A newer payment page of the same customer was opened. */
class Closed extends Error {}

/** What became of a card that did not do, as the address of the page says it. */
const sayings = {
  no: 'Your bank was told no. Nothing was charged.',
  declined: 'The card was declined. Nothing was charged. Use another one.',
  unknown: 'Use one of the test cards below. Never type a real card here.',
  closed: 'A newer payment page was opened, so this one is closed. Nothing was charged here.',
}
type Said = keyof typeof sayings | 'asks'

/** Takes a card from a form and does something with it; null when it is done. */
const withCard = async (
  body: Record<string, string> | null,
  work: (card: Extract<ReturnType<typeof readCard>, { card: unknown }>['card']) => Promise<void>,
): Promise<Said | null> => {
  if (body?.answer === 'no') return 'no'
  const isConfirmed = body?.answer === 'yes'
  const read = readCard(isConfirmed ? askingCard : (body?.number ?? ''), isConfirmed)
  if ('refused' in read) return read.refused
  try {
    await work(read.card)
    return null
  } catch (error) {
    if (error instanceof Closed) return 'closed'
    if (error instanceof PaymentRefused) return 'declined'
    throw error
  }
}

const askingCard = Object.entries(testCards).find(([, card]) => 'asks' in card)![0]

const checkoutView = async (tx: Tx, id: string) => {
  const session = await findObject(tx, 'checkout.session', id)
  if (!session) return null
  const { planId, quantity, percentOff, subscriptionId } = session.body
  const plan = await soldPlan(tx, planId)
  return {
    session,
    plan,
    price: periodPrice({ price: plan.price, quantity, percentOff }),
    isPaid: subscriptionId !== null,
  }
}

const checkoutBody = (
  { session, plan, price, isPaid }: NonNullable<Awaited<ReturnType<typeof checkoutView>>>,
  said: unknown,
): string => {
  const { quantity, percentOff, backUrl, doneUrl, isClosed } = session.body
  if (isPaid) return `<p>This plan is paid.</p><p><a href="${escapeHtml(doneUrl)}">Go to my plan</a></p>`
  if (isClosed)
    return `<p role="alert">${sayings.closed}</p><p><a href="${escapeHtml(backUrl)}">Back to the plans</a></p>`
  const terms = [quantity > 1 ? `${quantity} seats` : '', percentOff > 0 ? `${percentOff}% off` : ''].filter(Boolean)
  return `<p class="sum"><strong>${escapeHtml(plan.product)}</strong><br>
    ${money(price, plan.currency)} ${plan.interval === 'year' ? 'a year' : 'a month'}${terms.length > 0 ? ` (${terms.join(', ')})` : ''}</p>
    ${cardForm('Pay', said)}<p><a href="${escapeHtml(backUrl)}">Back, without paying</a></p>`
}

const portalView = async (tx: Tx, id: string) => {
  const portal = await findObject(tx, 'portal', id)
  const customer = portal && (await findObject(tx, 'customer', portal.customerId!))
  if (!portal || !customer) return null
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

const portalStep = async (tx: Tx, customerId: string, step: string, id: string, now: Date): Promise<void> => {
  const subscription = await lockObject(tx, 'subscription', id)
  if (subscription?.customerId !== customerId || subscription.body.status === 'canceled') return
  if (step !== 'end' && step !== 'keep') return
  subscription.body.endsAtPeriodEnd = step === 'end'
  const due = subscription.body.status === 'active' ? new Date(subscription.body.periodEnd) : now
  await saveObject(tx, subscription, due)
  await addEvent(tx, 'customer.subscription.updated', id, now)
}

const portalBody = (
  { portal, customer, subscriptions, charges, invoices }: NonNullable<Awaited<ReturnType<typeof portalView>>>,
  said: unknown,
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
    <h2>Card</h2><p>${card ? cardWords(card) : 'No card yet.'}</p>${cardForm('Use this card', said, 'card')}
    <h2>Invoices and receipts</h2>${list.length > 0 ? `<ul>${list.join('')}</ul>` : '<p>Nothing yet.</p>'}
    <p><a href="${escapeHtml(portal.body.backUrl)}">Back to my panel</a></p>`
}

const invoiceBody = ({ createdAt, body }: SandboxObject<'invoice'>): string =>
  `<dl><dt>For</dt><dd>${escapeHtml(body.description)}</dd><dt>Amount</dt><dd>${money(body.price, body.currency)}</dd>${creditWords(body.credit, body.currency)}
   <dt>Date</dt><dd>${dateOf(createdAt)}</dd><dt>State</dt><dd>${body.status}</dd></dl>
   ${body.status === 'open' ? '<form method="post"><button>Pay this invoice</button></form>' : ''}`

const creditWords = (credit: number | undefined, currency: string): string =>
  credit === undefined || credit === 0 ? '' : `<dt>Paid by credit</dt><dd>${money(credit, currency)}</dd>`

const cardForm = (verb: string, said: unknown, what = 'pay'): string => {
  const hidden = `<input type="hidden" name="do" value="${what}">`
  if (said === 'asks')
    return `<form method="post">${hidden}
      <p role="alert">Your bank asks: is it you who pays?</p>
      <button name="answer" value="yes">Yes, it is me</button> <button name="answer" value="no" class="quiet">No</button></form>`
  const wrong = Object.entries(sayings).find(([name]) => name === said)?.[1]
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

const style = `
:root { color-scheme: light dark; --ink: #1c2733; --page: #f6f4ef; --card: #fff; --line: #8a8577; --link: #2340c8; --warn: #8a1f0c }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6df; --page: #14181d; --card: #1d232a; --line: #7d8894; --link: #9fb1ff; --warn: #ffab99 } }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page) }
header { padding: 12px 16px; background: #ffd94d; color: #1c2733; text-align: center; font-weight: 600 }
main { max-width: 520px; margin: 24px auto; padding: 0 16px 48px }
h1 { font-size: 26px } h2 { font-size: 19px; margin-top: 32px } a { color: var(--link) }
.sum { padding: 16px; background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: 12px 0 }
label { display: block; font-weight: 600; margin-top: 16px }
input:not([type=hidden]) { box-sizing: border-box; width: 100%; padding: 10px 12px; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; margin: 6px 0 12px }
button { padding: 10px 18px; min-height: 44px; font: inherit; font-weight: 600; color: #fff; background: #2647e0; border: 1px solid #2647e0; border-radius: 6px; cursor: pointer }
button.quiet { color: inherit; background: none; border-color: var(--line) }
[role=alert] { color: var(--warn); font-weight: 600; margin: 6px 0 } ul { padding-left: 20px; overflow-wrap: anywhere } dt { font-weight: 600 } dd { margin: 0 0 8px }
details { margin-top: 16px } summary { padding: 6px 0; cursor: pointer }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
`

const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} · Sandbox</title><meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width"><style>${style}</style></head><body><header>Sandbox: no money moves here. Never type a real card.</header>
<main><h1>${title}</h1>${body}</main></body></html>`
