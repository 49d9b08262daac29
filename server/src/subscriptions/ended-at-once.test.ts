import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { addPlans, buyer, settle } from '../../test/buying.ts'
import { callAs, callConfirmed, makePerson, makeTenant, openService, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { payments } from '../outside/payments/payments.ts'

let service: Service
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

it('a plan of one’s own that was canceled at once ended then, and the next company is not told of it', async () => {
  const [plan] = await addPlans(service, 1)
  const [first, second] = [await makeTenant(service), await makeTenant(service)]
  const admin = await makePerson(service, 'ADMIN', { tenantId: null })
  const ofSecond = await makePerson(service, 'ADMIN', { tenantId: second })
  const officer = await buyer(service, plan!, await makePerson(service, 'User', { tenantId: first }))
  const about = async () =>
    (await service.database.asSystem((tx) =>
      tx.first(sql<{ id: string; provider_id: string; status: string; ends_at: Date | null }>`
        select id, provider_id, status, ends_at from subscription where user_id = ${officer.id}`),
    ))!
  const { id, provider_id } = await about()
  await payments().end(provider_id, 'at once')
  await settle(service)
  const ended = await about()
  expect(ended.status).toBe('canceled')
  expect(ended.ends_at!.getTime()).toBeLessThanOrEqual(Date.now())
  const [listed] = (await callAs(service, admin)(subscriptions.plans, { query: {} })).items.filter(
    (one) => one.id === id,
  )
  expect(listed).toMatchObject({ state: 'ended', until: ended.ends_at!.toISOString() })

  await callConfirmed(service, admin)(accounts.update, { body: { userId: officer.id, tenantId: second } })
  expect((await callAs(service, ofSecond)(subscriptions.plans, { query: {} })).items).toEqual([])
})

it('a plan that ends with the removal of who pays it ended then', async () => {
  const [plan] = await addPlans(service, 1)
  const officer = await buyer(service, plan!)
  await callConfirmed(service, await makePerson(service, 'ADMIN', { tenantId: null }))(accounts.remove, {
    query: { userId: officer.id },
  })
  const { status, at_once } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ status: string; at_once: boolean }>`
      select status, ends_at <= now() as at_once from subscription where user_id = ${officer.id}`),
  ))!
  expect([status, at_once]).toEqual(['canceled', true])
})
