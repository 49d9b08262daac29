import type { SpawnOptions } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { access, chown, lchown, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { derivePassword } from './app-role.ts'
import { lockFile } from './file-lock.ts'
import { chooseAccount, type Account } from './postgres-account.ts'
import { postgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import { isAlive, postgresProcesses } from './postgres-processes.ts'

export interface Postgres {
  /** For migrations: the role that owns the product's database and everything in it, and is no superuser. */
  url: string
  /** For backup, and for tests that look behind row-level security. The product itself never uses it. */
  superuserUrl: string
  /** True when the server was running already. */
  adopted: boolean
  /** Ends the supervision and the server: open transactions are rolled back, nothing committed is lost. */
  stop(): Promise<void>
}

/**
 * The product's own PostgreSQL, under `dataDir`/postgres: made at the first start, adopted when a killed process
 * left it running, restarted whenever it dies, until `stop`.
 *
 * - Loopback only, passwords only; the port is kept from start to start while it is free, and never changes while
 *   the product runs, so that connection pools find the server again after a restart.
 * - One process at a time: another one gets an error that says so. With `share` it gets the running server's
 *   address instead, and its `stop` stops nothing (for the operator's commands, beside the running product).
 * - `throwaway`: not durable and gone with `stop` or with this process: for tests.
 *
 * Throws sentences that say the next step. `log` gets plain lines.
 */
export async function startPostgres(input: {
  dataDir: string
  log?: (line: string) => void
  throwaway?: boolean
  share?: boolean
}): Promise<Postgres> {
  const { log = () => {}, throwaway = false, share = false } = input
  const binaries = await postgresBinaries()
  const base = await makeBase(input.dataDir)

  for (;;) {
    const lock = lockFile(join(base, 'lock'))
    if (lock) {
      try {
        return await startLocked({ base, binaries, log, throwaway, release: lock.release })
      } catch (error) {
        lock.release()
        throw error
      }
    }
    if (!share) throw new Error(await busyMessage(base))
    const running = await sharedServer(base)
    if (running) return running
    await sleep(250)
  }
}

const SUPERUSER = 'postgres'
const OWNER = 'clear_owner'
const DATABASE = 'clear_to_post'

interface Place {
  /** `DATA_DIR/postgres`: ours. Below it `data` belongs to PostgreSQL's account. */
  base: string
  data: string
  binaries: PostgresBinaries
  account: Account
  /** The owner's password; the superuser's is derived from it. */
  secret: string
  throwaway: boolean
  log: (line: string) => void
}

interface Server {
  pid: number
  port: number
  /** Settles when the server's process is gone. */
  ended: Promise<void>
}

async function makeBase(dataDir: string) {
  const path = join(resolve(dataDir), 'postgres')
  try {
    await mkdir(dataDir, { recursive: true })
    // Others may pass through, not look: PostgreSQL's own account must reach `data` below.
    await mkdir(path, { recursive: true, mode: 0o711 })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`${path} cannot be used (${code}). Start as the user it belongs to, or set another DATA_DIR.`)
  }
  return realpath(path)
}

async function busyMessage(base: string) {
  const pid = await readFile(join(base, 'holder'), 'utf8').catch(() => '')
  const who = pid ? `process ${pid.trim()}` : 'another process'
  return `Clear to Post runs already on this DATA_DIR (${who}). Stop it first, or give this one another DATA_DIR.`
}

async function sharedServer(base: string): Promise<Postgres | undefined> {
  const secret = await readSecret(base)
  const record = await readPidFile(join(base, 'data'))
  if (!secret || !record || !(await answers(secret, record.port))) return undefined
  return { ...urls(secret, record.port), adopted: true, stop: async () => {} }
}

async function startLocked(input: {
  base: string
  binaries: PostgresBinaries
  log: (line: string) => void
  throwaway: boolean
  release: () => void
}): Promise<Postgres> {
  const { base, release } = input
  const data = join(base, 'data')
  await writeFile(join(base, 'holder'), `${process.pid}\n`)
  await clearHalfMade(base)
  const dataOwner = await stat(data).catch(() => undefined)
  const account = await chooseAccount({ program: input.binaries.postgres, directory: base, dataOwner })
  const secret = (await readSecret(base)) ?? (await makeSecret(base, existsSync(data)))
  const place: Place = { ...input, data, account, secret }

  await makeCluster(place)
  const left = await adopt(place)
  const server = left ?? (await launchOnFreePort(place))
  const { url, superuserUrl } = urls(secret, server.port)
  try {
    await makeDatabase(superuserUrl, secret)
  } catch (error) {
    await shutDown(server, place.throwaway)
    throw error
  }
  const supervision = supervise(place, server)

  let stopped: Promise<void> | undefined
  const stop = async () => {
    await supervision.stop()
    if (place.throwaway) await rm(base, { recursive: true, force: true })
    release()
  }
  return { url, superuserUrl, adopted: left !== undefined, stop: () => (stopped ??= stop()) }
}

// The first start. Everything is made aside and renamed when complete: killed at any moment, the next start goes on.

async function clearHalfMade(base: string) {
  const names = (await readdir(base)).filter((name) => name.startsWith('making-'))
  // An initdb that outlived its parent may still write here: what it adds after this is removed at the next start.
  const removed = names.map((name) => rm(join(base, name), { recursive: true, force: true, maxRetries: 5 }))
  await Promise.allSettled(removed)
}

async function readSecret(base: string) {
  const secret = await readFile(join(base, 'password'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new Error(`${join(base, 'password')} cannot be read (${error.code}): start as the user who made it.`)
  })
  return secret.trim() || undefined
}

async function makeSecret(base: string, dataExists: boolean) {
  const path = join(base, 'password')
  if (dataExists) throw new Error(`${path} is gone, and the database beside it opens to nothing else: put it back.`)
  const secret = randomBytes(32).toString('base64url')
  const aside = join(base, `making-password-${process.pid}`)
  const file = await open(aside, 'wx', 0o600)
  await file.writeFile(`${secret}\n`)
  await file.sync()
  await file.close()
  await rename(aside, path)
  return secret
}

async function makeCluster(place: Place) {
  const { base, data, binaries, account, throwaway, log } = place
  if (existsSync(join(data, 'PG_VERSION'))) return checkCluster(place)
  if (existsSync(data)) throw new Error(`${data} is no database, and in the way of one: move it elsewhere.`)

  log('Making the database (once)')
  const making = join(base, `making-${process.pid}-${randomBytes(4).toString('hex')}`)
  const passwordFile = `${making}-password`
  await mkdir(making, { mode: 0o700 })
  await writeFile(passwordFile, derivePassword(place.secret, SUPERUSER), { mode: 0o600 })
  await giveTo(account, making, passwordFile)
  // The locale is PostgreSQL's own: sorting must not change with the machine's libraries under existing indexes.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const auth = [`--username=${SUPERUSER}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  const sync = throwaway ? ['--no-sync'] : []
  await run(account, binaries.initdb, [`--pgdata=${making}`, ...auth, ...locale, ...sync])
  await rm(passwordFile)
  await rename(making, data)
  await syncDirectory(base)
}

async function checkCluster({ data, account, binaries }: Place) {
  const version = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim()
  const ours = /\(PostgreSQL\) (\d+)/.exec(await run(account, binaries.postgres, ['--version']))?.[1]
  if (version !== ours) {
    throw new Error(
      `${data} was made by PostgreSQL ${version}, this is ${ours}. Dump it with the former version of the product ` +
        'and restore it with this one, or set DATABASE_URL.',
    )
  }
}

async function giveTo({ owner }: Account, ...paths: string[]) {
  if (!owner) return
  for (const path of paths) await chown(path, owner.uid, owner.gid)
}

async function run(account: Account, file: string, args: string[]): Promise<string> {
  const child = account.start(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env: cleanEnvironment, cwd: '/' })
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk) => (out += chunk))
  child.stderr?.on('data', (chunk) => (err += chunk))
  const [code, signal] = await once(child, 'close')
  if (code === 0) return out
  throw new Error(`${file} failed (${signal ?? code}): ${(err || out).trim().split('\n').slice(-5).join(' / ')}`)
}

