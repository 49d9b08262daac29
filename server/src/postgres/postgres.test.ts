// @module-tag long
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { folderInMemory } from '../../test/in-memory.ts'
import { isLong } from '../../test/random.ts'
import { postgresProcesses } from './processes.ts'
import { startPostgres, type Postgres } from './postgres.ts'

// Processes are born and die here: on a busy machine each takes its time, and none of it is what is tested.
vi.setConfig({ testTimeout: isLong ? 600_000 : 120_000 })

const rounds = isLong ? 10 : 1
let dataDir: string
/** A folder in which a server was made and stopped: most tests begin with a copy of it, which takes less than to make one. */
let made: string
let running: Postgres[] = []
let holders: ChildProcess[] = []

beforeAll(async () => {
  made = await folderInMemory('postgres')
  await (await startPostgres({ dataDir: made })).stop()
})

afterAll(() => rm(made, { recursive: true, force: true }))

beforeEach(async () => {
  dataDir = await folderInMemory('postgres')
})

afterEach(async () => {
  for (const postgres of running) await postgres.stop()
  for (const holder of holders) kill(-holder.pid!)
  for (const pid of await servers(dataDir)) kill(pid)
  running = []
  holders = []
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

describe('the embedded PostgreSQL', () => {
  test('keeps data, password and port over a restart, and refuses other users', async () => {
    const first = await start()
    await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS value')
    expect(await query(first.url, 'SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user')).toEqual([
      { rolsuper: false, rolbypassrls: false },
    ])
    expect(await query(first.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }])
    expect(await query(first.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
    await expect(query(first.url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow('password authentication')
    for (const other of ['postgres', 'template1'])
      await expect(query(Object.assign(new URL(first.url), { pathname: other }).href, 'SELECT 1')).rejects.toThrow(
        `permission denied for database "${other}"`,
      )
    expect((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o777).toBe(0o600)
    await first.stop()
    expect(await servers(dataDir)).toEqual([])

    const second = await start()
    expect(second).toMatchObject({ url: first.url, adopted: false })
    expect(await query(second.url, 'SELECT value FROM kept')).toEqual([{ value: 7 }])
  })

  test('starts in copies of its folder at the same time, each on its own port', async () => {
    const folders = [dataDir, join(dataDir, 'a'), join(dataDir, 'b')]
    for (const copy of folders) {
      await mkdir(copy, { recursive: true })
      await copyTo(copy)
    }
    const servers = await Promise.all(folders.map((folder) => startPostgres({ dataDir: folder })))
    running.push(...servers)
    for (const [i, { url }] of servers.entries()) await query(url, `CREATE TABLE mine AS SELECT ${i} AS value`)
    for (const [i, { url }] of servers.entries())
      expect(await query(url, 'SELECT value FROM mine')).toEqual([{ value: i }])
  })

  test('is not affected by environment variables', async () => {
    const leaks = { PGPORT: '1', PGDATA: '/nowhere', PGSSLMODE: 'require', LC_ALL: 'xx_XX', TZ: 'Asia/Tokyo' }
    const { address } = await hold(leaks)
    expect(await query(address.url!, 'SHOW timezone')).toEqual([{ TimeZone: 'UTC' }])
  })

  test('starts although a stale pid file names another running process', async () => {
    await begun()
    await writeFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), `${process.pid}\n/x\n0\n5\n\n127.0.0.1\n`)
    const again = await start()
    expect(await query(again.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('as a throwaway leaves no files, and ends with its process', async () => {
    const throwaway = await start({ throwaway: true })
    expect(await query(throwaway.url, 'SHOW fsync')).toEqual([{ fsync: 'off' }])
    await throwaway.stop()
    expect(await readdir(dataDir)).toEqual([])

    const { holder } = await hold({}, 'throwaway')
    kill(-holder.pid!)
    await expect.poll(() => servers(dataDir)).toEqual([])
  })
})

describe('the embedded PostgreSQL after a kill', () => {
  test('of all processes at random moments of first starts can be started again', async () => {
    const seed = Number(process.env.SEED_OF_KILLS ?? Date.now() % 100_000)
    const delays: number[] = []
    for (let round = 0; round < rounds; round++) {
      for (let kills = 0; kills < 3; kills++) {
        const delay = Math.round(random(seed, delays.length) * 1200)
        delays.push(delay)
        const { holder } = holding()
        await sleep(delay)
        kill(-holder.pid!)
        // Every second time the server dies too, as in a power cut; else it lives on, or is just being born.
        if (kills % 2) for (const pid of await servers(dataDir)) kill(pid)
      }
      const postgres = await start()
      const where = `seed ${seed}, round ${round}, killed after ${delays.slice(-3).join(', ')} ms`
      expect(await query(postgres.url, 'SELECT current_user::text AS who'), where).toEqual([{ who: 'clear_owner' }])
      expect(await servers(dataDir), where).toHaveLength(1)
      expect(await readdir(join(dataDir, 'postgres')), where).not.toContainEqual(expect.stringMatching(/^making-/))
      await postgres.stop()
      await rm(join(dataDir, 'postgres'), { recursive: true })
    }
  })

  test('of the product alone is adopted by the next start, with all committed data', async () => {
    await begun()
    const { holder, address } = await hold()
    await query(address.url!, 'CREATE TABLE kept AS SELECT 7 AS value')
    const [left] = await servers(dataDir)
    kill(-holder.pid!)
    await once(holder, 'exit')

    const postgres = await start()
    expect(postgres).toMatchObject({ adopted: true, url: address.url })
    expect(await servers(dataDir)).toEqual([left])
    expect(await query(postgres.url, 'SELECT value FROM kept')).toEqual([{ value: 7 }])
    await postgres.stop()
    expect(await servers(dataDir)).toEqual([])
  })

  test.each(['own', 'adopted'])('of the server alone (%s) comes back on the same port', async (which) => {
    await begun()
    if (which === 'adopted') {
      const { holder } = await hold()
      kill(-holder.pid!)
      await once(holder, 'exit')
    }
    const postgres = await start()
    await query(postgres.url, 'CREATE TABLE kept AS SELECT 7 AS value')
    for (let round = 0; round < 2; round++) {
      const [pid] = await servers(dataDir)
      const busy = query(postgres.url, 'SELECT pg_sleep(30)').catch(() => {})
      await sleep(50)
      kill(pid!)
      await busy
      const back = () => query(postgres.url, 'SELECT value FROM kept').catch(String)
      await expect.poll(back, { interval: 50 }).toEqual([{ value: 7 }])
    }
    expect(await servers(dataDir)).toHaveLength(1)
  })
})

describe('several starts at once', () => {
  test('of five starts one gets the server, four are refused with its owner named, and one server runs', async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => hold()))
    const winners = outcomes.filter(({ address }) => address.url)
    expect(winners).toHaveLength(1)
    const refused = outcomes.filter(({ address }) => address.refused).map(({ address }) => address.refused)
    expect(refused).toHaveLength(4)
    for (const message of refused) expect(message).toContain('runs already on this DATA_DIR')
    expect(await servers(dataDir)).toHaveLength(1)
  })

  test('a sharing command uses the running server, and leaves it running', async () => {
    await begun()
    const product = await start()
    const { holder, address } = await hold({}, 'share')
    expect(address).toMatchObject({ url: product.url, adopted: true })
    holder.kill('SIGTERM')
    await once(holder, 'exit')
    expect(await query(product.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})

/** What a first start makes, so that the next one is a second. */
const begun = () => copyTo(dataDir)

const copyTo = (folder: string) => promisify(execFile)('cp', ['-a', join(made, 'postgres'), folder])

async function start(options: { throwaway?: boolean } = {}) {
  const postgres = await startPostgres({ dataDir, ...options })
  running.push(postgres)
  return postgres
}

interface Address {
  url?: string
  adopted?: boolean
  refused?: string
}

async function hold(env: NodeJS.ProcessEnv = {}, mode = '') {
  const { holder, line } = holding(env, mode)
  const address: Address = JSON.parse(await line)
  return { holder, address }
}

function holding(env: NodeJS.ProcessEnv = {}, mode = '') {
  const script = fileURLToPath(new URL('../../test/hold-postgres.ts', import.meta.url))
  const holder = spawn(process.execPath, [script, dataDir, mode], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  holders.push(holder)
  const line = once(createInterface(holder.stdout), 'line').then(([text]) => String(text))
  return { holder, line }
}

/** The live servers on this directory, found as the product finds them. */
async function servers(directory: string) {
  const data = await stat(join(directory, 'postgres', 'data'), { bigint: true }).catch(() => undefined)
  if (!data) return []
  const name = createHash('sha256').update(`${data.dev} ${data.ino}`).digest('hex').slice(0, 12)
  return (await postgresProcesses(`clear_${name}`)).servers
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

/** Between 0 and 1, the same for the same seed and number. */
function random(seed: number, number: number) {
  return createHash('sha256').update(`${seed} ${number}`).digest().readUInt32BE() / 2 ** 32
}

async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
