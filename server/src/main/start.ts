// The whole product in one process: database, API and panel, worker. `npm start` ends here. Of several machines each does
// the part that ROLE names.
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { pino, type Logger } from 'pino'
import { openDatabase } from '../kernel/database.ts'
import { localWords } from '../kernel/network.ts'
import { outboxAddress } from '../stand-ins/outbox.ts'
import { startNetworkStandIns } from '../stand-ins/networks/start.ts'
import { openQueue } from '../kernel/queue.ts'
import { inspectConfig, type Config } from '../kernel/config.ts'
import { openTraces } from '../outside/traces.ts'
import { useNames } from '../kernel/statement.ts'
import { hasDatabase, openDatabaseOf } from './database.ts'
import { demoPassword, demoPeople } from './demo/people.ts'
import { keepFilesPrivate, protectFolders } from './files.ts'
import { migrateAlone } from './migrate.ts'
import { refuseToStartUnfit, printUnmet } from './start-conditions.ts'
import { startHttp } from './http.ts'
import { seedClips, seedPeople, seedPosts, seedProjects } from './seed.ts'
import { startProbes } from './probes.ts'
import { logTo, messageOf, print, printError, printStep } from './terminal.ts'
import { watchThread } from './watchdog.ts'
import { startWorker } from './worker.ts'

const DATABASE = 'the database'
/** What ends by an error that nobody expected is worth another try: `npm start` and whatever runs services make it. */
const broke = 70
const closers: { name: string; close: () => Promise<void> }[] = []
let stopping: Promise<never> | undefined
let patience = 20_000

// A terminal's Ctrl-C arrives once from the terminal and once from `npm start`: the second changes nothing.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
// The channel to `npm start` carries no messages: its end means that the parent is gone.
process.on('disconnect', () => void stop(0))
// Whoever read our words may be gone: no reason to end, and telling it would fail again, and again.
for (const words of [process.stdout, process.stderr]) words.on('error', () => {})
process.on('uncaughtException', (error) => {
  printError(inspect(error))
  void stop(broke)
})

const started = start().catch((error: unknown) => {
  // What fails because it was interrupted is no news.
  if (!stopping) printError(`\n✗ ${error instanceof Error ? explain(error) : String(error)}`)
  void stop(1)
})

async function start() {
  keepFilesPrivate()
  watchThread()
  const { config, problems } = inspectConfig(process.env)
  const began = Date.now()
  const log = pino({ level: config.logLevel }, logTo())
  const { role } = config
  const isAll = role === 'all'
  patience = 20_000 + config.drainMs
  useNames(!config.isPooled)
  print(`→ Starting Clear to Post${isAll ? '' : ` (${role})`}`)

  if (problems.length > 0 || !hasDatabase(config)) await refuseToStartUnfit(config, problems)
  if (role === 'migrate') {
    await migrateAlone(config, printStep)
    return void stop(0)
  }
  const inspect = async (url: string) => void (await refuseToStartUnfit(config, [], url))
  const database = await openDatabaseOf(config, { log: printStep, inspect })
  if (!(await keep(DATABASE, database.close))) return
  const { appUrl } = database
  if (!(await keep('the traces', (await openTraces(config)).close))) return
  const standIns = await startNetworkStandIns(config)
  if (standIns && !(await keep('the stand-ins of networks', standIns))) return
  await protectFolders(config.dataDir)
  const outcomes = await refuseToStartUnfit(config, [], appUrl)
  const http = isAll || role === 'api' ? await startHttp({ config, appUrl }) : undefined
  if (http && !(await keep('the service', http.close))) return
  const worker = role === 'api' ? undefined : await startWorker({ config, appUrl, log })
  if (worker && !(await keep('the worker', worker.close))) return
  const probes = isAll || role === 'api' ? undefined : await startProbes({ config, appUrl })
  if (probes && !(await keep('the probes', probes.close))) return
  const demo = isAll ? await startDemo({ config, appUrl, log, printStep }) : undefined
  if (demo && !(await keep('the demo', demo.close))) return

  print(`  started in ${((Date.now() - began) / 1000).toFixed(1)} s\n`)
  printUnmet(outcomes)
  if (!http) return print(`The ${role} works`)
  const origin = config.port === 0 ? http.address : config.publicUrl
  print(`Clear to Post runs at ${origin}`)
  const mails = await outboxAddress(config, origin)
  if (mails !== undefined) print(`Mails: ${mails}`)
  if (!config.isHosted) print(`For this machine alone: ${localWords}`)
  if (demo?.isLoaded) printDemoAccounts()
  const isYours = config.databaseUrl ?? config.databaseAppUrl
  print(`Ctrl-C stops it; what it knows stays in ${isYours ? 'your database' : config.dataDir}`)
  demo?.goOn()
}

