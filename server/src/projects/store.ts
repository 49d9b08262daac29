import { assignersSql, editsForSql, hasDutySql, statusSql } from '../kernel/domain-sql.ts'
import { sees } from '@clear-to-post/domain/access'
import type { RawBuilder } from 'kysely'
import type { FourEyes } from '@clear-to-post/domain/decide'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { Status, type Verb } from '@clear-to-post/domain/workflow'
import type { WaitReason } from '@clear-to-post/domain/plans'
import { hasDuty, servesAll, type Actor } from '@clear-to-post/domain/roles'
import { between, spread, step } from '@clear-to-post/domain/queue'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import { tenantFilter } from '../kernel/tenancy.ts'

/** A project's row, with what decisions and presenters read beside it. */
export type ProjectRow = {
  id: string
  tenant_id: string | null
  user_id: string
  editor_id: string | null
  title: string
  instructions: string
  caption_style: number
  caption_suggestion: string | null
  submit_month: string
  status: Status
  queue_position: number | null
  due_at: Date | null
  publish_at: Date | null
  destinations: string[] | null
  final_video_id: string | null
  approved_video_id: string | null
  cover_id: string | null
  feedback: unknown
  is_free: boolean
  editing_begun: boolean
  cuts: number
  turnaround_hours: number | null
  revisions_left: number | null
  due_by: Date | null
  submitted_at: Date
  modified_at: Date
  expires_at: Date | null
  seq: number
  /** Why it waits although its month has begun. */
  waits_for: WaitReason | null
  /** When it entered the queue, and the subscription whose plan it used; null: the free video, or one bought by itself. */
  used_at: Date | null
  paid_by: string | null
  paid_plan: string | null
  tour: Tour | null
  answer_score: number | null
  answer_words: string | null
  answered_at: Date | null
}
type Tour = { address: string; price: string; beds: string; baths: string }

/** The columns of a ProjectRow; `p` is the alias of project. */
export const projectRow = sql`p.id, p.tenant_id, p.user_id, p.editor_id, p.title, p.instructions, p.caption_style, p.caption_suggestion,
  p.submit_month, p.status, p.queue_position, p.due_at, p.publish_at, p.destinations, p.final_video_id,
  p.approved_video_id, p.cover_id, p.feedback, p.is_free, p.editing_begun, p.cuts, p.turnaround_hours,
  p.revisions_left, p.due_by, p.submitted_at, p.modified_at, p.expires_at, p.seq, p.waits_for, p.used_at,
  p.paid_by, p.paid_plan, p.tour, p.answer_score, p.answer_words, p.answered_at`

/** The columns a transition may change; `before` of an event holds them as they were. */
export const changeable = [
  'editor_id',
  'submit_month',
  'status',
  'queue_position',
  'due_at',
  'publish_at',
  'destinations',
  'final_video_id',
  'approved_video_id',
  'cover_id',
  'feedback',
  'editing_begun',
  'due_by',
  'expires_at',
  'turnaround_hours',
  'revisions_left',
] as const satisfies readonly (keyof ProjectRow)[]
export type Changes = Partial<Pick<ProjectRow, (typeof changeable)[number] | 'waits_for'>>

/** The step that a rollback would undo. */
export type Undoable = {
  seq: number
  verb: Verb
  actorId: string
  actorServesAll: boolean
  from: Status
  /** When the video was to go out before it. */
  publishAt: string | null
  before: Changes
  counted: Counted
  /** Who edits it was decided since: that stays, as no rollback takes an assignment back. */
  isAssignedSince: boolean
  /** Its officer chose another time since: that stays, too. */
  isRescheduledSince: boolean
}

/** What a step counted elsewhere, so that its rollback can take it back. */
export type Counted = {
  used?: string | undefined
  gaveBack?: string | undefined
  /** The day it was counted on, as it was in the editor's time zone then. */
  goal?: { editorId: string; isoWeek: string; date: string } | undefined
  /** The cut whose verdict it gave or which it sent. */
  cut?: number | undefined
}

/**
 * The query's own wall: the same projects as the row-level policy lets through. `p` is the project table's alias.
 * Conditions that repeat a policy are marked as walls: server/test/walls.test.ts takes down either kind.
 */
