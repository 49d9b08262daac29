import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { reports } from '@clear-to-post/contract/reports'
import { dayIn } from '@clear-to-post/domain/calendar'
import { submitProject } from '../../test/factories.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  makeTenant,
  openService,
  outcome,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'

let service: Service
let admin: Person, companyAdmin: Person, editor: Person, officer: Person
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
  companyAdmin = await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) })
  editor = await makePerson(service, 'Editor')
  officer = await makeOfficer(service)
})
afterAll(() => service.close())

const as = (person: Person) => callAs(service, person)
const allDay = Array.from({ length: 7 }, () => ({ from: '00:00', to: '23:59' }))

it('without open work, an editor or a cut that was sent, the forecast says which is missing', async () => {
  expect(await as(admin)(reports.forecast, {})).toMatchObject({ open: 0, editors: 1, usual: 1, reason: 'nothing-open' })
  await submitProject(service, officer)
  expect(await as(admin)(reports.forecast, {})).toMatchObject({ open: 1, reason: 'no-pace' })
  // Another company's ADMIN sees neither the video nor the editor who serves all.
  expect(await as(companyAdmin)(reports.forecast, {})).toEqual({
    open: 0,
    editors: 0,
    usual: 0,
    away: 0,
    reason: 'nothing-open',
  })
})

it('open work is clear once the editor had the median of the last cuts for each video, and days off put it later', async () => {
  const { id: projectId } = await submitProject(service, officer)
  // Begun three hours ago, sent an hour ago: a cut takes two hours of an editor who works all day.
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into project_event (project_id, seq, user_id, tenant_id, verb, from_status, to_status, title, description, metadata,
        actor_id, actor_role, actor_serves_all, at)
      select p.id, 100 + n, p.user_id, p.tenant_id, case n when 1 then 'start' else 'send' end, p.status, p.status, 'A step', '',
        '{}', ${editor.id}, 'Editor', true, now() - (case n when 1 then interval '3 hours' else interval '1 hour' end)
      from project p cross join generate_series(1, 2) n where p.id = ${projectId}`),
  )
  const kept = await as(editor)(accounts.update, { body: { workWeek: allDay, timezone: 'UTC' } })
  expect(kept.workWeek).toEqual(allDay)
  const before = Date.now()
  const { clearBy, ...found } = await as(admin)(reports.forecast, {})
  expect(found).toMatchObject({ open: 2, editors: 1, usual: 0, away: 0 })
  expect(found.paceHours).toBeGreaterThan(1.9)
  expect(found.paceHours).toBeLessThan(2.1)
  const hours = (Date.parse(clearBy!) - before) / 3_600_000
  expect(hours).toBeGreaterThan(3.8)
  expect(hours).toBeLessThan(4.3)

  const today = dayIn(new Date(), 'UTC')
  const later = dayIn(new Date(before + 9 * 86_400_000), 'UTC')
  const away = { body: { userId: editor.id, timeOff: [{ from: today, to: later }] } }
  await as(admin)(accounts.update, away)
  const put = await as(admin)(reports.forecast, {})
  expect(put.away).toBe(1)
  expect(Date.parse(put.clearBy!) - before).toBeGreaterThan(9 * 86_400_000)
  // An editor's hours are theirs and their ADMIN's, and nobody else's.
  expect(await outcome(as(companyAdmin)(accounts.update, away))).toBe('account.not-found')
  for (const wrong of [
    { workWeek: allDay.slice(1) },
    { workWeek: allDay.map(() => ({ from: '17:00', to: '09:00' })) },
    { timeOff: [{ from: '2030-01-02', to: '2030-01-01' }] },
  ])
    expect(await outcome(as(editor)(accounts.update, { body: wrong }))).toBe('request.invalid')
})
