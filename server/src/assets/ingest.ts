import { mostCrashes } from '@clear-to-post/domain/crashes'
import { isLongWork, mostCpuSeconds, refusedWork } from '@clear-to-post/domain/upload-room'
import { refusedCut } from '@clear-to-post/media/cut'
import { mend } from '@clear-to-post/media/mend'
import { ingest, overall, type Derivatives, type Stage } from '@clear-to-post/media/ingest'
import { cutWords, type Verdict } from '@clear-to-post/media/verdict'
import { whyNotPlain } from '@clear-to-post/media/plain-picture'
import { playableAsIs, probe, type Probe } from '@clear-to-post/media/probe'
import {
  progressWriter,
  runAttempt,
  isOfTheMachine,
  unlessOvertaken,
  type GivenUp,
  type Pause,
} from '../kernel/attempt.ts'
import { sql, type Database } from '../kernel/database.ts'
import { hashFile } from '../kernel/hash-file.ts'
import type { Log } from '../kernel/work.ts'
import { OtherBytes, storage } from '../outside/storage.ts'
import { enqueueIngest } from './ingest-queue.ts'
import { maySend, unused, type AssetRow, type Derived } from './store.ts'
import { uploaderOf } from './uploader.ts'

type Context = { database: Database; log: Log; signal: AbortSignal; lastAttempt: boolean }

type Claim = Pick<AssetRow, 'id' | 'author_id' | 'state' | 'file_size' | 'derived' | 'attempt' | 'purpose'> & {
  probe: Probe | null
}
/** One run over one file. `mayBeLong`: it may hold its place for as long as the file takes. */
type Run = Context & Claim & { mayBeLong: boolean }

/**
 * Checks a received file and makes what is shown of it; see docs/decisions/0023. Safe to repeat at any point, and while
 * another run of the same file is still alive: the newest one wins. A file that was thrown away is removed from the disk.
 * One that is long work is checked, and enqueued among the long ones unless this run `mayBeLong`. Throws what is worth
 * another try.
 */
export const ingestAsset = async (context: Context, assetId: string, { mayBeLong = true } = {}): Promise<void> => {
  const claim = await begin(context, assetId)
  if (!claim) return
  const run: Run = { ...context, ...claim, mayBeLong }
  const crashes = (run.derived.crashes ?? 1) - 1
  const restsUntil = run.derived.restsUntil ? new Date(run.derived.restsUntil) : null
  if (restsUntil === null ? crashes >= mostCrashes : restsUntil > new Date()) return rest(run, restsUntil)
  await runAttempt(run, {
    about: { assetId },
    crashes,
    work: () => work(run),
    // A full disk, or a bucket that is away, says nothing about the file: it waits (see sweepUploads).
    isWorthAnotherTry: (why) => !run.lastAttempt || isOfTheMachine(why),
    pause: (why) => pause(run, why),
    giveUp: (why) => giveUp(run, reasons[why]),
    stepBack: () => stepBack(run),
  })
}

const work = async (run: Run): Promise<void> => {
  const checked =
    run.derived.original && run.probe ? { original: run.derived.original, probe: run.probe } : await check(run)
  if (!checked) return
  // A mended file lies among the assets already; what came in is not kept beside it.
  if (checked.original.startsWith(mendedIn)) await storage().refuse(run.id)
  else await storage().admit(run.id, checked.original)
  // What any browser plays as it is need not wait for its copy, and keeps its full quality afterwards.
  if (playableAsIs(checked.probe)) await save(run, { play: checked.original })
  if (checked.probe.kind === 'audio') await save(run, {}, { ready: true })
  if (!run.mayBeLong && isLongWork(checked.probe)) await handOver(run, { isLong: true })
  else await derive(run, checked)
}

