import { constants } from 'node:fs'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { pendingMigrations } from '../postgres/migrate.ts'
import { startPostgres } from '../postgres/postgres.ts'
import { bytesFree, placeToCheck, readBackup, words, type About } from './folder.ts'
import { ledgerFaults } from './ledger-faults.ts'
import { placesOf, rowsSince, uploadOf } from './media-copy.ts'
import {
  filesBelow,
  hashOf,
  inParallel,
  checksumsFile,
  checksumsDigestFile,
  NotItsOwn,
  type Checksums,
} from './checksums.ts'

/**
 * Looks whether a backup is what it was and whether the product could live on it, without the product:
 *
 * - every file of the list is there with its sha-256, and none beside them;
 * - PostgreSQL starts on a copy of the database and reads every row; this code knows its migrations;
 * - each file that the database names is in the list, an original with the hash that the database has of it;
 * - the ledger of every project leads without a gap to where the project stands.
 *
 * Answers each fault in a sentence; none when all is well. The backup itself is only read; the copy lies in `placeFor`
 * while it is looked at. `trusted`: paths that are not read again. `seal`: what was kept of this backup elsewhere.
 */
export const checkBackup = async (
  folder: string,
  {
    placeFor,
    trusted = new Set(),
    seal,
  }: { placeFor: string; trusted?: ReadonlySet<string>; seal?: string | undefined },
): Promise<string[]> => {
  const read = await readBackup(folder, seal).catch((error: Error) => error.message)
  if (typeof read === 'string') return [read]
  const { sums, about } = read
  const faults = await faultsOfFiles(folder, sums, trusted)
  // On files that are not what they were, PostgreSQL's words would only hide the cause.
  if (faults.some((fault) => fault.startsWith('data/postgres/'))) return faults
  if (about.database) faults.push(...(await faultsOfDatabase({ folder, about, sums, placeFor })))
  return faults
}

const faultsOfFiles = async (folder: string, sums: Checksums, trusted: ReadonlySet<string>): Promise<string[]> => {
  const faults: string[] = []
  const there = new Set(await filesBelow(folder))
  for (const path of there)
    if (!sums.has(path) && path !== checksumsFile && path !== checksumsDigestFile)
      faults.push(`${path} is not in ${checksumsFile}`)
  await inParallel(sums, 4, async ([path, sha256]) => {
    if (!there.has(path)) faults.push(`${path} is missing`)
    else if (!trusted.has(path)) {
      const fault = await faultOfFile(join(folder, path), sha256)
      if (fault !== null) faults.push(`${path} ${fault}`)
    }
  })
  return faults.sort()
}

const faultOfFile = async (path: string, sha256: string): Promise<string | null> => {
  try {
    return (await hashOf(path)) === sha256 ? null : 'has other bytes than when it was backed up'
  } catch (error) {
    if (error instanceof NotItsOwn) return error.words
    throw error
  }
}

type Checking = { folder: string; about: About; sums: Checksums; placeFor: string }

const faultsOfDatabase = async ({ folder, about, sums, placeFor }: Checking): Promise<string[]> => {
  const place = placeToCheck(placeFor)
  try {
    await copyDatabase(folder, about, sums, place)
    const postgres = await startPostgres({ dataDir: place, throwaway: true }).catch((error: Error) => error)
    if (postgres instanceof Error) return [`PostgreSQL does not start on this backup: ${causeIn(postgres.message)}`]
    try {
      const address = new URL(postgres.superuserUrl)
      address.pathname = new URL(postgres.url).pathname
      const client = new pg.Client({ connectionString: address.href, connectionTimeoutMillis: 10_000 })
      client.on('error', () => {})
      await client.connect()
      try {
        return [
          ...(await faultsOfReading(client)),
          ...(await faultsOfMigrations(client)),
          ...(await faultsOfNamedFiles(client, about, sums)),
          ...(await faultsOfLedger(client)),
        ]
      } finally {
        await client.end().catch(() => {})
      }
    } finally {
      await postgres.stop()
    }
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** The folders and files of the database, as PostgreSQL wants to find them. */
const copyDatabase = async (folder: string, about: About, sums: Checksums, place: string) => {
  const base = join(place, 'postgres')
  const paths = [...sums.keys()].filter((path) => path.startsWith('data/postgres/'))
  await mkdir(join(base, 'data'), { recursive: true, mode: 0o700 })
  const free = await bytesFree(place)
  if (free < 128 * 1024 * 1024)
    throw new Error(`${place} has only ${words(free)} free: make room to start PostgreSQL there.`)
  for (const path of about.database!.folders) await mkdir(join(base, 'data', path), { recursive: true, mode: 0o700 })
  await inParallel(paths, 4, async (path) => {
    const to = join(place, path.slice('data/'.length))
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    await copyFile(join(folder, path), to, constants.COPYFILE_FICLONE)
  })
}

/** PostgreSQL names the cause first and then advises on what nobody should do to a backup. */
const causeIn = (message: string): string => /(?:FATAL|PANIC): +([^\n]*)/.exec(message)?.[1] ?? message

/** Every row of every table, large values too: each page's own checksum is compared on the way. */
const faultsOfReading = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c where c.relkind = 'r' and c.relnamespace not in
      ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) order by 1`,
  )
  const faults: string[] = []
  for (const { name } of rows) {
    const words = await client.query(`select count(t::text) from ${name} t`).then(
      () => null,
      (error: Error) => error.message,
    )
    if (words) faults.push(`The table ${name} cannot be read: ${words}`)
  }
  return faults
}

const faultsOfMigrations = async (client: pg.Client): Promise<string[]> =>
  pendingMigrations(client).then(
    () => [],
    (error: Error) => [error.message],
  )

const faultsOfNamedFiles = async (client: pg.Client, about: About, sums: Checksums): Promise<string[]> => {
  const faults: string[] = []
  const lost = new Set(about.missing)
  const has = (path: string) => sums.has(`data/media/${path}`)
  for await (const rows of rowsSince(client, new Date(0)))
    for (const row of rows)
      for (const { path, sha256, mayBeMissing } of placesOf(row)) {
        const isThere =
          has(path) ||
          (mayBeMissing && (row.state === 'uploading' || has(uploadOf(row.id)) || path.startsWith('quarantine/')))
        if (!isThere && !lost.has(path))
          faults.push(`The database names data/media/${path}, which is not in the backup`)
        else if (sha256 && has(path) && sums.get(`data/media/${path}`) !== sha256)
          faults.push(`data/media/${path} has another sha-256 than the database knows of it`)
      }
  return faults
}

const faultsOfLedger = async (client: pg.Client): Promise<string[]> =>
  (await client.query<{ fault: string }>(ledgerFaults)).rows.map(({ fault }) => fault)
