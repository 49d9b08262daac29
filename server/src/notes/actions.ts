import { refusal } from '@clear-to-post/contract/errors'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { assetsById } from '../assets/actions.ts'
import type { Caller, Tx } from '../kernel/database.ts'
import {
  addHistory,
  addNote,
  deleteNote,
  findNote,
  lockNote,
  notesKept,
  officerInReach,
  setAssets,
  writeNote,
  type NoteEvent,
  type NoteRow,
} from './store.ts'

type Written = { title: string; content: string; assets: string[] }

/** Writes a new note about an officer. Answers its id; throws account.not-found, asset.not-found, note.too-many. */
export const createNote = async (tx: Tx, caller: Caller, userId: string, note: Written, now: Date): Promise<string> => {
  const officer = await officerInReach(tx, caller, userId)
  if (!officer) throw refusal('account.not-found')
  await requireAssets(tx, note.assets)
  const id = await addNote(tx, caller, { userId, tenantId: officer.tenant_id, ...note }, now)
  await setAssets(tx, id, note.assets)
  await addHistory(tx, caller, id, [{ type: 'created' }, ...note.assets.map(added)], now)
  await requireRoom(tx, { userId, tenantId: officer.tenant_id })
  return id
}

/**
 * Changes parts of a note and keeps what changed in its history. `modified` is that of the note which the caller saw. Throws
 * note.not-found, note.changed, asset.not-found, note.too-many.
 */
export const changeNote = async (
  tx: Tx,
  caller: Caller,
  id: string,
  { modified, ...parts }: Partial<Written> & { modified?: string | undefined },
  now: Date,
): Promise<void> => {
  const before = await noteAsSeen(tx, caller, id, modified)
  const after: Written = {
    title: before.title,
    content: before.content,
    assets: before.asset_ids,
    ...omitUndefined(parts),
  }
  const fresh = after.assets.filter((asset) => !before.asset_ids.includes(asset))
  await requireAssets(tx, fresh)
  const changed = (['title', 'content'] as const).filter((part) => after[part] !== before[part])
  const events: NoteEvent[] = [
    ...(changed.length > 0 ? [{ type: 'updated' as const, details: changed.join(', ') }] : []),
    ...fresh.map(added),
    ...before.asset_ids
      .filter((asset) => !after.assets.includes(asset))
      .map((details) => ({ type: 'asset-removed' as const, details })),
  ]
  await writeNote(tx, id, after.title, after.content, now)
  await setAssets(tx, id, after.assets)
  await addHistory(tx, caller, id, events, now)
  // Who takes something away is never refused.
  if (lettersOf(after) > lettersOf(before) || after.assets.length > before.asset_ids.length)
    await requireRoom(tx, { userId: before.user_id, tenantId: before.tenant_id })
}

/** Takes a note out of sight; its row and history stay. Throws note.not-found, note.changed, as changeNote does. */
export const removeNote = async (
  tx: Tx,
  caller: Caller,
  id: string,
  modified: string | undefined,
  now: Date,
): Promise<void> => {
  await noteAsSeen(tx, caller, id, modified)
  await deleteNote(tx, id, now)
  await addHistory(tx, caller, id, [{ type: 'deleted' }], now)
}

const noteAsSeen = async (tx: Tx, caller: Caller, id: string, modified: string | undefined): Promise<NoteRow> => {
  if (!(await lockNote(tx, caller, id))) throw refusal('note.not-found')
  const note = (await findNote(tx, caller, id))!
  if (modified !== undefined && Date.parse(modified) !== note.modified_at.getTime()) throw refusal('note.changed')
  return note
}

const lettersOf = ({ title, content }: Pick<Written, 'title' | 'content'>): number =>
  [...title].length + [...content].length

/** Throws note.too-many where the notes about a person, counted as they are now, are more than is kept. */
const requireRoom = async (tx: Tx, whose: { userId: string; tenantId: string | null }): Promise<void> => {
  const { notes, letters, files, bytes } = await notesKept(tx, whose)
  if (notes > mostKept.notes) throw refusal('note.too-many')
  if (letters > mostKept.noteLetters)
    throw refusal(
      'note.too-many',
      'The notes about this person hold a million letters already. Shorten or delete some.',
    )
  if (files > mostKept.noteFiles)
    throw refusal('note.too-many', 'The notes about this person show 300 files already. Take some out first.')
  if (bytes > mostKept.noteFileBytes)
    throw refusal('note.too-many', 'The files in the notes about this person are 10 GB together. Take some out first.')
}

const added = (details: string): NoteEvent => ({ type: 'asset-added', details })

const omitUndefined = <T extends object>(parts: T): Partial<T> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Partial<T>

const requireAssets = async (tx: Tx, ids: readonly string[]) => {
  const found = await assetsById(tx, [...ids])
  if (ids.some((id) => !found.has(id))) throw refusal('asset.not-found')
}
