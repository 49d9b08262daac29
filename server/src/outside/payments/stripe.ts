import type Stripe from 'stripe'
import { eventOf } from './events.ts'
import { changeCounts, planChange, type Billed, type PeriodUse } from '@clear-to-post/domain/money'
import { isCounted, PaymentRefused, type Payments, type Snapshot, type Target, type VideosUsed } from './payments.ts'
import {
  classified,
  refusedIfInvalid,
  refusedInWords,
  unlessInvalid,
  unlessMissing,
  unlessRefunded,
} from './stripe-errors.ts'
import { catalogueOf } from './stripe-catalogue.ts'
import { chargeAndPurchase, failedRefundOf, hasFailed, wentBackSince, wholeInvoice } from './stripe-returned.ts'
import {
  couponOf,
  couponsOf,
  idOf,
  isTakenBack,
  mapped,
  moment,
  productOf,
  purchaseOf,
  subscriptionIn,
  subscriptionOf,
  subscriptionParts,
  theirs,
} from './stripe-snapshots.ts'

/** The version of Stripe's API that this adapter is written for; the SDK's types are this version's, too. */
const apiVersion = '2026-10-28.endive'

type Keys = { secretKey: string; webhookSecret: string; apiUrl: string | undefined }

/** Stripe, through its own SDK. `apiUrl` is another address of the API, for tests. */
export const stripe = ({ secretKey, webhookSecret, apiUrl }: Keys): Payments => {
  let opening: Promise<Stripe> | undefined
  // Loaded when it is first needed: half of the product's processes never do.
  const open = (): Promise<Stripe> =>
    (opening ??= import('stripe').then(({ default: Sdk }) => {
      const url = apiUrl === undefined ? null : new URL(apiUrl)
      return new Sdk(secretKey, {
        apiVersion,
        maxNetworkRetries: 2,
        timeout: 20_000,
        telemetry: false,
        ...(url ? { host: url.hostname, port: url.port, protocol: url.protocol === 'http:' ? 'http' : 'https' } : {}),
      })
    }))
  const ask = async <T>(question: (api: Stripe) => Promise<T>): Promise<T> =>
    question(await open()).catch((error: unknown) => {
      throw classified(error)
    })
  /** `ask` for somebody who waits for it: what Stripe finds invalid is refused in its words. */
  const askFor = <T>(question: (api: Stripe) => Promise<T>): Promise<T> => ask(question).catch(refusedInWords)

  const subscription = (id: string) =>
    ask((api) => api.subscriptions.retrieve(id, { expand: subscriptionParts })).then((one) => [
      ...couponsOf(one),
      subscriptionOf(one),
    ])

  // The part of a paid invoice that came out of the customer's balance goes back there; what a smaller plan put there is taken
  // out of it, as what was paid for it goes back, too. The mark finds it again when a repeat comes after Stripe has forgotten the key.
  const giveBack = async (id: string, customer: string, invoice: Stripe.Invoice, key: string): Promise<void> => {
    const used = (invoice.ending_balance ?? invoice.starting_balance) - invoice.starting_balance
    if (used === 0) return
    await ask(async (api) => {
      for await (const { metadata } of api.customers.listBalanceTransactions(customer, { limit: 100 }))
        if (metadata?.undone === id && metadata.invoice === invoice.id) return
      const { currency } = invoice
      const metadata = { undone: id, invoice: invoice.id }
      const back = { amount: -used, currency, description: 'A plan that was paid twice', metadata }
      await api.customers.createBalanceTransaction(customer, back, { idempotencyKey: `${key} balance ${invoice.id}` })
    })
  }

  const giveAllBack = async (id: string, customer: string, invoice: Stripe.Invoice, key: string): Promise<void> => {
    const paid = await ask((api) => api.invoicePayments.list({ invoice: invoice.id, status: 'paid', limit: 100 }))
    for (const { id: payment, payment: by } of paid.data) {
      const what = by.payment_intent ? { payment_intent: idOf(by.payment_intent)! } : { charge: idOf(by.charge)! }
      await ask((api) =>
        api.refunds.create({ ...what, reason: 'duplicate' }, { idempotencyKey: `${key} ${payment}` }),
      ).catch(unlessRefunded)
    }
    await giveBack(id, customer, invoice, key)
  }

  const readers: Record<string, (id: string) => Promise<(Snapshot | null)[]>> = {
    subscription,
    charge: (id) =>
      ask(async (api) => {
        const charge = await api.charges.retrieve(id)
        return chargeAndPurchase(api, charge)
      }),
    invoice: async (id) => {
      const invoice = await ask((api) => api.invoices.retrieve(id))
      const of = subscriptionIn(invoice)
      return [await ask((api) => wholeInvoice(api, invoice)), ...(of === null ? [] : await subscription(of))]
    },
    refund: async (id) => {
      const refund = await ask((api) => api.refunds.retrieve(id))
      const of = idOf(refund.charge)
      return [failedRefundOf(refund), ...(of === null ? [] : await readers['charge']!(of))]
    },
    dispute: async (id) => readers['charge']!(idOf((await ask((api) => api.disputes.retrieve(id))).charge)!),
    credit_note: async (id) => readers['invoice']!(idOf((await ask((api) => api.creditNotes.retrieve(id))).invoice)!),
    'checkout.session': async (id) => {
      const of = idOf((await ask((api) => api.checkout.sessions.retrieve(id))).subscription)
      return of === null ? [] : subscription(of)
    },
    payment_intent: async (id) => {
      const intent = await ask((api) => api.paymentIntents.retrieve(id, { expand: ['latest_charge'] }))
      const charge = intent.latest_charge
      const isRead = charge !== null && typeof charge !== 'string'
      const read = isRead ? await ask((api) => chargeAndPurchase(api, charge)) : []
      return read.some((one) => one?.kind === 'purchase') ? read : [purchaseOf(intent), ...read]
    },
    customer: (id) =>
      ask(async (api) => {
        const found: (Snapshot | null)[] = []
        const list = api.subscriptions.list({ customer: id, status: 'all', expand: inList(subscriptionParts) })
        for await (const one of list) found.push(subscriptionOf(one))
        return found
      }),
    product: (id) =>
      ask(async (api) => {
        const product = await api.products.retrieve(id)
        return [await productOf(api, product)]
      }),
    price: (id) =>
      ask(async (api) => {
        const { product } = await api.prices.retrieve(id, { expand: ['product'] })
        return typeof product === 'string' || product.deleted ? [] : [await productOf(api, product)]
      }),
    coupon: async (id) => {
      const coupon = await ask((api) => api.coupons.retrieve(id)).catch(unlessMissing)
      return [coupon === undefined ? { kind: 'gone-coupon', id } : couponOf(coupon)]
    },
  }

  return {
    kind: 'stripe',
    says: `Stripe, ${/^(sk|rk)_live_/.test(secretKey) ? 'live' : 'in test mode'}`,
    readEvent: (raw, signature, now) => eventOf(raw, signature, webhookSecret, now),
    createCustomer: async ({ owner, name, email, key }) =>
      (await askFor((api) => api.customers.create({ name, email, metadata: owner }, { idempotencyKey: key }))).id,
    // The empty word takes away what there is.
    updateCustomer: async (id, { name, email }) => {
      await ask((api) => api.customers.update(id, { name, email })).catch(unlessMissing)
    },
    checkout: async ({ customerId, planId, quantity, couponId, doneUrl, backUrl, key }) => {
      const session = await askFor((api) =>
        api.checkout.sessions.create(
          {
            mode: 'subscription',
            customer: customerId,
            line_items: [{ price: planId, quantity }],
            payment_method_collection: 'always',
            success_url: doneUrl,
            cancel_url: backUrl,
            ...(couponId === null
              ? {}
              : { discounts: [{ coupon: couponId }], subscription_data: { metadata: { coupon: couponId } } }),
          },
          { idempotencyKey: key },
        ),
      )
      await ask(async (api) => {
        const open = await api.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 })
        // The newest first: what comes after this one is older, also within the same second.
        const older = open.data.slice(open.data.findIndex(({ id }) => id === session.id) + 1)
        // One that was paid or closed meanwhile cannot be closed.
        for (const { id } of older) await api.checkout.sessions.expire(id).catch(unlessInvalid)
      })
      return session.url!
    },
    subscribeByMail: async ({ customerId, planId, quantity, couponId, daysUntilDue, key }) => {
      const { id } = await askFor((api) =>
        api.subscriptions.create(
          {
            customer: customerId,
            items: [{ price: planId, quantity }],
            collection_method: 'send_invoice',
            days_until_due: daysUntilDue,
            ...(couponId === null ? {} : { discounts: [{ coupon: couponId }], metadata: { coupon: couponId } }),
          },
          { idempotencyKey: key },
        ),
      )
      return { kind: 'subscription', id }
    },
    portal: async (customerId, backUrl) =>
      (await askFor((api) => api.billingPortal.sessions.create({ customer: customerId, return_url: backUrl }))).url,
    closePages: (customerId) =>
      ask(async (api) => {
        for await (const { id } of api.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 }))
          await api.checkout.sessions.expire(id).catch(unlessInvalid)
      }),
    buy: async ({ customerId, purchaseId, price, currency, description }) => {
      const method = await askFor(cardOnFile(customerId))
      if (method === null) throw new PaymentRefused('payment.no-card')
      const { id } = await askFor((api) =>
        api.paymentIntents.create(
          {
            amount: price,
            currency,
            customer: customerId,
            payment_method: method,
            description,
            metadata: { purchaseId },
            off_session: true,
            confirm: true,
          },
          { idempotencyKey: `purchase-${purchaseId}` },
        ),
      )
      return { kind: 'payment_intent', id }
    },
    findPurchase: (customerId, purchaseId) =>
      ask(async (api) => {
        for await (const { id, metadata } of api.paymentIntents.list({ customer: customerId, limit: 100 }))
          if (metadata.purchaseId === purchaseId) return { kind: 'payment_intent', id }
        return null
      }),
    pause: async (id, from, key) => {
      const ends = Math.floor(from.getTime() / 1000)
      const { items, pause_collection } = await askFor((api) => api.subscriptions.retrieve(id))
      if (items.data[0]?.current_period_end !== ends) {
        if (pause_collection !== null) return
        throw new PaymentRefused('subscription.changing')
      }
      const paused_from = String(ends)
      await askFor((api) =>
        api.subscriptions.update(
          id,
          { pause_collection: { behavior: 'void' }, metadata: { paused_from } },
          { idempotencyKey: key },
        ),
      )
    },
    resume: async (id, anew, key) => {
      // Goes on already: to begin its period anew would charge it twice.
      if ((await askFor((api) => api.subscriptions.retrieve(id))).pause_collection === null) return
      await askFor((api) =>
        api.subscriptions.update(
          id,
          {
            pause_collection: '',
            metadata: { paused_from: '' },
            // Without proration: what was voided while it was paused is owed by nobody.
            ...(anew
              ? {
                  billing_cycle_anchor: { type: 'now' },
                  proration_behavior: 'none',
                  // A card that does not pay leaves the plan paused.
                  payment_behavior: 'error_if_incomplete',
                }
              : {}),
          },
          { idempotencyKey: key },
        ),
      )
    },
    clockAhead: () => Promise.resolve(0),
    previewChange: async ({ id, itemId, customerId }, to, used) => {
      const { planId, quantity } = to
      const change = await askFor((api) => changeOf(api, id, to, used))
      // Stripe would show the next renewal: now nothing is settled.
      if (!change.restarts && change.proration.proration_behavior === 'none')
        return { credit: 0, charge: 0, due: 0, currency: change.currency, renewsAt: change.period.end }
      const invoice = await askFor((api) =>
        api.invoices.createPreview({
          customer: customerId,
          subscription: id,
          ...discountsOf(to),
          subscription_details: {
            items: [{ id: itemId, price: planId, quantity }],
            ...change.proration,
            ...(change.restarts ? { billing_cycle_anchor: { type: 'now' as const } } : {}),
          },
        }),
      )
      const amounts = invoice.lines.data.map(({ amount }) => amount)
      const charged = invoice.lines.data.filter(({ amount }) => amount > 0)
      const credit = -amounts.filter((amount) => amount < 0).reduce((sum, amount) => sum + amount, 0)
      const charge = charged.reduce((sum, { amount }) => sum + amount, 0)
      // More of the same interval is one difference: nothing of the old plan comes back.
      const isDifference = !change.restarts && charge >= credit
      return {
        credit: isDifference ? 0 : credit,
        charge: isDifference ? charge - credit : charge,
        due: invoice.total,
        currency: invoice.currency,
        renewsAt: moment(Math.max(invoice.period_end, ...charged.map(({ period }) => period.end))),
      }
    },
    change: async ({ id, itemId, from }, to, used, key) => {
      const { planId, quantity, offer } = to
      const { restarts, proration, runs } = await askFor((api) => changeOf(api, id, to, used))
      if (!isCounted(from, runs)) throw new PaymentRefused('subscription.changing')
      await askFor((api) =>
        api.subscriptions.update(
          id,
          {
            items: [{ id: itemId, price: planId, quantity }],
            ...proration,
            ...(restarts ? { billing_cycle_anchor: { type: 'now' } } : {}),
            ...discountsOf(to),
            ...(offer?.couponId ? { metadata: { coupon: offer.couponId } } : {}),
            // A difference that cannot be charged leaves the plan as it was.
            payment_behavior: 'error_if_incomplete',
          },
          { idempotencyKey: key },
        ),
      )
    },
    // What an invoice had taken of the balance, Stripe puts back by itself.
    voidOpen: async (id, key) => {
      const open = await askFor((api) => openInvoices(api, id))
      for (const invoice of open)
        await askFor((api) => api.invoices.voidInvoice(invoice, {}, { idempotencyKey: `${key} void ${invoice}` }))
      if (open[0] !== undefined) return open[0]
      const { latest_invoice: last } = await askFor((api) =>
        api.subscriptions.retrieve(id, { expand: ['latest_invoice'] }),
      )
      return last !== null && typeof last !== 'string' && last.status === 'void' ? last.id : null
    },
    putBack: async ({ id, itemId }, { planId, quantity, invoice }, key) => {
      const to = { items: [{ id: itemId, price: planId, quantity }], proration_behavior: 'none' as const }
      const metadata = { taken_back: invoice }
      await askFor((api) => api.subscriptions.update(id, { ...to, metadata }, { idempotencyKey: key }))
    },
    // The mark says that it was we, and no wish of the customer's.
    endWithPeriod: async (id) => {
      await ask(async (api) => {
        const { status, cancel_at_period_end, cancel_at } = await api.subscriptions.retrieve(id)
        if (status === 'canceled' || cancel_at_period_end || cancel_at !== null) return
        await api.subscriptions.update(id, { cancel_at_period_end: true, metadata: { ended_by: 'service' } })
      }).catch(unlessMissing)
    },
    goOn: async (id) => {
      await ask(async (api) => {
        const { status, metadata } = await api.subscriptions.retrieve(id)
        if (status === 'canceled' || !metadata['ended_by']) return
        await api.subscriptions.update(id, { cancel_at_period_end: false, metadata: { ended_by: '' } })
      }).catch(unlessMissing)
    },
    end: async (id, key) => {
      await ask((api) => api.subscriptions.cancel(id, {}, { idempotencyKey: key })).catch(unlessMissing)
    },
    runningOf: (customer) =>
      ask(async (api) => {
        const ids: string[] = []
        for await (const { id } of api.subscriptions.list({ customer, limit: 100 })) ids.push(id)
        return ids
      }),
    forgetCustomer: async (id) => {
      await ask((api) => api.customers.del(id)).catch(unlessMissing)
    },
    // All of its invoices: a seat more has one of its own. The end comes last: cut before it, what runs still is found, and undone,
    // once more.
    undo: async (id, key) => {
      const customer = idOf((await ask((api) => api.subscriptions.retrieve(id))).customer)!
      const invoices = await ask((api) =>
        api.invoices.list({ subscription: id, limit: 100 }).autoPagingToArray({ limit: 1000 }),
      )
      for (const invoice of invoices) {
        // What a voided invoice had taken of the customer's balance, Stripe puts back by itself.
        if (invoice.status === 'open')
          await ask((api) => api.invoices.voidInvoice(invoice.id, {}, { idempotencyKey: `${key} void ${invoice.id}` }))
        if (invoice.status === 'paid') await giveAllBack(id, customer, invoice, key)
      }
      await ask((api) => api.subscriptions.cancel(id, {}, { idempotencyKey: key })).catch(unlessMissing)
    },
    refund: async ({ chargeId, amount, refundId }) => {
      const made = await ask(async (api) => {
        const before = await refundsMarked(api, chargeId, refundId)
        const what = { charge: chargeId, amount, metadata: { refundId } }
        return (
          before.find((one) => !hasFailed(one)) ??
          before[0] ??
          (await api.refunds.create(what, { idempotencyKey: `refund ${refundId}` }))
        )
      }).catch(refusedIfInvalid)
      // Asked again with the same key, Stripe would answer with the same failed one.
      if (hasFailed(made)) throw new PaymentRefused('payment.declined')
    },
    credit: async ({ customerId, amount, currency, refundId }) => {
      await ask(async (api) => {
        if (await isCredited(api, customerId, refundId)) return
        const what = { amount: -amount, currency, description: 'A credit', metadata: { refundId } }
        await api.customers.createBalanceTransaction(customerId, what, { idempotencyKey: `credit ${refundId}` })
      }).catch(refusedIfInvalid)
    },
    isGiven: ({ refundId, ...at }) =>
      ask(async (api) =>
        'chargeId' in at
          ? (await refundsMarked(api, at.chargeId, refundId)).length > 0
          : isCredited(api, at.customerId, refundId),
      ).catch(refusedIfInvalid),
    ...catalogueOf(ask),
    read: async ({ kind, id }) =>
      ((await readers[kind]?.(id).catch(unlessMissing)) ?? []).filter((one) => one !== null),
    everything: async function* (since) {
      const api = await open()
      const created = { gte: Math.floor(since.getTime() / 1000) }
      yield* mapped(api.coupons.list({ limit: 100 }), couponOf)
      for await (const product of api.products.list({ limit: 100 })) {
        const one = await productOf(api, product)
        if (one) yield one
      }
      const all = { status: 'all', limit: 100, expand: inList(subscriptionParts) } as const
      yield* mapped(api.subscriptions.list(all), subscriptionOf)
      yield* mapped(api.charges.list({ created, limit: 100 }), (one) => chargeAndPurchase(api, one))
      yield* mapped(api.invoices.list({ created, limit: 100 }), (one) => wholeInvoice(api, one))
      // What went back lately of anything older.
      for await (const refund of api.refunds.list({ created, limit: 100, expand: ['data.charge'] })) {
        const failed = failedRefundOf(refund)
        if (failed) yield failed
        yield* theirs(refund.charge, (one) => chargeAndPurchase(api, one))
      }
      for await (const { charge } of api.disputes.list({ created, limit: 100, expand: ['data.charge'] }))
        yield* theirs(charge, (one) => chargeAndPurchase(api, one))
      for await (const { invoice } of api.creditNotes.list({ created, limit: 100, expand: ['data.invoice'] }))
        yield* theirs(invoice, (one) => wholeInvoice(api, one))
    },
    missed: async function* (since) {
      const api = await open()
      const list = api.events.list({
        delivery_success: false,
        created: { gte: Math.floor(since.getTime() / 1000) },
        limit: 100,
      })
      for await (const { id, type, created, data } of list) {
        const about = data.object as { object?: string; id?: string }
        if (about.object !== undefined && about.id !== undefined)
          yield { id, type, about: { kind: about.object, id: about.id }, createdAt: moment(created) }
      }
    },
  }
}

