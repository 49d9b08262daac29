import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { mostRefunds } from '@clear-to-post/domain/plans'
import {
  addPlans,
  anyChange,
  anySingle,
  buyer,
  cards,
  checkout,
  fill,
  passDays,
  settle,
  useCard,
} from '../../test/buying.ts'
import { submitProject } from '../../test/factories.ts'
import { jobContext } from '../../test/mails.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  openService,
  outcome,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { registry } from '../main/registry.ts'
import { payments, usePayments } from '../outside/payments/payments.ts'
import { deliverEvents } from '../stand-ins/payments/events.ts'
import { postTo } from '../stand-ins/payments/pages.ts'
import { noteCredited } from './change.ts'
import { subscriptionPaidBy } from './store.ts'

let service: Service
let admin: Person
let plan: string, big: string, year: string
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
  ;[plan, big, year] = (await addPlans(service)) as [string, string, string]
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const paymentsOf = async (name: string, by = admin) =>
  (await callAs(service, by)(subscriptions.payments, { query: { wheres: [`payer:eq:${name}`] } })).items
const plansOf = async (name: string, by = admin) =>
  (await callAs(service, by)(subscriptions.plans, { query: { wheres: [`payer:eq:${name}`] } })).items
type Given = { amount: number; way?: 'card' | 'credit'; reason?: string; left?: number }
const idOf = async (chargeId: string) =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`select id from refund where charge_id = ${chargeId}`),
  ))!.id
/** What is left by now, unless the giver says what they saw. */
const leftNow = async (chargeId: string) =>
  (
    await service.database.asSystem((tx) =>
      tx.first(
        sql<{
          left: number
        }>`select case when paid then price - given_back(id)::integer else 0 end as left from charge where id = ${chargeId}`,
      ),
    )
  )?.left ?? 0
const give = async (
  chargeId: string,
  { amount, way = 'card', reason = 'Asked for', left }: Given,
  by = admin,
  requestId?: string,
) =>
  as(by)(
    subscriptions.giveBack,
    { params: { chargeId }, body: { amount, way, reason, left: left ?? (await leftNow(chargeId)) } },
    requestId ? { requestId } : {},
  )
/** What waits is done, as a worker would. */
const runRefunds = async () => {
  const waiting = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`select id from refund where state = 'waiting' order by created_at, id`),
  )
  for (const { id } of waiting) await registry.refund.run({ refundId: id }, jobContext(service))
  await settle(service)
}
const bought = async (card = cards.pays, planId = plan) => {
  const person = await buyer(service, planId, undefined, card)
  return { person, payment: (await paymentsOf(person.name))[0]! }
}

test('an ADMIN gives a part back to the card, and it stands there with who and why', async () => {
  const { person, payment } = await bought()
  expect(payment).toMatchObject({ price: 10_000, left: 10_000, step: 'none', ways: ['card', 'credit'] })
  expect(await give(payment.id, { amount: 2500, reason: 'A late video' })).toMatchObject({
    left: 7500,
    refunds: [{ amount: 2500, kind: 'card', reason: 'A late video', by: admin.name, state: 'waiting' }],
  })
  await runRefunds()
  expect((await paymentsOf(person.name))[0]).toMatchObject({ left: 7500, refunds: [{ state: 'done' }] })
  const { body } = (await service.database.asSystem((tx) =>
    tx.first(
      sql<{ body: { refunds: Record<string, number> } }>`select body from sandbox_object where id = ${payment.id}`,
    ),
  ))!
  expect(Object.values(body.refunds)).toEqual([2500])
})

test('credit stands to the payer’s good and is used before the card', async () => {
  const { person, payment } = await bought()
  await give(payment.id, { amount: 4000, way: 'credit' })
  await runRefunds()
  expect((await callAs(service, person)(subscriptions.active, {})).credit).toBe(4000)
})

