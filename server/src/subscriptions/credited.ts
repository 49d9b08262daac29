import { sql, type Tx } from '../kernel/database.ts'

/**
 * Out of which payments what changes of plan put to a payer's good came (decisions 782, 870, 881, 915): it is not given back by
 * hand besides. What is noted beyond a payment waits there for the next one.
 */

type Payer = { user_id: string | null; tenant_id: string | null }

/**
 * Notes an amount at the payments of a payer's plans, as far as each goes: those made by then, the latest first, then later ones.
 * What goes beyond them is noted at the first of them, too, or at the plan where no payment is known (`moveCredited`).
 */
export const spreadCredited = async (
  tx: Tx,
  { user_id, tenant_id }: Payer,
  amount: number,
  { subscriptionId, by = null }: { subscriptionId: string; by?: Date | null },
): Promise<void> => {
  const paid = await tx.rows(sql<{ id: string; left: number }>`
    select c.id, greatest(0, c.price + c.credit - c.credited - given_back(c.id))::integer as left from charge c
    where (c.user_id = ${user_id} or c.tenant_id = ${tenant_id}::uuid) and c.paid
      and not exists (select from extra_project x where x.charge_id = c.id)
    order by case when c.created_at > ${by}::timestamptz then c.created_at end nulls first, c.created_at desc, c.id desc
    limit 50 for no key update`)
  let rest = amount
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
      : sql`update subscription set credited_ahead = credited_ahead + ${rest} where id = ${subscriptionId}`,
  )
}

/**
 * A payment turned out to be a single video's, after it was heard of as if it were a plan's: what it took of a plan's credit goes
 * to the payments of the plan. Nobody keeps anything meanwhile.
 */
export const returnCredited = async (tx: Tx, chargeId: string): Promise<void> => {
  const taken = await tx.first(sql<Payer & { amount: number; created_at: Date; subscription_id: string }>`
    update charge c set credited = 0 where c.id = ${chargeId} and c.credited > 0
    returning c.user_id, c.tenant_id, old.credited as amount, c.created_at, (
      select s.id from subscription s where s.user_id = c.user_id or s.tenant_id = c.tenant_id
      order by s.start_date desc, s.id limit 1) as subscription_id`)
  if (taken)
    await spreadCredited(tx, taken, taken.amount, { subscriptionId: taken.subscription_id, by: taken.created_at })
}

/**
 * A plan's payment was heard of: what changes of plan credited beyond earlier ones, which was noted there while nobody knew of
 * this one, or at the plan where nobody knew of any, came out of it, too. Nobody keeps anything meanwhile.
 */
export const moveCredited = async (tx: Tx, chargeId: string): Promise<void> => {
  const own = sql`
    select c.id, c.user_id, c.tenant_id, greatest(0, c.price + c.credit - c.credited - given_back(c.id)) as room from charge c
    where c.id = ${chargeId} and not exists (select from extra_project x where x.charge_id = c.id)`
  await tx.count(sql`
    with own as (${own}),
    beyond as (
      select c.id, c.created_at, o.room, least(c.credited, c.credited + given_back(c.id) - c.price - c.credit) as much
      from own o join charge c on (c.user_id = o.user_id or c.tenant_id = o.tenant_id) and c.id <> o.id
      where c.paid and c.credited > 0 and c.credited + given_back(c.id) > c.price + c.credit),
    parts as (
      select id, greatest(0, least(much, room - sum(much) over (order by created_at desc, id desc) + much)) as part from beyond)
    update charge c set credited = c.credited + m.by
    from (select id, -part as by from parts union all select ${chargeId}, coalesce(sum(part), 0) from parts) m
    where c.id = m.id and m.by <> 0`)
  await tx.count(sql`
    with own as (${own}),
    ahead as (
      select s.id, o.room, s.credited_ahead as much, sum(s.credited_ahead) over (order by s.start_date desc, s.id) as until
      from own o join subscription s on s.user_id = o.user_id or s.tenant_id = o.tenant_id
      where s.credited_ahead > 0),
    taken as (
      update subscription s set credited_ahead = s.credited_ahead - greatest(0, least(a.much, a.room - a.until + a.much))
      from ahead a where s.id = a.id returning old.credited_ahead - new.credited_ahead as part)
    update charge c set credited = c.credited + t.part
    from (select sum(part) as part from taken) t where c.id = ${chargeId} and t.part > 0`)
}
