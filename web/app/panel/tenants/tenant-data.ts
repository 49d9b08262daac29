import type { CallInput } from '@clear-to-post/contract/call'
import { nmlsDigits, type EqualHousing, type LicenceState } from '@clear-to-post/domain/licences'
import type { Tenant, tenants } from '@clear-to-post/contract/tenants'
import { tenantFields, type TenantField } from '@clear-to-post/domain/tenants'

/** What the tenant's form holds; texts are empty where there is nothing. */
export type Form = {
  name: string
  inviteCode: string
  seats: number
  isActive: boolean
  primaryColor: string
  secondaryColor: string
  guidelinesUrl: string
  nmlsNumber: string
  licenceStates: readonly LicenceState[]
  equalHousing: EqualHousing | 'none'
  useOwnScripts: boolean
  requireSecondFactor: boolean
  wantsThreePeople: boolean
  chargeByEmail: boolean
  allowedProducts: readonly string[]
  defaultPlanId: string
  defaultCoupomCode: string
}

type Data = CallInput<typeof tenants.update>['body']['data']

export const formOf = (tenant: Tenant): Form => ({
  name: tenant.name,
  // Empty: it stays as it is.
  inviteCode: '',
  seats: tenant.totalUsersAllowed,
  isActive: tenant.isActive,
  primaryColor: tenant.preferences.primaryColor,
  secondaryColor: tenant.preferences.secondaryColor,
  guidelinesUrl: tenant.preferences.guidelinesUrl ?? '',
  nmlsNumber: tenant.nmlsNumber ?? '',
  licenceStates: tenant.licenceStates ?? [],
  equalHousing: tenant.equalHousing ?? 'none',
  useOwnScripts: tenant.useOwnScripts ?? false,
  requireSecondFactor: tenant.requireSecondFactor ?? false,
  wantsThreePeople: tenant.fourEyes === 'three-people',
  chargeByEmail: tenant.chargeByEmail,
  allowedProducts: tenant.allowedProducts ?? [],
  defaultPlanId: tenant.defaultPlanId ?? '',
  defaultCoupomCode: tenant.defaultCoupomCode ?? '',
})

/** What was changed, as the call takes it, without what this admin may not set. */
export const changesOf = (form: Form, kept: Form, { isService }: { isService: boolean }): Data => {
  const differs = (name: keyof Form) => JSON.stringify(form[name]) !== JSON.stringify(kept[name])
  const preferences = Object.fromEntries(
    (['primaryColor', 'secondaryColor', 'guidelinesUrl'] as const).filter(differs).map((name) => [name, form[name]]),
  )
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim())
  const data: Data = {
    ...(differs('name') ? { name: form.name.trim() } : {}),
    ...(differs('inviteCode') && form.inviteCode !== '' ? { inviteCode: form.inviteCode } : {}),
    ...(differs('seats') ? { totalUsersAllowed: form.seats } : {}),
    ...(differs('isActive') ? { isActive: form.isActive } : {}),
    ...((nmlsDigits(form.nmlsNumber) ?? form.nmlsNumber) === kept.nmlsNumber ? {} : { nmlsNumber: form.nmlsNumber }),
    ...(differs('licenceStates') ? { licenceStates: [...form.licenceStates] } : {}),
    ...(differs('equalHousing') ? { equalHousing: form.equalHousing === 'none' ? null : form.equalHousing } : {}),
    ...(differs('useOwnScripts') ? { useOwnScripts: form.useOwnScripts } : {}),
    ...(differs('requireSecondFactor') ? { requireSecondFactor: form.requireSecondFactor } : {}),
    ...(differs('wantsThreePeople')
      ? { fourEyes: form.wantsThreePeople ? ('three-people' as const) : ('author-and-approver' as const) }
      : {}),
    ...(differs('chargeByEmail') ? { chargeByEmail: form.chargeByEmail } : {}),
    ...(differs('allowedProducts')
      ? { allowedProducts: form.allowedProducts.length === 0 ? null : [...form.allowedProducts] }
      : {}),
    ...(differs('defaultPlanId') ? { defaultPlanId: orNull(form.defaultPlanId) } : {}),
    ...(differs('defaultCoupomCode') ? { defaultCoupomCode: orNull(form.defaultCoupomCode) } : {}),
    ...(Object.keys(preferences).length > 0 ? { preferences } : {}),
  }
  return Object.fromEntries(
    Object.entries(data).filter(([name]) => isService || tenantFields[name as TenantField] === 'own'),
  )
}
