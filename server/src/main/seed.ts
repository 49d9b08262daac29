import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '@clear-to-post/contract/errors'
import { makeClip } from '@clear-to-post/media/make-clip'
import { letGo, type putFile } from '../assets/actions.ts'
import { openAssets } from '../assets/open.ts'
import { addClip } from '../clips/actions.ts'
import { sql, type Caller, type Database, type Tx } from '../kernel/database.ts'
import type { Log } from '../kernel/work.ts'
import { createProject } from '../projects/create.ts'
import type { Config } from '../kernel/config.ts'
import { demoClips } from './demo/clips.ts'
import { bring, heldFile } from './demo/files.ts'
import { addDemoPosts } from './demo/posts.ts'
import { addDemoPeople, demoPeople, type DemoPerson } from './demo/people.ts'
import { addDemoQuestions } from './demo/questions.ts'
import { addDemoTriggers } from './demo/triggers.ts'
import { demoProjects, monthAfter, scriptOf, type DemoProject, type DemoStep } from './demo/projects.ts'

type Seed = {
  database: Database
  config: Pick<Config, 'seed' | 'dataDir' | 'mediaSecret' | 'bucket' | 'stripe'>
  log: Log
  /** Hears, in words, what is being done. */
  report?: (line: string) => void
  signal?: AbortSignal
  /** Draws one clip; a test of the steps has no need for nineteen different ones. */
  draw?: typeof makeClip
  /** Takes one clip in; nor need nineteen be checked. */
  put?: typeof putFile
}

/**
 * Loads the demo once: people, products and scripts in one transaction, then projects in every status, walked through the
 * workflow with short videos made here. A kill in the middle leaves whole steps, and the next call goes on from there; a
 * second process that does the same at once takes no step twice. Does nothing with `SEED=none`, and nothing to a database
 * that has people of its own: accounts with a known password have no place there.
 */
export const seed = async (input: Seed): Promise<void> => {
  if (await seedPeople(input)) await seedProjects(input)
}

/** The quick part (a second): true when the demo's people are there, now or since an earlier start. */
export const seedPeople = async ({ database, config, report = () => {} }: Seed): Promise<boolean> => {
  if (config.seed === 'none') return false
  return database.asSystem(async (tx) => {
    if (!(await takeStep(tx, 'people'))) return true
    if (await tx.first(sql`select from person limit 1`)) {
      report('This database has people of its own: the demo is left out')
      await tx.count(sql`delete from seeded where step = 'people'`)
      return false
    }
    await addDemoPeople(tx, { inSandbox: config.stripe === undefined })
    await addDemoTriggers(tx, new Date())
    await addDemoQuestions(tx, new Date())
    report('The demo’s people, plans and scripts are there')
    return true
  })
}

