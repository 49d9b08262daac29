// npm run admin: what only the operator does, at the machine and never through a call.
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { edgeFunction } from '../assets/edge.ts'
import { changeAccountState, createPerson, resetSecondFactor, tellOfAdmin } from '../accounts/actions.ts'
import { openDatabase, type Database } from '../kernel/database.ts'
import { openBucket } from '../outside/bucket.ts'
import { outboxAddress } from '../stand-ins/outbox.ts'
import { openIdentity } from '../identity/open.ts'
import { givenUpJobs, letRest, sendAgain, type Which } from '../kernel/given-up.ts'
import { jobNames, openQueue } from '../kernel/queue.ts'
import { readConfig, secretOf, type Config } from '../kernel/config.ts'
import { readCommand, type CommandName, type Given } from './admin-command.ts'
import { openMigratedDatabase } from './database.ts'
import { disableDemo } from './demo/accounts.ts'
import { suppressOldDeliveries } from './old-deliveries.ts'
import { keepFilesPrivate } from './files.ts'
import { messageOf, print, printError } from './terminal.ts'
import { checkRunning } from '../backup/check-running.ts'
import { openBucketStorage, openStorage } from '../outside/open-storage.ts'
import { storage } from '../outside/storage.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const noneGivenUp = 'No such job was given up: see npm run admin -- given-up'
const whichOf = (job: string): Which => {
  const name = jobNames.find((one) => one === job)
  if (name === undefined && !uuid.test(job)) throw new Error(`${job} is neither a job’s id nor a kind of job`)
  return name === undefined ? { ids: [job] } : { name }
}

type Command =
  | { run: (database: Database, given: Given, config: Config) => Promise<string> }
  /** What is known, or done, without the database. */
  | { describe: (config: Config) => Promise<string> }

