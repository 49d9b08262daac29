import { join } from 'node:path'
import type { RawBuilder } from 'kysely'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { readRecipe } from '@clear-to-post/edit/read-recipe'
import { clipsNamed, filesNamed, type Recipe } from '@clear-to-post/edit/recipe'
import { lengthProblems, mostRenderingMs } from '@clear-to-post/edit/render-length'
import { bitmapOf, type Bitmap } from '@clear-to-post/media/bitmap'
import { partNames, plan, run as render, videoFile, type Rendered } from '@clear-to-post/media/render'
import { withPictureEnd } from '@clear-to-post/media/probe'
import type { RenderProgress } from '@clear-to-post/media/render-meter'
import { copiedHere, discardUnused, originalsOf, putCut, type Original } from '../assets/actions.ts'
import {
  Overtaken,
  progressWriter,
  runAttempt,
  isOfTheMachine,
  unlessOvertaken,
  type GivenUp,
  type Pause,
} from '../kernel/attempt.ts'
import { sql, type Database, type Tx } from '../kernel/database.ts'
import type { JobContext } from '../kernel/work.ts'
import { storage, type Copies } from '../outside/storage.ts'
import { measuredOf } from './measured.ts'
import { painting } from './painting.ts'
import { deleteRender, surplusRenders, type RenderRow } from './store.ts'

/** Where the chunks of projects' renders are kept, by project: they go with it. */
export const chunks = () => storage().area('chunks')

/** What a run knows of its render; `attempt` is this run's, which another one overtakes with the next number. */
type Claim = Pick<
  RenderRow,
  'id' | 'project_id' | 'tenant_id' | 'recipe' | 'attempt' | 'crashes' | 'asked_by' | 'revision'
>
type Run = JobContext & Claim

/**
 * Makes the finished file of a render. Every write asks for this run's attempt, so that of two runs (one was believed
 * dead) only the newest counts; chunks that an earlier one finished are used again. The file becomes a cut of the project
 * in the same transaction that says it is done. One over which its worker died twice is given up, and one that takes more
 * than `mostMs` of its recipe. Throws what is worth another try.
 */
export const makeRender = async (
  context: JobContext,
  renderId: string,
  { mostMs = mostRenderingMs }: { mostMs?: (recipe: Recipe) => number } = {},
): Promise<void> => {
  const run = await begin(context, renderId)
  if (!run) return
  // A folder for each run: one that was believed dead may still be writing.
  const folder = join('renders', run.id, String(run.attempt))
  await runAttempt(run, {
    about: { renderId },
    crashes: run.crashes,
    work: async () => {
      await storage().requireRoom('work')
      const outDir = await storage().workFolder(folder)
      const made = await work(run, outDir, mostMs)
      if (made) await publish(run, join(outDir, videoFile))
    },
    isWorthAnotherTry: (why) => !run.lastAttempt && (isOfTheMachine(why) || run.attempt < 4),
    // Nobody works on it until its next try: it says so, instead of standing where it stood.
    pause: async (why) => {
      await write(run, sql`state = 'queued', stage = ${pauses[why]}, seconds_left = null`)
      return false
    },
    giveUp: (why) => giveUp(run, reasons[why]),
    stepBack: () => notACrash(run),
  }).finally(() => storage().dropWork(folder))
}

/** Did it run when its worker died? */
export const renderCrashed = async (database: Database, renderId: string): Promise<boolean> =>
  (await database.asSystem((tx) => tx.count(sql`select from render where id = ${renderId} and state = 'running'`))) ===
  1

/** Who ends alive leaves no render running: one that still is when it is begun made its worker die. */
const begin = async (context: JobContext, renderId: string): Promise<Run | null> => {
  const row = await context.database.asSystem((tx) =>
    tx.first(sql<Claim>`
      update render set state = 'running', attempt = attempt + 1, crashes = crashes + (state = 'running')::integer, stage = ${stages.begin}, progress = coalesce(progress, 0),
        seconds_left = null, modified_at = now()
      where id = ${renderId} and state in ('queued', 'running')
      returning id, project_id, tenant_id, recipe, revision, attempt, crashes, asked_by`),
  )
  return row ? { ...context, ...row } : null
}

