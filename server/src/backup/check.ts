import { chmod, lstat, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { pendingMigrations } from '../postgres/migrate.ts'
import { startPostgres } from '../postgres/postgres.ts'
import { placeToCheck, readBackup, type About } from './folder.ts'
import { removeFolder } from './remove.ts'
import { ledgerFaults } from './ledger-faults.ts'
import { placesOf, rowsSince, uploadOf } from './media-copy.ts'
import {
  copyFile,
  filesBelow,
  hashOf,
  inParallel,
  checksumsFile,
  checksumsDigestFile,
  NotItsOwn,
  openOwn,
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
 * Answers each fault in a sentence; none when all is well. The backup itself is only read. PostgreSQL starts on what was read when
 * the database's files were compared with the list, whoever changes them since: on a copy in `placeFor`, and where that has no room
 * beside the backup, of which `log` is told. `trusted`: paths that are not read again. `seal`: what was kept of this backup elsewhere.
 */
export const checkBackup = async (
  folder: string,
  {
    placeFor = process.env.TMPDIR || '/var/tmp',
    trusted = new Set(),
    seal,
    log = () => {},
  }: {
    placeFor?: string
    trusted?: ReadonlySet<string>
    seal?: string | undefined
    log?: (line: string) => void
  } = {},
): Promise<string[]> => {
  const read = await readBackup(folder, seal).catch((error: Error) => error.message)
  if (typeof read === 'string') return [read]
  const { sums, about } = read
  const isCopied = (path: string) => about.database !== null && path.startsWith(ofDatabase)
  const faults = await faultsOfFiles(folder, sums, { trusted, isCopied })
  if (about.database) faults.push(...(await faultsOfDatabase({ folder, about, sums, faults, placeFor, log })))
  return faults
}

const ofDatabase = 'data/postgres/'

const faultsOfFiles = async (
  folder: string,
  sums: Checksums,
  { trusted, isCopied }: { trusted: ReadonlySet<string>; isCopied: (path: string) => boolean },
): Promise<string[]> => {
  const faults: string[] = []
  const there = new Set(await filesBelow(folder))
  for (const path of there)
    if (!sums.has(path) && path !== checksumsFile && path !== checksumsDigestFile)
      faults.push(`${path} is not in ${checksumsFile}`)
  await inParallel(sums, 4, async ([path, sha256]) => {
    if (isCopied(path)) return
    const fault = !there.has(path)
      ? missing
      : trusted.has(path)
        ? null
        : await faultOf(sha256, () => hashOf(join(folder, path)))
    if (fault !== null) faults.push(`${path} ${fault}`)
  })
  return faults.sort()
}

const missing = 'is missing'

const faultOf = async (sha256: string, read: () => Promise<string>): Promise<string | null> => {
  try {
    return (await read()) === sha256 ? null : 'has other bytes than when it was backed up'
  } catch (error) {
    if (error instanceof NotItsOwn) return error.words
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return missing
    throw error
  }
}

type Checking = {
  folder: string
  about: About
  sums: Checksums
  /** What is known already of the files. */
  faults: readonly string[]
  placeFor: string
  log: (line: string) => void
}

const faultsOfDatabase = async ({ folder, about, sums, faults, placeFor, log }: Checking): Promise<string[]> => {
  const sizes = new Map<string, number>()
  for (const path of sums.keys())
    if (path.startsWith(ofDatabase))
      sizes.set(path, (await lstat(join(folder, path)).catch(() => undefined))?.size ?? 0)
  const bytes = [...sizes.values()].reduce((all, size) => all + size, 0)
  const place = await placeToCheck({ bytes, placeFor, beside: dirname(folder), log })
  try {
    const ofCopy = await copyDatabase({ folder, about, sums, sizes, place })
    // On files that are not what they were, PostgreSQL's words would only hide the cause, and it would do what is written there.
    if ([...faults, ...ofCopy].some((fault) => fault.startsWith(ofDatabase))) return ofCopy
    // Others may pass through, not look: where root starts it, PostgreSQL's own account must reach `data` below.
    if (process.getuid?.() === 0) await chmod(place, 0o711)
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
    await removeFolder(place)
  }
}

type Copying = Pick<Checking, 'folder' | 'about' | 'sums'> & { sizes: ReadonlyMap<string, number>; place: string }

/** The folders and files of the database, as PostgreSQL wants to find them; answers each fault of the files that were read. */
const copyDatabase = async ({ folder, about, sums, sizes, place }: Copying): Promise<string[]> => {
  const faults: string[] = []
  for (const path of ['', ...about.database!.folders])
    await mkdir(join(place, 'postgres/data', path), { recursive: true, mode: 0o700 })
  await inParallel(sizes, 4, async ([path, most]) => {
    const to = join(place, path.slice('data/'.length))
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    const fault = await faultOf(sums.get(path)!, async () => {
      await using source = await openOwn(join(folder, path))
      return (await copyFile(source, to, { most })).sha256
    })
    if (fault !== null) faults.push(`${path} ${fault}`)
  })
  return faults.sort()
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
