import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { reports } from '@clear-to-post/contract/reports'
import {
  callAs,
  callConfirmed,
  makeOfficer,
  makePerson,
  makeTenant,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { cutMs, takeSteps, type TakenStep } from '../../test/taken-steps.ts'

let service: Service
let admin: Person, officer: Person, company: Person, other: Person
let from: string, to: string
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
  officer = await makeOfficer(service)
  ;[from, to] = [officer.tenantId!, await makeTenant(service)]
  company = await makePerson(service, 'ADMIN', { tenantId: from })
  other = await makePerson(service, 'ADMIN', { tenantId: to })
})
afterAll(() => service.close())

const hour = 3_600_000
const steps = (taken: TakenStep[], of = officer) => takeSteps(service, { officer: of, admin }, taken)
const setRate = (by: Person, editor: Person, amount: number, unit: 'hour' | 'minute' = 'hour') =>
  callConfirmed(service, by)(reports.setRate, {
    body: { editorId: editor.id, fromMonth: '2026-01', rate: { unit, amount, currency: 'usd' } },
  })
/** Moves an editor as the service's ADMIN does, as if it had been at this instant. */
const move = async (editor: Person, tenantId: string | null, at: string): Promise<Person> => {
  await callConfirmed(service, admin)(
    accounts.update,
    { body: { userId: editor.id, tenantId } },
    { requestId: randomUUID() },
  )
  const superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
  await superuser.connect()
  await superuser.query(`
    update membership set until = '${at}'
      where id = (select id from membership where person_id = '${editor.id}' and until is not null order by until desc limit 1);
    update membership set since = '${at}' where person_id = '${editor.id}' and until is null`)
  await superuser.end()
  // What they were signed in with ended with the move.
  const { stamp } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ stamp: number }>`select security_stamp as stamp from person where id = ${editor.id}`),
  ))!
  const moved = { ...editor, tenantId, securityStamp: stamp }
  return { ...moved, token: await service.identity.signIdToken(moved) }
}
/** What stands of an editor in the payroll that somebody reads: whose it is, hours, approved videos, and pay. */
const payOf = async (by: Person, editor: Person, month = '2026-03') =>
  (await callAs(service, by)(reports.payroll, { query: { month, timezone: 'UTC' } })).items
    .filter(({ id }) => id === editor.id)
    .map((one) => ({ hours: one.inHandMs / hour, approved: one.approved, pay: one.pay, hasLeft: one.hasLeft ?? false }))
    .toSorted((a, b) => Number(b.hasLeft) - Number(a.hasLeft))

it('an editor who is moved within a month is paid by each company for its work, once, at its own rate', async () => {
  const officerThere = await makePerson(service, 'User', { tenantId: to })
  let editor = await makePerson(service, 'Editor', { tenantId: from, timeZone: 'UTC' })
  await setRate(company, editor, 1_000)
  const before: TakenStep[] = [
    ['start', '2026-03-02T10:00:00Z', editor],
    ['send', '2026-03-02T14:00:00Z', editor],
  ]
  // Approved once they are somewhere else: it was edited for the company before.
  await steps([...before, ['approve', '2026-03-20T14:00:00Z', editor]])
  // In hand when they are moved, and sent by somebody else later on.
  await steps([
    ['start', '2026-03-10T09:00:00Z', editor],
    ['assign', '2026-03-12T09:00:00Z', admin],
    ['send', '2026-03-12T10:00:00Z', admin],
  ])
  // In hand when they are moved, and nobody has gone on with it.
  await steps([['start', '2026-03-10T10:00:00Z', editor]])
  editor = await move(editor, to, '2026-03-10T12:00:00Z')
  await setRate(other, editor, 9_000)
  await steps(
    [
      ['start', '2026-03-17T10:00:00Z', editor],
      ['send', '2026-03-17T12:00:00Z', editor],
      ['approve', '2026-03-17T13:00:00Z', editor],
    ],
    officerThere,
  )

  const [former, current] = [
    { hours: 7, approved: 1, pay: 7_000, hasLeft: true },
    { hours: 2, approved: 1, pay: 18_000, hasLeft: false },
  ]
  expect(await payOf(company, editor)).toEqual([former])
  expect(await payOf(other, editor)).toEqual([current])
  expect(await payOf(admin, editor)).toEqual([former, current])
  // Where they left, nothing follows; where they came, nothing was before.
  expect([await payOf(company, editor, '2026-04'), await payOf(other, editor, '2026-02')]).toEqual([[], []])
})

it('an editor of the service who joins a company is paid by the service for what was before the move', async () => {
  let editor = await makePerson(service, 'Editor', { timeZone: 'UTC' })
  await setRate(admin, editor, 400, 'minute')
  const taken: TakenStep[] = [
    ['start', '2026-03-02T10:00:00Z', editor],
    ['send', '2026-03-02T11:00:00Z', editor],
  ]
  await steps([...taken, ['approve', '2026-03-09T14:00:00Z', editor]])
  // They go on with it where they are now.
  await steps([
    ['start', '2026-03-05T09:00:00Z', editor],
    ['send', '2026-03-05T15:00:00Z', editor],
    ['approve', '2026-03-06T10:00:00Z', editor],
  ])
  editor = await move(editor, from, '2026-03-05T13:00:00Z')
  await setRate(company, editor, 500, 'minute')
  const [former, current] = [
    { hours: 5, approved: 1, pay: (400 * cutMs) / 60_000, hasLeft: true },
    { hours: 2, approved: 1, pay: (500 * cutMs) / 60_000, hasLeft: false },
  ]
  expect(await payOf(company, editor)).toEqual([current])
  expect(await payOf(admin, editor)).toEqual([former, current])
})

it('a company reads of an editor who left their name and hours of then, and nothing that they set elsewhere', async () => {
  const editor = await makePerson(service, 'Editor', { tenantId: from, timeZone: 'UTC', name: 'Ed' })
  const week = (to: string) => Array.from({ length: 7 }, () => ({ from: '09:00', to }))
  await callConfirmed(service, editor)(accounts.update, { body: { workWeek: week('11:00') } })
  await steps([
    ['start', '2026-03-02T09:00:00Z', editor],
    ['send', '2026-03-02T16:00:00Z', editor],
  ])
  const moved = await move(editor, to, '2026-03-20T12:00:00Z')
  await callConfirmed(service, moved)(accounts.update, { body: { workWeek: week('16:00'), timezone: 'Asia/Tokyo' } })
  const { items } = await callAs(service, company)(reports.payroll, { query: { month: '2026-03', timezone: 'UTC' } })
  const row = items.find(({ id }) => id === editor.id)!
  expect(row).toMatchObject({ name: 'Ed', inHandMs: 2 * hour, workWeek: week('11:00'), timezone: 'UTC', hasLeft: true })
  expect(row).not.toHaveProperty('email')
  // In another company they have no rate until it sets one, and its ADMIN does not see that there was work before.
  expect(await payOf(other, moved)).toEqual([{ hours: 0, approved: 0, pay: undefined, hasLeft: false }])
})

it('a rate of a company is no other one’s, also once its editor is moved', async () => {
  const editor = await makePerson(service, 'Editor', { tenantId: from })
  await setRate(company, editor, 1_000)
  const moved = await move(editor, to, '2026-03-10T12:00:00Z')
  // Nobody reads it as the other one’s, whoever reads all of them included.
  expect((await payOf(admin, moved)).map(({ pay }) => pay)).toEqual([undefined])
  await expect(setRate(company, moved, 2_000)).rejects.toMatchObject({ code: 'account.not-found' })
})
