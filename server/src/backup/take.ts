import { existsSync } from 'node:fs'
import { mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inLineForTerminal } from '@clear-to-post/contract/visible'
import { startPostgres, type Postgres } from '../postgres/postgres.ts'
import { checkBackup } from './check.ts'
import { databaseStopped, isOfStopped, openClusterCopy, sizeOfCluster } from './cluster-copy.ts'
import {
  aboutName,
  beginFolder,
  bytesFree,
  completeBackups,
  noteLastBackup,
  ofBackups,
  readLastBackup,
  takeFolder,
  words,
  type About,
  type LastBackup,
} from './folder.ts'
import { linkUnchanged, openMediaCopy, sizeOfMedia, type MediaCopy } from './media-copy.ts'
import {
  copyFile,
  filesBelow,
  hashOfText,
  inParallel,
  readChecksums,
  syncFolder,
  writeChecksums,
  type Checksums,
} from './checksums.ts'

/**
 * Makes a backup of DATA_DIR in the folder `to`, while the product runs and writes, or while it rests. Answers the
 * backup's folder, which is complete, durable and checked, and its seal: PostgreSQL was started on a copy of it and every file that
 * the database names is there. Killed at any moment it leaves a folder whose name says that it is incomplete.
 *
 * What it holds is one moment, a little before its end: everything that was answered before the backup began is in it.
 * With `ownDatabase` the operator's server keeps the database, and only files and keys are in here.
 *
 * Throws sentences that say the next step.
 */
export const takeBackup = async (input: {
  dataDir: string
  to: string
  product: string
  ownDatabase?: boolean
  log?: (line: string) => void
}): Promise<{ folder: string; about: About; seal: string }> => {
  const { product, ownDatabase = false, log = () => {} } = input
  const [dataDir, to] = await placesApart(input.dataDir, input.to)
  if (!ownDatabase && !existsSync(join(dataDir, 'postgres/data/PG_VERSION')))
    throw new Error(`There is no database in ${dataDir}, so nothing to back up: set DATA_DIR to the product's folder.`)
  const { cleared, release } = await takeFolder(to, { dataDir, now: new Date() })
  try {
    if (cleared > 0) log('Cleared away what a backup that was ended midway had left')
    if ((await stat(to)).dev === (await stat(dataDir)).dev)
      log('This folder is on the same disk as the data: keep a copy of it somewhere else, too')
    const postgres = ownDatabase ? undefined : await startPostgres({ dataDir, share: true })
    try {
      return await take({ dataDir, to, product, postgres, log })
    } finally {
      await postgres?.stop()
    }
  } finally {
    release()
  }
}

type Taking = {
  dataDir: string
  to: string
  product: string
  postgres: Postgres | undefined
  log: (line: string) => void
}

const take = async ({ dataDir, to, product, postgres, log }: Taking) => {
  const beganAt = new Date()
  const { draft, final, complete } = await beginFolder(to, { dataDir, beganAt })
  const before = await lastOf(to, await readLastBackup(dataDir))
  if (!before && (await completeBackups(to)).length > 0)
    log(
      'No backup here is as this DATA_DIR noted one that it made: every file is copied anew, and none shared with them',
    )
  const sums: Checksums = new Map()
  const add = (more: Checksums, below: string) => {
    for (const [path, sha256] of more) sums.set(`${below}/${path}`, sha256)
  }
  await mkdir(join(draft, 'data'), { mode: 0o700 })
  add(await copyBeside(dataDir, join(draft, 'data'), postgres === undefined), 'data')

  const copied = postgres
    ? await copyLiving({ dataDir, draft, before, postgres, to, log })
    : await copyFilesAlone({ dataDir, draft, before, log })
  add(copied.mediaSums, 'data/media')
  add(copied.databaseSums, 'data/postgres/data')

  const about: About = {
    format: 1,
    product,
    beganAt: beganAt.toISOString(),
    asOf: copied.asOf.toISOString(),
    database: copied.database,
    missing: copied.missing,
  }
  const text = `${JSON.stringify(about, null, 2)}\n`
  await writeFile(join(draft, aboutName), text, { mode: 0o600, flag: 'wx', flush: true })
  sums.set(aboutName, hashOfText(text))
  await syncFolders(draft)
  const seal = await writeChecksums(draft, sums)

  log(postgres ? 'Checking: PostgreSQL starts on a copy, and every file is looked for' : 'Checking every file')
  // What was linked was read by the backup that copied it; npm run verify reads everything again.
  const faults = await checkBackup(draft, { trusted: copied.linked, seal, log })
  if (faults.length > 0)
    throw new Error(
      `The backup is not good and stays incomplete:\n  ${faults.map(inLineForTerminal).join('\n  ')}\nRun it again.`,
    )
  await complete()
  await noteLastBackup(dataDir, { asOf: about.asOf, folder: final, hasDatabase: postgres !== undefined, seal })
  for (const path of about.missing)
    log(`The database names a file that is not on the disk, and was lost before: ${path}`)
  return { folder: final, about, seal }
}

