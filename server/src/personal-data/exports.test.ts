import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { notes } from '@clear-to-post/contract/notes'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { scripts } from '@clear-to-post/contract/scripts'
import { exportDays } from '@clear-to-post/domain/personal-data'
import { makeClip } from '@clear-to-post/media/make-clip'
import { jobContext } from '../../test/mails.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  outcome,
  subscribe,
  type Person,
  type Service,
} from '../../test/service.ts'
import { unzip } from '../../test/unzip.ts'
import { putFile } from '../assets/actions.ts'
import { exportUrl } from '../assets/addresses.ts'
import { sql } from '../kernel/database.ts'
import { forgetPassword, endIdTokens } from '../identity/actions.ts'
import { registry } from '../main/registry.ts'
import { storage } from '../outside/storage.ts'
import { onDisk } from '../../test/on-disk.ts'
import { createPerson } from '../accounts/actions.ts'
import { saveEmail } from '../accounts/store.ts'
import { sendMail } from '../mail/actions.ts'
import { dropExports, exportJob } from './jobs.ts'

let service: Service
let tenantId: string
let officer: Person, editor: Person, qa: Person, admin: Person
let clip: Buffer
let folder: string
const password = 'kettle-drum-41'
const log = { info: () => {}, warn: () => {}, error: () => {} }

beforeAll(async () => {
  service = await openService()
  folder = await mkdtemp(join(tmpdir(), 'clear-to-post-export-'))
  tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  ;[editor, qa, admin] = [
    await makePerson(service, 'Editor', { name: 'Edwina Staff' }),
    await makePerson(service, 'QA', { name: 'Quentin Staff' }),
    await makePerson(service, 'ADMIN'),
  ]
  officer = await signedUp('olive@export.test', 'Olive Officer')
  const path = join(folder, 'clip.mp4')
  await makeClip({ out: path, seconds: 1, width: 180, height: 320, hue: 10 })
  clip = await readFile(path)
  const source = await putFile(service.database, officer, { path, fileName: 'My take.mp4' }, { log })
  const { id } = await as(officer)(projects.create, {
    body: { title: 'Rates', instructions: 'Cut it short', assets: [source] },
  })
  const at = { params: { projectId: id } }
  await as(editor)(projects.start, { body: { projectId: id } })
  const cut = await putFile(service.database, editor, { path, fileName: 'Cut.mp4', projectId: id }, { log })
  await as(editor)(projects.send, { ...at, body: { finalVideoId: cut } })
  await as(qa)(projects.comment, { ...at, body: { atMs: 1, text: 'Between staff' } })
  await as(qa)(projects.approve, at)
  await as(officer)(projects.comment, { ...at, body: { atMs: 1, text: 'Lovely' } })
  await as(officer)(projects.review, { ...at, body: { revision: 'Louder, please' } })
  await as(officer)(scripts.create, { body: { title: 'My script', content: 'Words' } })
  await as(admin)(notes.save, { body: { userId: officer.id, title: 'A note', content: 'Talks fast' } })
  await as(admin)(notifications.push, { body: { userIds: [officer.id], title: 'Hello', body: 'There' } })
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

const as = (person: Person) => callConfirmed(service, person)
const signedUp = async (email: string, name: string, role: 'User' | 'Editor' = 'User'): Promise<Person> => {
  const { id } = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name, role, password, ...(role === 'User' ? { tenantId } : {}) }),
  )
  const caller = { id, role, tenantId: role === 'User' ? tenantId : null, securityStamp: 1 }
  return { ...caller, name, token: await service.identity.signIdToken(caller) }
}
const idOf = async ({ id }: Person): Promise<string> =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`select id from data_export where person_id = ${id}`),
  ))!.id
