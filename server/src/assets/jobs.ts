import { sql, type Database, type Tx } from '../kernel/database.ts'
import { longPriority } from '../kernel/enqueue-in-turn.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import type { Job, Log } from '../kernel/work.ts'
import { storage } from '../outside/storage.ts'
import { dropClipFile } from './actions.ts'
import { ingestAsset, ingestCrashed } from './ingest.ts'
import { discardAsset } from './discard.ts'
import { enqueueIngest } from './ingest-queue.ts'
import { held, unused } from './store.ts'
import { closeTake, finishUpload, keptForMs } from './uploads.ts'
import { statusSql } from '../kernel/domain-sql.ts'

export const ingestJob: Job<'ingest'> = {
  name: 'ingest',
  // Nobody holds both, and long work holds one: it keeps nobody's check waiting (docs/decisions/0357).
  atOnce: 2,
  class: 'ingest',
  oneEach: true,
  quickFrom: longPriority + 1,
  decodes: { crashed: ({ assetId }, database) => ingestCrashed(database, assetId) },
  run: ({ assetId, isLong }, context) => ingestAsset(context, assetId, { mayBeLong: isLong ?? false }),
}

export const assetTasks = (
  { database, log }: { database: Database; log: Log },
  runsSince = new Date(),
): PeriodicTask[] => [
  { name: 'complete uploads', seconds: 60, run: (now) => sweepUploads(database, now) },
  {
    name: 'forgotten files',
    seconds: 3600,
    run: async (now, signal) => {
      let removed = 0
      await closeSilentTakes(database, now)
      await storage().dropLateParts(now)
      for (let some = 1; some > 0 && !signal?.aborted; removed += some)
        some = await sweepForgotten(database, now, runsSince)
      const expired = await sweepExpired(database, now, signal)
      const leftovers = await sweepLeftovers({ database, log }, now)
      if (removed + expired + leftovers > 0)
        log.info({ removed, expired, leftovers }, 'removed files that were forgotten or whose time is over')
    },
  },
]

/** Says in words that files which have arrived are not checked for now; with false the words go again. */
export const notePausedChecks = async (tx: Tx, isPaused: boolean): Promise<void> => {
  await tx.count(
    isPaused
      ? sql`update asset set stage = ${pausedChecks} where state = 'received' and stage is null`
      : sql`update asset set stage = null where state = 'received' and stage = ${pausedChecks}`,
  )
}

const pausedChecks = 'safely here; the checks are paused and go on by themselves'

/**
 * Moves on what a crash left between two steps: uploads that are whole but not marked so, and files whose job is gone.
 * The living are left alone: they touch their row every few seconds.
 */
export const sweepUploads = async (database: Database, now: Date): Promise<void> => {
  const quiet = await database.asSystem((tx) =>
    tx.rows(sql<{ id: string; file_size: number }>`
      select id, file_size from asset where state = 'uploading' and not is_open and modified_at < ${before(now, 30)}
      order by modified_at desc limit 1000`),
  )
  for (const { id, file_size } of quiet)
    if ((await storage().received(id)) === file_size) await finishUpload(database, id).catch(ifGone)

  await database.asSystem(async (tx) => {
    const stuck = await tx.rows(sql<{ id: string }>`
      update asset set modified_at = ${now}
      where (state in ('received', 'checking') or (state = 'ready' and stage is not null))
        and modified_at < ${before(now, 15 * 60)}
        and not exists (
          select from pgboss.job j
          where j.name = 'ingest' and j.state < 'completed' and j.data->>'assetId' = asset.id::text)
      returning id`)
    for (const { id } of stuck) await enqueueIngest(tx, id)
  })
}

/** Takes whose device never came back are finished with what came of them, half a day before an upload is given up. */
export const closeSilentTakes = async (database: Database, now: Date): Promise<void> => {
  for (let after = '00000000-0000-0000-0000-000000000000', more = true; more;) {
    const silent = await database.asSystem((tx) =>
      tx.rows(sql<{ id: string }>`
        select id from asset
        where state = 'uploading' and is_open and modified_at < ${before(now, (5 * keptForMs) / 6000)} and id > ${after}
        order by id limit 100`),
    )
    for (const { id } of silent) await closeTake(database, id).catch(ifGone)
    after = silent.at(-1)?.id ?? after
    more = silent.length > 0
  }
}

/**
 * Removes abandoned uploads, and what nobody used or looked after for a month. An upload is abandoned after three days, when the
 * service has run for the last of them (`runsSince`): one that stood still kept its senders away. A take of which a byte is here is
 * never abandoned. Answers how many.
 */
