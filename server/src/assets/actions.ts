import { refusal } from '@clear-to-post/contract/errors'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { type Actor, hasDuty } from '@clear-to-post/domain/roles'
import { whyNotPlain } from '@clear-to-post/media/plain-picture'
import { sql, type Reader, type Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { asService } from '../kernel/tenancy.ts'
import { discardUnused } from './discard.ts'
import { distinctNames } from './names.ts'
import {
  bytesAhead,
  cutBytes,
  deleteClipFile,
  filesOfPerson,
  findAssets,
  findNamed,
  findCut,
  giveSources,
  giveToLibrary,
  lockSources,
  maySend,
  sourcesOf,
  unusedAmong,
  unusedOf,
  type AssetRow,
} from './store.ts'

export type { AssetRow } from './store.ts'
export { exportUrl, fileUrl, kitUrl, sourcesUrl } from './addresses.ts'
export { discardAsset, discardUnused } from './discard.ts'
export { assetOfPicture, dropPictures, picturesAmong, pictureUrl, keepPicture } from './pictures.ts'
export { presentAsset, thumbnailUrl } from './present.ts'
export { coverOf, filesOf, namePostedFile } from './store.ts'
export { letGo, putCut, putFile } from './put-file.ts'
export { maySend, moveFiles } from './store.ts'
export { copiedHere, keepCleaned, keepMeasured, originalsOf, type KnownOriginal, type Original } from './originals.ts'

/**
 * Gives the officer's unused files to a new project and answers the id of the video that stands for it: the first one
 * named. An ADMIN on behalf may also give own uploads; they become the officer's. The files are locked until the
 * transaction ends. Throws asset.not-found, asset.in-use, asset.not-ready, asset.not-a-video.
 */
export const takeSources = async (
  tx: Tx,
  { assetIds, userId, projectId, actor }: { assetIds: string[]; userId: string; projectId: string; actor: Actor },
): Promise<string> => {
  const ids = [...new Set(assetIds)]
  const owners = hasDuty(actor.role, 'administer') ? [userId, actor.id] : [userId]
  const rows = new Map((await lockSources(tx, ids, owners)).map((row) => [row.id, row]))
  const named = ids.map((id) => rows.get(id) ?? missing())
  if (named.some((row) => row.project_id !== null)) throw refusal('asset.in-use')
  named.forEach(requireReady)
  const cover = named.find((row) => row.type === 'video')
  if (!cover) throw refusal('asset.not-a-video', 'There is no video among these files. Add at least one.')
  await giveSources(tx, ids, { projectId, userId })
  return cover.id
}

/**
 * Throws project.ahead-full where an officer's videos that wait for a later month or for a plan hold too many bytes together,
 * with one that is about to be brought back. Counted one at a time for each officer.
 */
export const requireRoomAhead = (tx: Tx, userId: string, backId: string | null = null): Promise<void> =>
  asService(tx, async () => {
    await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`room ahead ${userId}`}, 0))`)
    if ((await bytesAhead(tx, userId, backId)) > mostKept.aheadBytes) throw refusal('project.ahead-full')
  })

/**
 * Makes sure that a file is a ready video uploaded as a cut of this project; it cannot vanish before the transaction ends.
 * Throws asset.not-found, asset.not-ready, asset.not-a-video, asset.not-plain, and project.cuts-full where all that were sent would be too much.
 */
export const requireCut = async (
  tx: Tx,
  { assetId, projectId }: { assetId: string; projectId: string },
): Promise<void> => {
  const row = (await findCut(tx, assetId, projectId)) ?? missing()
  requireReady(row)
  const why = row.type === 'video' && row.video && whyNotPlain(row.video)
  if (why) throw refusal('asset.not-plain', why)
  if (!maySend(row)) throw refusal('asset.not-a-video')
  if ((await cutBytes(tx, projectId, assetId)) > mostKept.cutBytes) throw refusal('project.cuts-full')
}

/**
 * Makes an upload of the caller's own the file of a clip in a library: a company's, or the service's for `tenantId` null.
 * Throws asset.not-found, asset.in-use, asset.not-ready, clip.no-picture.
 */
export const takeClipFile = async (
  tx: Tx,
  { assetId, tenantId, actor }: { assetId: string; tenantId: string | null; actor: Actor },
): Promise<void> => {
  const row = (await lockSources(tx, [assetId], [actor.id]))[0] ?? missing()
  if (row.project_id !== null) throw refusal('asset.in-use')
  requireReady(row)
  if (row.type !== 'video' && row.type !== 'picture') throw refusal('clip.no-picture')
  if ((await giveToLibrary(tx, assetId, tenantId)) === 0) throw refusal('asset.in-use')
}

/** Throws away the file of a clip that is in no library any more. Runs as the service. */
export const dropClipFile = async (tx: Tx, assetId: string): Promise<void> => {
  if ((await deleteClipFile(tx, assetId)) === 1) await enqueue(tx, 'ingest', { assetId })
}

/**
 * A person's own files and the videos approved for them, as they lie there now, with names of their own; of `ids` those that
 * are there still. As the service, or as they.
 */
export const filesToGive = async (
  tx: Reader,
  personId: string,
  ids?: readonly string[],
): Promise<{ name: string; row: AssetRow }[]> => {
  const rows = (await filesOfPerson(tx, personId)).filter(
    ({ id, derived }) => derived.original && (!ids || ids.includes(id)),
  )
  const names = distinctNames(rows.map(({ file_name }) => file_name))
  return rows.map((row, i) => ({ name: `files/${names[i]!}`, row }))
}

/** A project's source files, oldest first, as far as the transaction's actor may see them. */
export const sourcesOfProject = (tx: Reader, projectId: string): Promise<AssetRow[]> => sourcesOf(tx, [projectId])

/** Files by id, as far as the transaction's actor may see them. */
export const assetsById = async (tx: Reader, ids: string[]): Promise<Map<string, AssetRow>> =>
  ids.length === 0 ? new Map() : new Map((await findAssets(tx, ids)).map((row) => [row.id, row]))

/** Files that a project's recipe names, as far as the transaction's actor may see them and the project may show them. */
export const namedFiles = async (tx: Reader, ids: string[], projectId: string): Promise<Map<string, AssetRow>> =>
  ids.length === 0 ? new Map() : new Map((await findNamed(tx, ids, projectId)).map((row) => [row.id, row]))

/** Throws away whatever this person sent and nothing uses. Answers the ids of what is gone. */
export const discardUnusedOf = async (tx: Tx, authorId: string): Promise<string[]> => {
  const gone: string[] = []
  for (;;) {
    const files = await unusedOf(tx, authorId)
    if (files.length === 0) return gone
    // One that was thrown away or taken into use meanwhile is none of them any more.
    for (const { id } of files) if (await discardUnused(tx, id, authorId)) gone.push(id)
  }
}

/** Of these files, whoever sent them, throws away what nothing uses. Answers the ids of what is gone. */
export const discardUnusedAmong = async (tx: Tx, ids: readonly string[]): Promise<string[]> => {
  const gone: string[] = []
  for (const { id, author_id } of await unusedAmong(tx, ids)) if (await discardUnused(tx, id, author_id)) gone.push(id)
  return gone
}

const missing = (): never => {
  throw refusal('asset.not-found')
}

const requireReady = ({ state, file_name, reason }: AssetRow) => {
  if (state === 'ready') return
  if (state === 'rejected' || state === 'failed')
    throw refusal('asset.not-ready', `${file_name}: ${reason ?? 'refused'}`)
  throw refusal('asset.not-ready')
}
