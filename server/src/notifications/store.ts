import type { Kind, Step } from '@clear-to-post/domain/audiences'
import type { Channel, Rhythm } from '@clear-to-post/domain/delivery'
import type { Status, Verb } from '@clear-to-post/domain/workflow'
import type { RawBuilder } from 'kysely'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { sql, type Caller, type Tx } from '../kernel/database.ts'
import type { Notice } from '@clear-to-post/domain/notice'
import { assignersSql, editsForSql, hasDutySql, statusSql } from '../kernel/domain-sql.ts'
import { isOver } from '../kernel/notice-over.ts'
import { isInReach } from '../kernel/notice-reach.ts'

export type NotificationRow = {
  id: string
  user_id: string
  trigger_id: string | null
  title: string
  body: string
  status: 'failed' | 'delivered' | 'deleted'
  delivered_at: Date
  opened_at: Date | null
  deleted_at: Date | null
  cta: { label: string; url: string } | null
  metadata: Record<string, unknown>
  error: string | null
}

/** The columns of a NotificationRow; `n` is the alias of notification. */
export const notificationRow = sql`n.id, n.user_id, n.trigger_id, n.title, n.body, n.status, n.delivered_at, n.opened_at, n.deleted_at, n.cta,
  n.metadata, n.error`

/** How the list's fields stand in SQL. */
export const listColumns = {
  columns: { status: sql`n.status`, deliveredAt: sql`n.delivered_at`, opened: sql`(n.opened_at is not null)` },
  id: sql`n.id`,
}

type Parts = { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> }

/** A page of the caller's own; what was deleted only where it is asked for. */
export const listSelect = (
  { id }: Pick<Caller, 'id'>,
  { where, tail, keys }: Parts,
  { withDeleted }: { withDeleted: boolean },
) =>
  sql<NotificationRow & { page_key: string; page_id: string }>`
    select ${notificationRow}, ${keys} from notification n
    where (/* wall */ n.user_id = ${id}) and ${withDeleted ? sql`true` : sql`n.status <> 'deleted'`} and ${isInReach}
      and ${where} ${tail}`

/** Marks an item as opened, once; undefined when it is not theirs, was deleted, or is out of their reach. */
export const openNotification = (tx: Tx, userId: string, id: string, now: Date) =>
  tx.first(sql<NotificationRow>`
    update notification n set opened_at = coalesce(n.opened_at, ${now})
    where n.id = ${id} and (/* wall */ n.user_id = ${userId}) and n.status <> 'deleted' and ${isInReach}
    returning ${notificationRow}`)

/** The same for all of theirs; `until`: only for what they were told up to then. */
export const openAll = (tx: Tx, userId: string, until: Date | undefined, now: Date) =>
  tx.count(sql`
    update notification set opened_at = ${now}
    where (/* wall */ user_id = ${userId}) and status <> 'deleted' and opened_at is null and ${isToldUntil(until)}`)

/** `until`: only what they were told up to then. */
export const deleteNotifications = (tx: Tx, userId: string, until: Date | undefined, now: Date) =>
  tx.count(sql`
    update notification set status = 'deleted', deleted_at = ${now} where (/* wall */ user_id = ${userId}) and status <> 'deleted'
      and ${isToldUntil(until)}`)

// As the moment is told: in milliseconds.
const isToldUntil = (until: Date | undefined) =>
  until === undefined ? sql`true` : sql`date_trunc('milliseconds', delivered_at) <= ${until}`

export type NotifiedEvent = {
  /** It was posted by itself, or is after this was undone: nobody has to. */
  is_posted: boolean
  verb: Verb
  at: Date
  actor_id: string
  title: string
  /** Where it led. */
  status: Status
  /** Of a cancellation because no plan came: the day until which it can be brought back. */
  unpaid_until: string | null
  /** Whether the step was rolled back since, whether any came after it, and which of these stand, leading where. */
  is_undone: boolean
  is_past: boolean
  later: Verb[]
  later_statuses: Status[]
  /** The step that this rollback undid. */
  undone_verb: Verb | null
  undone_seq: number | null
  /** The step that it undid left a schedule whose time has passed. */
  is_late: boolean
  user_id: string
  editor_id: string | null
  former_editor_id: string | null
  reviewer_ids: string[]
  /** Who can give it to another editor, where its own cannot go on with it. */
  assigner_ids: string[]
}

