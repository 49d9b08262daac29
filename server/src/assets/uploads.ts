import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { DataStore, Upload, type Locker } from '@tus/server'
import { refusal } from '@clear-to-post/contract/errors'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { idBeginningIn } from '@clear-to-post/domain/job-code'
import { hasDuty, type Role } from '@clear-to-post/domain/roles'
import { mostUploadBytes } from '@clear-to-post/domain/upload-parts'
import {
  diskRoom,
  openTakeBytes,
  refusedRoom,
  refusedShare,
  uploaderKind,
  type UploaderKind,
} from '@clear-to-post/domain/upload-room'
import { asNobodys } from '../kernel/asker.ts'
import { sql, type Caller, type Database, type Tx } from '../kernel/database.ts'
import { isEntitled } from '../kernel/entitled.ts'
import { FairTurns } from '../kernel/fair-turns.ts'
import { asService } from '../kernel/tenancy.ts'
import type { Log } from '../kernel/work.ts'
import { StorageAway, StorageFull, storage, TakenOver } from '../outside/storage.ts'
import { discardAsset, discardUnused } from './discard.ts'
import { enqueueIngest } from './ingest-queue.ts'
import { extensionOf, safeFileName } from './names.ts'
import {
  bytesOfUnconfirmed,
  cutBytes,
  findOwnAsset,
  findTake,
  insertAsset,
  openUploads,
  surplusRefused,
} from './store.ts'
import { uploaderOf } from './uploader.ts'

export const mostBytes = mostUploadBytes
/** How many uploads are read and written at once; the others wait, and their senders with them. */
const turnsAtOnce = 2
const toldEveryMs = 3000
/** An upload that got no byte for this long is given up. */
export const keptForMs = 3 * 24 * 60 * 60 * 1000

/**
 * Reserves room for a file and answers its id: a cut of `projectId` when staff name one, or of the project whose code
 * stands in their file's name; else a source. Throws asset.too-large, asset.no-room and account.unverified past the room
 * of the domain's `uploaders`, asset.other-project, project.not-found, project.cuts-full, access.forbidden, service.unavailable when the disk
 * could not hold this file beside what other uploads have yet to send.
 */
export const beginUpload = async (
  database: Database,
  caller: Caller,
  declared: Declared & { size: number },
): Promise<string> => (await beginOrFindUpload(database, caller, declared)).id

/** What a sender says of a file; `size` null: it is still being recorded. */
type Declared = {
  size: number | null
  fileName: string
  fileType: string
  projectId?: string | undefined
  /** The recorder's own id of a take: who asks twice is answered the same upload. */
  takeId?: string | undefined
}

/** The same, also for a take that is still being recorded, which is kept room for, and that may have begun before. */
export const beginOrFindUpload = async (
  database: Database,
  caller: Caller,
  declared: Declared,
): Promise<{ id: string; isNew: boolean }> => {
  if ((declared.size ?? 0) > mostBytes) throw refusal('asset.too-large')
  const { lacksFile, ...found } = await findOrInsert(database, caller, declared)
  // Its row was written and the crash came before its file. A bucket's rows take a connection of their own.
  if (lacksFile) await storage().create(found.id)
  return found
}

const findOrInsert = async (
  database: Database,
  caller: Caller,
  declared: Declared,
): Promise<{ id: string; isNew: boolean; lacksFile: boolean }> => {
  const id = randomUUID()
  // Asked before others wait for the transaction: a disk may be slow.
  const free = await storage().uploadRoom()
  return database.inTenant(caller, async (tx) => {
    const project = await projectOf(tx, caller, declared)
    const sendsForOthers = hasDuty(caller.role, 'administer')
    // Counted one at a time for each person: of two beginnings of a take the second one finds the first.
    const open = await asService(tx, () => openUploads(tx, caller.id, { sendsForOthers }))
    const before = declared.takeId === undefined ? undefined : await findTake(tx, caller.id, declared.takeId)
    if (before) return { id: before.id, isNew: false, lacksFile: before.state === 'uploading' }
    const now = new Date()
    const kind = await uploaderOf(tx, caller.id, now)
    const size = declared.size ?? openTakeBytes(kind)
    if (project && (await cutBytes(tx, project.id)) + size > mostKept.cutBytes) throw refusal('project.cuts-full')
    const refused = refusedRoom(kind, open, size)
    if (refused) throw refusal(refused.code, refused.text)
    for (const surplus of await surplusRefused(tx, caller.id)) await discardUnused(tx, surplus.id, caller.id)
    await requireDiskRoom(tx, { kind, size, free }, now)
    const fileName = safeFileName(declared.fileName)
    await insertAsset(tx, {
      id,
      tenant_id: project ? project.tenant_id : caller.tenantId,
      author_id: caller.id,
      project_id: project?.id ?? null,
      purpose: project ? 'cut' : 'source',
      file_name: fileName,
      extension: extensionOf(fileName),
      declared_type: declared.fileType.slice(0, 100),
      file_size: size,
      is_open: declared.size === null,
      take_id: declared.takeId ?? null,
    })
    return { id, isNew: true, lacksFile: false }
  })
}

