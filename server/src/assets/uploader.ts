import { uploaderKind, type UploaderKind } from '@clear-to-post/domain/upload-room'
import type { Role } from '@clear-to-post/domain/roles'
import { sql, type Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { isEntitled } from '../kernel/entitled.ts'

/** What decides how much a person may send: their role, their address, and whether a plan entitles them. */
export const uploaderOf = async (tx: Tx, personId: string, now: Date): Promise<UploaderKind> => {
  const person = await asService(tx, () =>
    tx.first(sql<{ role: Role; is_confirmed: boolean; is_entitled: boolean }>`
      select p.role, p.email_verified_at is not null as is_confirmed, ${isEntitled(now)} as is_entitled
      from person p where p.id = ${personId}`),
  )
  return person
    ? uploaderKind({ role: person.role, isConfirmed: person.is_confirmed, isEntitled: person.is_entitled })
    : 'unconfirmed'
}
