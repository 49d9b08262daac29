import type { Tx } from '../kernel/database.ts'
import { countWrongGuess } from '../kernel/metrics.ts'
import { boundOf, holderOf, netsOf } from '../kernel/network.ts'
import { hashOf } from './one-time-tokens.ts'
import { countTry, forgetTries, passwordSince, triesOf } from './store.ts'

const [hour, day] = [60, 24 * 60]

/**
 * Wrong passwords past which none is looked at: from one network, whoever's they were; at one account from all places where
 * nobody has signed in to it before; and at one account from a place where somebody has, or by who confirms. Decision 1144.
 */
export const wrongPasswords = {
  network: [
    { most: 60, minutes: hour },
    { most: 240, minutes: day },
  ],
  strangers: [
    { most: 100, minutes: day },
    { most: 500, minutes: 30 * day },
  ],
  /** `together`: at all places of one account where somebody has; past it they are places of strangers. Decision 1180. */
  known: { most: 60, together: 250, minutes: day },
  /** From everybody within an hour: then the log says so. */
  alarm: { most: 500, minutes: hour },
} as const

/** How long a place is known after a right password. */
const knownMinutes = 90 * day

type Tried = { email: string; network: string }

/** Why no password for this address is looked at, in words for whoever typed one in; undefined where it is. Counts nothing. */
export const tooManyWrong = async (
  tx: Tx,
  { email, network }: Tried,
  { isKnown }: { isKnown: boolean },
): Promise<string | undefined> => {
  const { known, strangers } = wrongPasswords
  if (isKnown) return (await triesOf(tx, wrongHere(email, network), known.minutes)) >= known.most ? atThis : undefined
  for (const net of netsOf(network))
    for (const { most, minutes } of wrongPasswords.network)
      if ((await triesOf(tx, wrongFrom(net.net, minutes), minutes)) >= boundOf(net, most)) return fromNetwork
  for (const { most, minutes } of strangers)
    if ((await triesOf(tx, wrongAt(email, minutes), minutes)) >= most) return atThis
  return undefined
}

const fromNetwork =
  'Too many wrong passwords came from your network. Wait an hour, sign in on another network or by another way, or choose a new password by e-mail.'
const atThis =
  'Too many wrong passwords came for this address. Sign in where you have before or by another way, or choose a new password by e-mail.'

/**
 * Counts a password that was wrong, `isKnown` from where somebody has signed in before. Answers what the log has to tell now: the widest net that has just used up its day, and
 * whether there are many of everybody's within the hour by now.
 */
export const countWrong = async (
  tx: Tx,
  { email, network }: Tried,
  { isKnown = false }: { isKnown?: boolean } = {},
): Promise<{ network: string | null; isMany: boolean }> => {
  countWrongGuess('password')
  let usedUp: string | null = null
  for (const net of netsOf(network))
    for (const { most, minutes } of wrongPasswords.network) {
      const wrong = await countTry(tx, wrongFrom(net.net, minutes), minutes)
      if (minutes === day && wrong === boundOf(net, most)) usedUp = net.net
    }
  for (const { minutes } of wrongPasswords.strangers) await countTry(tx, wrongAt(email, minutes), minutes)
  await countTry(tx, wrongHere(email, network), wrongPasswords.known.minutes)
  if (isKnown) await countTry(tx, wrongAtKnown(email), wrongPasswords.known.minutes)
  const { most, minutes } = wrongPasswords.alarm
  const ofAll = await countTry(tx, hashOf('wrong passwords of everybody'), minutes)
  return { network: usedUp, isMany: ofAll === most }
}

/**
 * Whether somebody who had shown that the address is theirs signed in wholly to this person's account, with the password that
 * it has now, from the same holder's networks within ninety days.
 */
export const isKnownPlace = async (tx: Tx, personId: string | undefined, network: string): Promise<boolean> =>
  // Nobody has no place, and the question costs the same.
  (await triesOf(tx, placeOf(personId, await passwordSince(tx, personId ?? nobody), network), knownMinutes)) > 0

/** Whether a known place of this account counts as one still, for a password. */
export const hasKnownLeft = async (tx: Tx, email: string): Promise<boolean> =>
  (await triesOf(tx, wrongAtKnown(email), wrongPasswords.known.minutes)) < wrongPasswords.known.together

/**
 * After a sign-in that is whole, or a password that was chosen by a code, of somebody whose address is confirmed. Who has no
 * password has no known place.
 */
export const rememberPlace = async (tx: Tx, personId: string, network: string): Promise<void> => {
  const since = await passwordSince(tx, personId)
  if (since === null) return
  const place = placeOf(personId, since, network)
  await forgetTries(tx, place)
  await countTry(tx, place, knownMinutes)
}

/** With a new password strangers begin anew; `network`: where it was chosen. */
export const forgetWrongAt = async (tx: Tx, { email, network }: { email: string; network?: string }): Promise<void> => {
  for (const { minutes } of wrongPasswords.strangers) await forgetTries(tx, wrongAt(email, minutes))
  await forgetTries(tx, wrongAtKnown(email))
  if (network !== undefined) await forgetTries(tx, wrongHere(email, network))
}

const wrongFrom = (net: string, minutes: number): Buffer =>
  hashOf(`wrong passwords from ${net} within ${minutes} minutes`)
const wrongAt = (email: string, minutes: number): Buffer =>
  hashOf(`wrong passwords for ${email} within ${minutes} minutes`)
const wrongHere = (email: string, network: string): Buffer =>
  hashOf(`wrong passwords for ${email} from ${holderOf(network)} within a day`)
const wrongAtKnown = (email: string): Buffer => hashOf(`wrong passwords for ${email} from known places within a day`)

const nobody = '00000000-0000-0000-0000-000000000000'
/** A new password ends every place of the one before: who chose that may have been a stranger, or have lost it to one. */
const placeOf = (personId: string | undefined, since: string | null, network: string): Buffer =>
  hashOf(`place of ${personId} since ${since}: ${holderOf(network)}`)
