import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ICalCalendar } from 'ical-generator'
import ICAL from 'ical.js'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { calendar } from '@clear-to-post/contract/calendar'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { runNotices } from '../../test/mails.ts'
import { submitProject } from '../../test/factories.ts'
import {
  callConfirmed,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  subscribe,
  type Person,
  type Service,
} from '../../test/service.ts'
import { freshDatabase } from '../../test/database.ts'
import { openDatabase, sql } from '../kernel/database.ts'
import { suppressOldDeliveries } from '../main/old-deliveries.ts'
import { migrate } from '../postgres/migrate.ts'
import { calendarBehind } from './actions.ts'

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))

let service: Service
let officer: Person, editor: Person, qa: Person
beforeAll(async () => {
  service = await openService({ PUBLIC_URL: 'https://video.test', SEED: 'none' })
  officer = await makePerson(service, 'User', { timeZone: 'America/Denver' })
  editor = await makePerson(service, 'Editor')
  qa = await makePerson(service, 'QA')
  await subscribe(service, { userId: officer.id })
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const linkOf = async (person: Person) => new URL((await as(person)(calendar.renew, {})).url).pathname
const ask = (url: string, headers: Record<string, string> = {}) => service.app.inject({ url, headers })
/** A calendar as an independent parser reads it. */
const readAs = async (person: Person) => {
  const { body } = await ask(await linkOf(person))
  const root = new ICAL.Component(ICAL.parse(body) as [string, unknown[], unknown[]])
  return root.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component)
    return {
      uid: event.uid,
      summary: event.summary,
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
      zone: event.startDate.zone?.tzid,
      url: component.getFirstPropertyValue('url'),
      status: component.getFirstPropertyValue('status'),
      sequence: event.sequence,
      alarm: String(component.getFirstSubcomponent('valarm')?.getFirstPropertyValue('trigger')),
    }
  })
}
const title = `Rates, fees; and “points” \\ explained – ${'ein schönes 🏡 für dich, '.repeat(3)}end`

/** A video as far as its officer has scheduled it. */
const schedule = async (publishAt: string) => {
  const { id } = await submitProject(service, officer, { title })
  const at = { params: { projectId: id } }
  await as(editor)(projects.start, { body: { projectId: id } })
  await as(editor)(projects.send, { ...at, body: { finalVideoId: await makeVideo(service, editor, { id }) } })
  await as(qa)(projects.approve, at)
  await as(officer)(projects.schedule, { ...at, body: { publishAt } })
  return id
}

test('an officer’s calendar shows publishing times and an editor’s shows due times, to the minute in any zone', async () => {
  // An hour after the clocks changed in Denver, next March: an instant is the same one everywhere.
  const publishAt = `${new Date().getUTCFullYear() + 1}-03-20T09:30:00.000Z`
  const id = await schedule(publishAt)
  const [video] = await readAs(officer)
  expect(video).toMatchObject({
    uid: `publish-${id}@video.test`,
    summary: `Goes out: ${title}`,
    start: publishAt,
    zone: 'UTC',
    url: `https://video.test/panel/projects/${id}`,
    status: 'CONFIRMED',
    alarm: '-PT1H',
  })
  expect(Date.parse(video!.end) - Date.parse(video!.start)).toBe(15 * 60_000)
  expect(await readAs(editor)).toEqual([])
  expect(await readAs(qa)).toEqual([])

  const other = await submitProject(service, officer, { title: 'In hand' })
  await as(editor)(projects.start, { body: { projectId: other.id } })
  const { due_by } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ due_by: Date }>`select due_by from project where id = ${other.id}`),
  ))!
  const [due] = await readAs(editor)
  expect(due).toMatchObject({ uid: `due-${other.id}@video.test`, summary: 'Due: In hand' })
  expect(Math.abs(Date.parse(due!.end) - due_by.getTime())).toBeLessThan(1000)

  // In revision the entry stays, as tentative.
  await as(officer)(projects.review, { params: { projectId: id }, body: { revision: 'Shorter' } })
  const [tentative] = await readAs(officer)
  expect(tentative).toMatchObject({ uid: video!.uid, start: publishAt, status: 'TENTATIVE' })
  expect(tentative!.sequence).toBeGreaterThan(video!.sequence)
})

test('an editor who moves to another company or edits no more loses the old company’s calendar entries', async () => {
  const moved = await makePerson(service, 'Editor')
  const { id } = await submitProject(service, officer, { title: 'Old company' })
  await as(moved)(projects.start, { body: { projectId: id } })
  const link = await linkOf(moved)
  const shows = async () => (await ask(link)).body.includes('Old company')
  const change = (to: ReturnType<typeof sql>) =>
    service.database.asSystem((tx) => tx.count(sql`update person set ${to} where id = ${moved.id}`))
  expect(await shows()).toBe(true)
  await change(sql`tenant_id = ${await makeTenant(service)}`)
  expect(await shows()).toBe(false)
  await change(sql`tenant_id = null`)
  expect(await shows()).toBe(true)
  await change(sql`role = 'QA'`)
  expect(await shows()).toBe(false)
})

