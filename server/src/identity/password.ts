import { Refusal, refusal } from '@clear-to-post/contract/errors'
import type { Caller, Database, Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { factorsOf } from './factor-store.ts'
import { hashOf } from './one-time-tokens.ts'
import { verifyPassword } from './password-hash.ts'
import { countTry, credentialsOf, forgetTries, hasPasswordHash, lockPerson } from './store.ts'

/** Wrong passwords one account stands in `minutes`; then it waits, whoever asks and whether or not it exists. */
export const tryLimit = { tries: 10, minutes: 15 } as const

/**
 * The person with this address and password. Throws `session.wrong-credentials` for an unknown address, a wrong password
 * and a disabled person alike, after the same work, and `request.too-many` past the limit.
 */
export const checkPassword = async (
  database: Database,
  email: string,
  password: string,
): Promise<Caller & { hash: string }> => {
  const { tries, found } = await database.asSystem(async (tx) => ({
    tries: await countTry(tx, hashOf(email), tryLimit.minutes),
    found: await credentialsOf(tx, email),
  }))
  if (tries > tryLimit.tries)
    throw refusal('request.too-many', 'Too many tries. Wait a quarter of an hour and try again.')
  // No connection is held while a core hashes.
  if (!(await verifyPassword(password, found?.hash ?? null))) throw refusal('session.wrong-credentials')
  return { ...found!, hash: found!.hash! }
}

/**
 * Before a session is opened by a password that was checked: locks the person, and refuses where the password was changed
 * while it was checked. Throws `session.wrong-credentials`.
 */
export const holdPassword = async (tx: Tx, { id, hash }: { id: string; hash: string }): Promise<void> => {
  await lockPerson(tx, id)
  if (!(await hasPasswordHash(tx, id, hash))) throw refusal('session.wrong-credentials')
}

/** Is this the caller's own password? Throws `session.wrong-password`, and `request.too-many` past the limit. */
export const confirmPassword = async (database: Database, caller: Caller, password: string): Promise<void> => {
  const own = await database.inTenant(caller, (tx) => asService(tx, () => factorsOf(tx, caller.id)))
  if (!own) throw refusal('session.ended')
  await checkPassword(database, own.email, password).catch((error: unknown) => {
    // Not 401: the session that asks is a good one.
    throw error instanceof Refusal && error.code === 'session.wrong-credentials'
      ? refusal('session.wrong-password')
      : error
  })
  await database.asSystem((tx) => forgetWrongTries(tx, own.email))
}

/** After a right password the account's count starts anew. */
export const forgetWrongTries = (tx: Tx, email: string) => forgetTries(tx, hashOf(email))
