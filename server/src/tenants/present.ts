import type { z } from 'zod'
import type { Subscription } from '@clear-to-post/contract/subscriptions'
import type { Invitation, Tenant } from '@clear-to-post/contract/tenants'
import type { LicenceState } from '@clear-to-post/domain/licences'
import { pictureUrl } from '../assets/actions.ts'
import type { Caller } from '../kernel/database.ts'
import type { TenantRow } from './store.ts'
import { sees } from '@clear-to-post/domain/access'

export const presentInvitation = (
  { name, preferences }: Pick<TenantRow, 'name' | 'preferences'>,
  seatsLeft: number,
  now: Date,
): z.input<typeof Invitation> => ({
  name,
  logoUrl: pictureUrl(preferences.logoUrl ?? '', now),
  primaryColor: preferences.primaryColor ?? '',
  secondaryColor: preferences.secondaryColor ?? '',
  seatsLeft,
})

/** What a tenant is bought by is told to an ADMIN only; the code that invites, to nobody here (decision 331). */
export const presentTenant = (
  row: TenantRow,
  subscription: z.input<typeof Subscription> | undefined,
  viewer: Caller,
  now: Date,
): z.input<typeof Tenant> => {
  const { iconUrl = '', logoUrl = '', primaryColor = '', secondaryColor = '', guidelinesUrl } = row.preferences
  return {
    id: row.id,
    name: row.name,
    isActive: row.is_active,
    isSubscriptionActive: row.is_active && subscription !== undefined,
    preferences: {
      iconUrl: pictureUrl(iconUrl, now),
      logoUrl: pictureUrl(logoUrl, now),
      primaryColor,
      secondaryColor,
      ...(guidelinesUrl === undefined ? {} : { guidelinesUrl: pictureUrl(guidelinesUrl, now) }),
    },
    inviteCode: '',
    totalUsersAllowed: row.total_users_allowed,
    currentUsersSize: row.users,
    chargeByEmail: row.charge_by_email,
    defaultProductId: row.default_product_id ?? undefined,
    defaultPlanId: row.default_plan_id ?? undefined,
    ...(sees(viewer.role, 'tenant.coupon') ? { defaultCoupomCode: row.default_coupon_code ?? undefined } : {}),
    allowedProducts: row.allowed_products ?? undefined,
    useOwnScripts: row.use_own_scripts,
    requireSecondFactor: row.require_second_factor,
    fourEyes: row.four_eyes,
    nmlsNumber: row.nmls_number ?? undefined,
    licenceStates: row.licence_states as LicenceState[],
    equalHousing: row.equal_housing ?? undefined,
    subscription,
  }
}
