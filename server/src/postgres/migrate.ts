import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { appUrl as derivedAppUrl, ensureAppRole, refuseStrongAppRole } from './app-role.ts'

/**
 * Brings the database of `ownerUrl` to the schema of this code: the numbered files of server/migrations, in order,
 * each in one transaction with its own record, so that a kill at any moment leaves whole steps only. Several servers
 * may call this at once: one works, the others wait.
 *
 * The product then connects to the returned `appUrl` (see app-role.ts); an operator's own one is given as `appUrl`.
 * Migrations grant rights to the role `clear_app` by name; a role of another name must be made a member of it.
 *
 * Throws, and changes nothing, when an applied file was changed, when a file is missing or out of order, and when the
 * database is ahead of this code.
 */
export async function migrate(input: {
  ownerUrl: string
  appUrl?: string
  directory?: string
  log?: (line: string) => void
}): Promise<{ appUrl: string; applied: string[] }> {
  const { ownerUrl, log = () => {}, directory = ownMigrations } = input
  const appUrl = input.appUrl ?? derivedAppUrl(ownerUrl)
  const files = await readMigrations(directory)
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await refuseOldServer(client)
    await takeTurn(client, log)
    await ensureAppRole(client, appUrl)
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migration (
      name text PRIMARY KEY,
      sha256 text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    )`)
    const pending = await pendingMigrations(client, files)
    for (const file of pending) {
      const began = Date.now()
      await applyPatiently(client, file, log)
      log(`Migrated ${file.name} in ${Date.now() - began} ms`)
    }
    await client.query(`GRANT SELECT ON schema_migration TO ${pg.escapeIdentifier(new URL(appUrl).username)}`)
    await refuseStrongAppRole(client, appUrl)
    return { appUrl, applied: pending.map(({ name }) => name) }
  } finally {
    // The connection's end also ends the turn.
    await client.end().catch(() => {})
  }
}

export interface Migration {
  name: string
  sql: string
  sha256: string
}

const ownMigrations = fileURLToPath(new URL('../../migrations', import.meta.url))
const TURN = 4_172_665_001 // Any number that nobody else locks.
const LOCK_NOT_AVAILABLE = '55P03'

/** The migrations of this code (or of `directory`) by number. Throws a sentence when a name or a number is not right. */
export async function readMigrations(directory = ownMigrations): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  for (const [index, name] of names.entries()) {
    if (!/^\d{4}_[a-z0-9_-]+\.sql$/.test(name))
      throw new Error(`Migration ${name} should be called like 0012_words.sql.`)
    // Numbers may be left out (work on another branch keeps some), but none stands twice: two files would have no order.
    if (names[index - 1]?.startsWith(name.slice(0, 5)))
      throw new Error(`Migrations ${names[index - 1]} and ${name} have one number: give the newer one the next.`)
  }
  return Promise.all(
    names.map(async (name) => {
      // Git may have given the file the other line ends: that is no change.
      const sql = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function refuseOldServer(client: pg.Client) {
  const { rows } = await client.query(`SELECT current_setting('server_version_num')::int AS number, version()`)
  if (rows[0].number >= 180_000) return
  throw new Error(`The service needs PostgreSQL 18 or newer (for uuidv7), and DATABASE_URL has ${rows[0].version}.`)
}

async function takeTurn(client: pg.Client, log: (line: string) => void) {
  for (let waited = 0; ; waited += 200) {
    // Asked again and again, instead of waited for: a waiting lock would end in lock_timeout.
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS mine', [TURN])
    if (rows[0].mine) return
    if (waited % 10_000 === 0) log('Another server is migrating the database: waiting for it')
    await sleep(200)
  }
}

/**
 * What a migrated database still lacks of this code's migrations (or of `files`), in order.
 * Throws a sentence when the database belongs to other or newer code.
 */
export async function pendingMigrations(client: pg.Client, files?: Migration[]): Promise<Migration[]> {
  files ??= await readMigrations()
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM schema_migration ORDER BY name COLLATE "C"',
  )
  for (const [index, applied] of rows.entries()) {
    const file = files[index]
    if (!file) {
      throw new Error(`The database is ahead of this code: it has ${applied.name}. Start the newer version again.`)
    }
    if (file.name !== applied.name) {
      throw new Error(`The database has ${applied.name} where this code has ${file.name}: it belongs to other code.`)
    }
    if (file.sha256 !== applied.sha256) {
      throw new Error(`Migration ${file.name} was changed after it was applied: put it back, and write a new one.`)
    }
  }
  return files.slice(rows.length)
}

async function applyPatiently(client: pg.Client, file: Migration, log: (line: string) => void) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await apply(client, file)
    } catch (error) {
      await client.query('ROLLBACK')
      const { code, message } = error as { code?: string; message: string }
      if (code !== LOCK_NOT_AVAILABLE || attempt === 5) {
        throw new Error(`Migration ${file.name} failed, and was undone: ${message}`, { cause: error })
      }
      // Waiting longer than lock_timeout for a table would make every query behind us wait too.
      log(`${file.name} met a busy table: trying again`)
      await sleep(1000 * attempt)
    }
  }
}

async function apply(client: pg.Client, { name, sql, sha256 }: Migration) {
  await client.query(`BEGIN; SET LOCAL lock_timeout = '2s'; SET LOCAL idle_in_transaction_session_timeout = 0`)
  const before = await transactionOf(client)
  await client.query(sql)
  if ((await transactionOf(client)) !== before) {
    throw new Error('it ended its own transaction; it must contain neither COMMIT nor ROLLBACK')
  }
  await client.query('INSERT INTO schema_migration (name, sha256) VALUES ($1, $2)', [name, sha256])
  await client.query('COMMIT')
}

async function transactionOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query('SELECT pg_current_xact_id()::text AS id')
  return rows[0].id
}
