import { constants } from 'node:fs'
import { access, chmod, mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockFile } from './file-lock.ts'
import { chooseAccount } from './account.ts'
import { postgresBinaries, type PostgresBinaries } from './binaries.ts'
import {
  answers,
  clearHalfMade,
  ensureSecret,
  makeCluster,
  makeDatabase,
  readSecret,
  urls,
  type Place,
} from './cluster.ts'
import { adoptServer, launchOnFreePort, readPidFile, shutDown } from './server.ts'
import { supervise } from './supervision.ts'

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

  for (const since = Date.now(); ; await sleep(100)) {
    const lock = lockFile(join(base, 'lock'))
    if (lock) {
      try {
        return await startLocked({ base, binaries, log, throwaway, release: lock.release })
      } catch (error) {
        lock.release()
        throw error
      }
    }
    const running = share && (await runningServer(base))
    if (running) return running
    // A predecessor that was just told to stop, or killed, may be some moments from its end.
    if (!share && Date.now() - since > 3000) throw new Error(await busyMessage(base))
  }
}

/** The owner's address of the server that runs under `dataDir`, whoever holds it; undefined when none answers. Changes nothing. */
export async function findPostgres(dataDir: string): Promise<string | undefined> {
  return (await runningServer(join(resolve(dataDir), 'postgres')))?.url
}

async function makeBase(dataDir: string) {
  const path = join(resolve(dataDir), 'postgres')
  try {
    const made = await mkdir(dataDir, { recursive: true })
    await mkdir(path, { recursive: true })
    // Others may pass through, not look: where root starts it, PostgreSQL's own account must reach `data` below. Whatever
    // the umask is, what was just made is opened that far.
    if (process.getuid?.() === 0) {
      const ofOurs = made === undefined ? [] : foldersFrom(resolve(made), resolve(dataDir))
      for (const folder of [...ofOurs, path]) await chmod(folder, 0o711)
    }
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`${path} cannot be used (${code}). Start as the user it belongs to, or set another DATA_DIR.`)
  }
  return realpath(path)
}

/** `first` and every folder below it on the way to `last`, which lies in it. */
function foldersFrom(first: string, last: string): string[] {
  return last === first ? [first] : [...foldersFrom(first, dirname(last)), last]
}

async function startLocked(input: {
  base: string
  binaries: PostgresBinaries
  log: (line: string) => void
  throwaway: boolean
  release: () => void
}): Promise<Postgres> {
  const { base, binaries, throwaway, release } = input
  const data = join(base, 'data')
  await writeFile(join(base, 'holder'), `${process.pid}\n`)
  await clearHalfMade(base)
  const dataOwner = await stat(data).catch(() => undefined)
  const account = await chooseAccount({ program: binaries.postgres, directory: base, dataOwner })
  const place: Place = { ...input, data, account, secret: await ensureSecret(base) }

  await makeCluster(place)
  const left = await adoptServer(place)
  const server = left ?? (await launchOnFreePort(place))
  try {
    await makeDatabase(place, server.port)
  } catch (error) {
    await shutDown(server, throwaway)
    throw error
  }
  const supervision = supervise(place, server)

  let stopped: Promise<void> | undefined
  const stop = async () => {
    await supervision.stop()
    if (throwaway) await rm(base, { recursive: true, force: true })
    release()
  }
  return { ...urls(place.secret, server.port), adopted: left !== undefined, stop: () => (stopped ??= stop()) }
}

async function busyMessage(base: string) {
  const pid = await readFile(join(base, 'holder'), 'utf8').catch(() => '')
  const who = pid ? `process ${pid.trim()}` : 'another process'
  return `Clear to Post runs already on this DATA_DIR (${who}). Stop it first, or give this one another DATA_DIR.`
}

async function runningServer(base: string): Promise<Postgres | undefined> {
  const secret = await readSecret(base)
  const record = await readPidFile(join(base, 'data'))
  if (!secret || !record || !(await answers(secret, record.port))) return undefined
  return { ...urls(secret, record.port), adopted: true, stop: async () => {} }
}
