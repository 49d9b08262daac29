// @module-tag long
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { edits } from '@clear-to-post/contract/edits'
import type { Project } from '@clear-to-post/contract/projects'
import { isRenderedAhead } from '@clear-to-post/domain/render-ahead'
import { Status, statusValues } from '@clear-to-post/domain/workflow'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Shake } from '@clear-to-post/edit/steady'
import { toneFile } from '@clear-to-post/media/room-tone'
import { openRenders } from '../../test/renders.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  openService,
  outcome,
  type Left,
  type OpenedService,
} from '../../test/service.ts'
import { keepMeasured } from '../assets/actions.ts'
import { sql } from '../kernel/database.ts'
import { openQueue } from '../kernel/queue.ts'
import { openStorage } from '../outside/open-storage.ts'
import { keptFree } from '../outside/storage.ts'
import { work, type Job } from '../kernel/work.ts'
import { onDisk } from '../../test/on-disk.ts'
import { renderAhead } from './ahead.ts'
import { renderAheadJob, renderJob, trimChunks } from './jobs.ts'
import { makeRender } from './render.ts'

/** A saved edit of which nothing is made, and the same with everything made. */
let saved: Left, ready: Left
let rendersOfAll: Awaited<ReturnType<typeof openRenders>>
let service: OpenedService
let renders: ReturnType<typeof rendersOfAll.on>
let project: Project
let revision: number
beforeAll(async () => {
  service = await openService()
  rendersOfAll = await openRenders(service)
  ;({ project, revision } = await rendersOfAll.prepare(0))
  saved = await service.leave()
  await begin(saved)
  await ahead()
  ready = await service.leave()
}, 300_000)
afterAll(async () => {
  await rendersOfAll.close()
  await saved.drop()
  await ready.drop()
})
const begin = async (from: Left) => {
  service = await openService({}, undefined, { from })
  renders = rendersOfAll.on(service)
}
afterEach(() => service.close())

const log = pino({ level: 'silent' })
const context = (signal = new AbortController().signal) => ({
  database: service.database,
  log,
  signal,
  attempt: 1,
  lastAttempt: false,
})
const inSql = (statement: ReturnType<typeof sql>) => service.database.asSystem((tx) => tx.count(statement))
/** As if nothing had been saved for an hour. */
const beQuiet = () =>
  inSql(sql`update edit set modified_at = now() - interval '1 hour' where project_id = ${project.id}`)
/** However slow the machine is, a turn does not end unless `pollNow` says so. */
const ahead = async (signal?: AbortSignal, now = revision, pollNow = () => 0) => {
  await beQuiet()
  await renderAhead(context(signal), { projectId: project.id, revision: now }, { pollNow })
}
const at = () => ({ params: { projectId: project.id } })
const state = () => callAs(service, renders.editor)(edits.ahead, at())
const jobsWaiting = async () =>
  (
    await service.database.asSystem((tx) =>
      tx.rows(sql<{ revision: number }>`
        select (data->>'revision')::integer as revision from pgboss.job
        where name = 'render-ahead' and state = 'created' and data->>'projectId' = ${project.id} order by created_on`),
    )
  ).map((row) => row.revision)
const change = async (how: (recipe: Recipe) => Recipe): Promise<number> => {
  const { recipe, revision: before } = await callAs(service, renders.editor)(edits.find, at())
  const body = { revision: before, recipe: how(recipe as Recipe) }
  return (await callAs(service, renders.editor)(edits.save, { ...at(), body })).revision
}
const withoutFirst = (recipe: Recipe): Recipe => ({ ...recipe, keep: recipe.keep.slice(1) })
const shiftedFirst = (recipe: Recipe): Recipe => ({
  ...recipe,
  keep: recipe.keep.map((one, i) => (i === 0 ? { ...one, end: one.end - 100 } : one)),
})

