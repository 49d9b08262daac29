// npm run bench:uploads: how long people wait for their lists while others upload. Database, service and load share the
// machine; each round measures the list alone and beside the uploads, in turns.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate } from '../server/src/postgres/migrate.ts'
import { startPostgres } from '../server/src/postgres/postgres.ts'
import { openDatabase, type Caller } from '../server/src/kernel/database.ts'
import { openIdentity } from '../server/src/identity/open.ts'
import { openQueue, prepareQueue } from '../server/src/kernel/queue.ts'
import { readConfig } from '../server/src/kernel/config.ts'
import { startProcess } from '../server/test/processes.ts'
import { fill } from './fill.ts'

const { values: flags } = parseArgs({
  options: {
    uploads: { type: 'string', default: '200' },
    /** Bytes a second of each upload. */
    rate: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    /** Another checkout's server beside this one's, for a comparison in one run. */
    before: { type: 'string' },
  },
})
const [uploads, rate, seconds, rounds] = [flags.uploads, flags.rate, flags.seconds, flags.rounds].map(Number) as [
  number,
  number,
  number,
  number,
]
type Work = { origin: string; tokens: string[]; rate: number; seconds: number }

if (process.env.BENCH_SENDER) await sendAll()
else await bench()

async function bench() {
  const dataDir = await mkdtemp(join(tmpdir(), 'clear-to-post-uploads-'))
  const postgres = await startPostgres({ dataDir, throwaway: false })
  const closers: (() => Promise<unknown>)[] = []
  try {
    await asked(postgres.superuserUrl, 'create database bench owner clear_owner')
    const [owner, superuser] = [inDatabase(postgres.url), inDatabase(postgres.superuserUrl)]
    const { appUrl } = await migrate({ ownerUrl: owner })
    await prepareQueue(owner)
    await fill(superuser, 10_000)
    const people = (await asked(
      superuser,
      `select id, role, tenant_id as "tenantId", security_stamp as "securityStamp" from person where role = 'User' limit ${uploads + 1}`,
    )) as Caller[]
    const tokens = await tokensOf(appUrl, dataDir, people)
    const [watching, ...sending] = tokens as [string, ...string[]]
    const roots = { now: join(import.meta.dirname, '..'), ...(flags.before ? { before: flags.before } : {}) }
    const servers: Record<string, string> = {}
    for (const [name, root] of Object.entries(roots)) {
      const file = join(root, 'server/test/killed-server.ts')
      const server = await startProcess(file, ['http', appUrl, dataDir])
      closers.push(() => server.end('SIGKILL'))
      servers[name] = server.said
    }
    const found: Record<string, { alone: number[]; beside: number[]; bytes: number }> = {}
    for (let round = -1; round < rounds; round++)
      for (const [name, origin] of Object.entries(servers)) {
        const alone = await listFor(origin, watching, seconds)
        const sender = startSenders({ origin, tokens: sending, rate, seconds: seconds + 3 })
        await sleep(2000)
        const beside = await listFor(origin, watching, seconds)
        const [bytes] = (await sender.done) as [number]
        await removeUploads(superuser, dataDir)
        if (round < 0) continue
        const kept = (found[name] ??= { alone: [], beside: [], bytes: 0 })
        kept.alone.push(...alone)
        kept.beside.push(...beside)
        kept.bytes += bytes
      }
    console.log(`${uploads} uploads of ${rate / 1e6} MB/s each, ${rounds} rounds of ${seconds} s`)
    for (const [name, { alone, beside, bytes }] of Object.entries(found)) {
      const of = (latencies: number[], share: number) =>
        latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * share)]!
      const [a50, a95, b50, b95] = [of(alone, 0.5), of(alone, 0.95), of(beside, 0.5), of(beside, 0.95)]
      console.log(
        `${name}: list p50 / p95 alone ${a50.toFixed(0)} / ${a95.toFixed(0)} ms, beside uploads ${b50.toFixed(0)} / ${b95.toFixed(0)} ms: ` +
          `${(b50 / a50).toFixed(1)} × / ${(b95 / a95).toFixed(1)} ×; ${alone.length} and ${beside.length} lists; ` +
          `${(bytes / 1e6 / (rounds * (seconds + 3))).toFixed(0)} MB/s came in`,
      )
    }
  } finally {
    for (const close of closers) await close()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  process.exit()
}

/** One person who reads the list again and again: how long each took, in milliseconds. */
async function listFor(origin: string, token: string, secondsLong: number): Promise<number[]> {
  const latencies: number[] = []
  const end = performance.now() + secondsLong * 1000
  while (performance.now() < end) {
    const began = performance.now()
    const response = await fetch(`${origin}/api/projects/list`, { headers: { authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`the list answered ${response.status}`)
    latencies.push(performance.now() - began)
    await sleep(20)
  }
  return latencies
}

function startSenders(work: Work): { done: Promise<unknown[]> } {
  const child: ChildProcess = fork(import.meta.filename, { env: { ...process.env, BENCH_SENDER: 'yes' } })
  const done = once(child, 'message')
  child.send(work)
  return { done }
}

/** Every token's upload at its rate, for so long; then says how many bytes the service took. */
async function sendAll() {
  const [{ origin, tokens, rate: each, seconds: long }] = (await once(process, 'message')) as [Work]
  const agent = new Agent({ keepAlive: true, maxSockets: 1000 })
  const piece = Buffer.alloc(64 * 1024, 'x')
  const size = 2 ** 30
  let bytes = 0
  await Promise.all(
    tokens.map(async (token) => {
      const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
      const begun = await fetch(`${origin}/uploads`, {
        method: 'POST',
        headers: { ...headers, 'upload-length': String(size) },
      })
      const location = begun.headers.get('location')
      if (!location) throw new Error(`an upload began with ${begun.status}`)
      const patch = request(origin + location, {
        agent,
        method: 'PATCH',
        headers: {
          ...headers,
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
          'content-length': size,
        },
      })
      patch.on('error', () => {})
      const began = performance.now()
      for (let sent = 0; performance.now() - began < long * 1000;) {
        const due = Math.min(((performance.now() - began) / 1000) * each, sent + 4 * piece.length)
        while (sent + piece.length <= due) {
          sent += piece.length
          if (!patch.write(piece)) await Promise.race([once(patch, 'drain'), sleep(1000)])
        }
        await sleep(50)
      }
      bytes += patch.socket?.bytesWritten ?? 0
      patch.destroy()
    }),
  )
  process.send!(bytes, () => process.exit())
}

async function removeUploads(superuser: string, dataDir: string) {
  await sleep(1000)
  await asked(superuser, `delete from asset where state = 'uploading'`)
  const folder = join(dataDir, 'media/quarantine')
  for (const name of await readdir(folder)) await rm(join(folder, name), { force: true })
}

async function tokensOf(appUrl: string, dataDir: string, people: readonly Caller[]): Promise<string[]> {
  const config = readConfig({ DATA_DIR: dataDir, SEED: 'none', PORT: '0', LOG_LEVEL: 'error' })
  const queue = await openQueue(appUrl)
  const database = openDatabase(appUrl, { queue })
  const { signIdToken } = await openIdentity({ database, config })
  const tokens = await Promise.all(people.map((person) => signIdToken(person)))
  await queue.close()
  await database.close()
  return tokens
}

function inDatabase(url: string) {
  const changed = new URL(url)
  changed.pathname = 'bench'
  return changed.href
}

async function asked(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}
