import { changeAccountState } from '../../accounts/actions.ts'
import { sql, systemCaller, type Database, type Reader } from '../../kernel/database.ts'
import { verifyPassword } from '../../identity/password-hash.ts'
import { demoPassword, demoPeople } from './people.ts'

/**
 * Addresses of enabled accounts that open with the published password: the demo's, whatever they are called now (they were
 * made in the very transaction that noted the demo).
 */
export const openDemoAccounts = async (tx: Reader): Promise<string[]> => {
  const addresses = Object.values(demoPeople).map(({ email }) => email)
  const candidates = await tx.rows(sql<{ email: string; hash: string }>`
    select p.email, w.hash from person p join password w on w.person_id = p.id
    where not p.is_disabled
      and (p.email = any(${addresses}) or p.created_at = (select at from seeded where step = 'people'))
    order by p.email`)
  const open = []
  for (const { email, hash } of candidates) if (await isPublished(hash)) open.push(email)
  return open
}

/** Disables them and ends their sessions; answers their addresses. */
export const disableDemo = async (database: Database): Promise<string[]> => {
  const emails = await database.readOnly(systemCaller, openDemoAccounts)
  await database.asSystem(async (tx) => {
    for (const email of emails) await changeAccountState(tx, email, { isDisabled: true })
  })
  return emails
}

// A hash stays true or false for ever, and readiness is asked every few seconds.
const known = new Map<string, boolean>()

const isPublished = async (hash: string): Promise<boolean> => {
  const kept = known.get(hash)
  if (kept !== undefined) return kept
  const found = await verifyPassword(demoPassword, hash)
  known.set(hash, found)
  return found
}
