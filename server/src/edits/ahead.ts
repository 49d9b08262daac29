import type { RawBuilder } from 'kysely'
import { mostCrashes } from '@clear-to-post/domain/crashes'
import {
  atOnceSeconds,
  changedTo,
  isRenderedAhead,
  mayRenderAhead,
  nextParts,
  turnMs,
} from '@clear-to-post/domain/render-ahead'
import type { Status } from '@clear-to-post/domain/workflow'
import { frameAt, msAt } from '@clear-to-post/edit/frames'
import { readRecipe } from '@clear-to-post/edit/read-recipe'
import { lengthProblems, mostRenderingMs } from '@clear-to-post/edit/render-length'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { timelineOf } from '@clear-to-post/edit/timeline'
import { cleanedBy } from '@clear-to-post/media/cleaned-by'
import { MediaTrouble } from '@clear-to-post/media/ffmpeg'
import { makeAhead, partNames, readyOf, type Ready, type RenderPlan } from '@clear-to-post/media/render'
import { copiedHere, keepCleaned, originalsOf } from '../assets/actions.ts'
import { isOfTheMachine, progressWriter, runAttempt, unlessOvertaken, type Pause } from '../kernel/attempt.ts'
import { sql, type Tx } from '../kernel/database.ts'
import type { Jobs } from '../kernel/queue.ts'
import type { JobContext } from '../kernel/work.ts'
import { storage, type Copies } from '../outside/storage.ts'
import { enqueueAhead } from './queue-ahead.ts'
import { chunks, planOf } from './render.ts'
import type { EditedProject, RenderAheadRow } from './store.ts'

type Run = JobContext &
  Claim &
  Pick<EditedProject, 'id' | 'tenant_id' | 'user_id'> & { attempt: number; crashes: number; crashesInAll: number }

/** What is asked before a run begins. `quiet_ms`: for how long nothing has been saved. */
type Claim = {
  revision: number
  recipe: Record<string, unknown>
  quiet_ms: number
  has_render: boolean
  status: Status
  editor_id: string | null
  before: Pick<
    RenderAheadRow,
    'revision' | 'state' | 'crashes' | 'crashes_in_all' | 'spent_ms' | 'chunk_names' | 'chunks_of' | 'changed_to'
  > | null
}

/**
 * Makes what is missing of a project's saved edit, one part after the other, until all is ready, its turn is over, the edit
 * changed, or it is told to stop; what it made stays. It never says of a file that it is damaged: the render that
 * somebody asks for does. `pollNow` is the clock, in ms; `roomEveryMs`: how often it looks whether there is still room.
 */
export const renderAhead = async (
  context: JobContext,
  { projectId, revision }: Jobs['render-ahead'],
  { pollNow = Date.now, roomEveryMs = 1000 }: { pollNow?: () => number; roomEveryMs?: number } = {},
): Promise<void> => {
  const run = await begin(context, projectId, revision)
  if (!run) return
  const began = pollNow()
  const wait = (ms: number) => waitFor(run, ms, pollNow() - began)
  await runAttempt(run, {
    about: { aheadOf: projectId },
    crashes: mayRenderAhead(run.crashes, run.crashesInAll) ? 0 : mostCrashes,
    work: async () => {
      const made = await work(run, () => pollNow() - began, roomEveryMs)
      if (made === 'done')
        await write(
          run,
          sql`state = 'done', crashes = 0, crashes_in_all = 0, spent_ms = spent_ms + ${Math.round(pollNow() - began)}`,
        )
      else if (made === 'stopped') await write(run, sql`state = 'stopped'`)
      else await wait(made.waitMs)
    },
    isWorthAnotherTry: isOfTheMachine,
    pause: async (why) => {
      await wait(pauseMs[why])
      return true
    },
    giveUp: () => write(run, sql`state = 'stopped'`),
  })
}

const pauseMs: Record<Pause, number> = {
  interrupted: 1000,
  'disk-full': 10 * 60_000,
  'storage-away': 60_000,
  fault: 60_000,
}

