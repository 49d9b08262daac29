// A process that works jobs on a migrated database, as DATA_DIR says: for the tests that kill it.
import { pino } from 'pino'
import { readConfig } from '../src/main/config.ts'
import { startWorker } from '../src/main/worker.ts'

const [appUrl = ''] = process.argv.slice(2)
const config = readConfig({ ...process.env, SEED: 'none' })
const { close } = await startWorker({ config, appUrl, log: pino({ level: 'silent' }) })
process.stdout.write('working\n')
process.on('SIGTERM', () => void close().then(() => process.exit(0)))
// Its test is gone: so is the reason to live.
process.stdin.resume().on('end', () => process.exit())
