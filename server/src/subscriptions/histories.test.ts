import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { addPlans, buyer, passDays, settle } from '../../test/buying.ts'
import { jobContext } from '../../test/mails.ts'
import { seeded, seedOfRun } from '../../test/random.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  openService,
  outcome,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { registry } from '../main/registry.ts'

let service: Service
let admin: Person
/** Small, big and yearly: without a coupon, and with each kind of one. */
let products: string[][]
const offers = [
  { percent: 50, amount: null, months: 1 },
  { percent: null, amount: 3000, months: 3 },
  { percent: 30, amount: null, months: null },
  { percent: null, amount: 2500, months: null },
]
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
  products = [await addPlans(service)]
  for (const [at, { percent, amount, months }] of offers.entries()) {
    const plans = await addPlans(service)
    await service.database.asSystem(async (tx) => {
      await tx.count(sql`
        insert into coupon (id, percent_off, amount_off, currency, months)
        values (${`OFFER${at}`}, ${percent}, ${amount}, ${amount === null ? null : 'usd'}, ${months})`)
      await tx.count(sql`
        update product set metadata = metadata || ${JSON.stringify({ coupon: `OFFER${at}` })}::jsonb
        where id = (select product_id from plan where id = ${plans[0]!})`)
    })
    products.push(plans)
  }
})
afterAll(() => service.close())

const rows = <Row>(query: ReturnType<typeof sql<Row>>) => service.database.asSystem((tx) => tx.rows(query))

/** What cards paid, what went back to them and what stands to the payer's good, of the provider's own books. */
const booksOf = async (person: Person) => {
  const objects = await rows(sql<{ kind: string; body: Record<string, any> }>`
    select o.kind, o.body from sandbox_object o join customer c on c.user_id = ${person.id}
    where o.id = c.id or o.customer_id = c.id`)
  const books = { paid: 0, back: 0, credit: 0 }
  for (const { kind, body } of objects) {
    if (kind === 'customer') books.credit = body.credit
    if (kind !== 'charge' || !body.paid) continue
    books.paid += body.price
    const refunds = Object.values<number>(body.refunds ?? {})
    books.back +=
      (body.status === 'refunded' ? body.price : refunds.reduce((all, one) => all + one, 0)) + (body.disputed ?? 0)
  }
  return books
}

test('no more goes out to a payer than was paid, in any history of changes and refunds', async () => {
  const seed = seedOfRun()
  const random = seeded(seed)
  const below = (most: number) => random.whole(0, most - 1)
  const told: Record<string, number> = {}
  for (let history = 0; history < 10; history++) {
    const own = products[history % products.length]!
    const person = await buyer(service, own[below(3)]!)
    // Mostly within one product, whose coupon goes along.
    const next = () => (below(4) === 0 ? random.one(products) : own)[below(3)]!
    const as = callConfirmed(service, person)
    const steps: string[] = []
    const doing: Record<string, () => Promise<unknown>> = {
      change: () => as(subscriptions.updatePlan, { body: { planId: next() } }),
      // Twice as often as others: it is what was credited twice.
      changeBack: () => as(subscriptions.updatePlan, { body: { planId: next() } }),
      give: async () => {
        const { items } = await callAs(service, admin)(subscriptions.payments, {
          query: { wheres: [`payer:eq:${person.name}`] },
        })
        const open = items.filter(({ left = 0 }) => left > 0)
        const payment = open[below(open.length)]
        if (!payment) return
        const amount = below(2) === 0 ? payment.left! : 1 + below(payment.left!)
        const way = payment.ways[below(payment.ways.length)]!
        const body = { amount, way, reason: 'Asked for', left: payment.left! }
        await callConfirmed(service, admin)(subscriptions.giveBack, { params: { chargeId: payment.id }, body })
        for (const { id } of await rows(sql<{ id: string }>`select id from refund where state = 'waiting'`))
          await registry.refund.run({ refundId: id }, jobContext(service))
      },
      pause: () => as(subscriptions.pause, {}),
      resume: () => as(subscriptions.resume, {}),
      wait: () => passDays(service, [1, 10, 31][below(3)]!),
    }
    for (let step = 0; step < 9; step++) {
      const name = Object.keys(doing)[below(6)]!
      const became = await outcome(doing[name]!())
      await settle(service)
      steps.push(`${name}: ${became}`)
      told[name] = (told[name] ?? 0) + (became === 'done' ? 1 : 0)
      const { paid, back, credit } = await booksOf(person)
      expect(back + credit, `${steps.join(', ')} (seed ${seed})`).toBeLessThanOrEqual(paid)
      const over = await rows(sql<{ id: string }>`
        select id from charge where user_id = ${person.id} and given_back(id) + credited > price + credit`)
      expect(over, `${steps.join(', ')} (seed ${seed})`).toEqual([])
    }
  }
  console.log(`10 histories with seed ${seed}: ${JSON.stringify(told)}`)
})
