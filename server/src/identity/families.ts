import { createHmac, randomBytes } from 'node:crypto'
import type { SessionEnd } from '@clear-to-post/domain/session-ends'
import type { Tx } from '../kernel/database.ts'
import { hashOf, newSecret } from './one-time-tokens.ts'
import {
  addFamily,
  addRefreshToken,
  answeredAgain,
  dropOneTimeTokens,
  endAsStolen,
  lockFamily,
  markRotated,
  prolongFamily,
  renewSecurityStamp,
  refreshToken,
  revokeCarried,
  revokeFamilies,
  revokeFamily,
  type Origin,
} from './store.ts'

/** A session that nobody uses ends after `idleDays`; one that is used, `mostDays` after its sign-in. */
export const idleDays = 30
export const mostDays = 180
/** How long the token before the current one still answers whoever shows it: tabs renew at the same moment. */
export const graceSeconds = 10

/** The refresh token of a session, and when the session ends at the latest, its ID tokens with it. */
export type Line = { refreshToken: string; mustEndAt: Date }

/**
 * Opens a session and answers its first refresh token. `origin`: it came from another device, so that it proves no sign-in,
 * and ends with the session that it came from.
 */
export const openFamily = async (tx: Tx, personId: string, origin: Origin | null = null): Promise<Line> => {
  const refreshToken = newSecret()
  const family = await addFamily(tx, { personId, idleDays, mostDays, origin })
  await addRefreshToken(tx, family.id, hashOf(refreshToken))
  return { refreshToken, mustEndAt: family.must_end_at }
}

/**
 * What a browser shows with a refresh token. It makes a secret for each exchange that it asks for, keeps it, and sends its hash; the
 * secret itself only when it asks again. So whoever stole the token, or saw the request, cannot ask in its place.
 */
export type Asker = { secretHash: Buffer | null; secrets: readonly string[] }

/**
 * Exchanges a refresh token for its successor. The token just exchanged answers the same successor again, so that nobody gets a
 * second line of tokens: within its grace to anybody, for a parallel tab; and later to the browser alone that exchanged it and
 * shows so, for its answer, or the cookie, was lost. In both cases only while the successor was not exchanged itself.
 * Any other use of an older token is theft: the family is revoked, and with it the person's ID tokens and whatever the thief may
 * have made of it: carried sessions, tokens on their way, keys for programs. Null: no such session.
 * Commit the transaction either way.
 */
export const rotate = async (tx: Tx, token: string, asker: Asker): Promise<(Line & { personId: string }) | null> => {
  const hash = hashOf(token)
  const family = await lockFamily(tx, hash)
  if (!family?.is_live) return null
  const { person_id: personId, must_end_at: mustEndAt } = family
  const known = (await refreshToken(tx, hash, graceSeconds))!
  if (!known.is_rotated) {
    const salt = randomBytes(32)
    const successor = successorOf(token, salt)
    await markRotated(tx, hash, salt, asker.secretHash)
    await addRefreshToken(tx, family.id, hashOf(successor))
    await prolongFamily(tx, family.id, idleDays)
    return { personId, refreshToken: successor, mustEndAt }
  }
  const shown = asker.secrets.map(hashOf).find((one) => known.askers.some((asked) => asked.equals(one)))
  if ((shown || known.in_grace) && known.salt) {
    const successor = successorOf(token, known.salt)
    const current = await refreshToken(tx, hashOf(successor), graceSeconds)
    if (current && !current.is_rotated) {
      if (shown) {
        // This answer, too, may be lost. Its grace does not begin anew: whoever asks again could hold it open.
        await answeredAgain(tx, hash, shown, asker.secretHash)
        await prolongFamily(tx, family.id, idleDays)
      }
      return { personId, refreshToken: successor, mustEndAt }
    }
  }
  await revokeFamily(tx, family.id)
  await revokeCarried(tx, personId)
  await dropOneTimeTokens(tx, personId)
  await endAsStolen(tx, personId, family.id)
  return null
}

/** Ends the session of a refresh token, with what was carried from it, and answers whose it was; null when it had ended. */
export const closeFamily = async (tx: Tx, token: string): Promise<string | null> => {
  const family = await lockFamily(tx, hashOf(token))
  if (!family?.is_live) return null
  await revokeFamily(tx, family.id)
  return family.person_id
}

/** Ends every session of a person, the ID tokens with them. */
export const closeFamilies = async (tx: Tx, personId: string, why: SessionEnd): Promise<void> => {
  await revokeFamilies(tx, personId)
  await renewSecurityStamp(tx, personId, why)
}

// Whoever reads the database has the salt and not the token; whoever stole the token has not the salt.
const successorOf = (token: string, salt: Buffer): string =>
  createHmac('sha256', salt).update(token).digest('base64url')
