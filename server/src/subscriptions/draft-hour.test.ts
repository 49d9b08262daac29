import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { addPlans, anyChange, buyer, cards, passDays, passToDraft, settle, useCard } from '../../test/buying.ts'
import { letDayPass, submitProject } from '../../test/factories.ts'
import { tenants } from '@clear-to-post/contract/tenants'
import { jobContext } from '../../test/mails.ts'
import {
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
import { reconcile } from './mirror.ts'

/** A renewal's invoice is a draft for an hour: the period runs, its plan is active, and nobody has paid it. */
let service: Service
let plans: string[]
beforeAll(async () => {
  service = await openService()
  plans = await addPlans(service)
})
afterAll(() => service.close())

const rows = <R>(query: ReturnType<typeof sql<R>>) => service.database.asSystem((tx) => tx.rows(query))
/** How many of so many videos enter the queue, in a new month. */
const sendIn = async (officer: Person, n: number): Promise<number> => {
  await rows(sql`update quota_use set used = 0 where user_id = ${officer.id}`)
  let done = 0
  for (let i = 0; i < n; i++) {
    if ((await outcome(submitProject(service, officer, { title: 'Rates' }))) === 'done') done++
    await letDayPass(service)
  }
  return done
}
const held = async ({ id }: Person) =>
  (
    await rows(sql<{ videos: number }>`
      select p.videos from subscription_period p join subscription s on s.id = p.subscription_id where s.user_id = ${id} order by p.starts`)
  ).map(({ videos }) => videos)

describe('a period that begins as a draft', () => {
  it('gives its videos at once, and is kept as paid once its card has paid', async () => {
    const officer = await buyer(service, plans[0]!)
    await rows(sql`update person set free_projects = 1 where id = ${officer.id}`)
    for (let month = 0; month < 2; month++) expect(await sendIn(officer, 5)).toBe(4)
    await passToDraft(service, officer)
    expect(await held(officer)).toEqual([4])
    expect(await sendIn(officer, 5)).toBe(4)
    await passDays(service, 1)
    expect(await held(officer)).toEqual([4, 4])
    expect(await sendIn(officer, 5)).toBe(0)
  })

  it('holds what was used of it in that hour and in the two weeks’ grace, where a change ends it early', async () => {
    for (const isLate of [false, true]) {
      const officer = await buyer(service, plans[0]!)
      await rows(sql`update person set free_projects = 1 where id = ${officer.id}`)
      expect(await sendIn(officer, 5)).toBe(4)
      if (isLate) await useCard(service, officer, cards.fails)
      await passToDraft(service, officer)
      expect(await sendIn(officer, 3)).toBe(3)
      await passDays(service, 1)
      if (isLate) await useCard(service, officer, cards.pays)
      expect(await held(officer)).toEqual([4, 4])
      await callConfirmed(service, officer)(subscriptions.updatePlan, anyChange(plans[2]!))
      await settle(service)
      expect(await held(officer)).toEqual([4, 3, 48])
    }
  })

  it('is kept for nobody who lets it fail: each payment buys its own videos, whoever does so month after month', async () => {
    const officer = await makePerson(service, 'User')
    await rows(sql`update person set free_projects = 1 where id = ${officer.id}`)
    let got = 0
    for (let payments = 1; payments <= 3; payments++) {
      await buyer(service, plans[0]!, officer)
      got += await sendIn(officer, 5)
      await useCard(service, officer, cards.fails)
      await passToDraft(service, officer)
      got += await sendIn(officer, 5)
      await passDays(service, 1)
      got += await sendIn(officer, 5)
      // Tried again for two weeks; then it ends.
      await passDays(service, 14)
      expect(await held(officer)).toEqual(Array.from({ length: payments }, () => 4))
    }
    // One month's more, and the grace of the last renewal.
    expect(got).toBeLessThanOrEqual(3 * 4 + 4 + 4)
  })
})

describe('a pause', () => {
  it('that comes just after a renewal began is refused, and a later one charges no period twice', async () => {
    const officer = await buyer(service, plans[0]!)
    const as = callConfirmed(service, officer)
    const real = payments()
    // The period begins while the call is on its way.
    const late = async (...asked: Parameters<typeof real.pause>) => {
      await passToDraft(service, officer)
      return real.pause(...asked)
    }
    usePayments({ ...real, pause: late })
    try {
      expect(await outcome(as(subscriptions.pause, {}))).toBe('subscription.changing')
    } finally {
      usePayments(real)
    }
    const { pausedFrom, currentPeriodEnd } = await as(subscriptions.active, {})
    expect(pausedFrom).toBeUndefined()
    expect((await as(subscriptions.pause, {})).pausedFrom).toBe(currentPeriodEnd)
    await passDays(service, 1)
    expect(await held(officer)).toEqual([4, 4])
    // Nothing is used up by a pause that was begun in time.
    await as(subscriptions.resume, { body: { shown: { due: 0, renewalPrice: 10_000 } } })
    const charged = await rows(sql<{ price: number }>`select price from charge where user_id = ${officer.id} and paid`)
    expect(charged).toHaveLength(2)
  })
})

describe('seats of a company that pays by card', () => {
  const company = async (seats: number) => {
    const tenantId = await makeTenant(service, seats)
    const boss = await buyer(service, plans[0]!, await makePerson(service, 'ADMIN', { tenantId }))
    const admin = await makePerson(service, 'ADMIN', { tenantId: null })
    await work(tenantId)
    return {
      tenantId,
      boss,
      set: async (totalUsersAllowed: number) => {
        await callConfirmed(service, admin)(tenants.update, { body: { tenantId, data: { totalUsersAllowed } } })
      },
    }
  }
  const jobs = (tenantId: string) =>
    rows(sql<{ data: { tenantId: string } }>`
    delete from pgboss.job where name = 'seats' and data->>'tenantId' = ${tenantId} returning data`)
  /** Does what waits to be done about its seats; answers what became of each. */
  const work = async (tenantId: string) => {
    const became = []
    for (const { data } of await jobs(tenantId))
      became.push(await outcome(registry.seats.run(data, jobContext(service))))
    return became
  }
  const paidFor = async (tenantId: string) =>
    (await rows(sql<{ quantity: number }>`select quantity from subscription where tenant_id = ${tenantId}`)).map(
      ({ quantity }) => quantity,
    )

  it('that are changed while a renewal is a draft are followed once it is paid', async () => {
    const { tenantId, boss, set } = await company(10)
    await passToDraft(service, boss)
    await set(3)
    expect(await work(tenantId)).toEqual(['done'])
    expect(await paidFor(tenantId)).toEqual([10])
    await passDays(service, 1)
    expect(await work(tenantId)).toEqual(['done'])
    expect(await paidFor(tenantId)).toEqual([3])
  })

  it('are asked about again each day where the card did not pay their difference, once at a time', async () => {
    const { tenantId, boss, set } = await company(3)
    await useCard(service, boss, cards.fails)
    await set(5)
    expect(await work(tenantId)).toEqual(['Error: payment.declined'])
    await useCard(service, boss, cards.pays)
    await jobs(tenantId)
    for (let twice = 0; twice < 2; twice++) await reconcile(service.database, new Date(), true)
    expect(await work(tenantId)).toEqual(['done'])
    expect(await paidFor(tenantId)).toEqual([5])
    await reconcile(service.database, new Date(), true)
    expect(await work(tenantId)).toEqual([])
  })
})
