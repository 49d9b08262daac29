import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { client } from '@clear-to-post/contract/client'
import { Refusal } from '@clear-to-post/contract/errors'
import { projects } from '@clear-to-post/contract/projects'
import { makeClip } from '@clear-to-post/media/make-clip'
import { faultsOf } from '../../test/ledger.ts'
import {
  dropFolder,
  originalsOf,
  sendFile,
  sha256,
  startLivingProduct,
  varied,
  type LivingProduct,
} from '../../test/living-product.ts'
import { openWork, type Answered, type Work } from '../../test/people-at-work.ts'
import { environment } from '../../test/processes.ts'
import { isLong, isProof, seeded, seedOfRun } from '../../test/random.ts'
import { makeTenant, subscribe } from '../../test/service.ts'
import { createPerson } from '../accounts/actions.ts'
import { startPostgres } from '../postgres/postgres.ts'
import { checkBackup } from './check.ts'
import { completeBackups, readBackup, readLastBackup } from './folder.ts'
import { readChecksums, writeChecksums } from './checksums.ts'
import { takeBackup } from './take.ts'
import { folderInMemory } from '../../test/in-memory.ts'

/** A product under writes, backed up while it runs and put back elsewhere: the commands themselves, in processes of their own. */
const wanted = isLong
  ? { rounds: 20, kills: 60, files: Infinity, pauseMs: 0 }
  : // As fast as they can, two people write as much as there is time for, and all of it is looked for in the copy.
    { rounds: 1, kills: 2, files: 3, pauseMs: 250 }
const password = 'kettle-drum-41'
// Each starts PostgreSQL several times, which takes minutes on a machine that does much else.
vi.setConfig({ testTimeout: isLong ? 7_200_000 : 900_000, hookTimeout: 600_000 })

/** The last backup of the product; one that is made now where no test before has made any. */
const aBackup = async (): Promise<string> => {
  const to = join(root, 'backups')
  return (
    (await completeBackups(to)).at(-1) ?? (await takeBackup({ dataDir: living.dataDir, to, product: 'test' })).folder
  )
}

/** What has no room in `npm test`: each takes a backup or two more. */
const proof = it.runIf(isProof)

let root: string
let living: LivingProduct
let clip: Buffer
let atWork: Work | undefined
const seed = seedOfRun()
const random = seeded(seed)

beforeAll(async () => {
  root = await folderInMemory('restore')
  for (const name of ['data', 'tmp']) await mkdir(join(root, name))
  vi.stubEnv('TMPDIR', join(root, 'tmp'))
  living = await startLivingProduct(join(root, 'data'))
  // As an operator may have it who keeps keys in a place of their own.
  await rename(join(root, 'data/media-key'), join(root, 'media-key'))
  await symlink(join(root, 'media-key'), join(root, 'data/media-key'))
  await makeClip({ out: join(root, 'clip.mp4'), seconds: 3, width: 90, height: 160, hue: 40 })
  clip = await readFile(join(root, 'clip.mp4'))
  const tenantId = await makeTenant(living.service)
  await subscribe(living.service, { tenantId })
  for (const [role, email] of Object.entries(people))
    await living.service.database.asSystem((tx) =>
      createPerson(tx, {
        email,
        name: role,
        role: role as 'User',
        password,
        tenantId: role === 'User' ? tenantId : null,
      }),
    )
  const token = await living.enter(people.User, password)
  for (let n = 0; n < 2; n++) await sendFile(living.origin, token, varied(clip, `before ${n}`))
  while ((await openFiles(living)) > 0) await sleep(200)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await living?.stop()
  await dropFolder(root)
})

const people = {
  User: 'officer@restore.test',
  Editor: 'editor@restore.test',
  QA: 'qa@restore.test',
  ADMIN: 'admin@restore.test',
}

