import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { DataExport } from '@clear-to-post/contract/accounts'
import { exportDays, exportsPerDay } from '@clear-to-post/domain/personal-data'
import { refusal } from '@clear-to-post/contract/errors'
import { exportUrl, filesToGive, type AssetRow } from '../assets/actions.ts'
import type { TableData } from '../kernel/personal-data.ts'
import { asService } from '../kernel/tenancy.ts'
import { sql, systemCaller, type Caller, type Database, type Reader, type Tx } from '../kernel/database.ts'
import { enqueue, type Jobs } from '../kernel/queue.ts'
import type { JobContext } from '../kernel/work.ts'
import { storage, type StoredFile } from '../outside/storage.ts'
import {
  beginExport,
  exportFolder,
  exportOf,
  failExport,
  failLostExports,
  lockLastExport,
  publishExport,
  readyExport,
  replaceExport,
  type ExportRow,
} from './exports-store.ts'
import { personalData } from './rooms.ts'

/**
 * Asks for a file with everything that the service knows about the caller and may give them; one at a time, and a new one
 * takes the last one's place. Ask before whether it is they. Throws account.export-waiting, and request.too-many for one too
 * many within 24 hours.
 */
export const startExport = (tx: Tx, caller: Caller, now: Date): Promise<ExportRow> =>
  asService(tx, async () => {
    const last = await lockLastExport(tx, caller.id)
    const asked = (last?.asked ?? []).filter((at) => at.getTime() > now.getTime() - 86_400_000)
    const made = await replaceExport(tx, caller, [...asked, now], now)
    if (!made) throw refusal('account.export-waiting')
    if (asked.length >= exportsPerDay) throw refusal('request.too-many', tooManyExports)
    await enqueue(tx, 'export', { exportId: made.id, ...(last ? { formerId: last.id } : {}) })
    return (await exportOf(tx, caller.id))!
  })

const tooManyExports = `You asked for your data ${exportsPerDay} times in a day. Download the file you have, or ask again tomorrow.`

/** The address of the caller's file, good for minutes; it ends with the sign-in that asked for the file. Throws account.no-export. */
export const openExport = async (database: Database, caller: Caller, now: Date): Promise<string> => {
  const ready = await database.inTenant(caller, (tx) =>
    asService(tx, async () => {
      const found = await exportOf(tx, caller.id)
      return found && readyExport(tx, found.id, now)
    }),
  )
  // No transaction is open while the store is asked.
  if (!ready || !(await pagesOf(ready))) throw refusal('account.no-export')
  return exportUrl(ready.id, now)
}

/**
 * Writes down what is there of a person, a file for each table, beside the list of their own files, which are read where
 * they lie when it is fetched. The folder of the one whose place it takes is dropped first, where the store answers. Safe to
 * repeat: of two runs the newest counts.
 */
export const makeExport = async (
  { database, log, lastAttempt }: JobContext,
  { exportId, formerId }: Jobs['export'],
): Promise<void> => {
  if (formerId !== undefined) await dropQuietly(formerId)
  const run = await database.asSystem((tx) => beginExport(tx, exportId))
  if (!run) return
  const person = { id: run.person_id, role: run.role, tenantId: run.tenant_id, securityStamp: run.security_stamp }
  try {
    await storage().requireRoom('work')
    const place = exportFolder(run.id, run.attempt)
    await kept().drop(place)
    const folder = await kept().folder(place)
    let bytes = 0
    const keep = async (name: string, content: unknown) => {
      const text = JSON.stringify(content, null, 2)
      bytes += Buffer.byteLength(text)
      await writeFile(join(folder, name), text, { mode: 0o600, flush: true })
      await kept().keep(place, [name])
    }
    for (const [, { tables }] of personalData)
      for (const [table, data] of Object.entries(tables)) {
        const rows = await database.readOnly(data.readBy === 'service' ? systemCaller : person, (tx) =>
          rowsToGive(tx, table, data, run.person_id),
        )
        if (rows.length > 0) await keep(`${table}.json`, rows)
      }
    const files = await database.readOnly(person, (tx) => filesToGive(tx, run.person_id))
    // Last: without it the file is not whole.
    await keep(aboutFile, about(run.asked_at, files))
    const fileIds = files.map(({ row }) => row.id)
    const readyAt = new Date()
    const endsAt = new Date(readyAt.getTime() + exportDays * 86_400_000)
    bytes += files.reduce((sum, { row }) => sum + row.file_size, 0)
    const isPublished = await database.asSystem(async (tx) => {
      const published = await publishExport(tx, run, { bytes, fileIds, readyAt, endsAt })
      if (published && !published.isAgain) await notifyReady(tx, run)
      return published !== undefined
    })
    // Overtaken by another run, or what signed its person in has ended meanwhile.
    if (!isPublished) await dropQuietly(exportFolder(run.id, run.attempt))
  } catch (error) {
    // First, and whether or not the store answers: nobody waits for what is made no more.
    if (lastAttempt) await giveUp(database, run)
    await dropQuietly(exportFolder(run.id, run.attempt))
    if (!lastAttempt) throw error
    log.error({ err: error, exportId }, 'a download of somebody’s data is given up')
  }
}

