import { isStaff, type Role } from './roles.ts'

/** Of whom the service itself demands a second factor; a tenant may demand it of its people beside that. */
export type SecondFactorPolicy = 'nobody' | 'staff' | 'everybody'

/** Must this person have a second factor to sign in? */
export const needsSecondFactor = (
  policy: SecondFactorPolicy,
  { role, tenantDemands }: { role: Role; tenantDemands: boolean },
): boolean => tenantDemands || policy === 'everybody' || (policy === 'staff' && isStaff(role))

/** Wrong codes one person's app stands in `minutes`, in whatever sign-in; as many recovery codes from one holder of networks. */
export const codeTries = { tries: 5, minutes: 15 } as const

/**
 * Wrong codes of one person's app, in a day and in thirty, whoever signed in rightly meanwhile: each guess is right at three in
 * a million. Beyond, a passkey, a recovery code or (`newBeginnings`) a new password lets its owner in.
 */
export const appCodes = [
  { most: 20, minutes: 24 * 60 },
  { most: 50, minutes: 30 * 24 * 60 },
] as const

/** How often within `minutes` a new password begins the counts of wrong codes anew: whoever reads the mailbox has one at any time. */
export const newBeginnings = [
  { most: 1, minutes: 24 * 60 },
  { most: 3, minutes: 30 * 24 * 60 },
] as const

/** How long after a sign-in its person may change what they sign in with, without saying the password again. */
export const freshMinutes = 10

export const recoveryCodes = 10
