import { servesAll } from '@clear-to-post/domain/roles'
import type { RawBuilder } from 'kysely'
import type { FourEyes } from '@clear-to-post/domain/decide'
import type { EqualHousing } from '@clear-to-post/domain/licences'
import { codeLetters, type SetUpStep } from '@clear-to-post/domain/tenants'
import { hasDutySql } from '../kernel/domain-sql.ts'
import { sql, type Caller, type Tx } from '../kernel/database.ts'

export type Preferences = {
  iconUrl?: string
  logoUrl?: string
  primaryColor?: string
  secondaryColor?: string
  guidelinesUrl?: string
}

export type TenantRow = {
  id: string
  name: string
  is_active: boolean
  preferences: Preferences
  invite_code: string
  total_users_allowed: number
  charge_by_email: boolean
  default_product_id: string | null
  default_plan_id: string | null
  default_coupon_code: string | null
  allowed_products: string[] | null
  use_own_scripts: boolean
  require_second_factor: boolean
  four_eyes: FourEyes
  nmls_number: string | null
  licence_states: string[]
  equal_housing: EqualHousing | null
  /** Officers who sit here now. */
  users: number
}

// Rights change nothing here: seats are counted by a function that shows no person.
const tenantRow = sql`t.id, t.name, t.is_active, t.preferences, t.invite_code, t.total_users_allowed, t.charge_by_email,
  t.default_product_id, t.default_plan_id, t.default_coupon_code, t.allowed_products, t.use_own_scripts,
  t.require_second_factor, t.four_eyes, t.nmls_number, t.licence_states, t.equal_housing,
  seats_taken(t.id) as users`

/** The query's own wall: staff see the tenants they reach, everybody their own. `t` is the tenant table's alias. */
export const tenantsAccessFilter = (caller: Caller): RawBuilder<unknown> =>
  servesAll(caller) ? sql`true` : sql`(/* wall */ t.id = ${caller.tenantId}::uuid)`

export const findTenant = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql<TenantRow>`select ${tenantRow} from tenant t where t.id = ${id} and ${tenantsAccessFilter(caller)}`)

/** What of setting up this company is done. */
export const setUpFacts = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql<Record<Exclude<SetUpStep, 'plan'>, boolean>>`
    select exists (select from person p where p.tenant_id = t.id and ${hasDutySql(sql`p.role`, 'film')} and p.removed_at is null) as officers,
      coalesce(t.preferences->>'logoUrl', '') <> '' and coalesce(t.preferences->>'primaryColor', '') <> '' as brand,
      t.nmls_number is not null and cardinality(t.licence_states) > 0 as licences,
      exists (select from project j where j.tenant_id = t.id) as video,
      exists (select from project_cut c join project j on j.id = c.project_id where j.tenant_id = t.id and c.verdict = 'approved') as approval
    from tenant t where t.id = ${id} and ${tenantsAccessFilter(caller)}`)

/** Locked: until this transaction ends nobody takes a seat, and nobody else changes it. */
export const lockTenant = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql<{ id: string }>`
    select t.id from tenant t where t.id = ${id} and ${tenantsAccessFilter(caller)} for no key update`)

/** How the list's fields stand in SQL. */
export const listColumns = {
  columns: { name: sql`t.name`, isActive: sql`t.is_active`, createdAt: sql`t.created_at` },
  id: sql`t.id`,
}

export const listSelect = (
  caller: Caller,
  { where, tail, keys }: { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> },
) =>
  sql<TenantRow & { page_key: string; page_id: string }>`
    select ${tenantRow}, ${keys} from tenant t where ${tenantsAccessFilter(caller)} and ${where} ${tail}`

/** A tenant's columns that a call may set; `preferences` are whole. */
export type TenantChanges = Partial<Omit<TenantRow, 'id' | 'users'>>

/** Undefined when the invitation code is another tenant's, however many ask for it at once. */
export const addTenant = (tx: Tx, row: TenantChanges & { name: string; invite_code: string }) => {
  const set = settings(row)
  return tx.first(sql<{ id: string }>`
    insert into tenant (${sql.join(set.map(({ name }) => sql.ref(name)))}) values (${sql.join(set.map(({ value }) => value))})
    on conflict do nothing returning id`)
}

/** Throws PostgreSQL's unique violation when the invitation code is another tenant's. */
export const saveTenant = (tx: Tx, id: string, changes: TenantChanges) =>
  tx.count(sql`
    update tenant set ${sql.join(settings(changes).map(({ name, value }) => sql`${sql.ref(name)} = ${value}`))}
    where id = ${id}`)

const settings = (changes: TenantChanges): { name: string; value: RawBuilder<unknown> }[] =>
  Object.entries(changes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({
      name,
      value: name === 'preferences' ? sql`${JSON.stringify(value)}::jsonb` : sql`${value}`,
    }))

/** Eight letters that nobody guesses and everybody can read aloud. */
export const newCode = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => codeLetters[byte % codeLetters.length]).join('')

/** An active tenant by its invitation code, whatever case it is typed in. */
export const tenantByCode = (tx: Tx, code: string) =>
  tx.first(sql<Pick<TenantRow, 'id' | 'name' | 'preferences' | 'total_users_allowed'>>`
    select id, name, preferences, total_users_allowed from tenant where upper(invite_code) = upper(${code}) and is_active`)

/** Until this transaction ends nobody else takes a seat of this tenant. */
export const lockSeats = (tx: Tx, tenantId: string) =>
  tx.first(sql<{ allowed: number }>`
    select total_users_allowed as allowed from tenant where id = ${tenantId} for no key update`)

export const seatsTaken = async (tx: Tx, tenantId: string): Promise<number> =>
  (await tx.first(sql<{ taken: number }>`select seats_taken(${tenantId}) as taken`))!.taken

export const tenantExists = async (tx: Tx, tenantId: string): Promise<boolean> =>
  (await tx.first(sql`select 1 from tenant where id = ${tenantId}`)) !== undefined

export const unknownTenants = async (tx: Tx, ids: readonly string[]): Promise<string[]> =>
  (
    await tx.rows(sql<{ id: string }>`
      select g.id from unnest(${ids}::uuid[]) as g (id) where not exists (select from tenant t where t.id = g.id)`)
  ).map(({ id }) => id)
