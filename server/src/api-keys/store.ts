import type { RawBuilder } from 'kysely'
import { mayEver } from '@clear-to-post/domain/access'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { duties, type PersonRole } from '@clear-to-post/domain/roles'
import type { Scope } from '@clear-to-post/domain/scopes'
import { holds, type PageColumns } from '../kernel/page.ts'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import { hasDutySql } from '../kernel/domain-sql.ts'
import { tenantFilter } from '../kernel/tenancy.ts'

export type KeyRow = {
  id: string
  name: string
  prefix: string
  scopes: Scope[]
  created_at: Date
  ends_at: Date
  last_used_at: Date | null
  state: 'good' | 'over' | 'revoked' | 'ended'
}

/** Person `a` is an ADMIN of this company, and may sign in. */
const isAdminOf = (tenantId: RawBuilder<unknown>) =>
  sql`a.tenant_id = ${tenantId} and ${hasDutySql(sql`a.role`, 'administer')} and not a.is_disabled and a.removed_at is null`

/**
 * Whether key `k` counts, with `p` its person: a key of before their sessions were ended is none. A company itself signs in nowhere;
 * its keys count while there is an ADMIN of it who can end them.
 */
const isTheirs = sql`k.security_stamp = p.security_stamp and (not p.is_disabled or (p.is_company and exists (
    select from person a where ${isAdminOf(sql`p.tenant_id`)})))`
const isGood = sql`k.revoked_at is null and k.ends_at > now() and ${isTheirs}`
const keyRow = sql`k.id, k.name, k.prefix, k.scopes, k.created_at, k.ends_at, k.last_used_at,
  case when k.ended_by is not null then 'ended' when k.revoked_at is not null then 'revoked' when k.ends_at <= now() then 'over'
    when not (${isTheirs}) then 'ended' else 'good' end as state`

export const keysOf = (tx: Reader, personId: string) =>
  tx.rows(sql<KeyRow>`
    select ${keyRow} from api_key k join person p on p.id = k.person_id
    where (/* wall */ k.person_id = ${personId}) order by k.created_at desc, k.id desc limit ${mostKept.listedApiKeys}`)

export const goodKeysOf = async (tx: Reader, personId: string): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from api_key k join person p on p.id = k.person_id
    where (/* wall */ k.person_id = ${personId}) and ${isGood}`))!.n

/** How many keys were made for whom within a day, also those that have ended. */
export const keysOfADay = async (tx: Reader, personId: string): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from api_key k
    where (/* wall */ k.person_id = ${personId}) and k.created_at > now() - interval '1 day'`))!.n

/** What is demanded of whoever stands behind keys, person `p` of company `t`, and whether they have it. */
type Demand = { role: PersonRole; is_company: boolean; tenant_demands: boolean; has_factor: boolean }
const demand = sql`p.role, p.is_company, coalesce(t.require_second_factor, false) as tenant_demands,
  exists (
    select from person a where (a.id = p.id or (p.is_company and ${isAdminOf(sql`p.tenant_id`)})) and (
      exists (select from totp f where f.person_id = a.id and f.confirmed_at is not null)
      or exists (select from passkey f where f.person_id = a.id))) as has_factor`

type NewKey = {
  name: string
  prefix: string
  hash: Buffer
  scopes: readonly Scope[]
  days: number
  /** The session that was shown; null where it was an ID token alone. */
  madeIn: string | null
}

/** Kept under the person's company and security stamp of this moment. */
export const addKey = async (tx: Tx, personId: string, { name, prefix, hash, scopes, days, madeIn }: NewKey) =>
  (await tx.first(sql<KeyRow>`
    insert into api_key (person_id, tenant_id, name, prefix, secret_hash, scopes, security_stamp, ends_at, made_in)
    select p.id, p.tenant_id, ${name}, ${prefix}, ${hash}, ${scopes as Scope[]}::text[], p.security_stamp,
      now() + make_interval(days => ${days}), ${madeIn}::uuid
    from person p where p.id = ${personId}
    returning id, name, prefix, scopes, created_at, ends_at, last_used_at, 'good' as state`))!

export const addressOf = async (tx: Reader, personId: string): Promise<string> =>
  (await tx.first(sql<{ email: string }>`select email from person where (/* wall */ id = ${personId})`))!.email

/** The addresses of a company's ADMINs. */
export const adminAddressesOf = (tx: Reader, tenantId: string) =>
  tx.rows(sql<{ id: string; email: string }>`
    select p.id, p.email from person p
    where (/* wall */ p.tenant_id = ${tenantId}::uuid) and ${hasDutySql(sql`p.role`, 'administer')} and not p.is_disabled
    order by p.created_at limit 50`)