export const accessFilter = (caller: Caller): RawBuilder<unknown> =>
  servesAll(caller)
    ? sql`true`
    : hasDuty(caller.role, 'serve')
      ? sql`(/* wall */ p.tenant_id = ${caller.tenantId}::uuid)`
      : sql`(/* wall */ p.user_id = ${caller.id}::uuid)`

/** The wall before people, who have no alias: staff of a tenant reach its people only, an officer is themselves. */
export const withinReach = ({ id, role, tenantId }: Caller): RawBuilder<unknown> =>
  hasDuty(role, 'film')
    ? sql`(/* wall */ id = ${id})`
    : tenantId === null
      ? sql`true`
      : sql`(/* wall */ tenant_id = ${tenantId}::uuid)`

/** The company of project `p` by name, for staff of the whole service, where it has several; null to everybody else. */
export const companyShown = (caller: Caller): RawBuilder<unknown> =>
  servesAll(caller)
    ? sql`case when exists (select from tenant offset 1) then (select t.name from tenant t where t.id = p.tenant_id) end`
    : sql`null::text`

/** Of a visible project, the cuts that the caller may see: officers see what was approved. */
const cutsAccessFilter = (caller: Caller): RawBuilder<unknown> =>
  sees(caller.role, 'project.work') ? sql`true` : sql`(/* wall */ verdict = 'approved')`

/** Locks a project for a transition; undefined when the caller may not see it. */
export const lockProject = (tx: Tx, caller: Caller, projectId: string) =>
  tx.first(sql<ProjectRow & { time_zone: string; officer_is_gone: boolean; four_eyes: FourEyes | null }>`
    select ${projectRow}, time_zone_of(p.user_id) as time_zone, is_gone(p.user_id) as officer_is_gone,
      four_eyes_of(p.tenant_id) as four_eyes
    from project p where p.id = ${projectId} and ${accessFilter(caller)} for update of p`)

/** Whether an officer's account is removed; a statement of its own, under the project's lock, as is the one below. */
export const isGone = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.first(sql<{ is: boolean }>`select is_gone(${userId}) as is`))!.is

/**
 * The step that a rollback would undo. A statement of its own, under the lock: within the locking one it would be read
 * as it was before the wait for somebody else's step.
 */
export const undoableStep = (tx: Tx, projectId: string) =>
  tx.first(sql<Undoable>`
    select e.seq, e.verb, e.actor_id as "actorId", e.actor_serves_all as "actorServesAll", e.from_status as "from", e.before, e.counted,
      e.before->>'publish_at' as "publishAt", exists (
        select from project_event a where a.project_id = e.project_id and a.seq > e.seq and a.verb = 'assign') as "isAssignedSince", exists (
        select from project_event a where a.project_id = e.project_id and a.seq > e.seq and a.verb = 'reschedule') as "isRescheduledSince"
    from project_event e
    where e.project_id = ${projectId} and e.before is not null and e.from_status is not null
      and not exists (select from project_event u where u.project_id = e.project_id and u.undoes = e.seq)
    order by e.seq desc limit 1`)

const actors = (tx: Reader, ids: RawBuilder<unknown>) =>
  tx.rows(sql<Actor>`select id, role, tenant_id as "tenantId" from person where id = any(${ids}) order by id`)

/** These people, as who acts. */
export const actorsOf = (tx: Reader, ids: readonly string[]) => actors(tx, sql`${ids as string[]}::uuid[]`)

/** The ADMINs of a company and of the service, as who acts. */
export const adminsOf = (tx: Reader, tenantId: string | null) => actors(tx, assignersSql(sql`${tenantId}::uuid`))

/**
 * Whether somebody may start this company's projects, which stays so until the transaction ends: who shuts them out, or gives them another
 * role or company, waits. As the service: whoever asks may not see them.
 */
export const mayEditFor = async (tx: Tx, editorId: string, tenantId: string | null): Promise<boolean> => {
  await tx.rows(sql`select from person where id = ${editorId} for share`)
  // A statement of its own: within the locking one it would be read as it was before the wait.
  const { may } = (await tx.first(sql<{ may: boolean }>`
    select ${editsForSql(sql`${editorId}::uuid`, sql`${tenantId}::uuid`)} as may`))!
  return may
}

