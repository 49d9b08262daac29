import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import { mostListeningMs, refusedScript } from '@clear-to-post/domain/first-cut'
import { Status } from '@clear-to-post/domain/workflow'
import { balanceOf } from '@clear-to-post/edit/balance'
import { firstCut } from '@clear-to-post/edit/first-cut'
import { flawLimits } from '@clear-to-post/edit/flaws'
import type { Loud } from '@clear-to-post/edit/loudness'
import type { Person } from '@clear-to-post/edit/person'
import { applyLook, lookOf, withStyle } from '@clear-to-post/edit/look'
import { readRecipe } from '@clear-to-post/edit/read-recipe'
import type { Captions, Flaw, Recipe, Source, Span } from '@clear-to-post/edit/recipe'
import { saidIn, scriptIn, wordsOf } from '@clear-to-post/edit/subtitles'
import { flawsOf } from '@clear-to-post/media/flaws'
import { findPerson } from '@clear-to-post/media/person'
import { lightOf } from '@clear-to-post/media/picture-light'
import { stillMs, withPictureEnd } from '@clear-to-post/media/probe'
import { unsaidInAll } from '@clear-to-post/speech/correct'
import { glossaryOf as glossaryFrom, type Glossary } from '@clear-to-post/speech/glossary'
import { transcribe, transcriberFrom } from '@clear-to-post/speech/transcribe'
import type { Transcript } from '@clear-to-post/speech/transcript'
import { copiedHere, originalsOf, sourcesOfProject, type Original } from '../assets/actions.ts'
import { progressWriter, runAttempt, unlessOvertaken, type Pause } from '../kernel/attempt.ts'
import { secretOf } from '../kernel/config.ts'
import { sql, systemCaller, type Database, type Tx } from '../kernel/database.ts'
import type { JobContext } from '../kernel/work.ts'
import { storage } from '../outside/storage.ts'
import { brandOf } from './brand.ts'
import { glossaryOf, isOfItsCompany, lastApproved, lockProjectInReach, type EditedProject } from './store.ts'

type Run = JobContext & { project: EditedProject; script: string; attempt: number; revision: number }

/**
 * Finds the words of a project's takes and makes its first cut. Safe to repeat: of two runs the newest counts, and what
 * a person saved is replaced only when somebody asked for it. `listeningMs`: how long the words are looked for at most.
 * Throws what is worth another try.
 */
export const prepareFirstCut = async (
  context: JobContext,
  projectId: string,
  { listeningMs = mostListeningMs }: { listeningMs?: number } = {},
): Promise<void> => {
  const run = await begin(context, projectId)
  if (!run) return
  await runAttempt(run, {
    about: { firstCutOf: projectId },
    // It has three runs, however they end.
    crashes: 0,
    work: async () => {
      // The video may be canceled while its words are looked for: nobody listens on, then.
      const life = progressWriter({ write: () => write(run, sql`attempt = attempt`), everyMs: 1000, log: run.log })
      const heard = { ...run, signal: AbortSignal.any([run.signal, life.signal]) }
      try {
        const made = await make(heard, performance.now() + listeningMs)
        await write(run, typeof made === 'string' ? failure(made) : success(made))
      } finally {
        await life.end()
      }
    },
    pause: async (why) => {
      await write(run, sql`state = 'waiting', stage = ${pauses[why]}, progress = null`)
      return false
    },
    giveUp: () =>
      write(run, failure('Something went wrong on our side while the words were found. Ask for the first cut again.')),
  })
}

/** Did it run when its worker died? Who ends alive leaves none that is being prepared. */
export const firstCutCrashed = async (database: Database, projectId: string): Promise<boolean> =>
  (await database.asSystem((tx) =>
    tx.count(sql`select from edit where project_id = ${projectId} and state = 'preparing'`),
  )) === 1

