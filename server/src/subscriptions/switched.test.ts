import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { tenants } from '@clear-to-post/contract/tenants'
import { addPlans, anySingle, buyer, cards, passDays, post, settle, useCard } from '../../test/buying.ts'
import { jobContext } from '../../test/mails.ts'
import {
  callConfirmed,
  confirmed,
  makePerson,
  makeTenant,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { registry } from '../main/registry.ts'

/** Payers who are switched off, shut out, or join and leave: what is charged, and what they hear. */
let service: Service
let admin: Person
let small: string
let big: string
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN', { tenantId: null })
  ;[small, big] = (await addPlans(service)) as [string, string]
})
afterAll(() => service.close())
const as = (person: Person) => callConfirmed(service, person)
const rows = <R>(query: ReturnType<typeof sql<R>>) => service.database.asSystem((tx) => tx.rows(query))
const lookAt = async (who: { userId: string } | { tenantId: string }) => {
  await registry['payer-standing'].run(who, jobContext(service))
  await settle(service)
}
const company = async (seats: number, planId: string) => {
  const tenantId = await makeTenant(service, seats)
  const boss = await makePerson(service, 'ADMIN', { tenantId })
  await buyer(service, planId, boss)
  return { tenantId, boss }
}
/** The jobs of these names that a payer's change left, done as a worker would. */
const work = async (name: 'seats' | 'notice', about: string) => {
  const jobs = await rows(sql<{ data: never }>`
    delete from pgboss.job where name = ${name} and data::text like ${`%${about}%`} returning data, created_on`)
  for (const { data } of jobs) await registry[name].run(data, jobContext(service))
  await settle(service)
}
const told = async ({ id }: Person) =>
  (await rows(sql<{ title: string }>`select title from notification where user_id = ${id} order by id`)).map(
    ({ title }) => title,
  )
/** Who signed in anew, at this company. */
const again = async (person: Person, tenantId: string | null): Promise<Person> => {
  const [{ stamp }] = (await rows(sql<{ stamp: number }>`
    select security_stamp as stamp from person where id = ${person.id}`)) as [{ stamp: number }]
  return confirmed(service, { ...person, tenantId, securityStamp: stamp })
}

describe('the seats of a company', () => {
  const seats = async (tenantId: string, totalUsersAllowed: number) => {
    await as(admin)(tenants.update, { body: { tenantId, data: { totalUsersAllowed } } })
    await work('seats', tenantId)
  }
  const stands = async (tenantId: string) => {
    const [row] = await rows(sql<{ quantity: number; charges: number }>`
      select s.quantity, (select count(*)::integer from charge c where c.tenant_id = s.tenant_id) as charges
      from subscription s where s.tenant_id = ${tenantId}`)
    return [row!.quantity, row!.charges]
  }

  it('that is switched off are not charged, and follow once it is on again', async () => {
    const { tenantId } = await company(5, small)
    for (const looksBetween of [true, false]) {
      const before = await stands(tenantId)
      const next = before[0]! + 15
      await as(admin)(tenants.update, { body: { tenantId, data: { isActive: false } } })
      if (looksBetween) await lookAt({ tenantId })
      await seats(tenantId, next)
      expect(await stands(tenantId)).toEqual(before)
      await as(admin)(tenants.update, { body: { tenantId, data: { isActive: true } } })
      await lookAt({ tenantId })
      await work('seats', tenantId)
      expect(await stands(tenantId)).toEqual([next, before[1]! + 1])
    }
  })

  it('with a plan that ends are not charged, and follow once it is kept', async () => {
    const { tenantId, boss } = await company(5, small)
    const [{ id: what }] = (await rows(sql<{ id: string }>`
      select provider_id as id from subscription where tenant_id = ${tenantId}`)) as [{ id: string }]
    const choose = async (choice: string) =>
      post(service, (await as(boss)(subscriptions.portal, {})).url, { do: choice, what })
    await choose('end')
    await seats(tenantId, 20)
    expect(await stands(tenantId)).toEqual([5, 1])
    await choose('keep')
    await work('seats', tenantId)
    expect(await stands(tenantId)).toEqual([20, 2])
  })
})

