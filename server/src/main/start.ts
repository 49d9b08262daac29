// The whole product in one process: database, API and panel, worker. `npm start` ends here.
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { readConfig } from './config.ts'
import { openMigratedDatabase } from './database.ts'
import { startHttp } from './http.ts'
import { startWorker } from './worker.ts'

const closers: { name: string; close: () => Promise<void> }[] = []
let stopping: Promise<never> | undefined

// A terminal's Ctrl-C arrives once from the terminal and once from `npm start`: the second changes nothing.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
// The channel to `npm start` carries no messages: its end means that the parent is gone.
process.on('disconnect', () => void stop(0))
process.on('uncaughtException', (error) => {
  console.error(error)
  void stop(1)
})

const started = start().catch((error: unknown) => {
  console.error(`\n✗ ${error instanceof Error ? explain(error) : error}`)
  void stop(1)
})

async function start() {
  const config = readConfig(process.env)
  const began = Date.now()
  const say = (line: string) => console.log(`  ${line}`)
  const log = pino({ level: config.logLevel })
  console.log('→ Starting Clear to Post')

  const database = await openMigratedDatabase(config, { log: say })
  if (!(await keep('the database', database.close))) return
  const { appUrl } = database
  const http = await startHttp({ config, appUrl })
  if (!(await keep('the service', http.close))) return
  const worker = await startWorker({ config, appUrl, log })
  if (!(await keep('the worker', worker.close))) return

  console.log(`  started in ${((Date.now() - began) / 1000).toFixed(1)} s\n`)
  console.log(`Clear to Post runs at ${config.port === 0 ? http.address : config.publicUrl}`)
  console.log('Ctrl-C stops it; what it knows stays in', config.databaseUrl ? 'your database' : config.dataDir)
}

/** Remembers what to close. False when the product was told to stop meanwhile: then it is closed at once. */
async function keep(name: string, close: () => Promise<void>): Promise<boolean> {
  if (stopping) {
    await close()
    return false
  }
  closers.push({ name, close })
  return true
}

/** Closes everything, the last started first, and ends the process. */
function stop(code: number): Promise<never> {
  return (stopping ??= closeAll().then((clean) => process.exit(clean ? code : 1)))
}

async function closeAll(): Promise<boolean> {
  if (closers.length > 0) console.log('\n→ Stopping')
  // What is just being started must be there before it can be closed: `keep` does that.
  await Promise.race([started, sleep(30_000, undefined, { ref: false })])
  let clean = true
  for (const { name, close } of closers.toReversed()) {
    // Uploads go on after the next start and jobs are taken over: nothing is worth hanging for.
    const late = sleep(name === 'the database' ? 35_000 : 12_000, 'late' as const, { ref: false })
    const outcome = await Promise.race([close(), late]).catch((error: unknown) => error)
    if (outcome === undefined) continue
    clean = false
    console.error(`  ${name} did not close in order`, outcome === 'late' ? '' : outcome)
  }
  if (clean && closers.length > 0) console.log('  stopped')
  return clean
}

function explain(error: Error & { code?: string; port?: number }) {
  if (error.code === 'EADDRINUSE') return `Port ${error.port} is taken by another program: set PORT to a free one.`
  if (error.code === 'EACCES' && error.port) return `Port ${error.port} needs more rights: set PORT above 1023.`
  // Our own errors are sentences; anything else needs its place.
  return error.constructor === Error && !error.cause ? error.message : (error.stack ?? error.message)
}
