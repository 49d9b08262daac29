import { z } from 'zod'
import { Asset, AssetId } from './assets.ts'
import { call } from './call.ts'
import { visible } from './visible.ts'

/** What staff know about an officer's tastes and context, for whoever edits next; the officer never sees it. */
export const Note = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  authorEmail: z.string(),
  assets: z.array(Asset),
  title: z.string(),
  content: z.string(),
  createdAt: z.iso.datetime(),
  modified: z.iso.datetime(),
  /** Kept by the service, never by the client; the newest 30 changes are shown. */
  history: z
    .array(
      z.object({
        type: z.enum(['created', 'updated', 'deleted', 'asset-added', 'asset-removed']),
        actorEmail: z.string(),
        timestamp: z.iso.datetime(),
        details: z.string().optional(),
      }),
    )
    .optional(),
})
export type Note = z.infer<typeof Note>

const written = {
  title: visible(200),
  content: z.string().trim().max(20_000),
  assets: z.array(AssetId).max(20),
}
/** The `modified` of the note that this change was made from, or that is deleted: refused when somebody has changed it since. */
const modified = z.iso.datetime().optional()
const inNote = z.object({ id: z.uuid() })

export const notes = {
  list: call({
    method: 'GET',
    path: '/user-context/notes/user/:userId/',
    summary:
      'The notes about an officer, newest first; with `deleted`, the latest that were deleted: their title and history',
    access: 'note.read',
    params: z.object({ userId: z.uuid() }),
    query: z.strictObject({ deleted: z.stringbool().default(false) }),
    returns: z.object({ items: z.array(Note) }),
    refuses: ['account.not-found'],
  }),
  save: call({
    method: 'PUT',
    path: '/user-context/notes/',
    summary: 'Write a note, or replace one (with id)',
    creates: 'without-id',
    access: 'note.write',
    body: z.strictObject({
      id: z.uuid().optional(),
      userId: z.uuid(),
      ...written,
      assets: written.assets.default([]),
      modified,
    }),
    returns: Note,
    refuses: ['account.not-found', 'note.not-found', 'note.changed', 'note.too-many', 'asset.not-found'],
  }),
  change: call({
    method: 'POST',
    path: '/user-context/notes/:id/',
    summary: 'Change parts of a note',
    access: 'note.write',
    params: inNote,
    body: z.strictObject({ ...written, modified }).partial(),
    returns: Note,
    refuses: ['note.not-found', 'note.changed', 'note.too-many', 'asset.not-found'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/user-context/notes/:id/',
    summary: 'Delete a note; it stays in history',
    access: 'note.write',
    params: inNote,
    query: z.strictObject({ modified }),
    returns: z.object({ success: z.literal(true) }),
    refuses: ['note.not-found', 'note.changed'],
  }),
}