describe('an officer who was shut out', () => {
  it('hears that their plan has ended when they are let in again, once', async () => {
    const officer = await buyer(service, small)
    const shut = async (isDisabled: boolean) => {
      await as(admin)(accounts.update, { body: { userId: officer.id, isDisabled } })
      await lookAt({ userId: officer.id })
    }
    await shut(true)
    await passDays(service, 40)
    await work('notice', officer.id)
    expect(await told(officer)).not.toContain('Your plan has ended')
    await shut(false)
    await lookAt({ userId: officer.id })
    await work('notice', officer.id)
    expect((await told(officer)).filter((title) => title === 'Your plan has ended')).toHaveLength(1)
    // Of a plan that runs, and of one that ended long ago, there is nothing to say.
    const other = await buyer(service, small)
    await lookAt({ userId: other.id })
    await rows(sql`
      update subscription set status = 'canceled', current_period_end = now() - interval '3 years' where user_id = ${other.id}`)
    await lookAt({ userId: other.id })
    await work('notice', other.id)
    expect(await told(other)).not.toContain('Your plan has ended')
  })

  it('with a plan that owes keeps all its tries of the card, however often they are switched', async () => {
    const officer = await buyer(service, small)
    await useCard(service, officer, cards.fails)
    await passDays(service, 31)
    const status = async () =>
      (await rows(sql<{ status: string }>`select status from subscription where user_id = ${officer.id}`))[0]!.status
    const tries = async () => (await rows(sql`select from charge where user_id = ${officer.id}`)).length
    const before = [await status(), await tries()]
    expect(before[0]).toBe('past_due')
    for (let times = 0; times < 3; times++)
      for (const isOff of [true, false]) {
        await rows(sql`update person set is_disabled = ${isOff} where id = ${officer.id}`)
        await lookAt({ userId: officer.id })
        await passDays(service, 0)
      }
    expect([await status(), await tries()]).toEqual(before)
  })
})

describe('an officer who joins a company', () => {
  it('and left it before the job ran hears nothing of two plans, and hears of them when they stay', async () => {
    const { tenantId } = await company(3, big)
    const officer = await buyer(service, small)
    const joins = (id: string | null) => as(admin)(accounts.update, { body: { userId: officer.id, tenantId: id } })
    const words = 'Your own plan goes on beside your company’s'
    await joins(tenantId)
    await joins(null)
    await work('notice', officer.id)
    expect(await told(officer)).not.toContain(words)
    await joins(tenantId)
    await work('notice', officer.id)
    expect(await told(officer)).toContain(words)
  })

  it('takes nothing of its credit with the videos that they bought by themselves, before and there', async () => {
    const { tenantId, boss } = await company(3, big)
    const creditOf = async (payer: Person) =>
      (await as(payer)(subscriptions.previewPlan, { query: { planId: small } })).credit
    const apart = await creditOf(boss)
    const officer = await buyer(service, big)
    const own = await creditOf(officer)
    for (let bought = 0; bought < 3; bought++) await as(officer)(subscriptions.charge, anySingle)
    await settle(service)
    // Of the plan that its buyer pays it counts.
    const less = await creditOf(officer)
    expect(less).toBeLessThan(own - 1000)
    await as(admin)(accounts.update, { body: { userId: officer.id, tenantId } })
    const member = await makePerson(service, 'User', { tenantId })
    await useCard(service, member, cards.pays)
    for (const who of [await again(officer, tenantId), member]) await as(who)(subscriptions.charge, anySingle)
    await settle(service)
    expect(Math.abs((await creditOf(boss)) - apart)).toBeLessThan(10)
    // At the company's price it is not of their own plan.
    await rows(sql`update person set tenant_id = null where id = ${officer.id}`)
    expect(Math.abs((await creditOf(await again(officer, null))) - less)).toBeLessThan(10)
  })
})
