import type { z } from 'zod'
import { refusal } from '@clear-to-post/contract/errors'
import { notes, type Note } from '@clear-to-post/contract/notes'
import { assetsById, presentAsset } from '../assets/actions.ts'
import type { Caller, Tx } from '../kernel/database.ts'
import { on, type Mounted } from '../kernel/call.ts'
import { changeNote, createNote, removeNote } from './actions.ts'
import { deletedAbout, findNote, notesAbout, officerInReach, type NoteRow } from './store.ts'

export const notesCalls: Mounted[] = [
  on(notes.list, async ({ params: { userId }, query }, { tx, caller, now }) => {
    if (!(await officerInReach(tx, caller, userId))) throw refusal('account.not-found')
    const about = query.deleted ? deletedAbout : notesAbout
    return { items: await present(tx, await about(tx, caller, userId), now) }
  }),
  on(notes.save, async ({ body: { id, userId, modified, ...note } }, { tx, caller, now }) => {
    if (id === undefined) return read(tx, caller, await createNote(tx, caller, userId, note, now), now)
    if ((await findNote(tx, caller, id))?.user_id !== userId) throw refusal('note.not-found')
    await changeNote(tx, caller, id, { ...note, modified }, now)
    return read(tx, caller, id, now)
  }),
  on(notes.change, async ({ params: { id }, body }, { tx, caller, now }) => {
    await changeNote(tx, caller, id, body, now)
    return read(tx, caller, id, now)
  }),
  on(notes.remove, async ({ params: { id }, query: { modified } }, { tx, caller, now }) => {
    await removeNote(tx, caller, id, modified, now)
    return { success: true as const }
  }),
]

const read = async (tx: Tx, caller: Caller, id: string, now: Date) =>
  (await present(tx, [(await findNote(tx, caller, id))!], now))[0]!

const present = async (tx: Tx, rows: readonly NoteRow[], now: Date): Promise<z.input<typeof Note>[]> => {
  const assets = await assetsById(
    tx,
    rows.flatMap((row) => row.asset_ids),
  )
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    authorEmail: row.author_email,
    assets: row.asset_ids.flatMap((id) => (assets.has(id) ? [presentAsset(assets.get(id)!, now)] : [])),
    title: row.title,
    content: row.content,
    createdAt: row.created_at.toISOString(),
    modified: row.modified_at.toISOString(),
    history: row.history.map((entry) => ({ ...entry, timestamp: new Date(entry.timestamp).toISOString() })),
  }))
}
