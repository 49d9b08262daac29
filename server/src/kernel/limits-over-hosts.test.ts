import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type Service } from '../../test/service.ts'
import { sql, type Database } from './database.ts'
import { dropEndedCounts, limitsOverHosts } from './limits-over-hosts.ts'

let service: Service
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

test('tries from a net that is past its bound ask the database for nothing more and leave no rows', async () => {
  let asked = 0
  const limits = limitsOverHosts({
    asSystem: (work) => {
      asked += 1
      return service.database.asSystem(work)
    },
  } satisfies Pick<Database, 'asSystem'>)
  const rows = async () =>
    (await service.database.asSystem((tx) =>
      tx.first(sql<{ all: number; empty: number }>`
        select count(*)::integer as all, count(*) filter (where count = 0)::integer as empty from limit_count where name = 'tries'`),
    ))!
  let letIn = 0
  const from = async (ip: string) => {
    const { current } = await limits.countTry('tries', ip, { most: 5, windowMs: 60_000 })
    if (current <= 5) letIn += 1
  }
  // Each from another /64 of one /48, which may try four times as often as one of them.
  for (let n = 0; n < 600; n++) await from(`2001:db8:1:${n.toString(16)}::1`)
  expect(letIn).toBe(20)
  expect(asked).toBeLessThanOrEqual(letIn + 2)
  // Of each that was let in its /64, and the nets above.
  expect(await rows()).toEqual({ all: expect.any(Number), empty: 0 })
  expect((await rows()).all).toBeLessThanOrEqual(2 * letIn + 1)
  // Another host, which does not know yet, writes nothing either.
  const before = await rows()
  const other = limitsOverHosts(service.database)
  expect((await other.countTry('tries', '2001:db8:1:ffff::1', { most: 5, windowMs: 60_000 })).current).toBeGreaterThan(
    5,
  )
  expect(await rows()).toEqual(before)
  // Others are let in, and what has ended goes.
  await from('2001:db8:2:1::1')
  expect(letIn).toBe(21)
  await service.database.asSystem((tx) => tx.count(sql`update limit_count set ends_at = now() - interval '1 second'`))
  await dropEndedCounts(service.database)
  expect((await rows()).all).toBe(0)
})
