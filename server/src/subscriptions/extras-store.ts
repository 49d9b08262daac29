import { sql, type Reader, type Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'

/** Videos that people buy by themselves, beside a plan or without one. */

/** How a payment of a single video is called, here and at the provider. */
export const extraDescription = 'One more video'

/** Whether a video is being bought at this plan's price, and nobody knows yet whether it was paid. */
export const isBuying = (tx: Tx, row: { id: string }): Promise<boolean> =>
  asService(
    tx,
    async () =>
      (await tx.first(sql`
        select from extra_project x where x.state = 'started' and ${isBoughtBeside(row)} limit 1`)) !== undefined,
  )

/** Videos x that were bought by themselves at a subscription's price, wherever their buyer is by now. */
export const isBoughtBeside = ({ id }: { id: string }) => sql`x.subscription_id = ${id}`

/** Whether a video x that is set aside is for one of this company; null: of none, or of any. */
const isFor = (tenantId: string | null) =>
  sql`(x.used_for is null or ${tenantId}::uuid is null or x.used_for = ${tenantId}::uuid)`

/** Videos bought by themselves that stand in each of these months, for a company. */
export const extrasUsed = (tx: Reader, userId: string, months: readonly string[], tenantId: string | null) =>
  tx.rows(sql<{ month: string; extras: number }>`
    select used_month as month, count(*)::integer as extras from extra_project x
    where user_id = ${userId} and used_month = any(${months as string[]}) and ${isFor(tenantId)} group by 1`)

/** Takes a spare one for a company's video of a month; false when none is left, however many ask at once. */
export const takeSpare = async (tx: Tx, userId: string, month: string, tenantId: string | null): Promise<boolean> =>
  (await tx.count(sql`
    update extra_project set used_month = ${month}, used_for = ${tenantId} where id = (
      select id from extra_project where user_id = ${userId} and state = 'paid' and used_month is null
      order by created_at, id limit 1 for update skip locked)`)) === 1

/** Gives one of a month back; first one whose payment went back, so that those which stay used are paid. */
export const freeUsed = (tx: Tx, userId: string, month: string, tenantId: string | null) =>
  tx.count(sql`
    update extra_project set used_month = null, used_for = null where id = (
      select id from extra_project x where user_id = ${userId} and used_month = ${month} and ${isFor(tenantId)}
      order by state = 'paid', created_at desc, id limit 1 for update)`)

/** How many stand in a month, for each company. */
export const usedFor = (tx: Reader, userId: string, month: string) =>
  tx.rows(sql<{ company: string | null; bought: number }>`
    select used_for as company, count(*)::integer as bought from extra_project
    where user_id = ${userId} and used_month = ${month} group by 1`)

/** Gives so many of a month back that are set aside for this company, or for none. */
export const freeUsedFor = (tx: Tx, userId: string, month: string, company: string | null, videos: number) =>
  tx.count(sql`
    update extra_project set used_month = null, used_for = null where id in (
      select id from extra_project where user_id = ${userId} and used_month = ${month}
        and used_for is not distinct from ${company}::uuid
      order by state = 'paid', created_at desc, id limit ${videos} for update)`)

export type Extra = {
  id: string
  user_id: string
  state: 'started' | 'paid' | 'failed'
  reason: string | null
  price: number
  currency: string
}

/** The columns of an Extra; `x` is the alias of extra_project. */
const extra = sql`x.id, x.user_id, x.state, x.reason, x.price, x.currency`

/** The purchase that this request asks for; the one it asked for before when it repeats itself. */
export const claimExtra = async (
  tx: Tx,
  of: { userId: string; requestId: string; subscriptionId: string | null; price: number; currency: string },
): Promise<Extra> => {
  const { userId, requestId, subscriptionId, price, currency } = of
  await tx.count(sql`
    insert into extra_project (user_id, request_id, subscription_id, price, currency)
    values (${userId}, ${requestId}, ${subscriptionId}, ${price}, ${currency}) on conflict do nothing`)
  return (await tx.first(sql<Extra>`
    select ${extra} from extra_project x where x.user_id = ${userId} and x.request_id = ${requestId}`))!
}

/** Whether a video x that was bought by itself and used is owed: its bank took its payment c back. */
const isOwed = sql`x.used_month is not null and c.taken_back_at is not null`

/** What a payer owes: how many videos, and of the oldest what it cost; undefined: nothing. */
export const owedExtra = (tx: Reader, userId: string) =>
  tx.first(sql<{ price: number; currency: string; subscription_id: string | null; videos: number }>`
    select x.price, x.currency, x.subscription_id, (count(*) over ())::integer as videos
    from extra_project x join charge c on c.id = x.charge_id
    where x.user_id = ${userId} and ${isOwed} order by x.created_at, x.id limit 1`)

/** Whether another purchase of this payer is on its way. */
export const isPayingOther = async (tx: Reader, { id, user_id }: Extra): Promise<boolean> =>
  (await tx.first(sql`
    select from extra_project x where x.user_id = ${user_id} and x.state = 'started' and x.id <> ${id} limit 1`)) !==
  undefined

/** A video that is paid stands where the oldest of its payer stood that is owed, which is used no more; where none is, it is spare. */
export const payOwed = (tx: Tx, id: string) =>
  tx.count(sql`
    with owed as (
      select x.id, x.used_month, x.used_for, coalesce(x.stands_since, x.created_at) as since from extra_project x join charge c on c.id = x.charge_id
      where x.user_id = (select user_id from extra_project where id = ${id}) and ${isOwed}
      order by x.created_at, x.id limit 1 for update of x),
    freed as (
      update extra_project set used_month = null, used_for = null where id in (select id from owed))
    update extra_project x set used_month = owed.used_month, used_for = owed.used_for, stands_since = owed.since from owed where x.id = ${id}`)

export const findExtra = (tx: Reader, id: string) =>
  tx.first(sql<Extra>`select ${extra} from extra_project x where x.id = ${id}`)

export const failExtra = (tx: Tx, id: string, reason: string) =>
  tx.count(sql`update extra_project set state = 'failed', reason = ${reason} where id = ${id} and state = 'started'`)

/** Purchases of which nobody knows what became of them. */
export const openExtras = (tx: Reader, before: Date) =>
  tx.rows(sql<Extra & { customer_id: string | null }>`
    select ${extra}, c.id as customer_id from extra_project x left join customer c on c.user_id = x.user_id
    where x.state = 'started' and x.created_at < ${before} order by x.created_at limit 100`)
