import { createHash } from 'node:crypto'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { needsFreshSignIn, type CallReply, type CallRequest, type CallShape } from '@clear-to-post/contract/call'
import { Refusal, refusal } from '@clear-to-post/contract/errors'
import { scopeOf } from '@clear-to-post/contract/scope'
import { largeAnswer, mostKept } from '@clear-to-post/domain/most-kept'
import { mayEver } from '@clear-to-post/domain/access'
import { sql, systemCaller, type Caller, type Database, type Reader, type Tx } from './database.ts'
import { readBy } from './errors.ts'
import { requireScope, type ReadKey } from './key.ts'
import { isOurPage } from './network.ts'
import type { RequireWritable } from './written.ts'

/** What a handler is given beside its input. */
export type Context = {
  caller: Caller
  tx: Tx
  /** The request's own moment: rules and rows of one request agree on it. */
  now: Date
  requestId: string
  log: FastifyBaseLogger
  request: FastifyRequest
}

/** For the few calls that keep their own transactions and speak HTTP themselves, such as sign-in and its cookie. */
export type OpenContext = Omit<Context, 'tx' | 'caller'> & {
  caller: Caller | null
  database: Database
  reply: FastifyReply
}

/** For calls that only read. */
export type ReadContext = Omit<Context, 'tx'> & { tx: Reader }

export type Mounted = {
  shape: CallShape
  handleRead?: (input: CallRequest<CallShape>, context: ReadContext) => Promise<unknown>
  handle?: (input: CallRequest<CallShape>, context: Context) => Promise<unknown>
  handleOpen?: (input: CallRequest<CallShape>, context: OpenContext) => Promise<unknown>
}

/** Binds a call to its handler, which runs in one transaction as the caller; all of it happens or nothing. */
export const on = <C extends CallShape>(
  shape: C,
  handle: (input: CallRequest<C>, context: Context) => Promise<CallReply<C>>,
): Mounted => ({ shape, handle: handle as Mounted['handle'] & {} })

/**
 * Binds a call that only reads: its statements need no transaction around them. It asks for no verified address and no fresh
 * sign-in: `mount` throws for a call that is declared with either.
 */
export const onRead = <C extends CallShape & { method: 'GET' }>(
  shape: C,
  handleRead: (input: CallRequest<C>, context: ReadContext) => Promise<CallReply<C>>,
): Mounted => ({ shape, handleRead: handleRead as Mounted['handleRead'] & {} })

/** Binds a call that opens its own transactions (`unrecorded` calls only). */
export const onOpen = <C extends CallShape & { unrecorded: true }>(
  shape: C,
  handleOpen: (input: CallRequest<C>, context: OpenContext) => Promise<CallReply<C>>,
): Mounted => ({ shape, handleOpen: handleOpen as Mounted['handleOpen'] & {} })

/** Whether a stranger tries something by it: a password, a code, a way in. */
const isTry = (shape: CallShape): boolean =>
  shape.access === 'anyone' && shape.method !== 'GET' && !('neverFails' in shape)

/**
 * Whether pages of other sites may not send it: nothing of their visitor's goes with a call that anyone may make, but it would
 * count as theirs, and could sign them in as somebody else. A form that stands on other sites is read all the same.
 */
const isForOurPages = (shape: CallShape): boolean => shape.access === 'anyone' && shape.method !== 'GET' && !shape.form

/** Whether its body is of a type that this call reads: what a page of another site may send unasked is not. */
const takes = (shape: CallShape, { headers }: FastifyRequest): boolean => {
  // As the parser reads it: without regard to case.
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';')
  if (type.trim() === 'application/x-www-form-urlencoded') return shape.form === true
  return type.trim() !== 'text/plain' || 'neverFails' in shape
}

/** Bytes of a body at most, by a call that is open to anyone and by one for people who are signed in. */
export const strangersBytes = 128 * 1024
const peoplesBytes = 1024 * 1024