/** Null when there is nothing to do: the project is gone or canceled, or its first cut is there and nobody asked for another. */
const begin = (context: JobContext, projectId: string): Promise<Run | null> =>
  context.database.asSystem(async (tx) => {
    const project = await lockProjectInReach(tx, systemCaller, projectId)
    if (!project || project.status === Status.canceled) return null
    const row = await tx.first(sql<{ script: string; attempt: number; revision: number }>`
      insert into edit as e (project_id, tenant_id, state, stage, progress, script, attempt)
      values (${projectId}, ${project.tenant_id}, 'preparing', ${stages.begin}, 0, ${project.caption_suggestion ?? ''}, 1)
      on conflict (project_id) do update
        set state = 'preparing', stage = excluded.stage, progress = 0, attempt = e.attempt + 1, modified_at = now()
        where e.state in ('waiting', 'preparing')
      returning script, attempt, revision`)
    return row ? { ...context, project, ...row } : null
  })

type Made = { recipe: Recipe; transcript: { means: string; notes: string[] } }

/** The recipe and how its words were found, or a sentence why there is none. `until`: nobody listens longer, by `performance.now()`. */
const make = async (run: Run, until: number): Promise<Made | string> => {
  const { found, brand, glossary, approved } = await run.database.asSystem(async (tx) => ({
    found: await filmed(tx, run.project.id),
    brand: await brandOf(tx, run.project),
    glossary: glossaryFrom({
      officer: await glossaryOf(tx, (await isOfItsCompany(tx, run.project)) ? run.project.user_id : null),
      tenant: await glossaryOf(tx, run.project.tenant_id),
    }),
    approved: await lastApproved(tx, run.project),
  }))
  await using local = storage().copies(run.signal)
  const originals = await copiedHere(local, found.known, { withMade: true })
  const takes = await Promise.all(takesOf(found.rows, originals).map((take) => measured(take, run.signal)))
  if (takes.length === 0) return 'None of the source files is a video that is still here.'
  const recordedMs = takes.reduce((sum, { source }) => sum + source.durationMs, 0)
  // An officer's own words were never refused: where they are no script of this, it is made without them.
  const tooLong = refusedScript(textOf(run.script), recordedMs)
  const script = tooLong ? '' : textOf(run.script)
  const { people, flaws, heard } = await seenAndHeard(run, takes, { script, glossary, until })
  const [only] = takes
  if (
    !tooLong &&
    isTimed(run.script) &&
    takes.length === 1 &&
    (heard[0]!.means === 'shared-out' || heard[0]!.words.length === 0)
  )
    heard[0] = timed(heard[0]!, wordsOf(saidIn(run.script), only!.source))
  const style = run.project.caption_style as Captions['style']
  const cut = firstCut({
    sources: takes.map(({ source }) => source),
    words: heard.flatMap(({ words }) => words),
    unsaid: unsaidInAll(heard, script),
    silences: heard.flatMap(({ silences }) => silences),
    stills: takes.flatMap(stillOf),
    people,
    heard: await loudnessOf(takes),
    logs: new Map(takes.flatMap(({ source, original: { log } }) => (log ? [[source.id, log] as const] : []))),
    script,
    brand,
    style,
    tour: run.project.tour && { ...run.project.tour, rooms: [] },
  })
  const bare = flaws.length > 0 ? { ...cut, flaws } : cut
  const look = approved && readRecipe(approved).recipe
  // Music is a file of its project; none goes along to another one.
  const recipe = look ? applyLook(withStyle(lookOf(look), style), () => false)(bare) : bare
  // A recipe nobody can open is worse than none: it would stand in the way of another.
  const { problems } = readRecipe(recipe)
  if (problems) throw new Error(`The first cut is no recipe: ${problems[0]?.where} ${problems[0]?.text}`)
  const means = heard.find(({ words }) => words.length > 0)?.means ?? heard[0]!.means
  const notes = new Set([
    ...(tooLong ? [tooLong] : []),
    ...heard.flatMap((one) => one.notes),
    ...(recipe === bare ? [] : [likeTheLast]),
  ])
  return { recipe, transcript: { means, notes: [...notes] } }
}

