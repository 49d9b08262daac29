import type { RawBuilder } from 'kysely'
import { canonicalMailbox } from '@clear-to-post/domain/mailbox'
import type { PersonRole } from '@clear-to-post/domain/roles'
import { hasDutySql } from '../kernel/domain-sql.ts'
import { sql, type Caller, type Tx } from '../kernel/database.ts'
import { confirmedOf, isTo, type RemovedPerson } from '../kernel/personal-data.ts'
import { tenantFilter } from '../kernel/tenancy.ts'

export type InvitationRow = {
  id: string
  email: string
  role: PersonRole
  tenant_id: string | null
  tenant_name: string | null
  invited_by: string
  sent_at: Date
  sent_times: number
  ends_at: Date
  accepted_at: Date | null
  withdrawn_at: Date | null
}

const invitationRow = sql`v.id, v.email, v.role, v.tenant_id, t.name as tenant_name, v.invited_by, v.sent_at, cardinality(v.mailed_at) as sent_times, v.ends_at,
  v.accepted_at, v.withdrawn_at`
const isUnsettled = sql`v.accepted_at is null and v.withdrawn_at is null`

/** Whether `i` could send `v` today: an ADMIN of its company, or of the service. The same as `mayInviteTo`, and not shut out. */
const stands = sql`${hasDutySql(sql`i.role`, 'administer')} and not i.is_disabled and i.removed_at is null
  and (i.tenant_id is null or i.tenant_id = v.tenant_id)`

/** Until this transaction ends nobody else invites to this company; null: to the service. */
export const lockInviting = (tx: Tx, tenantId: string | null) =>
  tx.rows(
    sql`select pg_advisory_xact_lock(hashtextextended('invitations of ' || coalesce(${tenantId}::text, 'all'), 0))`,
  )

/**
 * Until this transaction ends nobody else counts what was mailed to these mailboxes. After the caller's person and the company,
 * before any invitation; in one order, so that two who send to the same people do not wait for each other.
 */
export const lockMailboxes = (tx: Tx, emails: readonly string[]) =>
  tx.rows(sql`
    select pg_advisory_xact_lock(hashtextextended('mails that invite ' || m, 0))
    from unnest(${[...new Set(emails.map(canonicalMailbox))].toSorted()}::text[]) m`)

/** What a company has open, of which for officers, and what it made since then. */
export const countsOf = async (tx: Tx, caller: Caller, tenantId: string | null, since: Date) =>
  (await tx.first(sql<{ open: number; officers: number; made: number }>`
    select count(*) filter (where ${isUnsettled} and v.ends_at > now()) as open,
      count(*) filter (where ${isUnsettled} and v.ends_at > now() and ${hasDutySql(sql`v.role`, 'film')}) as officers,
      count(*) filter (where v.created_at > ${since}) as made
    from invitation v
    where v.tenant_id is not distinct from ${tenantId}::uuid and ${tenantFilter(caller, sql`v.tenant_id`)}`))!

/** Mails that invited this mailbox since then: whoever sent them, and for this company (null: the service). As the service. */
export const mailsTo = async (tx: Tx, email: string, tenantId: string | null, since: Date) =>
  (await tx.first(sql<{ all: number; ours: number }>`
    select count(*) as all, count(*) filter (where v.tenant_id is not distinct from ${tenantId}::uuid) as ours
    from invitation v cross join unnest(v.mailed_at) as mailed(at)
    where v.mailbox = ${canonicalMailbox(email)} and mailed.at > ${since}`))!

/** Who has this address, where the caller may see them. */
export const personOf = (tx: Tx, caller: Caller, email: string) =>
  tx.first(sql<{ role: PersonRole; tenant_id: string | null }>`
    select p.role, p.tenant_id from person p
    where p.email = ${email} and p.removed_at is null and ${tenantFilter(caller, sql`p.tenant_id`)}`)

/** Takes the place of one that is over: nobody can follow that any more. As the service: a colleague may have sent it. */
export const dropOver = (tx: Tx, caller: Caller, email: string, tenantId: string | null, now: Date) =>
  tx.count(sql`
    update invitation v set withdrawn_at = ${now}, token_hash = null
    where v.email = ${email} and v.tenant_id is not distinct from ${tenantId}::uuid and ${isUnsettled} and v.ends_at <= ${now}
      and ${tenantFilter(caller, sql`v.tenant_id`)}`)

type NewInvitation = {
  email: string
  role: PersonRole
  tenantId: string | null
  invitedBy: string
  hash: Buffer
  mailId: string
  now: Date
  endsAt: Date
}

/** Undefined where the address waits for this company already. */
export const addInvitation = (tx: Tx, v: NewInvitation) =>
  tx.first(sql<{ id: string }>`
    insert into invitation (email, mailbox, role, tenant_id, invited_by, token_hash, mail_id, sent_at, mailed_at, ends_at)
    values (${v.email}, ${canonicalMailbox(v.email)}, ${v.role}, ${v.tenantId}, ${v.invitedBy}, ${v.hash}, ${v.mailId}, ${v.now}, array[${v.now}::timestamptz], ${v.endsAt})
    on conflict do nothing returning id`)