/** Exports that wait although no job makes them (any more): a worker died at the last try, or the job is gone. They are told. */
export const giveUpLostExports = (database: Database, now: Date): Promise<void> =>
  database.asSystem(async (tx) => {
    for (const lost of await failLostExports(tx, new Date(now.getTime() - 600_000))) await notifyFailed(tx, lost)
  })

const giveUp = (database: Database, run: ExportRow): Promise<void> =>
  database.asSystem(async (tx) => {
    if ((await failExport(tx, run)) === 1) await notifyFailed(tx, run)
  })

/** Where the store is away it stays behind, and the hourly sweep of downloads that do not count finds it. */
const dropQuietly = (folder: string): Promise<void> =>
  kept()
    .drop(folder)
    .catch(() => {})

/**
 * What a ready file consists of: `pages` lie at their paths with their size, and are read while they are sent. Null when
 * there is none, or not any more.
 */
export const exportBehind = async (
  database: Database,
  exportId: string,
  now: Date,
): Promise<{
  pages: { name: string; size: number; open: () => Promise<StoredFile | undefined> }[]
  files: { name: string; row: AssetRow }[]
} | null> => {
  const ready = (tx: Reader) => readyExport(tx, exportId, now)
  const found = await database.readOnly(systemCaller, ready)
  const pages = found && (await pagesOf(found))
  if (!pages) return null
  return database.readOnly(systemCaller, async (tx) => {
    // It may have ended while the store was asked.
    const still = await ready(tx)
    return still ? { pages, files: await filesToGive(tx, still.person_id, still.file_ids) } : null
  })
}

/** What was written down for a file; null where it is gone, as after a restore: backups leave it out. */
const pagesOf = async ({ id, attempt }: Pick<ExportRow, 'id' | 'attempt'>) => {
  const place = exportFolder(id, attempt)
  const pages = await kept().list(place)
  if (!pages.some(({ name }) => name === aboutFile)) return null
  return pages.map((page) => ({ ...page, open: () => kept().open(place, page.name) }))
}

export const presentExport = (row: ExportRow | undefined): z.input<typeof DataExport> => ({
  state: row?.state ?? 'none',
  ...(row ? { askedAt: row.asked_at.toISOString() } : {}),
  ...(row?.ready_at ? { readyAt: row.ready_at.toISOString() } : {}),
  ...(row?.ends_at ? { endsAt: row.ends_at.toISOString() } : {}),
  ...(row?.bytes == null ? {} : { bytes: row.bytes }),
})

const rowsToGive = async (tx: Reader, table: string, data: TableData, personId: string): Promise<unknown[]> => {
  const given = (data.given ?? '').split(' ').filter((name) => name !== '')
  const columns: RawBuilder<unknown>[] = [
    ...given.map((name) => sql`t.${sql.ref(name)}`),
    ...Object.entries(data.alsoGiven ?? {}).map(([name, part]) => sql`${part} as ${sql.ref(name)}`),
  ]
  if (columns.length === 0) return []
  const rows = await tx.rows(sql<{ row: unknown }>`
    select to_jsonb(x) as row from (
      select ${sql.join(columns)} from ${sql.table(table)} t where ${data.of(personId)}) x`)
  return rows.map(({ row }) => row)
}

const kept = () => storage().area('exports')

/** Says what the file is. */
const aboutFile = 'about.json'
const about = (askedAt: Date, files: { name: string }[]) => ({
  what: 'What Clear to Post knows about you, as of the moment you asked. One file for each kind of thing; your own files lie in the folder “files”.',
  askedAt: askedAt.toISOString(),
  files: files.map(({ name }) => name),
})

const notifyReady = (tx: Tx, run: ExportRow) =>
  tell(tx, run, {
    title: 'Your data is ready',
    body: `The file with your data can be downloaded in your profile for ${exportDays} days.`,
    cause: `export ${run.id}`,
  })

const notifyFailed = (tx: Tx, run: Pick<ExportRow, 'id' | 'person_id'>) =>
  tell(tx, run, {
    title: 'Your data could not be gathered',
    body: 'Something of ours did not answer for too long. Ask for the file again in your profile.',
    cause: `export ${run.id} failed`,
  })

const tell = (
  tx: Tx,
  { person_id }: Pick<ExportRow, 'person_id'>,
  words: { title: string; body: string; cause: string },
) =>
  enqueue(tx, 'notice', {
    notice: {
      ...words,
      kind: 'news',
      cta: { label: 'Open my profile', url: '/panel/profile' },
      metadata: {},
      isAwaited: true,
    },
    userIds: [person_id],
  })
