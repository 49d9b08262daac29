import type { CallReply, CallRequest } from '@clear-to-post/contract/call'
import type { reports } from '@clear-to-post/contract/reports'
import { boundsOf, stepOf, stepsOf } from '@clear-to-post/domain/periods'
import { sql, type Caller, type Tx } from '../kernel/database.ts'
import { isRunning } from '../kernel/entitled.ts'
import { paidInReach, tenantFilter } from '../kernel/tenancy.ts'
import { takeTurn } from './store.ts'

type Asked = CallRequest<typeof reports.money>['query']

/** What came in in a period and what of it went back, in each currency, and the plans that run now. */
export const moneyReport = async (
  tx: Tx,
  caller: Caller,
  asked: Asked,
): Promise<CallReply<(typeof reports)['money']>> => {
  await takeTurn(tx, caller)
  const { from, to, timezone } = asked
  const rows = await moneyBetween(tx, caller, boundsOf(from, to, timezone), asked)
  const totals = rows.filter(({ place }) => place === 0).toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
  return {
    step: stepOf(from, to),
    currencies: totals.slice(0, 20).map((total) => {
      const steps = new Map(rows.flatMap((row) => (row.currency === total.currency ? [[row.place, present(row)]] : [])))
      return {
        currency: total.currency,
        points: stepsOf(from, to).map((day, i) => ({ ...(steps.get(i + 1) ?? nothing), from: day })),
        total: present(total),
      }
    }),
    plans: await runningPlans(tx, caller, asked),
  }
}

type MoneyRow = {
  place: number
  currency: string
  paid: number
  invoiced: number
  failed: number
  failed_price: number
  went_back: number
}

/** The sums of each step between `bounds`, by its place from 1, and those of all of it as place 0. */
const moneyBetween = (tx: Tx, caller: Caller, bounds: readonly Date[], { tenantId }: Asked) =>
  tx.rows(sql<MoneyRow>`
    select coalesce(m.place, 0)::integer as place, m.currency,
      coalesce(sum(m.price) filter (where m.paid and m.payment_type <> 'invoice'), 0)::double precision as paid,
      coalesce(sum(m.price) filter (where m.paid and m.payment_type = 'invoice'), 0)::double precision as invoiced,
      (count(*) filter (where m.status = 'failed'))::integer as failed,
      coalesce(sum(m.price) filter (where m.status = 'failed'), 0)::double precision as failed_price,
      coalesce(sum(m.back), 0)::double precision as went_back
    from (
      select width_bucket(c.created_at, ${[...bounds]}::timestamptz[]) as place, c.currency, c.price, c.paid, c.status, c.payment_type,
        -- As given_back() counts it, for all payments at once.
        greatest(c.refunded, coalesce(r.by_card, 0)) + c.disputed + coalesce(r.besides, 0) as back
      from charge c left join person p on p.id = c.user_id
      left join (
        select f.charge_id, sum(f.amount) filter (where f.kind = 'card' and f.state = 'done') as by_card,
          sum(f.amount) filter (where (f.kind = 'card' and f.state = 'waiting') or (f.kind = 'credit' and f.state <> 'refused')) as besides
        from refund f group by f.charge_id) r on r.charge_id = c.id
      where c.created_at >= ${bounds[0]} and c.created_at < ${bounds.at(-1)}
        and ${tenantFilter(caller, sql`coalesce(c.tenant_id, p.tenant_id)`)}
        and ${paidInReach(caller)}
        and ${tenantId === undefined ? sql`true` : sql`coalesce(c.tenant_id, p.tenant_id) = ${tenantId}`}) m
    group by grouping sets ((m.place, m.currency), (m.currency))`)

const runningPlans = (tx: Tx, caller: Caller, { tenantId }: Asked) =>
  tx.rows(sql<{
    product: string
    interval: 'month' | 'year'
    currency: string
    running: number
    owing: number
    seats: number
    price: number
  }>`
    select d.name as product, l.interval, l.currency, count(*)::integer as running,
      (count(*) filter (where s.status = 'past_due' or s.owed_since is not null))::integer as owing,
      sum(s.quantity)::integer as seats,
      -- What the next period costs. A half cent goes to the customer, as in the domain's periodPrice.
      sum(case when s.discount_ends <= s.current_period_end then l.price::numeric * s.quantity
        else greatest(0, ceil(l.price::numeric * s.quantity * (100 - s.percent_off) / 100 - 0.5) - s.amount_off) end)::double precision as price
    from subscription s join plan l on l.id = s.plan_id join product d on d.id = l.product_id
    left join person p on p.id = s.user_id
    where ${isRunning} and ${tenantFilter(caller, sql`coalesce(s.tenant_id, p.tenant_id)`)}
      and ${tenantId === undefined ? sql`true` : sql`coalesce(s.tenant_id, p.tenant_id) = ${tenantId}`}
    group by d.id, d.name, l.interval, l.currency order by price desc, product, l.interval limit 100`)

const present = (row: MoneyRow) => ({
  paid: row.paid,
  invoiced: row.invoiced,
  failed: row.failed,
  failedPrice: row.failed_price,
  wentBack: row.went_back,
})

const nothing = { paid: 0, invoiced: 0, failed: 0, failedPrice: 0, wentBack: 0 }