/** Renders into `outDir`; null when it was stopped, or when the sources refuse. */
const work = async (run: Run, outDir: string, mostMs: (recipe: Recipe) => number): Promise<Rendered | null> => {
  const { recipe, problems } = readRecipe(run.recipe)
  if (!recipe) return giveUp(run, `This edit cannot be rendered. ${problems[0]?.text ?? ''}`)
  const [tooLong] = lengthProblems(recipe)
  if (tooLong) return giveUp(run, tooLong.text)
  await using local = storage().copies(run.signal)
  const planned = await planOf({ ...run, local }, run.project_id, recipe)
  if (typeof planned === 'string') return giveUp(run, planned)
  const progress = progressWriter<RenderProgress>({
    write: async (report) => {
      await write(
        run,
        report
          ? sql`stage = ${stages[report.stage]}, progress = ${report.done}, seconds_left = ${report.secondsLeft}`
          : sql`attempt = attempt`,
      )
      await storage().requireRoom('work')
    },
    everyMs: 1000,
    log: run.log,
  })
  const clock = AbortSignal.timeout(mostMs(recipe))
  const parts = await partNames(planned.plan, run.signal)
  try {
    await chunks().bring(run.project_id, parts, run.signal)
    const made = await render(planned.plan, {
      files: planned.files,
      paint: planned.paint,
      cacheDir: await chunks().folder(run.project_id),
      outDir,
      ...(run.cores !== undefined && { cores: run.cores }),
      onProgress: progress.report,
      signal: AbortSignal.any([run.signal, progress.signal, clock]),
    })
    return made.ok ? made : await giveUp(run, made.reason)
  } catch (error) {
    if (error !== clock.reason) throw error
    return giveUp(run, takesTooLong)
  } finally {
    await progress.end()
    // What is finished is there for whoever goes on, on whichever host.
    await chunks()
      .keep(run.project_id, parts)
      .catch((error: unknown) => run.log.warn({ err: error, renderId: run.id }, 'pieces of a render were not kept'))
  }
}

/** What a recipe's video is made of, and from what; or a sentence when a file of it is missing. */
export const planOf = async (
  context: Pick<JobContext, 'database' | 'signal'> & { local: Copies },
  projectId: string,
  recipe: Recipe,
) => {
  const materials = await materialsOf(context, projectId, recipe)
  if (typeof materials === 'string') return materials
  const { painted, paint } = await painting(recipe, await logoOf(context, recipe, materials))
  const files = new Map([...materials].map(([id, { path }]) => [id, path]))
  const measured = await measuredOf(context, recipe, materials)
  const known = new Map([...materials].map(([id, { hash, probe }]) => [id, { hash, probe, ...measured.get(id) }]))
  return { plan: plan(recipe, { materials: known, painted }), files, paint }
}

/** The brand's logo for the cards, large enough for 4K; a file that is no picture is left out. */
const logoOf = async (
  run: Pick<JobContext, 'signal'>,
  { brand }: Recipe,
  materials: Map<string, Original>,
): Promise<Bitmap | null> => {
  const logo = materials.get(brand.logo ?? '')
  if (logo?.probe.kind !== 'picture') return null
  return bitmapOf(logo.path, logo.probe, { width: 800, height: 800 }, run.signal)
}

