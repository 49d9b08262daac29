import { refusal } from '@clear-to-post/contract/errors'
import type { PersonRole } from '@clear-to-post/domain/roles'
import { dropUnprovenWays, endSessions, setPassword } from '../identity/actions.ts'
import { systemCaller, type Tx } from '../kernel/database.ts'
import { isConfirmed, lockPerson, lockPersonByEmail, saveProfile, verifyAddress, type PersonRow } from './store.ts'
import { setAccountState } from './account-state.ts'
import { dropUnconfirmed } from './unconfirmed.ts'
import { insertPerson } from './insert.ts'

type Place = { role: PersonRole; tenantId: string | null }

/** Whether this address has an account that is known to be its owner's. As the service. */
export const hasConfirmedAccount = (tx: Tx, email: string): Promise<boolean> => isConfirmed(tx, email)

/**
 * Opens the account of somebody who has shown that the address is theirs, with the place that waits for them; answers its
 * id. An account of this address that nobody has confirmed becomes theirs: whoever opened it loses every way in, and what
 * they put there goes (decision 0349). Throws `invitation.sign-in` where the address has a confirmed account,
 * `invitation.ended` where that is shut out, `tenant.full`. As the service.
 */
export const openInvitedAccount = async (
  tx: Tx,
  {
    email,
    name,
    hash,
    timeZone,
    ...place
  }: Place & { email: string; name: string; hash: string; timeZone: string | null },
  now: Date,
): Promise<string> => {
  const there = await lockPersonByEmail(tx, email)
  if (!there) {
    const person = await insertPerson(tx, { email, name, ...place, profession: null, timeZone, isEmailVerified: true })
    await setPassword(tx, person.id, hash)
    return person.id
  }
  if (there.is_disabled) throw refusal('invitation.ended')
  if (there.email_verified_at !== null) throw refusal('invitation.sign-in')
  await endSessions(tx, there.id)
  await dropUnprovenWays(tx, there.id)
  await dropUnconfirmed(tx, there, now)
  await verifyAddress(tx, there.id)
  await saveProfile(tx, there.id, { name, ...(timeZone === null ? {} : { time_zone: timeZone }) })
  await setAccountState(tx, (await lockPerson(tx, systemCaller, there.id))!, place, now, { choosesPassword: false })
  await setPassword(tx, there.id, hash)
  return there.id
}

/** Gives a locked person the place that they were invited to. As the service. Throws `tenant.full`. */
export const placeInvited = (tx: Tx, person: PersonRow, place: Place, now: Date): Promise<PersonRow> =>
  setAccountState(tx, person, place, now)