/** A later job goes on. */
const waitFor = (run: Run, ms: number, spentMs: number): Promise<void> =>
  run.database.asSystem(async (tx) => {
    unlessOvertaken(
      await tx.first(sql`
        update render_ahead set state = 'waiting', spent_ms = spent_ms + ${Math.round(spentMs)}, modified_at = now()
        where ${mine(run)} returning project_id`),
    )
    await enqueueAhead(tx, run, run.revision, new Date(Date.now() + ms))
  })

/** Null when there is nothing to do now: what was saved later has a job of its own. */
const begin = (context: JobContext, projectId: string, revision: number): Promise<Run | null> =>
  context.database.asSystem(async (tx) => {
    const found = await findClaim(tx, projectId)
    if (found?.revision !== revision || !isRenderedAhead(factsOf(found))) return null
    if (found.has_render) {
      await enqueueAhead(tx, found, revision, new Date(Date.now() + 5000))
      return null
    }
    const { before } = found
    const isSame = before?.revision === found.revision
    if (isSame && (before?.state === 'done' || before?.state === 'stopped')) return null
    // Who ends alive leaves none running: one that still is made its worker die.
    const died = before?.state === 'running' ? 1 : 0
    const crashes = isSame ? before.crashes + died : 0
    const crashesInAll = (before?.crashes_in_all ?? 0) + died
    const row = await tx.first(sql<{ attempt: number }>`
      insert into render_ahead as a (project_id, tenant_id, revision, state, attempt)
      values (${projectId}, ${found.tenant_id}, ${found.revision}, 'running', 1)
      on conflict (project_id) do update set tenant_id = excluded.tenant_id, revision = excluded.revision,
        state = 'running', attempt = a.attempt + 1, crashes = ${crashes}, crashes_in_all = ${crashesInAll},
        spent_ms = case when a.revision = excluded.revision then a.spent_ms else 0 end, modified_at = now()
      returning attempt`)
    return { ...context, ...found, attempt: row!.attempt, crashes, crashesInAll }
  })

const findClaim = (tx: Tx, projectId: string) =>
  tx.first(sql<Claim & Pick<EditedProject, 'id' | 'tenant_id' | 'user_id'>>`
    select p.id, p.tenant_id, p.user_id, p.editor_id, p.status, e.revision, e.recipe,
      (extract(epoch from now() - e.modified_at) * 1000)::float8 as quiet_ms,
      exists (select from render r where r.project_id = p.id and r.state in ('queued', 'running')) as has_render,
      (select to_jsonb(a) from render_ahead a where a.project_id = p.id) as before
    from edit e join project p on p.id = e.project_id join person o on o.id = p.user_id
      left join tenant t on t.id = p.tenant_id
    where p.id = ${projectId} and e.state = 'ready' and e.recipe is not null and o.removed_at is null
      and not o.is_disabled and coalesce(t.is_active, true)`)

/** Is what this run makes still what somebody works on? */
const isWanted = (run: Run): Promise<boolean> =>
  run.database.asSystem(async (tx) => {
    const found = await findClaim(tx, run.id)
    return found?.revision === run.revision && isRenderedAhead(factsOf(found))
  })

const factsOf = ({ editor_id: editorId, status }: Pick<Claim, 'editor_id' | 'status'>) => ({ editorId, status })

type Made = 'done' | 'stopped' | { waitMs: number }

