import { refusal } from '@clear-to-post/contract/errors'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import type { Reader, Tx } from '../db/tenant.ts'
import { on, type Mounted } from '../http/mount.ts'
import { presentProduct, presentSubscription } from './present.ts'
import {
  allowedProducts,
  personInReach,
  productById,
  productOnSale,
  productsOnSale,
  runningSubscription,
} from './store.ts'

/** What the public products call answers; the front page shows the same. */
export const onShelf = async (tx: Reader) => (await productsOnSale(tx)).map(presentProduct)

export const subscriptionsCalls: Mounted[] = [
  on(subscriptions.publicProducts, (_input, { tx }) => onShelf(tx)),
  on(subscriptions.publicProduct, async ({ params: { id } }, { tx }) => {
    const product = await productOnSale(tx, id)
    if (!product) throw refusal('product.not-found')
    return presentProduct(product)
  }),
  on(subscriptions.products, async (_input, { tx, caller }) => {
    const allowed = await allowedProducts(tx, caller.tenantId)
    const products = await productsOnSale(tx)
    return products.filter(({ id }) => allowed?.includes(id) ?? true).map(presentProduct)
  }),
  on(subscriptions.active, (_input, { tx, caller }) => running(tx, caller.id)),
  on(subscriptions.find, async ({ params: { userId } }, { tx, caller }) => {
    if (!(await personInReach(tx, caller, userId))) throw refusal('account.not-found')
    return running(tx, userId)
  }),
  // Nobody has been charged for anything yet: payments come with their own issue.
  on(subscriptions.charges, async () => []),
]

const running = async (tx: Tx, userId: string) => {
  const subscription = await runningSubscription(tx, userId)
  if (!subscription) throw refusal('subscription.none')
  return presentSubscription(subscription, (await productById(tx, subscription.product_id))!)
}
