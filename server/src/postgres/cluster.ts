import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { derivePassword } from './app-role.ts'
import type { Account } from './account.ts'
import type { PostgresBinaries } from './binaries.ts'

/** Where and as whom one server lives. */
export interface Place {
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

/** What a start that was killed half-way left: everything is made under another name and renamed when complete. */
export async function clearHalfMade(base: string): Promise<void> {
  const names = (await readdir(base)).filter((name) => name.startsWith(MAKING))
  // An initdb that outlived its parent may still write here: what it adds after this is removed at the next start.
  await Promise.allSettled(names.map((name) => rm(join(base, name), { recursive: true, force: true, maxRetries: 5 })))
}

export async function readSecret(base: string): Promise<string | undefined> {
  const secret = await readFile(join(base, 'password'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new Error(`${join(base, 'password')} cannot be read (${error.code}): start as the user who made it.`)
  })
  return secret.trim() || undefined
}

/** The password, made at random by the first start; it is safely on the disk before anything depends on it. */
export async function ensureSecret(base: string): Promise<string> {
  const kept = await readSecret(base)
  if (kept) return kept
  const path = join(base, 'password')
  if (existsSync(join(base, 'data'))) {
    throw new Error(`${path} is gone, and the database beside it opens to nothing else: put it back from a backup.`)
  }
  const secret = randomBytes(32).toString('base64url')
  const making = join(base, `${MAKING}password`)
  const file = await open(making, 'wx', 0o600)
  await file.writeFile(`${secret}\n`)
  await file.sync()
  await file.close()
  await rename(making, path)
  return secret
}

/** PostgreSQL's directory, made by the first start; throws when it is of another major version. */
export async function makeCluster(place: Place): Promise<void> {
  const { base, data, binaries, account, throwaway, log } = place
  if (existsSync(join(data, 'PG_VERSION'))) return checkVersion(place)
  if (existsSync(data)) throw new Error(`${data} is no database, and in the way of one: move it elsewhere.`)

  log('Making the database (once)')
  const making = join(base, `${MAKING}${randomBytes(4).toString('hex')}`)
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

/** The owner and its database, made at every start where missing: a kill between any two steps costs nothing. */
export async function makeDatabase({ secret }: Place, port: number): Promise<void> {
  await withClient(urls(secret, port).superuserUrl, async (client) => {
    const owner = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [OWNER])
    // As on a hosted server: owner of its database, maker of roles, but no superuser and under row-level security.
    // What a migration may not do there, it may not do here.
    if (owner.rowCount === 0) {
      await client.query(`CREATE ROLE ${OWNER} LOGIN CREATEROLE CREATEDB PASSWORD '${secret}'`)
    }
    const database = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE])
    if (database.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`)
    await client.query('REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC')
  })
}

export function urls(secret: string, port: number): { url: string; superuserUrl: string } {
  // sslmode is said aloud because the pg package else asks the environment.
  const at = (role: string, password: string, database: string) =>
    `postgres://${role}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`
  return {
    url: at(OWNER, secret, DATABASE),
    superuserUrl: at(SUPERUSER, derivePassword(secret, SUPERUSER), 'postgres'),
  }
}

/** Whether our server is ready on `port`. Throws when it is, but has another password. */
export async function answers(secret: string, port: number): Promise<boolean> {
  try {
    await withClient(urls(secret, port).superuserUrl, (client) => client.query('SELECT 1'))
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== WRONG_PASSWORD) return false
    throw new Error(`DATA_DIR/postgres/password does not open the database on port ${port}: put the right one back.`)
  }
}

const MAKING = 'making-'
const SUPERUSER = 'postgres'
const OWNER = 'clear_owner'
const DATABASE = 'clear_to_post'
const WRONG_PASSWORD = '28P01'

/** Nothing of the caller's environment (PGPORT, PGOPTIONS, LC_*, TZ …) may change what PostgreSQL does. */
export const cleanEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

async function checkVersion({ data, account, binaries }: Place) {
  const version = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim()
  const ours = /\(PostgreSQL\) (\d+)/.exec(await run(account, binaries.postgres, ['--version']))?.[1]
  if (version === ours) return
  throw new Error(
    `${data} was made by PostgreSQL ${version}, this is ${ours}. Dump it with the former version of the product ` +
      'and restore it with this one, or set DATABASE_URL.',
  )
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
