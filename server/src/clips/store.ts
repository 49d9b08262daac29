import type { RawBuilder } from 'kysely'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import { servesAll } from '@clear-to-post/domain/roles'
import { statusSql } from '../kernel/domain-sql.ts'
import { tenantFilter } from '../kernel/tenancy.ts'

export type ClipRow = {
  id: string
  tenant_id: string | null
  tenant_name: string | null
  asset_id: string
  title: string
  tags: string[]
  added_at: Date
  removed_at: Date | null
}

const clipColumns = sql`
  c.id, c.tenant_id, (select t.name from tenant t where t.id = c.tenant_id) as tenant_name, c.asset_id, c.title, c.tags,
  c.added_at, c.removed_at`

/** How the list's fields stand in SQL. */
export const clipFields = {
  columns: {
    id: sql`c.id`,
    about: sql`(c.title || ' ' || array_to_string(c.tags, ' '))`,
    tenantId: sql`c.tenant_id`,
    addedAt: sql`c.added_at`,
    title: sql`c.title`,
  },
  id: sql`c.id`,
}

// Staff of a company read its library and the service's; whoever serves all reads all.
const readable = (caller: Caller): RawBuilder<unknown> =>
  servesAll(caller) ? sql`true` : sql`(c.tenant_id is null or ${tenantFilter(caller, sql`c.tenant_id`)})`

export const clipsSelect = (
  caller: Caller,
  { where, tail, keys }: { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> },
) =>
  sql<ClipRow & { page_key: string; page_id: string }>`
    select ${clipColumns}, ${keys} from clip c
    where c.removed_at is null and ${readable(caller)} and ${where} ${tail}`

/** A clip of a library that the caller writes; it stays as it is while the transaction lasts. */
export const writableClip = (tx: Tx, caller: Caller, id: string): Promise<ClipRow | undefined> =>
  tx.first(sql<ClipRow>`
    select ${clipColumns} from clip c where c.id = ${id} and ${tenantFilter(caller, sql`c.tenant_id`)} for update of c`)

export const findClip = (tx: Reader, caller: Caller, id: string): Promise<ClipRow | undefined> =>
  tx.first(sql<ClipRow>`select ${clipColumns} from clip c where c.id = ${id} and ${readable(caller)}`)

/** The clips of these files, taken out or not. */
export const clipsOfAssets = (tx: Reader, caller: Caller, assetIds: readonly string[]): Promise<ClipRow[]> =>
  tx.rows(sql<ClipRow>`
    select ${clipColumns} from clip c where c.asset_id = any(${assetIds}) and ${readable(caller)} order by c.added_at, c.id`)

/** Which of these files are clips that a project of this company may newly show. */
export const offeredAmong = async (tx: Reader, tenantId: string | null, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx.rows(sql<{ asset_id: string }>`
    select c.asset_id from clip c
    where c.asset_id = any(${ids}) and (c.tenant_id is null or (/* wall */ c.tenant_id = ${tenantId}::uuid))`)
  return rows.map(({ asset_id }) => asset_id)
}

/**
 * Clips for a project of this company, the fitting ones first: how well title and tags match the words counts four times
 * as much as their sentence. `words`, `sentence` and `search` are text search queries; null asks for nothing.
 */
export const fittingClips = (
  tx: Reader,
  tenantId: string | null,
  { words, sentence, search }: { words: string | null; sentence: string | null; search: string | null },
) =>
  // The queries are built once, and only what matches is ranked: a library has thousands of clips.
  tx.rows(sql<ClipRow & { fit: number }>`
    with asked as materialized (
      select to_tsquery('english', ${words}::text) as words, to_tsquery('english', ${sentence}::text) as sentence,
        to_tsquery('english', ${search}::text) as search)
    select ${clipColumns},
        case when c.words @@ asked.words then 4 * ts_rank(c.words, asked.words) else 0 end
          + case when c.words @@ asked.sentence then ts_rank(c.words, asked.sentence) else 0 end as fit
      from clip c cross join asked
      where c.removed_at is null and (c.tenant_id is null or (/* wall */ c.tenant_id = ${tenantId}::uuid))
        and (asked.search is null or c.words @@ asked.search)
    order by fit desc, c.title, c.id limit 60`)

/** The clips that a library offers, and the bytes of all its files, with a new one's; nobody else counts meanwhile. */
export const libraryUse = async (tx: Tx, tenantId: string | null, newAssetId: string | null) => {
  await tx.rows(
    sql`select pg_advisory_xact_lock(hashtextextended('library of ' || coalesce(${tenantId}::text, 'all'), 0))`,
  )
  return (await tx.first(sql<{ clips: number; bytes: number }>`
    select count(*) filter (where c.removed_at is null)::integer as clips,
      coalesce(sum(a.file_size), 0)::float8
        + coalesce((select file_size from asset where id = ${newAssetId}::uuid), 0)::float8 as bytes
    from clip c join asset a on a.id = c.asset_id where c.tenant_id is not distinct from ${tenantId}::uuid`))!
}

export const insertClip = async (
  tx: Tx,
  clip: { tenantId: string | null; assetId: string; title: string; tags: readonly string[]; now: Date },
): Promise<string> =>
  (await tx.first(sql<{ id: string }>`
    insert into clip (tenant_id, asset_id, title, tags, added_at, modified_at)
    values (${clip.tenantId}::uuid, ${clip.assetId}, ${clip.title}, ${clip.tags}, ${clip.now}, ${clip.now})
    returning id`))!.id

export const saveClip = (
  tx: Tx,
  id: string,
  clip: { title: string; tags: readonly string[]; removedAt: Date | null; now: Date },
) =>
  tx.count(sql`
    update clip set title = ${clip.title}, tags = ${clip.tags}, removed_at = ${clip.removedAt}, modified_at = ${clip.now}
    where id = ${id}`)

export const tenantExists = async (tx: Reader, id: string): Promise<boolean> =>
  (await tx.first(sql`select from tenant where id = ${id}`)) !== undefined

/** The files of clips, and those brought to the project beside its cuts, that its saved edit names: from now on these alone. */
export const writeUse = async (
  tx: Tx,
  project: { id: string; tenantId: string | null },
  assetIds: readonly string[],
): Promise<void> => {
  await tx.count(sql`delete from edit_clip where project_id = ${project.id} and asset_id <> all(${assetIds})`)
  await tx.count(sql`
    insert into edit_clip (project_id, tenant_id, asset_id)
    select ${project.id}::uuid, ${project.tenantId}::uuid, c.asset_id from clip c where c.asset_id = any(${assetIds})
    union
    select ${project.id}::uuid, ${project.tenantId}::uuid, a.id from asset a
    where a.id = any(${assetIds}) and a.purpose = 'cut' and a.project_id = ${project.id}
    on conflict do nothing`)
}

/**
 * Clips that were taken out before `before` and that no edit needs: a project whose storage time is over and that is not in
 * the middle of a revision needs none, like its own recordings.
 */
export const clipsNobodyNeeds = (tx: Tx, { before, now }: { before: Date; now: Date }) =>
  tx.rows(sql<{ id: string; asset_id: string }>`
    select c.id, c.asset_id from clip c
    where c.removed_at < ${before} and not exists (
      select from edit_clip u join project p on p.id = u.project_id
      where u.asset_id = c.asset_id and not (
        coalesce(p.expires_at < ${now}, false)
        and p.status in (${statusSql.completed}, ${statusSql.canceled}, ${statusSql.scheduled})))
    order by c.removed_at limit 500 for update of c skip locked`)

export const deleteClip = (tx: Tx, id: string) => tx.count(sql`delete from clip where id = ${id}`)
