import type { TakenAway } from '@clear-to-post/contract/accounts'
import { hasDuty, newcomer } from '@clear-to-post/domain/roles'
import { discardUnusedOf, dropPictures } from '../assets/actions.ts'
import type { Tx } from '../kernel/database.ts'
import { deleteScriptsOf } from '../scripts/actions.ts'
import { hasSeat } from '../tenants/actions.ts'
import { setAccountState } from './account-state.ts'
import { dropConsents } from './terms.ts'
import { emptyProfile, personById, type PersonRow } from './store.ts'

/**
 * Before the address of a locked person is confirmed by whoever opened the account: they take a seat of their company, or
 * leave it where none is free. Answers false in that case. Runs as the service (decision 0349).
 */
export const takeSeat = async (tx: Tx, person: PersonRow, now: Date): Promise<boolean> => {
  if (person.email_verified_at !== null || person.tenant_id === null || !hasDuty(person.role, 'film')) return true
  if (await hasSeat(tx, person.tenant_id)) return true
  await setAccountState(tx, person, { tenantId: null }, now, { isPutOut: false })
  return false
}

/**
 * Takes away what whoever opened a locked person's account had put there while nobody had confirmed its address: company and
 * role in it, profile, scripts, what they agreed to, and files that no video uses. Answers what it was: nothing where the address is confirmed.
 * Runs as the service (decision 0349).
 */
export const dropUnconfirmed = async (tx: Tx, person: PersonRow, now: Date): Promise<TakenAway[]> => {
  if (person.email_verified_at !== null) return []
  const removed: TakenAway[] = []
  if (person.tenant_id !== null) {
    const { tenant_name: company } = (await personById(tx, person.id))!
    await setAccountState(tx, person, { role: newcomer, tenantId: null }, now, { isPutOut: false })
    removed.push({ kind: 'company', name: `Your place in the company ${company}` })
  }
  await dropPictures(tx, person.id)
  const count = (await discardUnusedOf(tx, person.id)).length + (await deleteScriptsOf(tx, person.id))
  if (count > 0) removed.push({ kind: 'files', name: `Files and scripts (${count})` })
  await emptyProfile(tx, person.id)
  await dropConsents(tx, person.id)
  return [...removed, { kind: 'profile', name: 'Name, photo and settings' }]
}
