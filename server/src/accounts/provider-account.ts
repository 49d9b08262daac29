import { refusal } from '@clear-to-post/contract/errors'
import { asLine } from '@clear-to-post/contract/visible'
import { isTimeZone } from '@clear-to-post/domain/calendar'
import type { Tx } from '../kernel/database.ts'
import { invitingTenant, requireSeat } from '../tenants/actions.ts'
import { acceptAllTerms } from './terms.ts'
import { addPerson, isTaken } from './store.ts'
import { newcomer } from '@clear-to-post/domain/roles'

/**
 * Opens an officer's account for somebody whom Google or Apple vouches for; answers its id. It has no password. Throws
 * `account.connect-first` where the address has an account: whoever has it connects the two themselves, after signing in.
 * Throws `session.provider-unverified`, `tenant.not-found`, `tenant.full` too. Runs as the service.
 */
export const openProviderAccount = async (
  tx: Tx,
  claims: { email: string | null; isEmailVerified: boolean; name: string | null },
  { invitationCode, timezone }: { invitationCode?: string | undefined; timezone?: string | undefined },
): Promise<string> => {
  const email = claims.email?.trim().toLowerCase() ?? ''
  // An address that nobody has proved would tell strangers who has an account.
  if (!claims.isEmailVerified || !/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email))
    throw refusal('session.provider-unverified')
  if (await isTaken(tx, email)) throw refusal('account.connect-first')
  const tenantId = invitationCode ? (await invitingTenant(tx, invitationCode)).id : null
  if (tenantId !== null) await requireSeat(tx, tenantId)
  const person = await addPerson(tx, {
    email,
    name: asLine(claims.name ?? '', 120) || asLine(email.split('@')[0]!, 120),
    role: newcomer,
    tenantId,
    profession: null,
    timeZone: timezone !== undefined && isTimeZone(timezone) ? timezone : null,
    isEmailVerified: true,
  })
  if (!person) throw refusal('account.connect-first')
  await acceptAllTerms(tx, person.id)
  return person.id
}
