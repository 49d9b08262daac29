import { statusSql } from '../kernel/domain-sql.ts'
import { sees, listsOwnWork } from '@clear-to-post/domain/access'
import type { RawBuilder } from 'kysely'
import { projects } from '@clear-to-post/contract/projects'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { refusal } from '@clear-to-post/contract/errors'
import type { PageQuery } from '@clear-to-post/contract/page'
import { keyShown } from '../api-keys/actions.ts'
import { coverOf, filesOf, maySend, presentAsset } from '../assets/actions.ts'
import { holds, page } from '../kernel/page.ts'
import { standingOf } from '../publishing/actions.ts'
import { captionsToRead } from '../edits/actions.ts'
import { sql, type Caller, type Database, type Reader } from '../kernel/database.ts'
import { presentKit, presentProject, type FullRow } from './present.ts'
import {
  accessFilter,
  companyShown,
  currentCutOf,
  cutsOf,
  isVisible,
  kitOf,
  olderRenders,
  projectRow,
} from './store.ts'

/** One project as the caller may see it, with its files and its place in the queue. */
export const readProject = async (tx: Reader, caller: Caller, projectId: string, now: Date) => {
  const [row, files] = await Promise.all([
    tx.first(
      shown<FullRow>(
        caller,
        sql`
        select ${projectRow}, case when p.status = ${statusSql.submitted} then queue_place(p.queue_position, p.id) end as place,
          exists (select from post q where q.project_id = p.id) as has_posts
        from project p where p.id = ${projectId} and ${accessFilter(caller)}`,
        { more: sql`p.place, p.has_posts` },
      ),
    ),
    filesOf(tx, projectId),
  ])
  if (!row) throw refusal('project.not-found')
  const final = sees(caller.role, 'project.work') ? row.final_video_id : row.approved_video_id
  const sources = files.filter(({ purpose }) => purpose === 'source')
  const shownProject = presentProject(row, caller, now, [...sources, ...files.filter(({ id }) => id === final)])
  const kit = await kitOf(tx, row.user_id, row.tenant_id)
  const project = { ...shownProject, ...presentKit(shownProject, kit, caller) }
  if (!project.actions.includes('send')) return project
  // A sending that was taken back leaves its file to be sent again.
  const cuts = await cutsOf(tx, caller, projectId)
  const sent = new Set(cuts.filter(({ verdict }) => verdict !== 'replaced').map(({ asset_id }) => asset_id))
  const unsent = files.filter((file) => maySend(file) && file.state === 'ready' && !sent.has(file.id))
  if (unsent.length === 0) return project
  const rows = await tx.rows(sql<{ asset_id: string }>`${olderRenders(sql`${projectId}::uuid`)}`)
  const older = new Set(rows.map(({ asset_id }) => asset_id))
  return { ...project, unsentCuts: unsent.map((file) => ({ ...presentAsset(file, now), isOlder: older.has(file.id) })) }
}

/**
 * The words of the captions that go beside a cut, for whoever may see that cut. Throws project.not-found, asset.not-found,
 * service.crowded.
 */
export const readCaptions = async (
  database: Pick<Database, 'readOnly'>,
  caller: Caller,
  { projectId, assetId }: { projectId: string; assetId: string },
) => {
  await database.readOnly(caller, async (tx) => {
    if (!(await isVisible(tx, caller, projectId))) throw refusal('project.not-found')
    const cuts = await cutsOf(tx, caller, projectId)
    if (!cuts.some(({ asset_id }) => asset_id === assetId)) throw refusal('asset.not-found')
  })
  return captionsToRead(database, assetId)
}

/** A page of what the caller lists: own, edited plus pool, or all. */
export const listProjects = (tx: Reader, caller: Caller, query: PageQuery, now: Date) =>
  pageOfProjects(tx, caller, query, now, projects.list.page, listsOwnWork(caller.role) ? workOf(caller) : [sql`true`])

/** A page of one officer's projects. */
export const projectsOfUser = (tx: Reader, caller: Caller, userId: string, query: PageQuery, now: Date) =>
  pageOfProjects(tx, caller, query, now, projects.history.page, [sql`p.user_id = ${userId}`])

/** `parts`: what belongs to the list; each part is walked along its own index, as far as one page goes. */
const pageOfProjects = async (
  tx: Reader,
  caller: Caller,
  query: PageQuery,
  now: Date,
  rules: typeof projects.list.page,
  parts: readonly RawBuilder<unknown>[],
) => {
  const { rows, nextCursor } = await page<FullRow & { page_key: string; page_id: string }>(
    tx,
    rules,
    { columns, searches, id: sql`p.id`, orderedWithin },
    query,
    ({ where, tail, keys }) => {
      const walks = parts.map(
        (part) =>
          sql`(select ${projectRow}, ${keys} from project p where ${part} and ${accessFilter(caller)} and ${where} ${tail})`,
      )
      const pageKeys = sql`p.page_key, p.page_id`
      const listed = sql`select ${projectRow}, ${pageKeys} from (${sql.join(walks, sql` union all `)}) p ${tail}`
      return shown(caller, listed, {
        more: sql`null::bigint as place, null::boolean as has_posts, ${pageKeys}`,
        tail,
        isList: true,
      })
    },
  )
  return { items: rows.map((row) => presentProject(row, caller, now)), nextCursor }
}

