import { refusal } from '@clear-to-post/contract/errors'
import { discardUnusedOf, dropFaces } from '../assets/actions.ts'
import { dropCalendarLink } from '../calendar/actions.ts'
import { asService, type Caller, type Tx } from '../db/tenant.ts'
import { forgetCredentials } from '../identity/actions.ts'
import { dropMailsTo } from '../mail/actions.ts'
import { closeProjectsOf, freeWaitingOf } from '../projects/actions.ts'
import { dropPushesTo } from '../push/actions.ts'
import { endOwnSubscriptions } from '../subscriptions/actions.ts'
import { keepAnAdmin } from './standing.ts'
import { erasePerson, isServiceAdmin, lockAdmins, lockPerson, unbindOfficersOf } from './store.ts'

/**
 * Removes a person: the caller, or as an ADMIN somebody in reach. Personal data is erased at once, the record of work
 * stays without a name (docs/decisions/0032). Throws account.not-found, account.last-admin.
 */
export const removePerson = async (tx: Tx, caller: Caller, userId: string | undefined, now: Date): Promise<void> => {
  if (caller.role !== 'ADMIN' && userId !== undefined && userId !== caller.id) throw refusal('account.not-found')
  const id = userId ?? caller.id
  // Nobody but an admin waits for admins who leave.
  const wasAdmin = await isServiceAdmin(tx, id)
  if (wasAdmin) await lockAdmins(tx)
  const person = await lockPerson(tx, caller, id)
  if (!person) throw refusal('account.not-found')
  // Whoever became one in this very moment: of two that then wait for each other one runs again.
  if (!wasAdmin && (await isServiceAdmin(tx, id))) await lockAdmins(tx)
  await asService(tx, () => keepAnAdmin(tx, person, { isDisabled: true }))
  await closeProjectsOf(tx, caller, person.id, now)
  await asService(tx, async () => {
    await endOwnSubscriptions(tx, person.id)
    await unbindOfficersOf(tx, person.id)
    await forgetCredentials(tx, person.id)
    await dropFaces(tx, person.id)
    await discardUnusedOf(tx, person.id)
    await dropMailsTo(tx, person.email)
    await dropCalendarLink(tx, person.id)
    await dropPushesTo(tx, person.id)
    await erasePerson(tx, person)
    await freeWaitingOf(tx, person.id, now)
  })
}
