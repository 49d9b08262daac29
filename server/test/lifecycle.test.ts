// @module-tag long
import { randomBytes, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { projects } from '@clear-to-post/contract/projects'
import { exportDays } from '@clear-to-post/domain/personal-data'
import { assetTasks } from '../src/assets/jobs.ts'
import { checkRunning } from '../src/backup/check-running.ts'
import { clipTasks, keptDays } from '../src/clips/jobs.ts'
import { editTasks } from '../src/edits/jobs.ts'
import { sql } from '../src/kernel/database.ts'
import { registry } from '../src/main/registry.ts'
import { openBucket } from '../src/outside/bucket.ts'
import { storage } from '../src/outside/storage.ts'
import { personalDataTasks } from '../src/personal-data/jobs.ts'
import { submitProject } from './factories.ts'
import { jobContext } from './mails.ts'
import { openObjectStore } from './object-store.ts'
import { callAs, callConfirmed, makeOfficer, makePerson, makeVideo, openService } from './service.ts'

const store = await openObjectStore()
afterAll(() => store?.close())

const hour = 3_600_000
const day = 24 * hour

it.skipIf(!store)(
  'each class of objects leaves the bucket on its day under a moved clock, and nothing that is needed ever does',
  async () => {
    const place = await store!.makeBucket()
    const service = await openService({
      STORAGE: 'bucket',
      BUCKET_URL: place.url,
      BUCKET_KEY_ID: place.keyId,
      BUCKET_SECRET: place.secret,
    })
    onTestFinished(service.close)
    const { database } = service
    const officer = await makeOfficer(service)
    const write = (statement: ReturnType<typeof sql>) => database.asSystem((tx) => tx.count(statement))

    /** Puts files of an asset as the check and the renderer do. */
    const put = async (id: string): Promise<void> => {
      await storage().create(id)
      await storage().received(id, { takeOver: true })
      await storage().append(
        id,
        0,
        (async function* () {
          yield randomBytes(1000)
        })(),
      )
      await storage().admit(id, 'original.mp4')
      const folder = await storage().makeFolder(id, '1')
      await writeFile(join(folder, 'poster.jpg'), randomBytes(100))
      await storage().settle(id, '1/poster.jpg')
      await write(
        sql`update asset set derived = '{"original":"original.mp4","poster":"1/poster.jpg"}' where id = ${id}`,
      )
    }
    const video = async (): Promise<string> => {
      const id = await makeVideo(service, officer)
      await put(id)
      return id
    }
    const ofProject = async (days: number | undefined): Promise<string> => {
      const id = await video()
      const project = await submitProject(service, officer, { assets: [id] })
      if (days !== undefined) {
        await callAs(service, officer)(projects.cancel, { params: { projectId: project.id } })
        await write(sql`update project set expires_at = ${new Date(Date.now() + days * day)} where id = ${project.id}`)
      }
      return id
    }
    const ofClip = async (isTakenOut: boolean): Promise<string> => {
      const id = await makeVideo(service, officer)
      await put(id)
      await write(sql`update asset set purpose = 'clip' where id = ${id}`)
      await write(sql`
        insert into clip (tenant_id, asset_id, title, removed_at)
        values (${officer.tenantId}, ${id}, 'A sign', ${isTakenOut ? new Date() : null})`)
      return id
    }
    const upload = async (): Promise<string> => {
      const id = randomUUID()
      await write(sql`
        insert into asset (id, tenant_id, author_id, purpose, file_name, extension, file_size, state, received_bytes)
        values (${id}, ${officer.tenantId}, ${officer.id}, 'source', 'take.mp4', 'mp4', 5000, 'uploading', 1000)`)
      await storage().create(id)
      await storage().received(id, { takeOver: true })
      await storage().append(
        id,
        0,
        (async function* () {
          yield randomBytes(1000)
        })(),
      )
      return id
    }
    const stray = async (): Promise<string> => {
      const id = await video()
      await write(sql`delete from asset where id = ${id}`)
      return id
    }
    const chunk = async (): Promise<string> => {
      const id = randomUUID()
      const folder = await storage().area('chunks').folder(id)
      await writeFile(join(folder, 'a.mp4'), randomBytes(100))
      await storage().area('chunks').keep(id, ['a.mp4'])
      return id
    }
    const download = async (): Promise<string> => {
      const person = await makePerson(service, 'User')
      await callConfirmed(service, person)(accounts.startExport, {})
      const { id } = (await database.asSystem((tx) =>
        tx.first(sql<{ id: string }>`select id from data_export where person_id = ${person.id}`),
      ))!
      await registry.export.run({ exportId: id }, jobContext(service))
      return id
    }

    /** What lies in the bucket, below which prefix, and after how long nothing of it does; undefined: it stays. */
    const classes: { what: string; under: string; id: string; after: number | undefined }[] = [
      { what: 'a file whose row is gone', under: 'assets/', id: await stray(), after: hour },
      { what: 'an upload that nobody went on with', under: 'quarantine/', id: await upload(), after: 3 * day },
      { what: 'a download of one’s own data', under: 'exports/', id: await download(), after: exportDays * day },
      { what: 'pieces of renders', under: 'chunks/', id: await chunk(), after: 7 * day },
      {
        what: 'an original of a project whose time is over',
        under: 'assets/',
        id: await ofProject(12),
        after: 12 * day,
      },
      { what: 'a file that nobody used', under: 'assets/', id: await video(), after: 30 * day },
      { what: 'a clip that was taken out', under: 'assets/', id: await ofClip(true), after: keptDays * day },
      { what: 'an original of an open project', under: 'assets/', id: await ofProject(undefined), after: undefined },
      { what: 'a clip of a library', under: 'assets/', id: await ofClip(false), after: undefined },
    ]

    const log = pino({ level: 'silent' })
    const tasks = [
      ...assetTasks({ database, log }, new Date(0)),
      ...editTasks({ database }),
      ...clipTasks({ database, log }),
      ...personalDataTasks(database),
    ]
    const signal = new AbortController().signal
    /** Everything that a clock does at a moment, and the jobs that come of it. */
    const runAt = async (now: Date) => {
      for (const { run } of tasks) await run(now, signal)
      const jobs = await database.asSystem((tx) =>
        tx.rows(sql<{ id: string; data: never }>`
          select id, data from pgboss.job where name = 'ingest' and state = 'created'`),
      )
      for (const { id, data } of jobs) {
        await registry.ingest.run(data, jobContext(service))
        await service.queue.boss.deleteJob('ingest', id)
      }
    }
    const keys = async () => {
      const found: string[] = []
      for await (const page of openBucket(place).list('')) found.push(...page.map(({ key }) => key))
      return found
    }
    const of = (all: readonly string[], { under, id }: (typeof classes)[number]) =>
      all.filter((key) => key.startsWith(`${under}${id}/`))

    const first = await keys()
    for (const one of classes) expect(of(first, one).length, one.what).toBeGreaterThan(0)
    const known = classes.flatMap((one) => of(first, one))
    expect(first.filter((key) => !known.includes(key))).toEqual([])
    expect(new Set(first.map((key) => key.split('/')[0]))).toEqual(
      new Set(['assets', 'quarantine', 'chunks', 'exports']),
    )

    const began = Date.now()
    const days = [...new Set(classes.flatMap(({ after }) => (after === undefined ? [] : [after])))].toSorted(
      (a, b) => a - b,
    )
    const moments = [...days.flatMap((after) => [after - hour / 2, after + hour / 2]), 400 * day]
    for (const moment of moments) {
      await runAt(new Date(began + moment))
      const left = await keys()
      for (const one of classes) {
        const isThere = one.after === undefined || moment < one.after
        expect(of(left, one).length > 0, `${one.what} after ${(moment / day).toFixed(2)} days`).toBe(isThere)
      }
      expect((await checkRunning(database, storage(), { sample: 100 })).faults).toEqual([])
    }
    console.log(
      `lifecycle: ${classes.length} classes, ${first.length} objects, ${moments.length} moments; ` +
        `${(await keys()).length} objects are left after ${moments.at(-1)! / day} days`,
    )
  },
)
