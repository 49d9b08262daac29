// A process that starts PostgreSQL on the given DATA_DIR and holds it: for the tests that kill it.
import { startPostgres } from '../src/postgres/postgres.ts'

const [dataDir = '', mode] = process.argv.slice(2)
try {
  const postgres = await startPostgres({ dataDir, share: mode === 'share', throwaway: mode === 'throwaway' })
  process.stdout.write(`${JSON.stringify(postgres)}\n`)
  process.on('SIGTERM', () => void postgres.stop().then(() => process.exit(0)))
  setInterval(() => {}, 60_000)
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refused: String(error) })}\n`)
}