/** As a worker would: what the newest job says. */
const work = async (person: Person) => {
  const [job] = await rows<{ data: Parameters<typeof exportJob.run>[0] }>(sql`
    select data from pgboss.job where name = 'export' and data->>'exportId' = ${await idOf(person)}`)
  await exportJob.run(job!.data, jobContext(service))
}
/** On a new day. */
const make = async (person: Person) => {
  await rows(sql`update data_export set asked = '{}' where person_id = ${person.id}`)
  await as(person)(accounts.startExport, {})
  await work(person)
}
const rows = <Row>(query: ReturnType<typeof sql<Row>>) => service.database.asSystem((tx) => tx.rows(query))
const folders = async () => readdir(await storage().workFolder('exports', { keep: true }))
const fetched = async (url: string) => {
  const { statusCode, rawPayload } = await service.app.inject(url)
  return { status: statusCode, parts: statusCode === 200 ? unzip(rawPayload) : new Map<string, Buffer>() }
}
const statusOf = async (url: string) => (await fetched(url)).status

test('an export contains a person’s own data and files, and nothing of others', async () => {
  expect(await as(officer)(accounts.dataExport, {})).toEqual({ state: 'none' })
  expect(await outcome(callAs(service, officer)(accounts.startExport, {}))).toBe('session.not-fresh')
  expect(await as(officer)(accounts.startExport, {})).toMatchObject({ state: 'waiting' })
  expect(await outcome(as(officer)(accounts.startExport, {}))).toBe('account.export-waiting')
  expect(await outcome(as(officer)(accounts.openExport, {}))).toBe('account.no-export')

  await exportJob.run({ exportId: await idOf(officer) }, jobContext(service))
  expect(await as(officer)(accounts.dataExport, {})).toMatchObject({ state: 'ready', bytes: expect.any(Number) })
  expect(await outcome(callAs(service, officer)(accounts.openExport, {}))).toBe('session.not-fresh')
  const { url } = await as(officer)(accounts.openExport, {})
  const { status, parts } = await fetched(url)
  expect(status).toBe(200)
  const read = (name: string) => JSON.parse(parts.get(`${name}.json`)!.toString()) as Record<string, unknown>[]

  expect(read('person')).toMatchObject([{ name: 'Olive Officer', email: 'olive@export.test' }])
  expect(read('project')).toMatchObject([{ title: 'Rates', instructions: 'Cut it short' }])
  expect(read('project_event').map(({ verb }) => verb)).toEqual(['create', 'start', 'send', 'approve', 'review'])
  expect(read('project_event').map(({ revision }) => revision)).toContain('Louder, please')
  expect(read('project_comment').map(({ text }) => text)).toEqual(['Lovely'])
  expect(read('script')).toMatchObject([{ title: 'My script', content: 'Words' }])
  expect(read('notification').map(({ title }) => title)).toContain('Hello')
  expect(parts.get('files/My take.mp4')!.equals(clip)).toBe(true)
  expect(parts.get('files/Cut.mp4')!.equals(clip)).toBe(true)

  const all = [...parts].map(([name, bytes]) => (name.endsWith('.json') ? bytes.toString() : name)).join('\n')
  for (const kept of ['Talks fast', 'Between staff', 'Edwina', 'Quentin', editor.id, qa.id, '$argon2'])
    expect(all).not.toContain(kept)
  const told = await service.database.asSystem((tx) =>
    tx.rows(
      sql<{ data: Parameters<typeof registry.notice.run>[0] }>`select data from pgboss.job where name = 'notice'`,
    ),
  )
  for (const { data } of told) await registry.notice.run(data, jobContext(service))
  expect((await as(officer)(notifications.list, {})).items.map(({ title }) => title)).toContain('Your data is ready')
})

test('a staff member’s export contains the notes that they wrote, without the ids of the officers', async () => {
  const writer = await signedUp('nora@export.test', 'Nora', 'Editor')
  await as(writer)(notes.save, { body: { userId: officer.id, title: 'By Nora', content: 'Slow cuts' } })
  await make(writer)
  const { parts } = await fetched((await as(writer)(accounts.openExport, {})).url)
  expect(JSON.parse(parts.get('note.json')!.toString())).toMatchObject([{ title: 'By Nora', content: 'Slow cuts' }])
  expect(parts.get('note.json')!.toString()).not.toContain(officer.id)
})

