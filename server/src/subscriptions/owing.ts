import { sql, type Tx } from '../kernel/database.ts'

/** Whether a charge c can have paid for a plan o, and not for a single video, or a later plan of the same payer that was undone. */
const isOfPlan = sql`(not exists (select from extra_project x where x.charge_id = c.id) and not exists (
  select from subscription u where (u.user_id = o.user_id or u.tenant_id = o.tenant_id) and u.id <> o.id and u.status = 'canceled'
    and u.start_date > o.start_date and c.created_at between u.start_date and u.start_date + interval '1 hour'))`

/** A running period of a plan o begins here: its payments are not older. */
const periodBegins = sql`o.current_period_start - interval '1 minute'`

/**
 * Notes at a payer's plans since when an invoice of theirs is open, not counting what was owed for an earlier plan, or since when they
 * know that the bank took a payment of the running period back wholly. Those before it that cover it count where the period was
 * paid out of credit for the most part: else they are credit, and nothing else. Where all of that stands already, nothing is written or locked.
 */
export const noteOwing = (tx: Tx, { user_id, tenant_id }: { user_id: string | null; tenant_id: string | null }) =>
  tx.count(sql`
    with own as (
      select o.id, (
        select coalesce(sum(c.credit), 0) >= coalesce(sum(c.price), 0) from charge c
        where (c.user_id = o.user_id or c.tenant_id = o.tenant_id) and c.paid and c.created_at >= ${periodBegins} and ${isOfPlan}) as is_of_credit
      from subscription o where o.user_id = ${user_id} or o.tenant_id = ${tenant_id}::uuid),
    owed as (
      select o.id, min(case when c.paid then c.taken_back_at else c.created_at end) as since, coalesce(bool_or(c.paid), false) as is_back
      from subscription o join own on own.id = o.id
      left join charge c on (c.user_id = ${user_id} or c.tenant_id = ${tenant_id}::uuid) and (
        (not c.paid and c.status = 'open' and c.created_at >= o.start_date - interval '1 minute')
        or (c.paid and c.taken_back_at is not null and ${isOfPlan} and (c.created_at >= ${periodBegins}
          or (own.is_of_credit and c.created_at >= o.covered_since - interval '1 minute'))))
      group by o.id)
    update subscription s set owed_since = owed.since, is_taken_back = owed.is_back from owed
    where s.id = owed.id and (s.owed_since, s.is_taken_back) is distinct from (owed.since, owed.is_back)`)
