import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  openService,
  subscribe,
  type Person,
  type Service,
} from '../../test/service.ts'
import { addPlans, anySingle, buyer, settle } from '../../test/buying.ts'
import { sql, type Tx } from '../kernel/database.ts'
import { submitRightsOf } from './actions.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

const as = <T>({ id, role, tenantId, securityStamp }: Person, work: (tx: Tx) => Promise<T>) =>
  service.database.inTenant({ id, role, tenantId, securityStamp }, work)
const monthly = async (who: Person, userId = who.id) =>
  (await as(who, (tx) => submitRightsOf(tx, userId, new Date()))).plan?.projectsPerMonth ?? null

test('products are listed by position, with their plans', async () => {
  await service.database.asSystem(async (tx) => {
    for (const [id, position, active] of [
      ['late', 10, true],
      ['first', 0.5, true],
      ['middle', 2, true],
      ['gone', 1, false],
    ] as const) {
      await tx.count(sql`
        insert into product (id, name, descriptions, metadata, is_active, percent_off)
        values (${id}, ${id}, '{"description": "d", "subtitle": "s"}', ${JSON.stringify({ position, badge: 'x' })}, ${active}, 12.5)`)
      for (const interval of ['year', 'month'])
        await tx.count(sql`
          insert into plan (id, product_id, currency, price, interval, metadata)
          values (${`${id}-${interval}`}, ${id}, 'usd', ${interval === 'year' ? 1000 : 100}, ${interval},
            '{"projectsPerMonth": 4, "revisionsPerProject": 2, "turnaroundHours": 48, "rank": 1}')`)
    }
  })
  const products = await callAs(service, null)(subscriptions.publicProducts, {})
  expect(products.map(({ id }) => id)).toEqual(['first', 'middle', 'late'])
  expect(products[0]).toMatchObject({ percentOff: 12.5, metadata: { position: 0.5, badge: 'x' } })
  expect(products[0]!.plans.map(({ id, price }) => [id, price])).toEqual([
    ['first-month', 100],
    ['first-year', 1000],
  ])
})

test('the company’s subscription counts before one’s own, and only while it runs', async () => {
  const tenantId = await makeTenant(service)
  const member = await makePerson(service, 'User', { tenantId })
  const alone = await makePerson(service, 'User')
  expect(await as(alone, (tx) => submitRightsOf(tx, alone.id, new Date()))).toEqual({
    plan: null,
    freeProjectUsed: false,
    spareExtras: 0,
    subscriptionId: null,
    planId: null,
    isOwn: false,
    lack: 'no-plan',
    stopsBefore: expect.any(Function),
  })
  await service.database.asSystem((tx) => tx.count(sql`update person set free_projects = 1 where id = ${alone.id}`))
  expect(await as(alone, (tx) => submitRightsOf(tx, alone.id, new Date()))).toEqual({
    plan: null,
    freeProjectUsed: true,
    spareExtras: 0,
    subscriptionId: null,
    planId: null,
    isOwn: false,
    lack: 'no-plan',
    stopsBefore: expect.any(Function),
  })

  await subscribe(service, { userId: alone.id }, 4)
  await subscribe(service, { userId: member.id }, 5)
  expect([await monthly(alone), await monthly(member)]).toEqual([4, 5])
  await subscribe(service, { tenantId }, 40)
  expect(await monthly(member)).toBe(40)
  const end = (status: string) =>
    service.database.asSystem((tx) =>
      tx.count(sql`update subscription set status = ${status} where tenant_id = ${tenantId}`),
    )
  await end('canceled')
  expect(await monthly(member)).toBe(5)
  await end('active')
  await service.database.asSystem((tx) => tx.count(sql`update tenant set is_active = false where id = ${tenantId}`))
  expect(await monthly(member)).toBe(5)
})

test('staff in reach of an officer read their right to submit, and nobody else does', async () => {
  const [here, there] = [await makeTenant(service), await makeTenant(service)]
  const officer = await makePerson(service, 'User', { tenantId: here })
  await subscribe(service, { userId: officer.id }, 6)
  for (const role of ['ADMIN', 'QA'] as const) {
    expect(await monthly(await makePerson(service, role), officer.id)).toBe(6)
    expect(await monthly(await makePerson(service, role, { tenantId: here }), officer.id)).toBe(6)
    expect(await monthly(await makePerson(service, role, { tenantId: there }), officer.id)).toBeNull()
  }
  const stranger = await makePerson(service, 'User', { tenantId: here })
  expect(await as(stranger, (tx) => submitRightsOf(tx, officer.id, new Date()))).toEqual({
    plan: null,
    freeProjectUsed: true,
    spareExtras: 0,
    subscriptionId: null,
    planId: null,
    isOwn: false,
    lack: 'no-plan',
    stopsBefore: expect.any(Function),
  })
})

test.each([
  ['that ends takes nothing off them', 1, 2500],
  ['for good takes its share off them', null, 1250],
])('single videos and a discount: one %s', async (_what, months, price) => {
  const [plan] = await addPlans(service)
  const coupon = `HALF${months}`
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`insert into coupon (id, percent_off, months) values (${coupon}, 50, ${months})`)
    await tx.count(sql`
      update product set metadata = metadata || ${JSON.stringify({ coupon })}::jsonb
      where id = (select product_id from plan where id = ${plan!})`)
  })
  const officer = await buyer(service, plan!)
  expect((await callAs(service, officer)(subscriptions.active, {})).extra).toMatchObject({ price })
  await callConfirmed(service, officer)(subscriptions.charge, anySingle)
  await settle(service)
  const charges = await callAs(service, officer)(subscriptions.charges, {})
  expect(charges.map((one) => one.price).toSorted((a, b) => a - b)).toEqual([price, 5000])
})
