import type { z } from 'zod'
import type { PayersPlan, Payment } from '@clear-to-post/contract/subscriptions'
import { graceDays, graceEnd, nextStepOf } from '@clear-to-post/domain/plans'
import { isServiceAdmin } from '@clear-to-post/domain/roles'
import type { RawBuilder } from 'kysely'
import { sql, type Caller, type Reader } from '../kernel/database.ts'
import { isRunning, isSurplus } from '../kernel/entitled.ts'
import { paidInReach, staysFilter, tenantFilter } from '../kernel/tenancy.ts'
import { presentCharge, renewalPriceOf } from './present.ts'
import { chargeRow, type ChargeRow } from './store.ts'

type Parts = { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> }
type PayerColumns = { payer_id: string; payer_name: string; is_company: boolean }

const payerColumns = sql`coalesce(t.id, p.id) as payer_id, coalesce(t.name, p.name) as payer_name, t.id is not null as is_company`
const payerName = sql`coalesce(t.name, p.name)`

export type PaymentRow = PayerColumns &
  ChargeRow & {
    /** Something was paid by the same payer after it. */
    is_settled: boolean
    /** The payer's running plan; null without one. */
    plan_status: string | null
    period_start: Date | null
    owed_since: Date | null
    given_back: number
    credited: number
    /** Who paid was erased, here and at the provider: no later invoice uses a credit. */
    is_erased: boolean
    refunds: {
      kind: 'card' | 'credit'
      amount: number
      reason: string
      by: string
      state: 'waiting' | 'done' | 'refused'
      at: string
    }[]
  }

/** How the list's fields stand in SQL. A payment's id is no UUID: it has one of its own as a place in the list. */
export const paymentColumns = {
  columns: {
    created: sql`c.created_at`,
    price: sql`c.price`,
    payer: payerName,
    state: sql`case when c.status = 'refunded' then 'refunded' when c.paid then 'paid' when c.status in ('open', 'failed') then c.status
      else 'other' end`,
  },
  id: sql`md5(c.id)::uuid`,
}

/** Whether a payment c of somebody p is in the caller's reach; their own always is. */
const isPaymentSeen = (caller: Caller) => sql`${tenantFilter(caller, sql`coalesce(c.tenant_id, p.tenant_id)`)}
  and (c.user_id = ${caller.id} or ${paidInReach(caller)})`

/** Payments in the caller's reach: of companies and of their people. */
export const paymentSelect = (caller: Caller, { where, tail, keys }: Parts) =>
  sql<PaymentRow & { page_key: string; page_id: string }>`
    select ${paymentRow}, ${keys} from ${paymentFrom}
    where ${isPaymentSeen(caller)} and ${where} ${tail}`

export const paymentById = (tx: Reader, caller: Caller, id: string) =>
  tx.first(sql<PaymentRow>`
    select ${paymentRow} from ${paymentFrom}
    where c.id = ${id} and ${isPaymentSeen(caller)}`)

const paymentRow = sql`${chargeRow}, ${payerColumns}, s.status as plan_status, s.current_period_start as period_start, s.owed_since,
  exists (select from charge l where (l.user_id = c.user_id or l.tenant_id = c.tenant_id) and l.paid and l.created_at > c.created_at) as is_settled,
  given_back(c.id)::integer as given_back, c.credited, p.removed_at is not null as is_erased,
  coalesce((
    select json_agg(json_build_object('kind', r.kind, 'amount', r.amount, 'reason', r.reason, 'by', b.name, 'state', r.state,
                                      'at', r.created_at) order by r.created_at)
    from refund r left join person b on b.id = r.by_id where r.charge_id = c.id), '[]') as refunds`
const paymentFrom = sql`charge c left join person p on p.id = c.user_id left join tenant t on t.id = c.tenant_id
  left join lateral (
    select s.status, s.current_period_start, s.owed_since from subscription s
    where (s.user_id = c.user_id or s.tenant_id = c.tenant_id) and ${isRunning}
    order by ${isSurplus}, s.start_date desc, s.id limit 1) s on true`