export const isVisible = async (tx: Reader, caller: Caller, projectId: string): Promise<boolean> =>
  (await tx.first(sql`select 1 from project p where p.id = ${projectId} and ${accessFilter(caller)}`)) !== undefined

/** Writes a transition's columns; false when another one came first. */
export const saveProject = async (tx: Tx, row: ProjectRow, changes: Changes, now: Date): Promise<boolean> => {
  const columns = Object.entries(changes).map(([name, value]) =>
    name === 'feedback'
      ? sql`feedback = ${value === null ? null : JSON.stringify(value)}::jsonb`
      : sql`${sql.ref(name)} = ${value}`,
  )
  const saved = await tx.count(sql`
    update project set ${sql.join([...columns, sql`modified_at = ${now}`, sql`seq = ${row.seq + 1}`])}
    where id = ${row.id} and status = ${row.status} and seq = ${row.seq}`)
  return saved === 1
}

export type NewEvent = {
  projectId: string
  seq: number
  userId: string
  tenantId: string | null
  verb: Verb
  from: Status | null
  to: Status
  title: string
  description: string
  metadata: Record<string, unknown>
  caller: Caller
  at: Date
  before: Changes | null
  counted: Counted | null
  undoes: number | null
}

export const addEvent = (tx: Tx, e: NewEvent) =>
  tx.count(sql`
    insert into project_event (project_id, seq, user_id, tenant_id, verb, from_status, to_status, title, description,
      metadata, actor_id, actor_role, actor_serves_all, at, before, counted, undoes)
    values (${e.projectId}, ${e.seq}, ${e.userId}, ${e.tenantId}, ${e.verb}, ${e.from}, ${e.to}, ${e.title}, ${e.description},
      ${JSON.stringify(e.metadata)}, ${e.caller.id}, ${e.caller.role}, ${servesAll(e.caller)}, ${e.at},
      ${e.before && JSON.stringify(e.before)}, ${e.counted && JSON.stringify(e.counted)}, ${e.undoes})`)

/** Somebody who films, in the caller's reach. */
export const officerFor = (tx: Reader, caller: Caller, userId: string) =>
  tx.first(sql`
    select from person
    where id = ${userId} and ${hasDutySql(sql`role`, 'film')} and removed_at is null and ${tenantFilter(caller, sql`tenant_id`)}`)

/** Somebody who edits, in the caller's reach, as a caller of their own reach: what they would be shown. */
export const editorFor = (tx: Reader, caller: Caller, userId: string) =>
  tx.first(sql<Caller>`
    select id, role, tenant_id as "tenantId", null::integer as "securityStamp" from person
    where id = ${userId} and ${hasDutySql(sql`role`, 'edit')} and removed_at is null and not is_company and ${tenantFilter(caller, sql`tenant_id`)}`)

/**
 * The head of an editor's work: returned work first, then the pool; nothing whose record takes no more steps. Locked against
 * other editors when `lock`.
 */
export const nextFor = async (tx: Reader, caller: Caller, editorId: string, { lock }: { lock: boolean }) => {
  const head = (within: RawBuilder<unknown>) => () =>
    tx.first(sql<{ id: string }>`
      select p.id from project p where ${within} and p.seq < ${mostKept.steps - mostKept.stepsToFinish} and ${accessFilter(caller)}
      order by p.queue_position, p.id limit 1 ${lock ? sql`for update of p skip locked` : sql``}`)
  const returned = head(sql`p.status in (${statusSql.denied}, ${statusSql.revisioning}) and p.editor_id = ${editorId}`)
  const waiting = head(sql`p.status = ${statusSql.submitted} and (p.editor_id is null or p.editor_id = ${editorId})`)
  if (lock) return (await returned()) ?? (await waiting())
  // A look may be had at both at once; a lock must not be taken for nothing.
  const [first, second] = await Promise.all([returned(), waiting()])
  return first ?? second
}

