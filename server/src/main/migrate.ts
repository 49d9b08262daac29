// npm run migrate: brings the database to this code's schema, for a deployment that does it before the servers start.
import { readConfig } from '../kernel/config.ts'
import { openMigratedDatabase } from './database.ts'
import { keepFilesPrivate } from './files.ts'

keepFilesPrivate()
try {
  const database = await openMigratedDatabase(readConfig(process.env), { log: console.log, share: true })
  await database.close()
  console.log('The database is up to date')
} catch (error) {
  console.error(`✗ ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