test('money that went back of a plan’s payment does not come back as credit when the plan is changed', async () => {
  const change = async (person: Person) => {
    const preview = await as(person)(subscriptions.previewPlan, { query: { planId: plan } })
    await as(person)(subscriptions.updatePlan, anyChange(plan))
    await settle(service)
    const { credit = 0 } = await callAs(service, person)(subscriptions.active, {})
    const paid = (await callAs(service, person)(subscriptions.charges, {})).map(({ price }) => price)
    return { shown: preview.credit, credit, paid }
  }
  const nothingBack = { shown: 0, credit: 0, paid: [10_000, 100_000] }
  // Taken back by the payer's bank; given back to the card; as credit, which stands to their good by itself.
  expect(await change((await bought(cards.takesBack, year)).person)).toEqual(nothingBack)
  // Taken back just now: the provider knows it, and has not told it.
  const untold = await bought(cards.pays, year)
  await service.database.asSystem((tx) =>
    tx.count(sql`update sandbox_object set body = body || '{"disputed": 100000}' where id = ${untold.payment.id}`),
  )
  expect(await change(untold.person)).toEqual(nothingBack)
  const card = await bought(cards.pays, year)
  await give(card.payment.id, { amount: 100_000 })
  await runRefunds()
  expect(await change(card.person)).toEqual(nothingBack)
  const credited = await bought(cards.pays, year)
  await give(credited.payment.id, { amount: 100_000, way: 'credit' })
  await runRefunds()
  expect(await change(credited.person)).toEqual({ shown: 0, credit: 90_000, paid: [0, 100_000] })
  // About to be given back: nobody changes in between.
  const waiting = await bought(cards.pays, year)
  await give(waiting.payment.id, { amount: 100_000 })
  expect(await change(waiting.person)).toEqual(nothingBack)
  await runRefunds()
  // What stands of it comes back, and no more.
  const part = await bought(cards.pays, year)
  await give(part.payment.id, { amount: 40_000 })
  await runRefunds()
  const { shown, credit } = await change(part.person)
  expect(Math.abs(shown - 60_000)).toBeLessThanOrEqual(1)
  expect(credit).toBe(shown - 10_000)
  // Nothing went back of another's.
  expect((await change((await bought(cards.pays, year)).person)).shown).toBeGreaterThan(99_990)
  // A cheaper plan since: more was paid than it costs, and what went back counts all the same, whichever way.
  for (const way of ['card', 'credit'] as const) {
    const { person, payment } = await bought(cards.pays, big)
    await passDays(service, 15)
    await as(person)(subscriptions.updatePlan, anyChange(plan))
    await settle(service)
    const { left: seen } = (await paymentsOf(person.name)).find(({ id }) => id === payment.id)!
    await give(payment.id, { amount: 8000, way, left: seen! })
    await runRefunds()
    const { credit: left } = await as(person)(subscriptions.previewPlan, { query: { planId: year } })
    expect([way, Math.abs(left - 2000) <= 1], String(left)).toEqual([way, true])
  }
})

test('money that a change of plan put to the payer’s good is not given back once more', async () => {
  const { person, payment } = await bought(cards.pays, year)
  await as(person)(subscriptions.updatePlan, anyChange(plan))
  await settle(service)
  const { credit = 0 } = await callAs(service, person)(subscriptions.active, {})
  expect(credit).toBeGreaterThan(89_000)
  const left = 100_000 - credit
  // Seconds pass between what is shown and what is done: a cent at most.
  const shown = (await paymentsOf(person.name)).find(({ id }) => id === payment.id)!.left!
  expect(Math.abs(shown - left)).toBeLessThanOrEqual(1)
  expect(await outcome(give(payment.id, { amount: shown + 1, left: shown }))).toBe('refund.too-much')
  await expect(
    service.database.asSystem((tx) =>
      tx.count(sql`
        insert into refund (charge_id, user_id, kind, amount, currency, reason, by_id)
        values (${payment.id}, ${person.id}, 'card', ${shown + 1}, 'usd', 'x', ${admin.id})`),
    ),
  ).rejects.toMatchObject({ code: '23514' })
  await give(payment.id, { amount: shown, left: shown })
  await runRefunds()
  expect((await paymentsOf(person.name)).map(({ left = 0 }) => left)).toEqual([0])
})

