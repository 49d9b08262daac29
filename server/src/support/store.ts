import type { RawBuilder } from 'kysely'
import { mayEver } from '@clear-to-post/domain/access'
import { mostKept } from '@clear-to-post/domain/most-kept'
import type { PersonRole } from '@clear-to-post/domain/roles'
import type { SupportState } from '@clear-to-post/domain/support'
import { hasDutySql } from '../kernel/domain-sql.ts'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import { confirmedOf, isTo, type RemovedPerson } from '../kernel/personal-data.ts'
import { holds, type PageColumns } from '../kernel/page.ts'
import { tenantFilter } from '../kernel/tenancy.ts'

export type ThreadRow = {
  id: string
  person_id: string | null
  person_name: string | null
  tenant_id: string | null
  tenant_name: string | null
  guest_email: string | null
  project_id: string | null
  project_title: string | null
  assignee_id: string | null
  assignee_name: string | null
  subject: string
  state: SupportState
  since: Date
  created_at: Date
  last_words: string | null
  last_message_id: string | null
}
export type MessageRow = {
  id: string
  author_id: string | null
  author_name: string | null
  by_staff: boolean
  kind: 'message' | 'assigned' | 'closed' | 'reopened'
  body: string
  about_id: string | null
  about_name: string | null
  created_at: Date
}

/** What is the caller's own, and what staff reach, by the columns that name its person and its company. */
const ownOrReached = (caller: Caller, person: RawBuilder<unknown>, tenant: RawBuilder<unknown>): RawBuilder<unknown> =>
  mayEver(caller.role, 'support.answer')
    ? sql`(${person} = ${caller.id} or ${tenantFilter(caller, tenant)})`
    : sql`(/* wall */ ${person} = ${caller.id})`

/** Names of others are for staff, as far as they reach; `p`, a person's alias. */
const nameFor = (caller: Caller, p: RawBuilder<unknown>): RawBuilder<unknown> =>
  ownOrReached(caller, sql`${p}.id`, sql`${p}.tenant_id`)

const threadRow = sql`h.id, h.person_id, p.name as person_name, h.tenant_id, t.name as tenant_name, h.guest_email,
  h.project_id, j.title as project_title, h.assignee_id, a.name as assignee_name, h.subject, h.state, h.since, h.created_at,
  l.words as last_words, l.id as last_message_id`

const joined = (caller: Caller) => sql`
  left join person p on p.id = h.person_id and ${nameFor(caller, sql`p`)}
  left join person a on a.id = h.assignee_id and ${nameFor(caller, sql`a`)}
  left join lateral (
    select m.id, left(m.body, 200) as words from support_message m where m.thread_id = h.id and m.kind = 'message'
    order by m.created_at desc, m.id desc limit 1) l on true
  left join tenant t on t.id = h.tenant_id and ${tenantFilter(caller, sql`t.id`)}
  left join project j on j.id = h.project_id and j.user_id is not distinct from h.person_id
    and ${ownOrReached(caller, sql`j.user_id`, sql`j.tenant_id`)}`

/** The wall of the room: what one has asked, and what staff reach. */
const withinReach = (caller: Caller): RawBuilder<unknown> => ownOrReached(caller, sql`h.person_id`, sql`h.tenant_id`)

export const findThread = (tx: Reader, caller: Caller, id: string) =>
  tx.first(sql<ThreadRow>`
    select ${threadRow} from support_thread h ${joined(caller)} where h.id = ${id} and ${withinReach(caller)}`)

/** Until the transaction ends nobody else says or does anything there. */
export const lockThread = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql`select 1 from support_thread h where h.id = ${id} and ${withinReach(caller)} for no key update`)

export const listColumns: PageColumns = {
  columns: {
    place: sql`h.place`,
    state: sql`h.state`,
    assigneeId: sql`h.assignee_id`,
    personId: sql`h.person_id`,
  },
  id: sql`h.id`,
  searches: {
    words: (words) =>
      sql`(${holds(sql`h.subject`, words)} or ${holds(sql`p.name`, words)} or ${holds(sql`h.guest_email`, words)} or ${holds(sql`t.name`, words)})`,
  },
}

type Parts = { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> }
type Listed = ThreadRow & { page_key: string; page_id: string }

export const queueSelect = (caller: Caller, { where, tail, keys }: Parts) =>
  sql<Listed>`
    select ${threadRow}, ${keys} from support_thread h ${joined(caller)}
    where ${tenantFilter(caller, sql`h.tenant_id`)} and h.person_id is distinct from ${caller.id} and ${where} ${tail}`

export const ownSelect = (caller: Caller, { where, tail, keys }: Parts) =>
  sql<Listed>`
    select ${threadRow}, ${keys} from support_thread h ${joined(caller)}
    where (/* wall */ h.person_id = ${caller.id}) and ${where} ${tail}`

