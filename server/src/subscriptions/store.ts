import { hasDutySql } from '../kernel/domain-sql.ts'
import type { PlanMetadata } from '@clear-to-post/domain/plans'
import type { RawBuilder } from 'kysely'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import { isRunning, isSurplus } from '../kernel/entitled.ts'
import { asService, paidInReach, tenantFilter } from '../kernel/tenancy.ts'
import type { Counted, VideosUsed } from '../outside/payments/payments.ts'
import { isBoughtBeside } from './extras-store.ts'

export type ProductRow = {
  id: string
  name: string
  descriptions: { description: string; subtitle: string }
  metadata: { position: number; [key: string]: unknown }
  percent_off: number
  /** The coupon of its own that can be used now; null without one. */
  offer: OfferRow | null
  plans: { id: string; currency: string; price: number; interval: 'month' | 'year'; metadata: PlanMetadata }[]
}

/** What a coupon takes off. */
export type OfferRow = {
  coupon_id: string
  percent_off: number
  amount_off: number
  currency: string | null
  months: number | null
}

/** Whether a coupon c can be used. */
export const isUsable = sql`c.is_valid and (c.redeem_by is null or c.redeem_by > now()) and (c.most_uses is null or c.uses < c.most_uses)`

const offerParts = sql`coalesce(c.percent_off, 0)::double precision as percent_off, coalesce(c.amount_off, 0) as amount_off, c.currency, c.months`
const offerOfProduct = sql`(
  select json_build_object('coupon_id', c.id, 'percent_off', coalesce(c.percent_off, 0), 'amount_off', coalesce(c.amount_off, 0),
                           'currency', c.currency, 'months', c.months)
  from coupon c where c.id = p.metadata->>'coupon' and ${isUsable}) as offer`
// A coupon that nobody can use any more takes nothing off, whatever was read when it could be.
const percentOfProduct = sql`(case when p.metadata->>'coupon' is null then p.percent_off else coalesce((
  select c.percent_off from coupon c where c.id = p.metadata->>'coupon' and ${isUsable}), 0) end)::double precision as percent_off`

/** What we sell, ascending by the metadata's position, each product's plans by rank and price. */
export const productsOnSale = (tx: Reader) =>
  tx.rows(sql<ProductRow>`
    select p.id, p.name, p.descriptions, p.metadata, ${percentOfProduct}, ${offerOfProduct}, coalesce((
      select json_agg(json_build_object('id', l.id, 'currency', l.currency, 'price', l.price, 'interval', l.interval,
                                        'metadata', l.metadata)
                      order by (l.metadata->>'rank')::integer, l.price, l.id)
      from plan l where l.product_id = p.id and l.is_active), '[]') as plans
    from product p where p.is_active order by (p.metadata->>'position')::numeric, p.id`)

/** A plan, also one no longer sold. */
export const planById = (tx: Reader, id: string) =>
  tx.first(sql<{ name: string; price: number; currency: string; interval: 'month' | 'year' }>`
    select p.name, l.price, l.currency, l.interval from plan l join product p on p.id = l.product_id where l.id = ${id}`)

/** One product that is listed. */
export const productOnSale = async (tx: Reader, id: string) =>
  (await productsOnSale(tx)).find((product) => product.id === id)

export type SubscriptionRow = {
  id: string
  user_id: string | null
  tenant_id: string | null
  plan_id: string
  product_id: string
  status: string
  start_date: Date
  current_period_start: Date | null
  current_period_end: Date | null
  provider_id: string | null
  item_id: string | null
  quantity: number
  /** Since when payments cover the running period that were made before it; null: it was paid at its own start. */
  covered_since: Date | null
  paused_from: Date | null
  ends_at: Date | null
  /** Since when an invoice of the payer is open, or they know that their bank took a payment of the running period back. */
  owed_since: Date | null
  /** The latter. */
  is_taken_back: boolean
  days_until_due: number | null
  payment_method_id: string | null
  card_brand: string | null
  card_last4: string | null
  /** To the payer's good. */
  credit: number
  percent_off: number
  /** Beside the percent; both until a moment, null: for good. */
  amount_off: number
  discount_ends: Date | null
  reading: number
  /** The plan's. */
  price: number
  currency: string
  interval: 'month' | 'year'
  plan_metadata: PlanMetadata
  /** Paid although an earlier plan of the same payer runs: it will be undone. */
  is_surplus: boolean
}

