import { Refusal, refusal } from '@clear-to-post/contract/errors'
import type { Caller, Database, Tx } from '../kernel/database.ts'
import { countWrongGuess } from '../kernel/metrics.ts'
import { holderOf } from '../kernel/network.ts'
import { factorsOf } from './factor-store.ts'
import { hashOf } from './one-time-tokens.ts'
import { verifyPassword } from './password-hash.ts'
import {
  countTry,
  credentialsOf,
  forgetTries,
  hasPasswordHash,
  isWholeByPassword,
  lockPerson,
  triesOf,
} from './store.ts'
import {
  countWrong,
  forgetWrongAt,
  hasKnownLeft,
  isKnownPlace,
  rememberPlace,
  tooManyWrong,
  wrongPasswords,
} from './wrong-passwords.ts'

/**
 * Wrong passwords one account stands in `minutes`, whether or not it exists: `tries` from one holder of networks, `everywhere`
 * from all places together where nobody has signed in to it before. So strangers keep nobody out where they have signed in
 * (decision 1144).
 */
export const tryLimit = { tries: 10, everywhere: 30, minutes: 15 } as const

/**
 * The person with this address and password. Throws `session.wrong-credentials` for an unknown address, a wrong password
 * and a disabled person alike, after the same work, and `request.too-many` past a limit.
 */
export const checkPassword = async (
  database: Database,
  { email, password, network }: Tried,
  log: Log,
): Promise<Caller & { hash: string }> => {
  const { tooMany, found, isKnown } = await database.asSystem(async (tx) => {
    const found = await credentialsOf(tx, email)
    const isKnown = (await isKnownPlace(tx, found?.id, network)) && (await hasKnownLeft(tx, email))
    return { found, isKnown, tooMany: await beyondTries(tx, { email, network }, { isKnown }) }
  })
  if (tooMany !== undefined) throw refusal('request.too-many', tooMany)
  return rightPassword(found, password).catch(async (error: unknown) => {
    if (isWrong(error)) tellOf(await database.asSystem((tx) => countWrong(tx, { email, network }, { isKnown })), log)
    throw error
  })
}

type Tried = { email: string; password: string; network: string }
type Log = { error: (about: object, words: string) => void }

const isWrong = (error: unknown): boolean => error instanceof Refusal && error.code === 'session.wrong-credentials'

const tellOf = ({ network, isMany }: Awaited<ReturnType<typeof countWrong>>, log: Log): void => {
  if (network !== null)
    log.error({ network }, 'one network has used up its wrong passwords of a day: somebody guesses there')
  if (isMany)
    log.error(
      { within: wrongPasswords.alarm },
      'so many wrong passwords came within the hour that somebody guesses from many networks',
    )
}

/** Counts one more try; answers why it is not looked at. What one network may not counts for no other. */
const beyondTries = async (
  tx: Tx,
  { email, network }: Omit<Tried, 'password'>,
  { isKnown }: { isKnown: boolean },
): Promise<string | undefined> => {
  if ((await countTry(tx, triesFrom(email, network), tryLimit.minutes)) > tryLimit.tries) return tooManyTries
  const tooMany = await tooManyWrong(tx, { email, network }, { isKnown })
  if (tooMany !== undefined || isKnown) return tooMany
  return (await countTry(tx, hashOf(email), tryLimit.minutes)) > tryLimit.everywhere ? tooManyTries : undefined
}

const triesFrom = (email: string, network: string): Buffer => hashOf(`tries for ${email} from ${holderOf(network)}`)

const tooManyTries = 'Too many tries. Wait a quarter of an hour and try again.'

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

/** The same of a whole day. */
export const wrongConfirmsOf = (personId: string): string => `confirming wrongly ${personId}`

/**
 * Is this the caller's own password? Throws `session.wrong-password`, and `request.too-many` past ten in a quarter of an hour,
 * or past the wrong ones of a day: counted by person, so that whoever tries to sign in elsewhere keeps nobody in a session from
 * confirming.
 */
export const confirmPassword = async (database: Database, caller: Caller, password: string): Promise<void> => {
  const [tries, wrong] = [hashOf(confirmsOf(caller.id)), hashOf(wrongConfirmsOf(caller.id))]
  const { most, minutes } = wrongPasswords.known
  const { own, found, tooMany } = await database.asSystem(async (tx) => {
    const own = await factorsOf(tx, caller.id)
    const isOften = (await countTry(tx, tries, tryLimit.minutes)) > tryLimit.tries
    const tooMany = (await triesOf(tx, wrong, minutes)) >= most ? tooManyToday : isOften ? tooManyTries : undefined
    return { own, tooMany, found: own && (await credentialsOf(tx, own.email)) }
  })
  if (!own) throw refusal('session.ended')
  if (tooMany !== undefined) throw refusal('request.too-many', tooMany)
  await rightPassword(found, password).catch(async (error: unknown) => {
    if (!isWrong(error)) throw error
    countWrongGuess('password')
    await database.asSystem((tx) => countTry(tx, wrong, minutes))
    // Not 401: the session that asks is a good one.
    throw refusal('session.wrong-password')
  })
  await database.asSystem((tx) => forgetTries(tx, tries))
}

const tooManyToday = 'Too many wrong passwords today. Sign in again, or choose a new password by e-mail.'

/**
 * After a right password from this network, its short count and the account's start anew; and the place is known, where that
 * is a whole sign-in of somebody who has confirmed the address. Else their second step makes it so.
 */
export const passwordWasRight = async (
  tx: Tx,
  { id, email }: { id: string; email: string },
  network: string,
): Promise<void> => {
  await forgetShortCounts(tx, email, network)
  if (await isWholeByPassword(tx, id)) await rememberPlace(tx, id, network)
}

/**
 * After a new password that was chosen from this network by who reads the mailbox, every count of the account starts anew, and
 * this is its only known place.
 */
export const passwordWasChosen = async (
  tx: Tx,
  person: { id: string; email: string },
  network: string,
): Promise<void> => {
  await forgetShortCounts(tx, person.email, network)
  await rememberPlace(tx, person.id, network)
  await forgetWrongAt(tx, { email: person.email, network })
  await forgetTries(tx, hashOf(confirmsOf(person.id)))
  await forgetTries(tx, hashOf(wrongConfirmsOf(person.id)))
}

const forgetShortCounts = async (tx: Tx, email: string, network: string): Promise<void> => {
  await forgetTries(tx, triesFrom(email, network))
  await forgetTries(tx, hashOf(email))
}