const work = async (run: Run, spentMs: () => number, roomEveryMs: number): Promise<Made> => {
  const { recipe } = readRecipe(run.recipe)
  if (!recipe || lengthProblems(recipe).length > 0 || timelineOf(recipe).pieces.length === 0) return 'stopped'
  await storage().requireRoom('work')
  await using local = storage().copies(run.signal)
  await measureCleaned(run, recipe, local)
  const planned = await planOf({ ...run, local }, run.id, recipe)
  if (typeof planned === 'string') return 'stopped'
  const { plan, files, paint } = planned
  const place = { cacheDir: await chunks().folder(run.id), signal: run.signal }
  const names = await partNames(plan, run.signal)
  await chunks().bring(run.id, names, run.signal)
  const mostFrames = frameAt(atOnceSeconds * 1000, plan.fps)
  const spentBefore = run.before?.revision === run.revision ? run.before.spent_ms : 0
  let reached: number | null | undefined
  for (let parts = 0; ; parts++) {
    const ready = await readyOf(plan, place)
    if (reached === undefined) reached = reachOf(run, plan, ready)
    await note(run, plan, ready, reached)
    const quietForMs = run.quiet_ms + spentMs()
    const next = nextParts(plan.chunks, ready, { changedTo: reached, quietForMs, mostFrames })
    if (!next) return 'done'
    if ('waitMs' in next) return next
    // Something is made in each turn, however slow the machine is.
    if (parts > 0 && spentMs() > turnMs) return { waitMs: 0 }
    if (!(await isWanted(run))) return 'stopped'
    if (spentBefore + spentMs() > mostRenderingMs(recipe)) return 'stopped'
    await storage().requireRoom('work')
    // One part may be much: the sound of a whole video lies beside it without loss while it is mixed.
    const room = progressWriter({ write: () => storage().requireRoom('work'), everyMs: roomEveryMs, log: run.log })
    const signal = AbortSignal.any([run.signal, room.signal])
    const made = await makeAhead(plan, next.make, { files, paint, ...place, signal }).finally(room.end)
    if (!made.ok) return 'stopped'
    await chunks().keep(run.id, names)
  }
}

/** How loud takes are once they are cleaned, each measured once: the preview makes them as loud as the file by it. */
const measureCleaned = async ({ database, id, signal }: Run, recipe: Recipe, local: Copies): Promise<void> => {
  if (!recipe.sound.clean) return
  const kept = new Set(recipe.keep.map(({ source }) => source))
  const takes = recipe.sources.flatMap((source) => (kept.has(source.id) ? source.assetId : []))
  const known = await database.asSystem((tx) => originalsOf(tx, takes, { for: id }))
  const missing = new Map([...known].filter(([, { cleanedBy }]) => cleanedBy === undefined))
  for (const { id: assetId, path, probe } of (await copiedHere(local, missing)).values()) {
    const louder = await cleanedBy(path, probe, { place: await chunks().folder(id), signal }).catch(
      (error: unknown) => {
        if (error instanceof MediaTrouble && (error.reason === 'timeout' || error.reason === 'memory')) return null
        throw error
      },
    )
    // What cannot be measured is not tried again with each revision: its preview is as loud as it was recorded.
    await database.asSystem((tx) => keepCleaned(tx, assetId, louder ?? 0))
  }
}

/** Up to where the last change reached: as an earlier run of this revision found it, or by the chunks of the one before. */
const reachOf = ({ before, revision }: Run, { chunks }: RenderPlan<unknown>, { names }: Ready): number | null =>
  before?.chunks_of === revision
    ? before.changed_to
    : changedTo(chunks, { names, namesBefore: before?.chunk_names ?? [], before: before?.changed_to ?? null })

/** Writes down what is ready, for who works on the edit, and by what the next change is seen. */
const note = (run: Run, plan: RenderPlan<unknown>, ready: Ready, reached: number | null): Promise<unknown> =>
  write(
    run,
    sql`chunks_of = revision, chunk_names = ${ready.names}::text[], changed_to = ${reached}, length_ms = ${msAt(plan.frames, plan.fps)},
      ready = ${JSON.stringify(stretchesOf(plan, ready))}`,
  )

const stretchesOf = ({ chunks, fps }: RenderPlan<unknown>, ready: Ready): [number, number][] => {
  const stretches: [number, number][] = []
  chunks.forEach(({ at, frames }, i) => {
    if (!ready.chunks[i]) return
    const [from, to] = [msAt(at, fps), msAt(at + frames, fps)]
    const last = stretches.at(-1)
    if (last?.[1] === from) last[1] = to
    else stretches.push([from, to])
  })
  return stretches
}

const write = async (run: Run, columns: RawBuilder<unknown>) =>
  unlessOvertaken(
    await run.database.asSystem((tx) =>
      tx.first(sql`update render_ahead set ${columns}, modified_at = now() where ${mine(run)} returning project_id`),
    ),
  )

const mine = ({ id, attempt }: Run) => sql`project_id = ${id} and state = 'running' and attempt = ${attempt}`
