import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal, refusal } from '@clear-to-post/contract/errors'
import type { Caller } from '../db/tenant.ts'
import { verifyIdToken } from './id-token.ts'
import type { Keys } from './keys.ts'

export type Authenticate = (request: FastifyRequest) => Promise<Caller | null>

/**
 * Reads the bearer token of a request: the caller it names, null when there is none.
 * Throws `session.ended` for a token that is not ours or has ended. Whether the person still has that role is answered by
 * the database when their transaction begins. Verified tokens are remembered until they end: this is on every call's path.
 */
export const makeAuthenticate = (
  keys: Keys,
  { issuer, remembered = 20_000 }: { issuer: string; remembered?: number },
): Authenticate => {
  const verified = new Map<string, { caller: Caller; endsAt: number }>()
  return async (request) => {
    try {
      const token = bearerOf(request.headers.authorization)
      if (token === null) return null
      const key = hash('sha256', token, 'base64url')
      const known = verified.get(key)
      if (known && known.endsAt > Date.now()) return known.caller
      verified.delete(key)
      const read = await verifyIdToken(keys, issuer, token)
      if (verified.size >= remembered) verified.delete(verified.keys().next().value!)
      verified.set(key, read)
      return read.caller
    } catch (error) {
      // Signing in again and renewing stand on credentials of their own: a stale token beside them must not block them.
      if (error instanceof Refusal && request.url.startsWith('/identity/')) return null
      throw error
    }
  }
}

// Another scheme (a gateway's own password, say) is not for us; an empty or broken bearer is a session that ended.
const bearerOf = (header: string | undefined): string | null => {
  if (header === undefined || !/^bearer\b/i.test(header)) return null
  const token = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header)?.[1]
  if (token === undefined) throw refusal('session.ended')
  return token
}
