import { refusal } from '@clear-to-post/contract/errors'
import type { Caller, Database, Tx } from '../db/tenant.ts'
import { closeFamilies, closeFamily, openFamily, rotate } from './families.ts'
import { hashOf, issueOneTimeToken, redeem } from './one-time-tokens.ts'
import { verifyPassword } from './password-hash.ts'
import {
  countTry,
  credentialsOf,
  dropCredentials,
  dropEnded,
  dropOneTimeTokens,
  forgetTries,
  raiseRoleVersion,
  savePassword,
  sessionPerson,
} from './store.ts'

export { codeMinutes, codeToSend, issueCode, judgeCode, redeemCode, type RightCode } from './codes.ts'
export { findHandOver, issueHandOver, type HandOver } from './one-time-tokens.ts'
export { hashPassword } from './password-hash.ts'

/** A session that was opened or renewed: who it is for, and the refresh token for the cookie. */
export type Opened = { person: Caller; refreshToken: string }

/** Wrong passwords one account stands in `minutes`; then it waits, whoever asks and whether or not it exists. */
export const tryLimit = { tries: 10, minutes: 15 } as const

/**
 * The person with this address and password. Throws `session.wrong-credentials` for an unknown address, a wrong password
 * and a disabled person alike, after the same work, and `request.too-many` past the limit.
 */
export const checkPassword = async (database: Database, email: string, password: string): Promise<Caller> => {
  const { tries, found } = await database.asSystem(async (tx) => ({
    tries: await countTry(tx, hashOf(email), tryLimit.minutes),
    found: await credentialsOf(tx, email),
  }))
  if (tries > tryLimit.tries)
    throw refusal('request.too-many', 'Too many tries. Wait a quarter of an hour and try again.')
  // No connection is held while a core hashes.
  if (!(await verifyPassword(password, found?.hash ?? null))) throw refusal('session.wrong-credentials')
  return found!
}

/** After a right password the account's count starts anew. */
export const forgetWrongTries = (tx: Tx, email: string) => forgetTries(tx, hashOf(email))

/** Opens a session by password. Throws as `checkPassword` does. */
export const signInWithPassword = async (database: Database, email: string, password: string): Promise<Opened> => {
  const { id } = await checkPassword(database, email, password)
  return database.asSystem(async (tx) => {
    await forgetWrongTries(tx, email)
    // They may have been disabled, or given another role, while the password was checked.
    const person = await sessionPerson(tx, id)
    if (!person) throw refusal('session.wrong-credentials')
    return { person, refreshToken: await openFamily(tx, id) }
  })
}

/** Opens a session by a custom token, once. Throws `session.invalid-token`. */
export const signInWithCustomToken = (database: Database, token: string): Promise<Opened> =>
  database.asSystem(async (tx) => {
    const personId = await redeem(tx, ['sign-in', 'hand-over'], token)
    const person = personId === null ? undefined : await sessionPerson(tx, personId)
    if (!person) throw refusal('session.invalid-token')
    return { person, refreshToken: await openFamily(tx, person.id) }
  })

/** Renews a session and rotates its refresh token. Throws `session.ended`. */
export const refreshSession = async (database: Database, token: string | null): Promise<Opened> => {
  if (token === null) throw refusal('session.ended')
  const opened = await database.asSystem(async (tx) => {
    const rotated = await rotate(tx, token)
    const person = rotated && (await sessionPerson(tx, rotated.personId))
    return rotated && person ? { person, refreshToken: rotated.token } : null
  })
  // Thrown after the commit: a reused token has ended its family by now.
  if (!opened) throw refusal('session.ended')
  return opened
}

/** Ends the session of a refresh token; everywhere: every session of that person, or of the caller where there is no token. */
export const signOut = (
  database: Database,
  { token, callerId, everywhere }: { token: string | null; callerId: string | null; everywhere: boolean },
): Promise<void> =>
  database.asSystem(async (tx) => {
    const personId = (token === null ? null : await closeFamily(tx, token)) ?? callerId
    if (everywhere && personId !== null) await endSessions(tx, personId)
  })

/** Ends every session of a person: refresh tokens, ID tokens, and custom tokens that were not used yet. */
export const endSessions = async (tx: Tx, personId: string): Promise<void> => {
  await closeFamilies(tx, personId)
  await dropOneTimeTokens(tx, personId)
}

/** Ends every session of a person and takes away whatever they could sign in with. */
export const forgetCredentials = async (tx: Tx, personId: string): Promise<void> => {
  await endSessions(tx, personId)
  await dropCredentials(tx, personId)
}

/** From now on nobody has this person's old address as theirs: codes and tokens that are on their way are no good. */
export const dropPendingTokens = async (tx: Tx, personId: string): Promise<void> => {
  await dropOneTimeTokens(tx, personId)
}

/** A single-use token, good for 5 minutes, that signs this person in. */
export const issueCustomToken = (tx: Tx, personId: string): Promise<string> =>
  issueOneTimeToken(tx, 'sign-in', personId)

/** Sets a person's password from its hash (see `hashPassword`). */
export const setPassword = async (tx: Tx, personId: string, hash: string): Promise<void> => {
  await savePassword(tx, personId, hash)
}

/** A changed role, tenant or standing counts at once: ID tokens signed before are refused, sessions renew to the new role. */
export const endIdTokens = async (tx: Tx, personId: string): Promise<void> => {
  await raiseRoleVersion(tx, personId)
}

/** Removes ended sessions, tokens and counts; answers how many. For the clock, now and then. */
export const tidySessions = (database: Database): Promise<number> => database.asSystem(dropEnded)
