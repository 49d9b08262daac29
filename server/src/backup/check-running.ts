import { createHash } from 'node:crypto'
import { sql, type Database } from '../kernel/database.ts'
import type { Storage } from '../outside/storage.ts'
import { ledgerFaults } from './ledger-faults.ts'
import { placesOf, type NamedFile } from './media-copy.ts'

/** What was looked at, and each fault in a sentence. */
export type Checked = { projects: number; files: number; hashed: number; bytes: number; faults: string[] }

/**
 * Looks whether a database and its store belong together, as after a restore to a moment on other machines: the ledger of every
 * project leads without a gap to where it stands, and of `sample` files that were taken in, drawn by chance, each that the
 * database names is there, the original with the sha-256 that the database has of it. Reads, and changes nothing.
 */
export const checkRunning = async (
  database: Pick<Database, 'asSystem'>,
  storage: Pick<Storage, 'open'>,
  { sample }: { sample: number },
): Promise<Checked> => {
  const { projects, broken, drawn } = await database.asSystem(async (tx) => ({
    projects: (await tx.first(sql<{ n: number }>`select count(*)::integer as n from project`))!.n,
    broken: await tx.rows(sql.raw<{ fault: string }>(ledgerFaults)),
    drawn: await tx.rows(
      sql<NamedFile>`select id, state, derived, sha256 from asset where state = 'ready' order by random() limit ${sample}`,
    ),
  }))
  const checked = { projects, files: 0, hashed: 0, bytes: 0, faults: broken.map(({ fault }) => fault) }
  for (const row of drawn)
    for (const { path, sha256 } of placesOf(row)) {
      const [, id, ...name] = path.split('/') as [string, string, ...string[]]
      const found = await contentOf(storage, id, name.join('/'), sha256 !== null)
      checked.files++
      if (found === undefined) checked.faults.push(`The database names ${path}, which is not in the store`)
      else if (sha256 !== null && found.sha256 !== sha256)
        checked.faults.push(`${path} has another sha-256 than the database knows of it`)
      if (found?.sha256 !== undefined) checked.hashed++
      checked.bytes += found?.bytes ?? 0
    }
  return checked
}

/** Whether a file is there, and where it `isRead` what its bytes are. */
const contentOf = async (
  storage: Pick<Storage, 'open'>,
  id: string,
  name: string,
  isRead: boolean,
): Promise<{ sha256?: string; bytes: number } | undefined> => {
  const file = await storage.open(id, name)
  if (!file) return undefined
  if (!isRead) {
    await file.close()
    return { bytes: 0 }
  }
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of file.stream()) {
    hash.update(part as Buffer)
    bytes += (part as Buffer).length
  }
  return { sha256: hash.digest('hex'), bytes }
}
