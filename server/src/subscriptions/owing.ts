import { sql, type Tx } from '../kernel/database.ts'

/**
 * Whether a charge c can have paid for a plan o, and not for a single video, or a later plan of the same payer that was undone. Where
 * nothing says what c was charged for, which was read before that was kept, it is of such a plan in the hour after that one began.
 */
const isOfPlan = sql`(not exists (select from extra_project x where x.charge_id = c.id) and not exists (
  select from subscription u where (u.user_id = o.user_id or u.tenant_id = o.tenant_id) and u.id <> o.id and u.status = 'canceled'
    and u.start_date > o.start_date and case when c.subscription_provider_id is null
      then c.created_at between u.start_date and u.start_date + interval '1 hour' else c.subscription_provider_id = u.provider_id end))`

/** A running period of a plan o begins here: its payments are not older. */
const periodBegins = sql`o.current_period_start - interval '1 minute'`

/** Charges c of the payer of a plan o that can have paid for it. */
const isPayersOf = sql`((c.user_id = o.user_id or c.tenant_id = o.tenant_id) and ${isOfPlan})`

/** What came out of a payment c to its payer's good: by changes of plan, or given back as credit. */
const cameToCredit = sql`(c.credited + (
  select coalesce(sum(r.amount), 0) from refund r where r.charge_id = c.id and r.kind = 'credit' and r.state = 'done'))`

/** What a period of a plan o on plan l is sold for. */
const periodPrice = sql`greatest(0, l.price * o.quantity * (1 - case when o.discount_ends <= o.current_period_start then 0 else o.percent_off end / 100)
  - case when o.discount_ends <= o.current_period_start then 0 else o.amount_off end)`

/**
 * What paid the running periods of a payer's plans: money, and credit, which is used up before any money is taken. Until a payment
 * of a period is heard of, it is what stands to its payer's good now. The last payment that was money for the most part left no credit: what
 * there is came out of payments of that one's period, or of later ones (`since`). Of what these put to their payer's good, as much is `lost`
 * as banks took back, less what the others can have given. Lost credit is used last: as much of it as stands there no more paid this
 * period, or those before it.
 */
const paidBy = ({ user_id, tenant_id }: Payer) => sql`
  select o.id, heard.money <= heard.credit as is_of_credit, since.at as since,
    2 * least(pays.credit, came.lost - pays.rest) >= pays.credit + pays.money and pays.credit > 0 as is_of_lost_credit
  from subscription o join plan l on l.id = o.plan_id,
    lateral (
      select coalesce(sum(c.price), 0) as money, coalesce(sum(c.credit), 0) as credit from charge c
      where ${isPayersOf} and (c.paid or c.status = 'open') and c.created_at >= ${periodBegins}) heard,
    lateral (
      select case when heard.money + heard.credit > 0 then 0 else least(o.credit, ${periodPrice}) end as expected) about,
    lateral (
      select heard.credit + about.expected as credit, o.credit - about.expected as rest,
        case when heard.money + heard.credit > 0 then heard.money else ${periodPrice} - about.expected end as money) pays,
    lateral (
      select coalesce(max(k.starts), max(last.at)) as at
      from (
        select c.created_at as at from charge c
        where ${isPayersOf} and c.paid and c.price > c.credit and c.created_at < ${periodBegins} order by c.created_at desc limit 1) last
      left join (subscription_period k join subscription x on x.id = k.subscription_id)
        on (x.user_id = o.user_id or x.tenant_id = o.tenant_id) and k.starts <= last.at + interval '1 minute') since,
    lateral (
      select least(coalesce(sum(c.price) filter (where c.created_at < ${periodBegins} and c.taken_back_at is not null), 0), sum(${cameToCredit})
        - coalesce(sum(c.price) filter (where c.created_at < ${periodBegins} and c.taken_back_at is null), 0)) as lost
      from charge c where ${isPayersOf} and c.paid and c.created_at >= since.at - interval '1 minute') came
  where o.user_id = ${user_id} or o.tenant_id = ${tenant_id}::uuid`

type Payer = { user_id: string | null; tenant_id: string | null }

/**
 * Notes at a payer's plans since when an invoice of theirs is open, not counting what was owed for an earlier plan, or since when they
 * know that the bank took a payment of the running period back wholly. Those before it count where credit out of them paid the
 * period for the most part: else they are credit, and nothing else. Where all of that stands already, nothing is written or locked.
 */
export const noteOwing = (tx: Tx, payer: Payer) =>
  tx.count(sql`
    with own as (${paidBy(payer)}),
    owed as (
      select o.id, min(case when c.paid then c.taken_back_at else c.created_at end) as since, coalesce(bool_or(c.paid), false) as is_back
      from subscription o join own on own.id = o.id
      left join charge c on (c.user_id = o.user_id or c.tenant_id = o.tenant_id) and (
        (not c.paid and c.status = 'open' and c.created_at >= o.start_date - interval '1 minute')
        or (c.paid and c.taken_back_at is not null and ${isOfPlan} and (c.created_at >= ${periodBegins}
          or (own.is_of_credit and c.created_at >= o.covered_since - interval '1 minute')
          or (own.is_of_lost_credit and c.created_at >= own.since - interval '1 minute'))))
      group by o.id)
    update subscription s set owed_since = owed.since, is_taken_back = owed.is_back from owed
    where s.id = owed.id and (s.owed_since, s.is_taken_back) is distinct from (owed.since, owed.is_back)`)
