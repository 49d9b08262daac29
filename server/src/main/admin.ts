// npm run admin: what only the operator does, at the machine and never through a call.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Email } from '@clear-to-post/contract/accounts'
import { visible } from '@clear-to-post/contract/visible'
import { edgeFunction } from '../assets/edge.ts'
import { changeAccountState, createPerson, resetSecondFactor } from '../accounts/actions.ts'
import { openDatabase, type Database } from '../kernel/database.ts'
import { openBucket } from '../outside/bucket.ts'
import { outboxAddress } from '../stand-ins/outbox.ts'
import { openIdentity } from '../identity/open.ts'
import { givenUpJobs, letRest, sendAgain, type Which } from '../kernel/given-up.ts'
import { jobNames, openQueue } from '../kernel/queue.ts'
import { readConfig, secretOf, type Config } from '../kernel/config.ts'
import { openMigratedDatabase } from './database.ts'
import { disableDemo } from './demo/accounts.ts'
import { suppressOldDeliveries } from './old-deliveries.ts'
import { keepFilesPrivate } from './files.ts'
import { checkRunning } from '../backup/check-running.ts'
import { openBucketStorage, openStorage } from '../outside/open-storage.ts'
import { storage } from '../outside/storage.ts'

const usage = `npm run admin -- <command>
  create-admin --email ada@example.com --name "Ada Moreno"   the password is asked for, or read from ADMIN_PASSWORD
  disable      --email ada@example.com                        signs the person out everywhere, at once
  enable       --email ada@example.com
  reset-second-factor --email ada@example.com                 for who lost phone and recovery codes; ends their sessions
  disable-demo                                                the demo's accounts, whose password everybody knows
  rotate-keys                                                 a new key signs from now on; nobody is signed out
  given-up                                                    jobs that used up their tries, and why
  send-again --job ID | --job NAME                            one of them, or all of a kind, with all their tries
  let-rest --job ID | --job NAME                              they are not done, and no longer named
  check --sample 200                                          the ledger, and so many files against the store
  hold-back --as-of 2026-11-26T12:00:00Z                      after a restore to that moment: nothing that waited leaves twice
  bucket-lets-pages                                           pages of PUBLIC_URL may put to BUCKET_PUBLIC_URL
  edge-function                                               what a CDN runs before /media, with the keys of MEDIA_SECRET
  outbox                                                      the address where mails that went nowhere are read`

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const noneGivenUp = 'No such job was given up: see npm run admin -- given-up'
const whichOf = (job: string): Which => {
  const name = jobNames.find((one) => one === job)
  if (name === undefined && !uuid.test(job)) throw new Error(`${job} is neither a job’s id nor a kind of job`)
  return name === undefined ? { ids: [job] } : { name }
}

type Given = { email: string; name: string; job: string; sample: string; 'as-of': string }
type Command = {
  needs: readonly (keyof Given)[]
} & (
  | { run: (database: Database, given: Given, config: Config) => Promise<string> }
  /** What is known, or done, without the database. */
  | { describe: (config: Config) => Promise<string> }
)