/**
 * The most bytes that this upload may have: of one that is still being recorded, the room that is kept for it. Throws
 * asset.not-found unless it is the caller's own, and session.ended when the caller's session has.
 */
export const requireUpload = async (database: Database, caller: Caller, id: string): Promise<number> => {
  const own = uuid.test(id) && (await database.inTenant(caller, (tx) => findOwnAsset(tx, id, caller.id)))
  if (!own) throw refusal('asset.not-found')
  return own.is_open ? own.file_size : mostBytes
}

/** Throws away an upload of the caller's that was refused while it began; safe to repeat. */
export const dropUpload = async (database: Database, caller: Caller, id: string): Promise<void> => {
  await database.asSystem((tx) => discardUnused(tx, id, caller.id))
}

/**
 * An upload whose bytes are all durably here becomes `received`, and the job that checks it is enqueued with it.
 * Safe to repeat. Throws asset.not-found when it was thrown away meanwhile.
 */
export const finishUpload = (database: Database, id: string): Promise<void> =>
  database.asSystem((tx) => finishUploadIn(tx, id))

/** The same within a transaction of the service's. */
export const finishUploadIn = async (tx: Tx, id: string): Promise<void> => {
  const finished = await tx.count(sql`
    update asset set state = 'received', received_bytes = file_size, modified_at = now()
    where id = ${id} and state = 'uploading' and not is_open`)
  if (finished === 1) await enqueueIngest(tx, id)
  else if (!(await tx.first(sql`select from asset where id = ${id}`))) throw refusal('asset.not-found')
}

/**
 * Says how long a take has become; safe to repeat with the same length. Throws asset.not-found when it was thrown away, and
 * nothing when its length was known before: the protocol asks for that.
 */
const declareLength = async (tx: Tx, id: string, size: number): Promise<void> => {
  const told = await tx.count(sql`
    update asset set file_size = ${size}, is_open = false, modified_at = now()
    where id = ${id} and is_open and state = 'uploading' and file_size >= ${size}`)
  if (told === 0 && !(await tx.first(sql`select from asset where id = ${id}`))) throw refusal('asset.not-found')
}

/**
 * A take whose recorder has gone silent for good, with what came of it: nothing that was said is thrown away for the lack of
 * an end. False when nothing came.
 */
export const closeTake = async (database: Database, id: string): Promise<boolean> => {
  const size = (await storage().received(id)) ?? 0
  if (size === 0) return false
  await database.asSystem(async (tx) => {
    await declareLength(tx, id, size)
    await finishUploadIn(tx, id)
  })
  return true
}

/**
 * Where the tus protocol keeps its bytes and what it knows of an upload. The row says how long a file will be; how much
 * of it is here is asked of the file itself, so that a crash can neither lose nor double an acknowledged byte.
 */
export class UploadStore extends DataStore {
  override extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination', 'expiration']
  readonly #database: Database
  readonly #log: Log
  readonly #writing = new Map<string, Promise<unknown>>()
  /** Between turns the others are served: lists, pages, and other people's uploads. */
  readonly #turns: FairTurns
  /** How far uploads have come since their rows were told last. */
  readonly #news = new Map<string, number>()
  #telling: NodeJS.Timeout | undefined

  constructor(database: Database, log: Log, turns = new FairTurns(turnsAtOnce)) {
    super()
    this.#turns = turns
    this.#database = database
    this.#log = log
  }

