import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '@clear-to-post/contract/errors'
import { NetworkPlaces } from '../kernel/network-counter.ts'
import { announcesBody } from './timeouts.ts'

/** How many connections are served at once. */
export type ConnectionLimits = {
  total: number
  /**
   * From one network (see network.ts), and as many from a wider net, or a quarter of all. An office of a thousand people is
   * one, each with a live stream. Behind a proxy: requests that are under way, beside as many live streams (live.ts).
   */
  perNetwork: number
  /** What comes above is answered with a refusal and closed; above this many more it is closed unheard. */
  refused: number
}

/** What a process that may open so many files can bear: each request may hold one beside its connection's, and the rest needs some, too. */
export const defaultConnectionLimits = (files = mostOpenFiles()): ConnectionLimits => {
  const total = Math.min(4000, Math.max(50, Math.floor((files - 300) / (1 + mostUnderWay))))
  return { total, perNetwork: Math.min(1500, Math.floor((total * 3) / 8)), refused: Math.floor(total / 10) }
}

/**
 * Bounds open connections. One too many is answered 503 with Retry-After (`service.crowded`), whatever it asks but
 * `/health` without a body, and closed; one that asks nothing is closed after `patienceMs`. Behind a proxy (`isProxied`) every connection
 * comes from one network: there the requests under way are counted, by whose they are. A connection that sends many
 * requests without waiting for answers is closed.
 */
export const limitConnections = (
  app: FastifyInstance,
  { total, perNetwork, refused }: ConnectionLimits,
  { isProxied, patienceMs = 5000 }: { isProxied: boolean; patienceMs?: number },
): void => {
  const places = new NetworkPlaces({ most: isProxied ? total : perNetwork, total })
  let all = 0
  const crowded = new Set<Socket>()
  app.server.on('connection', (line: Socket) => {
    const giveBack = all < total ? places.take(line.remoteAddress ?? '') : null
    if (!giveBack) {
      if (crowded.size >= refused) return void line.destroy()
      crowded.add(line)
      const patience = setTimeout(() => line.destroy(), patienceMs).unref()
      line.once('close', () => {
        clearTimeout(patience)
        crowded.delete(line)
      })
      return
    }
    all++
    line.once('close', () => {
      all--
      giveBack()
    })
  })
  // No browser sends a request before the last one is answered. One that comes before that one is over here is answered all the same.
  const underWay = new WeakMap<Socket, number>()
  app.addHook('onRequest', (request, reply, done) => {
    const line = request.raw.socket
    const count = (underWay.get(line) ?? 0) + 1
    if (count > mostUnderWay) return void line.destroy()
    underWay.set(line, count)
    reply.raw.once('close', () => underWay.set(line, underWay.get(line)! - 1))
    done()
  })
  const served = new NetworkPlaces({ most: perNetwork, total })
  const isServed = (request: FastifyRequest, reply: FastifyReply): boolean => {
    // Streams have places of their own. One behind which a body comes holds its line without any, signed in or not.
    if (!isProxied || (request.routeOptions.url === '/api/events' && !announcesBody(request))) return true
    const giveBack = served.take(request.ip)
    if (giveBack) whenOver(request, reply, giveBack)
    return giveBack !== null
  }
  app.addHook('onRequest', async (request, reply) => {
    const isOfHealth = request.url.startsWith('/health/') && !announcesBody(request)
    if (isOfHealth || (!crowded.has(request.raw.socket) && isServed(request, reply))) return
    reply.headers({ connection: 'close', 'retry-after': '10' })
    throw refusal('service.crowded')
  })
}

/** Calls `done` once, when this request holds its connection no more: one that was answered may go on sending its body. */
const whenOver = ({ raw }: FastifyRequest, reply: FastifyReply, done: () => void): void => {
  const { socket } = raw
  reply.raw.once('close', () => {
    // An injected request has no connection.
    if (raw.complete || socket.destroyed || !(socket instanceof Socket)) return done()
    const end = () => {
      raw.off('end', end)
      socket.off('close', end)
      done()
    }
    raw.once('end', end)
    socket.once('close', end)
  })
}

/** Requests of one connection that are worked on at the same time; one more ends it. */
export const mostUnderWay = 2

const mostOpenFiles = (): number => {
  try {
    return Number(
      /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.MAX_SAFE_INTEGER,
    )
  } catch {
    return 4096
  }
}