test('a ready export of a staff member ends with what it says of an officer who is removed, and is made anew', async () => {
  const gone = await signedUp('gus@export.test', 'Gus')
  const stranger = await makePerson(service, 'Editor', { tenantId: await makeTenant(service) })
  const writer = await signedUp('wilma@export.test', 'Wilma', 'Editor')
  await as(writer)(notes.save, { body: { userId: gone.id, title: 'About Gus', content: 'Stutters' } })
  await as(writer)(notes.save, { body: { userId: officer.id, title: 'About Olive', content: 'Does not' } })
  for (const person of [writer, stranger, officer]) await make(person)
  const [before, ofStranger, ofOfficer] = [await idOf(writer), await idOf(stranger), await idOf(officer)]
  const { url } = await as(writer)(accounts.openExport, {})
  const { endsAt } = await as(writer)(accounts.dataExport, {})
  await as(gone)(accounts.remove, { query: {} })
  expect(await statusOf(url)).toBe(404)
  expect(await as(writer)(accounts.dataExport, {})).toMatchObject({ state: 'waiting' })
  const told = () =>
    service.database.asSystem((tx) =>
      tx.rows(sql`
        select data->'notice'->>'title' as title from pgboss.job
        where name = 'notice' and data->'userIds' @> to_jsonb(${writer.id}::text)`),
    )
  expect(await told()).toEqual([{ title: 'Your data is ready' }])
  await work(writer)
  // It ends when it would have ended, and its person has heard of it.
  expect(await as(writer)(accounts.dataExport, {})).toMatchObject({ state: 'ready', endsAt })
  expect(await told()).toHaveLength(1)
  expect(await folders()).not.toContain(before)
  const { parts } = await fetched((await as(writer)(accounts.openExport, {})).url)
  expect(JSON.parse(parts.get('note.json')!.toString())).toMatchObject([{ title: 'About Olive' }])
  expect([await idOf(stranger), await idOf(officer)]).toEqual([ofStranger, ofOfficer])
})

test('a removal has no export of staff made anew that says nothing of the person', async () => {
  const member = await makePerson(service, 'ADMIN')
  await make(member)
  const before = await idOf(member)
  for (const name of ['Stan', 'a']) {
    const stranger = await makePerson(service, 'User', { name })
    await as(stranger)(accounts.remove, { query: {} })
  }
  expect(await idOf(member)).toBe(before)
  expect(await as(member)(accounts.dataExport, {})).toMatchObject({ state: 'ready' })
})

test('an export of staff says nothing of an officer who was moved to another company and then removed', async () => {
  const [from, to] = [await makeTenant(service), await makeTenant(service)]
  const writer = await makePerson(service, 'Editor', { tenantId: from })
  const moved = await makePerson(service, 'User', { tenantId: from, name: 'Moira' })
  await as(writer)(notes.save, { body: { userId: moved.id, title: 'About Moira', content: 'Talks fast' } })
  await make(writer)
  const { url } = await as(writer)(accounts.openExport, {})
  await as(admin)(accounts.update, { body: { userId: moved.id, tenantId: to } })
  await as(admin)(accounts.remove, { query: { userId: moved.id } })
  expect(await statusOf(url)).toBe(404)
  await work(writer)
  const { parts } = await fetched((await as(writer)(accounts.openExport, {})).url)
  expect([...parts.values()].join('\n')).not.toContain('Moira')
})

test('an export cannot be reached by anybody else, by call, by address or in SQL', async () => {
  await make(officer)
  const id = await idOf(officer)
  const other = await signedUp('otto@export.test', 'Otto')
  const elsewhere = await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) })
  for (const stranger of [other, elsewhere, admin]) {
    expect(await as(stranger)(accounts.dataExport, {})).toEqual({ state: 'none' })
    const seen = await service.database.inTenant(stranger, (tx) => tx.rows(sql`select from data_export`))
    expect(seen).toEqual([])
  }
  expect(await outcome(as(other)(accounts.openExport, {}))).toBe('account.no-export')
  await make(other)
  const { url } = await as(other)(accounts.openExport, {})
  expect(await statusOf(url)).toBe(200)
  expect(await statusOf(url.replace(await idOf(other), id))).toBe(404)
  expect(await statusOf(`/media/export/${id}`)).toBe(404)
  const now = Date.now()
  expect(await statusOf(exportUrl(id, new Date(now)))).toBe(200)
  expect(await statusOf(exportUrl(id, new Date(now - 11 * 60_000)))).toBe(403)
})