/** Which file each made part is: one that is made again is another. */
const parts = async (): Promise<Record<string, number>> => {
  const folder = join(service.config.dataDir, 'media', 'work', 'chunks', project.id)
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[0-9a-f]+\.(mp4|m4a)$/.test(name))
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).ino] as const)),
  )
}
const bytesOf = async (projectId: string): Promise<number> => {
  const folder = join(service.config.dataDir, 'media', 'work', 'chunks', projectId)
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
const count = async () => Object.keys(await parts()).length
/** Ends as soon as so many parts are there. */
const stopAt = async (most: number): Promise<AbortSignal> => {
  const stop = new AbortController()
  const look = async () => ((await count()) >= most ? stop.abort() : void setTimeout(look, 5))
  void look()
  return stop.signal
}
/** Only the status is read here: a project needs not have what comes with it, and people who were removed come back. */
const allowAnyStatus = async () => {
  const client = new pg.Client({ connectionString: service.urls.superuserUrl })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = 'project'::regclass and contype = 'c'`,
  )
  for (const { name } of rows) await client.query(`alter table project drop constraint ${pg.escapeIdentifier(name)}`)
  await client.query('drop trigger end_stays on person')
  await client.end()
}
const render = async () => {
  const { id } = await callAs(service, renders.editor)(edits.render, {
    ...at(),
    body: { revision: (await callAs(service, renders.editor)(edits.find, at())).revision },
  })
  await makeRender(context(), id)
  expect((await renders.rendersOf(project))[0]).toMatchObject({ state: 'done' })
}

describe('rendering ahead', { timeout: 300_000 }, () => {
  describe('of an edit of which nothing is made', () => {
    beforeEach(() => begin(saved))

    it('a save has its revision made ahead, and a render then encodes nothing', async () => {
      expect(await jobsWaiting()).toEqual([revision])
      expect(await state()).toEqual({
        revision: 0,
        state: 'waiting',
        length: 0,
        ready: [],
        cleaned: [],
        shakes: [],
        tones: [],
      })
      await ahead()
      expect(await state()).toEqual({
        revision,
        state: 'done',
        length: 9000,
        ready: [{ from: 0, to: 9000 }],
        cleaned: [],
        shakes: [],
        tones: [],
      })
      const made = await parts()
      // Six passages, a card and the sound.
      expect(Object.keys(made).length).toBeGreaterThanOrEqual(8)
      await render()
      expect(await parts()).toEqual(made)
    })

    it('a run that is told to stop leaves a job that goes on from what was made', async () => {
      await inSql(sql`delete from pgboss.job where name = 'render-ahead'`)
      await ahead(await stopAt(2))
      const made = await parts()
      expect(await state()).toMatchObject({ state: 'waiting' })
      expect(await jobsWaiting()).toEqual([revision])
      await ahead()
      expect(await state()).toMatchObject({ state: 'done' })
      expect(await parts()).toMatchObject(made)
    })

    it('a run whose turn is over leaves the rest to a job that goes behind those of others', async () => {
      await inSql(sql`delete from pgboss.job where name = 'render-ahead'`)
      let now = 0
      await ahead(undefined, revision, () => (now += 8000))
      expect(await state()).toMatchObject({ state: 'waiting' })
      expect(await count()).toBeGreaterThan(0)
      expect(await jobsWaiting()).toEqual([revision])
      // Another edit of the company waits: it counts against this one.
      await renders.prepare(40)
      const priorities = () =>
        service.database.asSystem((tx) =>
          tx.rows(sql<{ priority: number }>`
          select priority from pgboss.job where name = 'render-ahead' and state = 'created' order by created_on`),
        )
      expect(await priorities()).toEqual([{ priority: 0 }, { priority: -1 }])
    })

    it('a newer revision ends a run between two parts, and its own job makes what changed alone', async () => {
      const running = ahead()
      await expect.poll(count).toBeGreaterThan(1)
      const next = await change(shiftedFirst)
      await running
      expect(await state()).toMatchObject({ revision, state: 'stopped' })
      expect(await jobsWaiting()).toEqual([revision, next])
      const made = await parts()
      // The job of a revision that was replaced does nothing.
      await ahead()
      expect(await parts()).toEqual(made)
      await ahead(undefined, next)
      expect(await state()).toMatchObject({ revision: next, state: 'done' })
      expect(await parts()).toMatchObject(made)
    })

    it('nothing is made while nobody may edit, whose company is closed or whose officer is gone', async () => {
      await allowAnyStatus()
      const tries = async () => {
        await ahead()
        return count()
      }
      for (const status of statusValues.filter((one) => !isRenderedAhead({ editorId: 'e', status: one }))) {
        await inSql(sql`update project set status = ${status} where id = ${project.id}`)
        expect(await tries(), `status ${status}`).toBe(0)
        expect(await state(), `status ${status}`).toMatchObject({ state: 'off' })
      }
      await inSql(sql`update project set status = ${Status.inProgress} where id = ${project.id}`)
      for (const [closed, open] of [
        [sql`update tenant set is_active = false`, sql`update tenant set is_active = true`],
        [sql`update person set is_disabled = true where role = 'User'`, sql`update person set is_disabled = false`],
        [sql`update person set removed_at = now() where role = 'User'`, sql`update person set removed_at = null`],
      ] as const) {
        await inSql(closed)
        expect(await tries()).toBe(0)
        await inSql(open)
      }
      expect(await tries()).toBeGreaterThan(0)
    })

    it('a project that leaves its editor ends a run', async () => {
      await allowAnyStatus()
      const running = ahead()
      await expect.poll(count).toBeGreaterThan(0)
      await inSql(sql`update project set status = ${Status.waitingApproval} where id = ${project.id}`)
      await running
      expect(await state()).toMatchObject({ state: 'off' })
      expect((await state()).ready).not.toEqual([{ from: 0, to: 9000 }])
    })

    it('a revision over which its worker died twice is not tried again, and another one is', async () => {
      const die = () => inSql(sql`update render_ahead set state = 'running' where project_id = ${project.id}`)
      const stop = AbortSignal.abort()
      await ahead(stop)
      for (const deaths of [1, 2]) {
        await die()
        await ahead(stop)
        expect(await state()).toMatchObject({ state: deaths === 1 ? 'waiting' : 'stopped' })
      }
      await ahead()
      expect(await count()).toBe(0)
      expect(await state()).toMatchObject({ state: 'stopped', ready: [] })
      // The render that somebody asks for is begun all the same.
      await render()
      const next = await change(withoutFirst)
      await ahead(undefined, next)
      expect(await state()).toMatchObject({ revision: next, state: 'done' })
    })

    it('a file that is damaged or gone stops it without a word about the file', async () => {
      const [file] = await service.database.asSystem((tx) =>
        tx.rows(sql<{ id: string; original: string }>`
        select id, derived->>'original' as original from asset where project_id = ${project.id}`),
      )
      const path = onDisk().path(file!.id, file!.original)
      const { size } = await stat(path)
      await writeFile(path, Buffer.concat([(await readFile(path)).subarray(0, 3000), Buffer.alloc(size - 3000, 0xa7)]))
      await ahead()
      expect(await state()).toMatchObject({ revision, state: 'stopped', ready: [] })
      await rm(path)
      const next = await change((recipe) => recipe)
      await ahead(undefined, next)
      expect(await state()).toMatchObject({ revision: next, state: 'stopped', ready: [] })
      expect(await callAs(service, renders.editor)(edits.find, at())).not.toHaveProperty('reason')
      expect(await renders.rendersOf(project)).toEqual([])
    })

    it('staff of another company see nothing of it', async () => {
      const { tenantId } = await makeOfficer(service)
      const stranger = await makePerson(service, 'Editor', { tenantId })
      expect(await outcome(callAs(service, stranger)(edits.ahead, at()))).toBe('project.not-found')
    })

    it('a render goes first: while it runs nothing is made ahead, and what was made is used', async () => {
      await beQuiet()
      const queue = await openQueue(service.urls.appUrl, { supervise: true })
      try {
        await work([renderAheadJob, renderJob] as unknown as Job[], { queue, database: service.database, log })
        await expect.poll(count, { timeout: 60_000, interval: 5 }).toBeGreaterThan(1)
        await callAs(service, renders.editor)(edits.render, { ...at(), body: { revision } })
        const seen = new Set<string>()
        const both = () =>
          service.database.asSystem((tx) =>
            tx.first(sql<{ render: string; ahead: string }>`
            select r.state as render, a.state as ahead from render r, render_ahead a
            where r.project_id = ${project.id} and a.project_id = ${project.id}`),
          )
        await expect
          .poll(
            async () => {
              const now = (await both())!
              seen.add(`${now.render} ${now.ahead}`)
              return now.render
            },
            { timeout: 120_000, interval: 5 },
          )
          .toBe('done')
        expect([...seen]).toContain('running waiting')
        expect([...seen]).not.toContain('running running')
        await expect.poll(async () => (await state()).state, { timeout: 120_000 }).toBe('done')
      } finally {
        await queue.close()
      }
    })
  })

  describe('of an edit of which everything is made', () => {
    beforeEach(() => begin(ready))

    it('a disk that fills while the sound is made ends the run, which goes on when there is room', async () => {
      const sound = Object.keys(await parts()).find((name) => name.endsWith('.m4a'))!
      const folder = join(service.config.dataDir, 'media', 'work', 'chunks', project.id)
      await rm(join(folder, sound))
      await inSql(sql`update render_ahead set state = 'waiting' where project_id = ${project.id}`)
      // Room is asked for before the run, before the part, and then while that is made.
      let asked = 0
      const free = async () => (++asked <= 2 ? keptFree.work : 0)
      await openStorage(service.config.dataDir, { kept: keptFree, free })
      await beQuiet()
      await renderAhead(context(), { projectId: project.id, revision }, { pollNow: () => 0, roomEveryMs: 1 })
      expect(asked).toBeGreaterThan(2)
      expect(Object.keys(await parts())).not.toContain(sound)
      expect(await state()).not.toMatchObject({ state: 'done' })
      expect(await jobsWaiting()).toContain(revision)
      await openStorage(service.config.dataDir)
      await ahead()
      expect(Object.keys(await parts())).toContain(sound)
    })

    it('nothing is made again for an edit that did not change', async () => {
      const made = await parts()
      const rowOf = () =>
        service.database.asSystem((tx) =>
          tx.first(sql<{ attempt: number }>`select attempt from render_ahead where project_id = ${project.id}`),
        )
      const row = await rowOf()
      await ahead()
      expect(await rowOf()).toEqual(row)
      // Saved again as it was, it is looked at again.
      const next = await change((recipe) => recipe)
      await ahead(undefined, next)
      expect(await state()).toMatchObject({ revision: next, state: 'done' })
      expect(await parts()).toEqual(made)
    })

    it('parts behind the last change wait until the edit was quiet for longer', async () => {
      const made = await parts()
      const next = await change(shiftedFirst)
      await inSql(sql`update edit set modified_at = now() - interval '4 seconds' where project_id = ${project.id}`)
      await inSql(sql`delete from pgboss.job where name = 'render-ahead'`)
      await renderAhead(context(), { projectId: project.id, revision: next }, { pollNow: () => 0 })
      // The changed passage is there; its sound waits.
      expect(await state()).toMatchObject({ revision: next, state: 'waiting', ready: [{ from: 0, to: 8900 }] })
      expect(Object.keys(await parts()).length).toBe(Object.keys(made).length + 1)
      expect(await jobsWaiting()).toEqual([next])
      const [{ seconds } = { seconds: NaN }] = await service.database.asSystem((tx) =>
        tx.rows(sql<{ seconds: number }>`
        select extract(epoch from start_after - now())::float8 as seconds from pgboss.job
        where name = 'render-ahead' and state = 'created'`),
      )
      expect(seconds).toBeGreaterThan(5)
      expect(seconds).toBeLessThan(17)
    })

    it('a run stopped before it looked leaves what was ready before, and finds the place of the change later', async () => {
      const next = await change(shiftedFirst)
      await ahead(AbortSignal.abort(), next)
      expect(await state()).toMatchObject({ revision, state: 'waiting', ready: [{ from: 0, to: 9000 }] })
      await inSql(sql`update edit set modified_at = now() - interval '4 seconds' where project_id = ${project.id}`)
      await renderAhead(context(), { projectId: project.id, revision: next }, { pollNow: () => 0 })
      expect(await state()).toMatchObject({ revision: next, state: 'waiting', ready: [{ from: 0, to: 8900 }] })
    })

    it('how much louder its take is once it is cleaned is measured once, and the workbench is told', async () => {
      const cleaned = (recipe: Recipe): Recipe => ({ ...recipe, sound: { ...recipe.sound, clean: true } })
      await ahead(undefined, await change(cleaned))
      const [first, ...more] = (await state()).cleaned
      expect(more).toEqual([])
      expect(first!.louder).toBeLessThan(0)
      expect(first!.louder).toBeGreaterThan(-20)
      await inSql(sql`update asset set derived = derived || '{"cleanedBy": -7}' where id = ${first!.assetId}`)
      await ahead(undefined, await change(withoutFirst))
      expect((await state()).cleaned).toEqual([{ ...first, louder: -7 }])
    })

    it('how its take was shaken is measured once where it is held steady, and the workbench is given it', async () => {
      expect((await state()).shakes).toEqual([])
      const held = (recipe: Recipe): Recipe => ({
        ...recipe,
        keep: recipe.keep.map((one) => ({ ...one, steady: true as const })),
      })
      await ahead(undefined, await change(held))
      const [first, ...more] = (await state()).shakes
      expect(more).toEqual([])
      const shake = (await service.app.inject({ url: first!.url! })).json<Shake>()
      expect(shake).toMatchObject({ version: 1, fps: first!.fps })
      expect(shake.x.length).toBeGreaterThan(100)
      expect([shake.y.length, shake.turn.length]).toEqual([shake.x.length, shake.x.length])
      // Addresses are signed anew; the file is the same.
      await ahead(undefined, await change(withoutFirst))
      expect((await state()).shakes[0]!.url!.split('?')[0]).toBe(first!.url!.split('?')[0])
      // Another rate counts other frames.
      await inSql(sql`update asset set derived = jsonb_set(derived, '{shake,fps,num}', '24')`)
      await ahead(undefined, await change((recipe) => recipe))
      expect((await state()).shakes).toMatchObject([{ fps: first!.fps }])
    })

    it('the room of its take is kept as a sound that a browser plays, and none where nobody asks for it', async () => {
      const without = (recipe: Recipe): Recipe => ({ ...recipe, sound: { ...recipe.sound, tone: false } })
      await inSql(sql`update asset set derived = derived - 'tone'`)
      await ahead(undefined, await change(without))
      expect((await state()).tones).toEqual([])
      await ahead(undefined, await change((recipe) => ({ ...recipe, sound: { ...recipe.sound, tone: true } })))
      const [tone, ...more] = (await state()).tones
      expect(more).toEqual([])
      // Whatever was found, what is kept is served, and is not measured again.
      const bytes = toneFile({ left: new Float32Array(4800).fill(0.01), right: new Float32Array(4800).fill(-0.01) })
      await keepMeasured(service.database, tone!.assetId, 'tone', { louder: 3, file: { name: 'tone.wav', bytes } })
      await ahead(undefined, await change(withoutFirst))
      const [kept] = (await state()).tones
      expect(kept).toMatchObject({ assetId: tone!.assetId, louder: 3 })
      const served = await service.app.inject({ url: kept!.url! })
      expect(served.headers['content-type']).toBe('audio/wav')
      expect(served.rawPayload.equals(bytes)).toBe(true)
    })

    it('an edit that lost chunks of its cache is not said to be ready, and other edits stay as they are', async () => {
      const other = await renders.prepare(40)
      await inSql(sql`update edit set modified_at = now() - interval '1 hour'`)
      const ofOther = { projectId: other.project.id, revision: other.revision }
      await renderAhead(context(), ofOther, { pollNow: () => 0 })
      const bytes = await bytesOf(project.id)
      await trimChunks(service.database, (await bytesOf(other.project.id)) + bytes - 1)
      expect(await bytesOf(project.id)).toBeLessThan(bytes)
      expect(await state()).toMatchObject({ revision, state: 'stopped', ready: [] })
      const inOther = { params: { projectId: other.project.id } }
      expect(await callAs(service, renders.editor)(edits.ahead, inOther)).toMatchObject({
        state: 'done',
        ready: [{ from: 0, to: 9000 }],
      })
    })
  })
})
