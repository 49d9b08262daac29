import { randomUUID } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { edits } from '@clear-to-post/contract/edits'
import { projects } from '@clear-to-post/contract/projects'
import { makeClip } from '@clear-to-post/media/make-clip'
import { eraseJob, resumeRemovals } from '../src/personal-data/jobs.ts'
import { ingestAsset } from '../src/assets/ingest.ts'
import { sweepLeftovers } from '../src/assets/jobs.ts'
import { beginUpload, finishUpload } from '../src/assets/uploads.ts'
import { openDatabase, sql } from '../src/kernel/database.ts'
import { prepareFirstCut } from '../src/edits/first-cut.ts'
import { dropErasedChunks } from '../src/edits/jobs.ts'
import { makeRender } from '../src/edits/render.ts'
import { openMail } from '../src/outside/mail.ts'
import { storage } from '../src/outside/storage.ts'
import { onDisk } from './on-disk.ts'
import { freshDatabase } from './database.ts'
import { jobContext } from './mails.ts'
import { readyFile } from './ready-file.ts'
import { callConfirmed, makePerson, openService, outcome, subscribe, type Person, type Service } from './service.ts'

/** A person is removed while the service works on their files: in any order, nothing of them is left. */
let service: Service
let editor: Person
let clip: string
const log = { info: () => {}, warn: () => {}, error: () => {} }