test('a change credits nothing that went back of the payment of an earlier period', async () => {
  const { person, payment } = await bought(cards.pays, year)
  const change = async (planId: string) => {
    await as(person)(subscriptions.updatePlan, anyChange(planId))
    await settle(service)
  }
  const credit = async () => (await callAs(service, person)(subscriptions.active, {})).credit ?? 0
  const left = async () => (await paymentsOf(person.name)).find(({ id }) => id === payment.id)!.left!
  const preview = async () => (await as(person)(subscriptions.previewPlan, { query: { planId: year } })).credit
  await passDays(service, 3)
  await change(plan)
  const before = await credit()
  expect(await preview()).toBeGreaterThan(9990)
  // A part of what is left covers that part of the month no more; made at the provider, it is read before the change.
  await payments().refund({ chargeId: payment.id, amount: 4000, refundId: randomUUID() })
  await settle(service)
  expect(Math.abs((await preview()) - (100_000 - before - 4000))).toBeLessThanOrEqual(1)
  const rest = await left()
  await give(payment.id, { amount: rest, left: rest })
  await runRefunds()
  expect(await preview()).toBe(0)
  await change(year)
  // The year is due in full: of what stood to their good it takes all, and the card pays the rest.
  expect(await credit()).toBe(0)
  const paid = (await callAs(service, person)(subscriptions.charges, {})).map(({ price }) => price)
  expect(paid).toEqual([100_000 - before, 100_000])
})

test('credit of a second change of plan is taken off the payment before it, and once', async () => {
  const { person, payment } = await bought(cards.pays, year)
  const leftOf = async () => (await paymentsOf(person.name)).find(({ id }) => id === payment.id)!.left ?? 0
  await as(person)(subscriptions.updatePlan, anyChange(plan))
  await settle(service)
  const row = await service.database.asSystem((tx) => subscriptionPaidBy(tx, { userId: person.id }))
  const before = await leftOf()
  expect(before).toBeGreaterThan(5000)
  // No payment was made in the period that began with the first change.
  for (const by of ['a change', 'a change'])
    await service.database.asSystem((tx) => noteCredited(tx, row!, { credit: 4000, by }))
  expect(await leftOf()).toBe(before - 4000)
})

test('the credit of a change comes off a payment that is heard of later', async () => {
  const { person } = await bought()
  // Two changes within a second: of what the card paid for the first one nothing was heard when the second one credits it.
  for (const planId of [year, plan]) await as(person)(subscriptions.updatePlan, anyChange(planId))
  await settle(service)
  const { credit = 0 } = await callAs(service, person)(subscriptions.active, {})
  expect(credit).toBeGreaterThan(89_000)
  const paid = await paymentsOf(person.name)
  const [price, left] = [paid.map((one) => one.price), paid.map((one) => one.left ?? 0)].map((each) =>
    each.reduce((all, one) => all + one, 0),
  ) as [number, number]
  // Seconds pass between what is noted and what is done: a cent at most for each change.
  expect(Math.abs(left - (price - credit))).toBeLessThanOrEqual(2)
})

test('the credit of a change comes off the first payment, too, where it is heard of later', async () => {
  const person = await makePerson(service, 'User')
  await fill(service, await checkout(service, person, year), { number: cards.pays })
  await deliverEvents(service.database, postTo(service.app))
  // Of the plan it is heard, and of its payment not yet.
  const heard = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`
      select id from payment_event where handled_at is null and object_kind = 'subscription' order by received_at, id`),
  )
  for (const { id } of heard) await registry.payment.run({ eventId: id }, jobContext(service))
  await as(person)(subscriptions.updatePlan, anyChange(plan))
  expect(await paymentsOf(person.name)).toEqual([])
  await settle(service)
  const { credit = 0 } = await callAs(service, person)(subscriptions.active, {})
  expect(credit).toBeGreaterThan(89_000)
  const [payment] = await paymentsOf(person.name)
  expect(Math.abs(payment!.left! - (100_000 - credit))).toBeLessThanOrEqual(1)
  const rest = await service.database.asSystem((tx) =>
    tx.rows(sql`select credited_ahead as ahead from subscription where user_id = ${person.id}`),
  )
  expect(rest).toEqual([{ ahead: 0 }])
})

test('a single video’s payment that was given back as credit takes nothing off a change, whatever it is called', async () => {
  const { person, payment: plansOwn } = await bought(cards.pays, year)
  await as(person)(subscriptions.charge, anySingle)
  await settle(service)
  const payment = (await paymentsOf(person.name)).find(({ id }) => id !== plansOwn.id)!
  // As the service it is paid with, or an earlier release, may call either.
  await service.database.asSystem((tx) =>
    tx.count(sql`
    update charge set description = case when id = ${payment.id} then 'Video' else 'One more video' end
    where id in (${payment.id}, ${plansOwn.id})`),
  )
  const shown = async () => (await as(person)(subscriptions.previewPlan, { query: { planId: plan } })).credit
  expect(await shown()).toBeGreaterThan(90_000)
  await give(plansOwn.id, { amount: 50_000, way: 'credit' })
  const before = await shown()
  expect(before).toBeLessThanOrEqual(50_000)
  // So much is left of the plan's payment that anything more that counted as gone back would be seen.
  await give(payment.id, { amount: payment.price, way: 'credit' })
  expect(await shown()).toBe(before)
  await runRefunds()
  expect(await shown()).toBe(before)
})

