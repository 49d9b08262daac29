import { hasDutySql } from '../kernel/domain-sql.ts'
import { canonicalMailbox } from '@clear-to-post/domain/mailbox'
import { hasDuty } from '@clear-to-post/domain/roles'
import type { RawBuilder } from 'kysely'
import type { TimeOff, WorkWeek } from '@clear-to-post/domain/availability'
import type { EqualHousing } from '@clear-to-post/domain/licences'
import type { Role } from '@clear-to-post/domain/roles'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import { isRunning } from '../kernel/entitled.ts'
import { tenantFilter } from '../kernel/tenancy.ts'

export type PersonRow = {
  id: string
  email: string
  name: string
  role: Role
  tenant_id: string | null
  editor_id: string | null
  profession: string | null
  photo_url: string | null
  preferences: Record<string, unknown>
  time_zone: string
  fcm_token: string | null
  experience_id: string | null
  customer_id: string
  is_disabled: boolean
  /** Since when the address is known to be theirs; null: it is not known. */
  email_verified_at: Date | null
  created_at: Date
  nmls_number: string | null
  licence_states: string[]
  work_week: WorkWeek | null
  time_off: TimeOff[]
}

/** What a profile says of the person's company. */
export type CompanyOfPerson = {
  tenant_name: string | null
  company_nmls_number: string | null
  equal_housing: EqualHousing | null
}

/** The columns of a PersonRow; `p` is the alias of person. */
export const personRow = sql`p.id, p.email, p.name, p.role, p.tenant_id, p.editor_id, p.profession, p.photo_url, p.preferences, p.time_zone,
  p.fcm_token, p.experience_id, p.customer_id, p.is_disabled, p.email_verified_at, p.created_at,
  p.nmls_number, p.licence_states, p.work_week, p.time_off`

export type NewPersonRow = {
  email: string
  name: string
  role: Role
  tenantId: string | null
  profession: string | null
  timeZone: string | null
  /** Whether somebody vouches for the address already: the operator, or a provider. */
  isEmailVerified: boolean
}

/** Undefined when the address is taken, however many ask for it at once. */
export const addPerson = (tx: Tx, p: NewPersonRow) =>
  tx.first(sql<PersonRow>`
    insert into person as p (email, name, role, tenant_id, profession, time_zone, email_verified_at)
    values (${p.email}, ${p.name}, ${p.role}, ${p.tenantId}, ${p.profession}, coalesce(${p.timeZone}, 'America/New_York'),
      case when ${p.isEmailVerified}::boolean then now() end)
    on conflict (email) do nothing returning ${personRow}`)

export const personById = (tx: Tx, id: string) =>
  tx.first(sql<PersonRow & CompanyOfPerson>`
    select ${personRow}, t.name as tenant_name, t.nmls_number as company_nmls_number, t.equal_housing
    from person p left join tenant t on t.id = p.tenant_id where p.id = ${id}`)

/** Somebody within the caller's reach. */
export const findPerson = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql<PersonRow>`select ${personRow} from person p where p.id = ${id} and ${peopleAccessFilter(caller)}`)

/** The same with the names of their company and their editor. */
export const findPersonWithNames = (tx: Reader, caller: Caller, id: string) =>
  tx.first(sql<PersonRow & { tenant_name: string | null; editor_name: string | null }>`
    select ${personRow}, t.name as tenant_name, name_of(p.editor_id) as editor_name
    from person p left join tenant t on t.id = p.tenant_id where p.id = ${id} and ${peopleAccessFilter(caller)}`)

/** Somebody within the caller's reach, locked for a change. */
export const lockPerson = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql<PersonRow>`
    select ${personRow} from person p where p.id = ${id} and ${peopleAccessFilter(caller)} for no key update`)

export const lockPersonByEmail = (tx: Tx, email: string) =>
  tx.first(sql<PersonRow>`select ${personRow} from person p where p.email = ${email} for no key update`)

/** Whose address this is, when they may sign in; whoever asks is told by code and not by this. */
export const activeByEmail = (tx: Tx, email: string) =>
  tx.first(sql<PersonRow>`select ${personRow} from person p where p.email = ${email} and not p.is_disabled`)

export const isTaken = async (tx: Tx, email: string): Promise<boolean> =>
  (await tx.first(sql`select 1 from person where email = ${email}`)) !== undefined

/** Whether this address has an account that has confirmed it. */
export const isConfirmed = async (tx: Tx, email: string): Promise<boolean> =>
  (await tx.first(sql`select from person where email = ${email} and email_verified_at is not null`)) !== undefined

