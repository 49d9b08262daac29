import { refusal } from '@clear-to-post/contract/errors'
import type { Caller, Database, Tx } from '../kernel/database.ts'
import { asService, holdSession } from '../kernel/tenancy.ts'
import { challengeOwner, signInAfterSetUp, tooManyCodes } from './actions.ts'
import { factorsOf } from './factor-store.ts'
import { hasFactor, type Opened } from './second-factor.ts'
import type { Outcome } from './security.ts'
import { dropSetUps, lockPerson } from './store.ts'

/**
 * Who changes how they sign in: the caller, or, by a `challenge`, whoever has no session yet because a factor is demanded
 * first.
 */
export type Changer = { database: Database; caller: Caller | null; challenge?: string | undefined }

/**
 * Does a change as the service, with the person locked, once the database has said that the caller's session still counts,
 * or that the set-up of a challenge is still wanted. Throws
 * `session.required`, and `session.step-ended` for a challenge that is over.
 */
export const changeSecurity = async <T>(
  { database, caller, challenge }: Changer,
  work: (tx: Tx, personId: string) => Promise<T>,
): Promise<T> => {
  if (challenge !== undefined) return database.asSystem(async (tx) => work(tx, await demandedOf(tx, challenge)))
  if (!caller) throw refusal('session.required')
  return database.inTenant(caller, (tx) =>
    asService(tx, async () => {
      await holdSession(tx, caller)
      return work(tx, caller.id)
    }),
  )
}

/**
 * Ends the adding of a factor: by code or credential its owner shows that it was they who began. Answers the recovery codes
 * that came with it, and the session where the factor was demanded for one. Throws what `changeSecurity` and `work` do.
 */
export const addFactor = async (
  changer: Changer,
  work: (tx: Tx, personId: string) => Promise<Outcome<string[]>>,
): Promise<{ recoveryCodes: string[]; opened: Opened | null }> => {
  const { challenge } = changer
  const outcome = await changeSecurity(changer, async (tx, personId) => {
    const added = await work(tx, personId)
    if ('refused' in added) return added
    const opened = challenge === undefined ? null : await signInAfterSetUp(tx, challenge)
    await dropSetUps(tx, personId)
    return { done: added.done, opened }
  })
  // Thrown after the commit: a wrong try counts.
  if ('refused' in outcome)
    throw refusal(outcome.refused, outcome.refused === 'request.too-many' ? tooManyCodes : undefined)
  return { recoveryCodes: outcome.done, opened: outcome.opened }
}

/** Whoever has a factor by now shows it instead: a set-up that began before, by a password alone, is over. */
const demandedOf = async (tx: Tx, challenge: string): Promise<string> => {
  const personId = await challengeOwner(tx, 'set-up', challenge)
  if (personId === null) throw refusal('session.step-ended')
  await lockPerson(tx, personId)
  const factors = await factorsOf(tx, personId)
  const isStillLive = (await challengeOwner(tx, 'set-up', challenge)) === personId
  if (!factors || hasFactor(factors) || !isStillLive) throw refusal('session.step-ended')
  return personId
}
