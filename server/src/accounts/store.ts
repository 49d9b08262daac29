import type { RawBuilder } from 'kysely'
import type { Role } from '@clear-to-post/domain/roles'
import { sql, type Caller, type Tx } from '../db/tenant.ts'

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
  created_at: Date
}

export type NewPersonRow = {
  email: string
  name: string
  role: Role
  tenantId: string | null
  profession: string | null
  timeZone: string | null
}

/** Undefined when the address is taken, however many ask for it at once. */
export const addPerson = (tx: Tx, p: NewPersonRow) =>
  tx.first(sql<PersonRow>`
    insert into person (email, name, role, tenant_id, profession, time_zone)
    values (${p.email}, ${p.name}, ${p.role}, ${p.tenantId}, ${p.profession}, coalesce(${p.timeZone}, 'America/New_York'))
    on conflict (email) do nothing returning *`)

export const personById = (tx: Tx, id: string) =>
  tx.first(sql<PersonRow & { tenant_name: string | null }>`
    select p.*, t.name as tenant_name from person p left join tenant t on t.id = p.tenant_id where p.id = ${id}`)

export const lockPersonByEmail = (tx: Tx, email: string) =>
  tx.first(sql<PersonRow>`select * from person where email = ${email} for no key update`)

export const saveStanding = (tx: Tx, id: string, s: { role: Role; tenantId: string | null; isDisabled: boolean }) =>
  tx.count(sql`
    update person set role = ${s.role}, tenant_id = ${s.tenantId}, is_disabled = ${s.isDisabled}, modified_at = now()
    where id = ${id}`)

/** How the search's fields stand in SQL. */
export const searchColumns = {
  columns: {
    name: sql`p.name`,
    email: sql`p.email`,
    role: sql`p.role`,
    tenantId: sql`p.tenant_id`,
    editorId: sql`p.editor_id`,
    createdAt: sql`p.created_at`,
  },
  id: sql`p.id`,
}

/** The query's own wall: people within the reach of staff. `p` is the person table's alias. */
export const peopleVisibleTo = (caller: Caller): RawBuilder<unknown> =>
  caller.tenantId === null ? sql`true` : sql`p.tenant_id = ${caller.tenantId}::uuid`
