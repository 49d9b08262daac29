import type { Database } from '../kernel/database.ts'
import { payments, type Target, type VideosUsed } from '../outside/payments/payments.ts'
import { countedFor, noteCredited, type SubscriptionRow } from './store.ts'

/**
 * Changes a plan at the provider, for which `used` was counted, and notes what stands to its payer’s good by it: nobody gives that
 * back once more. Throws as `payments().change` does.
 */
export const changeAtProvider = async (
  database: Database,
  { id, itemId, customerId, row }: { id: string; itemId: string; customerId: string; row: SubscriptionRow },
  to: Target,
  used: VideosUsed,
  key: string,
): Promise<void> => {
  const running = { id, itemId, customerId }
  const { due } = await payments().previewChange(running, to, used)
  await payments().change({ ...running, from: countedFor(row) }, to, used, key)
  if (due < 0) await database.asSystem((tx) => noteCredited(tx, row, { credit: -due, by: key }))
}