export const sweepForgotten = async (database: Database, now: Date, runsSince = new Date(0)): Promise<number> => {
  const isLong = now.getTime() - runsSince.getTime() >= 86_400_000
  const abandoned = before(now, (isLong ? 1 : 5) * (keptForMs / 1000))
  const silent = await database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`
      select id from asset where ${unused} and state = 'uploading' and received_bytes = 0
        and modified_at < ${before(now, 3600)}
      order by modified_at limit 500`),
  )
  // The row hears of bytes only now and then.
  const asked = await Promise.all(silent.map(async ({ id }) => ({ id, bytes: (await storage().received(id)) ?? 0 })))
  const empty = asked.filter(({ bytes }) => bytes === 0).map(({ id }) => id)
  return database.asSystem(async (tx) => {
    for (const { id, bytes } of asked)
      if (bytes > 0)
        await tx.count(sql`
          update asset set received_bytes = ${bytes} where id = ${id} and state = 'uploading' and received_bytes = 0`)
    const forgotten = await tx.rows(sql<{ id: string }>`
      select id from asset where ${unused} and (
        (state = 'uploading' and not is_open and received_bytes > 0 and modified_at < ${abandoned})
        or (state = 'uploading' and received_bytes = 0 and modified_at < ${before(now, 3600)} and id = any(${empty}::uuid[]))
        or (state in ('ready', 'rejected', 'failed') and modified_at < ${before(now, 30 * 86_400)}))
      order by modified_at limit 500 for update skip locked`)
    for (const { id } of forgotten) await discardAsset(tx, id)
    const unclaimed = await tx.rows(sql<{ id: string }>`
      select id from asset where ${held} and modified_at < ${before(now, 30 * 86_400)}
      order by modified_at limit 500 for update skip locked`)
    for (const { id } of unclaimed) await dropClipFile(tx, id)
    return forgotten.length + unclaimed.length
  })
}

/**
 * Removes the source files of projects whose time is over. The rows, the cuts and the finished video stay; a project in
 * the middle of a revision keeps its sources until that is done. Answers how many.
 */
export const sweepExpired = async (database: Database, now: Date, signal?: AbortSignal): Promise<number> => {
  const over = await database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`
      select a.id from project p join asset a on a.project_id = p.id and a.purpose = 'source'
      where p.expires_at < ${now} and p.status in (${statusSql.completed}, ${statusSql.canceled}, ${statusSql.scheduled}) and a.derived <> '{}' limit 500`),
  )
  for (const { id } of over) {
    signal?.throwIfAborted()
    // Files first: should the crash come between, the next sweep does it again.
    await storage().remove(id)
    await database.asSystem((tx) =>
      tx.count(sql`
        update asset set derived = '{}', stage = null, progress = null, modified_at = ${now},
          notes = array['The original was removed after its storage time.']
        where id = ${id}`),
    )
  }
  return over.length
}

/**
 * Removes from the disk what no row names any more: of files that were erased or thrown away while somebody was just
 * writing to them, and of a kill between a file and its row. Answers how many. Where the database knows none of the files,
 * it is not the one they were written with (a wrong address, or a restore that is not done yet), and all of them stay.
 */
export const sweepLeftovers = async (
  { database, log }: { database: Database; log: Pick<Log, 'warn'> },
  now: Date,
): Promise<number> => {
  let [seen, known] = [0, 0]
  const lost: string[] = []
  for await (const there of storage().untouched(before(now, 3600))) {
    const rows = await database.asSystem((tx) =>
      tx.rows(sql<{ id: string; has_files: boolean }>`
        select id, not (state = 'ready' and derived = '{}') as has_files from asset where id = any(${there}::uuid[])`),
    )
    const kept = new Set(rows.filter((row) => row.has_files).map(({ id }) => id))
    lost.push(...there.filter((id) => !kept.has(id)))
    ;[seen, known] = [seen + there.length, known + rows.length]
  }
  if (seen > 0 && known === 0 && storage().kind === 'disk') {
    log.warn({ files: seen }, 'the database knows none of the files in DATA_DIR: they are left alone')
    return 0
  }
  for (const id of lost) await storage().remove(id)
  return lost.length
}

const before = (now: Date, seconds: number): Date => new Date(now.getTime() - seconds * 1000)

const ifGone = (error: unknown) => {
  if ((error as { code?: string }).code !== 'asset.not-found') throw error
}