type Copying = {
  dataDir: string
  draft: string
  before: { folder: string; sums: Checksums } | undefined
  log: (line: string) => void
}
type CopiedAll = {
  mediaSums: Checksums
  databaseSums: Checksums
  linked: ReadonlySet<string>
  asOf: Date
  database: About['database']
  missing: string[]
}

/**
 * The order that makes one moment of two things: the database's files first, then people's files until hardly any is
 * left; then, while no row of a file can change, what is left is opened and the copy of the database ends. Whatever the
 * restored database names existed at that moment, and an open file stays readable whoever removes it.
 */
const copyLiving = async ({
  dataDir,
  draft,
  before,
  postgres,
  to,
  log,
}: Copying & { postgres: Postgres; to: string }): Promise<CopiedAll> => {
  const data = join(dataDir, 'postgres/data')
  const target = join(draft, 'data/postgres/data')
  const client = new pg.Client({ connectionString: inProduct(postgres), connectionTimeoutMillis: 10_000 })
  let isLost = false
  client.on('error', () => (isLost = true))
  try {
    await client.connect()
    await makeSureOfRoom({ client, data, to, before })
    const copy = await openClusterCopy({ data, superuserUrl: postgres.superuserUrl, label: 'clear-to-post' })
    const media = openMediaCopy(client, { from: join(dataDir, 'media'), to: join(draft, 'data/media'), before })
    try {
      log(`Copying the database (${words(await sizeOfCluster(data))})`)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await copy.copyFiles(target)
      await copyMedia(media, log)
      const asOf = await endTogether({ client, end: async () => (await media.hold(), copy.stop()) })
      await media.copyHeld()
      const place = await copy.copyLog(target)
      const others = await copyOtherMedia(dataDir, draft)
      const { count } = media
      log(
        `${count.copied} files copied (${words(count.bytes)}), ${media.linked.size} were in the backup before and are shared with it`,
      )
      return {
        mediaSums: new Map([...others, ...media.sums]),
        databaseSums: copy.sums,
        linked: new Set([...media.linked].map((path) => `data/media/${path}`)),
        asOf,
        database: { ...(await factsOf(client)), ...place, folders: copy.folders },
        missing: media.missing,
      }
    } finally {
      await media.close()
      await copy.close()
    }
  } catch (error) {
    throw isLost || isOfStopped(error) ? new Error(databaseStopped, { cause: error }) : error
  } finally {
    await client.end().catch(() => {})
  }
}

const copyMedia = async (media: MediaCopy, log: (line: string) => void) => {
  log('Copying people’s files')
  let told = Date.now()
  let bytes = 0
  const onFile = (size: number) => {
    bytes += size
    if (Date.now() - told < 5000) return
    told = Date.now()
    log(`  ${words(bytes)} copied so far`)
  }
  // Each round takes what came during the one before, so each is shorter.
  for (let round = 0; round < 10; round++) if ((await media.catchUp(onFile)).bytes < 64 * 1024 * 1024) return
}

