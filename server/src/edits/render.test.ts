import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assets } from '@clear-to-post/contract/assets'
import { clips } from '@clear-to-post/contract/clips'
import { edits } from '@clear-to-post/contract/edits'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { coverWords } from '@clear-to-post/edit/commands/layers'
import { mostKept } from '@clear-to-post/domain/most-kept'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { makeClip } from '@clear-to-post/media/make-clip'
import { pointAt } from '../../../media/test/footage.ts'
import { isLong } from '../../test/random.ts'
import { readyFile } from '../../test/ready-file.ts'
import { startProcess } from '../../test/processes.ts'
import { manyChunks } from '../../test/recipes.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  makeTenant,
  openService,
  outcome,
  type Person,
  type Service,
} from '../../test/service.ts'
import { putFile } from '../assets/actions.ts'
import { sql } from '../kernel/database.ts'
import { storage } from '../outside/storage.ts'
import { ingestAsset } from '../assets/ingest.ts'
import { prepareFirstCut } from './first-cut.ts'
import { makeRender } from './render.ts'

let service: Service
let folder: string
let officer: Person, editor: Person
const log = pino({ level: 'silent' })

beforeAll(async () => {
  service = await openService()
  folder = await mkdtemp(join(tmpdir(), 'clear-to-post-renders-'))
  await makeClip({ out: join(folder, 'take.mp4'), seconds: 4, width: 180, height: 320, hue: 40 })
  officer = await makeOfficer(service)
  editor = await makePerson(service, 'Editor', { tenantId: officer.tenantId })
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})
const as = (person: Person) => callAs(service, person)
const at = ({ id }: Project) => ({ params: { projectId: id } })
const context = (more: { signal?: AbortSignal } = {}) => ({
  database: service.database,
  log,
  signal: new AbortController().signal,
  attempt: 1,
  lastAttempt: true,
  ...more,
})

