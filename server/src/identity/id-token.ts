import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { refusal } from '@clear-to-post/contract/errors'
import type { Caller } from '../kernel/database.ts'
import { algorithm, type Keys } from './keys.ts'
import { personRoles } from '@clear-to-post/domain/roles'

/** An ID token's life. Short is not needed for safety: `security_stamp` ends it at once. */
export const idTokenSeconds = 3600

/** What a token of ours holds beside `iss` and `aud`. Times are seconds since 1970. */
const Claims = z.object({
  sub: z.uuid(),
  role: z.enum(personRoles),
  tenantId: z.uuid().nullable(),
  securityStamp: z.int().min(0),
  iat: z.int(),
  exp: z.int(),
  /** OpenID Connect's name for when its person was asked for the password; no token has it but a confirmed one. */
  auth_time: z.int().optional(),
})

/**
 * Signs an ID token for a person as they are now, which ends with their session. `issuer` is the identity service's address;
 * `confirmedAt`: they have just written their password.
 */
export const signIdToken = async (
  keys: Keys,
  issuer: string,
  { id, role, tenantId, securityStamp }: Caller,
  { mustEndAt = null, confirmedAt }: { mustEndAt?: Date | null | undefined; confirmedAt?: Date | undefined } = {},
): Promise<string> => {
  const { kid, key } = await keys.signing()
  const now = Math.floor(Date.now() / 1000)
  const authTime = confirmedAt ? { auth_time: Math.floor(confirmedAt.getTime() / 1000) } : {}
  return new SignJWT({ role, tenantId, securityStamp, ...authTime })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid })
    .setSubject(id)
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + secondsLeft(mustEndAt, now * 1000))
    .sign(key)
}

/** How long an ID token of a session lives that ends at `mustEndAt` at the latest. `now` in ms since 1970. */
export const secondsLeft = (mustEndAt: Date | null, now: number): number =>
  mustEndAt === null ? idTokenSeconds : Math.min(idTokenSeconds, Math.floor((mustEndAt.getTime() - now) / 1000))

/**
 * Whether an ID token that ends at `endsAt` still counts at `now` (both in ms since 1970). One that would live longer than
 * any given out now was signed by a clock that ran ahead, and would last until the others get there.
 */
export const isAlive = (endsAt: number, now: number): boolean =>
  endsAt > now && endsAt - now <= (idTokenSeconds + toleranceSeconds) * 1000

/** As far as the clocks of two servers may differ unnoticed, and some more (main/conditions.ts tells from 30 s on). */
const toleranceSeconds = 60

/** The caller a token names and when it ends (ms since 1970). Throws `session.ended` for any token that is not ours and alive. */
export const verifyIdToken = async (
  keys: Keys,
  issuer: string,
  token: string,
): Promise<{ caller: Caller; endsAt: number }> => {
  const { payload } = await jwtVerify(
    token,
    async ({ kid }) => {
      const key = typeof kid === 'string' ? await keys.verifying(kid) : null
      if (!key) throw refusal('session.ended')
      return key
    },
    { algorithms: [algorithm], typ: 'JWT', issuer, audience },
  ).catch((error: unknown) => {
    // A database that is away is no bad token: it must not cost anybody the session.
    throw error instanceof errors.JOSEError ? refusal('session.ended') : error
  })
  const claims = Claims.safeParse(payload)
  if (!claims.success || claims.data.exp - claims.data.iat > idTokenSeconds) throw refusal('session.ended')
  if (!isAlive(claims.data.exp * 1000, Date.now())) throw refusal('session.ended')
  const { sub, role, tenantId, securityStamp, exp, auth_time: authTime } = claims.data
  const confirmed = authTime === undefined ? {} : { confirmedAt: authTime * 1000 }
  return {
    caller: { id: sub, role, tenantId, securityStamp, tokenEndsAt: exp * 1000, ...confirmed },
    endsAt: exp * 1000,
  }
}

const audience = 'clear-to-post'