export const messagesIn = (tx: Reader, caller: Caller, threadId: string) =>
  tx.rows(sql<MessageRow>`
    select m.id, m.author_id, w.name as author_name, m.by_staff, m.kind, m.body, m.about_id, b.name as about_name, m.created_at
    from support_message m join support_thread h on h.id = m.thread_id
    left join person w on w.id = m.author_id and ${nameFor(caller, sql`w`)}
    left join person b on b.id = m.about_id and ${nameFor(caller, sql`b`)}
    where m.thread_id = ${threadId} and ${withinReach(caller)}
    order by m.created_at, m.id`)

/** Until the transaction ends nobody else asks in this person's name. */
export const askedLately = async (tx: Tx, personId: string, now: Date): Promise<number> => {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('questions of ' || ${personId}, 0))`)
  return (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from support_thread h
    where (/* wall */ h.person_id = ${personId}) and h.created_at > ${new Date(now.getTime() - 86_400_000)}`))!.n
}

/** Letters of the contact form that nobody has answered; as the service. */
export const waitingLetters = async (tx: Tx): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from (
      select from support_thread h where h.person_id is null and h.state = 'waiting' limit ${mostKept.waitingLetters}) w`))!
    .n

/** Until the transaction ends no other letter is taken; as the service. */
export const lockLetters = (tx: Tx) =>
  tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('letters of the contact form', 0))`)

/** Letters since `hour` began, two at most, and whether any came in the hour before; as the service. */
export const lettersOfHour = async (tx: Tx, hour: Date): Promise<{ now: number; isAnyBefore: boolean }> => {
  const before = new Date(hour.getTime() - 3_600_000)
  const found = (await tx.first(sql<{ n: number; is_any_before: boolean }>`
    select (select count(*)::integer from (
        select from support_thread h where h.person_id is null and h.created_at >= ${hour} limit 2) w) as n,
      exists (select from support_thread h
        where h.person_id is null and h.created_at >= ${before} and h.created_at < ${hour}) as is_any_before`))!
  return { now: found.n, isAnyBefore: found.is_any_before }
}

/**
 * Of the letters that nobody has in hand, closes one of the net or the address that sent most of them, or the oldest where each sent
 * one. Of a net it is the newest, so that what came from there before a flood stays. An address is what somebody typed, maybe
 * another's: of its letters it is the newest of the net that sent most under it, and where each of its nets sent one, the one in the
 * middle, because its owner wrote before a flood or after it. Answers how many, 0 or 1; as the service.
 */
export const closeSomeLetter = (tx: Tx, now: Date): Promise<number> =>
  tx.count(sql`
    with waiting as (
      select h.id, h.place, lower(h.guest_email) as address,
        case when h.from_net is null then 1 else count(*) over (partition by h.from_net) end as of_net,
        case when h.guest_email is null then 1 else count(*) over (partition by lower(h.guest_email)) end as of_address,
        case when h.from_net is null then 1 else count(*) over (partition by lower(h.guest_email), h.from_net) end as of_both
      from support_thread h where h.person_id is null and h.state = 'waiting' and h.assignee_id is null),
    counted as (
      select w.id, w.place, w.of_both, greatest(w.of_net, w.of_address) as of_sender, w.of_net >= w.of_address as is_net,
        abs(2 * row_number() over (partition by w.address order by w.place, w.id) - w.of_address - 1) as from_middle
      from waiting w),
    chosen as (
      select h.id from counted w join support_thread h on h.id = w.id
      order by w.of_sender desc, w.is_net desc,
        case when not w.is_net then w.of_both end desc,
        case when not w.is_net and w.of_both = 1 then w.from_middle end,
        case when w.of_sender > 1 then -w.place else w.place end, w.id limit 1 for no key update of h skip locked),
    closed as (
      update support_thread h set state = 'closed', since = ${now} from chosen o where h.id = o.id returning h.id)
    insert into support_message (thread_id, by_staff, kind, body, created_at)
    select c.id, true, 'closed', '', ${now} from closed c`)

