import { sql, type Database, type Reader, type Tx } from '../kernel/database.ts'
import { PaymentRefused, payments, type Target } from '../outside/payments/payments.ts'
import type { SubscriptionRow } from './store.ts'

/**
 * While the invoice of a change is open, its plan and seats can go back to what was paid, and to nothing else: the invoice is void
 * then, and the period holds what it held. What was paid is noted before each change (`subscription.before_change`).
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

/** What a plan with an open invoice can go back to: not once more was used of it than that holds. As the service. */
export const wayBack = async (tx: Reader, { id }: Pick<SubscriptionRow, 'id'>): Promise<Before | null> =>
  (await tx.first(sql<Before>`
    with payer as (
      select o.id from subscription s join subscription o on o.user_id = s.user_id or o.tenant_id = s.tenant_id where s.id = ${id}),
    all_periods as (
      select sum(k.videos) as held, min(k.recorded_at) as since from subscription_period k where k.subscription_id in (select id from payer))
    select s.before_change->>'planId' as "planId", (s.before_change->>'quantity')::integer as quantity
    from subscription s join subscription_period p on p.subscription_id = s.id and p.starts = s.current_period_start
    cross join all_periods a
    where s.id = ${id} and s.owed_since is not null and (s.before_change->>'periodStart')::timestamptz = s.current_period_start
      and (s.before_change->>'planId', (s.before_change->>'quantity')::integer) <> (s.plan_id, s.quantity)
      and a.held - p.videos + (s.before_change->>'videos')::integer >= (
        select count(*) from project j where j.paid_by in (select id from payer) and j.used_at >= a.since)`)) ?? null

/** Goes back to what was paid. Throws `PaymentRefused` where no invoice of the change is open any more. */
export const goBack = async (
  database: Database,
  { id, itemId, customerId, row }: { id: string; itemId: string; customerId: string; row: SubscriptionRow },
  to: Before,
  key: string,
): Promise<void> => {
  // Whoever reads it from now on keeps the period as it was.
  await database.asSystem((tx) =>
    tx.count(sql`update subscription set before_change = before_change || '{"isBack":true}' where id = ${row.id}`),
  )
  if (!(await payments().takeBack({ id, itemId, customerId }, to, key))) throw new PaymentRefused('subscription.owes')
}
