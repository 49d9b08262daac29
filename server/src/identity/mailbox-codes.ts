import { canonicalMailbox } from '@clear-to-post/domain/mailbox'
import type { Tx } from '../kernel/database.ts'
import { holderOf } from '../kernel/network.ts'
import { hashOf } from './one-time-tokens.ts'
import { countTry, forgetTries, ownerOfAddress, triesOf } from './store.ts'
import { isKnownPlace } from './wrong-passwords.ts'

/**
 * Codes that one mailbox is sent in `minutes`, whether or not it has an account: `codes` whoever asks, and one network
 * may ask for no more; `known` where its owner signed in before; and then one in each `turn` of minutes. Whoever asks between
 * two turns uses the one that lies there (`issueCode`). Decision 1161.
 */
export const sendLimit = { codes: 5, known: 3, turn: 10, minutes: 60 } as const

/**
 * Wrong codes for one mailbox in `minutes`: `most` whoever types; `more` for holders of networks who have typed fewer than
 * `few`; and `own` where its owner signed in before, however many came from elsewhere, until `known` came from all those places
 * together: then they are places of strangers.
 */
export const wrongAtMailbox = { most: 250, more: 750, few: 5, own: 60, known: 250, minutes: 24 * 60 } as const

/** What the count of codes that a mailbox was sent stands under, however its address was spelled. */
export const codesTo = (email: string): string => `code ${canonicalMailbox(email)}`

/** What every count of this mailbox stands under that is not one network's. */
export const countsOfMailbox = (email: string): string[] => [
  codesTo(email),
  codesAtKnown(email),
  turnOf(email),
  turnOf(codesTo(email)),
  wrongFor(email),
  wrongAtKnown(email),
]

/** Counts that a network asks for a code; false past what one may. */
export const mayAsk = async (tx: Tx, { email, network }: Typed): Promise<boolean> =>
  (await countTry(tx, hashOf(`${codesTo(email)} from ${network}`), sendLimit.minutes)) <= sendLimit.codes

/** Whether the mailbox may be sent one more code now, which counts. */
export const hasRoom = async (tx: Tx, { email, network }: Typed): Promise<boolean> => {
  const isWithin = async (what: string, most: number, minutes: number) =>
    (await countTry(tx, hashOf(what), minutes)) <= most
  const owner = await ownerOfAddress(tx, email)
  const isOwners = await isKnownPlace(tx, confirmed(owner), network)
  if (await isWithin(codesTo(email), sendLimit.codes, sendLimit.minutes)) return true
  if (isOwners && (await isWithin(codesAtKnown(email), sendLimit.known, sendLimit.minutes))) return true
  // Other spellings of a mailbox, of which there is no end, share one turn and take none from its owner's.
  return isWithin(turnOf(confirmed(owner) === undefined ? codesTo(email) : email), 1, sendLimit.turn)
}

/**
 * Whether somebody who has confirmed this address signed in to its account from the same holder's networks before, and not too
 * many wrong codes came from all such places today.
 */
export const isOwnersPlace = async (tx: Tx, { email, network }: Typed): Promise<boolean> =>
  (await isKnownPlace(tx, confirmed(await ownerOfAddress(tx, email)), network)) &&
  (await triesOf(tx, hashOf(wrongAtKnown(email)), wrongAtMailbox.minutes)) < wrongAtMailbox.known

/** Whether so many wrong codes came for this mailbox that none is looked at which this network types. */
export const isGuessed = async (tx: Tx, typed: Typed, { isOwners }: { isOwners: boolean }): Promise<boolean> => {
  const { most, more, few, own, minutes } = wrongAtMailbox
  const here = await triesOf(tx, hashOf(wrongFrom(typed)), minutes)
  const ofAll = await triesOf(tx, hashOf(wrongFor(typed.email)), minutes)
  return isOwners ? here >= own : ofAll >= (here < few ? most + more : most)
}

/** Counts a wrong code for this mailbox, `isOwners` from where its owner signed in before. */
export const countWrongAt = async (
  tx: Tx,
  typed: Typed,
  { isOwners = false }: { isOwners?: boolean } = {},
): Promise<void> => {
  const known = isOwners ? [wrongAtKnown(typed.email)] : []
  for (const what of [wrongFrom(typed), wrongFor(typed.email), ...known])
    await countTry(tx, hashOf(what), wrongAtMailbox.minutes)
}

/** After a code that was right its mailbox, where nothing lies any more, is sent the next one. */
export const freeTurn = async (tx: Tx, email: string): Promise<void> => {
  for (const mailbox of [email, codesTo(email)]) await forgetTries(tx, hashOf(turnOf(mailbox)))
}

type Typed = { email: string; network: string }

const confirmed = (owner: { id: string; is_confirmed: boolean } | undefined): string | undefined =>
  owner?.is_confirmed ? owner.id : undefined

const codesAtKnown = (email: string): string => `${codesTo(email)} at known places`
const turnOf = (mailbox: string): string => `turn of ${mailbox}`
const wrongFor = (email: string): string => `wrong ${codesTo(email)}`
const wrongAtKnown = (email: string): string => `${wrongFor(email)} at known places`
const wrongFrom = ({ email, network }: Typed): string => `${wrongFor(email)} from ${holderOf(network)}`
