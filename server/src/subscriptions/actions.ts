import type { z } from 'zod'
import type { Subscription } from '@clear-to-post/contract/subscriptions'
import type { Standing } from '@clear-to-post/domain/plans'
import type { Tx } from '../db/tenant.ts'
import { presentSubscription } from './present.ts'
import { endSubscriptions, entitlementOf, productById, subscriptionsOfTenants, unknownProducts } from './store.ts'

/**
 * A person's standing right to submit: by the running subscription of their tenant, else by their own, else one free
 * project. The transaction's actor is the person, the service, or ADMIN or QA in reach; of anyone else they see no right.
 */
export const standingOf = async (tx: Tx, userId: string): Promise<Standing> => {
  const found = await entitlementOf(tx, userId)
  return { plan: found?.plan ?? null, freeProjectUsed: (found?.free_projects ?? 1) > 0 }
}

/** The running subscriptions of tenants, by tenant, as far as the transaction's actor may see them. */
export const tenantSubscriptions = async (
  tx: Tx,
  tenantIds: readonly string[],
): Promise<Map<string, z.input<typeof Subscription>>> => {
  const rows = await subscriptionsOfTenants(tx, tenantIds)
  const products = new Map<string, Awaited<ReturnType<typeof productById>>>()
  for (const { product_id } of rows)
    if (!products.has(product_id)) products.set(product_id, await productById(tx, product_id))
  return new Map(rows.map((row) => [row.tenant_id!, presentSubscription(row, products.get(row.product_id)!)]))
}

/** Those of these product and plan ids that do not exist. */
export const unknownOf = (tx: Tx, ids: { products: readonly string[]; plans: readonly string[] }): Promise<string[]> =>
  unknownProducts(tx, ids)

/** Ends whatever a person pays for themselves. Runs as the service. */
export const endOwnSubscriptions = async (tx: Tx, userId: string): Promise<void> => {
  await endSubscriptions(tx, userId)
}
