import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { sql, type Caller, type Database } from '../db/tenant.ts'
import type { Log } from '../jobs/work.ts'
import { storage } from '../outside/storage.ts'
import { ingestAsset } from './ingest.ts'
import { beginUpload } from './uploads.ts'

/**
 * Brings a local file in as somebody's upload, without HTTP and without a worker, through the very same checks; answers
 * the asset's id when it is ready with everything derived. With `projectId` it is a cut of that project.
 * Throws the upload's refusals, and an Error with the reason when the file is not taken.
 */
export const putFile = async (
  database: Database,
  author: Caller,
  file: { path: string; fileName?: string; fileType?: string; projectId?: string },
  { log, signal = new AbortController().signal }: { log: Log; signal?: AbortSignal },
): Promise<string> => {
  const { path, fileName = basename(path), fileType = '', projectId } = file
  const { size } = await stat(path)
  const id = await beginUpload(database, author, { size, fileName, fileType, projectId })
  await storage().take(id, path)
  await database.asSystem((tx) =>
    tx.count(
      sql`update asset set state = 'received', received_bytes = file_size, modified_at = now() where id = ${id}`,
    ),
  )
  await ingestAsset({ database, log, signal, lastAttempt: true }, id)
  const left = await database.asSystem((tx) =>
    tx.first(sql<{ state: string; reason: string | null }>`select state, reason from asset where id = ${id}`),
  )
  if (left?.state !== 'ready') throw new Error(`${fileName}: ${left?.reason ?? left?.state ?? 'thrown away'}`)
  return id
}