test('a calendar keeps to RFC 5545, with lines of at most 75 octets ended by CRLF, and other parsers read it', async () => {
  const response = await ask(await linkOf(officer))
  expect(response.headers['content-type']).toBe('text/calendar; charset=utf-8')
  const lines = response.rawPayload.toString('latin1').split('\r\n')
  expect(lines.join('')).not.toMatch(/[\r\n]/)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(75)
  expect(lines.filter((line) => line.startsWith(' ')).length).toBeGreaterThan(2)
  expect(lines.indexOf('X-WR-TIMEZONE:America/Denver')).toBeGreaterThan(0)
  expect(lines.findLastIndex((line) => line.startsWith('X-WR-'))).toBeLessThan(lines.indexOf('BEGIN:VEVENT'))
})

test('an unchanged calendar is answered with 304', async () => {
  const link = await linkOf(officer)
  const { headers, body } = await ask(link)
  expect(headers['cache-control']).toBe('private, no-cache')
  const again = await ask(link, { 'if-none-match': `"other", W/${String(headers.etag)}` })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  await service.database.asSystem((tx) =>
    tx.count(sql`update project set title = 'Another', seq = seq + 1 where user_id = ${officer.id}`),
  )
  const changed = await ask(link, { 'if-none-match': String(headers.etag) })
  expect([changed.statusCode, changed.body === body]).toEqual([200, false])
})

test('an unchanged calendar is written once, and not at all for who names its tag', async () => {
  const link = await linkOf(await makePerson(service, 'User', { timeZone: 'Pacific/Chatham' }))
  const written = vi.spyOn(ICalCalendar.prototype, 'toString')
  try {
    const [first, second] = [await ask(link), await ask(link)]
    expect([first.statusCode, second.body === first.body, written.mock.calls.length]).toEqual([200, true, 1])
    // So many others are asked for that it is not kept any more.
    for (const timeZone of Intl.supportedValuesOf('timeZone').slice(0, 20))
      await ask(await linkOf(await makePerson(service, 'User', { timeZone })))
    expect(written).toHaveBeenCalledTimes(21)
    const { etag } = first.headers
    expect((await ask(link, { 'if-none-match': String(etag) })).statusCode).toBe(304)
    expect(written).toHaveBeenCalledTimes(21)
  } finally {
    written.mockRestore()
  }
})

test('a calendar link ends when it is renewed, removed or its owner is disabled, and is in no log', async () => {
  expect(await as(editor)(calendar.renew, {})).toEqual({
    url: expect.stringMatching(/^https:\/\/video\.test\/calendar\/[\w-]{43}\.ics$/),
  })
  // The address is answered once: a stolen token reads only that there is a link.
  expect(await as(editor)(calendar.read, {})).toEqual({ hasLink: true })
  const first = await linkOf(editor)
  const second = await linkOf(editor)
  const statuses = async () => [(await ask(first)).statusCode, (await ask(second)).statusCode]
  expect(await statuses()).toEqual([404, 200])
  await service.database.asSystem((tx) => tx.count(sql`update person set is_disabled = true where id = ${editor.id}`))
  expect(await statuses()).toEqual([404, 404])
  await service.database.asSystem((tx) => tx.count(sql`update person set is_disabled = false where id = ${editor.id}`))
  await as(editor)(calendar.remove, {})
  expect(await statuses()).toEqual([404, 404])
  expect(await as(editor)(calendar.read, {})).toEqual({ hasLink: false })
  expect((await ask('/calendar/nothing.ics')).json()).toMatchObject({ code: 'calendar.not-found' })
})

test('a new calendar link is told to its owner, each time', async () => {
  const owner = await makePerson(service, 'Editor')
  for (let n = 0; n < 2; n++) await linkOf(owner)
  await runNotices(service)
  const { items } = await as(owner)(notifications.list, {})
  expect(items.map(({ title }) => title)).toEqual(Array(2).fill('Your calendar has a new link'))
})

test('a calendar link made before links were stored as hashes still works', async () => {
  const { ownerUrl, superuserUrl, appUrl } = await freshDatabase()
  const before = await mkdtemp(join(tmpdir(), 'migrations-before-'))
  const client = new pg.Client({ connectionString: superuserUrl })
  const database = openDatabase(appUrl, { queue: service.queue, max: 1 })
  const secret = randomBytes(32).toString('base64url')
  try {
    for (const name of await readdir(migrations))
      if (name < '0068') await cp(join(migrations, name), join(before, name))
    await client.connect()
    await client.query(
      'drop schema public cascade; create schema public authorization clear_owner; grant usage on schema public to public',
    )
    await migrate({ ownerUrl, directory: before })
    await client.query(`
      with one as (insert into person (email, name, role) values ('old@link.test', 'Old', 'User') returning id)
      insert into calendar_link (person_id, secret) select id, '${secret}' from one`)
    await migrate({ ownerUrl })
    const read = (link: string) => database.asSystem((tx) => calendarBehind(tx, link, 'https://video.test', new Date()))
    expect((await read(secret))?.write()).toContain('BEGIN:VCALENDAR')
    expect(await read(`${secret.slice(1)}x`)).toBe(null)
  } finally {
    await client.end()
    await database.close()
    await rm(before, { recursive: true })
  }
})

test('a restored copy gives no calendar by a link from before', async () => {
  const person = await makePerson(service, 'Editor')
  const link = await linkOf(person)
  expect((await ask(link)).statusCode).toBe(200)
  await suppressOldDeliveries(service.database, { asOf: new Date(), now: new Date() })
  expect((await ask(link)).statusCode).toBe(404)
})