const subscriptionRow = sql`s.id, s.user_id, s.tenant_id, s.plan_id, s.status, s.start_date, s.current_period_start, s.current_period_end,
  s.provider_id, s.item_id, s.quantity, s.covered_since, s.paused_from, s.ends_at, s.owed_since, s.is_taken_back, s.days_until_due, s.payment_method_id,
  s.card_brand, s.card_last4, s.credit, s.percent_off, s.amount_off, s.discount_ends, s.reading,
  l.product_id, l.price, l.currency, l.interval, l.metadata as plan_metadata, ${isSurplus} as is_surplus`

/**
 * How many videos of its running period a subscription has paid so far, and how many it holds. Those that its payer bought by
 * themselves at its price in that period count as paid by it; what a company's officers bought was their own money. `credited`: what of that period's payments was given back as credit, of which
 * the provider does not know for what, or is about to be given back; single videos are payments of their own. `stands`: what is
 * left of all payments that cover the period, where something of them went back.
 */
export const videosUsed = async (tx: Tx, row: SubscriptionRow, clockAhead: number): Promise<VideosUsed> =>
  asService(tx, async () => {
    // In a sandbox whose clock was moved, a period may begin in our future.
    const since = new Date((row.current_period_start?.getTime() ?? 0) - clockAhead)
    const { videos } = (await tx.first(sql<{ videos: number }>`
      select (
        (select count(*) from project where paid_by = ${row.id} and used_at >= ${since}) +
        (select count(*) from extra_project x
          where (x.state = 'paid' or x.used_month is not null) and coalesce(x.stands_since, x.created_at) >= ${since}
            and ${isBoughtBeside(row)}
            and x.user_id = ${row.user_id}::uuid)
      )::integer as videos`))!
    const { credited } = (await tx.first(sql<{ credited: number }>`
      select coalesce(sum(r.amount), 0)::integer as credited from refund r join charge c on c.id = r.charge_id
      where (c.user_id = ${row.user_id} or c.tenant_id = ${row.tenant_id}::uuid) and not exists (select from extra_project x where x.charge_id = c.id)
        and c.created_at >= ${row.current_period_start}::timestamptz - interval '1 minute'
        and (r.state = 'waiting' or (r.kind = 'credit' and r.state = 'done'))`))!
    const { back, stands } = (await tx.first(sql<{ back: number; stands: number }>`
      select coalesce(sum(given_back(c.id)), 0)::integer as back,
        coalesce(sum(c.price + c.credit - c.credited - given_back(c.id)), 0)::integer as stands
      from charge c where ${isCovering(row)}`))!
    const months = row.interval === 'year' ? 12 : 1
    return {
      credited,
      ...(back > 0 ? { stands } : {}),
      videos,
      of: row.plan_metadata.projectsPerMonth * months * row.quantity,
    }
  })

/** Payments c of a plan's payer that cover its running period. */
const isCovering = ({ user_id, tenant_id, covered_since, current_period_start }: SubscriptionRow) =>
  sql`(c.user_id = ${user_id} or c.tenant_id = ${tenant_id}::uuid) and c.paid
    and c.created_at >= ${covered_since ?? current_period_start}::timestamptz - interval '1 minute'
    and not exists (select from extra_project x where x.charge_id = c.id)`

/** Those of them that were made before the period. */
export const paymentsBefore = (tx: Reader, row: SubscriptionRow) =>
  tx.rows(sql<{ id: string; payment_type: string }>`
    select c.id, c.payment_type from charge c
    where ${isCovering(row)} and c.created_at < ${row.current_period_start}::timestamptz order by c.created_at desc, c.id desc limit 20`)

