import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { sql, type Caller, type Database, type Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import type { Log } from '../kernel/work.ts'
import { storage } from '../outside/storage.ts'
import { ingestAsset } from './ingest.ts'
import { extensionOf, safeFileName } from './names.ts'
import { held, insertAsset } from './store.ts'
import { beginUpload, finishUploadIn } from './uploads.ts'

/**
 * Brings a local file in as somebody's upload, without HTTP and without a worker, through the very same checks; answers
 * the asset's id when it is ready with everything derived. With `projectId` it is a cut of that project. With `isHeld` nobody
 * finds it among their files before `letGo`: it is of our own making, and meant for one thing.
 * Throws the upload's refusals, and an Error with the reason when the file is not taken.
 */
export const putFile = async (
  database: Database,
  author: Caller,
  file: { path: string; fileName?: string; fileType?: string; projectId?: string; isHeld?: boolean },
  { log, signal = new AbortController().signal }: { log: Log; signal?: AbortSignal },
): Promise<string> => {
  const { path, fileName = basename(path), fileType = '', projectId, isHeld = false } = file
  const { size } = await stat(path)
  const declared = { size, fileName, fileType, projectId }
  const id = isHeld ? await hold(database, author, declared) : await beginUpload(database, author, declared)
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

/** Gives a held file free, in the transaction in which it is used; false when it is gone or another was quicker. */
export const letGo = (tx: Tx, assetId: string): Promise<boolean> =>
  asService(
    tx,
    async () =>
      (await tx.count(sql`
        update asset set purpose = case when project_id is null then 'source' else 'cut' end, modified_at = now()
        where id = ${assetId} and ${held}`)) === 1,
  )

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

/** A held file's row: in a library's words, of which no library knows it. */
const hold = async (
  database: Database,
  author: Caller,
  { size, fileName, fileType, projectId = null }: Held,
): Promise<string> => {
  const id = randomUUID()
  await database.asSystem(async (tx) => {
    const project = await tx.first(sql<{ tenant: string | null }>`
      select tenant_id as tenant from project where id = ${projectId}::uuid`)
    const name = safeFileName(fileName)
    await insertAsset(tx, {
      id,
      tenant_id: project ? project.tenant : author.tenantId,
      author_id: author.id,
      project_id: projectId,
      purpose: 'clip',
      file_name: name,
      extension: extensionOf(name),
      declared_type: fileType,
      file_size: size,
    })
  })
  return id
}

type Held = { size: number; fileName: string; fileType: string; projectId?: string | null | undefined }

class NotClaimed extends Error {}
