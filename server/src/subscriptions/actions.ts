import type { Standing } from '@clear-to-post/domain/plans'
import type { Tx } from '../db/tenant.ts'
import { entitlementOf } from './store.ts'

/**
 * A person's standing right to submit: by the running subscription of their tenant, else by their own, else one free
 * project. The transaction's actor is the person, the service, or ADMIN or QA in reach; of anyone else they see no right.
 */
export const standingOf = async (tx: Tx, userId: string): Promise<Standing> => {
  const found = await entitlementOf(tx, userId)
  return { plan: found?.plan ?? null, freeProjectUsed: (found?.free_projects ?? 1) > 0 }
}