describe('from a submitted take to a cut that can be sent', { timeout: 300_000 }, () => {
  it('an edit that is too long to be rendered is saved and opened, and says what is wrong when it is rendered', async () => {
    const project = await begun()
    const close = { on: true, lengthMs: 4 * 3_600_000, title: 'x', call: 'y' }
    const rendered = asked(project, (recipe) => ({ ...recipe, close }))
    await expect(rendered).rejects.toMatchObject({
      code: 'edit.too-long',
      message: 'The closing card stands 240 min. A card may stand 30 s at most: shorten it.',
    })
    const { recipe } = await as(editor)(edits.find, at(project))
    expect((recipe as Recipe).close).toEqual(close)
    // One that an earlier release took in.
    const waiting = await asked(project, (recipe) => ({ ...recipe, close: null }))
    await service.database.asSystem((tx) =>
      tx.count(
        sql`update render set recipe = jsonb_set(recipe, '{close}', ${JSON.stringify(close)}) where id = ${waiting}`,
      ),
    )
    await makeRender(context(), waiting)
    expect(await renderRow(waiting)).toMatchObject({ state: 'failed', reason: expect.stringMatching(/closing card/) })
  })

  it('a render that takes far longer than its video is stopped, and says so', async () => {
    const project = await begun()
    const id = await asked(project, (recipe) => said(recipe, 'Rates moved today'))
    await makeRender(context(), id, { mostMs: () => 1 })
    expect(await renderRow(id)).toMatchObject({ state: 'failed', reason: expect.stringMatching(/far longer/) })
  })

  it('the first cut is made, edited, rendered and sent, and a second render makes only what changed', async () => {
    const project = await begun()
    const first = await asked(project, (recipe) => said(recipe, 'Rates moved today and so did yours'))
    await makeRender(context(), first)
    const done = await rendered(project)
    expect(done).toMatchObject({ state: 'done', revision: 2, asset: { fileName: 'edit 2.mp4', state: 'received' } })
    await ingestAsset(context(), done.asset!.assetId)
    const cut = (await rendered(project)).asset!
    // It was rendered, not uploaded, so it is not listed as unused.
    expect((await as(editor)(assets.unused, {})).items.map(({ assetId }) => assetId)).not.toContain(cut.assetId)
    expect(cut).toMatchObject({ state: 'ready', type: 'video', width: 180, height: 320 })
    expect(cut.duration).toBeCloseTo(4 + 3, 1)
    const chunks = await chunksThere()

    // A changed word makes only the chunk that shows it again.
    const second = await asked(project, (recipe) => ({
      ...recipe,
      words: recipe.words.map((word, i) => (i === 0 ? { ...word, text: 'Prices' } : word)),
    }))
    await makeRender(context(), second)
    expect((await rendered(project)).changes.join(' ')).toContain('Prices')
    expect((await chunksThere()).filter((name) => !chunks.includes(name))).toHaveLength(1)

    // The first file is older than the edit: sending it needs a confirmation.
    const older = { ...at(project), body: { finalVideoId: cut.assetId } }
    expect(await outcome(as(editor)(projects.send, older))).toBe('project.older-render')
    const sent = await as(editor)(projects.send, { ...older, body: { ...older.body, olderIsMeant: true } })
    expect(sent.status).toBe(3)
    // Older outputs stay as they are.
    expect((await as(editor)(edits.renders, at(project))).items.map(({ asset }) => asset?.assetId)).toContain(
      cut.assetId,
    )
  })

  it(
    'a recipe whose newest file is there is not rendered again, and of files never sent the newest are kept',
    { tags: 'long' },
    async () => {
      const project = await begun()
      // As many files as a program can ask for, the oldest of them sent.
      const older = await finishedBefore(project, mostKept.finishedRenders + 5)
      const first = await asked(project, (recipe) => said(recipe, 'Rates moved today'))
      await makeRender(context(), first)
      const kept = await cutsOf(project)
      expect(kept.toSorted()).toEqual(
        [
          (await rendered(project)).asset!.assetId,
          ...older.slice(0, mostKept.finishedRenders - 1),
          older.at(-1)!,
        ].toSorted(),
      )
      expect((await as(editor)(edits.renders, at(project))).items).toHaveLength(mostKept.finishedRenders + 1)

      // Asked for again, by a changed edit that was changed back, and as another try of one that failed.
      const again = () => asked(project, (recipe) => said(recipe, 'Rates moved today'))
      expect(await again()).toBe(first)
      const { revision } = await as(editor)(edits.find, at(project))
      expect(await rendered(project)).toMatchObject({ id: first, state: 'done', revision })
      const other = await asked(project, (recipe) => said(recipe, 'Rates fell today'))
      expect(other).not.toBe(first)
      await expect(again()).rejects.toMatchObject({ code: 'render.running' })
      await as(editor)(edits.cancelRender, { params: { renderId: other } })
      expect(await again()).toBe(first)
      expect(await cutsOf(project)).toEqual(kept)
      // A file that was refused or is gone is made anew.
      await service.database.asSystem((tx) =>
        tx.count(sql`update asset set state = 'rejected' where id = (select asset_id from render where id = ${first})`),
      )
      const anew = await again()
      expect(anew).not.toBe(first)

      // By their bytes only the newest is left.
      await service.database.asSystem((tx) =>
        tx.count(
          sql`update asset set file_size = ${mostKept.finishedRenderBytes} where project_id = ${project.id} and purpose = 'cut'`,
        ),
      )
      await makeRender(context(), anew)
      expect((await cutsOf(project)).toSorted()).toEqual(
        [(await rendered(project)).asset!.assetId, older.at(-1)!].toSorted(),
      )
    },
  )

  it('a script that was read aloud gets word times, and the first cut follows them', { tags: 'long' }, async () => {
    const spoken = join(folder, 'spoken.mp4')
    const voice = join(import.meta.dirname, '../../../speech/test/jfk.wav')
    const args = ['-v', 'error', '-f', 'lavfi', '-i', 'color=c=navy:s=180x320:r=30', '-i', voice]
    await promisify(execFile)('ffmpeg', [
      ...args,
      ...'-shortest -c:v libx264 -pix_fmt yuv420p -c:a aac'.split(' '),
      spoken,
    ])
    const source = await putFile(service.database, officer, { path: spoken }, { log })
    const script =
      'And so, my fellow Americans: ask not what your country can do for you, ask what you can do for your country.'
    const body = { title: 'Ask', assets: [source], captionSuggestion: script }
    const { id } = await as(officer)(projects.create, { body })
    // Where the voice lies meanwhile, a kill leaves nothing for good.
    const listening = await storage().workFolder(`listening/${id}`)
    const here = () => readdir(join(listening, '1')).catch(() => [])
    const isListening = expect.poll(here, { timeout: 30_000 }).toEqual([expect.stringMatching(/^speech-/)])
    await Promise.all([prepareFirstCut(context(), id), isListening])
    expect(await readdir(listening)).toEqual([])
    const edit = await as(editor)(edits.find, { params: { projectId: id } })
    const { words, removed, close } = edit.recipe as Recipe
    expect(words.map(({ text }) => text).join(' ')).toBe(script)
    expect(edit.transcript).toMatchObject({ means: 'aligned' })
    // “ask not” begins after the long pause.
    expect(words[5]!.start).toBeGreaterThan(3000)
    expect(words[5]!.start).toBeLessThan(3700)
    expect(removed.some(({ reason, on, why }) => reason === 'silence' && on && why !== '')).toBe(true)
    for (const cut of removed)
      for (const word of words)
        expect(cut.start >= word.end || cut.end <= word.start, `${cut.why} ${word.text}`).toBe(true)
    expect(close?.on).toBe(true)
    // With a new script the first cut is made again as the next revision. Where the sound does not show
    // when words are said, a caption file does.
    const captions = '1\n00:00:01,000 --> 00:00:02,000\n<i>Welcome home.</i>\n'
    await as(await makePerson(service, 'ADMIN'))(edits.make, {
      params: { projectId: id },
      body: { script: captions },
    })
    await prepareFirstCut(context(), id)
    const again = await as(editor)(edits.find, { params: { projectId: id } })
    expect(again).toMatchObject({ state: 'ready', revision: 2, script: captions })
    expect((again.recipe as Recipe).words).toMatchObject([
      { text: 'Welcome', start: 1000 },
      { text: 'home.', end: 2000 },
    ])
    // When that fails, the existing edit stays, with the reason.
    await service.database.asSystem((tx) => tx.count(sql`update asset set derived = '{}' where project_id = ${id}`))
    await as(await makePerson(service, 'ADMIN'))(edits.make, { params: { projectId: id }, body: {} })
    await prepareFirstCut(context(), id)
    const kept = await as(editor)(edits.find, { params: { projectId: id } })
    expect(kept).toMatchObject({ state: 'ready', revision: 2, recipe: again.recipe })
    expect(kept.transcript?.notes).toEqual([expect.stringContaining('still here')])
    expect(kept.reason).toContain('still here')
    // Until the editor saves it.
    const goesOn = { params: { projectId: id }, body: { revision: 2, recipe: again.recipe! } }
    await as(await makePerson(service, 'ADMIN'))(edits.save, goesOn)
    expect(await as(editor)(edits.find, { params: { projectId: id } })).not.toHaveProperty('reason')
  })

  it('a canceled render ends without a file, and the next one uses its finished chunks', { tags: 'long' }, async () => {
    const project = await begun()
    const render = await asked(project, manyChunks(0))
    const before = await chunksThere()
    const running = makeRender(context(), render)
    // One of seven is made: six, the sound and the joining are still to come.
    await until(async () => (await chunksThere()).length > before.length)
    await as(editor)(edits.cancelRender, { params: { renderId: render } })
    await running
    const stopped = await rendered(project)
    expect(stopped.state).toBe('canceled')
    expect(stopped).not.toHaveProperty('asset')
    expect(await cutsOf(project)).toEqual([])
    const kept = await chunkFiles()
    const again = await as(editor)(edits.retryRender, { params: { renderId: render } })
    await makeRender(context(), again.id)
    expect(await rendered(project)).toMatchObject({ state: 'done' })
    expect(await chunkFiles()).toMatchObject(kept)
  })

  it('of two runs of one render the newer one counts, and there is one cut', { tags: 'long' }, async () => {
    const project = await begun()
    const render = await asked(project, manyChunks(80))
    const first = makeRender(context(), render)
    await until(async () => (await runsOf(render)).state !== 'queued')
    await Promise.all([first, makeRender(context(), render)])
    expect(await rendered(project)).toMatchObject({ state: 'done' })
    expect(await cutsOf(project)).toHaveLength(1)
    // The first was believed dead and is not: nothing is counted against the render.
    expect(await runsOf(render)).toEqual({ state: 'done', attempt: 2, crashes: 0 })
  })

  it('a render that will be tried again says so, and a removed source is named in the failure', async () => {
    const project = await begun()
    const render = await asked(project, (recipe) => recipe)
    const chunks = join(service.config.dataDir, 'media', 'work', 'chunks')
    await mkdir(chunks, { recursive: true })
    await rename(chunks, `${chunks}.away`)
    await writeFile(chunks, 'in the way')
    await expect(makeRender({ ...context(), lastAttempt: false }, render)).rejects.toThrow()
    expect(await rendered(project)).toMatchObject({ state: 'queued', stage: expect.stringContaining('tried again') })
    await rm(chunks)
    await rename(`${chunks}.away`, chunks)
    const stop = new AbortController()
    stop.abort()
    await expect(makeRender(context({ signal: stop.signal }), render)).rejects.toThrow()
    expect(await rendered(project)).toMatchObject({ state: 'queued', stage: expect.stringContaining('Interrupted') })

    await service.database.asSystem((tx) =>
      tx.count(sql`update asset set derived = '{}' where project_id = ${project.id}`),
    )
    await makeRender(context(), render)
    expect(await rendered(project)).toMatchObject({ state: 'failed', reason: expect.stringContaining('take.mp4') })
  })

  it(
    'a library’s clip is in the finished file over its words alone; one that is gone or another company’s is named',
    { tags: 'long' },
    async () => {
      const admin = await makePerson(service, 'ADMIN', { tenantId: officer.tenantId })
      const path = join(folder, 'green.mp4')
      const green = '-v error -f lavfi -i color=0x20c020:s=320x180:r=25:d=1 -pix_fmt yuv420p -y'
      await promisify(execFile)('ffmpeg', [...green.split(' '), path])
      const assetId = await putFile(service.database, admin, { path }, { log })
      await as(admin)(clips.add, { body: { assetId, title: 'Green', tags: [] } })
      const project = await begun()
      // From 450 to 1300 ms.
      const cover = coverWords(['w1', 'w2'], { assetId, durationMs: 1000 })
      await makeRender(context(), await asked(project, (recipe) => cover(said(recipe, 'Rates moved today and so'))))
      const cut = (await rendered(project)).asset!.assetId
      await ingestAsset(context(), cut)
      const file = join(service.config.dataDir, 'media/assets', cut, 'original.mp4')
      const isGreen = (seconds: number) => {
        const [red, green, blue] = pointAt(file, seconds, 90, 60) as [number, number, number]
        return green > 150 && red < 80 && blue < 80
      }
      expect([0.2, 0.4, 0.5, 0.9, 1.25, 1.35, 2].map(isGreen)).toEqual([false, false, true, true, true, false, false])

      const another = await makeTenant(service)
      const lose = [
        sql`update asset set tenant_id = ${another} where id = ${assetId}`,
        sql`update asset set tenant_id = ${officer.tenantId}, derived = '{}' where id = ${assetId}`,
      ]
      for (const [n, how] of lose.entries()) {
        const again = await asked(project, (recipe) => ({
          ...recipe,
          captions: { ...recipe.captions, size: 0.9 + n / 50 },
        }))
        await service.database.asSystem((tx) => tx.count(how))
        await makeRender(context(), again)
        expect(await rendered(project)).toMatchObject({
          state: 'failed',
          reason: 'A B-roll clip of this edit is no longer here. Take it out of the edit, or choose another one.',
        })
      }
    },
  )

  const renders = isLong ? 10 : 1
  it(
    `a worker killed in each of ${renders} renders leaves one cut of each, made with the finished chunks`,
    { tags: 'long' },
    async () => {
      const project = await begun()
      for (let n = 1; n <= renders; n++) {
        const render = await asked(project, manyChunks(160 + 20 * n))
        const worker = await startWorker()
        const chunks = (await chunksThere()).length
        // It dies after it has finished something.
        await until(async () => {
          const { state, stage } = await rendered(project)
          return (
            state === 'done' ||
            (stage !== undefined && stage !== 'Getting ready' && (await chunksThere()).length > chunks)
          )
        })
        await worker.end('SIGKILL')
        await missHeartbeats()
        const kept = await chunkFiles()
        await makeRender(context(), render)
        expect(await rendered(project)).toMatchObject({ state: 'done' })
        expect(await chunkFiles()).toMatchObject(kept)
        expect(await cutsOf(project)).toHaveLength(n)
      }
      const path = join(service.config.dataDir, 'media', 'quarantine', (await cutsOf(project))[0]!)
      expect(await framesOf(path)).toBe(6 * 30 + 90)
    },
  )

  it(
    'a render that kills its worker twice is given up, and an ADMIN’s next render is done by the next worker',
    { tags: 'long' },
    async () => {
      const project = await begun()
      const render = await asked(project, manyChunks(0))
      for (let death = 1; death <= 2; death++) {
        const worker = await startWorker()
        await until(async () => (await runsOf(render)).attempt === death)
        await worker.end('SIGKILL')
        expect(await runsOf(render)).toEqual({ state: 'running', attempt: death, crashes: death - 1 })
        await missHeartbeats()
      }
      const worker = await startWorker()
      await until(async () => (await runsOf(render)).state !== 'running')
      expect(await rendered(project)).toMatchObject({
        id: render,
        state: 'failed',
        reason:
          'This render stopped the machine twice, so it is not tried again. Change the edit and render it anew, or ask an administrator.',
        actions: [],
      })
      expect(await cutsOf(project)).toEqual([])
      // The same edit would stop it again, whichever way it is asked for.
      const { revision } = await as(editor)(edits.find, at(project))
      const retry = { params: { renderId: render } }
      expect(await outcome(as(editor)(edits.retryRender, retry))).toBe('render.crashed')
      expect(await outcome(as(editor)(edits.render, { ...at(project), body: { revision } }))).toBe('render.crashed')
      // No ordinary tries were left over, and the worker that gave it up goes on.
      expect(await jobsOpen()).toBe(0)
      const admin = await makePerson(service, 'ADMIN')
      expect((await as(admin)(edits.renders, at(project))).items[0]).toMatchObject({ actions: ['retry'] })
      await as(admin)(edits.retryRender, retry)
      await until(async () => (await openRendersOf(project)) === 0)
      expect(await rendered(project)).toMatchObject({ state: 'done' })
      await worker.end()
      // Changed, it is another edit.
      await asked(project, (recipe) => ({ ...recipe, captions: { ...recipe.captions, size: 0.9 } }))
      expect(await rendered(project)).toMatchObject({ state: 'queued' })
    },
  )

  it(
    'attempts that end without a crash do not count as crashes, and the render can still succeed',
    { tags: 'long' },
    async () => {
      const project = await begun()
      const render = await asked(project, manyChunks(0))
      const stop = new AbortController()
      stop.abort()
      for (let n = 0; n < 3; n++) await expect(makeRender(context({ signal: stop.signal }), render)).rejects.toThrow()
      await makeRender(context(), render)
      expect(await rendered(project)).toMatchObject({ state: 'done' })
    },
  )
})