const commands: Record<CommandName, Command> = {
  'create-admin': {
    run: async (database, { email, name }) => {
      const password = secretOf(process.env, 'ADMIN_PASSWORD') ?? (await askPassword())
      const made = await database.asSystem(async (tx) => {
        const person = await createPerson(tx, { email, name, role: 'ADMIN', password })
        await tellOfAdmin(tx, person, null, person, undefined)
        return person
      })
      return `${made.email} is an ADMIN and can sign in`
    },
  },
  disable: {
    run: async (database, { email }) => {
      await database.asSystem((tx) => changeAccountState(tx, email, { isDisabled: true }))
      return `${email} is disabled and signed out everywhere`
    },
  },
  enable: {
    run: async (database, { email }) => {
      await database.asSystem((tx) => changeAccountState(tx, email, { isDisabled: false }))
      return `${email} can sign in again`
    },
  },
  'reset-second-factor': {
    run: async (database, { email }) => {
      await database.asSystem((tx) => resetSecondFactor(tx, email))
      return `${email} signs in without a second factor, or sets up a new one where it is demanded`
    },
  },
  'disable-demo': {
    run: async (database) => {
      const emails = await disableDemo(database)
      return emails.length === 0
        ? 'No account has the demo’s published password'
        : `Disabled, and signed out everywhere: ${emails.join(', ')}`
    },
  },
  'rotate-keys': {
    run: async (database, _given, config) => {
      const { keys } = await openIdentity({ database, config })
      await keys.rotate()
      return `The key ${(await keys.signing()).kid} signs from now on`
    },
  },
  'given-up': {
    run: async (database) => {
      const jobs = await database.asSystem(givenUpJobs)
      const lines = jobs.map(
        ({ id, name, data, at, why }) =>
          `${at.toISOString()}  ${name}  ${id}\n  ${JSON.stringify(data)}\n  ${why.split('\n')[0]}`,
      )
      return lines.length === 0 ? 'No job was given up' : lines.join('\n')
    },
  },
  'send-again': {
    run: async (database, { job }) => {
      const sent = await database.asSystem((tx) => sendAgain(tx, whichOf(job)))
      if (sent === 0) throw new Error(noneGivenUp)
      return sent === 1 ? 'Sent again' : `Sent again: ${sent} jobs`
    },
  },
  'let-rest': {
    run: async (database, { job }) => {
      const rested = await database.asSystem((tx) => letRest(tx, whichOf(job)))
      if (rested === 0) throw new Error(noneGivenUp)
      return rested === 1 ? 'It rests' : `${rested} jobs rest`
    },
  },
  check: {
    run: async (database, { sample }, config) => {
      const begun = performance.now()
      if (config.bucket) await openBucketStorage(database, config.dataDir, config.bucket)
      else await openStorage(config.dataDir)
      const checked = await checkRunning(database, storage(), { sample: Number(sample) })
      const { projects, files, hashed, bytes, faults } = checked
      const took = Math.round((performance.now() - begun) / 1000)
      const seen = `${projects} projects’ ledgers and ${files} files were looked at, ${hashed} of them read whole (${Math.round(bytes / 1e6)} MB), in ${took} s`
      if (faults.length > 0) throw new Error(`${faults.join('\n✗ ')}\n${seen}`)
      return `${seen}: all is as the database says`
    },
  },
  'hold-back': {
    run: async (database, given) => {
      const held = await suppressOldDeliveries(database, { asOf: new Date(given['as-of']), now: new Date() })
      return `Held back: ${Object.entries(held)
        .map(([what, count]) => `${count} ${what}`)
        .join(', ')}`
    },
  },
  'bucket-lets-pages': {
    describe: async ({ bucket, publicUrl }) => {
      if (!bucket?.publicUrl) throw new Error('Set STORAGE=bucket and BUCKET_PUBLIC_URL first')
      await openBucket(bucket).allowOrigin(publicUrl)
      return `Pages of ${publicUrl} may put parts of uploads to ${bucket.publicUrl}`
    },
  },
  'edge-function': {
    describe: async ({ mediaSecret }) => {
      if (mediaSecret === undefined)
        throw new Error('Set MEDIA_SECRET first: its keys are what the CDN checks addresses by')
      return edgeFunction(mediaSecret)
    },
  },
  outbox: {
    describe: async (config) => {
      const address = await outboxAddress(config, config.publicUrl)
      if (address !== undefined) return `Mails: ${address}`
      throw new Error(
        config.smtpUrl === undefined
          ? `Others use this service, so no page shows its mails: they are files in ${join(config.dataDir, 'outbox')}`
          : 'Mails go by the server of SMTP_URL, so none are kept here',
      )
    },
  },
}

keepFilesPrivate()
try {
  const { name, given } = readCommand(process.argv.slice(2))
  const command = commands[name]
  const config = readConfig(process.env)
  const said = 'describe' in command ? await command.describe(config) : await withDatabase(config, command.run, given)
  print(said)
} catch (error) {
  printError(`✗ ${messageOf(error)}`)
  process.exitCode = 1
}

/** Runs a command on the database, which is started for as long as it takes where it does not run. */
async function withDatabase(
  config: Config,
  run: (database: Database, given: Given, config: Config) => Promise<string>,
  given: Given,
): Promise<string> {
  const server = await openMigratedDatabase(config, { log: print, share: true })
  try {
    const queue = await openQueue(server.appUrl)
    const database = openDatabase(server.appUrl, { queue, max: 2 })
    try {
      return await run(database, given, config)
    } finally {
      await database.close()
      await queue.close()
    }
  } finally {
    await server.close()
  }
}

/** Asks on the terminal without showing what is typed; without a terminal the first line of the input is it. */
async function askPassword(): Promise<string> {
  const hidden = process.stdin.isTTY
  if (hidden) process.stdout.write('Password (12 characters or more): ')
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silence, terminal: hidden })
  try {
    for await (const line of lines) return line
    throw new Error('No password was given: type one, or set ADMIN_PASSWORD')
  } finally {
    lines.close()
    if (hidden) process.stdout.write('\n')
  }
}