test('eight ADMINs at once give back no more than was paid', async () => {
  const { person, payment } = await bought()
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () => outcome(give(payment.id, { amount: 3000, left: 10_000 }))),
  )
  // Each saw that all of it was left.
  expect(outcomes.filter((one) => one === 'done')).toHaveLength(1)
  expect(outcomes.filter((one) => one === 'refund.changed')).toHaveLength(7)
  expect((await paymentsOf(person.name))[0]).toMatchObject({ left: 7000 })
  expect(await outcome(give(payment.id, { amount: 7001 }))).toBe('refund.too-much')
  await give(payment.id, { amount: 7000 })
  await runRefunds()
  const [after] = await paymentsOf(person.name)
  expect(after).toMatchObject({ left: 0, ways: [], status: 'refunded' })
  // The database says so, too, whoever writes.
  await expect(
    service.database.asSystem((tx) =>
      tx.count(sql`
        insert into refund (charge_id, user_id, kind, amount, currency, reason, by_id)
        values (${payment.id}, ${person.id}, 'card', 1, 'usd', 'x', ${admin.id})`),
    ),
  ).rejects.toMatchObject({ code: '23514' })
})

test('a reading that fails after the card was given to counts nothing twice and nothing too little', async () => {
  const { person, payment } = await bought()
  // By somebody's hands at the provider.
  await payments().refund({ chargeId: payment.id, amount: 5000, refundId: randomUUID() })
  await settle(service)
  await give(payment.id, { amount: 4000 })
  const { id } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`select id from refund where charge_id = ${payment.id}`),
  ))!
  const provider = payments()
  usePayments({ ...provider, read: () => Promise.reject(new Error('The provider is away')) })
  await expect(registry.refund.run({ refundId: id }, jobContext(service))).rejects.toThrow('away')
  usePayments(provider)
  expect((await paymentsOf(person.name))[0]!.left).toBeLessThanOrEqual(1000)
  expect(await outcome(give(payment.id, { amount: 1001, way: 'credit' }))).toBe('refund.too-much')
  await registry.refund.run({ refundId: id }, jobContext(service))
  expect((await paymentsOf(person.name))[0]).toMatchObject({ left: 1000, refunds: [{ state: 'done' }] })
})

test('refunds made at the provider are read before credit is given', async () => {
  const { person, payment } = await bought()
  await payments().refund({ chargeId: payment.id, amount: 9000, refundId: randomUUID() })
  // No event of it came yet, as before an upgrade.
  expect((await paymentsOf(person.name))[0]).toMatchObject({ left: 10_000 })
  await give(payment.id, { amount: 5000, way: 'credit' })
  await runRefunds()
  expect((await paymentsOf(person.name))[0]).toMatchObject({ left: 1000, refunds: [{ state: 'refused' }] })
  expect((await callAs(service, person)(subscriptions.active, {})).credit).toBeUndefined()
})

test('credit whose answer was lost counts, whatever went back elsewhere before it is asked again', async () => {
  const { person, payment } = await bought()
  await give(payment.id, { amount: 5000, way: 'credit' })
  const { id } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`select id from refund where charge_id = ${payment.id}`),
  ))!
  const provider = payments()
  const losing = async (what: Parameters<typeof provider.credit>[0]) => {
    await provider.credit(what)
    throw new Error('The answer is lost')
  }
  usePayments({ ...provider, credit: losing })
  await expect(registry.refund.run({ refundId: id }, jobContext(service))).rejects.toThrow('lost')
  usePayments(provider)
  await provider.refund({ chargeId: payment.id, amount: 6000, refundId: randomUUID() })
  await runRefunds()
  expect((await paymentsOf(person.name))[0]).toMatchObject({ left: 0, refunds: [{ state: 'done' }] })
})