async function syncDirectory(path: string) {
  const directory = await open(path, 'r')
  await directory.sync()
  await directory.close()
}

// Roles and the database: made at every start if missing, so a kill between any two of them costs nothing.

async function makeDatabase(superuserUrl: string, secret: string) {
  await withClient(superuserUrl, async (client) => {
    const owner = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [OWNER])
    // As on a hosted server: owner of its database, maker of roles, but no superuser and under row-level security.
    // What a migration may not do there, it may not do here.
    if (owner.rowCount === 0) {
      await client.query(`CREATE ROLE ${OWNER} LOGIN CREATEROLE CREATEDB PASSWORD '${secret}'`)
    }
    const database = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE])
    if (database.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`)
  })
}

function urls(secret: string, port: number) {
  // sslmode is said aloud because the pg package else asks the environment.
  const url = (role: string, password: string, database: string) =>
    `postgres://${role}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`
  return {
    url: url(OWNER, secret, DATABASE),
    superuserUrl: url(SUPERUSER, derivePassword(secret, SUPERUSER), 'postgres'),
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

// A server left behind.

async function adopt(place: Place): Promise<Server | undefined> {
  const { data, secret, log } = place
  for (let waited = 0; ; waited += 100) {
    const record = await readPidFile(data)
    const { servers } = await postgresProcesses(await clusterName(data))
    if (servers.length === 0) {
      await killLeftovers(place)
      // PostgreSQL takes over a dead server's file by itself, but not when the process id is somebody else's by now.
      if (record && (await isAlive(record.pid))) await rm(join(data, 'postmaster.pid'))
      return undefined
    }
    if (record && servers.includes(record.pid) && (await answers(secret, record.port))) {
      log(`Adopted the PostgreSQL that was left running (process ${record.pid}, port ${record.port})`)
      return { ...record, ended: endOf(record.pid) }
    }
    // It starts, recovers or stops: each ends by itself.
    if (waited % 10_000 === 9900) log(`Waiting for the PostgreSQL of process ${servers[0]} to start or stop`)
    await sleep(100)
  }
}

async function readPidFile(data: string): Promise<{ pid: number; port: number } | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port] = text.split('\n').map(Number)
  return pid && port ? { pid, port } : undefined
}