const isUndone = (seq: RawBuilder<unknown>) =>
  sql`exists (select from project_event r where r.project_id = p.id and r.undoes = ${seq})`

/** The verbs after an event of project p that stand. */
const verbsAfter = (seq: RawBuilder<unknown>) => sql`array(
  select l.verb from project_event l where l.project_id = p.id and l.seq > ${seq} and l.undoes is null and not ${isUndone(sql`l.seq`)})`

/** The statuses to which its steps after an event led that stand, and the one to which the last event led. */
const statusesAfter = (seq: RawBuilder<unknown>) => sql`array(
  select l.to_status from project_event l where l.project_id = p.id and l.seq > ${seq}
    and (l.seq = p.seq or (l.before is not null and l.undoes is null and not ${isUndone(sql`l.seq`)})))`

/**
 * An event of a project with those who may hear of it, while nobody else tells of this project. Whoever lost a claim by a
 * rollback is the one who had made it: the project names no editor any more.
 */
export const eventToNotify = async (tx: Tx, projectId: string, seq: number): Promise<NotifiedEvent | undefined> => {
  // What two steps say must not cross: the later one withdraws what the earlier one said.
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`tell ${projectId}`}, 0))`)
  return tx.first(sql<NotifiedEvent>`
    select e.verb, e.at, e.to_status as status, e.actor_id, e.user_id, p.title, coalesce((coalesce(u.metadata, e.metadata)->>'isPosted')::boolean, false) as is_posted, u.verb as undone_verb, u.seq as undone_seq,
      coalesce(u.from_status = ${statusSql.scheduled} and e.to_status = ${statusSql.completed}, false) as is_late,
      case when e.verb = 'cancel' and e.metadata ? 'waits'
        then to_char(p.expires_at at time zone time_zone_of(p.user_id), 'FMMonth FMDD') end as unpaid_until,
      ${isUndone(sql`e.seq`)} as is_undone,
      exists (select from project_event l where l.project_id = e.project_id and l.seq > e.seq) as is_past,
      ${verbsAfter(sql`e.seq`)} as later, ${statusesAfter(sql`e.seq`)} as later_statuses,
      ${stillReaching(sql`case when u.verb = 'start' then u.actor_id
        when e.verb = 'assign' then (e.metadata->>'editorId')::uuid else p.editor_id end`)} as editor_id,
      ${stillReaching(sql`(
        select case when f.verb = 'start' then f.actor_id else (f.metadata->>'editorId')::uuid end from project_event f
        where f.project_id = e.project_id and f.seq < e.seq and f.verb in ('start', 'assign')
          and not exists (select from project_event r where r.project_id = f.project_id and r.undoes = f.seq)
        order by f.seq desc limit 1)`)} as former_editor_id,
      array(select q.id from person q where ${hasDutySql(sql`q.role`, 'review')} and not q.is_disabled and q.removed_at is null
        and (q.tenant_id is null or q.tenant_id = p.tenant_id) and q.id is distinct from p.editor_id) as reviewer_ids,
      case when p.editor_id is not null and not ${editsForSql(sql`p.editor_id`, sql`p.tenant_id`)}
        then ${assignersSql(sql`p.tenant_id`)} else '{}' end as assigner_ids
    from project_event e join project p on p.id = e.project_id
    left join project_event u on u.project_id = e.project_id and u.seq = e.undoes
    where e.project_id = ${projectId} and e.seq = ${seq}`)
}

/** This editor of project `p`, or null once they edit no more or were moved to another company. */
const stillReaching = (editorId: RawBuilder<unknown>) => sql`(
  select r.id from person r where r.id = ${editorId} and ${hasDutySql(sql`r.role`, 'edit')}
    and (r.tenant_id is null or r.tenant_id = p.tenant_id))`

/**
 * Takes back what a rolled-back step has said: out of the panel, and what has not left yet never leaves. Answers to whom
 * it was said, and who knows of it: has read it, put it away, or was sent it. `since`: when the step was undone; what was put away
 * after that was withdrawn here, where this is done once more.
 */
export const withdrawStep = async (tx: Tx, projectId: string, seq: number, since: Date, now: Date) => {
  const which = sql`n.about = ${projectId} and n.cause in (${stepCause(projectId, seq)}, ${turnCause(projectId, seq)})`
  await dropDepartures(tx, which)
  const said = await tx.rows(sql<{ user_id: string; is_known: boolean }>`
    select n.user_id, n.opened_at is not null or coalesce(n.deleted_at < ${since}, false) or exists (
        select from mail m where m.key in ('notice:' || n.id, 'digest:' || n.digest) and m.state in ('sending', 'sent', 'unknown'))
      or exists (
        select from push_delivery x
        where x.person_id = n.user_id and x.key = 'notice:' || n.cause and x.attempts > 0) as is_known
    from notification n where ${which}`)
  await tx.count(sql`
    update notification n set status = 'deleted', deleted_at = ${now} where ${which} and n.status <> 'deleted'`)
  return said
}

/** Why people are told of a step, and that it is their turn after it. */
export const stepCause = (projectId: string, seq: number): string => `project:${projectId}:${seq}`
export const turnCause = (projectId: string, seq: number): string => `${stepCause(projectId, seq)}:turn`

/**
 * Takes back what was said before a step and is true no more, wherever nobody has read it yet. Nobody deleted it (`deleted_at`): it
 * may be true again, and is kept with the channels by which it had not left.
 */
export const withdrawEnded = async (
  tx: Tx,
  projectId: string,
  before: number,
  ended: readonly { step: Step; title: string }[],
  now: Date,
): Promise<void> => {
  if (ended.length === 0) return
  const which = sql`
    n.about = ${projectId} and ${isUnread} and (n.metadata->>'seq')::integer < ${before}
      and (n.metadata->>'step', n.title) in (
      select e.step, e.title
      from unnest(${ended.map(({ step }) => step)}::text[], ${ended.map(({ title }) => title)}::text[]) as e (step, title))`
  const unsent = await dropDepartures(tx, which)
  await tx.count(sql`
    update notification n set status = 'deleted',
      metadata = metadata || jsonb_build_object('endedAt', ${now}::timestamptz, 'unsent', coalesce((
        select jsonb_agg(u.channel) from unnest(${unsent.map(({ id }) => id)}::uuid[], ${unsent.map(({ channel }) => channel)}::text[]) as u (id, channel)
        where u.id = n.id), '[]'))
    where ${which}`)
}

/**
 * What a step of a project ended unread, and nobody was told anew, with the steps that stand since it was said; not what was said of
 * a step that does not stand, nor work of who is not its editor.
 */
export const endedUnread = (tx: Tx, projectId: string) =>
  tx.rows(sql<{ id: string; step: Step; title: string; later: Verb[]; later_statuses: Status[] }>`
    select n.id, n.metadata->>'step' as step, n.title, ${verbsAfter(sql`(n.metadata->>'seq')::integer`)} as later,
      ${statusesAfter(sql`(n.metadata->>'seq')::integer`)} as later_statuses
    from notification n join project p on p.id = n.about
    where n.about = ${projectId} and n.status = 'deleted' and n.metadata ? 'unsent'
      and not ${isUndone(sql`(n.metadata->>'seq')::integer`)} and (n.kind <> 'work' or n.user_id = p.editor_id)
      and not exists (
        select from notification o where o.user_id = n.user_id and o.about = n.about and o.status <> 'deleted'
          and o.title = n.title and o.metadata->>'step' = n.metadata->>'step')`)

/** Somebody to whom a notice was brought back, with the channels by which it had not left. */
export type BroughtBack = Recipient & { kind: Kind; unsent: Channel[] }

/**
 * Brings these back, of those who are there and reach what they are about. A mail that was given up is forgotten, so that another
 * one can leave; a digest that left while they were away did not say them.
 */
export const bringBack = async (tx: Tx, ids: readonly string[], now: Date): Promise<BroughtBack[]> => {
  const back = await tx.rows(sql<BroughtBack>`
    with back as (
      update notification n set status = case when n.error is null then 'delivered' else 'failed' end, delivered_at = ${now},
        metadata = n.metadata - 'unsent' - 'endedAt'
      from person p
      where n.id = any(${ids as string[]}::uuid[]) and p.id = n.user_id and p.removed_at is null and not p.is_disabled and ${isInReach}
      returning n.id, n.user_id, n.kind, array(select jsonb_array_elements_text(old.metadata->'unsent')) || array(
        select 'email' from mail m where m.key = 'digest:' || n.digest and m.settled_at > (old.metadata->>'endedAt')::timestamptz) as unsent)
    select b.id, b.user_id, b.kind, b.unsent, p.tenant_id, p.email, p.email_verified_at is not null as is_confirmed, p.time_zone,
      c.email as email_choice, c.push as push_choice, q.from_time as quiet_from, q.until_time as quiet_until
    from back b join person p on p.id = b.user_id
    left join notification_choice c on c.user_id = b.user_id and c.kind = b.kind
    left join notification_quiet q on q.user_id = b.user_id`)
  const which = sql`n.id = any(${back.map(({ id }) => id)}::uuid[])`
  await tx.count(
    sql`delete from mail m using notification n where m.key = 'notice:' || n.id and m.state = 'dropped' and ${which}`,
  )
  await tx.count(sql`
    delete from push_delivery x using notification n
    where x.person_id = n.user_id and x.key = 'notice:' || n.cause and x.state = 'dropped' and x.attempts = 0 and ${which}`)
  await tellLive(tx, back)
  return back
}

// What is added tells of itself.
const tellLive = (tx: Tx, back: readonly BroughtBack[]) =>
  tx.count(sql`
    insert into news (told)
    select json_build_object('type', 'notification', 'id', b.id, 'userId', b.user_id)
    from unnest(${back.map(({ id }) => id)}::uuid[], ${back.map(({ user_id }) => user_id)}::uuid[]) as b (id, user_id)`)

/** What was said of a cause is so no more: taken back wherever nobody has read it. */
export const endNotices = async (tx: Tx, cause: string, userIds: readonly string[], now: Date): Promise<void> => {
  const isSaid = sql`n.cause = ${cause} and n.user_id = any(${userIds as string[]}::uuid[])`
  const which = sql`${isSaid} and ${isUnread}`
  await dropDepartures(tx, which)
  await tx.count(sql`update notification n set status = 'deleted', deleted_at = ${now} where ${which}`)
  await tx.count(
    sql`update notification n set metadata = metadata || '{"isOver": true}' where ${isSaid} and not ${isOver}`,
  )
}

const isUnread = sql`n.opened_at is null and n.status <> 'deleted'`

// A digest may say more than this: what it says is read when it goes out. Answers what had not left by which channel.
const dropDepartures = async (tx: Tx, which: RawBuilder<unknown>): Promise<{ id: string; channel: Channel }[]> => {
  type Unsent = { id: string; channel: Channel }
  const held = await tx.rows(sql<Unsent>`
    delete from notification_waiting w using notification n where n.id = w.notification_id and ${which} returning n.id, w.channel`)
  const mailed = await tx.rows(sql<Unsent>`
    update mail m set state = 'dropped', settled_at = now() from notification n
    where m.key = 'notice:' || n.id and m.state = 'waiting' and ${which} returning n.id, 'email' as channel`)
  const pushed = await tx.rows(sql<Unsent>`
    with x as (
      update push_delivery x set state = 'dropped', settled_at = now() from notification n
      where x.person_id = n.user_id and x.key = 'notice:' || n.cause and x.state = 'waiting' and ${which} returning n.id, x.attempts)
    select distinct id, 'push' as channel from x where attempts = 0`)
  return [...held, ...mailed, ...pushed]
}

/** What a person has chosen for a kind; null where nothing was chosen. */
export type Chosen = {
  email_choice: Rhythm | null
  push_choice: boolean | null
  quiet_from: string | null
  quiet_until: string | null
}

/** Somebody who was just told, with what decides how it leaves the panel. `id` is the notification's. */
export type Recipient = Chosen & {
  id: string
  user_id: string
  tenant_id: string | null
  email: string
  /** Has shown that the address is theirs. */
  is_confirmed: boolean
  time_zone: string
}

/**
 * Writes one notice into the panel of each person who was not told of its cause yet and reaches what it is about. Every
 * channel goes on from what this answers, so that none tells others.
 */
export const addNotices = (tx: Tx, notice: Notice, userIds: readonly string[], now: Date) =>
  tx.rows(sql<Recipient>`
    with told as (
      insert into notification (user_id, kind, title, body, cta, metadata, cause, about, trigger_id, delivered_at)
      select p.id, ${notice.kind}, ${notice.title}, ${notice.body}, ${notice.cta && JSON.stringify(notice.cta)}::jsonb,
        ${JSON.stringify(notice.metadata)}::jsonb, ${notice.cause}, n.about,
        ${notice.triggerId ?? null}::uuid, ${now}
      from person p cross join lateral (select p.id as user_id, ${notice.about ?? null}::uuid as about) n
      where p.id = any(${userIds as string[]}::uuid[]) and p.removed_at is null and not p.is_disabled and ${isInReach}
      -- One order for all: two who tell the same people wait for each other and never in a circle.
      order by p.id
      on conflict (user_id, cause) do nothing
      returning id, user_id)
    select t.id, t.user_id, p.tenant_id, p.email, p.email_verified_at is not null as is_confirmed, p.time_zone, c.email as email_choice, c.push as push_choice,
      q.from_time as quiet_from, q.until_time as quiet_until
    from told t join person p on p.id = t.user_id
    left join notification_choice c on c.user_id = t.user_id and c.kind = ${notice.kind}
    left join notification_quiet q on q.user_id = t.user_id`)

export type Waiting = { notificationId: string; userId: string; channel: Channel; dueAt: Date }

export const addWaiting = async (tx: Tx, all: readonly Waiting[]): Promise<void> => {
  if (all.length === 0) return
  await tx.count(sql`
    insert into notification_waiting (notification_id, channel, user_id, due_at)
    select w.id, w.channel, w.user_id, w.due_at
    from unnest(${all.map((one) => one.notificationId)}::uuid[], ${all.map((one) => one.channel)}::text[],
      ${all.map((one) => one.userId)}::uuid[], ${all.map((one) => one.dueAt.toISOString())}::timestamptz[]) as w (id, channel, user_id, due_at)`)
}

/** Something that waited for its moment, with whom it is for. */
export type DueNotice = Recipient & {
  channel: Channel
  kind: Kind
  title: string
  body: string
  cta: Notice['cta']
  cause: string
}

/**
 * Takes all that is due for up to `limit` people out of what waits, oldest first; what was read or withdrawn meanwhile is
 * left out, and so is who is gone. None where somebody else is just taking.
 */
export const takeDue = async (tx: Tx, now: Date, limit: number): Promise<DueNotice[]> => {
  const [turn] = await tx.rows(sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(4172665022) as mine`)
  if (!turn?.mine) return []
  for (;;) {
    const taken = await tx.rows(sql<DueNotice & { is_worth_it: boolean }>`
      with people as (
        select user_id from notification_waiting where due_at <= ${now} group by user_id order by min(due_at) limit ${limit}
      ), taken as (
        delete from notification_waiting w using people where w.user_id = people.user_id and w.due_at <= ${now}
        returning w.notification_id, w.channel)
      select n.id, n.user_id, p.tenant_id, t.channel, n.kind, n.title, n.body, n.cta, n.cause, p.email,
        p.email_verified_at is not null as is_confirmed, p.time_zone,
        c.email as email_choice, c.push as push_choice, q.from_time as quiet_from, q.until_time as quiet_until,
        n.opened_at is null and n.status <> 'deleted' and p.removed_at is null and not p.is_disabled
          and (t.channel <> 'email' or p.email_verified_at is not null) and ${isInReach} as is_worth_it
      from taken t join notification n on n.id = t.notification_id join person p on p.id = n.user_id
      left join notification_choice c on c.user_id = n.user_id and c.kind = n.kind
      left join notification_quiet q on q.user_id = n.user_id
      order by n.delivered_at, n.id`)
    const due = taken.filter(({ is_worth_it }) => is_worth_it)
    if (due.length > 0 || taken.length === 0) return due
  }
}

export const markDigests = async (tx: Tx, all: readonly { id: string; digest: string }[]): Promise<void> => {
  if (all.length === 0) return
  await tx.count(sql`
    update notification n set digest = d.digest
    from unnest(${all.map(({ id }) => id)}::uuid[], ${all.map(({ digest }) => digest)}::uuid[]) as d(id, digest)
    where n.id = d.id`)
}

/** Deletes 5,000 notices at most that are older than `before`, or that lie beyond a person's newest `mostKept.notices`. */
export const deleteOldNotices = (tx: Tx, before: Date): Promise<number> =>
  tx.count(sql`
    delete from notification where id in (
      select old.id from person p cross join lateral (
        select n.id from notification n where n.user_id = p.id and n.delivered_at < ${before}
        union
        (select n.id from notification n where n.user_id = p.id
          order by n.delivered_at desc, n.id desc offset ${mostKept.notices})) old
      limit 5000)`)