/** Hash, then a look inside; null when the file was refused, or handed over. */
const check = async (run: Run): Promise<{ original: string; probe: Probe } | null> => {
  await using local = storage().copies(run.signal)
  const upload = await local.upload(run.id).catch((error: unknown) => {
    if (error instanceof OtherBytes) return null
    throw error
  })
  if (upload === null) return refuseAtOnce(run, 'This file did not come as it was sent. Please send it again.')
  const received = await hashFile(upload, run.signal)
  if (received.bytes !== run.file_size)
    throw new Error(`${run.id} has ${received.bytes} bytes instead of ${run.file_size}`)
  const mended = await mendedFile(run, upload)
  const path = (mended && (await local.of(run.id, mended))) || upload
  const { sha256, bytes } = mended ? await hashFile(path, run.signal) : received
  const found = await probe(path, { signal: run.signal })
  const mayBeSent = found.ok && maySend({ purpose: run.purpose, type: found.kind, video: found.video })
  let reason = found.ok ? await tooMuchWork(run, found) : found.reason
  if (found.ok && reason === null && mayBeSent) {
    // Its picture is decoded for that.
    if (!run.mayBeLong && isLongWork(found)) {
      await handOver(run, { isLong: true })
      return null
    }
    reason = await unfitToSend(run, path, found)
  }
  if (!found.ok || reason !== null) {
    await write(run, sql`state = 'rejected', reason = ${reason}, sha256 = ${sha256}, stage = null, progress = null`)
    await (mended ? storage().remove(run.id) : storage().refuse(run.id))
    return null
  }
  const original = mended ?? `original.${extensionFor(found)}`
  // `received_bytes` stays what came: by that its sender knows whether all of it did.
  await write(
    run,
    sql`sha256 = ${sha256}, file_size = ${bytes}, type = ${found.kind}, duration_ms = ${found.durationMs || null},
      width = ${found.video?.width ?? null}, height = ${found.video?.height ?? null}, probe = ${JSON.stringify(found)},
      derived = derived || ${JSON.stringify({ original })}`,
  )
  return { original, probe: found }
}

const refuseAtOnce = async (run: Run, reason: string): Promise<null> => {
  await write(run, sql`state = 'rejected', reason = ${reason}, stage = null, progress = null`)
  await storage().refuse(run.id)
  return null
}

/** Its name among the asset's files, made whole, where a recorder left it without an end or a length; null for others. */
const mendedFile = async (run: Run, upload: string): Promise<string | null> => {
  // One for each attempt: a run that was overtaken writes into none of another.
  const folder = `${mendedIn}${run.attempt}`
  const made = await mend(upload, {
    outDir: async () => {
      await storage().requireRoom('work', 2 * run.file_size)
      return storage().makeFolder(run.id, folder)
    },
    signal: run.signal,
  })
  if (made === null) return null
  await storage().settle(run.id, `${folder}/${made}`)
  return `${folder}/${made}`
}

/** Folders of attempts have their number, which begins with no 0. */
const mendedIn = '0'

/**
 * Where this run and those before it made something. What others make of the file at the same time, such as a file for a network,
 * lies beside, and is not named before it is whole.
 */
const foldersOf = ({ attempt }: Run): string[] =>
  Array.from({ length: attempt }, (_, before) => String(before + 1)).flatMap((one) => [one, `${mendedIn}${one}`])

/** Why the file is more work than its author may ask for; null when it is not. */
const tooMuchWork = async ({ database, author_id }: Run, found: Probe): Promise<string | null> =>
  refusedWork(await database.asSystem((tx) => uploaderOf(tx, author_id, new Date())), found)

/** Why nobody could send the file for approval, where a file of its kind may be sent. */
const unfitToSend = async ({ signal }: Run, path: string, found: Probe): Promise<string | null> => {
  const why = await refusedCut(path, found, { signal, cpuSeconds: mostCpuSeconds(found, { mayBeLong: true }) })
  return (
    why && `${why} Each video file that is brought here may be sent for approval: this goes for B-roll and layers, too.`
  )
}

const derive = async (run: Run, { original, probe: found }: { original: string; probe: Probe }): Promise<void> => {
  await storage().requireRoom('work')
  const folder = String(run.attempt)
  const outDir = await storage().makeFolder(run.id, folder)
  const progress = progressWriter<{ stage: Stage; fraction: number }>({
    write: async (report) => {
      await write(
        run,
        report
          ? sql`stage = ${stageWords[report.stage]}, progress = ${overall(report.stage, report.fraction)}`
          : sql`attempt = attempt`,
      )
      await storage().requireRoom('work')
    },
    everyMs: 330,
    log: run.log,
  })
  const publish = async (made: Partial<Derivatives>) => {
    const derived = await settled(run.id, folder, made)
    if (derived.proxy && !playableAsIs(found)) derived.play = derived.proxy
    await save(run, derived, {
      ready: made.poster !== undefined,
      notes: made.verdicts && notesFor(run, found, made.verdicts),
    })
  }
  await using local = storage().copies(run.signal)
  const source = await local.of(run.id, original)
  if (source === undefined) throw new Error(`${run.id} has lost ${original}`)
  const done = await ingest({
    source,
    outDir,
    probe: found,
    isCut: run.purpose === 'cut',
    cpuSeconds: mostCpuSeconds(found, run),
    onProgress: (stage, fraction) => progress.report({ stage, fraction }),
    onReady: publish,
    signal: AbortSignal.any([run.signal, progress.signal]),
  }).finally(progress.end)
  // It is more work than it seemed: others’ short work goes on beside it.
  if (!done.ok && done.code === 'too-heavy' && !run.mayBeLong) await handOver(run, { isLong: true })
  else if (!done.ok) await refuseLate(run, done.reason)
  else await finish(run)
}

