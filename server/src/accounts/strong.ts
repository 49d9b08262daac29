import { refusal } from '@clear-to-post/contract/errors'
import { weaknessOf, type PasswordPolicy } from '@clear-to-post/domain/passwords'
import type { Role } from '@clear-to-post/domain/roles'

/** Throws `account.weak-password` with the reason; `field` is what the form calls it. */
export const requireStrong = (
  password: string,
  role: Role,
  { email, name, policy }: { email: string; name: string; policy?: PasswordPolicy | undefined },
  field = 'password',
): void => {
  const weakness = weaknessOf(password, role, { own: [email, name], ...(policy ? { policy } : {}) })
  if (weakness !== null)
    throw refusal('account.weak-password', weakness, [{ path: `body.${field}`, message: weakness }])
}
