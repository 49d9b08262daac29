import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { audit } from '@clear-to-post/contract/audit'
import { reports, type PaidEditor } from '@clear-to-post/contract/reports'
import { seeded, seedOfRun } from '../../test/random.ts'
import {
  callAs,
  callConfirmed,
  makeOfficer,
  makePerson,
  makeTenant,
  openService,
  outcome,
  type Person,
  type Service,
} from '../../test/service.ts'
import { takeSteps, type TakenStep } from '../../test/taken-steps.ts'
import { sql } from '../kernel/database.ts'

let service: Service
let admin: Person, editor: Person, officer: Person
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
  editor = await makePerson(service, 'Editor', { name: 'Ed', timeZone: 'UTC' })
  officer = await makeOfficer(service)
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const hour = 3_600_000
const rate = { unit: 'hour' as const, amount: 4_000, currency: 'usd' }
const set = (fromMonth: string, given: typeof rate | null, by = admin, who = editor) =>
  as(by)(reports.setRate, { body: { editorId: who.id, fromMonth, rate: given } })
const editorIn = (timeZone: string) => makePerson(service, 'Editor', { timeZone })
const payrollOf = async (month: string, who: Person, by = admin): Promise<PaidEditor | undefined> =>
  (await callAs(service, by)(reports.payroll, { query: { month, timezone: 'UTC' } })).items.find(
    ({ id }) => id === who.id,
  )

/** Steps of a video that this editor began and sent to approval. */
const work = (who: Person, startedAt: string, sentAt: string) =>
  steps([
    ['start', startedAt, who],
    ['send', sentAt, who],
  ])

const steps = (taken: TakenStep[]) => takeSteps(service, { officer, admin }, taken)

it('an hour in hand is paid within the editor’s hours, at the same time once, by the rate of the month', async () => {
  // A Monday; nine to five in UTC.
  await work(editor, '2026-03-02T10:00:00Z', '2026-03-02T14:00:00Z')
  await work(editor, '2026-03-02T12:00:00Z', '2026-03-03T10:00:00Z')
  expect(await payrollOf('2026-03', editor)).toMatchObject({ inHandMs: 8 * hour, approved: 0, lengthMs: 0 })
  expect(await payrollOf('2026-03', editor)).not.toHaveProperty('pay')
  await set('2026-02', { ...rate, amount: 1_000 })
  await set('2026-04', { ...rate, amount: 9_000 })
  expect(await payrollOf('2026-03', editor)).toMatchObject({
    rate: { amount: 1_000, fromMonth: '2026-02' },
    pay: 8_000,
  })
  // The same month again replaces it, and null ends it.
  await set('2026-03', rate)
  await set('2026-03', { ...rate, amount: 5_000 })
  expect(await payrollOf('2026-03', editor)).toMatchObject({ pay: 40_000 })
  await set('2026-03', null)
  expect(await payrollOf('2026-03', editor)).not.toHaveProperty('rate')
  expect(await payrollOf('2026-04', editor)).toMatchObject({ rate: { amount: 9_000 }, inHandMs: 0, pay: 0 })
  // What was undone counts nowhere.
  const undone = await work(editor, '2026-03-05T10:00:00Z', '2026-03-05T14:00:00Z')
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into project_event (project_id, seq, user_id, tenant_id, verb, from_status, to_status, title, description, metadata,
        actor_id, actor_role, actor_serves_all, at, undoes)
      select p.id, 102, p.user_id, p.tenant_id, 'rollback', p.status, p.status, 'A step', '', '{}', ${editor.id}, 'Editor', true, now(), 101
      from project p where p.id = ${undone}`),
  )
  expect(await payrollOf('2026-03', editor)).toMatchObject({ inHandMs: 8 * hour })
  const { items } = await as(admin)(audit.list, { query: { wheres: ['kind:eq:rate'] } })
  expect(items.map(({ act }) => act)).toEqual(['changed', 'changed', 'added', 'added', 'added'])
  expect(items[0]).toMatchObject({ actor: { id: admin.id }, subject: { id: editor.id } })
})

it('a video that is handed over in progress is its first editor’s until then, and the next one’s from then on', async () => {
  const [first, second] = [await editorIn('UTC'), await editorIn('UTC')]
  const project = await steps([
    ['start', '2026-03-02T10:00:00Z', first],
    ['assign', '2026-03-02T13:00:00Z', second],
    ['send', '2026-03-02T15:00:00Z', second],
    // Given to somebody else once it is sent, nobody's hours go on.
    ['start', '2026-03-03T10:00:00Z', second],
    ['send', '2026-03-03T11:00:00Z', second],
  ])
  const handed = async () => [
    (await payrollOf('2026-03', first))?.inHandMs,
    (await payrollOf('2026-03', second))?.inHandMs,
  ]
  await set('2026-03', rate, admin, first)
  expect(await handed()).toEqual([3 * hour, 3 * hour])
  // A handing over that was undone was none.
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into project_event (project_id, seq, user_id, tenant_id, verb, from_status, to_status, title, description, metadata,
        actor_id, actor_role, actor_serves_all, at, undoes)
      select p.id, 110, p.user_id, p.tenant_id, 'rollback', p.status, p.status, 'A step', '', '{}', ${admin.id}, 'ADMIN', true, now(), 101
      from project p where p.id = ${project}`),
  )
  expect(await handed()).toEqual([5 * hour, 1 * hour])
})

