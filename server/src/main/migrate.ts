import type { Config } from '../kernel/config.ts'
import { openMigratedDatabase } from './database.ts'

/**
 * What ROLE=migrate does before the hosts of a release start: schema, rights and queues, as the owner of the database, one
 * at a time. Safe to repeat.
 */
export const migrateAlone = async (config: Config, log: (line: string) => void): Promise<void> => {
  const database = await openMigratedDatabase(config, { log })
  await database.close()
  log('The database is up to date')
}
