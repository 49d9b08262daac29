import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { refusal } from '@clear-to-post/contract/errors'
import { askAs } from '../kernel/asker.ts'
import type { Caller, Database } from '../kernel/database.ts'
import { isAlive, verifyIdToken } from './id-token.ts'
import type { Keys } from './keys.ts'

export type Authenticate = (request: FastifyRequest) => Promise<Caller | null>

/**
 * Who sends a request; null when it carries no bearer token. Both throw `session.ended` for a token that is not ours or has
 * ended. `authenticate` is for every door: it also asks the database whether the session still counts, and throws
 * `session.ended` when the person is disabled or their role has changed since. `readToken` only reads what the token says,
 * for who goes on to a transaction as that caller, which asks the very same when it begins.
 */
export const makeAuthenticate = (
  keys: Keys,
  { database, issuer, remembered = 20_000 }: { database: Database; issuer: string; remembered?: number },
): { authenticate: Authenticate; readToken: Authenticate } => {
  // Verified tokens are remembered until they end: this is on every call's path.
  const verified = new Map<string, { caller: Caller; endsAt: number }>()
  const readToken: Authenticate = async (request) => {
    const token = bearerOf(request.headers.authorization)
    if (token === null) return null
    const key = hash('sha256', token, 'base64url')
    const known = verified.get(key)
    if (known && isAlive(known.endsAt, Date.now())) {
      askAs(known.caller)
      return known.caller
    }
    verified.delete(key)
    const read = await verifyIdToken(keys, issuer, token)
    if (verified.size >= remembered) verified.delete(verified.keys().next().value!)
    verified.set(key, read)
    askAs(read.caller)
    return read.caller
  }
  return {
    readToken,
    authenticate: async (request) => {
      const caller = await readToken(request)
      if (caller)
        await database
          .readOnly(caller, async () => {})
          .catch((error: { code?: string }) => {
            throw error.code === sessionEnded ? refusal('session.ended') : error
          })
      return caller
    },
  }
}

/** What `enter` raises (migration 0001). */
const sessionEnded = 'CT401'

// Another scheme (a gateway's own password, say) is not for us; an empty or broken bearer is a session that ended.
const bearerOf = (header: string | undefined): string | null => {
  if (header === undefined || !/^bearer\b/i.test(header)) return null
  const token = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header)?.[1]
  if (token === undefined) throw refusal('session.ended')
  return token
}