it('hours that an editor sets pay no day and no week more than the usual one, and stand in the payroll', async () => {
  const greedy = await editorIn('America/Chicago')
  const paid = () => payrollOf('2026-03', greedy)
  await work(greedy, '2026-03-02T16:00:00Z', '2026-03-06T16:00:00Z')
  await set('2026-03', rate, admin, greedy)
  expect(await paid()).toMatchObject({ inHandMs: 32 * hour, pay: 128_000, timezone: 'America/Chicago' })
  expect(await paid()).not.toHaveProperty('workWeek')
  const always = Array.from({ length: 7 }, () => ({ from: '00:00', to: '23:59' }))
  await as(greedy)(accounts.update, { body: { workWeek: always } })
  expect(await paid()).toMatchObject({ inHandMs: 40 * hour, pay: 160_000, workWeek: always })
  await as(greedy)(accounts.update, { body: { workWeek: always.map(() => null) } })
  expect(await paid()).toMatchObject({ inHandMs: 32 * hour, pay: 128_000 })
})

it('days off that are over count for the hours of their month also once the editor says the next ones', async () => {
  const who = await editorIn('UTC')
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
  const [away, next] = [
    { from: day(23), to: day(17) },
    { from: day(-20), to: day(-30) },
  ]
  await work(who, `${day(24)}T09:00:00Z`, `${day(16)}T17:00:00Z`)
  const hoursWith = async (timeOff: { from: string; to: string }[]) => {
    await as(who)(accounts.update, { body: { timeOff } })
    return (await payrollOf(day(16).slice(0, 7), who))!.inHandMs / hour
  }
  const hours = await hoursWith([away])
  expect(await hoursWith([away, next])).toBe(hours)
  expect(await hoursWith([next])).toBeGreaterThan(hours)
})

it('the hours of all months together are those with anything in hand, up to a day’s and a week’s most', async () => {
  const random = seeded(seedOfRun())
  const busy = await makePerson(service, 'Editor', { timeZone: 'UTC' })
  const everyDay = Array.from({ length: 7 }, () => ({ from: '06:00', to: '20:00' }))
  await as(busy)(accounts.update, { body: { workWeek: everyDay } })
  const counted = new Set<number>()
  const first = Date.parse('2026-05-01T00:00:00Z')
  for (let i = 0; i < 12; i++) {
    // Whole hours, so that they can be counted one by one.
    const start = first + random.whole(0, 60 * 24) * hour
    const end = start + random.whole(1, 60) * hour
    await work(busy, new Date(start).toISOString(), new Date(end).toISOString())
    const within = Array.from({ length: (end - start) / hour }, (_, n) => start + n * hour)
    const own = within.filter((at) => new Date(at).getUTCHours() >= 6 && new Date(at).getUTCHours() < 20)
    // Outside of their hours the usual week's are none either.
    for (const at of own.length > 0 ? own : within.slice(0, 8)) counted.add(at)
  }
  let sum = 0
  for (const month of ['2026-04', '2026-05', '2026-06', '2026-07'])
    sum += (await payrollOf(month, busy))!.inHandMs / hour
  // Of a day at most eight count, of a week forty: 1970 began on a Thursday.
  const ofDays = Map.groupBy(counted, (at) => Math.floor(at / (24 * hour)))
  const weeks = new Map<number, number>()
  for (const [day, of] of ofDays) {
    const week = Math.floor((day + 3) / 7)
    weeks.set(week, (weeks.get(week) ?? 0) + Math.min(8, of.length))
  }
  const most = [...weeks.values()].reduce((all, some) => all + Math.min(40, some), 0)
  expect(sum, `seed ${seedOfRun()}`).toBe(most)
})

it('a company’s ADMIN pays the editors of that company alone, and nobody else sees what they are paid', async () => {
  const [tenantId, other] = [await makeTenant(service), await makeTenant(service)]
  const manager = await makePerson(service, 'ADMIN', { tenantId })
  const stranger = await makePerson(service, 'ADMIN', { tenantId: other })
  const own = await makePerson(service, 'Editor', { tenantId })
  await set('2026-01', rate, manager, own)
  expect(await payrollOf('2026-01', own, manager)).toMatchObject({ rate: { amount: 4_000 } })
  expect(await payrollOf('2026-01', own, stranger)).toBeUndefined()
  expect(await payrollOf('2026-01', editor, manager)).toBeUndefined()
  expect(await outcome(set('2026-01', rate, stranger, own))).toBe('account.not-found')
  expect(await outcome(set('2026-01', rate, manager, editor))).toBe('account.not-found')
  expect(await outcome(set('2026-01', rate, admin, officer))).toBe('account.not-found')
  expect(await outcome(as(own)(reports.payroll, { query: { month: '2026-01', timezone: 'UTC' } }))).toBe(
    'access.forbidden',
  )
})

it('a rate that makes no sense is refused, and so is one from very many months on', async () => {
  for (const wrong of [
    { fromMonth: '2026-13' },
    { rate: { ...rate, amount: 0 } },
    { rate: { ...rate, unit: 'video' } },
  ])
    expect(
      await outcome(
        as(admin)(reports.setRate, { body: { editorId: editor.id, fromMonth: '2026-01', rate, ...wrong } as never }),
      ),
    ).toBe('request.invalid')
  expect(await outcome(set('2026-01', rate, admin, { ...editor, id: randomUUID() }))).toBe('account.not-found')
  const many = await makePerson(service, 'Editor')
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into editor_rate (person_id, from_month, unit, amount, currency, set_by)
      select ${many.id}, to_char(date '2000-01-01' + n * interval '1 month', 'YYYY-MM'), 'hour', 1, 'usd', ${admin.id}
      from generate_series(0, 119) n`),
  )
  expect(await outcome(set('2026-01', rate, admin, many))).toBe('rate.too-many')
  await set('2000-01', rate, admin, many)
})