/** Until the transaction ends nobody else submits on this plan, or begins to change it. */
export const lockPlan = (tx: Tx, id: string) =>
  tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('plan ' || ${id}, 0))`)

/**
 * What a plan has paid for of a month, and the seats it pays for; `seats` is null for one's own plan. What was agreed by hand
 * pays for every seat of its company. `held`: the videos of all periods its payer paid since the first one that was kept, and
 * of a running one whose payment is about to be made, or is tried again; null without any. `most`: of a month of one of them, as far as it was paid. `used`:
 * those that entered the queue on them. A statement of its own, under the plan's lock.
 */
export const planUse = async (tx: Tx, id: string, month: string) =>
  (await tx.first(sql<{
    plan_id: string
    changing_until: Date | null
    seats: number | null
    paid: number
    paid_seats: number
    held: number | null
    most: number
    used: number
  }>`
    with payer as (
      select o.id from subscription s join subscription o on o.user_id = s.user_id or o.tenant_id = s.tenant_id where s.id = ${id})
    select s.plan_id, s.quantity as paid_seats,
      -- What goes back to what was paid is used by nobody meanwhile, however long that takes.
      greatest(s.changing_until, case when (s.before_change->>'goesBack')::boolean then now() + interval '1 minute' end) as changing_until,
      (select sum(p.videos)::integer from subscription_period p where p.subscription_id in (select id from payer))
        + case when s.status in ('active', 'trialing', 'past_due') and not exists (
            select from subscription_period k where k.subscription_id = s.id and k.starts = s.current_period_start)
          then ${videosHeld} else 0 end as held,
      (select coalesce(max(least(p.most_a_month, p.videos)), 0) from subscription_period p
        where p.subscription_id in (select id from payer)) as most,
      (select count(*)::integer from project p where p.paid_by in (select id from payer) and p.used_at >= (
        select min(recorded_at) from subscription_period p where p.subscription_id in (select id from payer))) as used,
      case when s.tenant_id is null then null when s.provider_id is null then greatest(s.quantity, t.total_users_allowed)
        else s.quantity end as seats,
      (select count(*)::integer from project p where p.paid_by = s.id and p.submit_month = ${month}) as paid
    from subscription s join plan l on l.id = s.plan_id left join tenant t on t.id = s.tenant_id where s.id = ${id}`))!

/** Videos that a period of subscription s on plan l holds over all its seats. */
const videosHeld = sql`((l.metadata->>'projectsPerMonth')::integer * case l.interval when 'year' then 12 else 1 end * s.quantity)`

/** And a month of it. */
const monthHeld = sql`((l.metadata->>'projectsPerMonth')::integer * s.quantity)`

/** Videos that entered the queue on a period p: since it began, by our clock, however much later it was paid and kept. */
const videosOfPeriod = sql`(select count(*)::integer from project j where j.paid_by = p.subscription_id and j.used_at >= p.recorded_at)`

/**
 * Keeps the running period of a subscription, where it is paid: it begins with the status that the last one had, and is charged an
 * hour later. Answers whether that is new. One that a change of plan ended early holds what was used of
 * it. One whose plan changed holds as many videos more or fewer as the change was paid or credited for: more for the months that
 * are left, the running one included; fewer for what is left from then on, or from where its used videos end. One
 * whose change was taken back holds what it held. A pause has periods, too, that nobody pays, and what is undone holds none.
 */
export const keepPeriod = async (tx: Tx, providerId: string, isCharged: boolean): Promise<boolean> => {
  await tx.count(sql`
    update subscription_period p set videos = least(p.videos, ${videosOfPeriod}), ends = s.current_period_start
    from subscription s
    where s.provider_id = ${providerId} and p.subscription_id = s.id
      and p.starts < s.current_period_start and p.ends > s.current_period_start`)
  if (!isCharged) return false
  const kept = await tx.first(sql<{ isNew: boolean }>`
    insert into subscription_period as p (subscription_id, starts, ends, videos, whole, most_a_month, recorded_at)
    select s.id, s.current_period_start, s.current_period_end, ${videosHeld}, ${videosHeld}, ${monthHeld}, coalesce(s.period_since, now())
    from subscription s join plan l on l.id = s.plan_id
    where s.provider_id = ${providerId} and s.status in ('active', 'trialing') and not ${isSurplus}
      and s.current_period_start is not null and s.current_period_end is not null
      and (s.paused_from is null or s.paused_from > s.current_period_start)
    on conflict (subscription_id, starts) do update set
      ends = excluded.ends, whole = excluded.whole,
      most_a_month = coalesce(${takenBack('most')}, greatest(p.most_a_month, excluded.most_a_month)),
      videos = coalesce(${takenBack('videos')}, p.videos + case when excluded.whole > p.whole then (excluded.whole - p.whole) * ${monthsLeft(sql`now()`)} / 12
        else floor((excluded.whole - p.whole) * (1 - ${partUsed}) + 0.001) end)
    returning old.starts is null as "isNew"`)
  return kept?.isNew === true
}

/** How many periods of a plan began within the last day; as the service. */
export const periodsOfDay = async (tx: Tx, id: string): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from subscription_period where subscription_id = ${id} and recorded_at > now() - interval '1 day'`))!
    .n