it('a backup taken under writes restores all that was answered before, and every file with its hash', async () => {
  const backups = join(root, 'backups')
  for (let round = 1; round <= wanted.rounds; round++) {
    const writing = await writeOn(living)
    await expect.poll(() => writing.answered.length, { timeout: 60_000 }).toBeGreaterThan(10)
    const began = Date.now()
    const outcome = await command(['backup', backups], living.dataDir)
    const answeredWhile = writing.answered.filter(({ at }) => at > began).length
    await writing.end()
    expect(outcome).toMatchObject({ code: 0 })
    expect(answeredWhile, 'steps answered while the backup was taken').toBeGreaterThan(0)
    const folder = (await completeBackups(backups)).at(-1)!
    expect(await readLastBackup(living.dataDir)).toMatchObject({ folder, hasDatabase: true })

    const dataDir = join(root, `restored-${round}`)
    expect(await command(['verify', folder], dataDir)).toMatchObject({ code: 0 })
    expect(await command(['restore', folder], dataDir)).toMatchObject({ code: 0 })
    const restored = await startLivingProduct(dataDir)
    try {
      expect(await faultsOf(restored.service)).toEqual([])
      const before = writing.answered.filter(({ at }) => at < began)
      expect(await lostOf(restored, before)).toEqual([])
      expect(await wrongFiles(restored)).toEqual([])
      const sent = writing.files.filter(({ at }) => at < began)
      expect(await unknownFiles(restored, sent)).toEqual([])
      for (const email of Object.values(people)) {
        const token = await restored.enter(email, password)
        const ask = client({ origin: restored.origin, token: () => token })
        expect((await ask(projects.list, {})).items.length, email).toBeGreaterThanOrEqual(0)
      }
      expect((await fetch(`${restored.origin}/health/ready`)).status).toBe(200)
      // What was being uploaded or checked goes on and comes to its end.
      await expect.poll(() => openFiles(restored), { timeout: 120_000 }).toBe(0)
      expect(await wrongFiles(restored)).toEqual([])
      console.log(
        `restore: seed ${seed}, round ${round}: ${before.length} answers before and ${answeredWhile} during the backup, ` +
          `${(await originalsOf(restored)).length} files`,
      )
    } finally {
      await restored.stop()
      await dropFolder(dataDir)
    }
  }
})

proof(
  `a backup killed (-9) at ${wanted.kills} random moments leaves a complete one or one that says it is not, and the product untouched`,
  async () => {
    const backups = join(root, 'killed')
    const writing = await writeOn(living)
    const lasts = await timeOf(() => command(['backup', backups], living.dataDir))
    let complete = 1
    for (let kill = 0; kill < wanted.kills; kill++) {
      await command(['backup', backups], living.dataDir, { killAfter: random.next() * lasts })
      const folders = await completeBackups(backups)
      const names = (await readdir(backups)).filter((name) => !name.startsWith('.'))
      const halves = names.filter((name) => /^(incomplete-|clear-to-post-checking-)/.test(name))
      expect(names.length).toBe(folders.length + halves.length)
      if (folders.length > complete) expect(await checkBackup(folders.at(-1)!, { placeFor: root })).toEqual([])
      complete = folders.length
      for (const half of halves)
        if (half.startsWith('incomplete-'))
          expect(await command(['verify', join(backups, half)], root)).toMatchObject({
            code: 1,
            said: expect.stringMatching(/ended midway|SHA256SUMS/),
          })
    }
    await writing.end()
    expect(await living.behind('select slot_name from pg_replication_slots')).toEqual([])
    expect(await command(['backup', backups], living.dataDir)).toMatchObject({ code: 0 })
    expect((await readdir(backups)).filter((name) => /^(incomplete-|clear-to-post-checking-)/.test(name))).toEqual([])
    expect((await readdir(join(root, 'tmp'))).filter((name) => name.includes('checking-'))).toEqual([])
  },
)

proof('a second backup copies only what is new', async () => {
  const backups = join(root, 'twice')
  // What people sent before may still be on its way: its pictures would be new, too.
  await expect.poll(() => openFiles(living), { timeout: 120_000 }).toBe(0)
  const first = await takeBackup({ dataDir: living.dataDir, to: backups, product: 'test' })
  const email = 'late@restore.test'
  await living.service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'Late', role: 'User', password, tenantId: null }),
  )
  const id = await sendFile(living.origin, await living.enter(email, password), varied(clip, 'new'))
  await expect.poll(() => openFiles(living), { timeout: 120_000 }).toBe(0)
  await sleep(1000)
  const second = await takeBackup({ dataDir: living.dataDir, to: backups, product: 'test' })
  const media = async (folder: string) =>
    [...(await readChecksums(folder)).keys()].filter((path) => path.startsWith('data/media/assets'))
  const shared = await Promise.all(
    (await media(second.folder)).map(async (path) => ({ path, links: (await stat(join(second.folder, path))).nlink })),
  )
  expect(shared.filter(({ links }) => links === 1).every(({ path }) => path.includes(id))).toBe(true)
  expect(shared.filter(({ links }) => links === 2).map(({ path }) => path)).toEqual(await media(first.folder))
})

