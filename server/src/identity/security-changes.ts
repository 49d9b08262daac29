import { refusal } from '@clear-to-post/contract/errors'
import type { Caller, Database, Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { challengeOwner, signInAfterSetUp, tooManyCodes } from './actions.ts'
import type { Opened } from './second-factor.ts'
import type { Outcome } from './security.ts'

/**
 * Who changes how they sign in: the caller, or, by a `challenge`, whoever has no session yet because a factor is demanded
 * first.
 */
export type Changer = { database: Database; caller: Caller | null; challenge?: string | undefined }

/**
 * Does a change as the service, once the database has said that the caller's session still counts. Throws
 * `session.required`, and `session.step-ended` for a challenge that is over.
 */
export const changeSecurity = async <T>(
  { database, caller, challenge }: Changer,
  work: (tx: Tx, personId: string) => Promise<T>,
): Promise<T> => {
  if (challenge !== undefined) return database.asSystem(async (tx) => work(tx, await demandedOf(tx, challenge)))
  if (!caller) throw refusal('session.required')
  return database.inTenant(caller, (tx) => asService(tx, () => work(tx, caller.id)))
}

/**
 * Ends the adding of a factor: by code or credential its owner shows that it was they who began. Answers the recovery codes
 * that came with it, and the session where the factor was demanded for one. Throws what `changeSecurity` and `work` do.
 */
export const addFactor = async (
  changer: Changer,
  work: (tx: Tx, personId: string) => Promise<Outcome<string[]>>,
): Promise<{ recoveryCodes: string[]; opened: Opened | null }> => {
  const outcome = await changeSecurity(changer, work)
  // Thrown after the commit: a wrong try counts.
  if ('refused' in outcome)
    throw refusal(outcome.refused, outcome.refused === 'request.too-many' ? tooManyCodes : undefined)
  const { database, challenge } = changer
  return {
    recoveryCodes: outcome.done,
    opened: challenge === undefined ? null : await signInAfterSetUp(database, challenge),
  }
}

const demandedOf = async (tx: Tx, challenge: string): Promise<string> => {
  const personId = await challengeOwner(tx, 'set-up', challenge)
  if (personId === null) throw refusal('session.step-ended')
  return personId
}