test('a refund to a card is weighed with credit and with refunds made at the provider', async () => {
  const { person, payment } = await bought()
  await give(payment.id, { amount: 6000, way: 'credit' })
  await runRefunds()
  // The provider knows nothing of credit, and refuses no more than the card was charged.
  await payments().refund({ chargeId: payment.id, amount: 3000, refundId: randomUUID() })
  await give(payment.id, { amount: 4000 })
  await runRefunds()
  expect((await paymentsOf(person.name))[0]).toMatchObject({ left: 1000 })
  expect((await paymentsOf(person.name))[0]!.refunds.map(({ state }) => state)).toEqual(['done', 'refused'])
})

test('a refund beside one that is read and not settled is asked again once that one is settled', async () => {
  const { person, payment } = await bought()
  await give(payment.id, { amount: 6000 })
  await give(payment.id, { amount: 4000 })
  const [first, second] = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`select id from refund where charge_id = ${payment.id} order by amount desc`),
  )
  // The first one was killed after it was given and read.
  await payments().refund({ chargeId: payment.id, amount: 6000, refundId: first!.id })
  await expect(registry.refund.run({ refundId: second!.id }, jobContext(service))).rejects.toThrow(/not settled/)
  for (const one of [first, second]) await registry.refund.run({ refundId: one!.id }, jobContext(service))
  await settle(service)
  const [after] = await paymentsOf(person.name)
  expect(after).toMatchObject({ left: 0, refunds: [{ state: 'done' }, { state: 'done' }] })
})

test('a later refund does not begin before an earlier one is settled, although both fit', async () => {
  const { payment } = await bought()
  await give(payment.id, { amount: 6000 })
  await give(payment.id, { amount: 4000, way: 'credit' })
  const [earlier, later] = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`select id from refund where charge_id = ${payment.id} order by created_at, id`),
  )
  await expect(registry.refund.run({ refundId: later!.id }, jobContext(service))).rejects.toThrow(/not settled/)
  for (const one of [earlier, later]) await registry.refund.run({ refundId: one!.id }, jobContext(service))
})

test('of two refunds that are too much together the earlier is given and the later refused, whichever is asked first', async () => {
  for (const isTurned of [false, true]) {
    const { person, payment } = await bought()
    await give(payment.id, { amount: 6000 })
    await give(payment.id, { amount: 4000 })
    const rows = await service.database.asSystem((tx) =>
      tx.rows(sql<{ id: string }>`select id from refund where charge_id = ${payment.id} order by created_at, id`),
    )
    await payments().refund({ chargeId: payment.id, amount: 3000, refundId: randomUUID() })
    for (const { id } of isTurned ? rows.toReversed() : rows)
      await registry.refund.run({ refundId: id }, jobContext(service)).catch(() => {})
    for (const { id } of rows) await registry.refund.run({ refundId: id }, jobContext(service))
    await settle(service)
    const [after] = await paymentsOf(person.name)
    expect(after!.refunds.map(({ amount, state }) => [amount, state])).toEqual([
      [6000, 'done'],
      [4000, 'refused'],
    ])
    expect(after!.left).toBe(1000)
  }
})

test('a repeated request and a repeated job give back once', async () => {
  const { person, payment } = await bought()
  const requestId = randomUUID()
  for (let i = 0; i < 3; i++) await give(payment.id, { amount: 1500, left: 10_000 }, admin, requestId)
  const { id } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`select id from refund where charge_id = ${payment.id}`),
  ))!
  // Killed between the provider's answer and ours, then run again.
  await payments().refund({ chargeId: payment.id, amount: 1500, refundId: id })
  for (let i = 0; i < 2; i++) await registry.refund.run({ refundId: id }, jobContext(service))
  expect((await paymentsOf(person.name))[0]!.refunds).toHaveLength(1)
  const { body } = (await service.database.asSystem((tx) =>
    tx.first(
      sql<{ body: { refunds: Record<string, number> } }>`select body from sandbox_object where id = ${payment.id}`,
    ),
  ))!
  expect(body.refunds).toEqual({ [id]: 1500 })
})

