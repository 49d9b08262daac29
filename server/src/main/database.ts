import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { refuseUnfinished } from '../backup/put-back.ts'
import { appUrl as derivedAppUrl } from '../postgres/app-role.ts'
import { migrate, requireMigrated } from '../postgres/migrate.ts'
import { startPostgres } from '../postgres/postgres.ts'
import { prepareQueue } from '../kernel/queue.ts'
import type { Config } from '../kernel/config.ts'

export interface ServedDatabase {
  /** What the service connects to. */
  appUrl: string
  /** Stops the embedded server; a server of the operator's is left alone. */
  close(): Promise<void>
}

export interface MigratedDatabase extends ServedDatabase {
  /** The owner's address: for the operator's commands. */
  ownerUrl: string
}

/**
 * The database that this process serves: one machine brings it to the schema of this code first; of several, ROLE=migrate
 * has done that, and the others only look whether they may run on it.
 */
export async function openDatabaseOf(
  config: Config,
  options: { log: (line: string) => void; inspect: (appUrl: string) => Promise<void> },
): Promise<ServedDatabase> {
  if (config.deployment === 'one') return openMigratedDatabase(config, options)
  const appUrl = config.databaseAppUrl!
  try {
    await requireMigrated(appUrl)
  } catch (error) {
    throw withPlace(error, appUrl, 'DATABASE_APP_URL')
  }
  return { appUrl, close: async () => {} }
}

/**
 * The database that the configuration names, at the schema of this code: the operator's server, or the embedded one,
 * which is started. With `share` an embedded server that another process holds is used beside it; `restoring`: a restore's
 * own last step. `inspect` looks at the database as it is before anything in it is changed; what it throws leaves it so.
 * Throws sentences that say the next step.
 */
export async function openMigratedDatabase(
  config: Config,
  {
    log,
    share = false,
    restoring = false,
    inspect,
  }: {
    log: (line: string) => void
    share?: boolean
    restoring?: boolean
    inspect?: (appUrl: string) => Promise<void>
  },
): Promise<MigratedDatabase> {
  if (!restoring) refuseUnfinished(config.dataDir)
  const server = config.databaseUrl
    ? { url: config.databaseUrl, stop: async () => {} }
    : await startEmbedded({ dataDir: config.dataDir, log, share })
  try {
    await inspect?.(config.databaseAppUrl ?? derivedAppUrl(server.url))
    const { appUrl } = await migrate({
      ownerUrl: server.url,
      appUrl: config.databaseAppUrl,
      log,
      finish: (url) => prepareQueue(server.url, decodeURIComponent(new URL(url).username)),
    })
    return { ownerUrl: server.url, appUrl, close: server.stop }
  } catch (error) {
    await server.stop()
    throw config.databaseUrl ? withPlace(error, config.databaseUrl) : error
  }
}

/** Whether there is one already, or somebody else's to ask. */
export const hasDatabase = ({
  databaseUrl,
  databaseAppUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'databaseAppUrl' | 'dataDir'>): boolean =>
  databaseUrl !== undefined || databaseAppUrl !== undefined || existsSync(join(dataDir, 'postgres', 'data'))

function startEmbedded(input: { dataDir: string; log: (line: string) => void; share: boolean }) {
  // The pg package obeys these (PGOPTIONS, PGSSLMODE …), which are meant for a server of the operator's.
  for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name]
  return startPostgres(input)
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH'])

function withPlace(error: unknown, url: string, setting = 'DATABASE_URL') {
  const { code } = error as { code?: string }
  if (!code || !UNREACHABLE.has(code)) return error
  const { host } = new URL(url)
  return new Error(`No PostgreSQL answers at ${host} (${code}): start it, or correct ${setting}.`, { cause: error })
}
