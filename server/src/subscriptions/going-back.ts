import { sql, type Database, type Reader, type Tx } from '../kernel/database.ts'
import { PaymentAway, PaymentRefused, payments, type Target } from '../outside/payments/payments.ts'
import { syncFromProvider } from './mirror.ts'
import { beginChange, endChange, type SubscriptionRow } from './store.ts'

/**
 * While the invoice of a change is open, its plan and seats can go back to what was paid, and to nothing else: the invoice is void
 * then, and the period holds what it held. What was paid is noted before each change (`subscription.before_change`).
 *
 * That is two calls to the provider. The invoice is void first: in the other order it could be paid in between, for nothing. That a
 * plan goes back is noted before the first one (`goesBack`), and it is no more that of anything else until both are done: whoever
 * changes it next does the rest first, and so does a task each minute.
 */
export type Before = Required<Pick<Target, 'planId' | 'quantity'>>

/** Notes what a plan has and holds, of which nothing is owed. One whose discount changes with it has no way back. */
export const noteBefore = (tx: Tx, row: SubscriptionRow, { offer }: Target) => {
  const staysDiscounted = offer === undefined || (offer === null && row.percent_off === 0 && row.amount_off === 0)
  return tx.count(sql`
    update subscription s set before_change = (
      select jsonb_build_object('planId', ${row.plan_id}::text, 'quantity', ${row.quantity}::integer, 'periodStart', p.starts,
        'videos', p.videos, 'most', p.most_a_month)
      from subscription_period p
      where p.subscription_id = s.id and p.starts = ${row.current_period_start} and ${staysDiscounted})
    where s.id = ${row.id}`)
}

/**
 * What a plan can go back to whose last invoice is open, or was made void by other hands, which pays for nothing: to no more than it
 * holds, not once more was used of it than that holds, and to another plan only while it is sold, as the provider takes no other. As
 * the service.
 */
export const wayBack = async (tx: Reader, { id }: Pick<SubscriptionRow, 'id'>): Promise<Before | null> =>
  (await tx.first(sql<Before>`
    with payer as (
      select o.id from subscription s join subscription o on o.user_id = s.user_id or o.tenant_id = s.tenant_id where s.id = ${id}),
    all_periods as (
      select sum(k.videos) as held, min(k.recorded_at) as since from subscription_period k where k.subscription_id in (select id from payer))
    select s.before_change->>'planId' as "planId", (s.before_change->>'quantity')::integer as quantity
    from subscription s join subscription_period p on p.subscription_id = s.id and p.starts = s.current_period_start
    cross join all_periods a
    where s.id = ${id} and ${lastIsNotPaid} and p.videos >= (s.before_change->>'videos')::integer
      and (s.before_change->>'periodStart')::timestamptz = s.current_period_start
      and (s.before_change->>'planId', (s.before_change->>'quantity')::integer) <> (s.plan_id, s.quantity)
      and (s.before_change->>'planId' = s.plan_id or exists (
        select from plan b join product o on o.id = b.product_id where b.id = s.before_change->>'planId' and b.is_active and o.is_active))
      and a.held - p.videos + (s.before_change->>'videos')::integer >= (
        select count(*) from project j where j.paid_by in (select id from payer) and j.used_at >= a.since)`)) ?? null

/** Whether what the payer of a plan s was billed last is an invoice that is open, or void. A card that was tried on it, and failed, bills nothing. */
const lastIsNotPaid = sql`(
  select c.status in ('open', 'void') from charge c where (c.user_id = s.user_id or c.tenant_id = s.tenant_id)
    and c.status <> 'failed' and not exists (select from extra_project x where x.charge_id = c.id)
  order by c.created_at desc, c.id desc limit 1)`

type Going = Pick<SubscriptionRow, 'id'> & { providerId: string; itemId: string }

