import type { Asset } from '@clear-to-post/contract/assets'
import type { RawBuilder } from 'kysely'
import type { Light } from '@clear-to-post/edit/balance'
import type { Fps } from '@clear-to-post/edit/frames'
import { notPlain } from '@clear-to-post/media/plain-picture'
import { sql, type Reader, type Tx } from '../kernel/database.ts'
import { mostKept } from '@clear-to-post/domain/most-kept'
import type { TakeLog } from '@clear-to-post/domain/take-log'
import type { OpenFiles } from '@clear-to-post/domain/upload-room'
import { hasDutySql, statusSql } from '../kernel/domain-sql.ts'
import { servedBy } from '../kernel/personal-data.ts'

/**
 * Which of a file's derivatives exist: paths below the asset's own folder. Only what stands here is ever served,
 * whatever else an interrupted attempt left on the disk.
 */
export type Derived = {
  original?: string
  /** What every browser plays: the original where it is safe as it is, else the proxy. */
  play?: string
  proxy?: string
  poster?: string
  thumb?: string
  peaks?: string
  filmstrip?: Omit<NonNullable<Asset['filmstrip']>, 'url'> & { path: string }
  /** What its pictures are like. */
  light?: Light
  /** Files that were made of it for networks, by the ids of their records (server/src/publishing/post-files.ts). */
  posted?: Record<string, string>
  /** By how many decibels it is heard to be louder once its voice is cleaned, where somebody asked for that. */
  cleanedBy?: number
  /** How its camera shook, at so many frames a second; without a path nobody could tell. Where somebody asked for it. */
  shake?: { path: string | null; fps: Fps }
  /** The room that is heard in it, and by how many decibels a browser plays the file louder than the render; without a path there is none. Where somebody asked for it. */
  tone?: { path: string | null; louder: number }
  /** Runs that began and neither ended nor were stopped in good order: their worker died. */
  crashes?: number
  /** After two of them it is not begun again before this moment, and then once more. */
  restsUntil?: string
}

export type AssetRow = {
  id: string
  tenant_id: string | null
  author_id: string
  project_id: string | null
  purpose: 'source' | 'cut' | 'clip'
  file_name: string
  extension: string
  declared_type: string
  /** While `is_open` the room that is kept for it: how long it will be is not known yet. */
  file_size: number
  is_open: boolean
  /** How much of it came. The file itself is `file_size` long, which differs where it was mended. */
  received_bytes: number
  sha256: string | null
  state: Asset['state']
  stage: string | null
  progress: number | null
  type: Asset['type']
  duration_ms: number | null
  width: number | null
  height: number | null
  reason: string | null
  notes: string[]
  derived: Derived
  attempt: number
  /** What is inside of a video, once it was looked into. */
  format: Asset['format'] | null
  /** What of its picture says whether it may be sent. */
  video: Parameters<typeof notPlain>[0] | null
  uploaded_at: Date
  modified_at: Date
}

// The same as the policy asset_seen, said a second time: either wall holds with the other taken down.
const visible = sql`(/* wall */ (author_id = (select actor_id()) and purpose = 'source')
  or (((select serves_all()) or tenant_id = (select served_tenant()))
      and (project_id is not null or (select actor_role()) in ('SYSTEM', 'ADMIN')
           or exists (select from note_asset n where n.asset_id = asset.id)
           or exists (select from asset_face f where f.asset_id = asset.id)))
  or exists (
    select from project_cut c where c.asset_id = asset.id and c.user_id = (select actor_id()) and c.verdict = 'approved')
  or exists (
    select from clip c where c.asset_id = asset.id
      and ((select serves_all()) or c.tenant_id = (select served_tenant())
           or (c.tenant_id is null and (select served_tenant()) is not null))))`

