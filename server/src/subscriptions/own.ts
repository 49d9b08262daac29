import { refusal } from '@clear-to-post/contract/errors'
import { buysFor } from '@clear-to-post/domain/access'
import type { Caller, Database, Reader } from '../kernel/database.ts'
import { subscriptionOf } from './actions.ts'
import { owedExtra } from './extras-store.ts'
import { payerOf } from './paying.ts'
import { presentSubscription, type Viewer } from './present.ts'
import { productById, rightsOf, subscriptionPaidBy, type SubscriptionRow } from './store.ts'

/** The caller's subscription: what they pay themselves when it is all there is, else what counts for them. Throws `subscription.none`. */
export const readOwn = async (tx: Reader, caller: Caller, now: Date) => {
  const payer = payerOf(caller)
  const row = (await subscriptionOf(tx, caller.id, now)) ?? (payer ? await subscriptionPaidBy(tx, payer) : undefined)
  if (!row) throw refusal('subscription.none')
  const pays =
    payer !== null && (row.tenant_id === null ? payer.userId === row.user_id : payer.tenantId === row.tenant_id)
  const spareExtras = buysFor(caller) === 'themselves' ? ((await rightsOf(tx, caller.id))?.spare ?? 0) : null
  const shown = presentSubscription(row, (await productById(tx, row.product_id))!, {
    pays,
    spareExtras,
    owedExtra: spareExtras === null ? undefined : await owedExtra(tx, caller.id),
  })
  const beside = await besideOf(tx, caller.id, row, { pays: buysFor(caller) === 'themselves', spareExtras: null })
  return { ...shown, ...beside }
}

/**
 * What somebody pays themselves beside the company's plan that counts for them: to be ended or paused. It is not changed to
 * another one, which would count for nothing either.
 */
export const besideOf = async (tx: Reader, userId: string, counting: SubscriptionRow, viewer: Viewer) => {
  const row = counting.tenant_id === null ? undefined : await subscriptionPaidBy(tx, { userId })
  if (!row) return {}
  const shown = presentSubscription(row, (await productById(tx, row.product_id))!, viewer)
  return { paidBeside: { ...shown, actions: shown.actions?.filter((action) => action !== 'change') } }
}

/** The same after a change, in a transaction of its own. */
export const readOwnAfter = (database: Database, caller: Caller, now: Date) =>
  database.inTenant(caller, (tx) => readOwn(tx, caller, now))