it('backup and restore refuse to overwrite or mix data, with a reason', { tags: 'long' }, async () => {
  const folder = await aBackup()
  const { dataDir } = living
  expect(await command(['backup', join(dataDir, 'backups')], dataDir)).toMatchObject({
    code: 1,
    said: expect.stringMatching(/in DATA_DIR itself/),
  })
  await symlink(dataDir, join(root, 'leads-back'))
  expect(await command(['backup', join(root, 'leads-back', 'backups')], dataDir)).toMatchObject({
    code: 1,
    said: expect.stringMatching(/in DATA_DIR itself/),
  })
  expect(await command(['backup', join(root, 'nowhere')], join(root, 'backups'))).toMatchObject({
    code: 1,
    said: expect.stringMatching(/no database/),
  })
  expect(await command(['backup'], dataDir)).toMatchObject({ code: 1, said: expect.stringMatching(/which folder/) })
  expect(await command(['restore', folder], dataDir)).toMatchObject({
    code: 1,
    said: expect.stringMatching(/is not empty/),
  })
  const half = join(root, 'half')
  await mkdir(half)
  await writeFile(join(half, 'restore-unfinished'), '')
  expect(await command(['restore', folder], half)).toMatchObject({
    code: 1,
    said: expect.stringMatching(/ended midway/),
  })
  await expect(startLivingProduct(half)).rejects.toThrow(/ended before it was ready/)
})

it('a backup contains the keys, and only its owner can read them', async () => {
  const folder = await aBackup()
  for (const path of ['data/media-key', 'data/postgres/password']) {
    const { mode } = await stat(join(folder, path))
    expect((mode & 0o777).toString(8), path).toBe('600')
  }
  expect(((await stat(folder)).mode & 0o777).toString(8)).toBe('700')
})

it('a changed backup fails its check, which names the file', { tags: 'long' }, async () => {
  const folder = await aBackup()
  const faults = () => checkBackup(folder, { placeFor: root })
  expect(await faults()).toEqual([])
  const sums = await readChecksums(folder)
  const paths = [...sums.keys()]
  const table = paths.findLast((path) => /data\/postgres\/data\/base\/\d+\/\d+$/.test(path))!
  const label = 'data/postgres/data/backup_label'

  await changed(
    join(folder, label),
    (bytes) => Buffer.concat([bytes, Buffer.from('x')]),
    async () => expect(await faults()).toEqual([`${label} has other bytes than when it was backed up`]),
  )
  await changed(join(folder, table), flipped, async () =>
    expect(await faults()).toEqual([`${table} has other bytes than when it was backed up`]),
  )
  await changed(join(folder, 'SHA256SUMS'), flipped, async () =>
    expect(await faults()).toEqual([expect.stringMatching(/^SHA256SUMS is not as it was written/)]),
  )
})

proof('a backup whose list was changed with it is told by PostgreSQL and by what the database knows', async () => {
  const folder = await aBackup()
  const faults = () => checkBackup(folder, { placeFor: root })
  const paths = [...(await readChecksums(folder)).keys()]
  const log = paths.find((path) => /pg_wal\/[0-9A-F]{24}$/.test(path))!
  const original = paths.find((path) => /assets\/.*\/original\.mp4$/.test(path))!
  const other = paths.find((path) => /assets\/.*\.jpg$/.test(path))!
  await without(join(folder, log), async () => {
    expect(await faults()).toEqual([`${log} is missing`])
    // If it is removed from the list as well, PostgreSQL itself refuses.
    await relisted(folder, log, undefined, async () =>
      expect((await faults()).join()).toMatch(/^PostgreSQL does not start on this backup: .*(WAL|checkpoint record)/),
    )
  })
  await without(join(folder, original), async () => {
    const stranger = join(folder, 'data/stranger')
    await writeFile(stranger, '')
    const expected = [
      `${original} is missing`,
      'data/stranger is not in SHA256SUMS',
      `${other} has other bytes than when it was backed up`,
    ]
    await changed(join(folder, other), flipped, async () => expect(await faults()).toEqual(expected.sort()))
    await dropFolder(stranger)
    await relisted(folder, original, undefined, async () =>
      expect(await faults()).toEqual([`The database names ${original}, which is not in the backup`]),
    )
  })
  await changed(join(folder, original), flipped, async () =>
    relisted(folder, original, sha256(await readFile(join(folder, original))), async () =>
      expect(await faults()).toEqual([`${original} has another sha-256 than the database knows of it`]),
    ),
  )
})