// A source is unused until a project has it, somebody shows it as their picture, or a note shows it; a cut until it was sent to approval, or
// the saved edit of its project names it, as its music. A clip belongs to its library, which lets go of it by itself.
export const unused = sql`(case purpose
  when 'clip' then false
  when 'source' then project_id is null and not exists (select from asset_face f where f.asset_id = asset.id)
    and not exists (
      select from note_asset n join note o on o.id = n.note_id where n.asset_id = asset.id and o.deleted_at is null)
  else not exists (select from project_cut c where c.asset_id = asset.id)
    and not exists (select from edit_clip u where u.asset_id = asset.id) end)`

/** A file of our own making that waits to be used (put-file.ts): it is a clip of no library, so nobody sees or lists it. */
export const held = sql`(purpose = 'clip' and not exists (select from clip c where c.asset_id = asset.id))`

const formatSql = sql`case when probe -> 'video' ->> 'codec' is not null then jsonb_build_object(
  'isMp4', (probe ->> 'mp4')::boolean, 'pictures', probe -> 'video' ->> 'codec', 'rate', (probe -> 'video' ->> 'fps')::float8) end as format`
const columns = sql`id, tenant_id, author_id, project_id, purpose, file_name, extension, declared_type, file_size,
  is_open, received_bytes, sha256, state, stage, progress, type, duration_ms, width, height, reason, notes, derived, attempt,
  uploaded_at, modified_at, probe -> 'video' as video, ${formatSql}`

/** A file that the transaction's actor may see. */
export const findAsset = (tx: Reader, assetId: string): Promise<AssetRow | undefined> =>
  tx.first(sql<AssetRow>`select ${columns} from asset where id = ${assetId} and ${visible}`)

export const findAssets = (tx: Reader, ids: readonly string[]): Promise<AssetRow[]> =>
  tx.rows(sql<AssetRow>`select ${columns} from asset where id = any(${ids}) and ${visible}`)

/**
 * Inside a statement on asset: whether a project's edit may show this file, whatever its recipe names: the project's own,
 * its officer's, its company's, or the service's. No file of another company or another officer without one.
 */
export const isForProject = (projectId: string): RawBuilder<unknown> => sql`exists (
  select from project p where p.id = ${projectId} and (asset.project_id = p.id or asset.author_id = p.user_id
    or asset.tenant_id = p.tenant_id
    or (asset.tenant_id is null and (asset.purpose = 'clip' or exists (
      select from person a where a.id = asset.author_id and a.tenant_id is null and ${hasDutySql(sql`a.role`, 'serve')})))))`

/** Files that a project's recipe names, as far as the actor may see them and the project may show them. */
export const findNamed = (tx: Reader, ids: readonly string[], projectId: string): Promise<AssetRow[]> =>
  tx.rows(sql<AssetRow>`
    select ${columns} from asset where id = any(${ids}) and ${isForProject(projectId)} and ${visible}`)

/**
 * Inside a statement on asset, by its alias: whether the file is in this person's own data: what they sent in for their own
 * videos or for nothing yet, what they sent in as staff while they serve its company, and what was approved for them.
 */