/**
 * The demo's people are there at once. Its videos take half a minute: they are made, in the background, after the
 * address has been told, by `goOn`.
 */
async function startDemo(input: { config: Config; appUrl: string; log: Logger; printStep: (line: string) => void }) {
  const { config, appUrl, log, printStep } = input
  const queue = await openQueue(appUrl)
  const database = openDatabase(appUrl, { queue, max: 2 })
  const stop = new AbortController()
  const seed = { database, config, log, report: printStep, signal: stop.signal }
  const isLoaded = await seedPeople(seed)
  let videos = Promise.resolve()
  return {
    isLoaded,
    goOn() {
      if (!isLoaded) return
      const load = seedProjects(seed)
        .then(() => seedClips(seed))
        .then(() => seedPosts(seed, config))
      videos = load.catch((error: unknown) => {
        if (!stop.signal.aborted) log.error({ err: error }, 'the demo’s videos could not be made')
      })
    },
    async close() {
      stop.abort()
      await videos
      await database.close()
      await queue.close()
    },
  }
}

function printDemoAccounts() {
  const width = Math.max(...Object.values(demoPeople).map(({ email }) => email.length))
  print(`\nThe demo's accounts, password ${demoPassword}`)
  for (const { email, role, name } of Object.values(demoPeople)) {
    print(`  ${email.padEnd(width)}  ${role}, ${name}`)
  }
  print('')
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

/** Closes everything and ends the process; only the first call counts. */
function stop(code: number): Promise<never> {
  return (stopping ??= closeAll().then((clean) => process.exit(clean || code === broke ? code : 1)))
}

async function closeAll(): Promise<boolean> {
  if (closers.length > 0) print('\n→ Stopping')
  // What is just being started must be there before it can be closed: `keep` does that.
  await Promise.race([started, sleep(30_000, undefined, { ref: false })])
  // Everything stands on the database, which goes last. Uploads go on after the next start and jobs are taken over, so
  // nothing is worth hanging for.
  const above = closers.filter(({ name }) => name !== DATABASE)
  const below = closers.filter(({ name }) => name === DATABASE)
  const closed = await Promise.all(above.map((one) => closeOne(one, patience)))
  closed.push(...(await Promise.all(below.map((one) => closeOne(one, 35_000)))))
  const clean = closed.every(Boolean)
  if (clean && closers.length > 0) print('  stopped')
  return clean
}

async function closeOne({ name, close }: { name: string; close: () => Promise<void> }, withinMs: number) {
  const late = sleep(withinMs, new Error(`not closed after ${withinMs / 1000} s`), { ref: false })
  const problem = await Promise.race([close(), late]).catch((error: unknown) => error)
  if (problem) printError(`  ${name} did not close in order: ${messageOf(problem)}`)
  return !problem
}

function explain(error: Error & { code?: string; port?: number }) {
  if (error.code === 'EADDRINUSE') return `Port ${error.port} is taken by another program: set PORT to a free one.`
  if (error.code === 'EACCES' && error.port) return `Port ${error.port} needs more rights: set PORT above 1023.`
  // Our own errors are sentences; anything else needs its place.
  return error.constructor === Error ? error.message : (error.stack ?? error.message)
}
