import { randomUUID } from 'node:crypto'
import { refusal } from '@clear-to-post/contract/errors'
import type { PersonRole } from '@clear-to-post/domain/roles'
import { dropUnprovenWays, endSessions, setPassword } from '../identity/actions.ts'
import { systemCaller, type Tx } from '../kernel/database.ts'
import { sendMail } from '../mail/actions.ts'
import {
  isConfirmed,
  isTaken,
  lockPerson,
  lockPersonByEmail,
  saveProfile,
  verifyAddress,
  type PersonRow,
} from './store.ts'
import { setAccountState } from './account-state.ts'
import { tellOfAdmin } from './admins-told.ts'
import { dropUnconfirmed } from './unconfirmed.ts'
import { acceptAllTerms } from './terms.ts'
import { insertPerson } from './insert.ts'

/** `by`: who invited them to it. */
type Place = { role: PersonRole; tenantId: string | null; by: string }

/** Whether this address has an account, and whether that is known to be its owner's. As the service. */
export const accountOf = async (tx: Tx, email: string): Promise<'none' | 'unconfirmed' | 'confirmed'> =>
  (await isConfirmed(tx, email)) ? 'confirmed' : (await isTaken(tx, email)) ? 'unconfirmed' : 'none'

/**
 * Opens the account of somebody who has shown that the address is theirs, with the place that waits for them; answers its
 * id. An account of this address that nobody has confirmed becomes theirs: whoever opened it loses every way in, and what
 * they put there goes, which a mail tells (decision 0349). Throws `invitation.sign-in` where the address has a confirmed account,
 * `invitation.ended` where that is shut out, `tenant.full`. As the service.
 */
export const openInvitedAccount = async (
  tx: Tx,
  {
    email,
    name,
    hash,
    timeZone,
    by,
    ...place
  }: Place & { email: string; name: string; hash: string; timeZone: string | null },
  now: Date,
): Promise<string> => {
  const there = await lockPersonByEmail(tx, email)
  if (!there) {
    const person = await insertPerson(tx, { email, name, ...place, profession: null, timeZone, isEmailVerified: true })
    await setPassword(tx, person.id, hash)
    await acceptAllTerms(tx, person.id)
    await tellOfAdmin(tx, person, null, person, by)
    return person.id
  }
  if (there.is_disabled) throw refusal('invitation.ended')
  if (there.email_verified_at !== null) throw refusal('invitation.sign-in')
  const { hadCalendarLink } = await endSessions(tx, there.id, 'password')
  const { kept, removed } = await dropUnprovenWays(tx, there.id)
  const dropped = await dropUnconfirmed(tx, there, now)
  await verifyAddress(tx, there.id)
  await saveProfile(tx, there.id, { name, ...(timeZone === null ? {} : { time_zone: timeZone }) })
  await setAccountState(tx, (await lockPerson(tx, systemCaller, there.id))!, place, now, {
    choosesPassword: false,
    by,
  })
  await setPassword(tx, there.id, hash)
  await acceptAllTerms(tx, there.id)
  // It may have been themselves who opened it: they are told what went, as whoever sets a password with a code is.
  const gone = dropped.filter(({ kind }) => kind !== 'company' || there.tenant_id !== place.tenantId)
  await sendMail(tx, {
    key: `password:${randomUUID()}`,
    to: email,
    template: 'passwordChanged',
    data: {
      kept: kept.map((one) => one.name),
      removed: [...removed, ...gone].map((one) => one.name),
      hadLink: hadCalendarLink,
    },
  })
  return there.id
}

/** Gives a locked person the place that they were invited to. As the service. Throws `tenant.full`. */
export const placeInvited = (tx: Tx, person: PersonRow, { by, ...place }: Place, now: Date): Promise<PersonRow> =>
  setAccountState(tx, person, place, now, { by })