export const isTheirs = (personId: string, file: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  (${file}.author_id = ${personId} and (${servedBy(personId, sql`${file}.tenant_id`)}
    or ${file}.project_id in (select id from project where user_id = ${personId})
    or (${file}.project_id is null
      and ${file}.tenant_id is not distinct from (select tenant_id from person where id = ${personId}))))
  or exists (
    select from project_cut c where c.asset_id = ${file}.id and c.user_id = ${personId} and c.verdict = 'approved'))`

/** An officer's unused files and pictures go with them to another company; as the service. */
export const moveFiles = (tx: Tx, personId: string, tenantId: string | null) =>
  tx.count(sql`
    update asset set tenant_id = ${tenantId}::uuid, modified_at = now()
    where purpose = 'source' and project_id is null
      and (author_id = ${personId} or exists (
        select from asset_face f where f.asset_id = asset.id and f.whose = ${personId}))
      and not exists (select from note_asset n where n.asset_id = asset.id)
      and not exists (select from asset_face f where f.asset_id = asset.id and f.whose <> ${personId})`)

/** Does the row of this file name this path? Anything else in its folder is served to nobody. */
export const isServed = async (tx: Reader, assetId: string, path: string): Promise<boolean> =>
  (await tx.first(sql`
    select from asset where id = ${assetId}::uuid
      and (${path} in (derived->'filmstrip'->>'path', derived->'shake'->>'path', derived->'tone'->>'path')
        or exists (select from jsonb_each_text(derived - 'filmstrip' - 'crashes') d where d.value = ${path})
        or exists (select from jsonb_each_text(coalesce(derived->'posted', '{}')) d where d.value = ${path}))`)) !==
  undefined

/** Names a file that was made of this one for networks: it is kept, backed up and served with it. */
export const namePostedFile = (tx: Tx, assetId: string, made: { id: string; name: string }) =>
  tx.count(sql`
    update asset set derived = derived || jsonb_build_object('posted',
      coalesce(derived->'posted', '{}') || ${JSON.stringify({ [made.id]: made.name })}::jsonb)
    where id = ${assetId} and derived ? 'original'`)

/** A file somebody sent, while they still see it: a cut is its project's. */
export const findOwnAsset = (tx: Tx, assetId: string, authorId: string): Promise<AssetRow | undefined> =>
  tx.first(sql<AssetRow>`select ${columns} from asset where id = ${assetId} and author_id = ${authorId} and ${visible}`)

/** Everything that belongs to a project, sources and cuts, oldest first. */
export const filesOf = (tx: Reader, projectId: string): Promise<AssetRow[]> =>
  tx.rows(sql<AssetRow>`
    select ${columns} from asset where project_id = ${projectId} and ${visible} order by uploaded_at, id`)

/**
 * Inside another statement, joined laterally: of the file `id`, which is the cover of a project that the statement shows, where its
 * small picture lies (`thumb`) and how long it is (`ms`); each null until it is known. Whoever sees a project sees its cover: a
 * source, or an approved cut.
 */
export const coverOf = (id: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select asset.derived->>'thumb' as thumb, asset.duration_ms as ms from asset where asset.id = ${id})`

/** What somebody sent and the cuts that were approved for them, as far as it is ready. */
export const filesOfPerson = (tx: Reader, personId: string): Promise<AssetRow[]> =>
  tx.rows(sql<AssetRow>`
    select ${columns} from asset
    where state = 'ready' and (purpose = 'source' or exists (
        select from project_cut c where c.asset_id = asset.id and c.user_id = ${personId} and c.verdict = 'approved'))
      and ${isTheirs(personId, sql`asset`)}
    order by uploaded_at, id`)

/** The source files of projects, oldest first. */
export const sourcesOf = (tx: Reader, projectIds: readonly string[]): Promise<AssetRow[]> =>
  tx.rows(sql<AssetRow>`
    select ${columns} from asset where project_id = any(${projectIds}) and purpose = 'source' and ${visible}
    order by uploaded_at, id`)

// A finished file of the workbench is its project's: nobody sent it in, and nobody has to be asked about it.
const sentIn = sql`not exists (select from render r where r.asset_id = asset.id)`

/** A person's files that nothing uses yet, newest first. */
export const unusedOf = (tx: Reader, authorId: string): Promise<AssetRow[]> =>
  tx.rows(sql<AssetRow>`
    select ${columns} from asset where author_id = ${authorId} and ${visible} and ${unused} and ${sentIn}
    order by uploaded_at desc, id desc limit 100`)

/** Of these files those that were sent in for something, and that nothing uses by now; with their senders. */
export const unusedAmong = (tx: Reader, ids: readonly string[]) =>
  tx.rows(sql<{ id: string; author_id: string }>`
    select id, author_id from asset
    where id = any(${ids as string[]}::uuid[]) and purpose = 'source' and ${visible} and ${unused} order by id`)

/** Locks source files of these owners, always in the order of their ids: two who want the same never wait in a ring. */
export const lockSources = (tx: Tx, ids: readonly string[], owners: readonly string[]): Promise<AssetRow[]> =>
  tx.rows(sql<AssetRow>`
    select ${columns} from asset
    where id = any(${ids}) and purpose = 'source' and author_id = any(${owners}) and ${visible}
    order by id for update`)

