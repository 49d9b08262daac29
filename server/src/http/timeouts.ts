import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '@clear-to-post/contract/errors'

/** How long the server waits for the other side, in milliseconds. */
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
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `long`: a body without a size to speak of, which only has to go on coming. */
    bodyTakes?: 'long'
  }
}

/**
 * Ends requests whose body drips and answers that nobody reads, on every route and on addresses that are none. A slow body
 * is refused with `request.too-slow` (408) and its connection closed; an upload's connection is cut, for its sender
 * resumes. Time in which the server itself does not read is not the sender's. Headers are Node's `headersTimeout`.
 */
export const limitTimes = (app: FastifyInstance, timeouts: Timeouts): void => {
  const open = new Set<Exchange>()
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
    }
    open.add(exchange)
    reply.raw.once('close', () => {
      // What is answered before its body has come still holds the line.
      if (!hasBody || raw.complete) open.delete(exchange)
    })
    done()
  })
  const check = setInterval(() => {
    const now = performance.now()
    for (const exchange of open) {
      const { socket, request, reply } = exchange
      if (socket.destroyed || (reply.raw.closed && request.raw.complete)) open.delete(exchange)
      else {
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

/** A request and its answer. `…Since`: when its side last went on; `…At`: the bytes that had passed then. */
type Exchange = {
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
