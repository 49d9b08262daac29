import { refusal } from '@clear-to-post/contract/errors'
import { hasDuty } from '@clear-to-post/domain/roles'
import type { Tx } from '../kernel/database.ts'
import { requireSeat } from '../tenants/actions.ts'
import { addPerson, type PersonRow } from './store.ts'

/** A new person, who takes a seat where their role has one. Throws `account.email-taken`, `tenant.full`. As the service. */
export const insertPerson = async (tx: Tx, row: Parameters<typeof addPerson>[1]): Promise<PersonRow> => {
  if (row.tenantId !== null && hasDuty(row.role, 'film')) await requireSeat(tx, row.tenantId)
  const person = await addPerson(tx, row)
  if (!person) throw refusal('account.email-taken')
  return person
}
