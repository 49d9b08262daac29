import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '@clear-to-post/contract/errors'
import { Held, type Holding } from './held.ts'

/** How long the server waits for the other side, in milliseconds, and how much of its memory may lie there meanwhile. */
export type Timeouts = {
  /** From the start of a connection or request to the end of its headers. */
  headersMs: number
  /** From the end of the headers to the end of a body. */
  bodyMs: number
  /** A route whose `bodyTakes` is `long` has no such end: at least `uploadBytes` must come in each of these. */
  uploadMs: number
  uploadBytes: number
  /** How long an answer may wait for its reader to take a further byte. */
  readMs: number
  /** How often all of this is checked. */
  checkMs: number
  /** Bytes of bodies and answers that wait for the other side, of everybody together (see held.ts). */
  heldBytes: number
}

export const defaultTimeouts: Timeouts = {
  headersMs: 15_000,
  bodyMs: 30_000,
  // 1 KiB a second: a phone at the edge of its network still gets through.
  uploadMs: 60_000,
  uploadBytes: 60 * 1024,
  // A paused video reads nothing for a while; its browser asks for the rest again.
  readMs: 5 * 60_000,
  checkMs: 1000,
  // A quarter of what deploy/helm/values.yaml gives an api.
  heldBytes: 384 * 1024 * 1024,
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `long`: a body without a size to speak of, which only has to go on coming. */
    bodyTakes?: 'long'
  }
  interface FastifyReply {
    /** Bytes that lie in memory until a stream that is answered was read, beside what is read ahead of it. */
    keptBytes: number
    /** For whoever writes to `raw` (`hijack`): so many bytes lie in memory for its reader from now on. */
    holds: (bytes: number) => void
  }
}

/**
 * Ends requests whose body drips and answers that nobody reads, on every route and on addresses that are none. A slow body
 * is refused with `request.too-slow` (408) and its connection closed; an upload's connection is cut, for its sender
 * resumes. Time in which the server itself does not read is not the sender's. Headers are Node's `headersTimeout`.
 *
 * Past `heldBytes` lines are cut as held.ts says, whoever waits there asks again.
 */
export const limitTimes = (app: FastifyInstance, timeouts: Timeouts): void => {
  const open = new Set<Exchange>()
  const held = new Held<Socket>(timeouts.heldBytes)
  const hold = (exchange: Exchange, bytes: number) => {
    for (const line of held.hold(exchange, bytes)) line.destroy()
  }
  app.decorateReply('keptBytes', 0)
  const exchanges = new WeakMap<FastifyRequest, Exchange>()
  app.decorateReply('holds', function (bytes) {
    const exchange = exchanges.get(this.request)
    // Whoever has left is not heard to close.
    if (exchange && !exchange.socket.destroyed && !this.raw.closed) hold(exchange, bytes)
  })
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    const { socket } = raw
    // An injected request has no connection.
    if (!(socket instanceof Socket)) return done()
    const hasBody = announcesBody(request)
    const now = performance.now()
    const exchange: Exchange = {
      socket,
      request,
      reply,
      hasBody,
      answered: false,
      bodySince: now,
      bodyAt: 0,
      readSince: now,
      readAt: 0,
      // A line that was reset has no address.
      ip: request.ip ?? '',
      bytes: 0,
      get since() {
        return reply.raw.headersSent ? this.readSince : this.bodySince
      },
    }
    open.add(exchange)
    exchanges.set(request, exchange)
    hold(exchange, bytesOfBody(request))
    reply.raw.once('close', () => {
      hold(exchange, 0)
      // What is answered before its body has come still holds the line.
      if (!hasBody || raw.complete) open.delete(exchange)
    })
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.holds(requestItself + bytesOfBody(request) + bytesOfAnswer(reply, payload))
    done(null, payload)
  })
  const check = setInterval(() => {
    const now = performance.now()
    for (const exchange of open) {
      const { socket, request, reply } = exchange
      if (socket.destroyed || (reply.raw.closed && request.raw.complete)) {
        open.delete(exchange)
        // An answer behind others on a line is not told that it closed.
        hold(exchange, 0)
      } else {
        checkBody(exchange, now, timeouts)
        checkReader(exchange, now, timeouts)
      }
    }
  }, timeouts.checkMs).unref()
  app.addHook('onClose', async () => clearInterval(check))
}

