import type { CallRequest } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import { mostKept } from '@clear-to-post/domain/most-kept'
import type { Clip, clips } from '@clear-to-post/contract/clips'
import { takeClipFile } from '../assets/actions.ts'
import { isAsItWas } from '../kernel/as-it-was.ts'
import type { Caller, Reader, Tx } from '../kernel/database.ts'
import { presentClips } from './present.ts'
import {
  clipsOfAssets,
  fittingClips,
  insertClip,
  libraryUse,
  offeredAmong,
  saveClip,
  tenantExists,
  writableClip,
  writeUse,
} from './store.ts'

/**
 * Puts an upload of the caller's into a library and answers the clip's id. A company's ADMIN adds to that company's alone.
 * Throws tenant.none, asset.not-found, asset.in-use, asset.not-ready, clip.no-picture, clip.library-full.
 */
export const addClip = async (
  tx: Tx,
  caller: Caller,
  {
    tenantId: named,
    ...clip
  }: { assetId: string; tenantId?: string | undefined; title: string; tags: readonly string[] },
  now: Date,
): Promise<string> => {
  const tenantId = caller.tenantId ?? named ?? null
  if (named !== undefined && named !== tenantId) throw refusal('tenant.none')
  if (tenantId !== null && !(await tenantExists(tx, tenantId))) throw refusal('tenant.none')
  await takeClipFile(tx, { assetId: clip.assetId, tenantId, actor: caller })
  await requirePlace(tx, tenantId, clip.assetId)
  return insertClip(tx, { ...clip, tags: [...new Set(clip.tags)], tenantId, now })
}

/** Changes parts of a clip, takes it out of its library or puts it back. Throws clip.not-found, clip.changed, clip.library-full. */
export const changeClip = async (
  tx: Tx,
  caller: Caller,
  id: string,
  { was, ...parts }: CallRequest<typeof clips.change>['body'],
  now: Date,
): Promise<void> => {
  const row = await writableClip(tx, caller, id)
  if (!row) throw refusal('clip.not-found')
  if (!isAsItWas(was, { title: row.title, tags: row.tags })) throw refusal('clip.changed')
  const { title = row.title, tags = row.tags, isRemoved = row.removed_at !== null } = parts
  if (row.removed_at !== null && !isRemoved) await requirePlace(tx, row.tenant_id, null)
  await saveClip(tx, id, {
    title,
    tags: [...new Set(tags)],
    removedAt: isRemoved ? (row.removed_at ?? now) : null,
    now,
  })
}

/** Throws clip.library-full unless one more clip fits; of two at once the second is counted with the first. */
const requirePlace = async (tx: Tx, tenantId: string | null, newAssetId: string | null): Promise<void> => {
  const { clips, bytes } = await libraryUse(tx, tenantId, newAssetId)
  if (clips >= mostKept.clips || bytes > mostKept.clipBytes) throw refusal('clip.library-full')
}

/**
 * Clips for the words of a project of this company: from its library and the service's, the fitting ones first, at most 60,
 * and how many of them fit at all.
 */
export const clipsForWords = async (
  tx: Reader,
  caller: Caller,
  tenantId: string | null,
  asked: { words?: string | undefined; sentence?: string | undefined; search?: string | undefined },
  now: Date,
): Promise<{ items: Clip[]; fitting: number }> => {
  const rows = await fittingClips(tx, tenantId, {
    words: anyOf(asked.words),
    sentence: anyOf(asked.sentence),
    search: allOf(asked.search),
  })
  return { items: await presentClips(tx, caller, rows, now), fitting: rows.filter(({ fit }) => fit > 0).length }
}

/** The clips of these files that the caller may see, also those that were taken out of their library. */
export const clipsShown = async (tx: Reader, caller: Caller, assetIds: readonly string[], now: Date): Promise<Clip[]> =>
  assetIds.length === 0 ? [] : presentClips(tx, caller, await clipsOfAssets(tx, caller, assetIds), now)

/** Which of these files are clips that an edit of a project of this company may newly show. */
export const clipsOffered = async (
  tx: Reader,
  tenantId: string | null,
  assetIds: readonly string[],
): Promise<Set<string>> => new Set(assetIds.length === 0 ? [] : await offeredAmong(tx, tenantId, assetIds))

/** Notes which files of libraries the edit of a project shows: they stay while it does. */
export const noteClipUse = (tx: Tx, project: { id: string; tenantId: string | null }, assetIds: readonly string[]) =>
  writeUse(tx, project, assetIds)

// Letters and digits alone: nothing in them means anything to the text search. Each word is looked for in every clip.
const lexemes = (text = ''): string[] =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{1,40}/gu))].slice(0, mostSought)
const mostSought = 40

const anyOf = (text: string | undefined): string | null => lexemes(text).join(' | ') || null

const allOf = (text: string | undefined): string | null =>
  lexemes(text)
    .map((word) => `${word}:*`)
    .join(' & ') || null
