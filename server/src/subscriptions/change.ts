import { sql, type Database, type Tx } from '../kernel/database.ts'
import { payments, type Target, type VideosUsed } from '../outside/payments/payments.ts'
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
 * provider, and notes what stands to its payer’s good by it: nobody gives that back once more. Throws as `payments().change` does.
 */
export const prepareChange = async (
  database: Database,
  { id, itemId, customerId, row }: { id: string; itemId: string; customerId: string; row: SubscriptionRow },
  to: Target,
  used: VideosUsed,
  key: string,
): Promise<() => Promise<void>> => {
  const running = { id, itemId, customerId }
  const { due } = await payments().previewChange(running, to, used)
  return async () => {
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
  const paid = await tx.rows(sql<{ id: string; left: number }>`
    select c.id, greatest(0, c.price + c.credit - c.credited - given_back(c.id))::integer as left from charge c
    where (c.user_id = ${row.user_id} or c.tenant_id = ${row.tenant_id}::uuid) and c.paid
      and not exists (select from extra_project x where x.charge_id = c.id)
    order by c.created_at desc, c.id desc limit 50 for no key update`)
  let rest = credit
  for (const { id, left } of paid) {
    const part = Math.min(left, rest)
    rest -= part
    if (part > 0) await tx.count(sql`update charge set credited = credited + ${part} where id = ${id}`)
  }
  // Somebody gave some of it back in the same moment: theirs is weighed against this (refunds.ts). Or what was paid last was not
  // heard of yet: then it takes this (`moveCredited`), also where it is the first one.
  if (rest === 0) return
  await tx.count(
    paid[0]
      ? sql`update charge set credited = credited + ${rest} where id = ${paid[0].id}`
      : sql`update subscription set credited_ahead = credited_ahead + ${rest} where id = ${row.id}`,
  )
}
