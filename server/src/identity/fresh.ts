import type { FastifyRequest } from 'fastify'
import { refusal } from '@clear-to-post/contract/errors'
import { freshMinutes } from '@clear-to-post/domain/second-factor'
import type { Caller, Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import type { SecretCookie } from './cookie.ts'
import { graceSeconds } from './families.ts'
import { hashOf } from './one-time-tokens.ts'
import { isFreshFamily } from './store.ts'

export type RequireFresh = (tx: Tx, request: FastifyRequest, caller: Caller) => Promise<void>

/**
 * Throws `session.not-fresh` unless it is clear that the caller is at this device now: the request carries the refresh cookie
 * of a sign-in here of the last `freshMinutes`, or an ID token that a password was confirmed for within them. Any other ID
 * token proves nothing, however young: it may be somebody else's who found it.
 */
export const makeRequireFresh =
  (cookie: SecretCookie): RequireFresh =>
  async (tx, request, caller) => {
    if (caller.confirmedAt !== undefined && Date.now() - caller.confirmedAt < freshMinutes * 60_000) return
    const token = cookie.read(request)
    const within = { minutes: freshMinutes, graceSeconds }
    const isFresh = token !== null && (await asService(tx, () => isFreshFamily(tx, hashOf(token), caller.id, within)))
    if (!isFresh) throw refusal('session.not-fresh')
  }
