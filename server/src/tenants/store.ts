import { sql, type Tx } from '../db/tenant.ts'

export type TenantRow = {
  id: string
  name: string
  preferences: {
    iconUrl?: string
    logoUrl?: string
    primaryColor?: string
    secondaryColor?: string
    guidelinesUrl?: string
  }
  total_users_allowed: number
}

/** An active tenant by its invitation code, whatever case it is typed in. */
export const tenantByCode = (tx: Tx, code: string) =>
  tx.first(sql<TenantRow>`
    select id, name, preferences, total_users_allowed from tenant where upper(invite_code) = upper(${code}) and is_active`)

/** Until this transaction ends nobody else takes a seat of this tenant. */
export const lockSeats = (tx: Tx, tenantId: string) =>
  tx.first(sql<{ allowed: number }>`
    select total_users_allowed as allowed from tenant where id = ${tenantId} for no key update`)

export const seatsTaken = async (tx: Tx, tenantId: string): Promise<number> =>
  (await tx.first(sql<{ taken: number }>`
    select count(*) as taken from person where tenant_id = ${tenantId} and role = 'User' and not is_disabled`))!.taken