test('a refund that the payment service refuses counts for nothing, and can be given another way', async () => {
  const { person, payment } = await bought()
  // Given back there by other hands.
  await payments().refund({ chargeId: payment.id, amount: 9000, refundId: randomUUID() })
  await give(payment.id, { amount: 5000 })
  await runRefunds()
  expect((await paymentsOf(person.name))[0]).toMatchObject({ left: 1000, refunds: [{ state: 'refused' }] })
  // What others gave back counts for every way.
  expect(await outcome(give(payment.id, { amount: 1001, way: 'credit' }))).toBe('refund.too-much')
  await give(payment.id, { amount: 500, way: 'credit' })
  for (let i = 2; i < mostRefunds; i++) await give(payment.id, { amount: 1 })
  expect(await outcome(give(payment.id, { amount: 1 }))).toBe('refund.too-much')
})

test('a refund that fails days later counts for nothing, its giver is told, and it can be given another way', async () => {
  const { person, payment } = await bought(cards.failsRefunds)
  await give(payment.id, { amount: 10_000 })
  await runRefunds()
  expect((await paymentsOf(person.name))[0]).toMatchObject({
    left: 0,
    status: 'refunded',
    refunds: [{ state: 'done' }],
  })
  await passDays(service, 1)
  expect((await paymentsOf(person.name))[0]).toMatchObject({
    left: 10_000,
    status: 'succeeded',
    ways: ['card', 'credit'],
    refunds: [{ state: 'refused' }],
  })
  const id = await idOf(payment.id)
  const told = () =>
    service.database.asSystem((tx) =>
      tx.rows(sql<{ data: { userIds: string[] } }>`
        select data from pgboss.job where name = 'notice' and data->'notice'->>'cause' = ${`refund ${id} refused`}`),
    )
  expect(await told()).toMatchObject([{ data: { userIds: [admin.id] } }])
  // The same refund is never made again, and the event once more tells nobody anything.
  await expect(payments().refund({ chargeId: payment.id, amount: 10_000, refundId: id })).rejects.toThrow('declined')
  const before = await service.database.asSystem((tx) =>
    tx.count(sql`update payment_event set handled_at = null where type = 'refund.failed'`),
  )
  expect(before).toBe(1)
  await settle(service)
  expect(await told()).toHaveLength(1)
  await give(payment.id, { amount: 10_000, way: 'credit' })
  await runRefunds()
  expect((await callAs(service, person)(subscriptions.active, {})).credit).toBe(10_000)
})

test('money that the payer’s bank took back cannot be given back as well', async () => {
  const { person, payment } = await bought(cards.takesBack)
  expect(payment).toMatchObject({ left: 0, disputed: 10_000, ways: [] })
  expect(await outcome(give(payment.id, { amount: 1, way: 'credit' }))).toBe('refund.too-much')
  expect((await paymentsOf(person.name))[0]!.refunds).toEqual([])
})

test('to a payer who was removed nothing is given as credit', async () => {
  const { person, payment } = await bought()
  await service.database.asSystem((tx) => tx.count(sql`update person set removed_at = now() where id = ${person.id}`))
  expect((await paymentsOf(person.name))[0]).toMatchObject({ left: 10_000, ways: ['card'] })
  expect(await outcome(give(payment.id, { amount: 100, way: 'credit' }))).toBe('refund.no-credit')
  await give(payment.id, { amount: 100 })
})

test('nobody gives their own payment back', async () => {
  const { person, payment } = await bought()
  await service.database.asSystem((tx) => tx.count(sql`update person set role = 'ADMIN' where id = ${person.id}`))
  await expect(give(payment.id, { amount: 1 }, { ...person, role: 'ADMIN' })).rejects.toThrow('own payment')
})

test('a refund to a card counts as done, also where its payer is erased since', async () => {
  const { person, payment } = await bought()
  await give(payment.id, { amount: 4000 })
  await service.database.asSystem((tx) => tx.count(sql`delete from customer where user_id = ${person.id}`))
  await runRefunds()
  expect((await paymentsOf(person.name))[0]).toMatchObject({ refunds: [{ amount: 4000, state: 'done' }] })
})