export const countMessages = async (tx: Tx, threadId: string, byStaff: boolean): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from support_message m
    where m.thread_id = ${threadId} and m.by_staff = ${byStaff}`))!.n

/** What a person said in their questions since yesterday. Until the transaction ends they say nothing else. */
export const saidLately = async (tx: Tx, personId: string, now: Date): Promise<number> => {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('questions of ' || ${personId}, 0))`)
  return (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from support_message m
    where (/* wall */ m.person_id = ${personId}) and not m.by_staff
      and m.created_at > ${new Date(now.getTime() - 86_400_000)}`))!.n
}

/** Whether staff said or did something after all that its asker said: what the asker says next makes it wait anew. */
export const staffWereLast = async (tx: Tx, threadId: string): Promise<boolean> =>
  (await tx.first(sql<{ by_staff: boolean }>`
    select m.by_staff from support_message m
    where m.thread_id = ${threadId} and m.kind <> 'assigned' and (m.by_staff or m.kind <> 'closed')
    order by m.created_at desc, m.id desc limit 1`))!.by_staff

export const addThread = async (
  tx: Tx,
  thread: {
    personId: string | null
    tenantId: string | null
    guestEmail: string | null
    fromNet: string | null
    projectId: string | null
    subject: string
  },
  now: Date,
): Promise<string> =>
  (await tx.first(sql<{ id: string }>`
    insert into support_thread (person_id, tenant_id, guest_email, from_net, project_id, subject, since, created_at)
    values (${thread.personId}, ${thread.tenantId}, ${thread.guestEmail}, ${thread.fromNet}, ${thread.projectId},
      ${thread.subject}, ${now}, ${now})
    returning id`))!.id

export const addMessage = async (
  tx: Tx,
  { id, person_id, tenant_id }: Pick<ThreadRow, 'id' | 'person_id' | 'tenant_id'>,
  message: {
    authorId: string | null
    byStaff: boolean
    kind: MessageRow['kind']
    body?: string
    aboutId?: string | null
  },
  now: Date,
): Promise<string> =>
  (await tx.first(sql<{ id: string }>`
    insert into support_message (thread_id, person_id, tenant_id, author_id, by_staff, kind, body, about_id, created_at)
    values (${id}, ${person_id}, ${tenant_id}, ${message.authorId}, ${message.byStaff}, ${message.kind}, ${message.body ?? ''},
      ${message.aboutId ?? null}, ${now})
    returning id`))!.id

export const moveThread = (tx: Tx, caller: Caller, id: string, state: SupportState, now: Date) =>
  tx.count(sql`
    update support_thread h set state = ${state}, since = case when h.state = ${state} then h.since else ${now} end
    where h.id = ${id} and ${withinReach(caller)}`)

export const giveThread = (tx: Tx, caller: Caller, id: string, assigneeId: string | null) =>
  tx.count(sql`
    update support_thread h set assignee_id = ${assigneeId} where h.id = ${id} and ${withinReach(caller)}`)

/** Somebody who may be given work, as far as the caller reaches. */
export const findHelper = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql<{ id: string; role: PersonRole; tenant_id: string | null; name: string }>`
    select p.id, p.role, p.tenant_id, p.name from person p
    where p.id = ${id} and not p.is_disabled and p.removed_at is null
      and (p.id = ${caller.id} or ${tenantFilter(caller, sql`p.tenant_id`)})`)

/** Who answers questions of a company: its own ADMINs and the service's, at most 20 of each; as the service. */
export const helpersFor = async (
  tx: Tx,
  { tenantId, assigneeId }: { tenantId: string | null; assigneeId: string | null },
): Promise<string[]> => {
  const rows = await tx.rows(sql<{ id: string; is_assigned: boolean }>`
    select r.id, r.id is not distinct from ${assigneeId}::uuid as is_assigned from (
      select p.id, row_number() over (partition by p.tenant_id order by p.id = ${assigneeId}::uuid desc nulls last, p.created_at) as n
      from person p
      where ${hasDutySql(sql`p.role`, 'administer')} and (p.tenant_id is null or p.tenant_id = ${tenantId})
        and not p.is_disabled and p.removed_at is null) r
    where r.n <= 20`)
  const assigned = rows.filter(({ is_assigned }) => is_assigned)
  return (assigned.length > 0 ? assigned : rows).map(({ id }) => id)
}

/** Letters of the contact form from before, as many as one pass takes; as the service. */
export const dropOldLetters = (tx: Tx, before: Date) =>
  tx.count(sql`
    delete from support_thread where id in (
      select h.id from support_thread h where h.person_id is null and h.since < ${before} limit 1000)`)

/** Closed letters that nobody had in hand, all but the newest; as the service. */
export const dropClosedLetters = (tx: Tx) =>
  tx.count(sql`
    delete from support_thread where id in (
      select h.id from support_thread h where h.person_id is null and h.state = 'closed' and h.assignee_id is null
      order by h.since desc, h.id offset ${mostKept.closedLetters} limit 10000)`)

/** All that a person asked, and what came by the contact form from their address where it is known to be theirs. */
export const dropThreadsOf = (tx: Tx, leaving: RemovedPerson) =>
  tx.rows(sql<{ id: string }>`
    delete from support_thread h
    where h.person_id = ${leaving.id} or ${isTo(confirmedOf(leaving), sql`lower(h.guest_email)`, sql`h.created_at`)}
    returning h.id`)

/** Takes from somebody the questions that they may answer no more: gone, shut out, in another role or company. Answers those that wait, the oldest first. */
export const leaveThreads = async (tx: Tx, personId: string): Promise<LeftThread[]> => {
  const left = await tx.rows(sql<LeftThread & { state: SupportState }>`
    with left_by as (
      update support_thread h set assignee_id = null
      where h.assignee_id = ${personId} and not exists (
        select from person p where p.id = ${personId} and ${hasDutySql(sql`p.role`, 'administer')} and not p.is_disabled
          and p.removed_at is null and (p.tenant_id is null or p.tenant_id = h.tenant_id))
      returning h.id, h.person_id, h.tenant_id, h.state, h.since)
    select l.id, l.person_id, l.tenant_id, l.state, (
      select m.id from support_message m where m.thread_id = l.id order by m.created_at desc, m.id desc limit 1) as last_message_id
    from left_by l order by l.since, l.id`)
  return left.filter(({ state }) => state === 'waiting')
}
export type LeftThread = { id: string; person_id: string | null; tenant_id: string | null; last_message_id: string }
