import { refusal } from '@clear-to-post/contract/errors'
import { assetsById } from '../assets/actions.ts'
import type { Caller, Tx } from '../kernel/database.ts'
import {
  addHistory,
  addNote,
  deleteNote,
  findNote,
  lockNote,
  officerInReach,
  setAssets,
  writeNote,
  type NoteEvent,
} from './store.ts'

type Written = { title: string; content: string; assets: string[] }

/** Writes a new note about an officer. Answers its id; throws account.not-found, asset.not-found. */
export const createNote = async (tx: Tx, caller: Caller, userId: string, note: Written, now: Date): Promise<string> => {
  const officer = await officerInReach(tx, caller, userId)
  if (!officer) throw refusal('account.not-found')
  await requireAssets(tx, note.assets)
  const id = await addNote(tx, caller, { userId, tenantId: officer.tenant_id, ...note }, now)
  await setAssets(tx, id, note.assets)
  await addHistory(tx, caller, id, [{ type: 'created' }, ...note.assets.map(added)], now)
  return id
}

/** Changes parts of a note and keeps what changed in its history. Throws note.not-found, asset.not-found. */
export const changeNote = async (
  tx: Tx,
  caller: Caller,
  id: string,
  parts: Partial<Written>,
  now: Date,
): Promise<void> => {
  if (!(await lockNote(tx, caller, id))) throw refusal('note.not-found')
  const before = (await findNote(tx, caller, id))!
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
}

/** Takes a note out of sight; its row and history stay. */
export const removeNote = async (tx: Tx, caller: Caller, id: string, now: Date): Promise<void> => {
  if (!(await lockNote(tx, caller, id))) throw refusal('note.not-found')
  await deleteNote(tx, id, now)
  await addHistory(tx, caller, id, [{ type: 'deleted' }], now)
}

const added = (details: string): NoteEvent => ({ type: 'asset-added', details })

const omitUndefined = <T extends object>(parts: T): Partial<T> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Partial<T>

const requireAssets = async (tx: Tx, ids: readonly string[]) => {
  const found = await assetsById(tx, [...ids])
  if (ids.some((id) => !found.has(id))) throw refusal('asset.not-found')
}