/** The files that a recipe names, or a sentence when one is missing. */
const materialsOf = async (
  { database, signal, local }: Pick<JobContext, 'database' | 'signal'> & { local: Copies },
  projectId: string,
  recipe: Recipe,
): Promise<Map<string, Original> | string> => {
  const ids = filesNamed(recipe)
  const known = await database.asSystem((tx) => originalsOf(tx, ids, { for: projectId }))
  const found = await copiedHere(local, known)
  const named = new Map(recipe.sources.map(({ assetId, name }) => [assetId, `“${name}”`]))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined && clipsNamed(recipe).includes(missing))
    return 'A B-roll clip of this edit is no longer here. Take it out of the edit, or choose another one.'
  if (missing !== undefined)
    return `${named.get(missing) ?? 'A file'} of this edit is no longer here. Take it out, or upload it again.`
  // Files that an earlier release checked do not say when their picture ends.
  const measured = [...found].map(
    async ([id, one]) => [id, { ...one, probe: await withPictureEnd(one.path, one.probe, signal) }] as const,
  )
  return new Map(await Promise.all(measured))
}

/**
 * The finished file becomes a cut, the render done, and files that are too many go: all or nothing. A run that was
 * overtaken leaves nothing.
 */
const publish = async (run: Run, path: string): Promise<void> => {
  const file = { path, fileName: `edit ${run.revision}.mp4`, authorId: run.asked_by, projectId: run.project_id }
  const claim = async (tx: Tx, assetId: string) => {
    const done = await tx.count(sql`
      update render set state = 'done', asset_id = ${assetId}, stage = null, progress = 1, seconds_left = null,
        modified_at = now() where ${mine(run)}`)
    if (done === 1) await dropSurplus(tx, run.project_id)
    return done === 1
  }
  if ((await putCut(run.database, file, claim)) === null) throw new Overtaken()
}

/** Throws away the older of a project's finished files that were never sent: see docs/decisions/0417. */
const dropSurplus = async (tx: Tx, projectId: string): Promise<void> => {
  const most = { files: mostKept.finishedRenders, bytes: mostKept.finishedRenderBytes }
  for (const { id, asset_id, author_id } of await surplusRenders(tx, projectId, most)) {
    // One that is sent at this moment stays.
    const isGone = asset_id === null || author_id === null || (await discardUnused(tx, asset_id, author_id))
    if (isGone) await deleteRender(tx, id)
  }
}

/** This run was believed dead and is not: whoever took over has counted it. */
const notACrash = async ({ database, id, attempt }: Run): Promise<void> => {
  await database.asSystem((tx) =>
    tx.count(sql`
      update render set crashes = crashes - 1
      where id = ${id} and attempt > ${attempt} and state in ('queued', 'running') and crashes > 0`),
  )
}

const giveUp = async (run: Run, reason: string): Promise<null> => {
  await write(run, sql`state = 'failed', reason = ${reason}, stage = null, progress = null, seconds_left = null`)
  return null
}

const write = async (run: Run, columns: RawBuilder<unknown>) =>
  unlessOvertaken(
    await run.database.asSystem((tx) =>
      tx.first(sql`update render set ${columns}, modified_at = now() where ${mine(run)} returning id`),
    ),
  )

const mine = ({ id, attempt }: Run) => sql`id = ${id} and state = 'running' and attempt = ${attempt}`

const takesTooLong =
  'This render took far longer than a video of its length should, and was stopped. Shorten the edit, or try again later.'

const reasons: Record<GivenUp, string> = {
  crashed:
    'This render stopped the machine twice, so it is not tried again. Change the edit and render it anew, or ask an administrator.',
  memory: 'Our memory ran out while this was rendered. Try again later; if it fails once more, write to us.',
  fault: 'Something went wrong on our side while this was rendered. Try again; if it fails once more, write to us.',
}

const pauses: Record<Pause, string> = {
  interrupted: 'Interrupted, goes on by itself',
  'disk-full': 'No room on the disk, tried again by itself',
  'storage-away': 'The files cannot be read for the moment, tried again by itself',
  fault: 'Something went wrong, tried again by itself',
}

const stages = {
  begin: 'Getting ready',
  picture: 'Making the picture',
  sound: 'Mixing the sound',
  join: 'Joining',
  poster: 'Finishing',
} as const