export const presentPayment = (row: PaymentRow, viewer: Caller, now: Date): z.input<typeof Payment> => {
  const grace =
    row.plan_status !== null && (row.plan_status === 'past_due' || row.owed_since !== null)
      ? graceEnd({ status: row.plan_status, periodStart: row.period_start, owedSince: row.owed_since })
      : null
  const invoiceDue = new Date(row.created_at.getTime() + graceDays * 86_400_000)
  const left = leftOf(row)
  const step = nextStepOf(
    { paid: row.paid, status: row.status, isSettled: row.is_settled, planStatus: row.plan_status, invoiceDue },
    now,
  )
  const until = step === 'invoice-waits' ? invoiceDue : step === 'retrying' ? grace : null
  return {
    ...presentCharge(row),
    payer: payerOf(row),
    step,
    ...(until ? { until: until.toISOString() } : {}),
    refunds: row.refunds.map((one) => ({ ...one, at: new Date(one.at).toISOString() })),
    // Of a company's administrators the rows are hidden that are counted: they are told nothing.
    ...(isServiceAdmin(viewer) ? { left } : {}),
    ways: isServiceAdmin(viewer) && left > 0 ? waysOf(row) : [],
  }
}

/** What may still be given back of a payment: not what a change of plan has put to its payer’s good. */
export const leftOf = ({ paid, status, price, given_back, credited }: PaymentRow): number =>
  paid && status !== 'refunded' ? Math.max(0, price - given_back - credited) : 0

/** How it can go back. */
export const waysOf = (row: Pick<PaymentRow, 'payment_type' | 'is_erased'>): ('card' | 'credit')[] => [
  ...(isByCard(row) ? (['card'] as const) : []),
  ...(row.is_erased ? [] : (['credit'] as const)),
]

/** Whether it can go back the way that it came. */
export const isByCard = ({ payment_type }: Pick<PaymentRow, 'payment_type'>): boolean =>
  payment_type !== 'invoice' && payment_type !== 'credit'

export type PlanRow = PayerColumns & {
  id: string
  product: string
  interval: 'month' | 'year'
  state: 'running' | 'owing' | 'paused' | 'ending' | 'ended'
  quantity: number
  price: number
  percent_off: number
  amount_off: number
  discount_ends: Date | null
  currency: string
  start_date: Date
  current_period_end: Date | null
  current_period_start: Date | null
  ends_at: Date | null
  paused_from: Date | null
  owed_since: Date | null
  status: string
  is_by_hand: boolean
}

const planState = sql`case when not (${isRunning}) then 'ended' when s.status = 'past_due' or s.owed_since is not null then 'owing'
  when s.paused_from is not null then 'paused' when s.ends_at is not null then 'ending' else 'running' end`

export const planColumns = {
  columns: { started: sql`s.start_date`, payer: payerName, product: sql`d.name`, state: planState },
  id: sql`s.id`,
}

/** Plans of payers in the caller's reach: of what people paid themselves and has ended, what they had in the caller's company. */
export const planSelect = (caller: Caller, { where, tail, keys }: Parts) =>
  sql<PlanRow & { page_key: string; page_id: string }>`
    select s.id, d.name as product, l.interval, ${planState} as state, s.quantity, l.price, s.percent_off, s.amount_off, s.discount_ends, l.currency, s.start_date,
      s.current_period_start, s.current_period_end, s.ends_at, s.paused_from, s.owed_since, s.status,
      s.provider_id is null as is_by_hand, ${payerColumns}, ${keys}
    from subscription s join plan l on l.id = s.plan_id join product d on d.id = l.product_id
    left join person p on p.id = s.user_id left join tenant t on t.id = s.tenant_id
    where ${tenantFilter(caller, sql`coalesce(s.tenant_id, p.tenant_id)`)}
      and (s.user_id = ${caller.id} or ${isRunning} or ${staysFilter(caller, sql`s.tenant_id`, sql`s.user_id`, sql`s.start_date`, sql`coalesce(s.ends_at, s.current_period_end, s.start_date)`)}) and ${where} ${tail}`

export const presentPlan = (row: PlanRow): z.input<typeof PayersPlan> => {
  const { quantity, currency, interval, state } = row
  const until =
    state === 'owing'
      ? graceEnd({ status: row.status, periodStart: row.current_period_start, owedSince: row.owed_since })
      : state === 'paused'
        ? row.paused_from
        : state === 'ending' || state === 'ended'
          ? (row.ends_at ?? row.current_period_end)
          : row.current_period_end
  return {
    id: row.id,
    payer: payerOf(row),
    product: row.product,
    interval,
    state,
    quantity,
    renewalPrice: renewalPriceOf(row),
    currency,
    started: row.start_date.toISOString(),
    ...(until ? { until: until.toISOString() } : {}),
    isByHand: row.is_by_hand,
  }
}

const payerOf = ({ payer_id, payer_name, is_company }: PayerColumns) => ({
  id: payer_id,
  name: payer_name,
  isCompany: is_company,
})
