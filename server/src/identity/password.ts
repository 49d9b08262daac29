import { Refusal, refusal } from '@clear-to-post/contract/errors'
import type { Caller, Database, Tx } from '../kernel/database.ts'
import { holderOf } from '../kernel/network.ts'
import { factorsOf } from './factor-store.ts'
import { hashOf } from './one-time-tokens.ts'
import { verifyPassword } from './password-hash.ts'
import { countTry, credentialsOf, forgetTries, hasPasswordHash, lockPerson } from './store.ts'

/**
 * Wrong passwords one account stands in `minutes`, whether or not it exists: `tries` from one holder of networks, `everywhere`
 * from all together. So a stranger at one holder keeps nobody out who knows the password; one who has three holders does, for a
 * quarter of an hour each time (decision 12).
 */
export const tryLimit = { tries: 10, everywhere: 30, minutes: 15 } as const

/**
 * The person with this address and password. Throws `session.wrong-credentials` for an unknown address, a wrong password
 * and a disabled person alike, after the same work, and `request.too-many` past the limit.
 */
export const checkPassword = async (
  database: Database,
  { email, password, network }: { email: string; password: string; network: string },
): Promise<Caller & { hash: string }> => {
  const { isBeyond, found } = await database.asSystem(async (tx) => ({
    isBeyond: await isBeyondTries(tx, email, network),
    found: await credentialsOf(tx, email),
  }))
  if (isBeyond) throw tooManyTries()
  return rightPassword(found, password)
}

/** Counts one more try; what one network may not count for no other. */
const isBeyondTries = async (tx: Tx, email: string, network: string): Promise<boolean> =>
  (await countTry(tx, triesFrom(email, network), tryLimit.minutes)) > tryLimit.tries ||
  (await countTry(tx, hashOf(email), tryLimit.minutes)) > tryLimit.everywhere

const triesFrom = (email: string, network: string): Buffer => hashOf(`tries for ${email} from ${holderOf(network)}`)

const tooManyTries = () => refusal('request.too-many', 'Too many tries. Wait a quarter of an hour and try again.')

type Found = Awaited<ReturnType<typeof credentialsOf>>

const rightPassword = async (found: Found, password: string): Promise<Caller & { hash: string }> => {
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

/** What the count of passwords that a person confirms by stands under. */
export const confirmsOf = (personId: string): string => `confirming ${personId}`

/**
 * Is this the caller's own password? Throws `session.wrong-password`, and `request.too-many` past ten in a quarter of an hour:
 * counted by person, so that whoever tries to sign in elsewhere keeps nobody in a session from confirming.
 */
export const confirmPassword = async (database: Database, caller: Caller, password: string): Promise<void> => {
  const tries = hashOf(confirmsOf(caller.id))
  const { own, found, count } = await database.asSystem(async (tx) => {
    const own = await factorsOf(tx, caller.id)
    const count = await countTry(tx, tries, tryLimit.minutes)
    return { own, count, found: own && (await credentialsOf(tx, own.email)) }
  })
  if (!own) throw refusal('session.ended')
  if (count > tryLimit.tries) throw tooManyTries()
  await rightPassword(found, password).catch((error: unknown) => {
    // Not 401: the session that asks is a good one.
    throw error instanceof Refusal && error.code === 'session.wrong-credentials'
      ? refusal('session.wrong-password')
      : error
  })
  await database.asSystem((tx) => forgetTries(tx, tries))
}

/** After a right password from this network, the counts of it and of the account start anew. */
export const forgetWrongTries = async (tx: Tx, email: string, network: string): Promise<void> => {
  await forgetTries(tx, triesFrom(email, network))
  await forgetTries(tx, hashOf(email))
}
