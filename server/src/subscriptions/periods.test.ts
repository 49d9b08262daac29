import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { periodEnd } from '@clear-to-post/domain/money'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { addPlans, anyChange, buyer, settle } from '../../test/buying.ts'
import { letDayPass, submitProject } from '../../test/factories.ts'
import { callAs, callConfirmed, openService, outcome, type Person, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { keepPeriod, monthsLeft } from './store.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())
const write = (query: ReturnType<typeof sql>) => service.database.asSystem((tx) => tx.count(query))
/** The videos that somebody's only period holds, and the part of it that is left. */
const held = async ({ id }: Person) => {
  const rows = await service.database.asSystem((tx) =>
    tx.rows(sql<{ videos: number; left: number }>`
      select p.videos, (extract(epoch from p.ends - now()) / extract(epoch from p.ends - p.starts))::double precision as left
      from subscription_period p join subscription s on s.id = p.subscription_id where s.user_id = ${id}`),
  )
  expect(rows).toHaveLength(1)
  return rows[0]!
}
/** As if the running year had begun so long ago. */
const age = ({ id }: Person, ago: string) =>
  service.database.asSystem(async (tx) => {
    const started = sql`date_trunc('second', now()) - ${ago}::interval`
    await tx.count(sql`
      update subscription_period p set starts = ${started}, ends = ${started} + interval '1 year' from subscription s
      where s.id = p.subscription_id and s.user_id = ${id}`)
    await tx.count(sql`
      update subscription set current_period_start = ${started}, current_period_end = ${started} + interval '1 year'
      where user_id = ${id}`)
    await tx.count(sql`
      update sandbox_object o set body = body || jsonb_build_object('anchor', s.current_period_start,
        'periodStart', s.current_period_start, 'periodEnd', s.current_period_end)
      from subscription s where o.id = s.provider_id and s.user_id = ${id}`)
  })
const take = async (officer: Person, planId: string) => {
  await callConfirmed(service, officer)(subscriptions.updatePlan, anyChange(planId))
  await settle(service)
}
/** What becomes of so many videos in a new month. */
const sendIn = async (officer: Person, n: number) => {
  await write(sql`update quota_use set used = 0 where user_id = ${officer.id}`)
  const outcomes = new Set<string>()
  for (let i = 0; i < n; i++) {
    outcomes.add(await outcome(submitProject(service, officer, { title: 'Rates' })))
    await letDayPass(service)
  }
  return [...outcomes]
}

it('the months of a year that are left begin as they are charged, also after the 31st', async () => {
  const moments = [0, -1, 1].flatMap((second) =>
    ['2026-01-31', '2026-08-31', '2028-02-29', '2026-11-30'].flatMap((day) => {
      const starts = new Date(`${day}T10:00:00Z`)
      return Array.from({ length: 11 }, (_, n) => ({
        starts,
        at: new Date(periodEnd(starts, 'month', n + 1).getTime() + second * 1000),
        left: second < 0 ? 12 - n : 11 - n,
      }))
    }),
  )
  const wrong: unknown[] = []
  await service.database.asSystem(async (tx) => {
    for (const { starts, at, left } of moments) {
      const found = await tx.first(sql<{ months: number }>`
        select ${monthsLeft(sql`${at}::timestamptz`)} as months
        from (select ${starts}::timestamptz as starts, ${periodEnd(starts, 'year', 1)}::timestamptz as ends) p`)
      if (found!.months !== left) wrong.push([starts, at, left, found!.months])
    }
  })
  expect(wrong).toEqual([])
})

describe('a year that was paid', () => {
  it('holds more for the months that are left when the plan is made bigger, and less for the rest when smaller', async () => {
    const [, , year] = await addPlans(service, 2)
    const officer = await buyer(service, year!)
    expect((await held(officer)).videos).toBe(24)
    await age(officer, '11 months 10 days')
    const seats = async (quantity: number) => {
      const { provider_id } = (await service.database.asSystem((tx) =>
        tx.first(sql<{ provider_id: string }>`
          update subscription set quantity = ${quantity} where user_id = ${officer.id} returning provider_id`),
      ))!
      for (let twice = 0; twice < 2; twice++) await service.database.asSystem((tx) => keepPeriod(tx, provider_id, true))
      return (await held(officer)).videos
    }
    // Eleven months of 2 videos and one of 20; what is made smaller is credited for the days that are left, and paid again.
    expect(await seats(10)).toBe(42)
    const fewer = await seats(1)
    expect(Math.abs(fewer - (42 - 216 * (await held(officer)).left))).toBeLessThanOrEqual(1)
    expect(await seats(10)).toBe(fewer + 18)
    expect(await seats(20)).toBe(fewer + 18 + 20)
  })

  it('holds the months that are left when the plan is made smaller within it, and no more than was paid', async () => {
    const [, , big] = await addPlans(service, 4)
    const [, , small] = await addPlans(service, 2)
    await write(sql`update plan set price = price / 2 where id = ${small!}`)
    const officer = await buyer(service, big!)
    for (let month = 0; month < 5; month++) expect(await sendIn(officer, 4)).toEqual(['done'])
    await age(officer, '5 months')
    await take(officer, small!)
    // As many as the money says: the half of what is left of the year came back.
    const { videos } = await held(officer)
    const { credit } = await callAs(service, officer)(subscriptions.active, {})
    expect(Math.abs(videos - (48 - (48 * credit!) / 100_000))).toBeLessThanOrEqual(1)
    for (let month = 5; month < 12; month++) expect(await sendIn(officer, 2), `month ${month}`).toEqual(['done'])
    // A month of the bigger plan ahead, once.
    for (let used = 34; used < videos + 4; used++) expect(await sendIn(officer, 1)).toEqual(['done'])
    expect(await sendIn(officer, 1)).toEqual(['project.payments-used'])
  })

  it('holds what was used ahead of its months, whose price does not come back', async () => {
    const [, , big] = await addPlans(service, 4)
    const [, , small] = await addPlans(service, 1)
    await write(sql`update plan set price = price / 4 where id = ${small!}`)
    const officer = await buyer(service, big!)
    // Bought at a month's end: two calendar months in one of the plan's.
    for (let month = 0; month < 2; month++) expect(await sendIn(officer, 4)).toEqual(['done'])
    await age(officer, '2 days')
    await take(officer, small!)
    expect((await held(officer)).videos).toBe(8 + 10)
  })

  it('holds the whole of what is left again when the plan becomes bigger after it was smaller', async () => {
    const [, , big] = await addPlans(service, 4)
    const [, , small] = await addPlans(service, 1)
    await write(sql`update plan set price = price / 4 where id = ${small!}`)
    const officer = await buyer(service, big!)
    for (let month = 0; month < 3; month++) expect(await sendIn(officer, 4)).toEqual(['done'])
    await age(officer, '3 months 1 day')
    await take(officer, small!)
    await take(officer, big!)
    for (let month = 3; month < 12; month++) expect(await sendIn(officer, 4), `month ${month}`).toEqual(['done'])
  })
})
