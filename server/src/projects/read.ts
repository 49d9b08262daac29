import type { RawBuilder } from 'kysely'
import { projects } from '@clear-to-post/contract/projects'
import { refusal } from '@clear-to-post/contract/errors'
import type { PageQuery } from '@clear-to-post/contract/page'
import { assetsById, assetsOf } from '../assets/actions.ts'
import { page } from '../db/page.ts'
import { sql, type Caller, type Tx } from '../db/tenant.ts'
import { presentProject, type FullRow } from './present.ts'
import { visibleTo } from './store.ts'

/** One project as the caller may see it, with its files and its place in the queue. */
export const readProject = async (tx: Tx, caller: Caller, projectId: string, now: Date) => {
  const row = await tx.first(sql<FullRow>`
    select p.*, ${beside}, case when p.status = 0 then queue_place(p.queue_position, p.id) end as place
    from project p where p.id = ${projectId} and ${visibleTo(caller)}`)
  if (!row) throw refusal('project.not-found')
  const sources = (await assetsOf(tx, [projectId])).get(projectId) ?? []
  const final = caller.role === 'User' ? row.approved_video_id : row.final_video_id
  const shown = final ? [...(await assetsById(tx, [final])).values()] : []
  const covers = await coversOf(tx, [row])
  return presentProject(row, caller, covers, now, [...sources, ...shown])
}

/** A page of what the caller lists: own, edited plus pool, or all. */
export const listProjects = (tx: Tx, caller: Caller, query: PageQuery, now: Date) =>
  pageOfProjects(tx, caller, query, now, projects.list.page, caller.role === 'Editor' ? workOf(caller) : sql`project`)

/** A page of one officer's projects. */
export const projectsOfUser = (tx: Tx, caller: Caller, userId: string, query: PageQuery, now: Date) =>
  pageOfProjects(tx, caller, query, now, projects.history.page, sql`(select * from project where user_id = ${userId})`)

const pageOfProjects = async (
  tx: Tx,
  caller: Caller,
  query: PageQuery,
  now: Date,
  rules: typeof projects.list.page,
  from: RawBuilder<unknown>,
) => {
  const { rows, nextCursor } = await page<FullRow & { page_key: string; page_id: string }>(
    tx,
    rules,
    { columns, id: sql`p.id` },
    query,
    ({ where, tail, keys }) => sql`
      select p.*, ${beside} from (
        select p.*, ${keys} from ${from} p where ${visibleTo(caller)} and ${where} ${tail}
      ) p`,
  )
  const covers = await coversOf(tx, rows)
  return { items: rows.map((row) => presentProject(row, caller, covers, now)), nextCursor }
}

// Two walks along two indexes, merged: an editor's list costs the same whatever others have.
const workOf = (caller: Caller) => sql`(
  select * from project where editor_id = ${caller.id}
  union all
  select * from project where status = 0 and editor_id is null)`

const columns = {
  status: sql`p.status`,
  userId: sql`p.user_id`,
  editorId: sql`p.editor_id`,
  tenantId: sql`p.tenant_id`,
  submitMonth: sql`p.submit_month`,
  title: sql`p.title`,
  submitTimestamp: sql`p.submitted_at`,
  modified: sql`p.modified_at`,
  position: sql`p.queue_position`,
}

// What a project's shape needs beside its own row.
const beside = sql`
  coalesce(time_zone_of(p.user_id), 'UTC') as time_zone, name_of(p.user_id) as user_name, name_of(p.editor_id) as editor_name,
  (select json_agg(json_build_object('status', e.to_status, 'title', e.title, 'description', e.description,
                                     'timestamp', e.at, 'metadata', e.metadata) order by e.seq)
   from project_event e where e.project_id = p.id) as timeline,
  (select json_build_object('seq', e.seq, 'verb', e.verb, 'actorId', e.actor_id, 'from', e.from_status)
   from project_event e
   where e.project_id = p.id and e.before is not null
     and not exists (select from project_event u where u.project_id = e.project_id and u.undoes = e.seq)
   order by e.seq desc limit 1) as undoable`

const coversOf = (tx: Tx, rows: readonly FullRow[]) =>
  assetsById(
    tx,
    rows.flatMap(({ cover_id }) => (cover_id ? [cover_id] : [])),
  )