/** What a period p held before a change that was taken back; null of any other. */
const takenBack = (what: 'videos' | 'most') => sql`(
  select (s.before_change->>${what})::integer from subscription s
  where s.id = p.subscription_id and (s.before_change->>'isBack')::boolean
    and (s.before_change->>'periodStart')::timestamptz = p.starts
    and (s.before_change->>'planId', (s.before_change->>'quantity')::integer) = (s.plan_id, s.quantity))`

/**
 * Months of a period p that are not over at a moment, the running one included, as twelfths of it: all of a period of a month. They
 * begin where `periodEnd` says that they do, by which they are charged.
 */
export const monthsLeft = (at: RawBuilder<unknown>) => sql`case when p.ends < p.starts + interval '2 months' then 12
  else 12 - (select count(*)::integer from generate_series(1, 11) n
    where p.starts at time zone 'UTC' + n * interval '1 month' <= (${at}) at time zone 'UTC') end`

/** The part of a period p that is over, or that was used of its videos where this is more: nothing of it comes back. */
const partUsed = sql`least(1, greatest(extract(epoch from now() - p.starts) / extract(epoch from p.ends - p.starts),
  ${videosOfPeriod}::numeric / nullif(p.whole, 0), 0))`

/** How long a change of plan may take at the provider, with its repeats. */
const changeMs = 3 * 60_000

/**
 * Marks a plan as being changed, so that nobody submits on it and nobody else changes it until `endChange`, or until the
 * mark ends by itself. Answers when that is; null while another change is under way. `by` names the request: a repeat of
 * it goes on with its own mark.
 */
export const beginChange = (
  tx: Tx,
  id: string,
  { by, now }: { by: string; now: Date },
): Promise<{ until: Date; isAgain: boolean } | null> =>
  asService(tx, async () => {
    await lockPlan(tx, id)
    const until = new Date(now.getTime() + changeMs)
    const begun = await tx.first(sql<{ isAgain: boolean }>`
      update subscription set changing_until = ${until}, changing_by = ${by}
      where id = ${id} and (changing_until is null or changing_until <= ${now} or changing_by = ${by})
      returning old.changing_until is not null and old.changing_by = ${by} as "isAgain"`)
    return begun ? { until, ...begun } : null
  })

/** What `videosUsed` was counted for. */
export const countedFor = ({ plan_id: planId, current_period_start: periodStart }: SubscriptionRow): Counted => ({
  planId,
  periodStart,
})

/** Takes the mark away, unless another change has begun. */
export const endChange = (tx: Tx, id: string, until: Date) =>
  tx.count(
    sql`update subscription set changing_until = null, changing_by = null where id = ${id} and changing_until = ${until}`,
  )

