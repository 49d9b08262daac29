import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { reports } from '@clear-to-post/contract/reports'
import { dayIn } from '@clear-to-post/domain/calendar'
import { periodPrice } from '@clear-to-post/domain/money'
import { dayAfter, stepsOf } from '@clear-to-post/domain/periods'
import { seeded, seedOfRun } from '../../test/random.ts'
import { callAs, makePerson, makeTenant, openService, type Person, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'

let service: Service
let admin: Person
let companyAdmin: Person
let companies: string[]

const seed = seedOfRun()
const random = seeded(seed)
const zone = 'America/Chicago'
const period = { from: '2026-02-03', to: '2026-07-20' }

type Payment = {
  id: string
  company: string | null
  at: Date
  paid: boolean
  status: string
  price: number
  currency: string
  type: string
  back: number
}
const payments: Payment[] = []
const plans: {
  company: string | null
  product: string
  interval: 'month' | 'year'
  runs: boolean
  price: number
  seats: number
}[] = []

beforeAll(async () => {
  service = await openService()
  companies = [await makeTenant(service), await makeTenant(service)]
  admin = await makePerson(service, 'ADMIN')
  companyAdmin = await makePerson(service, 'ADMIN', { tenantId: companies[0]! })
  const officers = await Promise.all(
    [companies[0]!, companies[1]!, null].map((tenantId) => makePerson(service, 'User', { tenantId })),
  )
  await service.database.asSystem(async (tx) => {
    for (let i = 0; i < 80; i++) {
      const byCompany = random.next() < 0.4
      const officer = random.one(officers)
      const company = byCompany ? random.one(companies) : officer.tenantId
      const price = random.whole(500, 90_000)
      const at = new Date(Date.parse('2026-02-01T00:00:00Z') + random.whole(0, 172 * 86_400) * 1000)
      const state = random.weighted({ paid: 6, failed: 2, open: 1 })
      const [refunded, disputed] =
        state === 'paid' ? [random.whole(0, 3) === 0 ? 100 : 0, random.whole(0, 9) === 0 ? 50 : 0] : [0, 0]
      const one = {
        id: `ch_${randomUUID()}`,
        company,
        at,
        paid: state === 'paid',
        status: state === 'paid' ? 'succeeded' : state,
        price,
        currency: random.next() < 0.8 ? 'usd' : 'cad',
        type: byCompany ? 'invoice' : 'card',
        back: refunded + disputed,
      }
      await tx.count(sql`
        insert into charge (id, user_id, tenant_id, created_at, paid, receipt_url, status, price, currency, payment_type, refunded,
          disputed, reading)
        values (${one.id}, ${byCompany ? null : officer.id}, ${byCompany ? company : null}, ${at}, ${one.paid}, '', ${one.status},
          ${price}, ${one.currency}, ${one.type}, ${refunded}, ${disputed}, 1)`)
      if (one.paid && random.next() < 0.4) {
        const kind = random.one(['card', 'credit'] as const)
        const outcome = random.one(['waiting', 'done', 'refused'] as const)
        const amount = random.whole(1, 300)
        await tx.count(sql`
          insert into refund (charge_id, user_id, tenant_id, kind, amount, currency, reason, by_id, state)
          values (${one.id}, ${byCompany ? null : officer.id}, ${byCompany ? company : null}, ${kind}, ${amount}, ${one.currency},
            'Late', ${admin.id}, ${outcome})`)
        if (outcome !== 'refused')
          one.back = kind === 'card' && outcome === 'done' ? Math.max(refunded, amount) + disputed : one.back + amount
      }
      payments.push(one)
    }
    for (const [name, interval] of [
      ['Steady', 'month'],
      ['Steady', 'year'],
      ['Busy', 'month'],
    ] as const) {
      const id = randomUUID()
      await tx.count(sql`
        insert into product (id, name, descriptions, metadata)
        values (${id}, ${name}, '{"description":"","subtitle":""}', '{"position":1}')`)
      const price = random.whole(100, 50_000)
      await tx.count(sql`
        insert into plan (id, product_id, currency, price, interval, metadata) values (${id}, ${id}, 'usd', ${price}, ${interval}, '{}')`)
      for (const company of [...companies, ...companies]) {
        const [seats, percentOff] = [random.whole(1, 9), random.one([0, 12.5, 33])]
        const status = random.one(['active', 'past_due', 'canceled'] as const)
        await tx.count(sql`
          insert into subscription (tenant_id, plan_id, status, quantity, percent_off)
          values (${company}, ${id}, ${status}, ${seats}, ${percentOff})`)
        plans.push({
          company,
          product: id,
          interval,
          runs: status !== 'canceled',
          seats,
          price: periodPrice({ price, quantity: seats, percentOff }),
        })
      }
    }
  })
})
afterAll(() => service.close())

const sums = (some: readonly Payment[]) => {
  const sum = (is: (one: Payment) => boolean) => some.filter(is).reduce((all, { price }) => all + price, 0)
  return {
    paid: sum(({ paid, type }) => paid && type === 'card'),
    invoiced: sum(({ paid, type }) => paid && type === 'invoice'),
    failed: some.filter(({ status }) => status === 'failed').length,
    failedPrice: sum(({ status }) => status === 'failed'),
    wentBack: some.reduce((all, { back }) => all + back, 0),
  }
}
const told = (kept: readonly Payment[]) => {
  const days = (from: string, to: string) => kept.filter(({ at }) => dayIn(at, zone) >= from && dayIn(at, zone) <= to)
  const starts = stepsOf(period.from, period.to)
  return [...new Set(days(period.from, period.to).map(({ currency }) => currency))].toSorted().map((currency) => {
    const inPeriod = (from: string, to: string) => sums(days(from, to).filter((one) => one.currency === currency))
    return {
      currency,
      points: starts.map((from, i) => ({
        ...inPeriod(from, dayAfter(starts[i + 1] ?? dayAfter(period.to, 1), -1)),
        from,
      })),
      total: inPeriod(period.from, period.to),
    }
  })
}

it('money of a period is what its payments, refunds and disputes say, in each currency', async () => {
  const ask = callAs(service, admin)
  const all = await ask(reports.money, { query: { ...period, timezone: zone } })
  expect(all.currencies, `seed ${seed}`).toEqual(told(payments))
  const one = await ask(reports.money, { query: { ...period, timezone: zone, tenantId: companies[1]! } })
  expect(one.currencies, `seed ${seed}`).toEqual(told(payments.filter(({ company }) => company === companies[1])))
})

it('running plans are summed as each of them renews', async () => {
  const { plans: found } = await callAs(service, admin)(reports.money, { query: { ...period, timezone: zone } })
  const running = plans.filter(({ runs }) => runs)
  expect(found.map(({ running: count, seats, price }) => [count, seats, price]).toSorted(), `seed ${seed}`).toEqual(
    [...Map.groupBy(running, ({ product }) => product).values()]
      .map((some) => [
        some.length,
        some.reduce((sum, { seats }) => sum + seats, 0),
        some.reduce((sum, { price }) => sum + price, 0),
      ])
      .toSorted(),
  )
})

it('a company’s admin counts what the company and its people paid, and nobody else’s', async () => {
  const mine = callAs(service, companyAdmin)
  const own = payments.filter(({ company }) => company === companies[0])
  const { currencies } = await mine(reports.money, { query: { ...period, timezone: zone } })
  // Why and as what something was given back is the service's own: a company sees what its bank statements show.
  const withoutBack = (list: ReturnType<typeof told>) => list.map(({ total: { wentBack: _back, ...total } }) => total)
  expect(withoutBack(currencies), `seed ${seed}`).toEqual(withoutBack(told(own)))
  const other = await mine(reports.money, { query: { ...period, timezone: zone, tenantId: companies[1]! } })
  expect(other).toMatchObject({ currencies: [], plans: [] })
})
