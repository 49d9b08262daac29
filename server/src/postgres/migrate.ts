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
 * `finish` is what else belongs to the schema (the queue's tables, grants): it runs before the next server's turn, and
 * answers whether it moved something on that older code cannot use. It does not run where the database is ahead of this
 * code, whose definitions would undo the newer ones.
 *
 * The product then connects to the returned `appUrl` (see app-role.ts); an operator's own one is given as `appUrl`.
 * Migrations grant rights to the role `clear_app` by name; a role of another name must be made a member of it.
 *
 * Throws, and changes nothing, when an applied file was changed, when a file is missing or out of order, and when the
 * database is ahead of this code and its floor (`floorOf`) above it.
 */
export async function migrate(input: {
  ownerUrl: string
  appUrl?: string
  directory?: string
  log?: (line: string) => void
  finish?: (appUrl: string) => Promise<{ movedOn: boolean }>
}): Promise<{ appUrl: string; applied: string[]; isAhead: boolean }> {
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
    await makeRecord(client)
    const { pending, isAhead } = await compare(client, files)
    if (isAhead) log('The database is of a newer release, beside which this one may run')
    for (const file of pending) {
      const began = Date.now()
      await applyPatiently(client, file, log)
      log(`Migrated ${file.name} in ${Date.now() - began} ms`)
    }
    await client.query(`GRANT SELECT ON schema_migration TO ${pg.escapeIdentifier(new URL(appUrl).username)}`)
    await refuseStrongAppRole(client, appUrl)
    const last = files.at(-1)?.name
    if (!isAhead && last !== undefined && (await input.finish?.(appUrl))?.movedOn)
      await client.query('UPDATE schema_migration SET floor = left(name, 4) WHERE name = $1', [last])
    return { appUrl, applied: pending.map(({ name }) => name), isAhead }
  } finally {
    // The connection's end also ends the turn.
    await client.end().catch(() => {})
  }
}

export interface Migration {
  name: string
  sql: string
  sha256: string
  /** The number of the oldest code that may run on the schema with this file applied (`floorOf`). */
  floor: string
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
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex'), floor: floorOf(name, sql) }
    }),
  )
}

/**
 * Which code may still run once a migration is applied, by the number of its last migration. A file that older code does
 * not notice says so in its first line, `-- floor: 0132`; any other one demands code that has it.
 */
function floorOf(name: string, sql: string): string {
  const said = /^-- floor: (\d{4})\n/.exec(sql)?.[1]
  if (said !== undefined && said > name.slice(0, 4))
    throw new Error(
      `Migration ${name} has a floor above itself: say the number of the oldest code that may run with it.`,
    )
  return said ?? name.slice(0, 4)
}

/** The table of what was applied. A release before 23 November 2026 made it without the floors. */
async function makeRecord(client: pg.Client) {
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migration (
    name text PRIMARY KEY,
    sha256 text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    floor text
  )`)
  const { rowCount } = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = 'schema_migration'::regclass AND attname = 'floor'`,
  )
  if (rowCount === 0) await client.query('ALTER TABLE schema_migration ADD COLUMN floor text')
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
  const { pending, isAhead, last } = await compare(client, files ?? (await readMigrations()))
  if (isAhead) throw ahead(last)
  return pending
}

/**
 * For who may change nothing: throws a sentence unless this code may run on the database of `appUrl` as it is, at its own
 * schema or at a newer one whose floor allows it.
 */
export async function requireMigrated(appUrl: string, directory = ownMigrations): Promise<void> {
  const files = await readMigrations(directory)
  const client = new pg.Client({ connectionString: appUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(`SELECT to_regclass('schema_migration') IS NOT NULL AS is_made`)
    const pending = rows[0].is_made ? (await compare(client, files)).pending : files
    if (pending.length > 0)
      throw new Error(
        `The database lacks ${pending.length} of this code’s migrations (${pending[0]!.name}): run it with ROLE=migrate first.`,
      )
  } finally {
    await client.end().catch(() => {})
  }
}

async function compare(client: pg.Client, files: Migration[]) {
  // Nothing has a floor in a database that no newer release has migrated.
  const { rows } = await client.query<{ name: string; sha256: string; floor: string }>(
    `SELECT name, sha256, coalesce(to_jsonb(m) ->> 'floor', left(name, 4)) AS floor
     FROM schema_migration m ORDER BY name COLLATE "C"`,
  )
  const last = rows.at(-1)?.name ?? ''
  for (const [index, applied] of rows.entries()) {
    const file = files[index]
    if (!file) {
      const floor = rows.map((row) => row.floor).reduce((one, other) => (one > other ? one : other))
      if ((files.at(-1)?.name.slice(0, 4) ?? '') < floor) throw ahead(last, floor)
      return { pending: [], isAhead: true, last }
    }
    if (file.name !== applied.name) {
      throw new Error(`The database has ${applied.name} where this code has ${file.name}: it belongs to other code.`)
    }
    if (file.sha256 !== applied.sha256) {
      throw new Error(`Migration ${file.name} was changed after it was applied: put it back, and write a new one.`)
    }
  }
  return { pending: files.slice(rows.length), isAhead: false, last }
}

const ahead = (last: string, floor?: string) =>
  new Error(
    `The database is ahead of this code: it has ${last}. Start the newer version again.` +
      (floor === undefined ? '' : ` (Code that has ${floor} may still run on it.)`),
  )

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

async function apply(client: pg.Client, { name, sql, sha256, floor }: Migration) {
  await client.query(`BEGIN; SET LOCAL lock_timeout = '2s'; SET LOCAL idle_in_transaction_session_timeout = 0`)
  const before = await transactionOf(client)
  await client.query(sql)
  if ((await transactionOf(client)) !== before) {
    throw new Error('it ended its own transaction; it must contain neither COMMIT nor ROLLBACK')
  }
  await client.query('INSERT INTO schema_migration (name, sha256, floor) VALUES ($1, $2, $3)', [name, sha256, floor])
  await client.query('COMMIT')
}

async function transactionOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query('SELECT pg_current_xact_id()::text AS id')
  return rows[0].id
}