test('an export ends after its days, with a newer one and with the account', async () => {
  const leaving = await signedUp('lea@export.test', 'Lea')
  await make(leaving)
  const first = await idOf(leaving)
  await make(leaving)
  expect(await statusOf(exportUrl(first, new Date()))).toBe(404)
  const second = exportUrl(await idOf(leaving), new Date())
  expect(await statusOf(second)).toBe(200)
  await as(leaving)(accounts.remove, { query: {} })
  expect(await statusOf(second)).toBe(404)

  await make(officer)
  const mine = await idOf(officer)
  await dropExports(service.database, new Date(Date.now() + (exportDays + 1) * 86_400_000))
  expect(await statusOf(exportUrl(mine, new Date()))).toBe(404)
  expect(await as(officer)(accounts.dataExport, {})).toEqual({ state: 'none' })
})

test('an export that is asked for anew drops the folder of the one before as soon as it is made', async () => {
  const often = await signedUp('oona@export.test', 'Oona')
  await make(often)
  const first = await idOf(often)
  expect(await folders()).toContain(first)
  await make(often)
  const [second, left] = [await idOf(often), await folders()]
  expect(left).toContain(second)
  expect(left).not.toContain(first)
})

test('an export whose texts are gone, as after a restore, is asked for anew and answers no empty file', async () => {
  const person = await signedUp('rosa@export.test', 'Rosa')
  await as(person)(accounts.startExport, {})
  await work(person)
  const url = (await as(person)(accounts.openExport, {})).url
  await rm(join(service.config.dataDir, 'media/work/exports', await idOf(person)), { recursive: true })
  expect(await statusOf(url)).toBe(404)
  expect(await outcome(as(person)(accounts.openExport, {}))).toBe('account.no-export')
  expect(await outcome(as(person)(accounts.startExport, {}))).toBe('done')
})

test('a person asks for at most three exports a day, and again on the next one', async () => {
  const often = await signedUp('ovid@export.test', 'Ovid')
  for (let n = 0; n < 3; n++) {
    expect(await outcome(as(often)(accounts.startExport, {}))).toBe('done')
    expect(await outcome(as(often)(accounts.startExport, {}))).toBe('account.export-waiting')
    await work(often)
  }
  const last = await idOf(often)
  expect(await outcome(as(often)(accounts.startExport, {}))).toBe('request.too-many')
  // What is there stays.
  expect(await statusOf((await as(often)(accounts.openExport, {})).url)).toBe(200)
  expect(await idOf(often)).toBe(last)
  await rows(sql`
    update data_export set asked = array(select at - interval '1 day' from unnest(asked) as at) where person_id = ${often.id}`)
  expect(await outcome(as(often)(accounts.startExport, {}))).toBe('done')
})

test('an export and its address end when the sessions of its person or their rights end, also one being made', async () => {
  const ends = {
    'a new password': (id: string) => service.database.asSystem((tx) => forgetPassword(tx, id)),
    'another company': (id: string) => service.database.asSystem((tx) => endIdTokens(tx, id)),
    disabled: (id: string) =>
      as(admin)(accounts.update, { body: { userId: id, isDisabled: true } }, { requestId: randomUUID() }),
  }
  for (const [what, end] of Object.entries(ends)) {
    const leaving = await signedUp(`${what.replaceAll(' ', '-')}@export.test`, 'Lou')
    await make(leaving)
    const { url } = await as(leaving)(accounts.openExport, {})
    expect(await statusOf(url), what).toBe(200)
    await end(leaving.id)
    expect(await statusOf(url), what).toBe(404)
    await dropExports(service.database, new Date())
    expect(await folders(), what).not.toContain(await idOf(leaving))
  }

  const waiting = await signedUp('wanda@export.test', 'Wanda')
  await as(waiting)(accounts.startExport, {})
  await service.database.asSystem((tx) => endIdTokens(tx, waiting.id))
  await work(waiting)
  expect(await statusOf(exportUrl(await idOf(waiting), new Date()))).toBe(404)
  const again = { ...waiting, securityStamp: 2 }
  expect(await as(again)(accounts.dataExport, {})).toEqual({ state: 'none' })
  // The one that is made for nobody stands in nobody's way.
  await make(again)
  expect(await as(again)(accounts.dataExport, {})).toMatchObject({ state: 'ready' })
})

