import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { refusal } from '@clear-to-post/contract/errors'
import { networkOf } from '../kernel/network.ts'

/** How many connections are served at once. */
export type ConnectionLimits = {
  total: number
  /** From one network (see network.ts). An office of a thousand people is one, each with a live stream. */
  perNetwork: number
  /** What comes above is answered with a refusal and closed; above this many more it is closed unheard. */
  refused: number
}

/** What this process can bear: each connection may hold a file beside itself, and the rest needs some, too. */
export const defaultConnectionLimits = (): ConnectionLimits => {
  const total = Math.min(4000, Math.max(50, Math.floor((mostOpenFiles() - 300) / 2)))
  return { total, perNetwork: Math.min(1500, total), refused: Math.floor(total / 10) }
}

/**
 * Bounds open connections. One too many is answered 503 with Retry-After (`service.crowded`), whatever it asks but
 * `/health`, and closed; one that asks nothing is closed after `patienceMs`. Behind a proxy (`isProxied`) every connection
 * comes from one network, so only the total counts.
 */
export const limitConnections = (
  app: FastifyInstance,
  { total, perNetwork, refused }: ConnectionLimits,
  { isProxied, patienceMs = 5000 }: { isProxied: boolean; patienceMs?: number },
): void => {
  const served = new Map<string, number>()
  let all = 0
  const crowded = new Set<Socket>()
  app.server.on('connection', (line: Socket) => {
    const network = networkOf(line.remoteAddress ?? '')
    const here = served.get(network) ?? 0
    if (all >= total || (!isProxied && here >= perNetwork)) {
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
    served.set(network, here + 1)
    line.once('close', () => {
      all--
      const left = served.get(network)! - 1
      if (left === 0) served.delete(network)
      else served.set(network, left)
    })
  })
  app.addHook('onRequest', async (request, reply) => {
    if (!crowded.has(request.raw.socket) || request.url.startsWith('/health/')) return
    reply.headers({ connection: 'close', 'retry-after': '10' })
    throw refusal('service.crowded')
  })
}

const mostOpenFiles = (): number => {
  try {
    return Number(
      /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.MAX_SAFE_INTEGER,
    )
  } catch {
    return 4096
  }
}