export const poolSize = async (tx: Reader, caller: Caller): Promise<number> =>
  (await tx.first(sql<{ size: number }>`
    select count(*) as size from project p where p.status = ${statusSql.submitted} and ${accessFilter(caller)}`))!.size

export const queueEnd = async (tx: Tx): Promise<number> =>
  (await tx.first(sql<{ at: number }>`select queue_end() + ${step} as at`))!.at

export const returnedFirst = async (tx: Tx, editorId: string): Promise<number> =>
  (await tx.first(sql<{ at: number }>`select returned_first(${editorId}) - ${step} as at`))!.at

/**
 * The wished place in the queue, or its nearer end where it lies beyond, moved aside when somebody stands there. The neighbours move apart when the gap between
 * two of them is used up: a bounded number of rows, whatever the queue's length.
 */
export const freePlace = async (tx: Tx, projectId: string, asked: number): Promise<number> => {
  const others = sql`select queue_position from project where status = ${statusSql.submitted} and id <> ${projectId}`
  const { wished } = (await tx.first(sql<{ wished: number }>`
    select least(greatest(${asked}::double precision, coalesce((${others} order by queue_position limit 1), 0) - ${step}),
      coalesce((${others} order by queue_position desc limit 1), 0) + ${step}) as wished`))!
  const taken = await tx.first(sql`
    select 1 from project where status = ${statusSql.submitted} and queue_position = ${wished} and id <> ${projectId} limit 1`)
  if (!taken) return wished
  const next = await tx.first(sql<{ at: number }>`
    select queue_position as at from project
    where status = ${statusSql.submitted} and queue_position > ${wished} and id <> ${projectId} order by queue_position, id limit 1`)
  const middle = between(wished, next?.at ?? null)
  return middle ?? (await moveApart(tx, projectId, wished))
}

const moveApart = async (tx: Tx, projectId: string, from: number): Promise<number> => {
  for (let count = 32; ; count *= 4) {
    const crowd = await tx.rows(sql<{ id: string; at: number }>`
      select id, queue_position as at from project
      where status = ${statusSql.submitted} and queue_position > ${from} and id <> ${projectId} order by queue_position, id limit ${count + 1}`)
    const beyond = crowd.length > count ? crowd.pop()!.at : null
    const [mine, ...places] = spread(crowd.length + 1, from, beyond)
    if (new Set([from, mine, ...places, beyond]).size < places.length + (beyond === null ? 2 : 3)) continue
    await tx.count(sql`
      update project set queue_position = moved.at
      from unnest(${crowd.map(({ id }) => id)}::uuid[], ${places}::double precision[]) as moved (id, at)
      where project.id = moved.id and project.status = ${statusSql.submitted}`)
    return mine!
  }
}

/** A cut's row beside its asset. */
export type CutRow = { number: number; asset_id: string; editor_id: string; sent_at: Date; verdict: string }

export const addCut = async (
  tx: Tx,
  row: ProjectRow,
  assetId: string,
  editorId: string,
  now: Date,
): Promise<number> => {
  await tx.count(sql`
    update project_cut set verdict = 'replaced' where project_id = ${row.id} and verdict = 'waiting'`)
  const { number } = (await tx.first(sql<{ number: number }>`
    update project set cuts = cuts + 1 where id = ${row.id} returning cuts as number`))!
  await tx.count(sql`
    insert into project_cut (project_id, number, user_id, tenant_id, asset_id, editor_id, sent_at)
    values (${row.id}, ${number}, ${row.user_id}, ${row.tenant_id}, ${assetId}, ${editorId}, ${now})`)
  return number
}

export const saveVerdict = (
  tx: Tx,
  projectId: string,
  verdict: 'waiting' | 'approved' | 'denied' | 'replaced',
  number: number,
) => tx.count(sql`update project_cut set verdict = ${verdict} where project_id = ${projectId} and number = ${number}`)

/** The current cut: its row, and everybody who had a part in it. */
export type CurrentCut = {
  number: number
  asset_id: string
  editor_id: string
  sent_at: Date
  /** Null when the file is none that the caller may see: then nobody knows whose it is. */
  uploaded_by: string | null
  rendered_by: string | null
  recipe_by: string[]
  sent_by: string
}

