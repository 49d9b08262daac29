import type { CallRequest } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import type { tenants } from '@clear-to-post/contract/tenants'
import { defaultSeats, tenantFields, type TenantField } from '@clear-to-post/domain/tenants'
import { keepPicture } from '../assets/actions.ts'
import type { Caller, Database, Tx } from '../kernel/database.ts'
import { seatsChanged, payerChanged, unknownOf } from '../subscriptions/actions.ts'
import {
  addTenant,
  findTenant,
  lockSeats,
  lockTenant,
  newCode,
  saveTenant,
  seatsTaken,
  tenantByCode,
  tenantExists,
  unknownTenants,
  type Preferences,
  type TenantChanges,
} from './store.ts'

type Data = Partial<CallRequest<typeof tenants.create>['body']>

/**
 * Makes a tenant and answers its id. Throws tenant.service-only for an ADMIN of one tenant, tenant.code-taken, and
 * request.invalid for a product or plan that does not exist.
 */
export const createTenant = async (
  tx: Tx,
  caller: Caller,
  data: CallRequest<typeof tenants.create>['body'],
  now: Date,
): Promise<string> => {
  if (caller.tenantId !== null) throw refusal('tenant.service-only')
  const { preferences, ...columns } = await changesOf(tx, data)
  const row = { total_users_allowed: defaultSeats, ...columns, name: data.name }
  const made = await (data.inviteCode === undefined
    ? withFreshCode(tx, row)
    : addTenant(tx, { ...row, invite_code: data.inviteCode }))
  if (!made) throw refusal('tenant.code-taken')
  if (preferences)
    await saveTenant(tx, made.id, { preferences: await keepPictures(tx, caller, made.id, {}, preferences, now) })
  return made.id
}

/**
 * Changes a tenant. Throws tenant.none, tenant.service-only for a field that is not its own ADMIN's to change,
 * tenant.code-taken, tenant.too-few-seats, and request.invalid for a product or plan that does not exist.
 */
export const updateTenant = async (tx: Tx, caller: Caller, id: string, data: Data, now: Date): Promise<void> => {
  if (!(await lockTenant(tx, caller, id))) throw refusal('tenant.none')
  const changed = (Object.keys(data) as TenantField[]).filter((field) => data[field] !== undefined)
  if (caller.tenantId !== null && changed.some((field) => tenantFields[field] === 'service'))
    throw refusal('tenant.service-only')
  // Read after the lock, so that whoever took a seat before us is counted.
  const before = (await findTenant(tx, caller, id))!
  if (data.totalUsersAllowed !== undefined && data.totalUsersAllowed < before.users)
    throw refusal('tenant.too-few-seats', `${before.users} people are in already. Remove some first.`)
  const { preferences, ...columns } = await changesOf(tx, data)
  const changes: TenantChanges = {
    ...columns,
    ...(preferences ? { preferences: await keepPictures(tx, caller, id, before.preferences, preferences, now) } : {}),
  }
  if (Object.keys(changes).length === 0) return
  await saveTenant(tx, id, changes).catch((error: { code?: string }) => {
    throw error.code === uniqueViolation ? refusal('tenant.code-taken') : error
  })
  if (data.totalUsersAllowed !== undefined && data.totalUsersAllowed !== before.total_users_allowed)
    await seatsChanged(tx, id)
  if (data.isActive !== undefined && data.isActive !== before.is_active) await payerChanged(tx, { tenantId: id }, now)
}

/** The code by which people join a tenant. Throws tenant.none. */
export const inviteCodeOf = async (tx: Tx, caller: Caller, id: string): Promise<string> => {
  const row = await findTenant(tx, caller, id)
  if (!row) throw refusal('tenant.none')
  return row.invite_code
}

/** The tenant that invites with this code. Throws `tenant.not-found`. Runs as the service: a stranger sees no tenant. */
export const invitingTenant = async (tx: Tx, code: string) => {
  const tenant = await tenantByCode(tx, code)
  if (!tenant) throw refusal('tenant.not-found')
  return tenant
}

/** What somebody with a code is invited to. As the service: who is of one tenant may hold another one's code. Throws `tenant.not-found`. */
export const readInvitation = (database: Database, code: string) =>
  database.asSystem(async (tx) => {
    const tenant = await invitingTenant(tx, code)
    return { tenant, seats: await seatsLeft(tx, tenant) }
  })