/** Goes back to what was paid. Throws `PaymentRefused` where no invoice of the change is open any more. */
export const goBack = async (database: Database, plan: Going, to: Before, key: string): Promise<void> => {
  // Whoever reads it from now on keeps the period as it was.
  await database.asSystem((tx) => note(tx, plan, '{"isBack": true, "goesBack": true}'))
  await goOn(database, plan, to, key)
}

/** Both calls, wherever the last run was cut: each does nothing twice. */
const goOn = async (database: Database, plan: Going, to: Before, key: string): Promise<void> => {
  const { providerId: id, itemId } = plan
  const invoice = await payments()
    .voidOpen(id, key)
    .catch(async (error: unknown) => {
      if (error instanceof PaymentRefused) await stays(database, plan)
      throw error
    })
  if (invoice === null) {
    await stays(database, plan)
    throw new PaymentRefused('subscription.owes')
  }
  await payments().putBack({ id, itemId }, { ...to, invoice }, key)
  await database.asSystem((tx) => note(tx, plan, '{"goesBack": false}'))
}

/** It was paid meanwhile: the change stands. */
const stays = (database: Database, plan: Going) =>
  database.asSystem((tx) => note(tx, plan, '{"isBack": false, "goesBack": false}'))

const note = (tx: Tx, { id }: Going, what: string) =>
  tx.count(sql`update subscription set before_change = before_change || ${what}::jsonb where id = ${id}`)

/** Plans that are on their way back; one of them, or all. `isOver`: another period runs by now, or none. */
const goingBack = async (tx: Reader, id: string | null) => {
  const all = await tx.rows(sql<
    Before & { id: string; providerId: string | null; itemId: string | null; isOver: boolean }
  >`
    select s.id, s.provider_id as "providerId", s.item_id as "itemId", s.before_change->>'planId' as "planId",
      (s.before_change->>'quantity')::integer as quantity,
      s.status = 'canceled' or (s.before_change->>'periodStart')::timestamptz is distinct from s.current_period_start as "isOver"
    from subscription s where (s.before_change->>'goesBack')::boolean and (${id}::uuid is null or s.id = ${id}::uuid)`)
  return all.flatMap(({ providerId, itemId, ...plan }) =>
    providerId === null || itemId === null ? [] : [{ ...plan, providerId, itemId }],
  )
}

/**
 * Does what is left of a plan's way back that was cut. Answers the plan that it went to; null where it was on no way. As its only
 * change; it is read from the provider first, where another period may have begun.
 */
export const finishBack = async (database: Database, id: string, key: string): Promise<Before | null> => {
  const find = async () => (await database.asSystem((tx) => goingBack(tx, id)))[0]
  const cut = await find()
  if (cut) await syncFromProvider(database, { kind: 'subscription', id: cut.providerId })
  const plan = cut && (await find())
  if (!plan) return null
  if (plan.isOver) {
    await stays(database, plan)
    return null
  }
  const { planId, quantity } = plan
  await goOn(database, plan, { planId, quantity }, `${key} back`)
  await syncFromProvider(database, { kind: 'subscription', id: plan.providerId })
  return { planId, quantity }
}

/** Takes up again what was cut, until it is done. One that fails keeps none of the others waiting. */
export const finishAllBack = async (database: Database, now: Date): Promise<void> => {
  const failures: unknown[] = []
  for (const { id } of await database.asSystem((tx) => goingBack(tx, null))) {
    const begun = await database.asSystem((tx) => beginChange(tx, id, { by: `go back ${id}`, now }))
    // Somebody is at it.
    if (begun === null) continue
    try {
      await finishBack(database, id, `go back ${id} ${now.getTime()}`)
    } catch (error) {
      if (error instanceof PaymentAway) throw error
      failures.push(error)
    } finally {
      await database.asSystem((tx) => endChange(tx, id, begun.until))
    }
  }
  if (failures.length > 0) throw new Error(`${failures.length} plans did not go back`, { cause: failures[0] })
}