/**
 * Inside another statement: the current cut of the project `id` as far as the caller may see it, no row when there is none.
 * It is the latest one that stands: a cut whose sending was rolled back does not.
 */
export const currentCutOf = (caller: Caller, id: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select c.number, c.asset_id, c.editor_id, c.sent_at, a.author_id as uploaded_by,
    (select r.asked_by from render r where r.asset_id = c.asset_id order by r.asked_at desc limit 1) as rendered_by,
    array(select w.person_id from edit_author w where w.project_id = c.project_id and w.since <= c.sent_at) as recipe_by,
    (select e.actor_id from project_event e
     where e.project_id = c.project_id and e.verb = 'send' and (e.counted->>'cut')::integer = c.number) as sent_by
  from project_cut c left join asset a on a.id = c.asset_id
  where c.project_id = ${id} and c.verdict <> 'replaced' and ${cutsAccessFilter(caller)}
  order by c.number desc limit 1`

/** Whose work a project's file is that is about to be sent, and whether the edit has left it behind; undefined when it is none that the actor may see. */
export const fileToSend = (tx: Tx, projectId: string, assetId: string) =>
  tx.first(sql<
    Pick<CurrentCut, 'uploaded_by' | 'rendered_by' | 'recipe_by'> & { is_older: boolean; reviewed_as: number | null }
  >`
    select a.author_id as uploaded_by,
      (select r.asked_by from render r where r.asset_id = a.id order by r.asked_at desc limit 1) as rendered_by,
      array(select w.person_id from edit_author w where w.project_id = a.project_id) as recipe_by,
      a.id in (${olderRenders(sql`a.project_id`)}) as is_older,
      (select max(c.number) from project_cut c
       where c.project_id = a.project_id and c.asset_id = a.id and c.verdict in ('approved', 'denied')) as reviewed_as
    from asset a where a.id = ${assetId} and a.project_id = ${projectId}`)

/** The files of a project that were rendered from another recipe than its edit has now. */
export const olderRenders = (projectId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select r.asset_id from render r join edit e on e.project_id = r.project_id
  where r.project_id = ${projectId} and r.asset_id is not null and e.recipe is distinct from r.recipe`

/** A statement of its own, under the project's lock: see `undoableStep`. */
export const currentCut = (tx: Tx, caller: Caller, projectId: string) =>
  tx.first(sql<CurrentCut>`${currentCutOf(caller, sql`${projectId}::uuid`)}`)

export const cutsOf = (tx: Reader, caller: Caller, projectId: string) =>
  tx.rows(sql<CutRow>`
    select number, asset_id, editor_id, sent_at, verdict from project_cut where project_id = ${projectId} and ${cutsAccessFilter(caller)} order by number desc`)

export type TriageRow = { late: number; due_soon: number; unassigned: number; turnaround_hours: number | null }

/** Counts of the open work within the caller's reach, and the median hours of the last week's first approvals. */
export const triageOf = async (tx: Reader, caller: Caller, now: Date, until: Date): Promise<TriageRow> =>
  (await tx.first(sql<TriageRow>`
    select open.late, open.due_soon, open.unassigned, done.turnaround_hours from (
      select (count(*) filter (where p.due_by < ${now}))::integer as late,
        (count(*) filter (where p.due_by >= ${now} and p.due_by < ${until}))::integer as due_soon,
        (count(*) filter (where p.editor_id is null))::integer as unassigned
      from project p
      where p.status in (${statusSql.submitted}, ${statusSql.inProgress}, ${statusSql.waitingApproval}, ${statusSql.denied}, ${statusSql.revisioning})
        and ${accessFilter(caller)}) open
    cross join (
      select (percentile_cont(0.5) within group (order by extract(epoch from e.at - q.at) / 3600))::double precision as turnaround_hours
      from project_event e
        join project p on p.id = e.project_id
        -- When it came to the queue, at the sending in or when its month began.
        cross join lateral (
          select max(b.at) as at from project_event b
          where b.project_id = e.project_id and b.seq < e.seq and b.verb in ('create', 'release') and b.to_status = ${statusSql.submitted}) q
      where e.verb = 'approve' and e.at > ${new Date(now.getTime() - 7 * 86_400_000)} and ${accessFilter(caller)}
        and not exists (select from project_event u where u.project_id = e.project_id and u.undoes = e.seq)
        and not exists (
          select from project_event b where b.project_id = e.project_id and b.verb = 'approve' and b.seq < e.seq)) done`))!

export type DecidedRow = {
  project_id: string
  title: string
  user_name: string
  /** Null where there is one company, or the caller serves one. */
  tenant_name: string | null
  verb: 'approve' | 'deny'
  cut: number | null
  at: Date
  by_name: string
  actor_id: string
  is_undone: boolean
}

/** The last hundred decisions within the caller's reach. */
export const decisionsOf = (tx: Reader, caller: Caller) =>
  tx.rows(sql<DecidedRow>`
    select e.project_id, p.title, coalesce(name_of(p.user_id), '') as user_name,
      ${companyShown(caller)} as tenant_name, e.verb, (e.counted->>'cut')::integer as cut,
      e.at, coalesce(name_of(e.actor_id), '') as by_name, e.actor_id,
      exists (select from project_event u where u.project_id = e.project_id and u.undoes = e.seq) as is_undone
    from project_event e join project p on p.id = e.project_id
    where e.verb in ('approve', 'deny') and ${accessFilter(caller)}
    order by e.at desc limit 100`)

/** The letters of what a project's steps keep beside their titles; under the project's lock. */
export const lettersOfSteps = async (tx: Tx, projectId: string): Promise<number> =>
  (await tx.first(sql<{ letters: number }>`
    select coalesce(sum(length(metadata::text)), 0)::integer as letters from project_event where project_id = ${projectId}`))!
    .letters

/** An officer's projects that are neither finished nor canceled. */
export const openProjectsOf = (tx: Tx, userId: string) =>
  tx.rows(sql<{ id: string; tenant_id: string | null; status: Status }>`
    select p.id, p.tenant_id, p.status from project p
    where p.user_id = ${userId} and p.status not in (${statusSql.completed}, ${statusSql.canceled}) order by p.id for update`)

/** How many videos of an officer were sent in within the last 24 hours, whatever became of them. */
export const sentInLately = async (tx: Reader, userId: string, now: Date): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from project
    where user_id = ${userId} and submitted_at > ${new Date(now.getTime() - 86_400_000)}`))!.n

/** Keeps what the officer thinks of their finished video; 0 where they have no such video. */
export const keepAnswer = (tx: Tx, caller: Caller, projectId: string, score: number, words: string | null, now: Date) =>
  tx.count(sql`
    update project set answer_score = ${score}, answer_words = ${words}, answered_at = ${now}
    where id = ${projectId} and user_id = ${caller.id} and approved_video_id is not null
      and status in (${statusSql.completed}, ${statusSql.scheduled})`)

export type KitRow = {
  b_roll: string | null
  facebook_link: string | null
  instagram_link: string | null
  guidelines_url: string | null
  asks_feedback: boolean
}

/** What of a brand kit stands in the brief; no row of somebody who is in another company now. */
export const kitOf = (tx: Reader, userId: string, tenantId: string | null) =>
  tx.first(sql<KitRow>`
    select b_roll, facebook_link, instagram_link, guidelines_url, asks_feedback from kit_of(${userId}, ${tenantId}::uuid)`)

/** Of one company, where one is named. */
export const countOpenOf = async (tx: Reader, userId: string, companyId?: string): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*) as n from project
    where user_id = ${userId} and status not in (${statusSql.completed}, ${statusSql.canceled})
      and ${companyId === undefined ? sql`true` : sql`tenant_id = ${companyId}::uuid`}`))!.n

export const expireSources = (tx: Tx, userId: string, now: Date) =>
  tx.count(
    sql`update project set expires_at = ${now} where user_id = ${userId} and status in (${statusSql.completed}, ${statusSql.canceled})`,
  )

/** The time zone that somebody lives in. */
export const zoneOf = async (tx: Reader, personId: string): Promise<string> =>
  (await tx.first(sql<{ zone: string }>`select time_zone_of(${personId}) as zone`))!.zone