/** The slow part (half a minute), which may run beside a service that is already open. */
export const seedProjects = async (input: Seed): Promise<void> => {
  const { database, config, report = () => {}, signal } = input
  const done = await database.asSystem(stepsTaken)
  if (config.seed === 'none' || !done.has('people') || done.has('projects')) return
  const people = await callersOf(database)
  if (!people) return report('The demo’s people are gone: its videos are left out')
  await openAssets(config, database)
  const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-demo-'))
  try {
    const run = { ...input, folder, loadedAt: done.get('people')!.at, people }
    for (const [number, project] of demoProjects.entries()) {
      signal?.throwIfAborted()
      report(`Demo video ${number + 1} of ${demoProjects.length}: ${project.title}`)
      await playProject(run, project)
    }
    await database.asSystem((tx) => takeStep(tx, 'projects'))
    report('The demo is complete')
  } catch (error) {
    if (!signal?.aborted) throw error
    report('The demo goes on at the next start')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Clips and a picture for the B-roll library, once the videos are there; not where somebody has put in their own. */
export const seedClips = async (input: Seed): Promise<void> => {
  const { database, config, report = () => {}, signal } = input
  const done = await database.asSystem(stepsTaken)
  const loadedAt = done.get('people')?.at
  if (config.seed === 'none' || !loadedAt || !done.has('projects') || done.has('clips')) return
  const admin = (await callersOf(database))?.get('admin')
  const own = await database.asSystem((tx) =>
    tx.first(sql`select from clip where not exists (select from seeded where about = clip.id)`),
  )
  const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-demo-'))
  try {
    if (admin && !own) {
      await openAssets(config, database)
      for (const clip of demoClips) await addDemoClip({ ...input, folder }, admin, clip, loadedAt)
      report('The demo’s B-roll is there')
    }
    await database.asSystem((tx) => takeStep(tx, 'clips'))
  } catch (error) {
    if (!signal?.aborted) throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const addDemoClip = async (
  run: Seed & { folder: string },
  admin: Caller,
  { fileName, title, tags, look }: (typeof demoClips)[number],
  now: Date,
): Promise<void> => {
  run.signal?.throwIfAborted()
  const { database, folder } = run
  const step = `clip:${fileName}`
  if ((await database.asSystem(stepsTaken)).has(step)) return
  const file = { path: join(folder, fileName), fileName }
  const assetId = (await heldFile(database, admin, fileName)) ?? (await bring(run, admin, now, file, look))
  await database.inTenant(admin, async (tx) => {
    if (!(await takeStep(tx, step)) || !(await letGo(tx, assetId))) return
    const id = await addClip(tx, admin, { assetId, title, tags }, now)
    await tx.count(sql`update seeded set about = ${id} where step = ${step}`)
  })
}

/** Accounts at networks and how finished videos did there, once the videos are there; only where networks are stood in for. */
export const seedPosts = async (
  { database, log, report = () => {} }: Pick<Seed, 'database' | 'log' | 'report'>,
  config: Parameters<typeof addDemoPosts>[0]['config'],
): Promise<void> => {
  const done = await database.asSystem(stepsTaken)
  const loadedAt = done.get('people')?.at
  if (config.networksStandIn === undefined || !loadedAt || !done.has('projects') || done.has('posts')) return
  const people = await callersOf(database)
  if (!people || !(await database.asSystem((tx) => takeStep(tx, 'posts')))) return
  try {
    if (await addDemoPosts({ database, config, people, loadedAt, now: new Date() }))
      report('The demo’s accounts at networks are there')
  } catch (error) {
    // Whoever was there before has made something else of the demo.
    if (!(error instanceof Refusal)) throw error
    log.warn({ code: error.code }, 'the demo’s accounts at networks are left out')
  }
}

type SeedRun = Seed & { folder: string; loadedAt: Date; people: Map<DemoPerson, Caller> }

const playProject = async (run: SeedRun, project: DemoProject): Promise<void> => {
  try {
    const projectId = await submit(run, project)
    for (const [number, step] of project.steps.entries()) await take(run, project, projectId, step, number + 1)
  } catch (error) {
    // Somebody was quicker and moved the project by hand: it is theirs now.
    if (!(error instanceof Refusal)) throw error
    run.log.warn({ project: project.title, code: error.code }, 'a demo project went another way')
  }
}

const submit = async (run: SeedRun, project: DemoProject): Promise<string> => {
  const step = `${project.key}:0`
  const taken = (await run.database.asSystem(stepsTaken)).get(step)
  if (taken?.about) return taken.about
  const { hoursAgo, title, instructions, captionStyle } = project
  const now = hoursBefore(run.loadedAt, hoursAgo)
  const caller = run.people.get(project.officer)!
  const path = join(run.folder, `${project.key}.mp4`)
  const fileName = `${project.key}.mp4`
  const asset =
    (await heldFile(run.database, caller, fileName)) ??
    (await bring(run, caller, now, { path, fileName }, { ...upright, ...lookOf(project), says: reading(project) }))
  const month = project.nextMonth ? monthAfter(run.loadedAt, timeZone) : undefined
  return run.database.inTenant(caller, async (tx) => {
    if (!(await takeStep(tx, step))) return (await stepsTaken(tx)).get(step)!.about!
    await letGo(tx, asset)
    const submitMonth = month === undefined ? {} : { submitMonth: month }
    const id = await createProject(
      tx,
      caller,
      { title, instructions, captionStyle, captionSuggestion: scriptOf(project), assets: [asset], ...submitMonth },
      now,
    )
    await tx.count(sql`update seeded set about = ${id} where step = ${step}`)
    return id
  })
}

const take = async (
  run: SeedRun,
  project: DemoProject,
  projectId: string,
  step: DemoStep,
  number: number,
): Promise<void> => {
  const { database, loadedAt } = run
  const marker = `${project.key}:${number}`
  if ((await database.asSystem(stepsTaken)).has(marker)) return
  const caller = run.people.get(step.who)!
  const now = hoursBefore(loadedAt, step.hoursAgo)
  const cutId = step.cut ? await cutFor(run, caller, project, projectId, step.cut, number, now) : ''
  await database.inTenant(caller, async (tx) => {
    if (!(await takeStep(tx, marker))) return
    if (cutId) await letGo(tx, cutId)
    await step.take({ tx, caller, projectId, now, cutId, loadedAt })
  })
}

const cutFor = async (
  run: SeedRun,
  caller: Caller,
  project: DemoProject,
  projectId: string,
  captions: readonly string[],
  number: number,
  now: Date,
): Promise<string> => {
  const fileName = `${project.key}-cut-${number}.mp4`
  const before = await heldFile(run.database, caller, fileName, projectId)
  const name = demoPeople[project.officer].name
  const parts = [0.3, ...captions.flatMap((caption) => [caption, 0.5])]
  const says = { speaker: speakers[project.officer].voice, parts }
  const look = { ...upright, ...lookOf(project), says, finished: { captions, name } }
  return before ?? bring(run, caller, now, { path: join(run.folder, fileName), fileName, projectId }, look)
}

const upright = { seconds: 5, width: 720, height: 1280 }
const timeZone = 'America/New_York'

/** An officer looks and sounds the same in every video; the room changes its colour. */
const speakers = { officer: { seed: 9, voice: 'slt' }, neighbor: { seed: 5, voice: 'rms' } } as const
const lookOf = ({ officer, hue }: DemoProject) => ({ hue, seed: speakers[officer].seed })

/** A breath, the sayings, a breath. */
export const reading = ({ officer, says }: DemoProject) => ({
  speaker: speakers[officer].voice,
  parts: [0.4, ...says.map((one) => (typeof one === 'object' ? one.beside : one)), 0.6],
})

/** Notes a step in the transaction that takes it; false when it was taken before, or is being taken by somebody quicker. */
const takeStep = async (tx: Tx, step: string): Promise<boolean> =>
  (await tx.count(sql`insert into seeded (step) values (${step}) on conflict do nothing`)) === 1

const stepsTaken = async (tx: Tx): Promise<Map<string, { about: string | null; at: Date }>> => {
  const rows = await tx.rows(sql<{ step: string; about: string | null; at: Date }>`select step, about, at from seeded`)
  return new Map(rows.map(({ step, about, at }) => [step, { about, at }]))
}

const callersOf = (database: Database): Promise<Map<DemoPerson, Caller> | null> =>
  database.asSystem(async (tx) => {
    const callers = new Map<DemoPerson, Caller>()
    for (const [name, { email }] of Object.entries(demoPeople)) {
      const caller = await tx.first(sql<Caller>`
        select id, role, tenant_id as "tenantId", security_stamp as "securityStamp" from person where email = ${email}`)
      if (!caller) return null
      callers.set(name as DemoPerson, caller)
    }
    return callers
  })

const hoursBefore = (at: Date, hours: number): Date => new Date(at.getTime() - hours * 3_600_000)
