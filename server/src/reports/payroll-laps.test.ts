import { afterAll, beforeAll, expect, it } from 'vitest'
import pg from 'pg'
import { reports } from '@clear-to-post/contract/reports'
import { callAs, makeOfficer, makePerson, openService, type Person, type Service } from '../../test/service.ts'
import { takeSteps } from '../../test/taken-steps.ts'
import { lapsOf } from './payroll-laps.ts'
import type { Lap, Stay } from './payroll-store.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
})
afterAll(() => service.close())

const hour = 3_600_000
const begin = Date.parse('2026-03-02T08:00:00Z')
const at = (minutes: number) => new Date(begin + minutes * 60_000)

/** So many videos in hand one after another, or all at once, and so many stays as an editor with a minute between. */
const history = (videos: number, many: number, isAtOnce: boolean) => {
  let reads = 0
  const counted = <T extends object>(one: T): T =>
    new Proxy(one, {
      get: (target, name) => {
        reads++
        return Reflect.get(target, name) as unknown
      },
    })
  const length = many * 4
  const stays = Array.from({ length: many }, (_, i) =>
    counted<Stay>({ person_id: 'e', tenant_id: 't', since: i === 0 ? null : at(i * 4), until: at(i * 4 + 3) }),
  )
  const each = length / videos
  const begun = Array.from({ length: videos }, (_, i) =>
    counted<Lap>({
      editor_id: 'e',
      tenant_id: 't',
      started_at: at(i * each * (isAtOnce ? 0.5 : 1)),
      ended_at: isAtOnce ? null : at((i + 1) * each),
    }),
  )
  const sent = isAtOnce ? [] : begun.map((lap) => counted({ ...lap, ended_at: lap.ended_at! }))
  reads = 0
  return { stays, begun, sent, readsOf: () => reads }
}

/** Minutes of these laps, what lies upon each other once. */
const minutesOf = (laps: readonly { started_at: Date; ended_at: Date }[]): number => {
  const minutes = new Set<number>()
  for (const { started_at, ended_at } of laps)
    for (let one = Math.floor((started_at.getTime() - begin) / 15_000); at(one / 4) < ended_at; one++)
      if (at(one / 4) >= started_at) minutes.add(one)
  return minutes.size / 4
}

it.each([
  ['one after another', false],
  ['all at once', true],
])('videos in hand %s, and stays that end, are read a few times each, and not each for each', (_, isAtOnce) => {
  const { stays, begun, sent, readsOf } = history(300, 3_600, isAtOnce)
  const laps = lapsOf(stays, sent, begun, at(1_000_000))
  const all = stays.length + begun.length + sent.length
  expect(laps.length).toBeLessThanOrEqual(all)
  expect(readsOf()).toBeLessThan(30 * all)
  // Three of four minutes, from the first begin on.
  expect(minutesOf(laps)).toBe(3_600 * 3)
})

it('an editor who is disabled and let in again with videos in hand has those minutes alone in the payroll', async () => {
  const officer = await makeOfficer(service)
  const editor = await makePerson(service, 'Editor', { tenantId: officer.tenantId, timeZone: 'UTC' })
  for (const sentAt of ['2026-03-02T15:00:00Z', '2026-03-03T09:00:00Z'])
    await takeSteps(service, { officer, admin }, [
      ['start', '2026-03-02T10:00:00Z', editor],
      ['send', sentAt, editor],
    ])
  const superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
  await superuser.connect()
  // In for two hours, out for one, beginning at nine.
  await superuser.query(`delete from membership where person_id = '${editor.id}'`)
  await superuser.query(`
    insert into membership (person_id, tenant_id, since, until, role, is_disabled, time_zone, time_off)
    select '${editor.id}', '${officer.tenantId}', case when i > 0 then s end, case when i < 5 then s + l end, 'Editor', i % 2 = 1, 'UTC', '[]'
    from generate_series(0, 5) i, lateral (select timestamptz '2026-03-02T09:00:00Z' + (i / 2) * interval '3 hours'
      + (i % 2) * interval '2 hours' as s, case i % 2 when 0 then interval '2 hours' else interval '1 hour' end as l) x`)
  await superuser.end()
  const { items } = await callAs(service, admin)(reports.payroll, { query: { month: '2026-03', timezone: 'UTC' } })
  // 10 to 11, 12 to 14 and 15 to 17.
  expect(items.find(({ id }) => id === editor.id)!.inHandMs / hour).toBe(5)
})