// The empty word takes away what there is.
const discountsOf = ({ offer }: Target): { discounts?: { coupon: string }[] | '' } =>
  offer === undefined ? {} : { discounts: offer?.couponId ? [{ coupon: offer.couponId }] : '' }

const inList = (parts: readonly string[]) => parts.map((part) => `data.${part}`)

/**
 * How Stripe settles a change by our rule: its prorations, counted from the moment that the rule names. Where nothing is
 * left from then on, without any.
 */
const changeOf = async (api: Stripe, id: string, { planId, quantity, offer, at }: Target, used: VideosUsed) => {
  const [one, price] = await Promise.all([
    api.subscriptions.retrieve(id, { expand: subscriptionParts }),
    api.prices.retrieve(planId),
  ])
  const snapshot = subscriptionOf(one)
  const before = one.items.data[0]
  if (!snapshot || !before) throw new Error(`Subscription ${id} has no item to change`)
  const { percentOff, amountOff, pausedFrom, periodStart: start, periodEnd: end } = snapshot
  const from = billedOf(before.price, snapshot.quantity, { percentOff, amountOff })
  const off = offer === undefined ? { percentOff, amountOff } : (offer ?? { percentOff: 0, amountOff: 0 })
  const to = billedOf(price, quantity, { percentOff: off.percentOff, amountOff: off.amountOff })
  const invoice = typeof one.latest_invoice === 'string' ? null : one.latest_invoice
  const isAnother = before.price.id !== planId || snapshot.quantity !== quantity
  // A draft is open within the hour.
  if (isAnother && (invoice?.status === 'draft' || (await openInvoices(api, id)).length > 0))
    throw new PaymentRefused('subscription.owes')
  const isPaid =
    one.status === 'active' && invoice !== null && (invoice.status === 'paid' || isTakenBack(invoice, one.metadata))
  const payment: PeriodUse['payment'] = pausedFrom !== null && pausedFrom <= start ? 'paused' : isPaid ? 'paid' : 'owed'
  const period = { start, end }
  const back = used.credited + (payment === 'paid' ? await wentBackSince(api, id, start) : 0)
  const [now, use] = [at ?? new Date(), { ...used, payment, back }]
  const { restarts } = planChange(from, to, period, now, use)
  const counts = changeCounts(from, to, period, now, use)
  const isNone = counts >= end || (payment === 'paused' && !restarts)
  const proration = isNone
    ? { proration_behavior: 'none' as const }
    : { proration_behavior: 'always_invoice' as const, proration_date: Math.ceil(counts.getTime() / 1000) }
  return {
    restarts,
    period,
    currency: price.currency,
    proration,
    runs: { planId: before.price.id, periodStart: start },
  }
}