proof('a database whose ledger does not lead to its state is not accepted as a backup', async () => {
  const [project] = await living.behind<{ id: string }>('select id from project order by id limit 1')
  const change = (by: number) => living.behind('update project set seq = seq + $2 where id = $1', [project!.id, by])
  await change(1)
  const taken = takeBackup({ dataDir: living.dataDir, to: join(root, 'wrong'), product: 'test' })
  await expect(taken).rejects.toThrow(`Project ${project!.id} has status`)
  await change(-1)
  expect(await completeBackups(join(root, 'wrong'))).toEqual([])
})

proof('a file that was lost long before keeps no backup from being made, and is named in it', async () => {
  const [{ id, path } = { id: '', path: '' }] = await originalsOf(living)
  await living.behind(`update asset set modified_at = now() - interval '2 hours' where id = $1`, [id])
  const taken = async () => takeBackup({ dataDir: living.dataDir, to: join(root, 'lost'), product: 'test' })
  let about = (await taken()).about
  expect(about.missing).toEqual([])
  await without(join(living.dataDir, 'media/assets', path), async () => ({ about } = await taken()))
  expect(about.missing).toEqual([`assets/${path}`])
})

it('a backup beside an external database says that it contains no database', { tags: 'long' }, async () => {
  const to = join(root, 'files-alone')
  const { folder } = await takeBackup({ dataDir: living.dataDir, to, product: 'test', ownDatabase: true })
  expect((await readBackup(folder)).about.database).toBeNull()
  expect([...(await readChecksums(folder)).keys()].some((path) => path.startsWith('data/postgres'))).toBe(false)
  expect(await command(['verify', folder], root)).toMatchObject({
    code: 0,
    said: expect.stringMatching(/The database is not in it/),
  })
  expect(await command(['restore', folder], join(root, 'never'))).toMatchObject({
    code: 1,
    said: expect.stringMatching(/holds no database.*pg_restore/),
  })
})

proof(
  'what waited to be sent when the backup was made is not sent by the restored copy, unless it only moved',
  async () => {
    const to = join(root, 'held')
    await living.behind(
      `insert into mail (id, key, recipient, template, data) values (gen_random_uuid(), 'held', 'held@restore.test', 'message', '{}')`,
    )
    const { folder } = await takeBackup({ dataDir: living.dataDir, to, product: 'test' })
    const stateIn = async (dataDir: string, ...more: string[]) => {
      expect(await command(['restore', folder, ...more], dataDir)).toMatchObject({ code: 0 })
      const postgres = await startPostgres({ dataDir })
      const address = new URL(postgres.superuserUrl)
      address.pathname = new URL(postgres.url).pathname
      const client = new pg.Client({ connectionString: address.href })
      await client.connect()
      const { rows } = await client.query(
        `select (select state from mail where key = 'held') as mail,
         (select count(*) > 0 from session_family where revoked_at is null) as sessions`,
      )
      await client.end()
      await postgres.stop()
      return rows[0]
    }
    expect(await stateIn(join(root, 'held-back'))).toEqual({ mail: 'unknown', sessions: false })
    expect(await stateIn(join(root, 'moved'), '--moved')).toEqual({ mail: 'waiting', sessions: true })
  },
)

type Noted<T> = T & { at: number }

/** People take steps and upload until the test ends it; records the time of each answer. */
const writeOn = async ({ service, origin, enter }: LivingProduct) => {
  // The same people each time, since new ones could not see the existing projects.
  const work = (atWork ??= await openWork(service as never, random))
  const token = await enter(people.User, password)
  const answered: Noted<Answered>[] = []
  const files: Noted<{ id: string; sha256: string }>[] = []
  let ended = false
  const person = async () => {
    while (!ended) {
      const step = await work.next()
      const send = client({ origin, token: () => step.who.token })
      try {
        const project = await step.ask((shape, input) => send(shape, input, { requestId: step.requestId }))
        work.note(step, project)
        answered.push({ ...step, project, at: Date.now() })
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind === 'unexpected') throw error
      }
      await sleep(wanted.pauseMs)
    }
  }
  const uploader = async () => {
    // Each file is checked, in the product and again in the copy.
    for (let n = 0; !ended && n < wanted.files; n++) {
      const bytes = varied(clip, `while ${Date.now()} ${n}`)
      const id = await sendFile(origin, token, bytes).catch((error: Error) => {
        // More files than one person may have open: the next ones wait.
        if (!/asset\.no-room/.test(error.message)) throw error
      })
      if (id) files.push({ id, sha256: sha256(bytes), at: Date.now() })
      await sleep(300)
    }
  }
  const all = Promise.all([person(), person(), uploader()])
  all.catch(() => {})
  return { answered, files, end: async () => ((ended = true), await all) }
}

