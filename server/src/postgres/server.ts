import type { SpawnOptions } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { chown, lchown, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answers, cleanEnvironment, type Place } from './cluster.ts'
import { isAlive, postgresProcesses } from './processes.ts'

export interface Server {
  pid: number
  port: number
  /** Settles when the server's process is gone. */
  ended: Promise<void>
}

/**
 * The server that a killed process left running, once it answers; undefined when there is none (any more), and then
 * the way is free for a new one. To be called under the lock: nobody else starts one meanwhile.
 */
export async function adoptServer(place: Place): Promise<Server | undefined> {
  const { data, secret, log } = place
  for (let waited = 0; ; waited += 100) {
    const record = await readPidFile(data)
    const { servers } = await postgresProcesses(await clusterName(data))
    if (servers.length === 0) {
      await clearTheWay(place)
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

/** What a running server says of itself: its process id and its port on 127.0.0.1. */
export async function readPidFile(data: string): Promise<{ pid: number; port: number; isReady: boolean } | undefined> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const [pid, , , port] = lines.map(Number)
  return pid && port ? { pid, port, isReady: lines[7]?.trim() === 'ready' } : undefined
}

/** Starts the server on the port of last time, or on a free one when that is taken. */
export async function launchOnFreePort(place: Place): Promise<Server> {
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
      if (attempt === 3 || (await isFree(port))) throw error
    }
  }
}

/** Starts the server and waits until it answers, however long its recovery takes; throws its last words if it ends. */
export async function launch(place: Place, port: number): Promise<Server> {
  const { base, data, binaries, account, throwaway } = place
  await ownTree(place)
  const name = await clusterName(data)
  const args = ['-D', data, ...settings({ name, port, throwaway }).flatMap((setting) => ['-c', setting])]
  const logFile = join(base, 'start.log')
  const output = openSync(logFile, 'w', 0o600)
  // Detached: Ctrl-C reaches the product, which stops its database last. Output to a file: it must outlive us.
  const options: SpawnOptions = { detached: true, stdio: ['ignore', output, output], env: cleanEnvironment, cwd: '/' }
  const [file, ...rest] = throwaway ? killedWithParent(binaries.postgres, args) : [binaries.postgres, ...args]
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
    // Whoever answers there may be the server of a copied folder, which knows the same password.
    if ((await readPidFile(data))?.isReady && (await answers(place.secret, port)))
      return { pid: child.pid!, port, ended }
    if (waited % 10_000 === 9950) place.log('PostgreSQL is still starting (after a crash it first reads its log)')
    await sleep(50)
  }
  const lines = (await readFile(logFile, 'utf8')).trim().split('\n')
  // The cause may stand before long advice and the words of the end.
  const said = lines.filter((line, i) => i >= lines.length - 6 || /FATAL: |PANIC: /.test(line)).join('\n  ')
  throw new Error(`PostgreSQL did not start as ${account.name}. It said:\n  ${said}`)
}

/**
 * Removes what a killed server leaves: children that keep its memory, beside whom PostgreSQL refuses to start, and its
 * pid file, which PostgreSQL respects for as long as a process of that number exists: a stranger, or a dead one that
 * nobody has buried (as in a container whose first process does not). To be called when no server lives.
 */
export async function clearTheWay({ data }: Place): Promise<void> {
  const name = await clusterName(data)
  for (let patience = 250; patience > 0; patience--) {
    const { children } = await postgresProcesses(name)
    if (children.length === 0) break
    for (const pid of children) kill(pid, 'SIGKILL')
    await sleep(20)
  }
  await rm(join(data, 'postmaster.pid'), { force: true })
}

export async function shutDown({ pid, ended }: Server, throwaway: boolean): Promise<void> {
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

/** Names the server in its processes' titles. It follows the directory: a moved one keeps it, a copy gets another. */
async function clusterName(data: string) {
  const { dev, ino } = await stat(data, { bigint: true })
  return `clear_${createHash('sha256').update(`${dev} ${ino}`).digest('hex').slice(0, 12)}`
}

async function endOf(pid: number) {
  while (await isAlive(pid)) await sleep(250, undefined, { ref: false })
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
    `shared_buffers=${throwaway ? 256 : sharedMegabytes()}MB`,
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
    ...(throwaway ? forTests : ['max_connections=100', ...weekOfLogs]),
  ]
}

// An eighth of the memory: what people work with stays near, and the rest of the machine is left to video. It is only
// taken as it is used.
function sharedMegabytes() {
  const memory = Math.min(totalmem(), process.constrainedMemory() || totalmem())
  return Math.round(Math.min(Math.max(memory / 8 / 2 ** 20, 128), 4096))
}

// Nothing is kept, and every test file opens pools of its own.
const forTests = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400']

const weekOfLogs = [
  'logging_collector=on',
  'log_directory=log',
  'log_filename=postgres-%a.log',
  'log_truncate_on_rotation=on',
  'log_rotation_size=0',
  'log_line_prefix=%m [%p] %q%u ',
]

/** Linux can tie a process's life to its parent's; elsewhere a killed test run leaves its throwaway server behind. */
function killedWithParent(file: string, args: string[]): [string, ...string[]] {
  const setpriv = '/usr/bin/setpriv'
  return existsSync(setpriv) ? [setpriv, '--pdeathsig', 'QUIT', '--', file, ...args] : [file, ...args]
}

function kill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false // It ended by itself.
  }
}
