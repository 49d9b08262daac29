import { Refusal, refusal } from '@clear-to-post/contract/errors'
import { betterOffer, discountAt, periodEnd, periodPrice, periodsOff, type Discount } from '@clear-to-post/domain/money'
import { monthIn } from '@clear-to-post/domain/calendar'
import { entitlement } from '@clear-to-post/domain/plans'
import type { Caller, Database, Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import type { OpenContext } from '../kernel/call.ts'
import {
  PaymentAway,
  PaymentRefused,
  payments,
  type ChangePreview,
  type TakenOff,
  type Target,
} from '../outside/payments/payments.ts'
import { factsOf, holdPlan, submitRightsOf } from './actions.ts'
import { prepareChange, readCovering } from './change.ts'
import { finishBack, goBack, wayBack, type Before } from './going-back.ts'
import { amountWords, syncFromProvider } from './mirror.ts'
import { discountOf, extraOf, offerFor, renewalPriceOf } from './present.ts'
import { asShown, requireShown, type Price } from './shown.ts'
import {
  claimExtra,
  extraDescription,
  failExtra,
  findExtra,
  isBuying,
  isPayingOther,
  owedExtra,
  type Extra,
} from './extras-store.ts'
import {
  addCustomer,
  beginChange,
  couponsHad,
  endChange,
  goesAlong,
  hasOpenInvoice,
  offerOfTerms,
  payerRow,
  periodsOfDay,
  planById,
  productsOnSale,
  runningSubscriptions,
  subscriptionPaidBy,
  tenantTerms,
  videosUsed,
  type PayerRow,
  type ProductRow,
  type SubscriptionRow,
} from './store.ts'
import { buysFor } from '@clear-to-post/domain/access'

/**
 * What people do with the provider. A change reads the subscription there first. Each asks what the rules need in one
 * transaction, then the provider, and then reads the outcome from the provider; no transaction is open while it is asked. A repeat with the same request id does nothing twice:
 * the provider keeps the keys.
 */
type Context = Pick<OpenContext, 'database' | 'now' | 'requestId'> & { caller: Caller; origin: string }

/** Who pays for what the caller buys; null for who buys nothing. */
export const payerOf = (caller: Caller): { userId?: string; tenantId?: string } | null => {
  const whom = buysFor(caller)
  return whom === null ? null : whom === 'themselves' ? { userId: caller.id } : { tenantId: caller.tenantId! }
}

/** The address of the page on which the card is changed, invoices are read and the plan is ended. */
export const openPortal = async (context: Context): Promise<string> => {
  const payer = await asCaller(context, (tx) => requirePayer(tx, context.caller))
  // Its plan ends, and would be kept there.
  if (!payer.is_active) throw refusal('tenant.switched-off')
  return asking(async () => payments().portal(await customerOf(context, payer), `${context.origin}/panel/plan`))
}

/**
 * The address of the page on which the plan is paid; of a company that is invoiced by e-mail, the plan's own page. Here as with all
 * else that costs something, `shown` is what whoever pressed was shown: throws `price.changed` where it costs more.
 */
export const openCheckout = async (
  context: Context,
  { planId, shown }: { planId: string; shown?: Price | undefined },
): Promise<string> => {
  const { caller, database, now, origin } = context
  const { payer, order } = await asCaller(context, async (tx) => {
    const payer = await requirePayer(tx, caller)
    const { order, price } = await orderOf(tx, caller, payer, planId)
    if (!payer.is_active) throw refusal('tenant.switched-off')
    if (await subscriptionPaidBy(tx, whoOf(payer))) throw refusal('subscription.running')
    // Whoever is invoiced has used what they have not paid yet: the next plan is no credit on top of it.
    if (payer.by_mail && (await hasOpenInvoice(tx, payer.tenant_id!)))
      throw refusal(
        'subscription.owes',
        'An invoice of an earlier plan is open. Pay it first: its page is in the list of payments.',
      )
    if (payer.user_id !== null && entitlement((await runningSubscriptions(tx, caller.id)).map(factsOf), now))
      throw refusal('subscription.of-company')
    requireShown(shown, price)
    return { payer, order }
  })
  return asking(async () => {
    const customerId = await customerOf(context, payer)
    const done = `${origin}/panel/plan?bought=yes`
    if (payer.by_mail) {
      const key = keyOf(context, `by-mail ${planId}`)
      await syncFromProvider(
        database,
        await payments().subscribeByMail({ ...order, customerId, daysUntilDue: 14, key }),
      )
      return done
    }
    const backUrl = `${origin}/panel/plans?plan=${encodeURIComponent(planId)}`
    return payments().checkout({
      ...order,
      customerId,
      doneUrl: done,
      backUrl,
      key: keyOf(context, `checkout ${planId}`),
    })
  })
}

/**
 * Buys one video beyond the plan; `forOwed`: pays for one that was used, and whose payment its bank took back, at what that one cost.
 * While one is owed, no other is sold. False while the provider has not said whether it was paid.
 */
export const buyExtra = async (
  context: Context,
  { shown, forOwed = false }: { shown?: Price | undefined; forOwed?: boolean | undefined } = {},
): Promise<boolean> => {
  const { caller, database, now, requestId } = context
  if (buysFor(caller) !== 'themselves') throw refusal('payment.not-for-you')
  const { payer, extra } = await asCaller(context, async (tx) => {
    const payer = await requirePayer(tx, caller)
    const rights = await submitRightsOf(tx, caller.id, now)
    // Its price is the running plan's, and counts in its period: no change of it comes between.
    await holdPlan(tx, rights, monthIn(now, 'UTC'), now)
    const counting = entitlement((await runningSubscriptions(tx, caller.id)).map(factsOf), now)?.row
    if (!counting) throw refusal('subscription.none')
    const owed = await owedExtra(tx, caller.id)
    const { id: subscriptionId, currency } = counting
    const what =
      forOwed && owed
        ? { subscriptionId: owed.subscription_id, price: owed.price, currency: owed.currency }
        : { subscriptionId, price: extraOf(counting), currency }
    const extra = await claimExtra(tx, { userId: caller.id, requestId, ...what })
    if (extra.state === 'started') await requireFor(tx, extra, forOwed, owed)
    requireShown(shown, { due: extra.price, currency: extra.currency })
    return { payer, extra }
  })
  if (extra.state === 'paid') return true
  if (extra.state === 'failed') throw refusal((extra.reason ?? 'payment.declined') as 'payment.declined')
  return asking(async () => {
    const customerId = await customerOf(context, payer)
    const { price, currency } = extra
    const purchase = { customerId, purchaseId: extra.id, price, currency, description: extraDescription }
    try {
      await syncFromProvider(database, await payments().buy(purchase))
    } catch (error) {
      if (error instanceof PaymentRefused) await settleRefused(database, customerId, extra, error.reason)
      throw error
    }
    return (await database.asSystem((tx) => findExtra(tx, extra.id)))?.state === 'paid'
  })
}

/** Throws where something is owed and this does not pay for it, and where nothing is owed that it would pay for. */
const requireFor = async (tx: Tx, extra: Extra, forOwed: boolean, owed: Awaited<ReturnType<typeof owedExtra>>) => {
  if (owed && !forOwed)
    throw refusal(
      'subscription.owes',
      `Your bank took back the ${amountWords(owed.price, owed.currency)} that you paid for a video which you used. Pay for it first, on the page of your plan; then you can buy more. If the bank is wrong, tell it that the payment was right, or write to us.`,
    )
  if (forOwed && (await isPayingOther(tx, extra)))
    throw refusal('subscription.changing', 'A video is being paid right now. Try again in a minute.')
  // The bank has returned it meanwhile, or it was paid.
  if (forOwed && !owed) throw refusal('price.changed', 'Nothing is owed any more. Nothing was charged.')
}

/** Charges nothing from the next period on. */
export const pausePlan = (context: Context) =>
  changing(context, 'pause', async ({ id, row }, key) => {
    requireQuiet(row)
    return () => payments().pause(id, row.current_period_end!, key)
  })

/** Goes on; a period that was paused through begins anew, and is charged. */
export const resumePlan = (context: Context, shown?: Price) =>
  changing(context, 'resume', async ({ id, row, payer }, key) => {
    const { paused_from: pausedFrom } = row
    if (pausedFrom === null) throw refusal('subscription.not-paused')
    if (payer.tenant_id !== null && (await asCaller(context, (tx) => hasOpenInvoice(tx, payer.tenant_id!))))
      throw refusal('subscription.owes', 'An invoice is open. Pay it first: its page is in the list of payments.')
    // The period that follows may begin while the provider is asked: in the last minute it counts as begun.
    const soon = new Date(Date.now() + (await payments().clockAhead()) + 60_000)
    const isAnew = soon >= pausedFrom
    const due = isAnew ? periodPrice({ ...row, ...discountAt(discountOf(row), soon) }) : 0
    requireShown(shown, { due, renewalPrice: renewalPriceOf(row), currency: row.currency })
    return () => payments().resume(id, isAnew, key)
  })

/** Another plan from now on, reckoned as of when it was shown. */
export const changePlan = (
  context: Context,
  { planId, shown }: { planId: string; shown?: (Price & { at: string }) | undefined },
) =>
  changing(context, `change to ${planId}`, async ({ id, itemId, customerId, row, payer, wentBack }, key) => {
    // Asked for before, and cut.
    if (wentBack?.planId === planId) return async () => {}
    const running = { id, itemId, customerId, row }
    const back = await wayBackTo(context, row, planId)
    requireQuiet(row, back)
    if (back) {
      requireShown(shown, await previewBack(context, row, back))
      return () => goBack(context.database, { id: row.id, providerId: id, itemId }, back, key)
    }
    if (row.plan_id === planId) throw refusal('plan.same')
    const ahead = await payments().clockAhead()
    const now = new Date(Date.now() + ahead)
    const { used, offer, plan } = await asCaller(context, async (tx) => {
      const { offer, plan, next } = await offerOfChange(tx, context.caller, { payer, row }, planId)
      if (await isBuying(tx, row))
        throw refusal('subscription.changing', 'A video is being paid right now. Try again in a minute.')
      // Whoever has submitted is counted, and nobody submits until the outcome is known.
      return { offer, plan, used: { ...(await videosUsed(tx, row, ahead)), next } }
    })
    const begun = await context.database.asSystem((tx) => periodsOfDay(tx, row.id))
    const at = asShown(shown && new Date(shown.at), now, begun)
    const to = { planId, quantity: Math.max(1, payer.seats), ...offer, at }
    return prepareChange(context.database, running, to, used, key, (preview) =>
      requireShown(shown, priceOfChange(row, { plan, ...to }, preview, now)),
    )
  })

/** The plan that was paid before, where this one is it and its change is not paid; null of every other. */
const wayBackTo = async ({ database }: Context, row: SubscriptionRow, planId: string): Promise<Before | null> => {
  const back = await database.asSystem((tx) => wayBack(tx, row))
  return back?.planId === planId && planId !== row.plan_id ? back : null
}

/** What another plan would cost, now and from then on. */
export const previewPlan = async (context: Context, planId: string) => {
  const ahead = await asking(() => payments().clockAhead())
  const found = await asCaller(context, (tx) => requireRunning(tx, context.caller))
  const back = await wayBackTo(context, found.row, planId)
  if (back) return previewBack(context, found.row, back)
  const { running, target, offer, used } = await asCaller(context, async (tx) => {
    const running = await requireRunning(tx, context.caller)
    requireQuiet(running.row)
    if (running.row.plan_id === planId) throw refusal('plan.same')
    const { offer, plan: target, next } = await offerOfChange(tx, context.caller, running, planId)
    return { running, target, offer, used: { ...(await videosUsed(tx, running.row, ahead)), next } }
  }).catch(unlessOwing(context, found.row))
  // Before the provider is asked: what ends with the first period is over when it renews.
  const at = new Date(Date.now() + ahead)
  const to = { planId, quantity: Math.max(1, running.payer.seats), ...offer, at }
  const preview = await asking(() =>
    payments().previewChange(running, to, used).catch(unlessOwing(context, running.row)),
  )
  const price = priceOfChange(running.row, { plan: target, ...to }, preview, at)
  const { credit, charge, renewsAt } = preview
  const { interval } = target
  return { credit, charge, ...price, interval, renewsAt: renewsAt.toISOString(), at: at.toISOString() }
}

/** What a change costs that begins at a moment: now, of it out of the payer's credit, and each period from then on. */
const priceOfChange = (
  row: SubscriptionRow,
  { plan, quantity, offer }: Target & { plan: ProductRow['plans'][number] },
  { due, currency, renewsAt }: ChangePreview,
  from: Date,
) => {
  const discount = offer === undefined ? discountOf(row) : offer === null ? nothingOff : discountFrom(offer, from)
  const renewalPrice = periodPrice({ price: plan.price, quantity, ...discountAt(discount, renewsAt) })
  return { due, fromCredit: Math.max(0, Math.min(due, row.credit)), renewalPrice, currency }
}

/** What was paid runs again: nothing is charged, and nothing comes back. */
const previewBack = async (context: Context, row: SubscriptionRow, back: Before) => {
  requireQuiet(row, back)
  const { price, currency, interval } = (await asCaller(context, (tx) => planById(tx, back.planId)))!
  const renewsAt = row.current_period_end!
  const renewalPrice = periodPrice({ price, quantity: back.quantity, ...discountAt(discountOf(row), renewsAt) })
  const nothing = { credit: 0, charge: 0, due: 0, fromCredit: 0 }
  const at = new Date().toISOString()
  return { ...nothing, currency, renewalPrice, interval, renewsAt: renewsAt.toISOString(), at }
}

const nothingOff: Discount = { percentOff: 0, amountOff: 0, ends: null }
const discountFrom = ({ percentOff, amountOff, months }: TakenOff, at: Date): Discount => ({
  percentOff,
  amountOff,
  ends: months === null ? null : periodEnd(at, 'month', months),
})

type Running = { id: string; itemId: string; customerId: string; row: SubscriptionRow; payer: PayerRow }

/**
 * One change of a plan at a time: what is read for one would be wrong for the next. `verb` says all of what is asked for:
 * the same request that asks for something else is another one. `key` names it to the provider. `prepare` asks what is needed to
 * know; what it answers does it, and of that alone the outcome may be unknown.
 */
const changing = async (
  context: Context,
  verb: string,
  prepare: (running: Running & { wentBack: Before | null }, key: string) => Promise<() => Promise<void>>,
): Promise<void> => {
  const key = keyOf(context, verb)
  const { kept, begun } = await asCaller(context, async (tx) => {
    const kept = await requireRunning(tx, context.caller)
    return { kept, begun: await beginChange(tx, kept.row.id, { by: key, now: new Date() }) }
  })
  if (begun === null) throw refusal('subscription.changing')
  let isUnknown = begun.isAgain
  try {
    await asking(async () => {
      // What we keep may be old: a period may have begun, or the plan ended, and its event be on the way.
      await syncFromProvider(context.database, { kind: 'subscription', id: kept.id })
      const wentBack = await finishBack(context.database, kept.row.id, key)
      const running = await asCaller(context, (tx) => requireRunning(tx, context.caller))
      if (running.id !== kept.id) throw refusal('subscription.none')
      await readCovering(context.database, running.row)
      const change = await prepare({ ...running, wentBack }, key).catch(unlessOwing(context, running.row))
      isUnknown = true
      await change().catch(unlessOwing(context, running.row))
      await syncFromProvider(context.database, { kind: 'subscription', id: running.id })
      isUnknown = false
    }).catch((error: unknown) => {
      // Refused by us or by the provider; what became of it is unknown otherwise, and the mark stays.
      if (error instanceof Refusal && error.code !== 'payment.unavailable') isUnknown = false
      throw error
    })
  } finally {
    if (!isUnknown) await context.database.asSystem((tx) => endChange(tx, kept.row.id, begun.until))
  }
}

const requirePayer = async (tx: Tx, caller: Caller): Promise<PayerRow> => {
  const who = payerOf(caller)
  if (!who) throw refusal('payment.not-for-you')
  const payer = await asService(tx, () => payerRow(tx, who))
  if (!payer) throw refusal('payment.not-for-you')
  return payer
}

const requireRunning = async (tx: Tx, caller: Caller): Promise<Running> => {
  const payer = await requirePayer(tx, caller)
  const row = await subscriptionPaidBy(tx, whoOf(payer))
  if (!payer.is_active) throw refusal('tenant.switched-off')
  if (!row) {
    const ofCompany = (await runningSubscriptions(tx, caller.id)).some(({ tenant_id }) => tenant_id !== null)
    throw refusal(ofCompany ? 'subscription.of-company' : 'subscription.none')
  }
  const { provider_id: id, item_id: itemId } = row
  if (id === null || itemId === null || payer.customer_id === null) throw refusal('subscription.by-hand')
  return { id, itemId, customerId: payer.customer_id, row, payer }
}

/** `back`: to what was paid before, also while the difference is owed. */
const requireQuiet = (row: SubscriptionRow, back: Before | null = null): void => {
  if (row.paused_from !== null) throw refusal('subscription.paused')
  if (row.ends_at !== null) throw refusal('subscription.ending')
  if (back) return
  if (row.status === 'active' || row.status === 'trialing') return
  throw row.days_until_due === null ? refusal('subscription.owes') : new PaymentRefused('subscription.owes')
}

/** What is ordered, at the best terms, and what that costs. Throws `plan.not-found` also for what the tenant does not allow. */
const orderOf = async (tx: Tx, caller: Caller, payer: PayerRow, planId: string) => {
  const { offer, plan, quantity } = await bestOffer(tx, caller, payer, planId)
  const { price, interval, currency } = plan
  const { couponId, percentOff, amountOff, months } = offer ?? { ...nothingOff, couponId: null, months: null }
  const due = periodPrice({ price, quantity, percentOff, amountOff })
  const isLonger = months === null || periodsOff(months, interval) > 1
  const renewalPrice = isLonger ? due : price * quantity
  return {
    order: { planId, quantity, couponId, percentOff, amountOff, months },
    price: { due, renewalPrice, currency },
  }
}

/**
 * What is taken off once a running plan is changed: the best of what the target's product and the company have to offer, and
 * of what is taken off already where that goes along. Empty: it stays as it is. `next`: the videos that a period holds then. Throws
 * as `orderOf` does.
 */
const offerOfChange = async (
  tx: Tx,
  caller: Caller,
  { payer, row }: Pick<Running, 'payer' | 'row'>,
  planId: string,
): Promise<{ offer: Pick<Target, 'offer'>; plan: ProductRow['plans'][number]; next: number }> => {
  const { product, plan, offer, quantity } = await bestOffer(tx, caller, payer, planId)
  const { price, currency } = plan
  const kept = (await goesAlong(tx, row.id, { productId: product.id, tenantId: caller.tenantId }))
    ? {
        percentOff: row.percent_off,
        amountOff: row.amount_off,
        currency: row.currency,
        months: row.discount_ends === null ? null : 1,
        couponId: null,
      }
    : null
  const next = plan.metadata.projectsPerMonth * (plan.interval === 'year' ? 12 : 1) * quantity
  const isKept = kept !== null && betterOffer({ price, quantity, currency }, kept, offer) === kept
  return { offer: isKept ? {} : { offer }, plan, next }
}

const bestOffer = async (tx: Tx, caller: Caller, payer: PayerRow, planId: string) => {
  const product = (await productsOnSale(tx)).find(({ plans }) => plans.some(({ id }) => id === planId))
  const terms = await tenantTerms(tx, caller.tenantId)
  if (!product || (terms?.allowed && !terms.allowed.includes(product.id))) throw refusal('plan.not-found')
  const plan = product.plans.find(({ id }) => id === planId)!
  const quantity = Math.max(1, payer.seats)
  const offer = offerFor(product, plan, offerOfTerms(terms), quantity, await couponsHad(tx, whoOf(payer)))
  return { product, plan, quantity, offer }
}

/** The payer as the provider knows them; made known when they are not. */
const customerOf = async ({ database }: Context, payer: PayerRow): Promise<string> => {
  if (payer.customer_id !== null) return payer.customer_id
  const who = whoOf(payer)
  const owner = 'userId' in who ? { userId: who.userId! } : { tenantId: who.tenantId! }
  const key = `customer ${payer.user_id ?? payer.tenant_id}`
  const id = await payments().createCustomer({ owner, name: payer.name, email: payer.email, key })
  await database.asSystem((tx) => addCustomer(tx, id, who))
  return id
}

// What a refused purchase left at the provider (a declined charge) is kept, too.
const settleRefused = async (database: Database, customerId: string, extra: Extra, reason: string) => {
  await database.asSystem((tx) => failExtra(tx, extra.id, reason))
  const found = await payments().findPurchase(customerId, extra.id)
  if (found) await syncFromProvider(database, found)
}

const whoOf = ({ user_id, tenant_id }: PayerRow) => (user_id !== null ? { userId: user_id } : { tenantId: tenant_id! })

const keyOf = ({ caller, requestId }: Context, verb: string): string => `${verb} ${caller.id} ${requestId}`

const asCaller = <T>({ database, caller }: Context, work: (tx: Tx) => Promise<T>): Promise<T> =>
  database.inTenant(caller, work)

/** The provider's answers as the contract's refusals. */
export const asking = async <T>(question: () => Promise<T>): Promise<T> => {
  try {
    return await question()
  } catch (error) {
    if (error instanceof PaymentRefused) throw refusalOf(error)
    if (error instanceof PaymentAway) throw refusal('payment.unavailable')
    throw error
  }
}

/** What somebody can do whose invoice is open, as it is for their plan. */
const unlessOwing =
  ({ database }: Context, row: SubscriptionRow) =>
  async (error: unknown): Promise<never> => {
    if (!(error instanceof PaymentRefused) || error.reason !== 'subscription.owes') throw error
    const { back, before } = await database.asSystem(async (tx) => {
      const back = await wayBack(tx, row)
      return { back, before: back && (await planById(tx, back.planId)) }
    })
    const instead =
      back === null || !before
        ? 'If it is a mistake, write to us.'
        : back.planId === row.plan_id
          ? 'Or write to us: with the seats that you had before, nothing of it is owed.'
          : `Or choose the plan that you had before (${before.name}, ${before.interval === 'year' ? 'yearly' : 'monthly'}): then nothing of it is owed.`
    throw refusal(
      'subscription.owes',
      `An invoice is open. Pay it first: its page is in the list of payments. ${instead}`,
    )
  }

const refusalOf = ({ reason, says }: PaymentRefused): Refusal =>
  says === undefined
    ? refusal(reason)
    : refusal(
        reason,
        `The payment service does not take this: ${says.words}`,
        says.field === null ? undefined : [{ path: says.field, message: says.words }],
      )
