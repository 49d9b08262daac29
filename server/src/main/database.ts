import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { refuseUnfinished } from '../backup/put-back.ts'
import { appUrl as derivedAppUrl } from '../postgres/app-role.ts'
import { migrate } from '../postgres/migrate.ts'
import { startPostgres } from '../postgres/postgres.ts'
import { prepareQueue } from '../kernel/queue.ts'
import type { Config } from '../kernel/config.ts'

export interface MigratedDatabase {
  /** The owner's address: for the operator's commands. */
  ownerUrl: string
  /** What the service connects to. */
  appUrl: string
  /** Stops the embedded server; a server of the operator's is left alone. */
  close(): Promise<void>
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
export const hasDatabase = ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): boolean =>
  databaseUrl !== undefined || existsSync(join(dataDir, 'postgres', 'data'))

function startEmbedded(input: { dataDir: string; log: (line: string) => void; share: boolean }) {
  // The pg package obeys these (PGOPTIONS, PGSSLMODE …), which are meant for a server of the operator's.
  for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name]
  return startPostgres(input)
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH'])

function withPlace(error: unknown, databaseUrl: string) {
  const { code } = error as { code?: string }
  if (!code || !UNREACHABLE.has(code)) return error
  const { host } = new URL(databaseUrl)
  return new Error(`No PostgreSQL answers at ${host} (${code}): start it, or correct DATABASE_URL.`, { cause: error })
}