  override async create(upload: Upload): Promise<Upload> {
    await storage()
      .create(upload.id)
      .catch((error: unknown) => Promise.reject(refusedStorage(error)))
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    // A writer whose line broke may still be putting down its last bytes.
    await this.#writing.get(id)?.catch(() => {})
    const row = await this.#database.asSystem((tx) =>
      tx.first(sql<Pick<Row, 'state' | 'file_size' | 'received_bytes' | 'is_open' | 'file_name' | 'declared_type'>>`
        select state, file_size, received_bytes, is_open, file_name, declared_type from asset where id = ${id}`),
    )
    if (!row) throw refusal('asset.not-found')
    const uploading = row.state === 'uploading'
    // Once it has ended the file may be a mended one, of another size than what came.
    const size = uploading ? row.file_size : row.received_bytes
    const offset = uploading ? ((await storage().received(id, { takeOver: true })) ?? 0) : size
    // The crash came between the last byte and the transaction that says so.
    if (uploading && !row.is_open && offset === row.file_size) await finishUpload(this.#database, id)
    return new Upload({
      id,
      ...(row.is_open ? {} : { size }),
      offset,
      metadata: { filename: row.file_name, filetype: row.declared_type },
      // How long it is kept is the sweep's alone to say.
      creation_date: new Date().toISOString(),
    })
  }

  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const work = this.#write(bytes, id, offset)
    this.#writing.set(id, work)
    try {
      return await work
    } finally {
      if (this.#writing.get(id) === work) this.#writing.delete(id)
    }
  }

  override async declareUploadLength(id: string, size: number): Promise<void> {
    await this.#database.asSystem((tx) => declareLength(tx, id, size))
  }

  override async remove(id: string): Promise<void> {
    await this.#database.asSystem((tx) => discardAsset(tx, id))
  }

  override getExpiration(): number {
    return keptForMs
  }

  async #write(bytes: Readable, id: string, offset: number): Promise<number> {
    let at = offset
    const { author_id: owner, state } = await this.#rowOf(id)
    // Its end came before: what stands is what was checked, and nothing is written beside it.
    if (state !== 'uploading') {
      bytes.resume()
      return offset
    }
    const onBytes = (now: number) => {
      at = now
      this.#news.set(id, at)
      if (this.#telling) return
      // Of all uploads, in the turn of none of them.
      this.#telling = asNobodys(() =>
        setTimeout(() => {
          this.#telling = undefined
          void this.#tell([...this.#news])
        }, toldEveryMs).unref(),
      )
    }
    try {
      await storage().append(id, offset, bytes, onBytes, (work) => this.#turns.take(owner, work))
    } catch (error) {
      throw refusedStorage(error)
    } finally {
      if (at > offset) await this.#tell([[id, at]])
    }
    return at
  }

  async #rowOf(id: string): Promise<{ author_id: string; state: string }> {
    const row = await this.#database.asSystem((tx) =>
      tx.first(sql<{ author_id: string; state: string }>`select author_id, state from asset where id = ${id}`),
    )
    if (!row) throw refusal('asset.not-found')
    return row
  }

  /** For people who look on; the protocol never reads it. One statement, however many uploads go on. */
  async #tell(news: readonly (readonly [id: string, at: number])[]) {
    for (const [id, at] of news) if (this.#news.get(id) === at) this.#news.delete(id)
    const [ids, ats] = [news.map(([id]) => id), news.map(([, at]) => at)]
    const told = this.#database.asSystem((tx) =>
      tx.count(sql`
        update asset set received_bytes = news.at, modified_at = now()
        from unnest(${ids}::uuid[], ${ats}::bigint[]) news(id, at)
        where asset.id = news.id and state = 'uploading'`),
    )
    await told.catch((error: unknown) => this.#log.warn({ err: error, ids }, 'uploads’ progress was not noted'))
  }
}

/** One request at a time for each upload. Who holds it is asked to let go: the newest connection is the living one. */
export const oneAtATime = (): Locker => {
  const held = new Map<string, { letGo: () => unknown; freed: Promise<void>; free: () => void }>()
  return {
    newLock: (id) => ({
      lock: async (signal, letGo) => {
        const ended = new Promise<void>((_, reject) =>
          signal.addEventListener('abort', () => reject(refusal('service.unavailable')), { once: true }),
        )
        ended.catch(() => {})
        for (let holder = held.get(id); holder; holder = held.get(id)) {
          await holder.letGo()
          await Promise.race([holder.freed, ended])
        }
        const { promise, resolve } = Promise.withResolvers<void>()
        held.set(id, { letGo, freed: promise, free: resolve })
      },
      unlock: async () => {
        const holder = held.get(id)
        held.delete(id)
        holder?.free()
      },
    }),
  }
}