test('a company’s ADMIN sees the payments of that company alone and gives nothing back', async () => {
  const [tenantId, other] = [await makeTenant(service), await makeTenant(service)]
  const own = await makePerson(service, 'ADMIN', { tenantId })
  const stranger = await makePerson(service, 'ADMIN', { tenantId: other })
  const { person, payment } = await bought()
  await service.database.asSystem((tx) =>
    tx.count(sql`update person set tenant_id = ${tenantId} where id = ${person.id}`),
  )
  expect((await paymentsOf(person.name, own)).map(({ id, ways }) => ({ id, ways }))).toEqual([
    { id: payment.id, ways: [] },
  ])
  expect(await plansOf(person.name, own)).toHaveLength(1)
  expect(await paymentsOf(person.name, stranger)).toEqual([])
  expect(await plansOf(person.name, stranger)).toEqual([])
  for (const by of [own, stranger])
    expect(await outcome(give(payment.id, { amount: 100 }, by))).toBe('tenant.service-only')
  for (const role of ['User', 'Editor', 'QA'] as const)
    expect(await outcome(give(payment.id, { amount: 100 }, await makePerson(service, role)))).toBe('access.forbidden')
  expect(await outcome(give(`ch_${randomUUID()}`, { amount: 100 }))).toBe('payment.not-found')
})

test('a payment that failed says what is done about it, until something later is paid', async () => {
  const { person } = await bought()
  await useCard(service, person, cards.fails)
  await passDays(service, 32)
  const [failed] = await paymentsOf(person.name)
  expect(failed).toMatchObject({ paid: false, status: 'failed', step: 'retrying', left: 0, ways: [] })
  expect(failed!.until).toBeDefined()
  expect((await plansOf(person.name))[0]).toMatchObject({ state: 'owing' })
  expect(await outcome(give(failed!.id, { amount: 100 }))).toBe('refund.too-much')
  await useCard(service, person, cards.pays)
  await passDays(service, 8)
  const all = await paymentsOf(person.name)
  expect(all.find(({ id }) => id === failed!.id)).toMatchObject({ step: 'settled' })
  expect((await plansOf(person.name))[0]).toMatchObject({ state: 'running' })
})

const spare = async (who: Person) => (await callAs(service, who)(subscriptions.active, {})).extra?.spare

const buyOneMore = async (person: Person) => {
  await as(person)(subscriptions.charge, anySingle)
  await settle(service)
  return (await paymentsOf(person.name)).find(({ description }) => description === 'One more video')!
}

test('a single video that was used and paid back is not there again when its project is canceled', async () => {
  const [small] = await addPlans(service, 1)
  const { person } = await bought(cards.pays, small)
  await submitProject(service, person, { title: 'Of the plan' })
  const payment = await buyOneMore(person)
  const used = await submitProject(service, person, { title: 'Bought by itself' })
  await give(payment.id, { amount: payment.price })
  await runRefunds()
  expect(await spare(person)).toBe(0)
  await callAs(service, person)(projects.cancel, { params: { projectId: used.id } })
  expect(await spare(person)).toBe(0)
  expect(await outcome(submitProject(service, person, { title: 'Once more' }))).toBe('project.quota-used')
})

test('of two single videos in use, one of them paid back, neither is there again when a project is canceled', async () => {
  const [small] = await addPlans(service, 1)
  const { person } = await bought(cards.pays, small)
  await submitProject(service, person, { title: 'Of the plan' })
  const payment = await buyOneMore(person)
  const first = await submitProject(service, person, { title: 'First' })
  await buyOneMore(person)
  await submitProject(service, person, { title: 'Second' })
  await give(payment.id, { amount: payment.price })
  await runRefunds()
  await callAs(service, person)(projects.cancel, { params: { projectId: first.id } })
  expect(await spare(person)).toBe(0)
  expect(await outcome(submitProject(service, person, { title: 'Third' }))).toBe('project.quota-used')
})

test('a single video whose payment went back wholly is not there to be used, unless the refund fails', async () => {
  const buyOne = async (card?: string) => {
    const { person } = await bought()
    if (card) await useCard(service, person, card)
    await as(person)(subscriptions.charge, anySingle)
    await settle(service)
    const [payment] = (await paymentsOf(person.name)).filter(({ description }) => description === 'One more video')
    return { person, payment: payment! }
  }
  const { person, payment } = await buyOne()
  await give(payment.id, { amount: payment.price - 1 })
  await runRefunds()
  expect(await spare(person)).toBe(1)
  await give(payment.id, { amount: 1 })
  await runRefunds()
  expect(await spare(person)).toBe(0)
  const failing = await buyOne(cards.failsRefunds)
  await give(failing.payment.id, { amount: failing.payment.price })
  await runRefunds()
  expect(await spare(failing.person)).toBe(0)
  await passDays(service, 2)
  expect(await spare(failing.person)).toBe(1)
})
