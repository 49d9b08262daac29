import type { Tx } from '../kernel/database.ts'
import { countWrongGuess } from '../kernel/metrics.ts'
import { boundOf, holderOf, netsOf } from '../kernel/network.ts'
import { hashOf } from './one-time-tokens.ts'
import { countTry, forgetTries, triesOf } from './store.ts'

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
  known: { most: 60, minutes: day },
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
 * Counts a password that was wrong. Answers what the log has to tell now: the widest net that has just used up its day, and
 * whether there are many of everybody's within the hour by now.
 */
export const countWrong = async (
  tx: Tx,
  { email, network }: Tried,
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
  const { most, minutes } = wrongPasswords.alarm
  const ofAll = await countTry(tx, hashOf('wrong passwords of everybody'), minutes)
  return { network: usedUp, isMany: ofAll === most }
}

/** Whether somebody gave this person's right password from the same holder's networks within ninety days. */
export const isKnownPlace = async (tx: Tx, personId: string | undefined, network: string): Promise<boolean> =>
  // Nobody has no place, and the question costs the same.
  (await triesOf(tx, placeOf(personId ?? 'nobody', network), knownMinutes)) > 0

/** After a right password, or one that was chosen by a code, from here. */
export const rememberPlace = async (tx: Tx, personId: string, network: string): Promise<void> => {
  await forgetTries(tx, placeOf(personId, network))
  await countTry(tx, placeOf(personId, network), knownMinutes)
}

/** With a new password strangers begin anew; `network`: where it was chosen. */
export const forgetWrongAt = async (tx: Tx, { email, network }: { email: string; network?: string }): Promise<void> => {
  for (const { minutes } of wrongPasswords.strangers) await forgetTries(tx, wrongAt(email, minutes))
  if (network !== undefined) await forgetTries(tx, wrongHere(email, network))
}

const wrongFrom = (net: string, minutes: number): Buffer =>
  hashOf(`wrong passwords from ${net} within ${minutes} minutes`)
const wrongAt = (email: string, minutes: number): Buffer =>
  hashOf(`wrong passwords for ${email} within ${minutes} minutes`)
const wrongHere = (email: string, network: string): Buffer =>
  hashOf(`wrong passwords for ${email} from ${holderOf(network)} within a day`)
const placeOf = (personId: string, network: string): Buffer => hashOf(`place of ${personId}: ${holderOf(network)}`)