/** Does a body come behind these headers? Of any method: what sends one holds its connection until it has come. */
export const announcesBody = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** What a body may take of memory while it comes: of a long one nothing, for that goes on as it comes. */
const bytesOfBody = ({ headers, routeOptions }: FastifyRequest): number => {
  const { bodyLimit = 0, config } = routeOptions
  if (config?.bodyTakes === 'long') return 0
  return headers['transfer-encoding'] === undefined
    ? Math.min(bodyLimit, Number(headers['content-length'] ?? 0))
    : bodyLimit
}

/** What an answer takes of memory until it was read, before any packing. Of a stream it is what is read ahead. */
const bytesOfAnswer = (reply: FastifyReply, payload: unknown): number => {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return Buffer.byteLength(payload)
  if (!payload) return 0
  return reply.keptBytes + Math.min(readAhead, Number(reply.getHeader('content-length') ?? readAhead))
}
const readAhead = 256 * 1024
/** What a request takes beside its body while its answer waits: headers of 16 KiB at most, and the objects about it. */
const requestItself = 32 * 1024

/** A request and its answer. `…Since`: when its side last went on; `…At`: the bytes that had passed then. */
type Exchange = Holding<Socket> & {
  /** Kept here, for Node takes it away from a request that is destroyed. */
  socket: Socket
  request: FastifyRequest
  reply: FastifyReply
  hasBody: boolean
  answered: boolean
  bodySince: number
  bodyAt: number
  readSince: number
  readAt: number
}

const checkBody = (exchange: Exchange, now: number, { bodyMs, uploadMs, uploadBytes }: Timeouts): void => {
  const { socket, request, reply, hasBody } = exchange
  const { raw } = request
  if (!hasBody || raw.complete) return
  // What still comes after its answer is read for a while, so that its sender comes to read that answer.
  if (reply.raw.writableEnded && !exchange.answered) {
    exchange.answered = true
    exchange.bodySince = now
  }
  const isLong = request.routeOptions.config?.bodyTakes === 'long' && !exchange.answered
  // Bytes lie here unread: the server lets the sender wait. Once it has begun to answer it wants no more of them.
  if (raw.readableLength > 0 && !reply.raw.headersSent) {
    exchange.bodySince = now
    exchange.bodyAt = socket.bytesRead
    return
  }
  if (!isLong) {
    if (now - exchange.bodySince < bodyMs) return
    // Whoever reads the body (Fastify's parsers) ends with this error, and the line still takes its answer.
    if (!reply.raw.headersSent && raw.listenerCount('error') > 0) raw.emit('error', refusal('request.too-slow'))
    else socket.destroy()
    return
  }
  if (socket.bytesRead - exchange.bodyAt >= uploadBytes) {
    exchange.bodySince = now
    exchange.bodyAt = socket.bytesRead
  } else if (now - exchange.bodySince >= uploadMs) socket.destroy()
}

const checkReader = (exchange: Exchange, now: number, { readMs }: Timeouts): void => {
  const { socket } = exchange
  const taken = takenOf(socket)
  if (socket.writableLength === 0 || taken !== exchange.readAt) {
    exchange.readSince = now
    exchange.readAt = taken
  } else if (now - exchange.readSince >= readMs) socket.destroy()
}

// Bytes that have left for the other side: those handed to the line without those that still wait in it.
const takenOf = (socket: Socket): number => socket.bytesWritten - socket.writableLength
