import { afterAll, beforeAll, expect, it } from 'vitest'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { addPlans, anyChange, cards, checkout, post, settle } from '../../test/buying.ts'
import { jobContext } from '../../test/mails.ts'
import { callConfirmed, makePerson, makeTenant, openService, type Person, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { registry } from '../main/registry.ts'
import { addEvent } from '../stand-ins/payments/events.ts'
import { reconcile } from './mirror.ts'
import { subscriptionsOfTenants } from './store.ts'

/** A payer who paid on two pages: the second plan is undone, and what was paid for either is known as its own. */
let service: Service
let plans: string[]
beforeAll(async () => {
  service = await openService()
  plans = await addPlans(service)
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const rows = <R>(query: ReturnType<typeof sql<R>>) => service.database.asSystem((tx) => tx.rows(query))
const bothPaid = async (who?: Person): Promise<Person> => {
  const person = who ?? (await makePerson(service, 'User'))
  const pages = [await checkout(service, person, plans[0]!), await checkout(service, person, plans[1]!)]
  // As if both had been open in the same moment.
  await rows(sql`update sandbox_object set body = body - 'isClosed' where kind = 'checkout.session'`)
  for (const page of pages) await post(service, page, { number: cards.pays })
  return person
}
const secondUndone = async (): Promise<Person> => {
  const person = await bothPaid()
  const jobs = await rows(sql<{ data: { providerId: string } }>`
    delete from pgboss.job where name = 'surplus' returning data`)
  for (const { data } of jobs) await registry.surplus.run(data, jobContext(service))
  await settle(service)
  return person
}
/** The payer's charge of this price has gone another way at the provider, and its bank took it back. */
const takenBack = async ({ id }: Person, price: number, ago = '0 hours', change: object = {}) => {
  const { id: charge } = (
    await rows(sql<{ id: string }>`
      update sandbox_object o set created_at = created_at + ${ago}::interval,
        body = body || ${JSON.stringify(change)}::jsonb || jsonb_build_object('disputed', ${price}::integer)
      from customer c where c.user_id = ${id} and o.customer_id = c.id and o.kind = 'charge' and (o.body->>'price')::integer = ${price}
      returning o.id`)
  )[0]!
  await rows(sql`update charge set created_at = created_at + ${ago}::interval where id = ${charge}`)
  await service.database.asSystem((tx) => addEvent(tx, 'charge.dispute.created', charge, new Date()))
  await settle(service)
}
const graceUntil = async (person: Person) => (await as(person)(subscriptions.active, {})).graceUntil

it('a payment of a plan that its bank took back stops it, also when made just after a second plan was undone', async () => {
  const officer = await secondUndone()
  await as(officer)(subscriptions.updatePlan, anyChange(plans[2]!))
  await settle(service)
  expect(await graceUntil(officer)).toBeUndefined()
  const [year] = await rows(sql<{ price: number }>`
    select price from charge where user_id = ${officer.id} order by created_at desc limit 1`)
  await takenBack(officer, year!.price)
  expect(await graceUntil(officer)).toBeDefined()
})

it('a payment of a second plan that was undone stops nothing of the first one, whenever it was charged', async () => {
  const officer = await secondUndone()
  // A seat more, hours later; the bank was faster than what we gave back.
  await takenBack(officer, 20_000, '2 hours', { status: 'succeeded' })
  const [back] = await rows(sql`
    select from charge where user_id = ${officer.id} and price = 20000 and taken_back_at is not null`)
  expect(back).toBeDefined()
  expect(await graceUntil(officer)).toBeUndefined()
})

it('a charge that was kept without its subscription is given it by the next daily reading', async () => {
  const officer = await secondUndone()
  const known = () =>
    rows(sql<{ of: string | null }>`
      select s.plan_id as of from charge c left join subscription s on s.provider_id = c.subscription_provider_id
      where c.user_id = ${officer.id} order by c.created_at`)
  const expected = [{ of: plans[0]! }, { of: plans[1]! }]
  expect(await known()).toEqual(expected)
  await rows(sql`update charge set subscription_provider_id = null where user_id = ${officer.id}`)
  await reconcile(service.database, new Date(), true)
  expect(await known()).toEqual(expected)
})

it('a payer with two plans changes the first one, while the second one is about to be undone', async () => {
  const officer = await bothPaid()
  await as(officer)(subscriptions.pause, {})
  await settle(service)
  const paused = await rows(sql<{ plan: string }>`
    select plan_id as plan from subscription where user_id = ${officer.id} and paused_from is not null`)
  expect(paused).toEqual([{ plan: plans[0]! }])
})

it('of a company that paid two plans its list shows the first one, while the second one is about to be undone', async () => {
  const tenantId = await makeTenant(service, 1)
  await bothPaid(await makePerson(service, 'ADMIN', { tenantId }))
  const shown = await service.database.asSystem((tx) => subscriptionsOfTenants(tx, [tenantId]))
  expect(shown.map(({ plan_id }) => plan_id)).toEqual([plans[0]!])
})

it('a payment that failed is tried again for the first plan, whatever the second one does until it is undone', async () => {
  const officer = await bothPaid()
  await rows(sql`update subscription set status = 'past_due' where user_id = ${officer.id} and plan_id = ${plans[0]!}`)
  await rows(sql`
    update charge set paid = false, status = 'failed', created_at = created_at + interval '1 minute'
    where user_id = ${officer.id} and price = 10000`)
  const admin = await makePerson(service, 'ADMIN', { tenantId: null })
  const { items } = await as(admin)(subscriptions.payments, { query: { wheres: [`payer:eq:${officer.name}`] } })
  expect(items.filter(({ paid }) => !paid).map(({ step }) => step)).toEqual(['retrying'])
})