/** The company itself as who acts by its keys, made with the first of them; locked. Runs as the service. */
export const lockCompany = async (tx: Tx, tenantId: string): Promise<string> => {
  await tx.count(sql`
    insert into person (email, name, role, tenant_id, is_disabled, is_company, email_verified_at)
    select gen_random_uuid() || '@keys.invalid', 'The company', ${duties.administer[0]}, t.id, true, true, now() from tenant t where t.id = ${tenantId}
    on conflict (tenant_id) where is_company do nothing`)
  return (await tx.first(sql<{ id: string }>`
    select id from person where tenant_id = ${tenantId} and is_company for no key update`))!.id
}

/** Ends a key; those of others within reach only where `reachesOthers`. Undefined: there is no such key. */
export const endKey = (tx: Tx, caller: Caller, id: string, reachesOthers: boolean, now: Date) =>
  tx.first(sql<
    KeyRow & { is_ended_now: boolean; person_id: string; email: string; is_company: boolean; tenant_id: string | null }
  >`
    update api_key k set revoked_at = coalesce(k.revoked_at, ${now}) from person p
    where p.id = k.person_id and k.id = ${id}
      and (k.person_id = ${caller.id} or (${reachesOthers}::boolean
        and ${tenantFilter(caller, sql`k.tenant_id`)} and ${tenantFilter(caller, sql`p.tenant_id`)}))
    returning ${keyRow}, old.revoked_at is null as is_ended_now, k.person_id, p.email, p.is_company, k.tenant_id`)

/** The name of a key, and whether it is a company's own, where the caller may read it: theirs, or, as an ADMIN, one within reach. */
export const keyShown = (caller: Caller, id: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select json_build_object('name', k.name, 'isCompanys', p.is_company) from api_key k join person p on p.id = k.person_id where k.id = ${id}
    and ${mayEver(caller.role, 'api-key.list') ? tenantFilter(caller, sql`k.tenant_id`) : sql`(/* wall */ k.person_id = ${caller.id})`})`

/** `company`: whose own it is, where it is no person's. */
export type OwnedKeyRow = KeyRow & { owner_name: string; owner_email: string; company: string | null }

export const listColumns: PageColumns = {
  columns: {
    createdAt: sql`k.created_at`,
    endsAt: sql`k.ends_at`,
    isGood: sql`(${isGood})`,
    ownerId: sql`k.person_id`,
  },
  id: sql`k.id`,
  searches: {
    owner: (words) =>
      sql`(${holds(sql`p.name`, words)} or ${holds(sql`p.email`, words)} or ${holds(sql`k.name`, words)})`,
  },
}

export const listSelect = (
  caller: Caller,
  { where, tail, keys }: { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> },
) =>
  sql<OwnedKeyRow & { page_key: string; page_id: string }>`
    select ${keyRow}, p.name as owner_name, p.email as owner_email, case when p.is_company then t.name end as company, ${keys}
    from api_key k join person p on p.id = k.person_id left join tenant t on t.id = k.tenant_id
    where ${tenantFilter(caller, sql`k.tenant_id`)} and ${tenantFilter(caller, sql`p.tenant_id`)} and ${where} ${tail}`

export type KeyHolder = Demand & {
  id: string
  scopes: Scope[]
  security_stamp: number
  person_id: string
  tenant_id: string | null
  is_use_old: boolean
}

/** Whose key this is, while it is good and their company is active; as the service. */
export const findHolder = (tx: Reader, which: { hash: Buffer } | { id: string }) =>
  tx.first(sql<KeyHolder>`
    select k.id, k.scopes, k.security_stamp, k.person_id, p.tenant_id,
      coalesce(k.last_used_at < now() - interval '1 minute', true) as is_use_old,
      ${demand}
    from api_key k join person p on p.id = k.person_id left join tenant t on t.id = p.tenant_id
    where ${'hash' in which ? sql`k.secret_hash = ${which.hash}` : sql`k.id = ${which.id}`} and ${isGood} and coalesce(t.is_active, true)`)

export const noteUse = (tx: Tx, id: string) =>
  tx.count(sql`
    update api_key set last_used_at = now()
    where id = ${id} and coalesce(last_used_at < now() - interval '1 minute', true)`)

export const dropKeys = (tx: Tx, personId: string) =>
  tx.count(sql`delete from api_key where (/* wall */ person_id = ${personId})`)
