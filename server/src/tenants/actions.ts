import { refusal } from '@clear-to-post/contract/errors'
import type { Tx } from '../db/tenant.ts'
import { lockSeats, seatsTaken, tenantByCode } from './store.ts'

/** The tenant that invites with this code. Throws `tenant.not-found`. Runs as the service: a stranger sees no tenant. */
export const invitingTenant = async (tx: Tx, code: string) => {
  const tenant = await tenantByCode(tx, code)
  if (!tenant) throw refusal('tenant.not-found')
  return tenant
}

/** Officers that may still join. A seat is held by every User who is not disabled; staff of a tenant take none. */
export const seatsLeft = async (tx: Tx, tenant: { id: string; total_users_allowed: number }): Promise<number> =>
  Math.max(0, tenant.total_users_allowed - (await seatsTaken(tx, tenant.id)))

/** Makes sure that one more officer fits, and that it stays so until the transaction ends. Throws `tenant.full`. */
export const requireSeat = async (tx: Tx, tenantId: string): Promise<void> => {
  const tenant = await lockSeats(tx, tenantId)
  if (!tenant) throw refusal('tenant.not-found')
  // Counted after the lock, so that whoever held it before us is counted too.
  if ((await seatsTaken(tx, tenantId)) >= tenant.allowed) throw refusal('tenant.full')
}
