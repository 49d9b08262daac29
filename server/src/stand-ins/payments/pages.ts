import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Tx } from '../../kernel/database.ts'
import type { Config } from '../../kernel/config.ts'
import { PaymentRefused, type Payments } from '../../outside/payments/payments.ts'
import { begin, changeCard, payInvoice, renews, runSandbox } from './billing.ts'
import { readCard, testCards } from './cards.ts'
import { moveClock, oneAtATime, sandboxNow } from './clock.ts'
import { deliverEvents, addEvent } from './events.ts'
import { findObject, lockObject, saveObject } from './objects.ts'
import { pageOf, style } from './page-frame.ts'
import {
  checkoutBody,
  checkoutView,
  invoiceBody,
  portalBody,
  portalView,
  receiptBody,
  type CardProblem,
} from './views.ts'
import { allowStyle } from '../../kernel/headers.ts'
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
  // What is not delivered now, because the server stops, is by the next sweep: the page is answered either way.
  const deliver = () =>
    deliverEvents(database, postTo(app)).catch((error: unknown) => app.log.warn({ err: error }, 'payment events wait'))
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
    Querystring: { problem?: unknown }
    Body: Record<string, string> | null
  }>
  const within = <T>(work: (tx: Tx, now: Date) => Promise<T>): Promise<T> =>
    database.asSystem(async (tx) => {
      await oneAtATime(tx)
      return work(tx, await sandboxNow(tx, new Date()))
    })

  app.get('/sandbox/checkout/:id', async ({ params: { id }, query }: Asked, reply) => {
    const shown = await within((tx) => checkoutView(tx, id))
    return shown ? page(reply, 'Pay for your plan', checkoutBody(shown, query.problem)) : gone(reply)
  })
  app.post('/sandbox/checkout/:id', async ({ params: { id }, body }: Asked, reply) => {
    const shown = await within((tx) => checkoutView(tx, id))
    if (!shown) return gone(reply)
    const { session, isPaid } = shown
    if (!isPaid) {
      const problem = await withCard(body, (card) =>
        within(async (tx, now) => {
          const open = await lockObject(tx, 'checkout.session', id)
          if (!open || open.body.subscriptionId !== null) return
          if (open.body.isClosed) throw new Closed()
          const { planId, quantity, percentOff, amountOff = 0, months = null, couponId = null } = open.body
          const subscriptionId = id.replace(/^cs/, 'sub')
          await changeCard(tx, open.customerId!, card, now)
          const order = { planId, quantity, percentOff, amountOff, months, couponId }
          const whose = { id: subscriptionId, customerId: open.customerId! }
          await begin(tx, { ...order, ...whose, daysUntilDue: null }, now)
          await saveObject(tx, { ...open, body: { ...open.body, subscriptionId } })
          await addEvent(tx, 'checkout.session.completed', id, now)
        }),
      )
      if (problem !== null) return reply.redirect(`/sandbox/checkout/${id}?problem=${problem}`, 303)
    }
    await deliver()
    return reply.redirect(session.body.doneUrl, 303)
  })

  app.get('/sandbox/portal/:id', async ({ params: { id }, query }: Asked, reply) => {
    const shown = await within((tx) => portalView(tx, id))
    return shown ? page(reply, 'Card and invoices', portalBody(shown, query.problem)) : gone(reply)
  })
  app.post('/sandbox/portal/:id', async ({ params: { id }, body }: Asked, reply) => {
    const shown = await within((tx) => portalView(tx, id))
    if (!shown) return gone(reply)
    const { customer } = shown
    let problem: CardProblem | null = null
    if (body?.do === 'card')
      problem = await withCard(body, (card) => within((tx, now) => changeCard(tx, customer.id, card, now)))
    else await within((tx, now) => portalStep(tx, customer.id, body?.do ?? '', body?.what ?? '', now))
    await deliver()
    return reply.redirect(`/sandbox/portal/${id}${problem === null ? '' : `?problem=${problem}`}`, 303)
  })

  app.get('/sandbox/receipts/:id', async ({ params: { id } }: Asked, reply) => {
    const charge = await within((tx) => findObject(tx, 'charge', id))
    if (!charge) return gone(reply)
    return page(reply, charge.body.paid ? 'Receipt' : 'Not paid', receiptBody(charge))
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

/** Takes a card from a form and does something with it; null when it is done. */
const withCard = async (
  body: Record<string, string> | null,
  work: (card: Extract<ReturnType<typeof readCard>, { card: unknown }>['card']) => Promise<void>,
): Promise<CardProblem | null> => {
  if (body?.answer === 'no') return 'no'
  const isConfirmed = body?.answer === 'yes'
  const read = readCard(isConfirmed ? askingCard : (body?.number ?? ''), isConfirmed)
  if ('refused' in read) return read.refused
  try {
    await work(read.card)
    return null
  } catch (error) {
    if (error instanceof Closed) return 'closed'
    if (error instanceof PaymentRefused) return error.reason === 'payment.refused' ? 'used-up' : 'declined'
    throw error
  }
}

const askingCard = Object.entries(testCards).find(([, card]) => 'asks' in card)![0]

const portalStep = async (tx: Tx, customerId: string, step: string, id: string, now: Date): Promise<void> => {
  const subscription = await lockObject(tx, 'subscription', id)
  if (subscription?.customerId !== customerId || subscription.body.status === 'canceled') return
  if (step !== 'end' && step !== 'keep') return
  await renews(tx, subscription, step === 'keep', now)
}