/** What runs for a person: their own, and their active tenant's. Newest first; whether it entitles is another question. */
export const runningSubscriptions = (tx: Reader, userId: string) =>
  tx.rows(sql<SubscriptionRow>`
    select ${subscriptionRow} from person p
    join subscription s on s.user_id = p.id or s.tenant_id = (select t.id from tenant t where t.id = p.tenant_id and t.is_active)
    join plan l on l.id = s.plan_id
    where p.id = ${userId} and ${isRunning}
    order by s.start_date desc, s.id`)

/** Whether this company was sent an invoice that nobody has paid yet. */
export const hasOpenInvoice = async (tx: Reader, tenantId: string): Promise<boolean> =>
  (await tx.first(sql`select from charge where tenant_id = ${tenantId} and not paid and status = 'open' limit 1`)) !==
  undefined

/** The running subscription that this payer pays, locked when it is about to be changed. One that will be undone comes last. */
export const subscriptionPaidBy = (tx: Reader, { userId, tenantId }: { userId?: string; tenantId?: string }) =>
  tx.first(sql<SubscriptionRow>`
    select ${subscriptionRow} from subscription s join plan l on l.id = s.plan_id
    where ${userId === undefined ? sql`s.tenant_id = ${tenantId}` : sql`s.user_id = ${userId}`} and ${isRunning}
    order by ${isSurplus}, s.start_date desc, s.id limit 1`)

/**
 * What is paid although an earlier plan of the same payer runs: the provider's ids. Whoever paid on two pages at once, or
 * again before we heard of the first payment, has such a one. `of`: this payer's alone.
 */
export const surplusIds = async (
  tx: Reader,
  of?: { user_id: string | null; tenant_id: string | null },
): Promise<string[]> =>
  (
    await tx.rows(sql<{ provider_id: string }>`
      select s.provider_id from subscription s
      where ${isSurplus} and ${of ? sql`(s.user_id = ${of.user_id} or s.tenant_id = ${of.tenant_id}::uuid)` : sql`true`}`)
  ).map(({ provider_id }) => provider_id)

/** Companies that pay for another number of seats than they have, where nobody is about to change that. */
export const companiesWithOtherSeats = async (tx: Reader): Promise<string[]> =>
  (
    await tx.rows(sql<{ tenant_id: string }>`
      select distinct s.tenant_id from subscription s join tenant t on t.id = s.tenant_id
      where s.provider_id is not null and ${isRunning} and not ${isSurplus} and s.ends_at is null and t.is_active
        and s.quantity <> greatest(1, t.total_users_allowed) and not exists (
          select from pgboss.job j where j.name = 'seats' and j.state < 'completed' and j.data->>'tenantId' = t.id::text)`)
  ).map(({ tenant_id }) => tenant_id)

/** Who pays a subscription of the provider's, and what else runs for them. */
export const runningBeside = (tx: Reader, providerId: string) =>
  tx.rows(sql<{ provider_id: string; user_id: string | null; tenant_id: string | null }>`
    select s.provider_id, s.user_id, s.tenant_id from subscription one
    join subscription s on s.user_id = one.user_id or s.tenant_id = one.tenant_id
    where one.provider_id = ${providerId} and s.provider_id is not null and ${isRunning}`)

/**
 * A person's company and free project, their address where it is known to be theirs, and what they bought and did not use. Undefined:
 * nobody we may see.
 */
export const rightsOf = (tx: Reader, userId: string) =>
  tx.first(sql<{ tenant_id: string | null; free_projects: number; verified_email: string | null; spare: number }>`
    select p.tenant_id, p.free_projects, case when p.email_verified_at is not null then p.email end as verified_email, (
      select count(*)::integer from extra_project x where x.user_id = p.id and x.state = 'paid' and x.used_month is null) as spare
    from person p where p.id = ${userId}`)