const likeTheLast =
  'Captions, cards, colors and moves are as in the last approved video of this officer. Undo what does not fit.'

/** A subtitle file may stand where a script is asked for. */
const isTimed = (script: string): boolean => script.includes('-->')

/** The words of a script, also where it is a subtitle file; an arrow in a plain text makes it none. */
export const textOf = (script: string): string => (isTimed(script) && scriptIn(script)) || script

/** Where the sound does not tell when the words are said, a caption file's own times are better than none. */
const timed = (heard: Transcript, words: Transcript['words']): Transcript =>
  words.length === 0
    ? heard
    : { ...heard, words, unsaid: [], notes: ['The times of the words are those of the caption file. Check them.'] }

type Take = { source: Source; original: Original }

const filmed = async (tx: Tx, projectId: string) => {
  const rows = await sourcesOfProject(tx, projectId)
  const ids = rows.map(({ id }) => id)
  return { rows, known: await originalsOf(tx, ids) }
}

const takesOf = (rows: Awaited<ReturnType<typeof filmed>>['rows'], originals: ReadonlyMap<string, Original>): Take[] =>
  rows
    .flatMap((row) => {
      const original = originals.get(row.id)
      return original?.probe.video && original.probe.kind === 'video'
        ? [{ row, original, video: original.probe.video }]
        : []
    })
    .map(({ row, original, video }, i) => ({
      original,
      source: {
        id: `s${i + 1}`,
        assetId: row.id,
        name: row.file_name,
        durationMs: original.probe.durationMs,
        width: video.width,
        height: video.height,
        fps: rateOf(video.fps),
        hasSound: original.probe.audio !== null,
      },
    }))

/** Files that an earlier release checked do not say when their picture ends, and what their light is like. */
const measured = async ({ source, original }: Take, signal: AbortSignal): Promise<Take> => {
  const probe = await withPictureEnd(original.path, original.probe, signal)
  const light = original.light ?? (await lightOf(original.path, probe, signal))
  const balance = light && balanceOf(light)
  return { source: balance ? { ...source, balance } : source, original: { ...original, probe } }
}

type Listening = { script: string; glossary: Glossary; until: number }

/** Who is seen and what is said in the takes, beside each other. Nobody looks on when the listening fails. */
const seenAndHeard = async (run: Run, takes: readonly Take[], listening: Listening) => {
  const stop = new AbortController()
  const looking = seenIn({ ...run, signal: AbortSignal.any([run.signal, stop.signal]) }, takes)
  try {
    return { heard: await hear(run, takes, listening), ...(await looking) }
  } finally {
    stop.abort()
    await looking
  }
}

/** The voices lie in a folder of this run's: what a kill leaves of them goes with the next sweep (`dropDeadRuns`). */
const hear = async (run: Run, takes: readonly Take[], listening: Listening) => {
  const folder = join('listening', run.project.id, String(run.attempt))
  try {
    return await hearIn(await storage().workFolder(folder), run, takes, listening)
  } finally {
    await storage().dropWork(folder)
  }
}

const hearIn = async (folder: string, run: Run, takes: readonly Take[], { script, glossary, until }: Listening) => {
  const heard: Transcript[] = []
  for (const [i, { source, original }] of takes.entries()) {
    await write(run, sql`stage = ${stages.listen}, progress = ${i / takes.length}`)
    heard.push(
      await transcribe({
        file: original.path,
        probe: original.probe,
        source: source.id,
        script,
        glossary,
        // Who asks for another first cut has read that the words were not found.
        isSure: run.revision > 0,
        transcriber: transcriberFrom({ ...process.env, TRANSCRIBER_KEY: secretOf(process.env, 'TRANSCRIBER_KEY') }),
        withinMs: until - performance.now(),
        folder,
        signal: run.signal,
      }),
    )
  }
  return heard
}

/**
 * Where the person is in each take, and where its picture is black or stands still, one take after the other. What cannot be found
 * out of a take it is cut without.
 */
