import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '@clear-to-post/contract/errors'
import type { Scope } from '@clear-to-post/domain/scopes'
import type { Caller } from './database.ts'

/**
 * Who calls by a key for programs; null for a request that carries none. Says in the reply's headers how many calls the key
 * has left. Throws `api-key.ended` for a key that is not good, and `request.too-many`.
 */
export type ReadKey = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller | null>

/** Throws `api-key.scope` unless the key is allowed `scope`; null is allowed to none. */
export const requireScope = ({ scopes }: NonNullable<Caller['key']>, scope: Scope | null): void => {
  if (scope === null || !scopes.includes(scope)) throw refusal('api-key.scope')
}

/** The key that a request carries, whether it is good or not; null for any other kind of credential, and none. */
export const keyOf = ({ headers: { authorization } }: FastifyRequest): string | null =>
  /^bearer +(ctp_[\w-]{1,100}) *$/i.exec(authorization ?? '')?.[1] ?? null