/** Did it run when its worker died? Who ends alive takes its count back. */
export const ingestCrashed = async (database: Database, assetId: string): Promise<boolean> =>
  (await database.asSystem((tx) =>
    tx.count(sql`select from asset where id = ${assetId} and (derived->>'crashes')::integer > 0`),
  )) === 1

/** The run is counted before it begins: what is still counted when the next one comes, died on the way. */
const begin = async (context: Context, assetId: string): Promise<Claim | null> => {
  const row = await context.database.asSystem(async (tx) => {
    const found = await tx.first(sql<Pick<AssetRow, 'state' | 'stage'>>`
      select state, stage from asset where id = ${assetId} for update`)
    if (!found) return 'gone' as const
    const open = found.state === 'received' || found.state === 'checking' || (found.state === 'ready' && found.stage)
    if (!open) return found.state
    return tx.first(sql<Claim>`
      update asset set attempt = attempt + 1, modified_at = now(),
        state = case state when 'received' then 'checking' else state end,
        stage = coalesce(nullif(stage, ${restingWords}), ${stageWords.check}), progress = coalesce(progress, 0),
        derived = derived || jsonb_build_object('crashes', coalesce((derived->>'crashes')::integer, 0) + 1)
      where id = ${assetId}
      returning id, author_id, state, file_size, derived, attempt, purpose, probe`)
  })
  if (row === 'gone') await storage().remove(assetId)
  if (row === 'rejected' || row === 'failed') await storage().refuse(assetId)
  return typeof row === 'object' ? row : null
}

/**
 * A worker that dies twice may have been ended from outside, and what does that comes in clusters: the file has one more run
 * when an hour has passed. Runs before then, of a job that was repeated, put it off anew.
 */
const rest = (run: Run, until: Date | null): Promise<void> =>
  run.database.asSystem(async (tx) => {
    const startAfter = until ?? new Date(Date.now() + 3_600_000)
    const resting = { crashes: mostCrashes - 1, restsUntil: startAfter.toISOString() }
    const changed = await tx.count(sql`
      update asset set stage = ${restingWords}, derived = derived || ${JSON.stringify(resting)}, modified_at = now()
      where id = ${run.id} and attempt = ${run.attempt}`)
    if (changed === 1) await enqueueIngest(tx, run.id, { isLong: run.mayBeLong, startAfter })
  })

const restingWords =
  'our service stopped twice meanwhile: this file is safely here, and is checked again within the hour'

/** Publishes what was made. The pointer moves only to files that are durably there. */
const save = (run: Run, made: Derived, more: { ready?: boolean; notes?: string[] | undefined } = {}) =>
  write(
    run,
    sql`derived = derived || ${JSON.stringify(made)}
      ${more.ready ? sql`, state = 'ready'` : sql``} ${more.notes ? sql`, notes = ${more.notes}` : sql``}`,
  )

/** A take can be filmed again, a cut exported again. */
const notesFor = ({ purpose }: Run, { video }: Probe, found: readonly Verdict[]): string[] => {
  const why = purpose === 'cut' && video ? whyNotPlain(video) : null
  return [
    ...(why === null ? [] : [`It can be B-roll or a layer, and not be sent for approval. ${why}`]),
    ...found.flatMap(({ code, text }) => (purpose === 'source' ? text : (cutWords[code] ?? []))),
  ]
}

const finish = async (run: Run): Promise<void> => {
  const { derived } = await write(
    run,
    sql`state = 'ready', stage = null, progress = null, derived = derived - 'crashes' - 'restsUntil'`,
  )
  await storage().prune(run.id, foldersOf(run), filesOf(derived))
}

/** The file broke in the middle of the work, when it may be in use already. An unused one is taken back. */
const refuseLate = async (run: Run, reason: string): Promise<void> => {
  const taken = await run.database.asSystem((tx) =>
    tx.first(sql`
      update asset set state = 'rejected', reason = ${reason}, stage = null, progress = null, derived = '{}', modified_at = now()
      where id = ${run.id} and attempt = ${run.attempt} and ${unused} returning id`),
  )
  if (taken) await storage().remove(run.id)
  else await keepAsItIs(run, reason)
}

/** Without a copy browsers are given the file itself: some play it, and others say that they cannot. */
const keepAsItIs = async (run: Run, reason: string): Promise<void> => {
  const { derived } = await write(
    run,
    sql`state = 'ready', stage = null, progress = null,
      derived = jsonb_build_object('play', derived->'original') || (derived - 'crashes' - 'restsUntil'),
      notes = notes || ${[`No playback copy could be made. ${reason}`]}::text[]`,
  )
  await storage().prune(run.id, foldersOf(run), filesOf(derived))
}

