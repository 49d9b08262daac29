import { sql, type Database, type Tx } from '../kernel/database.ts'
import { payments, type ChangePreview, type Target, type VideosUsed } from '../outside/payments/payments.ts'
import { spreadCredited } from './credited.ts'
import { noteBefore } from './going-back.ts'
import { keepAlone, syncFromProvider } from './mirror.ts'
import { isByCard } from './overview.ts'
import { countedFor, paymentsBefore, type SubscriptionRow } from './store.ts'

/**
 * What of a plan's payments went back is read anew where they were made before its period: of the period's own, the provider says
 * it with each change.
 */
export const readCovering = async (database: Database, row: SubscriptionRow): Promise<void> => {
  if (row.covered_since === null) return
  for (const one of await database.asSystem((tx) => paymentsBefore(tx, row)))
    await syncFromProvider(database, { kind: isByCard(one) ? 'charge' : 'invoice', id: one.id })
}

/**
 * Asks what a change of plan comes to, for which `used` was counted; nothing is changed yet. What it answers changes the plan at the
 * provider, and notes what stands to its payer’s good by it: nobody gives that back once more. `agree` looks at what it comes to,
 * and throws where that is not what was asked for. Throws as `payments().change` does.
 */
export const prepareChange = async (
  database: Database,
  { id, itemId, customerId, row }: { id: string; itemId: string; customerId: string; row: SubscriptionRow },
  to: Target,
  used: VideosUsed,
  key: string,
  agree: (preview: ChangePreview) => void = () => {},
): Promise<() => Promise<void>> => {
  const running = { id, itemId, customerId }
  const preview = await payments().previewChange(running, to, used)
  agree(preview)
  const { due } = preview
  return async () => {
    await database.asSystem((tx) => noteBefore(tx, row, to))
    await payments().change({ ...running, from: countedFor(row) }, to, used, key)
    if (due < 0) await database.asSystem((tx) => noteCredited(tx, row, { credit: -due, by: key }))
  }
}

/**
 * A change of plan has put this much to its payer's good: it came out of what was paid, with what they had to the good before, the
 * latest first; it is not given back by hand besides. `by` names the change: the same one is noted once.
 */
export const noteCredited = async (
  tx: Tx,
  row: SubscriptionRow,
  { credit, by }: { credit: number; by: string },
): Promise<void> => {
  // A payment that is heard of meanwhile is among those below, or takes what is noted here beyond them.
  await keepAlone(tx)
  const isNew = await tx.count(sql`
    update subscription set credited_by = ${by} where id = ${row.id} and credited_by is distinct from ${by}`)
  if (isNew === 0) return
  await spreadCredited(tx, row, credit, { subscriptionId: row.id })
}