export type MountOptions = {
  database: Database
  /** Who calls, for calls that open their own transactions, or none: the database has said that the session counts. */
  authenticate: (request: FastifyRequest) => Promise<Caller | null>
  /** The same from the token alone, for calls whose transaction asks the database when it begins. */
  readToken: (request: FastifyRequest) => Promise<Caller | null>
  /** Who calls by a key for programs; null for a request that carries none (kernel/key.ts). */
  readKey: ReadKey
  /** Throws `session.not-fresh` unless this caller is shown to be at their device now. */
  requireFresh: (tx: Tx, request: FastifyRequest, caller: Caller) => Promise<void>
  /** Throws for what somebody who is signed in may not write now, whatever it is (kernel/written.ts). */
  requireWritable: RequireWritable
  /** Throws `request.too-many` for a person who was answered as much as one person is in a minute (kernel/answered.ts). */
  requireReadable: (caller: Caller) => void
  /** Whether `perMinute` limits count; a load test of our own turns them off. */
  limits: boolean
  /** The origin that people type. */
  publicUrl: string
}

/**
 * Mounts calls: session → access (before the body is read) → zod in → handler → zod out. Throws for a call whose binding
 * would leave out a check that it declares.
 */
export const mount = (app: FastifyInstance, calls: readonly Mounted[], options: MountOptions): void => {
  for (const { shape, handle, handleRead, handleOpen } of calls) {
    const whoCalls = async (request: FastifyRequest, reply: FastifyReply): Promise<Caller | null> => {
      const byKey = await options.readKey(request, reply)
      if (byKey === null) return (handleOpen ? options.authenticate : options.readToken)(request)
      requireScope(byKey.key!, scopeOf(shape, byKey.key))
      return byKey
    }
    if (handleRead && (shape.needsVerifiedAddress !== undefined || shape.needsFreshSignIn !== undefined))
      throw new Error(
        `${shape.method} ${shape.path} needs a verified address or a fresh sign-in, which onRead does not ask for: bind it by on`,
      )
    app.route({
      method: shape.method,
      url: (shape.base ?? '/api') + shape.path,
      bodyLimit: shape.access === 'anyone' ? strangersBytes : peoplesBytes,
      ...(shape.perMinute && options.limits
        ? { config: { rateLimit: { max: shape.perMinute, timeWindow: '1 minute', isTry: isTry(shape) } } }
        : {}),
      ...('neverFails' in shape
        ? {
            errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
              request.log.debug({ err: error }, 'left out')
              return reply.code(200).send(shape.neverFails)
            },
          }
        : {}),
      onRequest: async (request, reply) => {
        if (isForOurPages(shape) && !isOurPage(request, options.publicUrl)) throw refusal('request.other-site')
        const caller = await whoCalls(request, reply).catch((error: unknown) => {
          if ('neverFails' in shape) return null
          // Signing in again and renewing stand on credentials of their own: a stale token beside them must not block them.
          if (shape.base === '/identity' && shape.access === 'anyone' && error instanceof Refusal) return null
          throw error
        })
        if (shape.access !== 'anyone') {
          if (!caller) throw refusal('session.required')
          if (shape.access !== 'signed-in' && !mayEver(caller.role, shape.access)) throw refusal('access.forbidden')
        }
        if (!('neverFails' in shape)) await options.requireWritable(shape, caller, announced(request))
        if (caller) options.requireReadable(caller)
        request.caller = caller
        if (!takes(shape, request)) throw refusal('request.wrong-type')
      },
      handler: async (request, reply) => {
        const input = readInput(shape, request)
        const common = { now: new Date(), requestId: request.id, log: request.log, request }
        reply.code(isMaking(shape, input) ? 201 : 200)
        if (handleOpen) {
          const { caller } = request
          if (caller && shape.needsVerifiedAddress) await options.database.readOnly(caller, requireVerifiedAddress)
          if (caller && needsFreshSignIn(shape, input.body))
            await options.database.inTenant(caller, (tx) => options.requireFresh(tx, request, caller))
          const answer = await handleOpen(input, {
            ...common,
            caller,
            database: options.database,
            reply,
          })
          return answerBy(shape, answer)
        }
        const caller = request.caller ?? systemCaller
        if (handleRead)
          return options.database.readOnly(caller, async (tx) =>
            answerBy(shape, await handleRead(input, { ...common, caller, tx })),
          )
        const write = async (tx: Tx) => {
          if (shape.needsVerifiedAddress) await requireVerifiedAddress(tx)
          if (needsFreshSignIn(shape, input.body)) await options.requireFresh(tx, request, caller)
          // After the checks: what was answered to a request is told again only to who may make it now.
          const replayed = isRecorded(shape, request) ? await claimRequest(tx, caller, request, input) : null
          if (replayed) {
            reply.code(replayed.status)
            return replayed.answer
          }
          const answer = answerBy(shape, await handle!(input, { ...common, caller, tx }))
          if (isRecorded(shape, request)) await recordAnswer(tx, caller, request.id, reply.statusCode, answer)
          return answer
        }
        return options.database.inTenant(caller, write)
      },
    })
  }
}