const commands: Record<string, Command> = {
  'create-admin': {
    needs: ['email', 'name'],
    run: async (database, { email, name }) => {
      const password = secretOf(process.env, 'ADMIN_PASSWORD') ?? (await askPassword())
      const made = await database.asSystem((tx) => createPerson(tx, { email, name, role: 'ADMIN', password }))
      return `${made.email} is an ADMIN and can sign in`
    },
  },
  disable: {
    needs: ['email'],
    run: async (database, { email }) => {
      await database.asSystem((tx) => changeAccountState(tx, email, { isDisabled: true }))
      return `${email} is disabled and signed out everywhere`
    },
  },
  enable: {
    needs: ['email'],
    run: async (database, { email }) => {
      await database.asSystem((tx) => changeAccountState(tx, email, { isDisabled: false }))
      return `${email} can sign in again`
    },
  },
  'reset-second-factor': {
    needs: ['email'],
    run: async (database, { email }) => {
      await database.asSystem((tx) => resetSecondFactor(tx, email))
      return `${email} signs in without a second factor, or sets up a new one where it is demanded`
    },
  },
  'disable-demo': {
    needs: [],
    run: async (database) => {
      const emails = await disableDemo(database)
      return emails.length === 0
        ? 'No account has the demo’s published password'
        : `Disabled, and signed out everywhere: ${emails.join(', ')}`
    },
  },
  'rotate-keys': {
    needs: [],
    run: async (database, _given, config) => {
      const { keys } = await openIdentity({ database, config })
      await keys.rotate()
      return `The key ${(await keys.signing()).kid} signs from now on`
    },
  },
  'given-up': {
    needs: [],
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
    needs: ['job'],
    run: async (database, { job }) => {
      const sent = await database.asSystem((tx) => sendAgain(tx, whichOf(job)))
      if (sent === 0) throw new Error(noneGivenUp)
      return sent === 1 ? 'Sent again' : `Sent again: ${sent} jobs`
    },
  },
  'let-rest': {
    needs: ['job'],
    run: async (database, { job }) => {
      const rested = await database.asSystem((tx) => letRest(tx, whichOf(job)))
      if (rested === 0) throw new Error(noneGivenUp)
      return rested === 1 ? 'It rests' : `${rested} jobs rest`
    },
  },
  check: {
    needs: ['sample'],
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
    needs: ['as-of'],
    run: async (database, given) => {
      const held = await suppressOldDeliveries(database, { asOf: new Date(given['as-of']), now: new Date() })
      return `Held back: ${Object.entries(held)
        .map(([what, count]) => `${count} ${what}`)
        .join(', ')}`
    },
  },
  'bucket-lets-pages': {
    needs: [],
    describe: async ({ bucket, publicUrl }) => {
      if (!bucket?.publicUrl) throw new Error('Set STORAGE=bucket and BUCKET_PUBLIC_URL first')
      await openBucket(bucket).allowOrigin(publicUrl)
      return `Pages of ${publicUrl} may put parts of uploads to ${bucket.publicUrl}`
    },
  },
  'edge-function': {
    needs: [],
    describe: async ({ mediaSecret }) => {
      if (mediaSecret === undefined)
        throw new Error('Set MEDIA_SECRET first: its keys are what the CDN checks addresses by')
      return edgeFunction(mediaSecret)
    },
  },
  outbox: {
    needs: [],
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
  const { command, given } = readCommand(process.argv.slice(2))
  const config = readConfig(process.env)
  console.log('describe' in command ? await command.describe(config) : await withDatabase(config, command.run, given))
} catch (error) {
  console.error(`✗ ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

/** Runs a command on the database, which is started for as long as it takes where it does not run. */
async function withDatabase(
  config: Config,
  run: (database: Database, given: Given, config: Config) => Promise<string>,
  given: Given,
): Promise<string> {
  const server = await openMigratedDatabase(config, { log: console.log, share: true })
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

function readCommand(args: string[]): { command: Command; given: Given } {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      email: { type: 'string', multiple: true },
      name: { type: 'string', multiple: true },
      job: { type: 'string', multiple: true },
      sample: { type: 'string', multiple: true },
      'as-of': { type: 'string', multiple: true },
    },
  })
  const asked = positionals[0] ?? ''
  const command = Object.hasOwn(commands, asked) ? commands[asked] : undefined
  if (!command || positionals.length > 1) throw new Error(`Say what to do:\n\n${usage}`)
  const missing = command.needs.filter((name) => !values[name]?.[0]?.trim())
  if (missing.length > 0) throw new Error(`${missing.map((name) => `--${name}`).join(' and ')} missing:\n\n${usage}`)
  for (const name of ['email', 'name', 'job', 'sample', 'as-of'] as const)
    if ((values[name]?.length ?? 0) > 1) throw new Error(`Say --${name} once`)
  const [email, name] = [values.email?.[0]?.trim().toLowerCase() ?? '', values.name?.[0]?.trim() ?? '']
  // As calls ask for them: they stand in mails and panels.
  if (command.needs.includes('email') && !Email.safeParse(email).success)
    throw new Error(`${JSON.stringify(email)} is no e-mail address`)
  if (command.needs.includes('name') && !visible(120).safeParse(name).success)
    throw new Error('Write the name in one line of 120 characters at most')
  const [sample, asOf] = [values.sample?.[0]?.trim() ?? '', values['as-of']?.[0]?.trim() ?? '']
  if (command.needs.includes('sample') && !/^[1-9]\d{0,6}$/.test(sample))
    throw new Error('--sample is a number of files')
  if (command.needs.includes('as-of') && !(new Date(asOf) <= new Date()))
    throw new Error('--as-of is the moment that was restored, such as 2026-11-26T12:00:00Z')
  return {
    command,
    given: { email, name, job: values.job?.[0]?.trim() ?? '', sample, 'as-of': asOf },
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
