// A process that serves HTTP on a migrated database, as DATA_DIR and PORT say: for the tests that kill it.
import { readConfig } from '../src/main/config.ts'
import { startHttp } from '../src/main/http.ts'

const [appUrl = ''] = process.argv.slice(2)
const config = readConfig({ ...process.env, SEED: 'none', LOG_LEVEL: 'error' })
const { address, close } = await startHttp({ config, appUrl, limits: false })
process.stdout.write(`${address}\n`)
process.on('SIGTERM', () => void close().then(() => process.exit(0)))
// Its test is gone: so is the reason to live.
process.stdin.resume().on('end', () => process.exit())
