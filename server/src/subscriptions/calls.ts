import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { on, type Mounted } from '../http/mount.ts'
import { presentProduct } from './present.ts'
import { productsOnSale } from './store.ts'

export const subscriptionsCalls: Mounted[] = [
  on(subscriptions.publicProducts, async (_input, { tx }) => (await productsOnSale(tx)).map(presentProduct)),
]
