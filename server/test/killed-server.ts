// A process that serves, or works, on the given database: for the tests that kill it. Prints its address when it is ready.
import { pino } from 'pino'
import { readConfig } from '../src/kernel/config.ts'
import { startHttp } from '../src/main/http.ts'
import { startWorker } from '../src/main/worker.ts'

const [part = '', appUrl = '', dataDir = ''] = process.argv.slice(2)
const { PUSH_TEST_ORIGIN, SMTP_URL, WEBHOOK_TEST_ORIGIN } = process.env
const bucket = Object.entries(process.env).filter(([name]) => /^(STORAGE$|BUCKET_)/.test(name))
const config = readConfig({
  DATA_DIR: dataDir,
  LOG_LEVEL: 'error',
  SEED: 'none',
  PORT: '0',
  HOST: '127.0.0.1',
  ...(PUSH_TEST_ORIGIN ? { PUSH_TEST_ORIGIN } : {}),
  ...(SMTP_URL ? { SMTP_URL } : {}),
  ...Object.fromEntries(bucket),
  ...(WEBHOOK_TEST_ORIGIN ? { WEBHOOK_TEST_ORIGIN } : {}),
})
// Whoever started us is gone.
process.on('disconnect', () => process.exit())

if (part === 'worker') {
  await startWorker({ config, appUrl, log: pino({ level: 'error' }, pino.destination(2)) })
  console.log('working')
} else {
  console.log((await startHttp({ config, appUrl, limits: false })).address)
}
