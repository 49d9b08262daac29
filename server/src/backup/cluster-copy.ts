import { mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { copyFile, hashOf, inParallel, type Checksums } from './checksums.ts'

/**
 * A copy of a running PostgreSQL by its file-level backup API (manual, "Making a Base Backup Using the Low Level API"):
 * the files are copied while they change, and the log that is written from `start` to `stop` makes them whole when a
 * server starts on the copy. A temporary replication slot keeps that log; it goes with the connection, so a killed
 * backup leaves nothing behind.
 */
export type ClusterCopy = {
  /** Copies the files of `data` to `to`, an absent folder; what changes meanwhile is made whole by the log. */
  copyFiles: (to: string) => Promise<void>
  /** Ends what the copy holds: the database as of now, and of nothing later. */
  stop: () => Promise<void>
  /** Copies the log between start and stop, and writes what tells a server to read it. */
  copyLog: (to: string) => Promise<{ startWal: string; stopLsn: string }>
  /** Hashes of everything that was copied, by path below `to`. */
  sums: Checksums
  /** Folders below `to`, empty ones too: PostgreSQL does not make them again. */
  folders: string[]
  close: () => Promise<void>
}

export const databaseStopped =
  'The database was stopped while it was being copied, as it is when the service stops: run the backup again, whether the service runs or rests.'

/** Whether PostgreSQL said, or showed by being gone, that it was stopped. */
export const isOfStopped = (error: unknown): boolean => {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return /^(57P0[123]|ECONNREFUSED|ECONNRESET)$/.test(code) || message.startsWith('Connection terminated')
}

export const openClusterCopy = async ({
  data,
  superuserUrl,
  label,
}: {
  data: string
  superuserUrl: string
  label: string
}): Promise<ClusterCopy> => {
  const client = new pg.Client({ connectionString: superuserUrl, connectionTimeoutMillis: 10_000 })
  let lost: Error | undefined
  client.on('error', (error) => (lost = error))
  await client.connect()
  const ask = async <Row>(text: string, values: unknown[] = []): Promise<Row> => {
    if (lost) throw new Error(databaseStopped)
    return (await client.query(text, values)).rows[0] as Row
  }
  const sums: Checksums = new Map()
  const folders: string[] = []
  let stopped: { lsn: string; labelfile: string; spcmapfile: string; last: string } | undefined
  try {
    if ((await readdir(join(data, 'pg_tblspc'))).length > 0)
      throw new Error(`${data} has tablespaces, which a backup by files does not follow: move them back first.`)
    await ask(`select pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`)
    await ask('select pg_backup_start($1, true)', [label])
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }

  return {
    sums,
    folders,
    copyFiles: async (to) => {
      const files = await listFiles(data, to, folders)
      await inParallel(
        files.filter((path) => path !== control),
        4,
        async (path) => {
          const copied = await copyFile(join(data, path), join(to, path)).catch(ifGone)
          if (copied) sums.set(path, copied.sha256)
        },
      )
      await writeSteady(join(data, control), join(to, control))
      sums.set(control, await hashOf(join(to, control)))
    },
    stop: async () => {
      stopped = await ask(
        `select lsn::text, labelfile, spcmapfile, pg_walfile_name(lsn) as last from pg_backup_stop(false)`,
      )
    },
    copyLog: async (to) => {
      if (!stopped) throw new Error('copyLog comes after stop')
      const { lsn, labelfile, spcmapfile, last } = stopped
      const first = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/m.exec(labelfile)?.[1]
      if (!first) throw new Error(`PostgreSQL's backup label says no place in the log: ${labelfile}`)
      const segments = (await readdir(join(data, 'pg_wal'))).filter(
        (name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last,
      )
      for (const name of segments) {
        const path = `pg_wal/${name}`
        sums.set(path, (await copyFile(join(data, path), join(to, path))).sha256)
      }
      const texts: [string, string][] = [['backup_label', labelfile]]
      if (spcmapfile) texts.push(['tablespace_map', spcmapfile])
      for (const [name, text] of texts) {
        await writeFile(join(to, name), text, { mode: 0o600, flag: 'wx', flush: true })
        sums.set(name, await hashOf(join(to, name)))
      }
      if (lost) throw new Error(databaseStopped)
      return { startWal: first, stopLsn: lsn }
    },
    close: () => client.end().catch(() => {}),
  }
}

/** Bytes of what would be copied. */
export const sizeOfCluster = async (data: string): Promise<number> => {
  const names = await readdir(data, { recursive: true })
  let size = 0
  for (const name of names) {
    const found = await stat(join(data, name)).catch(() => undefined)
    if (found?.isFile() && isWanted(name)) size += found.size
  }
  return size
}

const control = 'global/pg_control'

// Made anew by a server that starts, or of the running one alone.
const emptied = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans|log)\//
const unwanted =
  /(^|\/)(postmaster\.(pid|opts)|current_logfiles\S*|(backup_label|tablespace_map)\S*|pg_internal\.init\S*|pgsql_tmp\S*|t\d+_\d+\S*)$/

const isWanted = (path: string) => !emptied.test(path) && !unwanted.test(path)

/** Makes every folder at `to`, and answers the files. */
const listFiles = async (data: string, to: string, folders: string[]): Promise<string[]> => {
  await mkdir(to, { mode: 0o700 })
  const files: string[] = []
  const enter = async (folder: string) => {
    const entries = await readdir(join(data, folder), { withFileTypes: true }).catch(ifGone)
    for (const entry of entries ?? []) {
      const path = folder ? `${folder}/${entry.name}` : entry.name
      if (!isWanted(path)) continue
      if (!entry.isDirectory()) {
        if (entry.isFile()) files.push(path)
        continue
      }
      await mkdir(join(to, path), { mode: 0o700 })
      folders.push(path)
      await enter(path)
    }
  }
  await enter('')
  return files
}

/** The one file that no log makes whole: read until two readings agree. */
const writeSteady = async (from: string, to: string): Promise<void> => {
  for (let before = await readFile(from); ;) {
    const now = await readFile(from)
    if (before.equals(now)) {
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      await using target = await open(to, 'wx', 0o600)
      await target.writeFile(now)
      return target.sync()
    }
    before = now
  }
}

// Dropped, or cut off, while we looked: the log knows.
const ifGone = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error
}