// Whoever has no session yet, because a factor is demanded first, is nobody here.
const requireVerifiedAddress = async (tx: Reader): Promise<void> => {
  if (await tx.first(sql`select from person where id = actor_id() and email_verified_at is null`))
    throw refusal('account.unverified')
}

const readInput = (shape: CallShape, request: FastifyRequest): CallRequest<CallShape> => ({
  params: readBy(shape.params ?? nothing, shape.params ? request.params : {}, 'params') as never,
  query: readBy(shape.query ?? nothing, request.query, 'query') as never,
  body: (shape.body
    ? readBy(shape.body, request.body ?? undefined, 'body')
    : readBy(nothing, request.body ?? {}, 'body')) as never,
})
const nothing = z.strictObject({})

// What leaves is what the contract says, whatever the handler returned: a field too many never gets out.
const answerBy = (shape: CallShape, reply: unknown): unknown => {
  const read = shape.returns.safeParse(reply)
  if (!read.success)
    throw new Error(`${shape.method} ${shape.path} answers what it does not declare: ${read.error.message}`)
  return read.data
}

/** Bytes of the body that comes; as many as are let in where it does not say. */
const announced = ({ headers }: FastifyRequest): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : peoplesBytes

const isMaking = ({ creates }: CallShape, { body }: CallRequest<CallShape>): boolean =>
  creates === true || (creates === 'without-id' && (body as { id?: string }).id === undefined)

const isRecorded = (shape: CallShape, request: FastifyRequest): boolean =>
  request.sentRequestId && request.caller !== null && shape.method !== 'GET' && !shape.unrecorded

/**
 * Claims this request id for its caller, in the transaction that will do the work. A parallel repeat waits here until the
 * first one ends, then answers what the first answered.
 */
const claimRequest = async (tx: Tx, caller: Caller, request: FastifyRequest, input: unknown) => {
  const digest = createHash('sha256')
    .update(`${request.method} ${request.url}\n${JSON.stringify(input)}`)
    .digest()
  const claimed = await tx.count(sql`
    insert into answered_request (actor_id, request_id, digest) values (${caller.id}, ${request.id}, ${digest})
    on conflict do nothing`)
  if (claimed === 1) return null
  const first = await tx.first(sql<{ digest: Buffer; status: number | null; answer: unknown }>`
    select digest, status, answer from answered_request where actor_id = ${caller.id} and request_id = ${request.id}`)
  if (!first || first.status === null) throw refusal('request.id-running')
  if (!first.digest.equals(digest)) throw refusal('request.id-reused')
  return { status: first.status, answer: first.answer }
}

const recordAnswer = async (tx: Tx, caller: Caller, requestId: string, status: number, answer: unknown) => {
  const text = JSON.stringify(answer)
  if (Buffer.byteLength(text) > largeAnswer) {
    const { bytes } = (await tx.first(sql<{ bytes: number }>`
      select coalesce(sum(pg_column_size(answer)), 0)::float8 as bytes from answered_request where actor_id = ${caller.id}`))!
    if (bytes > mostKept.answerBytes)
      throw refusal('request.too-many', 'You wrote as much as we keep for one person a day. Go on tomorrow.')
  }
  await tx.count(sql`
    update answered_request set status = ${status}, answer = ${text}
    where actor_id = ${caller.id} and request_id = ${requestId}`)
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    /** Whether the request id came from the client; only such ids are remembered. */
    sentRequestId: boolean
  }
}