const startWorker = () =>
  startProcess('server/test/killed-server.ts', ['worker', service.urls.appUrl, service.config.dataDir])

/** What the queue does when heartbeats are missed, without the wait. */
const missHeartbeats = () =>
  service.database.asSystem((tx) =>
    tx.count(sql`
      update pgboss.job set state = 'retry', start_after = now(), retry_count = retry_count + 1
      where name = 'render' and state = 'active'`),
  )

const runsOf = async (renderId: string) =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ state: string; attempt: number; crashes: number }>`
      select state, attempt, crashes from render where id = ${renderId}`),
  ))!

const openRendersOf = async ({ id }: Project): Promise<number> =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ n: number }>`
      select count(*)::integer as n from render where project_id = ${id} and state in ('queued', 'running')`),
  ))!.n

const jobsOpen = async (): Promise<number> =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ n: number }>`
      select count(*)::integer as n from pgboss.job
      where name = 'render' and state in ('created', 'retry', 'active')`),
  ))!.n

const begun = async (): Promise<Project> => {
  const source = await readyFile(service, officer, join(folder, 'take.mp4'))
  const { id } = await as(officer)(projects.create, { body: { title: 'Rates', assets: [source] } })
  if (made) {
    const row = made.row.replaceAll(made.source, source).replaceAll(made.id, id)
    await service.database.asSystem((tx) =>
      tx.count(sql`
        insert into edit select (jsonb_populate_record(null::edit, ${row}::jsonb)).*
        on conflict (project_id) do update set state = excluded.state, recipe = excluded.recipe, first_cut = excluded.first_cut,
          transcript = excluded.transcript, revision = excluded.revision, attempt = excluded.attempt`),
    )
  } else {
    await prepareFirstCut(context(), id)
    const { row } = (await service.database.asSystem((tx) =>
      tx.first(sql<{ row: string }>`select to_jsonb(e)::text as row from edit e where project_id = ${id}`),
    ))!
    made = { id, source, row }
  }
  return as(editor)(projects.start, { body: { projectId: id } })
}