export const isTenant = async (tx: Reader, id: string): Promise<boolean> =>
  (await tx.first(sql`select 1 from tenant where id = ${id}`)) !== undefined

/** A product with its plans, also one no longer sold: somebody may still have it. */
export const productById = (tx: Reader, id: string) =>
  tx.first(sql<ProductRow>`
    select p.id, p.name, p.descriptions, p.metadata, ${percentOfProduct}, ${offerOfProduct}, coalesce((
      select json_agg(json_build_object('id', l.id, 'currency', l.currency, 'price', l.price, 'interval', l.interval,
                                        'metadata', l.metadata))
      from plan l where l.product_id = p.id), '[]') as plans
    from product p where p.id = ${id}`)

/** What the caller's tenant lets its people choose (null: everything), and what its coupon takes off. */
export const tenantTerms = (tx: Reader, tenantId: string | null) =>
  tx.first(sql<
    { allowed: string[] | null; seats: number } & Omit<OfferRow, 'coupon_id'> & { coupon_id: string | null }
  >`
    select t.allowed_products as allowed, t.total_users_allowed as seats, c.id as coupon_id, ${offerParts}
    from tenant t left join coupon c on upper(c.id) = upper(t.default_coupon_code) and ${isUsable}
    where t.id = ${tenantId}::uuid`)

/** The offer of a company's terms; null where its coupon cannot be used, or it has none. */
export const offerOfTerms = (terms: Awaited<ReturnType<typeof tenantTerms>>): OfferRow | null =>
  terms && terms.coupon_id !== null ? { ...terms, coupon_id: terms.coupon_id } : null

/**
 * The coupons that a payer had already, by any subscription that came to be. Of some months, they are for each payer once
 * (decision 765). `whose`: nobody, where somebody buys nothing.
 */
