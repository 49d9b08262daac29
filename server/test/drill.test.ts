import { createHash } from 'node:crypto'
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { checkRunning } from '../src/backup/check-running.ts'
import { openClusterCopy } from '../src/backup/cluster-copy.ts'
import { readConfig } from '../src/kernel/config.ts'
import { sql } from '../src/kernel/database.ts'
import { openMigratedDatabase } from '../src/main/database.ts'
import { storage } from '../src/outside/storage.ts'
import { urls } from '../src/postgres/cluster.ts'
import { submitProject } from './factories.ts'
import { isLong } from './random.ts'
import { callAs, makeOfficer, makeVideo, openService, type Person, type Service } from './service.ts'

/** A video of an officer's, whose original lies in the store of this service. */
const keepVideo = async (service: Service, officer: Person, text: string): Promise<string> => {
  const id = await makeVideo(service, officer)
  const folder = join(service.config.dataDir, 'media', 'assets', id)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'original.mp4'), text)
  const sha256 = createHash('sha256').update(text).digest('hex')
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update asset set derived = '{"original":"original.mp4"}', sha256 = ${sha256} where id = ${id}`),
  )
  return id
}

it('a database that belongs to its store is found whole, and each kind of damage is named', async () => {
  const service = await openService()
  onTestFinished(service.close)
  const officer = await makeOfficer(service)
  const assets = await Promise.all(['one', 'two', 'three'].map((text) => keepVideo(service, officer, text)))
  const project = await submitProject(service, officer, { assets: [assets[0]!] })
  const check = () => checkRunning(service.database, storage(), { sample: 100 })
  expect(await check()).toEqual({ projects: 1, files: 3, hashed: 3, bytes: 11, faults: [] })
  const original = (id: string) => join(service.config.dataDir, 'media', 'assets', id, 'original.mp4')
  await writeFile(original(assets[1]!), 'twice')
  await rm(original(assets[2]!))
  const client = new pg.Client({ connectionString: service.urls.superuserUrl })
  await client.connect()
  await client.query('update project set seq = seq + 1 where id = $1', [project.id]).finally(() => client.end())
  expect((await check()).faults.toSorted()).toEqual(
    [
      `Project ${project.id} has status 0 and 2 events, its events lead to 0 and 1`,
      `assets/${assets[1]}/original.mp4 has another sha-256 than the database knows of it`,
      `The database names assets/${assets[2]}/original.mp4, which is not in the store`,
    ].toSorted(),
  )
})

// Two clusters are made for it, so npm test checks what is looked at alone.
it.skipIf(!isLong)(
  'the drill: a moment of a running service is restored elsewhere, checked, and goes on',
  async () => {
    const [here, elsewhere] = await Promise.all(
      ['here', 'elsewhere'].map((name) => mkdtemp(join(tmpdir(), `clear-to-post-drill-${name}-`))),
    )
    onTestFinished(() =>
      Promise.all([here!, elsewhere!].map((folder) => rm(folder, { recursive: true, force: true }))).then(() => {}),
    )
    const configOf = (folder: string) => readConfig({ DATA_DIR: folder, SEED: 'none', PORT: '0' })
    const running = await openMigratedDatabase(configOf(here!), { log: () => {} })
    const service = await openService({}, async () => running.appUrl)
    const officer = await makeOfficer(service)
    const submit = async (title: string) =>
      submitProject(service, officer, { title, assets: [await keepVideo(service, officer, title)] })
    await submit('Before the base backup')

    const secret = (await readFile(join(here!, 'postgres', 'password'), 'utf8')).trim()
    const port = Number(await readFile(join(here!, 'postgres', 'port'), 'utf8'))
    const [data, restored] = [here!, elsewhere!].map((folder) => join(folder, 'postgres', 'data'))
    const copy = await openClusterCopy({ data: data!, superuserUrl: urls(secret, port).superuserUrl, label: 'drill' })
    await mkdir(join(elsewhere!, 'postgres'), { mode: 0o711 })
    await copy.copyFiles(restored!)
    for (const folder of copy.folders) await mkdir(join(restored!, folder), { recursive: true, mode: 0o700 })
    const second = await submit('Between base backup and the moment')
    await copy.stop()
    await copy.copyLog(restored!)

    const client = new pg.Client({ connectionString: urls(secret, port).superuserUrl })
    await client.connect()
    const { rows } = await client.query<{ at: string }>('select clock_timestamp()::text as at')
    const moment = rows[0]!.at
    const lost = await submit('After the moment')
    await client.query('select pg_switch_wal()')
    // What an archive would hold: the log up to now.
    for (const name of (await readdir(join(data!, 'pg_wal'))).filter((one) => /^[0-9A-F]{24}$/.test(one)))
      await cp(join(data!, 'pg_wal', name), join(restored!, 'pg_wal', name))
    await client.end()
    await copy.close()

    const begun = performance.now()
    await cp(join(here!, 'postgres', 'password'), join(elsewhere!, 'postgres', 'password'))
    await appendFile(
      join(restored!, 'postgresql.auto.conf'),
      `\nrestore_command = 'false'\nrecovery_target_time = '${moment}'\nrecovery_target_action = 'promote'\nhot_standby = off\n`,
    )
    await writeFile(join(restored!, 'recovery.signal'), '')
    const there = await openMigratedDatabase(configOf(elsewhere!), { log: () => {} })
    // The bucket has every version: what came after the moment is there, and named by nobody.
    const again = await openService({ DATA_DIR: service.config.dataDir }, async () => there.appUrl)
    const checked = await checkRunning(again.database, storage(), { sample: 1000 })
    console.log(
      `restored to ${moment} elsewhere and checked in ${((performance.now() - begun) / 1000).toFixed(1)} s: ` +
        `${checked.projects} projects, ${checked.files} files, ${checked.hashed} of them read whole`,
    )
    expect(checked).toMatchObject({ projects: 2, files: 2, hashed: 2, faults: [] })
    const found = await again.database.asSystem((tx) => tx.rows(sql<{ id: string }>`select id from project`))
    expect(found.map(({ id }) => id)).toContain(second.id)
    expect(found.map(({ id }) => id)).not.toContain(lost.id)
    // It is a service again: the same person goes on there.
    await callAs(again, officer)(projects.cancel, { params: { projectId: second.id } })
    expect((await checkRunning(again.database, storage(), { sample: 0 })).faults).toEqual([])
    await again.close()
    await service.close()
    await there.close()
    await running.close()
  },
  240_000,
)
