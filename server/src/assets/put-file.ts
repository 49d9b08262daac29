import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { sql, type Caller, type Database, type Tx } from '../kernel/database.ts'
import type { Log } from '../kernel/work.ts'
import { storage } from '../outside/storage.ts'
import { ingestAsset } from './ingest.ts'
import { extensionOf, safeFileName } from './names.ts'
import { insertAsset } from './store.ts'
import { beginUpload, finishUploadIn } from './uploads.ts'

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

/**
 * A file of our own making becomes a cut of a project, written by `authorId`, and goes the way of every upload from there.
 * `claim` runs in the same transaction with the new asset's id; when it answers false nothing has happened. Answers the id.
 */
export const putCut = async (
  database: Database,
  file: { path: string; fileName: string; authorId: string; projectId: string },
  claim: (tx: Tx, assetId: string) => Promise<boolean>,
): Promise<string | null> => {
  const id = randomUUID()
  const { size } = await stat(file.path)
  await storage().take(id, file.path)
  const isTaken = await database
    .asSystem(async (tx) => {
      const fileName = safeFileName(file.fileName)
      await insertAsset(tx, {
        id,
        tenant_id: (await tx.first(
          sql<{ t: string | null }>`select tenant_id as t from project where id = ${file.projectId}`,
        ))!.t,
        author_id: file.authorId,
        project_id: file.projectId,
        purpose: 'cut',
        file_name: fileName,
        extension: extensionOf(fileName),
        declared_type: 'video/mp4',
        file_size: size,
      })
      if (!(await claim(tx, id))) throw new NotClaimed()
      await finishUploadIn(tx, id)
      return true
    })
    .catch(async (error: unknown) => {
      await storage().refuse(id)
      if (error instanceof NotClaimed) return false
      throw error
    })
  return isTaken ? id : null
}

class NotClaimed extends Error {}
