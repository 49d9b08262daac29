import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { refusal, tooMany } from '@clear-to-post/contract/errors'
import { keyCallsPerMinute } from '@clear-to-post/domain/most-kept'
import { needsSecondFactor, type SecondFactorPolicy } from '@clear-to-post/domain/second-factor'
import { askAs, askAsStranger } from '../kernel/asker.ts'
import { systemCaller, type Caller, type Database, type Reader } from '../kernel/database.ts'
import { keyOf, type ReadKey } from '../kernel/key.ts'
import { NetworkCounter } from '../kernel/network-counter.ts'
import { findHolder, noteUse, type KeyHolder } from './store.ts'

/**
 * Reads keys for programs (kernel/key.ts). The database is asked each time, so a key that was revoked is refused at the
 * next call. A key makes `keyCallsPerMinute` calls in a minute, and every answer says how many are left.
 */
export const openApiKeys = ({
  database,
  secondFactor,
  limits,
  now = Date.now,
  counter = () => new NetworkCounter(),
}: {
  database: Database
  /** What the service demands: a key is no way around it. */
  secondFactor: SecondFactorPolicy
  limits: boolean
  now?: () => number
  /** A counter by its name, which all hosts give it. */
  counter?: (name: string) => NetworkCounter
}): ReadKey => {
  const [calls, unknown] = [counter('calls by keys'), counter('keys that are none')]
  const windowMs = 60_000
  return async (request, reply) => {
    const key = keyOf(request)
    if (key === null) return null
    // Whoever makes keys up waits behind themselves, and takes nobody's connection, nor the turn of who signs in beside them.
    askAsStranger('keys from', request.ip)
    const holder = await database.readOnly(systemCaller, (tx) => findHolder(tx, { hash: hashOf(key) }))
    if (!holder) {
      // Nobody guesses 256 bits; this says how fast anybody may be wrong.
      const tries = unknown.count(request.ip, { most: keyCallsPerMinute, windowMs, now: now() })
      if (limits && tries.current > keyCallsPerMinute) throw tooMany(tries.ttl)
      throw refusal('api-key.ended')
    }
    const { current, ttl } = calls.count(holder.id, { most: keyCallsPerMinute, windowMs, now: now() })
    sayLimit(reply, keyCallsPerMinute - current, ttl)
    if (limits && current > keyCallsPerMinute) throw tooMany(ttl)
    const caller = callerBy(holder, secondFactor)
    askAs(caller)
    if (holder.is_use_old) await database.asSystem((tx) => noteUse(tx, holder.id))
    return caller
  }
}

/** Who calls by a key that was read before, as it stands now; as the service. Throws `api-key.ended`. */
export const callerByKey = async (tx: Reader, id: string, policy: SecondFactorPolicy): Promise<Caller> => {
  const holder = await findHolder(tx, { id })
  if (!holder) throw refusal('api-key.ended')
  return callerBy(holder, policy)
}

/** Throws `api-key.ended` while a good key waits for a second factor that is demanded. */
const callerBy = (holder: KeyHolder, policy: SecondFactorPolicy): Caller => {
  const { role, tenant_demands: tenantDemands, has_factor: hasFactor, is_company: isCompanys } = holder
  if (needsSecondFactor(policy, { role, tenantDemands }) && !hasFactor)
    throw refusal('api-key.ended', isCompanys ? waitsForAdmin : waitsForFactor)
  return {
    id: holder.person_id,
    role,
    tenantId: holder.tenant_id,
    securityStamp: holder.security_stamp,
    key: { id: holder.id, scopes: holder.scopes, isCompanys },
  }
}

const waitsForFactor =
  'This API key waits for a second factor of its owner’s. Sign in to the panel and set one up: then the key goes on.'

const waitsForAdmin =
  'This API key waits for a second factor of an admin of its company. One of them sets it up in the panel: then the key goes on.'

// As the IETF's draft writes them (draft-ietf-httpapi-ratelimit-headers).
const sayLimit = (reply: FastifyReply, left: number, ttlMs: number): void => {
  reply.headers({
    'ratelimit-policy': `"key";q=${keyCallsPerMinute};w=60`,
    ratelimit: `"key";r=${Math.max(0, left)};t=${Math.ceil(ttlMs / 1000)}`,
  })
}

/** 256 random bits need no salt and no slow hash. */
export const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()