beforeAll(async () => {
  service = await openService()
  openMail(service.config)
  editor = await makePerson(service, 'Editor')
  clip = join(service.config.dataDir, 'take.mp4')
  await makeClip({ out: clip, seconds: 10, width: 180, height: 320, hue: 10 })
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const rows = <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  service.database.asSystem((tx) => tx.rows(query))
const officerWithPlan = async () => {
  const officer = await makePerson(service, 'User')
  await subscribe(service, { userId: officer.id })
  return officer
}
const put = (officer: Person) => readyFile(service, officer, clip)
const remove = (officer: Person) => as(officer)(accounts.remove, { query: {} })
const finish = async (officer: Person) => {
  const [open] = await rows<{ id: string }>(
    sql`select id from removal where person_id = ${officer.id} and work is not null`,
  )
  await eraseJob.run({ removalId: open!.id }, jobContext(service))
}
const until = async (isSo: () => Promise<boolean>) => {
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(10)) if (await isSo()) return
  throw new Error('it did not come to that within two minutes')
}
const filesBelow = async (...path: string[]): Promise<string[]> =>
  readdir(join(service.config.dataDir, 'media', ...path), { recursive: true }).catch(() => [])

test('a render that runs while its officer is removed makes no cut and leaves no file', async () => {
  const officer = await officerWithPlan()
  const source = await put(officer)
  const { id: projectId } = await as(officer)(projects.create, { body: { title: 'Beside', assets: [source] } })
  await as(editor)(projects.start, { body: { projectId } })
  await prepareFirstCut(jobContext(service), projectId)
  const { recipe, revision } = await as(editor)(edits.find, { params: { projectId } })
  expect(recipe).toBeDefined()
  const { id } = await as(editor)(edits.render, { params: { projectId }, body: { revision } })
  const running = makeRender(jobContext(service), id)
  await until(async () => (await filesBelow('work', 'chunks', projectId)).length > 0)
  await remove(officer)
  await finish(officer)
  await running
  expect(await rows(sql`select from asset where project_id = ${projectId} and purpose = 'cut'`)).toEqual([])
  expect(await rows(sql`select state, recipe from render where id = ${id}`)).toEqual([
    { state: 'canceled', recipe: {} },
  ])
  expect(await filesBelow('assets', source)).toEqual([])
  expect(await filesBelow('work', 'renders', id)).toEqual([])
  // What the run wrote after its chunks were erased goes with the next look.
  await dropErasedChunks(service.database)
  expect((await filesBelow('work', 'chunks', projectId)).filter((name) => name.endsWith('.mp4'))).toEqual([])
})

test('a first cut that runs while its officer is removed stores no word', { tags: 'long' }, async () => {
  const officer = await officerWithPlan()
  const source = await put(officer)
  const { id: projectId } = await as(officer)(projects.create, {
    body: { title: 'Beside', assets: [source], captionSuggestion: 'Rates moved today' },
  })
  const running = prepareFirstCut(jobContext(service), projectId).catch(() => {})
  await until(
    async () => (await rows(sql`select from edit where project_id = ${projectId} and stage is not null`)).length > 0,
  )
  await remove(officer)
  await finish(officer)
  await running
  const [edit] = await rows(sql`select recipe, first_cut, script, transcript from edit where project_id = ${projectId}`)
  expect(edit).toEqual({ recipe: null, first_cut: null, script: '', transcript: null })
  // Tried again, it does nothing.
  await prepareFirstCut(jobContext(service), projectId)
  expect(await rows(sql`select script from edit where project_id = ${projectId}`)).toEqual([{ script: '' }])
})

test('an ingest and an upload that run while their officer is removed leave nothing', { tags: 'long' }, async () => {
  const officer = await officerWithPlan()
  const { size } = await stat(clip)
  const whole = await beginUpload(service.database, officer, { size, fileName: 'whole.mp4', fileType: '' })
  await storage().take(whole, clip)
  await finishUpload(service.database, whole)
  const part = await beginUpload(service.database, officer, { size, fileName: 'part.mp4', fileType: '' })
  await storage().create(part)
  await storage().append(part, 0, Readable.from([Buffer.alloc(1000)]))
  const running = ingestAsset({ ...jobContext(service), lastAttempt: false }, whole)
  await until(async () => (await rows(sql`select from asset where id = ${whole} and state <> 'received'`)).length > 0)
  await remove(officer)
  await finish(officer)
  await running.catch(() => {})
  expect(await rows(sql`select from asset where author_id = ${officer.id}`)).toEqual([])
  for (const id of [whole, part]) {
    expect(await filesBelow('assets', id)).toEqual([])
    expect(await storage().received(id)).toBeUndefined()
  }
  const more = await service.app.inject({
    method: 'PATCH',
    url: `/uploads/${part}`,
    headers: {
      authorization: `Bearer ${officer.token}`,
      'tus-resumable': '1.0.0',
      'upload-offset': '1000',
      'content-type': 'application/offset+octet-stream',
    },
    payload: Buffer.alloc(1000),
  })
  expect(more.statusCode).toBe(401)
})

test('the sweep deletes files that no row names, and no others', async () => {
  const officer = await officerWithPlan()
  const source = await put(officer)
  const [lost, erased] = [randomUUID(), await put(officer)]
  await storage().take(lost, clip)
  await service.database.asSystem((tx) => tx.count(sql`update asset set derived = '{}' where id = ${erased}`))
  const sweep = { database: service.database, log }
  const later = new Date(Date.now() + 2 * 3_600_000)
  expect(await sweepLeftovers(sweep, new Date())).toBe(0)
  // A database that knows none of these files is another one, or not restored yet.
  const other = await freshDatabase()
  const database = openDatabase(other.appUrl, { queue: service.queue })
  expect(await sweepLeftovers({ database, log }, later)).toBe(0)
  await database.close()
  await other.drop()
  await sweepLeftovers(sweep, later)
  expect(await storage().received(lost)).toBeUndefined()
  expect(await filesBelow('assets', erased)).toEqual([])
  expect((await filesBelow('assets', source)).length).toBeGreaterThan(0)
})

test('a removal whose job dies is continued until it is done', async () => {
  const officer = await officerWithPlan()
  const source = await put(officer)
  await as(officer)(projects.create, { body: { title: 'Beside', assets: [source] } })
  await remove(officer)
  const place = onDisk().path(source, '')
  const [open] = await rows<{ id: string }>(sql`select id from removal where person_id = ${officer.id}`)
  // Killed between its steps: nothing of a step counts that was not noted.
  const dead = { ...service.database, asSystem: failingAfter(2) }
  await expect(eraseJob.run({ removalId: open!.id }, jobContext({ database: dead }))).rejects.toThrow('killed')
  expect(await rows(sql`select from removal where id = ${open!.id} and work is not null`)).toHaveLength(1)

  await service.database.asSystem((tx) => tx.count(sql`delete from pgboss.job where name = 'erase'`))
  await resumeRemovals(service.database, new Date(Date.now() + 3_600_000))
  const [job] = await rows<{ data: { removalId: string } }>(
    sql`select data from pgboss.job where name = 'erase' and data->>'removalId' = ${open!.id}`,
  )
  await eraseJob.run(job!.data, jobContext(service))
  expect(
    await rows(sql`select from removal where id = ${open!.id} and work is null and finished_at is not null`),
  ).toHaveLength(1)
  expect(await readdir(place).catch(() => [])).toEqual([])
})

test('one store that fails keeps no other part of a removal waiting, and the removal is over once it works', async () => {
  const officer = await officerWithPlan()
  await remove(officer)
  const [open] = await rows<{ id: string }>(sql`select id from removal where person_id = ${officer.id}`)
  const id = open!.id
  // What no store takes.
  const setFiles = (assetIds: string[]) =>
    rows(
      sql`update removal set work = jsonb_set(work, '{traces,assetIds}', ${JSON.stringify(assetIds)}) where id = ${id}`,
    )
  const run = () => eraseJob.run({ removalId: id }, jobContext(service))
  await setFiles(['no id'])
  await expect(run()).rejects.toThrow('bad asset id')
  const [left] = await rows<{ done: string[] }>(sql`select work->'done' as done from removal where id = ${id}`)
  expect(left!.done).toEqual(expect.arrayContaining(['rows', 'personal-data', 'edits', 'subscriptions', 'mail']))
  expect(left!.done).not.toContain('assets')
  await setFiles([])
  await run()
  expect(await rows(sql`select from removal where id = ${id} and work is null`)).toHaveLength(1)
})

test('an ADMIN finds a removal’s receipt by its number, in their own company only, and nobody else finds it', async () => {
  const admin = await makePerson(service, 'ADMIN')
  const elsewhere = await makePerson(service, 'ADMIN', {
    tenantId: (
      await rows<{ id: string }>(
        sql`insert into tenant (name, invite_code, total_users_allowed) values ('T', ${randomUUID()}, 1) returning id`,
      )
    )[0]!.id,
  })
  const officer = await officerWithPlan()
  const { receipt } = await remove(officer)
  const wheres = [`number:eq:${receipt.number}`]
  const { items } = await as(admin)(accounts.removals, { query: { wheres } })
  expect(items).toEqual([receipt])
  expect(JSON.stringify(items)).not.toContain(officer.id)
  expect((await as(elsewhere)(accounts.removals, { query: { wheres } })).items).toEqual([])
  for (const role of ['User', 'Editor', 'QA'] as const)
    expect(await outcome(as(await makePerson(service, role))(accounts.removals, {}))).toBe('access.forbidden')
  await finish(officer)
  expect((await as(admin)(accounts.removals, { query: { wheres } })).items[0]!.finishedAt).not.toBeNull()
})

test('the preview of a removal says what the receipt will say, and how many videos are canceled', async () => {
  const officer = await officerWithPlan()
  await as(officer)(projects.create, { body: { title: 'Beside', assets: [await put(officer)] } })
  const { canceled, ...shown } = await as(officer)(accounts.previewRemoval, { query: {} })
  expect(canceled).toBe(1)
  const stranger = await makePerson(service, 'User')
  expect(await outcome(as(stranger)(accounts.previewRemoval, { query: { userId: officer.id } }))).toBe(
    'account.not-found',
  )
  const { receipt } = await remove(officer)
  expect(receipt).toMatchObject(shown)
  expect(shown.stays.map(({ what }) => what).join()).not.toMatch(/approved for a company/)
})

/** A database that a kill takes away after so many transactions. */
const failingAfter = (most: number): Service['database']['asSystem'] => {
  let done = 0
  return (work) => (done++ < most ? service.database.asSystem(work) : Promise.reject(new Error('killed')))
}