/** Holds every change of files' rows up for the moment in which both copies end. Answers the database's time. */
const endTogether = async ({ client, end }: { client: pg.Client; end: () => Promise<void> }): Promise<Date> => {
  for (let attempt = 1; ; attempt++) {
    try {
      // A longer wait for the lock would make everybody's uploads wait behind it.
      await client.query(`begin; set local lock_timeout = '2s'; set local idle_in_transaction_session_timeout = 0`)
      await client.query('lock table asset in share mode')
      break
    } catch (error) {
      await client.query('rollback')
      if ((error as { code?: string }).code !== '55P03' || attempt === 30) throw error
      await sleep(1000)
    }
  }
  await end()
  const { rows } = await client.query('select clock_timestamp() as now')
  await client.query('commit')
  return rows[0].now
}

const copyFilesAlone = async ({ dataDir, draft, before, log }: Copying): Promise<CopiedAll> => {
  log('Copying people’s files; the database is on a server of yours and is not part of this backup')
  const mediaSums: Checksums = new Map(await copyOtherMedia(dataDir, draft))
  const [from, to] = [join(dataDir, 'media'), join(draft, 'data/media')]
  const linked = new Set<string>()
  for (const folder of ['assets', 'quarantine']) {
    const paths = (await filesBelow(join(from, folder)).catch(() => [])).map((path) => `${folder}/${path}`)
    await inParallel(paths, 4, async (path) => {
      const known = before && folder === 'assets' && (await linkUnchanged(path, { from, to, before }))
      if (known) {
        linked.add(`data/media/${path}`)
        return void mediaSums.set(path, known)
      }
      await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 })
      const copied = await copyFile(join(from, path), join(to, path)).catch(ifGone)
      if (copied) mediaSums.set(path, copied.sha256)
    })
  }
  return { mediaSums, databaseSums: new Map(), linked, asOf: new Date(), database: null, missing: [] }
}

/** With the files in which they are written. */
const notCopied = new Set(Object.values(ofBackups).flatMap((name) => [name, `.${name}`, `${name}-journal`]))

/** Keys and whatever else lies in DATA_DIR beside the database and people's files. */
const copyBeside = async (dataDir: string, to: string, withoutDatabase: boolean): Promise<Checksums> => {
  const entries = await readdir(dataDir, { withFileTypes: true })
  const paths: string[] = []
  for (const entry of entries.filter(({ name }) => !['media', 'postgres'].includes(name))) {
    const { name } = entry
    // A key may be kept elsewhere, with a link in its place.
    const kind = entry.isSymbolicLink() ? await ledTo(join(dataDir, name)) : entry
    if (kind.isFile()) paths.push(name)
    else if (kind.isDirectory()) paths.push(...(await filesBelow(join(dataDir, name))).map((path) => `${name}/${path}`))
  }
  if (!withoutDatabase) paths.push('postgres/password')
  return copyAll(
    dataDir,
    to,
    paths.filter((path) => !notCopied.has(path) && !/^product\.log$/.test(path)),
  )
}

const ledTo = (link: string) =>
  stat(link).catch(() => {
    throw new Error(`${link} is a link that leads to nothing that can be read: mend it, or remove it.`)
  })

/** What lies in the media folder beside people's files and the chunks and renders that are made again when needed. */
const copyOtherMedia = async (dataDir: string, draft: string): Promise<Checksums> => {
  const from = join(dataDir, 'media')
  const names = (await readdir(from).catch(() => [])).filter((name) => !['assets', 'quarantine', 'work'].includes(name))
  const paths: string[] = []
  for (const name of names) {
    if (!(await stat(join(from, name))).isDirectory()) paths.push(name)
    else paths.push(...(await filesBelow(join(from, name))).map((path) => `${name}/${path}`))
  }
  return copyAll(from, join(draft, 'data/media'), paths)
}