/** The newest first. */
const openInvoices = async (api: Stripe, subscription: string): Promise<string[]> => {
  const { data } = await api.invoices.list({ subscription, status: 'open', limit: 100 })
  return data.map(({ id }) => id)
}

const billedOf = (
  { unit_amount, recurring }: Stripe.Price,
  quantity: number,
  off: Pick<Billed, 'percentOff' | 'amountOff'>,
): Billed => ({
  price: unit_amount ?? 0,
  quantity,
  ...off,
  interval: recurring?.interval === 'year' ? 'year' : 'month',
})

const cardOnFile =
  (customerId: string) =>
  async (api: Stripe): Promise<string | null> => {
    const customer = await api.customers.retrieve(customerId)
    const chosen = customer.deleted ? null : idOf(customer.invoice_settings.default_payment_method)
    if (chosen !== null) return chosen
    const { data } = await api.paymentMethods.list({ customer: customerId, type: 'card', limit: 1 })
    return data[0]?.id ?? null
  }

// The marks find what was given when a repeat comes after Stripe has forgotten the key.
const refundsMarked = async (api: Stripe, charge: string, refundId: string): Promise<Stripe.Refund[]> => {
  const found: Stripe.Refund[] = []
  for await (const one of api.refunds.list({ charge, limit: 100 }))
    if (one.metadata?.refundId === refundId) found.push(one)
  return found
}
const isCredited = async (api: Stripe, customerId: string, refundId: string): Promise<boolean> => {
  for await (const { metadata } of api.customers.listBalanceTransactions(customerId, { limit: 100 }))
    if (metadata?.refundId === refundId) return true
  return false
}