const seenIn = async ({ signal, log, project }: Run, takes: readonly Take[]) => {
  const people = new Map<string, Person>()
  const flaws: Flaw[] = []
  const unless = (what: string) => (error: unknown) => {
    if (!signal.aborted) log.warn({ err: error, project: project.id }, what)
    return null
  }
  for (const { source, original } of takes) {
    if (signal.aborted) break
    const { path: file, proxy, probe } = original
    const looked = { file, proxy, probe, signal }
    const person = await findPerson(looked).catch(unless('nobody could look for the person of a take'))
    if (person) people.set(source.id, person)
    const found = await flawsOf(looked).catch(unless('nobody could look for black and frozen pictures of a take'))
    for (const { kind, start, end } of found ?? []) {
      const flaw = { source: source.id, kind, start, end: Math.min(end, source.durationMs) }
      if (flaw.start < flaw.end && flaws.length < flawLimits.most) flaws.push(flaw)
    }
  }
  return { people, flaws }
}

/** How loud the takes are heard to be, as far as that was measured already. */
const loudnessOf = async (takes: readonly Take[]): Promise<Map<string, Loud>> => {
  const heard = new Map<string, Loud>()
  for (const { source, original } of takes) {
    const loud = original.peaks && (await loudnessIn(original.peaks).catch(() => undefined))
    if (loud) heard.set(source.id, loud)
  }
  return heard
}

const loudnessIn = async (file: string): Promise<Loud | undefined> =>
  Measured.safeParse(JSON.parse(await readFile(file, 'utf8'))).data?.loud

/** What ingest writes beside a waveform; files of older versions have none of it. */
const Measured = z.object({
  loud: z.object({ first: z.number(), perSecond: z.number().positive(), lufs: z.array(z.number()) }),
})

const stillOf = ({ source: { id, durationMs }, original }: Take): Span[] => {
  const still = stillMs(original.probe)
  return still > 0 ? [{ source: id, start: durationMs - still, end: durationMs }] : []
}

/** Pictures a second as a fraction: the broadcast rates exactly, every other to a thousandth; 240 at most, as a recipe has it. */
const rateOf = (claimed: number): Source['fps'] => {
  const fps = Math.min(240, claimed)
  const whole = Math.round(fps * 1.001)
  if (Math.abs(fps - (whole * 1000) / 1001) < 0.002) return { num: whole * 1000, den: 1001 }
  return Number.isInteger(fps) ? { num: fps, den: 1 } : { num: Math.max(1, Math.round(fps * 1000)), den: 1000 }
}

const success = ({ recipe, transcript }: Made) => sql`
  state = 'ready', stage = null, progress = null, reason = null, recipe = ${JSON.stringify(recipe)},
  first_cut = ${JSON.stringify(recipe)}, transcript = ${JSON.stringify(transcript)}, revision = revision + 1`

/** An edit that was there before goes on as it was, with a note. */
const failure = (reason: string) => sql`
  state = case when recipe is null then 'failed' else 'ready' end, stage = null, progress = null, reason = ${reason},
  transcript = case when recipe is null then transcript
    else coalesce(transcript, '{"means": "aligned"}') || jsonb_build_object('notes', jsonb_build_array(${reason}::text)) end`

const write = async (run: Run, columns: RawBuilder<unknown>) =>
  unlessOvertaken(
    await run.database.asSystem((tx) =>
      tx.first(sql`
        update edit set ${columns}, modified_at = now()
        where project_id = ${run.project.id} and state = 'preparing' and attempt = ${run.attempt} returning project_id`),
    ),
  )

const pauses: Record<Pause, string> = {
  interrupted: 'Interrupted, goes on by itself',
  'disk-full': 'Something went wrong, tried again by itself',
  'storage-away': 'The files cannot be read for the moment, tried again by itself',
  fault: 'Something went wrong, tried again by itself',
}

const stages = {
  begin: 'Getting ready',
  listen: 'Finding the words',
} as const