const lostOf = async (product: LivingProduct, answered: readonly Answered[]) => {
  const events = await product.behind<{ line: string }>(
    `select project_id || ' ' || seq || ' ' || verb as line from project_event`,
  )
  const kept = new Set(events.map(({ line }) => line))
  return answered.map(({ project, verb }) => `${project.id} ${project.seq} ${verb}`).filter((line) => !kept.has(line))
}

const wrongFiles = async (product: LivingProduct) => {
  const wrong: string[] = []
  for (const { path, sha256: known } of await originalsOf(product)) {
    const [id, name] = path.split('/')
    const bytes = await readFile(join(product.dataDir, 'media/assets', path)).catch(() =>
      readFile(join(product.dataDir, 'media/quarantine', id!)).catch(() => null),
    )
    if (!bytes || sha256(bytes) !== known) wrong.push(`${id} ${name}`)
  }
  return wrong
}

/** Acknowledged files that are missing in the database or have other bytes. */
const unknownFiles = async (product: LivingProduct, sent: readonly { id: string; sha256: string }[]) => {
  const wrong: string[] = []
  for (const { id, sha256: known } of sent) {
    const [row] = await product.behind<{ sha256: string | null; state: string }>(
      'select sha256, state from asset where id = $1',
      [id],
    )
    const waiting = await readFile(join(product.dataDir, 'media/quarantine', id)).catch(() => null)
    if (row?.sha256 !== known && (!waiting || sha256(waiting) !== known)) wrong.push(`${id} ${row?.state}`)
  }
  return wrong
}

const openFiles = async ({ behind }: LivingProduct): Promise<number> => {
  const [row] = await behind<{ n: number }>(
    `select count(*)::int as n from asset where state in ('received', 'checking') or (state = 'ready' and stage is not null)`,
  )
  return row!.n
}

/** One of the commands in a process of its own, as npm runs it. */
const command = async (args: readonly string[], dataDir: string, { killAfter }: { killAfter?: number } = {}) => {
  const script = join(import.meta.dirname, '../main/backup.ts')
  const env = { ...environment, DATA_DIR: dataDir, SEED: 'none', TMPDIR: join(root, 'tmp') }
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  if (code !== 0 && killAfter === undefined && code !== 1) console.log(said)
  return { code, said }
}

const timeOf = async (work: () => Promise<unknown>) => {
  const began = Date.now()
  await work()
  return Date.now() - began
}

/** One bit of the middle. */
const flipped = (bytes: Buffer): Buffer => {
  const other = Buffer.from(bytes)
  other[other.length >> 1]! ^= 1
  return other
}

const changed = async (path: string, change: (bytes: Buffer) => Buffer, work: () => Promise<unknown>) => {
  const bytes = await readFile(path)
  await writeFile(path, change(bytes))
  await work()
  await writeFile(path, bytes)
}

const without = async (path: string, work: () => Promise<unknown>) => {
  await rename(path, join(root, 'put-aside'))
  await work()
  await rename(join(root, 'put-aside'), path)
}

/** Changes the list of sums and its seal, as an attacker would. */
const relisted = async (folder: string, path: string, hash: string | undefined, work: () => Promise<unknown>) => {
  const lists = ['SHA256SUMS', 'SHA256SUMS.sha256'].map((name) => join(folder, name))
  const [sums, seal] = await Promise.all(lists.map((list) => readFile(list)))
  const changedSums = await readChecksums(folder)
  if (hash === undefined) changedSums.delete(path)
  else changedSums.set(path, hash)
  await Promise.all(lists.map((list) => dropFolder(list)))
  await writeChecksums(folder, changedSums)
  await work()
  await writeFile(lists[0]!, sums!)
  await writeFile(lists[1]!, seal!)
}