/** The first cut of the take, as it was made for the first project: that of each other is a copy. */
let made: { id: string; source: string; row: string } | undefined

/** Changes the recipe, makes it small, saves it and asks for its render. */
const renderRow = (id: string) =>
  service.database.asSystem((tx) => tx.first(sql<object>`select state, reason from render where id = ${id}`))
const asked = async (project: Project, change: (recipe: Recipe) => Recipe): Promise<string> => {
  const { recipe, revision } = await as(editor)(edits.find, at(project))
  const changed = change(recipe as Recipe)
  const small = { ...changed, output: { ...changed.output, shortSide: 180 } }
  const saved = await as(editor)(edits.save, { ...at(project), body: { revision, recipe: small } })
  return (await as(editor)(edits.render, { ...at(project), body: { revision: saved.revision } })).id
}

/** Finished renders of a project as rows alone, each an hour older than the one before it; the oldest file was sent. */
const finishedBefore = async (project: Project, count: number): Promise<string[]> => {
  const ids = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`
      with file as (
        insert into asset (id, tenant_id, author_id, project_id, purpose, file_name, extension, declared_type, file_size,
          state, uploaded_at)
        select gen_random_uuid(), p.tenant_id, ${editor.id}, p.id, 'cut', 'edit.mp4', 'mp4', 'video/mp4', 1000, 'ready',
          now() - make_interval(hours => n)
        from project p, generate_series(1, ${count}::integer) n where p.id = ${project.id}
        returning id, uploaded_at)
      insert into render (project_id, tenant_id, revision, recipe, state, asset_id, asked_by, asked_at)
      select p.id, p.tenant_id, 1, '{}', 'done', f.id, ${editor.id}, f.uploaded_at from project p, file f
      where p.id = ${project.id} returning asset_id as id`),
  )
  const newestFirst = (
    await service.database.asSystem((tx) =>
      tx.rows(sql<{ id: string }>`
        select id from asset where id = any(${ids.map(({ id }) => id)}::uuid[]) order by uploaded_at desc`),
    )
  ).map(({ id }) => id)
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into project_cut (project_id, number, asset_id, editor_id, user_id, tenant_id, verdict, sent_at)
      select id, 1, ${newestFirst.at(-1)!}, ${editor.id}, user_id, tenant_id, 'denied', now() from project where id = ${project.id}`),
  )
  return newestFirst
}

const said = (recipe: Recipe, text: string): Recipe => ({
  ...recipe,
  // What the rules decided about the sample's murmur does not count here.
  removed: [],
  moves: [],
  words: text.split(' ').map((word, i) => ({
    id: `w${i}`,
    source: 's1',
    start: i * 450,
    end: i * 450 + 400,
    text: word,
    confidence: 1,
    origin: 'typed' as const,
  })),
  // Split between words, so that each word belongs to one chunk.
  keep: [
    { id: 'k1', source: 's1', start: 0, end: 1800 },
    { id: 'k2', source: 's1', start: 1800, end: 4000 },
  ],
})

const rendered = async (project: Project) => (await as(editor)(edits.renders, at(project))).items[0]!

const cutsOf = async (project: Project): Promise<string[]> =>
  (
    await service.database.asSystem((tx) =>
      tx.rows(sql<{ id: string }>`select id from asset where project_id = ${project.id} and purpose = 'cut'`),
    )
  ).map(({ id }) => id)

const chunksThere = async (): Promise<string[]> =>
  (await readdir(join(service.config.dataDir, 'media', 'work', 'chunks'), { recursive: true }).catch(() => [])).filter(
    (name) => /^[0-9a-f-]{36}\/[0-9a-f]+\.mp4$/.test(name),
  )

/** Which file each chunk is: one that is made again is another. */
const chunkFiles = async (): Promise<Record<string, number>> => {
  const folder = join(service.config.dataDir, 'media', 'work', 'chunks')
  const names = await chunksThere()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).ino] as const)),
  )
}

const framesOf = async (path: string): Promise<number> => {
  const { stdout } = await promisify(execFile)('ffprobe', [
    ...'-v error -count_frames -select_streams v -show_entries stream=nb_read_frames -of csv=p=0 -f mov'.split(' '),
    path,
  ])
  return Number.parseInt(stdout, 10)
}

// A busy machine takes its time; a wrong answer never comes.
const until = async (isSo: () => Promise<boolean>) => {
  for (const end = Date.now() + 180_000; Date.now() < end; await sleep(40)) if (await isSo()) return
  throw new Error('it did not come to that within three minutes')
}