/** Gives sources to a project: from now on they are its officer's and its tenant's. */
export const giveSources = (tx: Tx, ids: readonly string[], project: { projectId: string; userId: string }) =>
  tx.count(sql`
    update asset set project_id = ${project.projectId}, author_id = ${project.userId}, modified_at = now(),
      tenant_id = (select p.tenant_id from project p where p.id = ${project.projectId})
    where id = any(${ids})`)

/** Makes an unused source the file of a clip in a library; 0 when it is in use. */
export const giveToLibrary = (tx: Tx, assetId: string, tenantId: string | null) =>
  tx.count(sql`
    update asset set purpose = 'clip', tenant_id = ${tenantId}::uuid, modified_at = now()
    where id = ${assetId} and ${unused}`)

/** Removes the row of a file that no library holds any more. */
export const deleteClipFile = (tx: Tx, assetId: string) =>
  tx.count(sql`delete from asset where id = ${assetId} and purpose = 'clip'`)

/**
 * Whether a file may be sent for approval, and be posted as it is: it was asked what it hides (`ingestAsset`). Music and pictures may
 * not, nor a video whose copy may lack what others show of it: that is B-roll or a layer.
 */
export const maySend = ({ purpose, type, video }: Pick<AssetRow, 'purpose' | 'type' | 'video'>): boolean =>
  purpose === 'cut' && type === 'video' && (!video || notPlain(video) === null)

/** A cut of this project; it stays while the transaction lasts. */
export const findCut = (tx: Tx, assetId: string, projectId: string): Promise<AssetRow | undefined> =>
  tx.first(sql<AssetRow>`
    select ${columns} from asset
    where id = ${assetId} and project_id = ${projectId} and purpose = 'cut' and ${visible} for share`)

// Unused, or shown as a picture or in a note: no project, library or plan has it.
const ownOnly = sql`(${unused} or (purpose = 'source' and project_id is null))`

/**
 * What of a person's files lies here beside those that a plan, a library or a video's cuts hold: how many wait unused, and the
 * declared bytes of these, of what is shown as a picture or in a note, and of canceled videos, of their own and, with
 * `sendsForOthers`, of those they sent in for somebody. Counted one at a time for each person. Runs as the service.
 */
export const openUploads = async (
  tx: Tx,
  authorId: string,
  { sendsForOthers }: { sendsForOthers: boolean },
): Promise<OpenFiles> => {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`asset-room ${authorId}`}, 0))`)
  const own = await tx.first(sql<Omit<OpenFiles, 'canceled'>>`
    select count(*) filter (where is_unused) as files,
      coalesce(sum(file_size) filter (where is_unused), 0)::bigint as unused,
      coalesce(sum(file_size) filter (where not is_unused), 0)::bigint as shown
    from (
      select file_size, ${unused} as is_unused from asset
      where author_id = ${authorId} and ${ownOnly} and ${sentIn} and state not in ('rejected', 'failed')) open`)
  const canceled = await tx.first(sql<{ bytes: number }>`
    select coalesce(sum(a.file_size), 0)::bigint as bytes
    from project p join asset a on a.project_id = p.id and a.purpose = 'source' and a.derived <> '{}'
    where p.status = ${statusSql.canceled} and (p.user_id = ${authorId}
      or (${sendsForOthers} and p.expires_at > now() - interval '30 days' and exists (
        select from project_event e where e.project_id = p.id and e.seq = 1 and e.actor_id = ${authorId})))`)
  return { ...own!, canceled: canceled!.bytes }
}

/** Declared bytes of an officer's videos that wait for their month, or for a plan, one that is brought back among them. */
export const bytesAhead = async (tx: Tx, userId: string, backId: string | null): Promise<number> =>
  (await tx.first(sql<{ bytes: number }>`
    select coalesce(sum(a.file_size), 0)::bigint as bytes
    from project p join asset a on a.project_id = p.id and a.purpose = 'source'
    where p.user_id = ${userId} and p.final_video_id is null and (p.status = ${statusSql.scheduled} or p.id = ${backId}::uuid)`))!
    .bytes

/** Counted declared bytes of a project's cuts, one at a time for each project; with `sentWith`, of those that were sent and this one. */
export const cutBytes = async (tx: Tx, projectId: string, sentWith?: string): Promise<number> => {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`cut-room ${projectId}`}, 0))`)
  return (await tx.first(sql<{ bytes: number }>`
    select coalesce(sum(file_size), 0)::bigint as bytes from asset
    where project_id = ${projectId} and purpose = 'cut' and state not in ('rejected', 'failed')
      and (${sentWith ?? null}::uuid is null or id = ${sentWith ?? null}::uuid
        or exists (select from project_cut c where c.asset_id = asset.id))`))!.bytes
}