type Row = Awaited<ReturnType<typeof findOwnAsset>> & {}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Throws service.unavailable unless the disk holds this file beside the rest of every upload that goes on, and within the
 * share of the domain's `diskShares` (account.unverified for who can help themselves by confirming); asked one at a time.
 * Who has sent nothing for an hour keeps no room: it could be kept without sending anything.
 */
const requireDiskRoom = async (
  tx: Tx,
  { kind, size, free }: { kind: UploaderKind; size: number; free: number },
  now: Date,
): Promise<void> => {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('disk-room', 0))`)
  const needed = diskRoom(kind, await asService(tx, () => heldRoom(tx, kind, now)), size)
  if (needed.all > free) throw diskFull()
  if (needed.share > free) throw refusalOfShare(kind)
}

/** What uploads that go on have yet to send, by the kind of who sends them; for the unconfirmed, what lies here unused, too. */
const heldRoom = async (tx: Tx, kind: UploaderKind, now: Date) => {
  const senders = await tx.rows(sql<{ role: Role; is_confirmed: boolean; is_entitled: boolean; bytes: number }>`
    select p.role, p.email_verified_at is not null as is_confirmed, ${isEntitled(now)} as is_entitled,
      sum(a.file_size - a.received_bytes)::bigint as bytes
    from asset a join person p on p.id = a.author_id
    where a.state = 'uploading' and a.modified_at > now() - interval '1 hour'
    group by 1, 2, 3`)
  const yet = { unconfirmed: 0, confirmed: 0, subscriber: 0, staff: 0 }
  for (const { role, is_confirmed: isConfirmed, is_entitled, bytes } of senders)
    yet[uploaderKind({ role, isConfirmed, isEntitled: is_entitled })] += bytes
  return { yet, unconfirmedHere: kind === 'unconfirmed' ? await bytesOfUnconfirmed(tx) : 0 }
}

const refusalOfShare = (kind: UploaderKind): Error => {
  const { code, text } = refusedShare(kind)
  return refusal(code, text)
}

/** The project named, or the one whose code the name of a staff member's file carries; null for a source. */
const projectOf = async (
  tx: Tx,
  caller: Caller,
  { projectId, fileName }: { projectId?: string | undefined; fileName: string },
) => {
  const beginning = hasDuty(caller.role, 'serve') ? idBeginningIn(fileName) : null
  if (projectId !== undefined) {
    if (beginning && !projectId.startsWith(beginning)) throw refusal('asset.other-project')
    return projectOfCut(tx, caller, projectId)
  }
  if (!beginning) return null
  const found = await tx.first(sql<{ id: string; tenant_id: string | null }>`
    select id, tenant_id from project
    where id between ${`${beginning}-0000-0000-000000000000`}::uuid and ${`${beginning}-ffff-ffff-ffffffffffff`}::uuid
      and staff_reach(tenant_id)`)
  return found ?? null
}

const projectOfCut = async (tx: Tx, caller: Caller, projectId: string) => {
  if (!hasDuty(caller.role, 'serve'))
    throw refusal('access.forbidden', 'Only editors send cuts. Leave the project out.')
  const project = uuid.test(projectId)
    ? await tx.first(sql<{ id: string; tenant_id: string | null }>`
        select id, tenant_id from project where id = ${projectId} and staff_reach(tenant_id)`)
    : undefined
  if (!project) throw refusal('project.not-found')
  return project
}

const isFull = (error: unknown): boolean =>
  error instanceof StorageFull || ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

/** What a sender is told when the place of the files takes nothing; other errors as they are. */
export const refusedStorage = (error: unknown): unknown => {
  if (isFull(error)) return diskFull()
  if (error instanceof TakenOver) return refusal('asset.busy')
  if (error instanceof StorageAway) return refusal('service.unavailable', storageAway)
  return error
}

const storageAway =
  'We cannot take files in for the moment. What you have sent so far is kept; the upload goes on when you try again.'

const diskFull = () =>
  refusal('service.unavailable', 'There is no room for this file right now. We have been told; try again later.')