export const saveAccountState = (tx: Tx, id: string, s: { role: Role; tenantId: string | null; isDisabled: boolean }) =>
  tx.count(sql`
    update person set role = ${s.role}, tenant_id = ${s.tenantId}, is_disabled = ${s.isDisabled}, modified_at = now()
    where id = ${id}`)

/** Columns of a profile; absent ones stay, `preferences` are whole. */
export type ProfileChanges = Partial<
  Pick<
    PersonRow,
    | 'name'
    | 'profession'
    | 'photo_url'
    | 'preferences'
    | 'time_zone'
    | 'experience_id'
    | 'editor_id'
    | 'nmls_number'
    | 'licence_states'
    | 'work_week'
    | 'time_off'
  >
>

const jsonColumns = new Set(['preferences', 'work_week', 'time_off'])

export const saveProfile = async (tx: Tx, id: string, changes: ProfileChanges): Promise<void> => {
  const set = Object.entries(changes).map(([name, value]) =>
    jsonColumns.has(name)
      ? sql`${sql.ref(name)} = ${JSON.stringify(value)}::jsonb`
      : sql`${sql.ref(name)} = ${value as string | string[] | null}`,
  )
  if (set.length > 0)
    await tx.count(sql`update person set ${sql.join([...set, sql`modified_at = now()`])} where id = ${id}`)
}

/** The phone of a person, with the sign-in that named it; null: none. As the service. */
export const savePhone = (tx: Tx, id: string, phone: { fcmToken: string; familyId: string } | null) =>
  tx.count(sql`
    update person set fcm_token = ${phone?.fcmToken ?? null}, fcm_family_id = ${phone?.familyId ?? null}, modified_at = now()
    where id = ${id}`)

/** A phone rings for one person: whoever it was before. */
export const unlinkFromOthers = (tx: Tx, fcmToken: string, keptBy: string) =>
  tx.count(
    sql`update person set fcm_token = null, fcm_family_id = null where fcm_token = ${fcmToken} and id <> ${keptBy}`,
  )

/** From the first time on it is known that the address is this person's. */
export const verifyAddress = (tx: Tx, id: string) =>
  tx.count(sql`update person set email_verified_at = coalesce(email_verified_at, now()) where id = ${id}`)

/** A profile as a new account has it: the name is the address's, the rest is empty. Whose editor stays. */
export const emptyProfile = async (tx: Tx, id: string): Promise<void> => {
  await tx.count(sql`
    update person set name = left(split_part(email, '@', 1), 120), profession = null, photo_url = null, preferences = '{}',
      time_zone = default, fcm_token = null, fcm_family_id = null, experience_id = null,
      nmls_number = null, licence_states = '{}', work_week = null, time_off = '[]', modified_at = now()
    where id = ${id}`)
  // What they hear, and when.
  await tx.count(sql`delete from notification_choice where user_id = ${id}`)
  await tx.count(sql`delete from notification_quiet where user_id = ${id}`)
}

/** Throws PostgreSQL's unique violation when the address is taken. */
export const saveEmail = (tx: Tx, id: string, email: string) =>
  tx.first(sql<PersonRow>`
    update person p set email = ${email}, email_since = case when p.email = ${email} then p.email_since else now() end,
      email_verified_at = coalesce(p.email_verified_at, now()), modified_at = now()
    where p.id = ${id} and not p.is_disabled returning ${personRow}`)

/**
 * Takes back the open invitations of an address, however it was spelled in them: those to one company (null: to the service),
 * or every one. An older link brings nobody back. As the service.
 */
export const withdrawInvitations = (
  tx: Tx,
  { email, to }: { email: string; to: { tenantId: string | null } | 'all' },
  now: Date,
) =>
  tx.count(sql`
    with open as materialized (
      select id from invitation
      where mailbox = ${canonicalMailbox(email)} and accepted_at is null and withdrawn_at is null
        and (${to === 'all'} or tenant_id is not distinct from ${to === 'all' ? null : to.tenantId}::uuid)
      order by id for update)
    update invitation set withdrawn_at = ${now}, token_hash = null where id in (select id from open)`)

/** Somebody who may edit for officers of this tenant, within the caller's reach. */
export const findEditorFor = (tx: Tx, caller: Caller, editorId: string, tenantId: string | null) =>
  tx.first(sql`
    select 1 from person p
    where p.id = ${editorId} and ${hasDutySql(sql`p.role`, 'edit')} and not p.is_disabled
      and (p.tenant_id is null or p.tenant_id = ${tenantId}::uuid) and ${peopleAccessFilter(caller)}`)

/** Answers that are kept for a person's repeated requests; a repeat is refused from now on. */
export const forgetAnswers = (tx: Tx, id: string) =>
  tx.count(sql`update answered_request set status = null, answer = null where actor_id = ${id}`)

