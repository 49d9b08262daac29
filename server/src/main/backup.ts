// npm run backup, npm run verify, npm run restore: what the operator does at the machine (docs/operations.md).
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { inLineForTerminal } from '@clear-to-post/contract/visible'
import { checkBackup } from '../backup/check.ts'
import { checksumsFile, hashOf } from '../backup/checksums.ts'
import { chosenBackup, notedSeal, readBackup, readLastBackup } from '../backup/folder.ts'
import { putBack } from '../backup/put-back.ts'
import { takeBackup } from '../backup/take.ts'
import { openDatabase } from '../kernel/database.ts'
import { openQueue } from '../kernel/queue.ts'
import { readConfig, type Config } from '../kernel/config.ts'
import { openMigratedDatabase } from './database.ts'
import { suppressOldDeliveries } from './old-deliveries.ts'
import { messageOf, print, printError, printStep } from './terminal.ts'

const usage = {
  backup: `npm run backup -- FOLDER     makes a backup of DATA_DIR in FOLDER, while the product runs or rests;
                             FOLDER may stand in BACKUP_DIR instead`,
  verify: `npm run verify -- BACKUP     says whether a backup, or the newest in a folder of them, is whole. --seal SEAL, which
                             its backup printed, also says whether somebody rewrote it since`,
  restore: `npm run restore -- BACKUP    puts it back into DATA_DIR, which must be empty. What waited to be sent when the
                             backup was made is held back; --moved sends it: only when the product was stopped
                             before the backup was made and has not run since. --seal SEAL as for verify`,
}
type Command = keyof typeof usage

type Options = { moved: boolean; seal: string | undefined }
const commands: Record<Command, (folder: string, config: Config, options: Options) => Promise<void>> = {
  backup: async (to, config) => {
    const began = Date.now()
    print(`→ Backing up ${config.dataDir}`)
    const ownDatabase = config.databaseUrl !== undefined
    const { dataDir } = config
    const { folder, about, seal } = await takeBackup({
      dataDir,
      to,
      ownDatabase,
      log: printStep,
      product: await productVersion(),
    })
    print(`Complete, checked, and as of ${about.asOf} (${((Date.now() - began) / 1000).toFixed(1)} s): ${folder}`)
    if (ownDatabase)
      print(
        'It holds files and keys, NOT the database, which is on your own server. A restore needs both. Each time, before\n' +
          'this command (docs/operations.md says why each word is there):\n' +
          `  PGOPTIONS='-c app.role=SYSTEM' pg_dump --enable-row-security --format=custom --file=clear-to-post.dump "$DATABASE_URL"`,
      )
    print(
      `Seal: ${seal}\nKeep the seal where nobody comes who has the folder of backups, as in this command’s log on another machine: with\n` +
        '--seal, verify and restore tell by it whether somebody rewrote this backup.',
    )
    print('Settings of the environment (mail, payments, sign-in, MEDIA_SECRET) are not in it: keep them elsewhere.')
  },
  verify: async (given, config, { seal }) => {
    const folder = await chosenBackup(given)
    print(`→ Verifying ${folder}`)
    const kept = seal ?? notedSeal(await readLastBackup(config.dataDir), folder, given)
    const faults = await checkBackup(folder, { seal: kept, log: printStep })
    if (faults.length > 0) throw new Error(`This backup is not whole:\n  ${faults.map(inLineForTerminal).join('\n  ')}`)
    const { about } = await readBackup(folder, kept)
    for (const path of about.missing) printStep(`Lost before the backup was made: ${path}`)
    print(
      about.database
        ? `Whole, as of ${about.asOf}: every file has its hash, PostgreSQL starts, and what the database names is there.`
        : `Every file has its hash. The database is not in it: whether both fit together, only a restore can tell.`,
    )
    print(
      kept !== undefined
        ? `It is the backup that was made: its seal is the one that ${seal === undefined ? 'DATA_DIR noted' : 'you gave'}.`
        : await withoutSeal(folder),
    )
  },
  restore: async (given, config, { moved, seal }) => {
    const folder = await chosenBackup(given)
    print(`→ Restoring ${folder} into ${config.dataDir}`)
    const { database } = (await readBackup(folder, seal)).about
    if (!database !== (config.databaseUrl !== undefined))
      throw new Error(
        database
          ? 'This backup has the database in it, and DATABASE_URL names a server of yours: take DATABASE_URL away.'
          : 'This backup holds no database. Restore your dump with pg_restore first (docs/operations.md), and set DATABASE_URL to its server.',
      )
    const { about, finish } = await putBack(folder, config.dataDir, { log: printStep, seal })
    if (seal === undefined) print(await withoutSeal(folder))
    // On a server of the operator's, their dump and these files meet here for the first time.
    const server = await openMigratedDatabase(config, { log: printStep, restoring: true })
    try {
      if (moved) printStep('Everything that waited to be sent goes out when the product starts')
      else await holdBackOn(server.appUrl, new Date(about.asOf))
    } finally {
      await server.close()
    }
    await finish()
    print(`Restored, as of ${about.asOf}. Start the product with npm start and the same DATA_DIR.`)
    print(
      'What happened after that moment is not in it: whoever was deleted, disabled or given another password since, is as\n' +
        'they were. docs/operations.md says what to do about it.',
    )
  },
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { moved: { type: 'boolean' }, seal: { type: 'string' } },
  })
  const [command, given] = positionals
  const isKnown = command !== undefined && Object.hasOwn(usage, command)
  const folder = given ?? (command === 'restore' ? undefined : process.env.BACKUP_DIR)
  const { moved = false, seal } = values
  const isOdd = (moved && command !== 'restore') || (seal !== undefined && command === 'backup')
  if (!isKnown || !folder || positionals.length > 2 || isOdd)
    throw new Error(
      `Say what to do, and which folder:\n\n${isKnown ? usage[command as Command] : Object.values(usage).join('\n')}`,
    )
  if (seal !== undefined && !/^[0-9a-f]{64}$/i.test(seal))
    throw new Error('This is no seal. Give the 64 signs (0-9, a-f) that npm run backup printed after “Seal:”.')
  await commands[command as Command](resolve(folder), readConfig(process.env), { moved, seal })
} catch (error) {
  printError(`✗ ${messageOf(error)}`)
  process.exitCode = 1
}

async function holdBackOn(appUrl: string, asOf: Date) {
  const queue = await openQueue(appUrl)
  const database = openDatabase(appUrl, { queue, max: 2 })
  try {
    const held = await suppressOldDeliveries(database, { asOf, now: new Date() })
    const all = Object.entries(held).map(([kind, number]) => `${number} ${kind}`)
    printStep(`Not sent, or ended, because a copy cannot know what happened since: ${all.join(', ')}`)
  } finally {
    await database.close()
    await queue.close()
  }
}

async function withoutSeal(folder: string): Promise<string> {
  const own = await hashOf(join(folder, checksumsFile))
  return (
    `Its seal is ${own}. No seal was kept here or given with --seal: that shows damage, and not whether somebody who has the\n` +
    'folder rewrote the backup. Compare it with the one that its backup printed.'
  )
}

async function productVersion(): Promise<string> {
  const text = await readFile(resolve(import.meta.dirname, '../../../package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