async function answers(secret: string, port: number) {
  try {
    await withClient(urls(secret, port).superuserUrl, (client) => client.query('SELECT 1'))
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== WRONG_PASSWORD) return false
    throw new Error(`DATA_DIR/postgres/password does not open the database on port ${port}: put the right one back.`)
  }
}

const WRONG_PASSWORD = '28P01'

async function endOf(pid: number) {
  while (await isAlive(pid)) await sleep(500, undefined, { ref: false })
}

// Starting it.

async function launchOnFreePort(place: Place): Promise<Server> {
  const path = join(place.base, 'port')
  const kept = Number(await readFile(path, 'utf8').catch(() => '0'))
  for (let attempt = 1; ; attempt++) {
    const port = attempt === 1 && kept && (await isFree(kept)) ? kept : await freePort()
    try {
      const server = await launch(place, port)
      if (port !== kept) await writeFile(path, `${port}\n`)
      return server
    } catch (error) {
      // Between looking at a port and taking it, another program may have taken it.
      if (attempt === 3 || !String(error).includes('could not bind')) throw error
    }
  }
}

async function launch(place: Place, port: number): Promise<Server> {
  const { base, data, binaries, account, throwaway } = place
  await ownTree(place)
  const name = await clusterName(data)
  const args = ['-D', data, ...settings({ name, port, throwaway }).flatMap((setting) => ['-c', setting])]
  const logFile = join(base, 'start.log')
  const output = openSync(logFile, 'w', 0o600)
  // Detached: Ctrl-C reaches the product, which stops its database last. Output to a file: it must outlive us.
  const options: SpawnOptions = { detached: true, stdio: ['ignore', output, output], env: cleanEnvironment, cwd: '/' }
  const [file, ...rest] = throwaway ? dyingWithUs(binaries.postgres, args) : [binaries.postgres, ...args]
  const child = account.start(file, rest, options)
  closeSync(output)
  child.unref()
  const ended = new Promise<void>((resolve) => {
    child.on('exit', () => resolve())
    child.on('error', () => resolve())
  })
  let gone = false
  void ended.then(() => (gone = true))

  for (let waited = 0; !gone; waited += 50) {
    if (await answers(place.secret, port)) return { pid: child.pid!, port, ended }
    if (waited % 10_000 === 9_950) place.log('PostgreSQL is still starting (after a crash it first reads its log)')
    await sleep(50)
  }
  const said = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-6).join('\n  ')
  throw new Error(`PostgreSQL did not start as ${account.name}. It said:\n  ${said}`)
}

/** The files follow the account: a clone may move, and with it who can run PostgreSQL there. */
async function ownTree({ data, account: { owner } }: Place) {
  if (!owner || (await stat(data)).uid === owner.uid) return
  const names = await readdir(data, { recursive: true })
  for (const name of names) await lchown(join(data, name), owner.uid, owner.gid)
  await chown(data, owner.uid, owner.gid)
}