/** Locked for a change, within the caller's reach. */
export const lockInvitation = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql<
    Pick<InvitationRow, 'id' | 'email' | 'tenant_id' | 'sent_at' | 'sent_times' | 'accepted_at' | 'withdrawn_at'>
  >`
    select v.id, v.email, v.tenant_id, v.sent_at, cardinality(v.mailed_at) as sent_times, v.accepted_at, v.withdrawn_at from invitation v
    where v.id = ${id} and ${tenantFilter(caller, sql`v.tenant_id`)} for no key update`)

export const findInvitation = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql<InvitationRow>`
    select ${invitationRow} from invitation v left join tenant t on t.id = v.tenant_id
    where v.id = ${id} and ${tenantFilter(caller, sql`v.tenant_id`)}`)

export const renew = (tx: Tx, id: string, v: Pick<NewInvitation, 'invitedBy' | 'hash' | 'mailId' | 'now' | 'endsAt'>) =>
  tx.count(sql`
    update invitation set invited_by = ${v.invitedBy}, token_hash = ${v.hash}, mail_id = ${v.mailId}, sent_at = ${v.now},
      mailed_at = mailed_at || ${v.now}::timestamptz, ends_at = ${v.endsAt}
    where id = ${id}`)

/** As the service: a colleague of whoever sent it takes it back. */
export const withdrawRow = (tx: Tx, id: string, now: Date) =>
  tx.count(sql`update invitation set withdrawn_at = ${now}, token_hash = null where id = ${id}`)

/** Names of those who invited, and whether each of these invitations could be sent by them today. As the service. */
export const invitersOf = (tx: Tx, ids: readonly string[]) =>
  tx.rows(sql<{ id: string; name: string; tenant_id: string | null; stands: boolean }>`
    select v.id, i.name, i.tenant_id, (${stands}) as stands from invitation v join person i on i.id = v.invited_by
    where v.id = any(${ids}::uuid[])`)

/** An invitation that somebody may follow now. */
export type GoodInvitation = Pick<
  InvitationRow,
  'id' | 'email' | 'role' | 'tenant_id' | 'tenant_name' | 'ends_at' | 'invited_by'
> & {
  inviter: string
}

const good = sql`
  select v.id, v.email, v.role, v.tenant_id, t.name as tenant_name, v.ends_at, v.invited_by, i.name as inviter
  from invitation v join person i on i.id = v.invited_by left join tenant t on t.id = v.tenant_id
  where ${isUnsettled} and v.ends_at > now() and ${stands} and (v.tenant_id is null or t.is_active)`

/** By the hash of its link; undefined for every link that leads nowhere, whyever. As the service. */
export const goodByHash = (tx: Tx, hash: Buffer) => tx.first(sql<GoodInvitation>`${good} and v.token_hash = ${hash}`)

/** By the mail that carries its link: of each invitation the last one alone. As the service. */
export const goodByMail = (tx: Tx, mailId: string) => tx.first(sql<GoodInvitation>`${good} and v.mail_id = ${mailId}`)

/** Whoever sent it stays who they are until this transaction ends. Undefined where they could not send it any more. */
export const holdInviter = (tx: Tx, id: string) =>
  tx.first(sql`
    select from invitation v join person i on i.id = v.invited_by where v.id = ${id} and ${stands} for share of i`)

/** Of any number who follow a link at once exactly one gets the row. As the service. */
export const redeemInvitation = (tx: Tx, hash: Buffer, personId: string, now: Date) =>
  tx.count(sql`
    update invitation v set accepted_at = ${now}, accepted_by = ${personId}, token_hash = null
    where v.token_hash = ${hash} and ${isUnsettled} and v.ends_at > ${now}`)

/** Those that ended that long ago. As the service. */
export const dropOld = (tx: Tx, before: Date) => tx.count(sql`delete from invitation where ends_at < ${before}`)

/** Those that a person sent, took or was sent, however their address was spelled. As the service. */
export const dropOf = (tx: Tx, leaving: RemovedPerson) => {
  const mailboxes = confirmedOf(leaving).map((held) => ({ ...held, email: canonicalMailbox(held.email) }))
  return tx.rows(sql<{ mail_id: string }>`
    delete from invitation v
    where v.invited_by = ${leaving.id} or v.accepted_by = ${leaving.id} or ${isTo(mailboxes, sql`v.mailbox`, sql`v.created_at`)}
    returning v.mail_id`)
}

/** How the list's fields stand in SQL. */
export const listColumns = {
  columns: {
    email: sql`v.email`,
    role: sql`v.role`,
    tenantId: sql`v.tenant_id`,
    isOpen: sql`(${isUnsettled} and v.ends_at > now())`,
    createdAt: sql`v.created_at`,
  },
  id: sql`v.id`,
}

export const listSelect = (
  caller: Caller,
  { where, tail, keys }: { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> },
) =>
  sql<InvitationRow & { page_key: string; page_id: string }>`
    select ${invitationRow}, ${keys} from invitation v left join tenant t on t.id = v.tenant_id
    where ${tenantFilter(caller, sql`v.tenant_id`)} and ${where} ${tail}`