export const couponsHad = async (
  tx: Reader,
  whose: { userId?: string; tenantId?: string } | null,
): Promise<ReadonlySet<string>> => {
  if (whose === null) return new Set()
  const rows = await tx.rows(sql<{ id: string }>`
    select distinct unnest(s.coupon_ids) as id from subscription s
    where (s.user_id = ${whose.userId ?? null}::uuid or s.tenant_id = ${whose.tenantId ?? null}::uuid)
      and s.status not in ('incomplete', 'incomplete_expired')`)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Whether what is taken off a running subscription goes along to a plan of a product: within its own product, and where it is
 * the coupon of that product or of the company. Which of its coupons it is, its terms say.
 */
export const goesAlong = async (
  tx: Reader,
  id: string,
  { productId, tenantId }: { productId: string; tenantId: string | null },
): Promise<boolean> =>
  (await tx.first(sql`
    select from subscription s join plan l on l.id = s.plan_id
    where s.id = ${id} and (s.percent_off > 0 or s.amount_off > 0) and (l.product_id = ${productId} or exists (
      select from coupon c where c.id = any(s.coupon_ids)
        and coalesce(c.percent_off, 0) = s.percent_off and coalesce(c.amount_off, 0) = s.amount_off
        and (c.id = (select p.metadata->>'coupon' from product p where p.id = ${productId})
          or upper(c.id) = (select upper(t.default_coupon_code) from tenant t where t.id = ${tenantId}::uuid))))`)) !==
  undefined

export const personInReach = async (tx: Reader, caller: Caller, userId: string): Promise<boolean> =>
  (await tx.first(
    sql`select 1 from person where id = ${userId} and not is_company and ${tenantFilter(caller, sql`tenant_id`)}`,
  )) !== undefined

/** One running subscription a tenant, the newest of those that will not be undone. */
export const subscriptionsOfTenants = (tx: Reader, tenantIds: readonly string[]) =>
  tx.rows(sql<SubscriptionRow>`
    select distinct on (s.tenant_id) ${subscriptionRow} from subscription s join plan l on l.id = s.plan_id
    where s.tenant_id = any(${tenantIds}::uuid[]) and ${isRunning}
    order by s.tenant_id, ${isSurplus}, s.start_date desc, s.id`)

export type ChargeRow = {
  id: string
  created_at: Date
  paid: boolean
  receipt_url: string
  status: string
  price: number
  credit: number
  currency: string
  payment_type: string
  last4: string | null
  brand: string | null
  description: string
  disputed: number
}

/** The columns of a `ChargeRow`, of the table `charge` as c. */
export const chargeRow = sql`c.id, c.created_at, c.paid, c.receipt_url, c.status, c.price, c.credit, c.currency, c.payment_type, c.last4, c.brand,
  c.description, c.disputed`

/** What a payer was charged, as the caller may see it, newest first; the last hundred. */
export const chargesPaidBy = (
  tx: Reader,
  caller: Caller,
  { userId, tenantId }: { userId?: string; tenantId?: string },
) =>
  tx.rows(sql<ChargeRow>`
    select ${chargeRow} from charge c
    where ${userId === undefined ? sql`c.tenant_id = ${tenantId}` : sql`c.user_id = ${userId}`}
      and ${userId === caller.id ? sql`true` : paidInReach(caller)}
    order by c.created_at desc, c.id limit 100`)

export const unknownProducts = async (
  tx: Tx,
  { products, plans }: { products: readonly string[]; plans: readonly string[] },
): Promise<string[]> =>
  (
    await tx.rows(sql<{ id: string }>`
      select g.id from unnest(${products}::text[]) as g (id) where not exists (select from product p where p.id = g.id)
      union all
      select g.id from unnest(${plans}::text[]) as g (id) where not exists (select from plan p where p.id = g.id)`)
  ).map(({ id }) => id)

/** Ends what a person pays for themselves; answers the provider's ids. */
export const endSubscriptions = (tx: Tx, userId: string) =>
  tx.rows(sql<{ provider_id: string | null }>`
    update subscription s set status = 'canceled', ends_at = least(ends_at, now()) where user_id = ${userId} and ${isRunning} returning provider_id`)

/** Whoever pays: a person by their id, or a tenant by its. */
export type PayerRow = {
  user_id: string | null
  tenant_id: string | null
  name: string
  email: string
  customer_id: string | null
  /** Of a tenant: the seats it pays for, and whether it is invoiced by e-mail. */
  seats: number
  by_mail: boolean
  /** Nobody has switched the company off, or shut the person out. */
  is_active: boolean
}

/** The address of a company t: its first ADMIN's of those who can sign in; empty without any. */
export const emailOfCompany = sql`coalesce((
  select a.email from person a where a.tenant_id = t.id and ${hasDutySql(sql`a.role`, 'administer')} and not a.is_disabled
  order by a.created_at, a.id limit 1), '')`

export const payerRow = (tx: Reader, { userId, tenantId }: { userId?: string; tenantId?: string }) =>
  userId === undefined
    ? tx.first(sql<PayerRow>`
        select null as user_id, t.id as tenant_id, t.name, c.id as customer_id, t.total_users_allowed as seats,
          t.charge_by_email as by_mail, t.is_active, ${emailOfCompany} as email
        from tenant t left join customer c on c.tenant_id = t.id where t.id = ${tenantId}`)
    : tx.first(sql<PayerRow>`
        select p.id as user_id, null as tenant_id, p.name, p.email, c.id as customer_id, 1 as seats, false as by_mail,
          not p.is_disabled and ${hasDutySql(sql`p.role`, 'film')} as is_active
        from person p left join customer c on c.user_id = p.id where p.id = ${userId}`)

/** Keeps who a customer of the provider's is; the first one stays. */
export const addCustomer = async (tx: Tx, id: string, who: { userId?: string; tenantId?: string }): Promise<void> => {
  await tx.count(sql`
    insert into customer (id, user_id, tenant_id) values (${id}, ${who.userId ?? null}, ${who.tenantId ?? null})
    on conflict do nothing`)
  if (who.userId !== undefined) await tx.count(sql`update person set customer_id = ${id} where id = ${who.userId}`)
}