/** Officers that may still join. A seat is held by every User with a confirmed address who is not disabled; staff of a tenant take none. */
export const seatsLeft = async (tx: Tx, tenant: { id: string; total_users_allowed: number }): Promise<number> =>
  Math.max(0, tenant.total_users_allowed - (await seatsTaken(tx, tenant.id)))

/** Officers that may still join this company. As the service. Throws `tenant.none`. */
export const seatsOf = async (tx: Tx, tenantId: string): Promise<number> => {
  const row = await lockSeats(tx, tenantId)
  if (!row) throw refusal('tenant.none')
  return Math.max(0, row.allowed - (await seatsTaken(tx, tenantId)))
}

/** Makes sure that one more officer fits, and that it stays so until the transaction ends. Throws `tenant.full`. */
export const requireSeat = async (tx: Tx, tenantId: string): Promise<void> => {
  if (!(await hasSeat(tx, tenantId))) throw refusal('tenant.full')
}

/** Whether one more officer fits; it stays so until the transaction ends. Throws `tenant.not-found`. */
export const hasSeat = async (tx: Tx, tenantId: string): Promise<boolean> => {
  const tenant = await lockSeats(tx, tenantId)
  if (!tenant) throw refusal('tenant.not-found')
  // Counted after the lock, so that whoever held it before us is counted too.
  return (await seatsTaken(tx, tenantId)) < tenant.allowed
}

/** Throws tenant.none when there is no such tenant. Runs as the service. */
export const requireTenant = async (tx: Tx, tenantId: string): Promise<void> => {
  if (!(await tenantExists(tx, tenantId))) throw refusal('tenant.none')
}

/** Those of these tenants that do not exist. Runs as somebody who sees all of them. */
export const unknownTenantsOf = (tx: Tx, ids: readonly string[]): Promise<string[]> => unknownTenants(tx, ids)

const uniqueViolation = '23505'

const withFreshCode = async (tx: Tx, row: TenantChanges & { name: string }) => {
  for (;;) {
    const made = await addTenant(tx, { ...row, invite_code: newCode() })
    if (made) return made
  }
}

// The columns for what was given; preferences are handed on as they came.
const changesOf = async (
  tx: Tx,
  data: Data,
): Promise<Omit<TenantChanges, 'preferences'> & { preferences?: Data['preferences'] }> => {
  await requireKnown(tx, data)
  const columns: Record<string, unknown> = {
    name: data.name,
    is_active: data.isActive,
    invite_code: data.inviteCode,
    total_users_allowed: data.totalUsersAllowed,
    charge_by_email: data.chargeByEmail,
    default_product_id: data.defaultProductId,
    default_plan_id: data.defaultPlanId,
    default_coupon_code: data.defaultCoupomCode,
    allowed_products: data.allowedProducts,
    use_own_scripts: data.useOwnScripts,
    require_second_factor: data.requireSecondFactor,
    four_eyes: data.fourEyes,
    nmls_number: data.nmlsNumber === '' ? null : data.nmlsNumber,
    licence_states: data.licenceStates,
    equal_housing: data.equalHousing,
    preferences: data.preferences,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

const requireKnown = async (tx: Tx, data: Data) => {
  const listed = (id: string | null | undefined) => (id === null || id === undefined ? [] : [id])
  const products = [...(data.allowedProducts ?? []), ...listed(data.defaultProductId)]
  const [unknown] = await unknownOf(tx, { products, plans: listed(data.defaultPlanId) })
  if (unknown !== undefined)
    throw refusal('request.invalid', `There is no product or plan “${unknown}”.`, [
      { path: 'body', message: `“${unknown}” does not exist` },
    ])
}

// Given parts replace the ones before; an empty text takes a part away.
const keepPictures = async (
  tx: Tx,
  caller: Caller,
  owner: string,
  before: Preferences,
  changed: NonNullable<Data['preferences']>,
  now: Date,
): Promise<Preferences> => {
  const all: Record<string, string> = { ...before }
  for (const [field, value] of Object.entries(changed)) {
    if (value === undefined) continue
    const isAddress = field.endsWith('Url')
    const kept = isAddress ? await keepPicture(tx, { address: value, owner, field, by: caller.id }, now) : value
    if (kept === '') delete all[field]
    else all[field] = kept
  }
  return all
}
