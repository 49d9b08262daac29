import { mostKept } from '@clear-to-post/domain/most-kept'
import { hasDutySql } from '../kernel/domain-sql.ts'
import { sql, type Caller, type Tx } from '../kernel/database.ts'
import { tenantFilter } from '../kernel/tenancy.ts'

export type NoteRow = {
  id: string
  user_id: string
  tenant_id: string | null
  author_email: string
  title: string
  content: string
  created_at: Date
  modified_at: Date
  asset_ids: string[]
  history: { type: NoteEvent['type']; actorEmail: string; timestamp: string; details?: string }[]
}
export type NoteEvent = {
  type: 'created' | 'updated' | 'deleted' | 'asset-added' | 'asset-removed'
  details?: string | undefined
}

const columns = sql`
  n.id, n.user_id, n.tenant_id, n.author_email, n.title, n.content, n.created_at, n.modified_at,
  coalesce((select array_agg(a.asset_id order by a.position) from note_asset a where a.note_id = n.id), '{}') as asset_ids,
  (select json_agg(json_strip_nulls(json_build_object('type', e.type, 'actorEmail', e.actor_email, 'timestamp', e.at,
                                                      'details', e.details)) order by e.seq)
   from (select x.type, x.actor_email, x.at, x.details, x.seq from note_event x where x.note_id = n.id order by x.seq desc limit ${mostKept.noteHistory}) e) as history`

/** An officer the caller may write notes about, with their tenant. */
export const officerInReach = (tx: Tx, caller: Caller, userId: string) =>
  tx.first(sql<{ tenant_id: string | null }>`
    select tenant_id from person where id = ${userId} and ${hasDutySql(sql`role`, 'film')} and removed_at is null and ${tenantFilter(caller, sql`tenant_id`)}`)

export const notesAbout = (tx: Tx, caller: Caller, userId: string) =>
  tx.rows(sql<NoteRow>`
    select ${columns} from note n where n.user_id = ${userId} and n.deleted_at is null and ${tenantFilter(caller, sql`n.tenant_id`)} order by n.created_at desc, n.id desc`)

/** What a company keeps about a person, deleted notes left out. Until the transaction ends nobody else counts there. */
export const notesKept = async (
  tx: Tx,
  { userId, tenantId }: { userId: string; tenantId: string | null },
): Promise<{ notes: number; letters: number; files: number; bytes: number }> => {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('notes about ' || ${userId}::text, 0))`)
  return (await tx.first(sql<{ notes: number; letters: number; files: number; bytes: number }>`
    select count(*)::integer as notes, coalesce(sum(length(n.title) + length(n.content)), 0)::integer as letters,
      coalesce(sum((select count(*) from note_asset a where a.note_id = n.id)), 0)::integer as files,
      coalesce((select sum(s.file_size) from asset s where s.id in (
        select a.asset_id from note_asset a join note o on o.id = a.note_id
        where o.user_id = ${userId} and o.tenant_id is not distinct from ${tenantId}::uuid and o.deleted_at is null)), 0)::bigint
        as bytes
    from note n
    where n.user_id = ${userId} and n.tenant_id is not distinct from ${tenantId}::uuid and n.deleted_at is null`))!
}

/** What was deleted, the latest first; the words and files of it are shown to nobody any more. */
export const deletedAbout = async (tx: Tx, caller: Caller, userId: string): Promise<NoteRow[]> => {
  const rows = await tx.rows(sql<NoteRow>`
    select ${columns} from note n
    where n.user_id = ${userId} and n.deleted_at is not null and ${tenantFilter(caller, sql`n.tenant_id`)}
    order by n.deleted_at desc, n.id desc limit ${mostKept.notes}`)
  return rows.map((row) => ({ ...row, content: '', asset_ids: [] }))
}

/** The files that are in notes about a person, deleted ones too, or were taken out of one. As the service. */
export const filesAbout = async (tx: Tx, userId: string): Promise<string[]> =>
  (
    await tx.rows(sql<{ id: string }>`
      select a.asset_id::text as id from note_asset a join note n on n.id = a.note_id where n.user_id = ${userId}
      union
      select e.details from note_event e join note n on n.id = e.note_id
      where n.user_id = ${userId} and e.type in ('asset-added', 'asset-removed')`)
  ).map(({ id }) => id)

export const findNote = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql<NoteRow>`
    select ${columns} from note n
    where n.id = ${id} and n.deleted_at is null and ${tenantFilter(caller, sql`n.tenant_id`)}`)

/** Locks a note so that two writers keep one history. */
export const lockNote = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql`
    select 1 from note n where n.id = ${id} and n.deleted_at is null and ${tenantFilter(caller, sql`n.tenant_id`)} for update`)

export const addNote = async (
  tx: Tx,
  caller: Caller,
  note: { userId: string; tenantId: string | null; title: string; content: string },
  now: Date,
): Promise<string> =>
  (await tx.first(sql<{ id: string }>`
    insert into note (user_id, tenant_id, author_id, author_email, title, content, created_at, modified_at)
    values (${note.userId}, ${note.tenantId}, ${caller.id}, ${await emailOf(tx, caller)}, ${note.title}, ${note.content}, ${now}, ${now})
    returning id`))!.id

export const writeNote = (tx: Tx, id: string, title: string, content: string, now: Date) =>
  tx.count(sql`update note set title = ${title}, content = ${content}, modified_at = ${now} where id = ${id}`)

export const deleteNote = (tx: Tx, id: string, now: Date) =>
  tx.count(sql`update note set deleted_at = ${now}, modified_at = ${now} where id = ${id}`)

export const setAssets = async (tx: Tx, id: string, assetIds: readonly string[]) => {
  await tx.count(sql`delete from note_asset where note_id = ${id}`)
  await tx.count(sql`
    insert into note_asset (note_id, asset_id, position)
    select ${id}, a.id, a.position from unnest(${assetIds as string[]}::uuid[]) with ordinality as a (id, position)
    on conflict do nothing`)
}

export const addHistory = async (tx: Tx, caller: Caller, id: string, events: readonly NoteEvent[], now: Date) => {
  const email = await emailOf(tx, caller)
  for (const { type, details } of events)
    await tx.count(sql`
      insert into note_event (note_id, at, type, actor_id, actor_email, details)
      values (${id}, ${now}, ${type}, ${caller.id}, ${email}, ${details ?? null})`)
}

const emailOf = async (tx: Tx, { id }: Caller): Promise<string> =>
  (await tx.first(sql<{ email: string }>`select email from person where id = ${id}`))?.email ?? ''