/**
 * A recording that is ready was checked: that no copy could be made of it is our trouble, and takes it from nobody. A cut is
 * reviewed by its copy, and can be exported again.
 */
const giveUp = async (run: Run, reason: string): Promise<void> => {
  if (run.state === 'ready') return run.purpose === 'cut' ? refuseLate(run, reason) : keepAsItIs(run, reason)
  await write(run, sql`state = 'failed', reason = ${reason}, stage = null, progress = null, derived = '{}'`)
  await storage().remove(run.id)
}

/** This run ended alive. */
const notACrash = sql`derived = derived || jsonb_build_object('crashes', (derived->>'crashes')::integer - 1)`

/** Where the worker stops in good order, another one goes on at once. */
const pause = async (run: Run, why: Pause): Promise<boolean> => {
  if (why === 'interrupted') return handOver(run)
  // A job that used up its tries is somebody's to look at, and there is nothing to see: it is done once the machine is well.
  if (run.lastAttempt && isOfTheMachine(why)) return handOver(run, { startAfter: new Date(Date.now() + 60_000) })
  await write(run, notACrash)
  return false
}

const handOver = (
  run: Run,
  { isLong = run.mayBeLong, ...more }: { isLong?: boolean; startAfter?: Date } = {},
): Promise<boolean> =>
  run.database.asSystem(async (tx) => {
    const released = await tx.count(sql`
      update asset set ${notACrash} where id = ${run.id} and attempt = ${run.attempt} and (state <> 'ready' or stage is not null)`)
    if (released === 1) await enqueueIngest(tx, run.id, { isLong, ...more })
    return true
  })

/** Another run took over, or the owner threw the file away. */
const stepBack = async (run: Run): Promise<void> => {
  const row = await run.database.asSystem(async (tx) => {
    await tx.count(sql`update asset set ${notACrash} where id = ${run.id} and derived ? 'crashes'`)
    // Thrown away, or erased with its officer.
    return tx.first(sql`select from asset where id = ${run.id} and not (state = 'ready' and derived = '{}')`)
  })
  if (!row) await storage().remove(run.id)
}

const reasons: Record<GivenUp, string> = {
  crashed:
    'Our service stopped three times while it worked on this file. Export it again as MP4 and send the new copy.',
  memory:
    'Our memory ran out while we worked on this file. Send it again later; if that fails too, export it in 1080p or smaller and send the new copy.',
  fault: 'Something went wrong on our side while we worked on this file. Please send it again.',
}

const write = async (run: Run, changes: ReturnType<typeof sql>) => {
  const row = unlessOvertaken(
    await run.database.asSystem((tx) =>
      tx.first(sql<Pick<AssetRow, 'state' | 'derived'>>`
        update asset set ${changes}, modified_at = now() where id = ${run.id} and attempt = ${run.attempt}
        returning state, derived`),
    ),
  )
  run.state = row.state
  return row
}

const settled = async (id: string, folder: string, made: Partial<Derivatives>): Promise<Derived> => {
  const place = async (file: string) => {
    await storage().settle(id, `${folder}/${file}`)
    return `${folder}/${file}`
  }
  const { poster, thumb, peaks, proxy, filmstrip, light } = made
  const strip = filmstrip && {
    path: await place(filmstrip.file),
    columns: filmstrip.columns,
    rows: filmstrip.rows,
    count: filmstrip.count,
    tileWidth: filmstrip.width,
    tileHeight: filmstrip.height,
    everyMs: filmstrip.intervalMs,
  }
  return {
    ...(poster && { poster: await place(poster.file) }),
    ...(thumb && { thumb: await place(thumb.file) }),
    ...(peaks && { peaks: await place(peaks.file) }),
    ...(proxy && { proxy: await place(proxy.file) }),
    ...(strip && { filmstrip: strip }),
    ...(light && { light }),
  }
}

const filesOf = ({ original, proxy, poster, thumb, peaks, filmstrip, shake, tone, posted = {} }: Derived): string[] =>
  [original, proxy, poster, thumb, peaks, filmstrip?.path, shake?.path, tone?.path, ...Object.values(posted)].filter(
    (path) => typeof path === 'string',
  )

/** What is being made, as people read it. */
const stageWords = {
  check: 'checking',
  poster: 'cover picture',
  peaks: 'waveform',
  proxy: 'playback copy',
  filmstrip: 'filmstrip',
} as const satisfies Record<Stage | 'check', string>

const extensionFor = ({ container, kind, mp4 }: Probe): string => {
  if (container === 'mov') return kind === 'audio' ? 'm4a' : mp4 ? 'mp4' : 'mov'
  return { matroska: 'mkv', wav: 'wav', mp3: 'mp3', png: 'png', jpeg: 'jpg', webp: 'webp' }[container]
}
