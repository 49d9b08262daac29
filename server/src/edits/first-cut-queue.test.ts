import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { edits } from '@clear-to-post/contract/edits'
import { projects } from '@clear-to-post/contract/projects'
import { mostListeningMs } from '@clear-to-post/domain/first-cut'
import { makeEdit } from '../../test/make-edit.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  makeVideo,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { openQueue, type Queue } from '../kernel/queue.ts'
import { work, type Job } from '../kernel/work.ts'
import { storage } from '../outside/storage.ts'
import { editTasks, firstCutJob } from './jobs.ts'

/** The queue and its lanes are the product's, and so are the calls; what is done in a job is only written down. */
let service: Service
let queue: Queue
beforeEach(async () => {
  service = await openService()
  queue = await openQueue(service.urls.appUrl, { supervise: true })
})
afterEach(async () => {
  await queue.close()
  await service.close()
})
const as = (person: Person) => callAs(service, person)

it('the first cut of a company that has one comes second, behind one of a company that has ten', async () => {
  const [many, one] = [await makeOfficer(service), await makeOfficer(service)]
  const ofMany = await submitted(many, 10)
  const [ofOne] = await submitted(one, 1)
  expect((await inOrder()).indexOf(ofOne!)).toBe(1)
  const running = new Set<string>()
  const started: string[] = []
  let most = 0
  await lanes(async ({ projectId }) => {
    started.push(projectId)
    running.add(projectId)
    most = Math.max(most, ofMany.filter((id) => running.has(id)).length)
    await sleep(50)
    running.delete(projectId)
  })
  await expect.poll(() => started.length, { timeout: 60_000 }).toBe(11)
  expect(most).toBe(1)
  expect(started.slice(0, 2).toSorted()).toEqual([ofMany[0], ofOne].toSorted())
  expect(started.filter((id) => id !== ofOne)).toEqual(ofMany)
})

it('officers of one company share its turns', async () => {
  const first = await makeOfficer(service)
  const second = await makePerson(service, 'User', { tenantId: first.tenantId })
  const other = await makeOfficer(service)
  const ofFirst = await submitted(first, 1)
  const ofSecond = await submitted(second, 1)
  const ofOther = await submitted(other, 1)
  expect(await inOrder()).toEqual([...ofFirst, ...ofOther, ...ofSecond])
})

it('long recordings hold one of the two lanes, and a short one passes them', async () => {
  const [one, two, three] = [await makeOfficer(service), await makeOfficer(service), await makeOfficer(service)]
  const [long] = await submitted(one, 1, 600_000)
  const [alsoLong] = await submitted(two, 1, 600_000)
  const started: string[] = []
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await lanes(async ({ projectId }) => {
    started.push(projectId)
    if (projectId === long || projectId === alsoLong) await isReleased
  })
  await expect.poll(() => started, { timeout: 60_000 }).toEqual([long])
  const [short] = await submitted(three, 1)
  await expect.poll(() => started, { timeout: 60_000 }).toEqual([long, short])
  release()
  await expect.poll(() => started, { timeout: 60_000 }).toEqual([long, short, alsoLong])
})

it('a first cut that is asked for again while it waits is enqueued once, with the newest script', async () => {
  const { editor, id, at } = await begun()
  await service.database.asSystem((tx) => tx.count(sql`delete from pgboss.job where name = 'first-cut'`))
  for (const script of ['One.', 'Two.', 'Three.']) await as(editor)(edits.make, { ...at, body: { script } })
  expect(await inOrder()).toEqual([id])
  expect((await as(editor)(edits.find, at)).script).toBe('Three.')
})

it('a script of far more words than the recordings can hold is refused at once, and a caption file is read first', async () => {
  const { editor, at } = await begun()
  const make = (script: string) => as(editor)(edits.make, { ...at, body: { script } })
  for (const script of ['a '.repeat(29_990), '9'.repeat(59_990), 'a-'.repeat(29_990)])
    await expect(make(script)).rejects.toMatchObject({
      code: 'edit.script-too-long',
      message: expect.stringContaining('no more than 210 can be said'),
    })
  expect((await as(editor)(edits.find, at)).state).toBe('ready')
  const cue = (n: number) => `${n}\n00:00:00,${String(n).padStart(3, '0')} --> 00:00:01,000\nHello.\n`
  await make(Array.from({ length: 100 }, (_, n) => cue(n + 1)).join('\n'))
  expect((await as(editor)(edits.find, at)).state).toBe('waiting')
})

it('voices that a killed first cut left behind go, and those that somebody listens to stay', async () => {
  const [left, heard] = [await begun(), await begun()]
  for (const { id } of [left, heard]) await storage().workFolder(`listening/${id}/1/speech-x`)
  await service.database.asSystem((tx) =>
    tx.count(sql`update edit set state = 'preparing' where project_id = ${heard.id}`),
  )
  const sweep = editTasks(service).find(({ name }) => name === 'old chunks')!
  await sweep.run(new Date(), new AbortController().signal)
  expect(await readdir(await storage().workFolder('listening', { keep: true }))).toEqual([heard.id])
})

it('the job of a first cut may run for far longer than its recordings are listened to', async () => {
  const rules = await service.database.asSystem((tx) =>
    tx.first(sql<{ seconds: number }>`select expire_seconds as seconds from pgboss.queue where name = 'first-cut'`),
  )
  expect(rules!.seconds * 1000).toBeGreaterThanOrEqual(2 * mostListeningMs)
})

/** A project in progress, two seconds long, with an edit and its editor. */
const begun = async () => {
  const officer = await makeOfficer(service)
  const editor = await makePerson(service, 'Editor', { tenantId: officer.tenantId })
  const source = await makeVideo(service, officer)
  const { id } = await as(officer)(projects.create, { body: { title: 'Rates', assets: [source] } })
  const project = await as(editor)(projects.start, { body: { projectId: id } })
  await makeEdit(service, project, source)
  return { editor, id, at: { params: { projectId: id } } }
}

/** Videos that an officer submits one after the other, each of one recording. */
const submitted = async (officer: Person, count: number, durationMs = 2000): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const source = await makeVideo(service, officer)
    await service.database.asSystem((tx) =>
      tx.count(sql`update asset set duration_ms = ${durationMs} where id = ${source}`),
    )
    ids.push((await as(officer)(projects.create, { body: { title: 'Rates', assets: [source] } })).id)
  }
  return ids
}

/** The projects whose first cuts wait, the next first. */
const inOrder = async (): Promise<string[]> =>
  (
    await service.database.asSystem((tx) =>
      tx.rows(sql<{ id: string }>`
        select data->>'projectId' as id from pgboss.job where name = 'first-cut' and state < 'active'
        order by priority desc, created_on`),
    )
  ).map(({ id }) => id)

/** Works the queue of first cuts as the product does. */
const lanes = (run: Job<'first-cut'>['run']) => {
  const { decodes: _, ...job } = { ...firstCutJob, run }
  return work([job as Job], { queue, database: service.database, log: pino({ level: 'silent' }) })
}