const copyAll = async (from: string, to: string, paths: readonly string[]): Promise<Checksums> => {
  const sums: Checksums = new Map()
  await inParallel(paths, 4, async (path) => {
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 })
    const copied = await copyFile(join(from, path), join(to, path)).catch(ifGone)
    if (copied) sums.set(path, copied.sha256)
  })
  return sums
}

/**
 * The newest backup here whose list is still the one that was made: what somebody put into another does not come into the next
 * one by a link. A DATA_DIR that has noted no seal yet takes the newest as it is.
 */
const lastOf = async (to: string, noted: LastBackup | undefined) => {
  for (const folder of (await completeBackups(to)).toReversed()) {
    const seal = noted?.seals?.[folder]
    if (noted?.seals && seal === undefined) continue
    const sums = await readChecksums(folder, seal).catch(() => undefined)
    if (!sums) continue
    const media = [...sums].flatMap(([path, sha256]) =>
      path.startsWith('data/media/') ? [[path.slice(11), sha256] as const] : [],
    )
    return { folder: join(folder, 'data/media'), sums: new Map(media) }
  }
  return undefined
}

const makeSureOfRoom = async ({
  client,
  data,
  to,
  before,
}: {
  client: pg.Client
  data: string
  to: string
  before: unknown
}) => {
  const database = await sizeOfCluster(data)
  // Twice: once to keep, once to start PostgreSQL on, should there be no room among the temporary files. Of people's files the
  // first backup takes all, with their copies for playing, the next ones what is new.
  const media = before ? 0 : 1.5 * (await sizeOfMedia(client))
  const needed = 2.2 * database + media + 256 * 1024 * 1024
  const free = await bytesFree(to)
  if (free < needed)
    throw new Error(
      `${to} has ${words(free)} free and this backup needs about ${words(needed)}: make room, or choose another disk.`,
    )
}

const factsOf = async (client: pg.Client) => {
  const { rows: facts } = await client.query<{ version: string; systemId: string }>(
    `select current_setting('server_version') as version, system_identifier::text as "systemId" from pg_control_system()`,
  )
  const { rows: migrations } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration order by name collate "C"',
  )
  return { ...facts[0]!, migrations }
}

/** The superuser's address, in the product's database. */
const inProduct = ({ url, superuserUrl }: Postgres): string => {
  const address = new URL(superuserUrl)
  address.pathname = new URL(url).pathname
  return address.href
}

const placesApart = async (dataDir: string, to: string): Promise<[string, string]> => {
  const from = await realpath(dataDir).catch(() => {
    throw new Error(`${dataDir} is not there: set DATA_DIR to the product's folder.`)
  })
  const place = await whereItIs(resolve(to))
  if (isWithin(place, from))
    throw new Error(`${to} is in DATA_DIR itself: choose a folder outside of it, best on another disk.`)
  for (const folder of [from, join(from, 'media')])
    for (const name of await readdir(folder).catch(() => []))
      if (join(folder, name) !== join(from, 'postgres')) await requireApart(join(folder, name), { from, place })
  return [from, resolve(to)]
}

/** Links of DATA_DIR and of its media folder are followed: one that led to backups would have each of them hold all before it. */
const requireApart = async (path: string, { from, place }: { from: string; place: string }): Promise<void> => {
  const at = await realpath(path).catch(() => undefined)
  if (at === undefined || !(await stat(at)).isDirectory()) return
  if (isWithin(from, at)) throw new Error(`${path} leads to ${at}, which holds DATA_DIR itself: remove this link.`)
  if (isWithin(place, at) || isWithin(at, place))
    throw new Error(
      `${path} leads to ${at}, and one of that and ${place}, where the backups lie, is within the other: each backup would hold those before it. Remove this link, or choose another folder.`,
    )
}

const isWithin = (path: string, folder: string): boolean => !relative(folder, path).startsWith('..')

/** Where a folder lies, or will lie, once all links on the way are followed. */
const whereItIs = async (path: string): Promise<string> =>
  realpath(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return join(await whereItIs(dirname(path)), basename(path))
  })

const syncFolders = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name))
  await syncFolder(folder)
}

const ifGone = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error
}