function settings({ name, port, throwaway }: { name: string; port: number; throwaway: boolean }) {
  return [
    `cluster_name=${name}`,
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'password_encryption=scram-sha-256',
    'max_connections=100',
    'shared_buffers=256MB',
    'max_wal_size=2GB',
    'random_page_cost=1.1',
    'timezone=UTC',
    'log_timezone=UTC',
    // Short transactions share few cores: one query is one process, and /dev/shm (tiny in containers) stays unused.
    'max_parallel_workers_per_gather=0',
    'max_parallel_maintenance_workers=0',
    'jit=off',
    // A client that died behind a dead network must not keep its locks.
    'idle_in_transaction_session_timeout=60s',
    'tcp_keepalives_idle=30',
    'log_min_messages=warning',
    ...(throwaway ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : weekOfLogs),
  ]
}

const weekOfLogs = [
  'logging_collector=on',
  'log_directory=log',
  'log_filename=postgres-%a.log',
  'log_truncate_on_rotation=on',
  'log_rotation_size=0',
  'log_line_prefix=%m [%p] %q%u ',
]

/** Nothing of the caller's environment (PGPORT, PGOPTIONS, LC_*, TZ …) may change what PostgreSQL does. */
const cleanEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

/** Names the server in its processes' titles. It follows the directory itself: a moved one keeps it, a copy gets another. */
async function clusterName(data: string) {
  const { dev, ino } = await stat(data, { bigint: true })
  return `clear_${createHash('sha256').update(`${dev} ${ino}`).digest('hex').slice(0, 12)}`
}

/** Linux can tie a process's life to its parent's; elsewhere a killed test run leaves its throwaway server behind. */
function dyingWithUs(...command: [string, string[]]): [string, ...string[]] {
  const [file, args] = command
  const setpriv = '/usr/bin/setpriv'
  return existsSync(setpriv) ? [setpriv, '--pdeathsig', 'QUIT', '--', file, ...args] : [file, ...args]
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address && typeof address === 'object') return address.port
  throw new Error('No free port on 127.0.0.1')
}

// Keeping it.

function supervise(place: Place, first: Server) {
  const { log } = place
  let server: Server | undefined = first
  const stopping = new AbortController()

  const keeping = (async () => {
    for (let wait = 100; !stopping.signal.aborted; ) {
      const since = Date.now()
      await Promise.race([server?.ended, aborted(stopping.signal)])
      if (stopping.signal.aborted) return
      if (Date.now() - since > 60_000) wait = 100
      if (server) log('PostgreSQL ended unexpectedly: restarting it')
      server = undefined
      try {
        await killLeftovers(place)
        // The port stays, whatever happens: the pools of this process know no other.
        server = await launch(place, first.port)
        log(`PostgreSQL runs again (process ${server.pid}, port ${server.port})`)
      } catch (error) {
        log(`PostgreSQL did not restart, next try in ${wait} ms: ${error instanceof Error ? error.message : error}`)
      }
      await sleep(wait, undefined, { signal: stopping.signal }).catch(() => {})
      wait = Math.min(wait * 2, 5000)
    }
  })()

  return {
    async stop() {
      stopping.abort()
      await keeping
      if (server) await shutDown(server, place.throwaway)
    },
  }
}

function aborted(signal: AbortSignal) {
  return signal.aborted ? undefined : once(signal, 'abort')
}

/** Children that outlived a killed server keep its memory, and PostgreSQL refuses to start beside them. */
async function killLeftovers({ data }: Place) {
  for (const pid of (await postgresProcesses(await clusterName(data))).children) kill(pid, 'SIGKILL')
}

async function shutDown({ pid, ended }: Server, throwaway: boolean) {
  // PostgreSQL's three manners: fast (rolls back and writes all down), immediate (recovers at the next start), none.
  const manners = throwaway ? (['SIGQUIT', 'SIGKILL'] as const) : (['SIGINT', 'SIGQUIT', 'SIGKILL'] as const)
  for (const signal of manners) {
    if (!kill(pid, signal)) return
    const patience = new AbortController()
    const over = sleep(signal === 'SIGINT' ? 20_000 : 5000, 'over', { signal: patience.signal }).catch(() => 'over')
    const outcome = await Promise.race([ended, over])
    patience.abort()
    if (outcome !== 'over') return
  }
}

function kill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false // It ended by itself.
  }
}
