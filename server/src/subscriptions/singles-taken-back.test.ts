import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { addPlans, anySingle, buyer, passDays, settle } from '../../test/buying.ts'
import { letDayPass, submitProject } from '../../test/factories.ts'
import { runNotices } from '../../test/mails.ts'
import { callConfirmed, makePerson, openService, outcome, type Person, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { payments } from '../outside/payments/payments.ts'
import { addEvent } from '../stand-ins/payments/events.ts'

/** Single videos whose payment its bank took back: what their payer may buy, and how it ends. */
let service: Service
let admin: Person
let plan: string
let year: string
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN', { tenantId: null })
  const plans = await addPlans(service, 1)
  plan = plans[0]!
  year = plans[2]!
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const rows = <R>(query: ReturnType<typeof sql<R>>) => service.database.asSystem((tx) => tx.rows(query))
/** Whose plan's only video is used, and the free one. */
const officerWithPlan = async (): Promise<Person> => {
  const officer = await buyer(service, plan)
  await rows(sql`update person set free_projects = 1 where id = ${officer.id}`)
  await sendIn(officer)
  return officer
}
const sendIn = async (officer: Person): Promise<string> => {
  await letDayPass(service)
  return (await submitProject(service, officer, { title: 'Rates' })).id
}
const buy = async (officer: Person, forOwed?: boolean) => {
  const became = await outcome(as(officer)(subscriptions.charge, { body: { ...anySingle.body, forOwed } }))
  await settle(service)
  return became
}
const chargesOf = async ({ id }: Person) =>
  (
    await rows(sql<{ id: string }>`
      select c.id from charge c join extra_project x on x.charge_id = c.id where c.user_id = ${id} order by x.created_at, x.id`)
  ).map((one) => one.id)
/** Of single videos. */
const lastCharge = async (officer: Person) => (await chargesOf(officer)).at(-1)!
const disputed = async (charge: string, amount: number) => {
  await service.database.asSystem(async (tx) => {
    await tx.count(
      sql`update sandbox_object set body = body || jsonb_build_object('disputed', ${amount}::integer) where id = ${charge}`,
    )
    await addEvent(tx, amount > 0 ? 'charge.dispute.created' : 'charge.dispute.closed', charge, new Date())
  })
  await settle(service)
}
/** Buys one, sends a video in, and has its bank take the payment back. */
const usedAndTakenBack = async (officer: Person) => {
  expect(await buy(officer)).toBe('done')
  const video = await sendIn(officer)
  const charge = await lastCharge(officer)
  await disputed(charge, price)
  return { video, charge }
}
const extra = async (officer: Person) => (await as(officer)(subscriptions.active, {})).extra!
/** Of one video of the plan. */
const price = 10_000

describe('a single video that was used, and whose payment its bank took back', () => {
  it('lets its payer buy no further one until the bank returns it, and is shown to whoever looks after payments', async () => {
    const officer = await officerWithPlan()
    const { charge } = await usedAndTakenBack(officer)
    expect(await buy(officer)).toBe('subscription.owes')
    expect(await extra(officer)).toMatchObject({ spare: 0, owed: { videos: 1, due: price, currency: 'usd' } })
    const { items } = await as(admin)(subscriptions.payments, { query: {} })
    expect(items.find(({ id }) => id === charge)).toMatchObject({ disputed: price, payer: { id: officer.id } })
    const shown = async () => (await as(officer)(subscriptions.charges, {})).find(({ id }) => id === charge)!.disputed
    expect(await shown()).toBe(price)
    await runNotices(service)
    const told = await rows(sql<{ body: string }>`
      select body from notification where user_id = ${officer.id} and title = 'Your bank took a payment back'`)
    expect(told).toHaveLength(1)
    expect(told[0]!.body).toContain('pay for it on the page of your plan')
    // Another payer buys as ever.
    expect(await buy(await officerWithPlan())).toBe('done')
    await disputed(charge, 0)
    expect(await shown()).toBeUndefined()
    expect((await extra(officer)).owed).toBeUndefined()
    expect(await buy(officer)).toBe('done')
    expect((await extra(officer)).spare).toBe(1)
  })

  it('is paid for at what it cost, once for each, and then further ones are sold', async () => {
    const officer = await officerWithPlan()
    await buy(officer)
    await buy(officer)
    for (let video = 0; video < 2; video++) await sendIn(officer)
    for (const charge of await chargesOf(officer)) await disputed(charge, price)
    const before = await as(officer)(projects.allowance, {})
    expect(await extra(officer)).toMatchObject({ spare: 0, owed: { videos: 2, due: price } })
    await rows(sql`update plan set price = price * 2 where id = ${plan}`)
    expect(await buy(officer, true)).toBe('done')
    expect(await extra(officer)).toMatchObject({ spare: 0, owed: { videos: 1 } })
    expect(await buy(officer)).toBe('subscription.owes')
    expect(await buy(officer, true)).toBe('done')
    await rows(sql`update plan set price = price / 2 where id = ${plan}`)
    expect(await extra(officer)).toEqual({ price, currency: 'usd', spare: 0 })
    const charged = await rows(sql<{ price: number }>`select price from charge where user_id = ${officer.id}`)
    expect(charged).toEqual(Array.from({ length: 5 }, () => ({ price })))
    expect(await as(officer)(projects.allowance, {})).toEqual(before)
    expect(await buy(officer, true)).toBe('price.changed')
    expect(await buy(officer)).toBe('done')
    expect((await extra(officer)).spare).toBe(1)
  })

  it('is no video of the month in which it is paid: a change of plan credits that month as before', async () => {
    const officers = await Promise.all([officerWithPlan(), officerWithPlan()])
    for (const officer of officers) {
      expect(await buy(officer)).toBe('done')
      await sendIn(officer)
    }
    await passDays(service, 31)
    // The service's own clock stood still.
    await rows(sql`update extra_project set created_at = created_at - interval '32 days'`)
    await rows(sql`update project set used_at = used_at - interval '32 days'`)
    const [payer, control] = officers
    await disputed(await lastCharge(payer!), price)
    expect(await buy(payer!, true)).toBe('done')
    expect(await extra(payer!)).not.toHaveProperty('owed')
    const credited = async (officer: Person) =>
      (await as(officer)(subscriptions.previewPlan, { query: { planId: year } })).credit
    expect(await credited(control!)).toBeGreaterThan(0)
    expect(await credited(payer!)).toBe(await credited(control!))
  })

  it('is owed anew where the payment for it is taken back, too, and spare once both are paid', async () => {
    const officer = await officerWithPlan()
    const { charge } = await usedAndTakenBack(officer)
    await buy(officer, true)
    await disputed(await lastCharge(officer), price)
    expect((await extra(officer)).owed).toMatchObject({ videos: 1 })
    expect(await buy(officer)).toBe('subscription.owes')
    await disputed(await lastCharge(officer), 0)
    await disputed(charge, 0)
    expect(await extra(officer)).toEqual({ price, currency: 'usd', spare: 1 })
  })

  it('is owed no more once its video is canceled', async () => {
    const officer = await officerWithPlan()
    const { video } = await usedAndTakenBack(officer)
    await as(officer)(projects.cancel, { params: { projectId: video } })
    expect(await extra(officer)).toEqual({ price, currency: 'usd', spare: 0 })
    expect(await buy(officer)).toBe('done')
  })

  it('is owed neither where we gave it back nor where it was not used', async () => {
    const [given, unused] = [await officerWithPlan(), await officerWithPlan()]
    for (const one of [given, unused]) await buy(one)
    await sendIn(given)
    await payments().refund({ chargeId: await lastCharge(given), amount: price, refundId: 'a gift' })
    await disputed(await lastCharge(unused), price)
    for (const one of [given, unused]) {
      expect((await extra(one)).owed).toBeUndefined()
      expect(await buy(one)).toBe('done')
    }
  })

  it('is paid by one purchase at a time', async () => {
    const officer = await officerWithPlan()
    await usedAndTakenBack(officer)
    await rows(sql`
      insert into extra_project (user_id, request_id, price, currency) values (${officer.id}, 'on its way', ${price}, 'usd')`)
    expect(await buy(officer, true)).toBe('subscription.changing')
  })
})