test('an export contains the files that were there when it was made', async () => {
  const filming = await signedUp('fay@export.test', 'Fay')
  const put = async (name: string) => {
    const id = await makeVideo(service, filming)
    await mkdir(onDisk().path(id, ''), { recursive: true })
    await writeFile(onDisk().path(id, 'original.mp4'), clip)
    await rows(sql`
      update asset set file_name = ${name}, file_size = ${clip.length}, derived = '{"original":"original.mp4"}'
      where id = ${id}`)
  }
  await put('Before.mp4')
  await make(filming)
  await put('After.mp4')
  const { parts } = await fetched(exportUrl(await idOf(filming), new Date()))
  expect([...parts.keys()].filter((name) => name.startsWith('files/'))).toEqual(['files/Before.mp4'])
})

test('of two runs of an export one result counts, and a run for a removed account publishes nothing', async () => {
  const twice = await signedUp('tess@export.test', 'Tess')
  await as(twice)(accounts.startExport, {})
  const id = await idOf(twice)
  await Promise.all([1, 2].map(() => exportJob.run({ exportId: id }, jobContext(service))))
  expect(await as(twice)(accounts.dataExport, {})).toMatchObject({ state: 'ready' })
  expect((await fetched(exportUrl(id, new Date()))).parts.has('person.json')).toBe(true)

  const gone = await signedUp('gil@export.test', 'Gil')
  await as(gone)(accounts.startExport, {})
  const late = await idOf(gone)
  await as(gone)(accounts.remove, { query: {} })
  await exportJob.run({ exportId: late }, jobContext(service))
  expect(await statusOf(exportUrl(late, new Date()))).toBe(404)
})

test('an export lists a file whose bytes are missing, and still contains the others', async () => {
  const unused = await makeVideo(service, officer)
  await make(officer)
  const { parts } = await fetched(exportUrl(await idOf(officer), new Date()))
  // A row without bytes on the disk is listed and given no file.
  expect(parts.get('asset.json')!.toString()).toContain(unused)
  expect([...parts.keys()].filter((name) => name.startsWith('files/'))).toEqual(['files/My take.mp4', 'files/Cut.mp4'])
})

test('mails that went to an address before its account are in nobody’s file, and an unconfirmed one gets no file', async () => {
  const email = 'former@export.test'
  const tell = (key: string) =>
    service.database.asSystem((tx) =>
      sendMail(tx, {
        key: `address:${key}`,
        to: email,
        template: 'addressChanged',
        data: { newAddress: `${key}@export.test` },
      }),
    )
  await tell('before')
  await service.database.asSystem((tx) =>
    tx.count(sql`update mail set created_at = now() - interval '1 day' where key = 'before'`),
  )
  const newcomer = await signedUp(email, 'Newcomer')
  await tell('since')
  const confirmed = (at: Date | null) =>
    service.database.asSystem((tx) =>
      tx.count(sql`update person set email_verified_at = ${at} where id = ${newcomer.id}`),
    )
  await confirmed(null)
  expect(await outcome(as(newcomer)(accounts.startExport, {}))).toBe('account.unverified')
  await confirmed(new Date())
  await as(newcomer)(accounts.startExport, {})
  await work(newcomer)
  const { parts } = await fetched((await as(newcomer)(accounts.openExport, {})).url)
  const mails = parts.get('mail.json')!.toString()
  expect(mails).toContain('since@export.test')
  expect(mails).not.toContain('before@export.test')
  // Nor are those to an address from before its account moved to it.
  const mover = await signedUp('mover@export.test', 'Mover')
  await service.database.asSystem((tx) =>
    tx.count(sql`update person set email = 'elsewhere@export.test' where id = ${newcomer.id}`),
  )
  await service.database.asSystem((tx) => saveEmail(tx, mover.id, email))
  await as(mover)(accounts.startExport, {})
  await work(mover)
  const moved = await fetched((await as(mover)(accounts.openExport, {})).url)
  expect(moved.parts.get('mail.json')?.toString() ?? '').not.toContain('since@export.test')
})