/** Officers of an editor who does not edit any more have none. */
export const unbindOfficersOf = (tx: Tx, editorId: string) =>
  tx.count(sql`update person set editor_id = null where editor_id = ${editorId}`)

/** An officer in a new tenant keeps an editor who serves that tenant, too. */
export const unbindStrangers = (tx: Tx, id: string) =>
  tx.count(sql`
    update person p set editor_id = null
    from person e where p.id = ${id} and e.id = p.editor_id and e.tenant_id is not null
      and e.tenant_id is distinct from p.tenant_id`)

/** Until this transaction ends nobody else changes who the admins are. */
export const lockAdmins = (tx: Tx) => tx.rows(sql`select pg_advisory_xact_lock(4172665003)`)

/**
 * Waits for this person's calls that write, and lets none begin until the transaction ends: each was allowed by who they were.
 * Before the person is locked. See migrations/0121.
 */
export const awaitCallsOf = (tx: Tx, id: string) =>
  tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('calls of ' || ${id}, 0))`)

/** Is this an admin, as far as the transaction's actor may see? */
export const isAdmin = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.first(sql`select from person where id = ${id} and ${hasDutySql(sql`role`, 'administer')}`)) !== undefined

/** The admins of the same company, or of the service, who may sign in, without this one. */
export const otherAdmins = async (tx: Tx, { id, tenant_id }: Pick<PersonRow, 'id' | 'tenant_id'>): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*) as n from person
    where ${hasDutySql(sql`role`, 'administer')} and tenant_id is not distinct from ${tenant_id}::uuid and not is_disabled
      and id <> ${id}`))!.n

/** Whoever administers a company (null: the service) and may sign in. */
export const administratorsOf = (tx: Tx, tenantId: string | null) =>
  tx.rows(sql<{ id: string; name: string; email: string }>`
    select p.id, p.name, p.email from person p
    where p.tenant_id is not distinct from ${tenantId}::uuid and ${hasDutySql(sql`p.role`, 'administer')} and not p.is_disabled
    order by p.created_at limit 50`)

/** Whether a company's plan is charged again when its period ends. */
export const isCharged = async (tx: Tx, tenantId: string): Promise<boolean> =>
  (await tx.first(sql`
    select from subscription s
    where s.tenant_id = ${tenantId} and s.provider_id is not null and s.ends_at is null and ${isRunning}`)) !==
  undefined

/**
 * Empties a person's row. It stays for the work that names it, under a name that is nobody's and an address that no mail
 * reaches. Runs as the service; safe to repeat.
 */
export const blankPerson = (tx: Tx, id: string) =>
  tx.count(sql`
    update person set name = 'Former user', email = gen_random_uuid() || '@removed.invalid', profession = null,
      photo_url = null, preferences = '{}', time_zone = default, fcm_token = null, fcm_family_id = null,
      experience_id = null, editor_id = null, nmls_number = null, licence_states = '{}',
      work_week = null, time_off = '[]',
      email_verified_at = null, is_disabled = true, removed_at = coalesce(removed_at, now()), modified_at = now()
    where id = ${id}`)

/** How the search's fields stand in SQL. */
export const searchColumns = {
  columns: {
    id: sql`p.id`,
    name: sql`p.name`,
    email: sql`p.email`,
    role: sql`p.role`,
    tenantId: sql`p.tenant_id`,
    editorId: sql`p.editor_id`,
    isDisabled: sql`p.is_disabled`,
    createdAt: sql`p.created_at`,
  },
  id: sql`p.id`,
}

type Parts = { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> }
type Listed = PersonRow & { page_key: string; page_id: string }

export const searchSelect = (caller: Caller, { where, tail, keys }: Parts) =>
  sql<Listed>`select ${personRow}, ${keys} from person p where ${peopleAccessFilter(caller)} and ${where} ${tail}`

export const boundSelect = (caller: Caller, editorId: string, { where, tail, keys }: Parts) =>
  sql<Listed>`
    select ${personRow}, ${keys} from person p
    where p.editor_id = ${editorId} and ${hasDutySql(sql`p.role`, 'film')} and ${peopleAccessFilter(caller)} and ${where} ${tail}`

/** The query's own wall: oneself, and for staff the people they reach; whoever was removed is nobody's, and a company itself (decision 790) is no person. `p` is the person table's alias. */
export const peopleAccessFilter = (caller: Caller): RawBuilder<unknown> => {
  if (hasDuty(caller.role, 'film')) return sql`(p.removed_at is null and (/* wall */ p.id = ${caller.id}::uuid))`
  return sql`(p.removed_at is null and not p.is_company and (p.id = ${caller.id}::uuid or ${tenantFilter(caller, sql`p.tenant_id`)}))`
}
