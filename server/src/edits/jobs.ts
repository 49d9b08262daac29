import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { trimCache } from '@clear-to-post/media/render-cache'
import { sql, type Database, type Tx } from '../kernel/database.ts'
import { statusSql } from '../kernel/domain-sql.ts'
import { longPriority } from '../kernel/enqueue-in-turn.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import type { Job } from '../kernel/work.ts'
import { storage } from '../outside/storage.ts'
import { renderAhead } from './ahead.ts'
import { firstCutCrashed, prepareFirstCut } from './first-cut.ts'
import { chunks, makeRender, renderCrashed } from './render.ts'

export const firstCutJob: Job<'first-cut'> = {
  name: 'first-cut',
  // A company has one of the two lanes at a time, and long recordings have one (docs/decisions/0399).
  atOnce: 2,
  class: 'speech',
  oneEach: true,
  quickFrom: longPriority + 1,
  decodes: { crashed: ({ projectId }, database) => firstCutCrashed(database, projectId) },
  run: ({ projectId }, context) => prepareFirstCut(context, projectId),
}

export const renderJob: Job<'render'> = {
  name: 'render',
  // Where there is one, it uses every core there is.
  atOnce: 1,
  class: 'render',
  decodes: { crashed: ({ renderId }, database) => renderCrashed(database, renderId) },
  run: ({ renderId }, context) => makeRender(context, renderId),
}

export const renderAheadJob: Job<'render-ahead'> = {
  name: 'render-ahead',
  atOnce: 1,
  decodes: 'when-idle',
  run: (data, context) => renderAhead(context, data),
}

const mostCacheBytes = 20 * 1024 ** 3

export const editTasks = ({ database }: { database: Database }): PeriodicTask[] => [
  { name: 'lost renders', seconds: 60, run: (now) => sweepLost(database, now) },
  {
    name: 'old chunks',
    seconds: 3600,
    run: async () => {
      await dropErasedChunks(database)
      await trimChunks(database)
      await dropDeadRuns(database)
    },
  },
  { name: 'chunks of last week', seconds: 86_400, run: (now) => trimOldChunks(database, now) },
]

/** Says in words that first cuts and renders are not begun for now; with false the words go again. */
export const notePausedRenders = async (tx: Tx, isPaused: boolean): Promise<void> => {
  if (isPaused) {
    await tx.count(sql`update edit set stage = ${paused} where state = 'waiting' and stage is distinct from ${paused}`)
    await tx.count(sql`update render set stage = ${paused} where state = 'queued' and stage is distinct from ${paused}`)
  } else {
    await tx.count(sql`update edit set stage = null where state = 'waiting' and stage = ${paused}`)
    await tx.count(sql`update render set stage = null where state = 'queued' and stage = ${paused}`)
  }
}

const paused = 'Paused on our side, goes on by itself'

/** Keeps the chunks of all projects together small enough; those that are no project's, as earlier releases kept them, go. */
export const trimChunks = async (database: Database, mostBytes = mostCacheBytes): Promise<void> => {
  const root = await storage().workFolder('chunks', { keep: true })
  const entries = await readdir(root, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name))
  for (const { name } of entries.filter((entry) => entry.isFile())) await rm(join(root, name), { force: true })
  // What is made just now was used last, and goes last.
  const { trimmed } = await trimCache(folders, mostBytes)
  const ids = trimmed.map((folder) => basename(folder))
  await forgetReady(database, ids)
}

/** Chunks in a bucket, which is not counted through: those that are a week old go, and are made again where they are wanted. */
const trimOldChunks = async (database: Database, now: Date): Promise<void> =>
  forgetReady(database, await chunks().trim(new Date(now.getTime() - 7 * 86_400_000)))

const forgetReady = async (database: Database, ids: readonly string[]): Promise<void> => {
  await database.asSystem((tx) =>
    tx.count(sql`
      update render_ahead set ready = '[]', state = 'stopped'
      where project_id::text = any(${ids}::text[]) and state in ('done', 'stopped')`),
  )
}

/** Chunks of people who were removed: one that was just being rendered may have left some behind. */
export const dropErasedChunks = async (database: Database): Promise<void> => {
  const folders = await chunks().names()
  const erased = await database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`
      select p.id from project p join person o on o.id = p.user_id
      where p.id::text = any(${folders}::text[]) and o.removed_at is not null`),
  )
  for (const { id } of erased) await chunks().drop(id)
}

/** Folders of renders and first cuts that ended otherwise than their run knew: a kill leaves its own behind. */
const dropDeadRuns = async (database: Database): Promise<void> => {
  await dropOthers('renders', (ids) =>
    database.asSystem((tx) =>
      tx.rows(
        sql<{ id: string }>`select id from render where id = any(${ids}::uuid[]) and state in ('queued', 'running')`,
      ),
    ),
  )
  await dropOthers('listening', (ids) =>
    database.asSystem((tx) =>
      tx.rows(sql<{ id: string }>`
        select project_id as id from edit where project_id = any(${ids}::uuid[]) and state in ('waiting', 'preparing')`),
    ),
  )
}

/** Keeps the folders of those that somebody works on. */
const dropOthers = async (
  what: 'renders' | 'listening',
  open: (ids: readonly string[]) => Promise<{ id: string }[]>,
): Promise<void> => {
  const folders = await readdir(await storage().workFolder(what, { keep: true }))
  const alive = new Set((await open(folders)).map(({ id }) => id))
  for (const folder of folders) if (!alive.has(folder)) await storage().dropWork(`${what}/${folder}`)
}

/** What nobody works on any more (its job used up all tries, or was lost with a queue) says so, instead of waiting for ever. */
const sweepLost = (database: Database, now: Date): Promise<void> =>
  database.asSystem(async (tx) => {
    const before = new Date(now.getTime() - 60_000)
    const lost = (name: string, id: string) => sql`not exists (
      select from pgboss.job j where j.name = ${name} and j.state < 'completed' and j.data->>${id} = `
    await tx.count(sql`
      update render set state = 'failed', reason = ${'This render was interrupted too often. Try again.'}, stage = null,
        progress = null, seconds_left = null, modified_at = ${now}
      where state in ('queued', 'running') and modified_at < ${before} and ${lost('render', 'renderId')} render.id::text)`)
    await tx.count(sql`
      update render_ahead set state = 'stopped', modified_at = ${now}
      where state in ('waiting', 'running') and modified_at < ${before} and ${lost('render-ahead', 'projectId')} render_ahead.project_id::text)`)
    await tx.count(sql`
      update edit set state = 'failed', reason = ${'The first cut was interrupted too often. Ask for it again.'}, stage = null,
        progress = null, modified_at = ${now}
      where state in ('waiting', 'preparing') and modified_at < ${before} and ${lost('first-cut', 'projectId')} edit.project_id::text)
        and not exists (select from project p where p.id = edit.project_id and p.status = ${statusSql.canceled})`)
  })
