import { refusal } from '@clear-to-post/contract/errors'
import { buysFor } from '@clear-to-post/domain/access'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import type { Reader } from '../kernel/database.ts'
import { on, onOpen, type Mounted, type OpenContext } from '../kernel/call.ts'
import { subscriptionOf } from './actions.ts'
import { page } from '../kernel/page.ts'
import { giveBack } from './refunds.ts'
import {
  paymentById,
  paymentColumns,
  paymentSelect,
  planColumns,
  planSelect,
  presentPayment,
  presentPlan,
} from './overview.ts'
import { besideOf, readOwn, readOwnAfter } from './own.ts'
import {
  buyExtra,
  changePlan,
  openCheckout,
  openPortal,
  pausePlan,
  payerOf,
  previewPlan,
  resumePlan,
} from './paying.ts'
import { presentCharge, presentProduct, presentSubscription } from './present.ts'
import {
  chargesPaidBy,
  isTenant,
  couponsHad,
  offerOfTerms,
  personInReach,
  productById,
  productOnSale,
  productsOnSale,
  tenantTerms,
} from './store.ts'

/** What the public products call answers; the front page shows the same. */
export const listedProducts = async (tx: Reader) => (await productsOnSale(tx)).map((one) => presentProduct(one))

/** `publicUrl`: where the provider's pages lead back to. */
export const subscriptionsCalls = ({ publicUrl }: { publicUrl: string }): Mounted[] => {
  const asked = ({ database, caller, now, requestId }: OpenContext) => ({
    database,
    caller: caller!,
    now,
    requestId,
    origin: publicUrl,
  })
  const changed = async (context: OpenContext, change: Promise<void>) => {
    await change
    return readOwnAfter(context.database, context.caller!, context.now)
  }
  return [
    on(subscriptions.publicProducts, (_input, { tx }) => listedProducts(tx)),
    on(subscriptions.publicProduct, async ({ params: { id } }, { tx }) => {
      const product = await productOnSale(tx, id)
      if (!product) throw refusal('product.not-found')
      return presentProduct(product)
    }),
    on(subscriptions.products, async (_input, { tx, caller }) => {
      const terms = await tenantTerms(tx, caller.tenantId)
      const products = await productsOnSale(tx)
      const had = await couponsHad(tx, payerOf(caller))
      return products
        .filter(({ id }) => terms?.allowed?.includes(id) ?? true)
        .map((one) => presentProduct(one, offerOfTerms(terms), buysFor(caller) === 'company' ? terms?.seats : 1, had))
    }),
    on(subscriptions.active, (_input, { tx, caller, now }) => readOwn(tx, caller, now)),
    on(subscriptions.find, async ({ params: { userId } }, { tx, caller, now }) => {
      if (!(await personInReach(tx, caller, userId))) throw refusal('account.not-found')
      const row = await subscriptionOf(tx, userId, now)
      if (!row) throw refusal('subscription.none')
      const viewer = { pays: false, looksAfter: true, spareExtras: null }
      const shown = presentSubscription(row, (await productById(tx, row.product_id))!, viewer)
      return { ...shown, ...(await besideOf(tx, userId, row, viewer)) }
    }),
    on(subscriptions.charges, async (_input, { tx, caller }) => {
      const payer = payerOf(caller)
      return payer ? (await chargesPaidBy(tx, caller, payer)).map(presentCharge) : []
    }),
    on(subscriptions.chargesOf, async ({ params: { payerId } }, { tx, caller }) => {
      if (payerId === caller.tenantId || (caller.tenantId === null && (await isTenant(tx, payerId))))
        return (await chargesPaidBy(tx, caller, { tenantId: payerId })).map(presentCharge)
      if (!(await personInReach(tx, caller, payerId))) throw refusal('account.not-found')
      return (await chargesPaidBy(tx, caller, { userId: payerId })).map(presentCharge)
    }),
    on(subscriptions.payments, async ({ query }, { tx, caller, now }) => {
      const { rows, nextCursor } = await page(tx, subscriptions.payments.page, paymentColumns, query, (parts) =>
        paymentSelect(caller, parts),
      )
      return { items: rows.map((row) => presentPayment(row, caller, now)), nextCursor }
    }),
    on(subscriptions.plans, async ({ query }, { tx, caller }) => {
      const { rows, nextCursor } = await page(tx, subscriptions.plans.page, planColumns, query, (parts) =>
        planSelect(caller, parts),
      )
      return { items: rows.map(presentPlan), nextCursor }
    }),
    on(subscriptions.giveBack, async ({ params: { chargeId }, body }, { tx, caller, now }) => {
      await giveBack(tx, caller, chargeId, body)
      return presentPayment((await paymentById(tx, caller, chargeId))!, caller, now)
    }),
    onOpen(subscriptions.portal, async (_input, context) => ({ url: await openPortal(asked(context)) })),
    onOpen(subscriptions.checkout, async ({ body }, context) => ({
      url: await openCheckout(asked(context), body),
    })),
    onOpen(subscriptions.charge, async ({ body }, context) => ({
      success: await buyExtra(asked(context), body),
    })),
    onOpen(subscriptions.pause, (_input, context) => changed(context, pausePlan(asked(context)))),
    onOpen(subscriptions.resume, ({ body }, context) => changed(context, resumePlan(asked(context), body?.shown))),
    onOpen(subscriptions.previewPlan, ({ query }, context) => previewPlan(asked(context), query.planId)),
    onOpen(subscriptions.updatePlan, ({ body }, context) => changed(context, changePlan(asked(context), body))),
  ]
}
