import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { appUrl } from '../src/postgres/app-role.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { startPostgres } from '../src/postgres/postgres.ts'
import { prepareQueue } from '../src/kernel/queue.ts'
import { folderInMemory, removeAbandonedFolders } from './in-memory.ts'

export interface TestDatabase {
  name: string
  /** The role that owns the tables; like any owner of a hosted server it stands under forced row-level security. */
  ownerUrl: string
  /** What the product connects as. */
  appUrl: string
  /** Sees and changes everything: to set a stage, and to look at what really stands in a row. */
  superuserUrl: string
  drop(): Promise<void>
}

/**
 * An empty, migrated database of the caller's own: a copy of the run's template, in some 50 ms; or of another test database,
 * by its name, to which nobody may be connected. Works in every test that Vitest runs below server/ and bench/ (see `setup`).
 * Dropping it is optional.
 */
export async function freshDatabase(template = 'template_of_tests'): Promise<TestDatabase> {
  const server = process.env.TEST_POSTGRES
  if (!server) throw new Error('No test database: run this through Vitest (npx vitest run)')
  const { url, superuserUrl }: { url: string; superuserUrl: string } = JSON.parse(server)
  const name = `test_${randomBytes(6).toString('hex')}`
  await asSuperuser(superuserUrl, `CREATE DATABASE ${name} TEMPLATE ${template} OWNER clear_owner`)
  const ownerUrl = inDatabase(url, name)
  return {
    name,
    ownerUrl,
    appUrl: appUrl(ownerUrl),
    superuserUrl: inDatabase(superuserUrl, name),
    drop: () => asSuperuser(superuserUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

/** Vitest's globalSetup: one throwaway PostgreSQL for the run, with the migrated template, for all projects of the server. */
export async function setup(): Promise<() => Promise<void>> {
  const running = process.env.TEST_POSTGRES && (JSON.parse(process.env.TEST_POSTGRES) as { holder: number })
  if (running && running.holder === process.pid) return async () => {}
  for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name]
  await removeAbandonedFolders()
  const dataDir = await folderInMemory('server')
  const postgres = await startPostgres({ dataDir, throwaway: true })
  // What a connection has planned it keeps: to plan with the policies again for each value takes longer than to run.
  await asSuperuser(postgres.superuserUrl, 'ALTER SYSTEM SET plan_cache_mode = force_generic_plan')
  await asSuperuser(postgres.superuserUrl, 'SELECT pg_reload_conf()')
  await asSuperuser(postgres.superuserUrl, 'CREATE DATABASE template_of_tests OWNER clear_owner')
  const template = inDatabase(postgres.url, 'template_of_tests')
  await migrate({ ownerUrl: template })
  await prepareQueue(template)
  process.env.TEST_POSTGRES = JSON.stringify({
    url: postgres.url,
    superuserUrl: postgres.superuserUrl,
    holder: process.pid,
  })
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function inDatabase(url: string, name: string) {
  const changed = new URL(url)
  changed.pathname = name
  return changed.href
}

async function asSuperuser(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