const workOf = (caller: Caller) => [
  sql`p.editor_id = ${caller.id}`,
  sql`p.status = ${statusSql.submitted} and p.editor_id is null`,
]

const orderedWithin = {
  position: sql`p.status = ${statusSql.submitted}`,
  // A canceled video keeps what was promised, and nobody waits for it.
  dueBy: sql`p.status in (${statusSql.submitted}, ${statusSql.inProgress}, ${statusSql.waitingApproval}, ${statusSql.denied}, ${statusSql.revisioning})`,
}

const columns = {
  id: sql`p.id`,
  status: sql`p.status`,
  userId: sql`p.user_id`,
  editorId: sql`p.editor_id`,
  tenantId: sql`p.tenant_id`,
  submitMonth: sql`p.submit_month`,
  title: sql`p.title`,
  submitTimestamp: sql`p.submitted_at`,
  modified: sql`p.modified_at`,
  position: sql`p.queue_position`,
  answerScore: sql`p.answer_score`,
  answered: sql`p.answered_at`,
  dueBy: sql`p.due_by`,
  publishAt: sql`p.publish_at`,
  isAssigned: sql`(p.editor_id is not null)`,
}

const searches = {
  search: (words: string) =>
    sql`(${holds(sql`p.title`, words)} or p.user_id in (select s.id from person s where ${holds(sql`s.name`, words)}))`,
}

const eventColumns = sql`e.seq, e.to_status, e.title, e.description, e.at, e.metadata, e.verb, e.actor_id, e.actor_serves_all, e.counted, e.key_id`

// A list needs few steps, and no words of denials: the latest one's are the project's feedback. Older steps come without
// words, and only those on which something hangs: what a rollback would undo and where it leads, and the cut that stands.
const listedWords = sql`case when e.seq > p.seq - ${mostKept.listedSteps} then e.metadata - 'denyFeedback' end`
const listedEvents = sql`
  where e.seq > p.seq - ${mostKept.listedSteps}
    or e.seq in (e.last_step - 1, e.last_step, e.last_sent, e.last_approved)`

// Rows of projects with what a project's shape needs beside them, and `more` of each row. Names are told to everybody who sees the
// project, whoever they may see otherwise.
const shown = <Row>(
  caller: Caller,
  rows: RawBuilder<unknown>,
  { more, tail = sql``, isList = false }: { more: RawBuilder<unknown>; tail?: RawBuilder<unknown>; isList?: boolean },
) => sql<Row>`
  with page as materialized (${rows}),
    people as materialized (
      select l.id, l.name, l.time_zone from labels_of(array(select user_id from page union select editor_id from page)) l)
  select ${projectRow}, ${more}, coalesce(officer.time_zone, 'UTC') as time_zone, officer.name as user_name, editor.name as editor_name,
    ${companyShown(caller)} as tenant_name,
    (select json_agg(json_build_object('seq', e.seq, 'status', e.to_status, 'title', e.title, 'description', e.description,
                                       'timestamp', e.at, 'metadata', ${isList ? listedWords : sql`e.metadata`}, 'verb', e.verb, 'actorId', e.actor_id, 'actorServesAll', e.actor_serves_all,
                                       'key', case when e.key_id is not null then coalesce(${keyShown(caller, sql`e.key_id`)}, json_build_object('name', null)) end,
                                       'isStep', e.is_step, 'isUndone', e.is_undone,
                                       'cut', (e.counted->>'cut')::integer) order by e.seq)
     from (
       select ${eventColumns}, e.is_step, e.is_undone, max(e.seq) filter (where e.is_step and not e.is_undone) over () as last_step,
         max(e.seq) filter (where e.verb = 'send' and not e.is_undone) over () as last_sent,
         max(e.seq) filter (where e.verb = 'approve' and not e.is_undone) over () as last_approved
       from (
         select ${eventColumns}, e.before is not null as is_step, e.seq = any(undone.seqs) as is_undone
         from project_event e,
           -- \`offset\` keeps it one reading: PostgreSQL would write it out wherever its column stands.
           (select array(select u.undoes from project_event u where u.project_id = p.id and u.undoes is not null) as seqs offset 0) undone
         where e.project_id = p.id) e) e
     ${isList ? listedEvents : sql``}) as events,
    -- Whose work the waiting cut is decides who may approve it; only staff do.
    ${!sees(caller.role, 'project.work') ? sql`null::json` : sql`case when p.status = ${statusSql.waitingApproval} then (select to_json(c) from (${currentCutOf(caller, sql`p.id`)}) c) end`} as cut,
    case when p.status = ${statusSql.inProgress} then four_eyes_of(p.tenant_id) end as four_eyes,
    cover.thumb as cover_thumb, cover.ms as cover_ms,
    case when p.status in (${statusSql.completed}, ${statusSql.scheduled}) then ${standingOf(sql`p.id`, sql`p.approved_video_id`)} end as posts
  from page p left join people officer on officer.id = p.user_id left join people editor on editor.id = p.editor_id
    left join lateral ${coverOf(sql`p.cover_id`)} cover on true
  ${tail}`