/** A person's files that were refused or failed, beyond the newest `mostKept.refusedFiles`: 100 of them at most. */
export const surplusRefused = (tx: Tx, authorId: string) =>
  tx.rows(sql<{ id: string }>`
    select id from asset where author_id = ${authorId} and ${unused} and ${sentIn} and state in ('rejected', 'failed')
    order by modified_at desc, id limit 100 offset ${mostKept.refusedFiles - 1}`)

/** The bytes here of files that are unused or only shown, whose senders have not confirmed their address. Runs as the service. */
export const bytesOfUnconfirmed = async (tx: Tx): Promise<number> =>
  (await tx.first(sql<{ bytes: number }>`
    select coalesce(sum(case state when 'uploading' then received_bytes else file_size end), 0)::bigint as bytes from asset
    where author_id in (select id from person where email_verified_at is null) and project_id is null
      and ${ownOnly} and state not in ('rejected', 'failed')`))!.bytes

export type NewAsset = Pick<
  AssetRow,
  | 'id'
  | 'tenant_id'
  | 'author_id'
  | 'project_id'
  | 'purpose'
  | 'file_name'
  | 'extension'
  | 'declared_type'
  | 'file_size'
> & { is_open?: boolean; take_id?: string | null }

export const insertAsset = (tx: Tx, asset: NewAsset) =>
  tx.count(sql`
    insert into asset (id, tenant_id, author_id, project_id, purpose, file_name, extension, declared_type, file_size, is_open,
      take_id, state)
    values (${asset.id}, ${asset.tenant_id}, ${asset.author_id}, ${asset.project_id}, ${asset.purpose}, ${asset.file_name},
      ${asset.extension}, ${asset.declared_type}, ${asset.file_size}, ${asset.is_open ?? false}, ${asset.take_id ?? null}, 'uploading')`)

/** The file that a recorder's take became here already. */
export const findTake = (
  tx: Tx,
  authorId: string,
  takeId: string,
): Promise<Pick<AssetRow, 'id' | 'state'> | undefined> =>
  tx.first(sql<Pick<AssetRow, 'id' | 'state'>>`
    select id, state from asset where author_id = ${authorId} and take_id = ${takeId} and ${visible}`)

/** What a recorder noted of its take, while it is still on its way; 0 where none of this person's is. */
export const keepLog = (tx: Tx, assetId: string, authorId: string, log: TakeLog): Promise<number> =>
  tx.count(sql`
    update asset set take_log = ${JSON.stringify(log)}
    where id = ${assetId} and author_id = ${authorId} and take_id is not null and state = 'uploading' and ${visible}`)

/** Tells the open pages of a person what their recorder, or the device with its words, has to say. */
export const tellPrompter = (tx: Tx, userId: string, said: object): Promise<unknown> =>
  tx.rows(sql`select tell_prompter(${userId}, ${JSON.stringify(said)})::text as done`)

/** Removes an unused file's row; 0 when it is somebody else's or in use. */
export const deleteUnused = async (tx: Tx, assetId: string, authorId: string): Promise<number> => {
  // Whoever is just sending it holds the row: only a statement that begins after theirs sees that it is in use.
  await tx.rows(sql`select from asset where id = ${assetId} and author_id = ${authorId} for update`)
  return tx.count(sql`delete from asset where id = ${assetId} and author_id = ${authorId} and ${visible} and ${unused}`)
}
