/**
 * Who may change what of a tenant: its own ADMIN what it looks like and how it works, the service's ADMIN also what it
 * pays for. One row a field, read by the server and by the panel's form.
 */
export const tenantFields = {
  name: 'own',
  preferences: 'own',
  inviteCode: 'own',
  useOwnScripts: 'own',
  requireSecondFactor: 'own',
  fourEyes: 'own',
  nmlsNumber: 'own',
  licenceStates: 'own',
  equalHousing: 'own',
  isActive: 'service',
  totalUsersAllowed: 'service',
  chargeByEmail: 'service',
  defaultProductId: 'service',
  defaultPlanId: 'service',
  defaultCoupomCode: 'service',
  allowedProducts: 'service',
} as const
export type TenantField = keyof typeof tenantFields

/** Seats of a tenant for which nobody said a number. */
export const defaultSeats = 10

/** Letters and digits that nobody mistakes for each other on paper. */
export const codeLetters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

/** What a company has to do until its first video is approved, in order. */
export const setUpSteps = ['officers', 'brand', 'licences', 'plan', 'video', 'approval'] as const
export type SetUpStep = (typeof setUpSteps)[number]
