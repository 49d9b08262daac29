import { appCodes, codeTries, newBeginnings } from '@clear-to-post/domain/second-factor'
import type { Tx } from '../kernel/database.ts'
import { countWrongGuess } from '../kernel/metrics.ts'
import { holderOf } from '../kernel/network.ts'
import { notifyOwner } from './notify-owner.ts'
import { hashOf } from './one-time-tokens.ts'
import { countTry, forgetTries, triesOf } from './store.ts'

/** A code that somebody types behind a right first step: of which kind, and from which network (kernel/network.ts). */
export type TypedCode = { method: 'totp' | 'recovery-code'; network: string }

/**
 * Counts a try at this person's codes. False past the limit: then no code of that kind is looked at. Nobody guesses a recovery
 * code, which has 79 random bits: its count keeps the service from work, and is of one holder of networks alone, so that
 * whoever knows the password keeps them away nowhere else. Commit either way.
 */
export const mayTryCode = async (tx: Tx, personId: string, typed: TypedCode): Promise<boolean> =>
  (await countTry(tx, triesAt(personId, typed), codeTries.minutes)) <= codeTries.tries

/** After a right code the short counts start anew; the long ones do not, or each sign-in of the owner's gave a guesser more. */
export const forgetCodeTries = async (tx: Tx, personId: string, { network }: Pick<TypedCode, 'network'>) => {
  for (const method of ['totp', 'recovery-code'] as const) await forgetTries(tx, triesAt(personId, { method, network }))
  await forgetTries(tx, wrongOf(personId))
}

/** Whether so many wrong codes of this person's app came that none is looked at until its day, or its thirty, are over. */
export const isAppGuessed = async (tx: Tx, personId: string): Promise<boolean> => {
  for (const { most, minutes } of appCodes)
    if ((await triesOf(tx, wrongOfApp(personId, minutes), minutes)) >= most) return true
  return false
}

/**
 * Counts a wrong code, whose short count `mayTryCode` has. After five of any kind within a quarter of an hour its owner hears of
 * it, and when the app's are used up, which four in each quarter do as well; once a day: whoever types codes has the password,
 * or what else stands before the second step. Commit either way.
 */
export const countWrongCode = async (tx: Tx, personId: string, { method }: TypedCode): Promise<void> => {
  countWrongGuess('second-step')
  if (method === 'totp') for (const { minutes } of appCodes) await countTry(tx, wrongOfApp(personId, minutes), minutes)
  const isOften = (await countTry(tx, wrongOf(personId), codeTries.minutes)) >= codeTries.tries
  if (!isOften && !(method === 'totp' && (await isAppGuessed(tx, personId)))) return
  if ((await countTry(tx, toldOf(personId), 24 * 60)) === 1)
    await notifyOwner(
      tx,
      personId,
      'Somebody may know your password',
      `Your password was given, or an account that you connected, and then ${codeTries.tries} wrong codes or more. Nobody is let in without a right one. If it was you, nothing is to be done.`,
    )
}

/**
 * After a new password, which whoever guessed does not know, the app's counts begin anew: so often as `newBeginnings` says, for
 * whoever reads the mailbox chooses new ones all day. Where nothing was guessed there is nothing to begin anew.
 */
export const beginAppAnew = async (tx: Tx, personId: string): Promise<void> => {
  const { minutes: longest } = appCodes.at(-1)!
  if ((await triesOf(tx, wrongOfApp(personId, longest), longest)) === 0) return
  for (const { most, minutes } of newBeginnings)
    if ((await triesOf(tx, begunOf(personId, minutes), minutes)) >= most) return
  for (const { minutes } of newBeginnings) await countTry(tx, begunOf(personId, minutes), minutes)
  await forgetAppCounts(tx, personId)
}

/** Of who has no second factor any more, or is removed. */
export const forgetEveryCodeTry = async (tx: Tx, personId: string): Promise<void> => {
  for (const { minutes } of newBeginnings) await forgetTries(tx, begunOf(personId, minutes))
  await forgetAppCounts(tx, personId)
}

const forgetAppCounts = async (tx: Tx, personId: string): Promise<void> => {
  const long = appCodes.map(({ minutes }) => wrongOfApp(personId, minutes))
  for (const counted of [ofApp(personId), wrongOf(personId), ...long, toldOf(personId)]) await forgetTries(tx, counted)
}

const triesAt = (personId: string, { method, network }: TypedCode): Buffer =>
  method === 'totp' ? ofApp(personId) : hashOf(`recovery codes of ${personId} from ${holderOf(network)}`)
const ofApp = (personId: string): Buffer => hashOf(`second-factor ${personId}`)
const wrongOf = (personId: string): Buffer => hashOf(`wrong codes of ${personId} of any kind`)
const wrongOfApp = (personId: string, minutes: number): Buffer =>
  hashOf(`wrong codes of ${personId} within ${minutes} minutes`)
const begunOf = (personId: string, minutes: number): Buffer =>
  hashOf(`codes of ${personId} begun anew within ${minutes} minutes`)
const toldOf = (personId: string): Buffer => hashOf(`told of wrong codes ${personId}`)
