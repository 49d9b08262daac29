import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import pg from 'pg'
import { Refusal, refusal } from '@clear-to-post/contract/errors'
import { liveEvents, type LiveEvents } from '@clear-to-post/contract/live'
import { reachesTenant, hasDuty } from '@clear-to-post/domain/roles'
import type { Caller } from '../kernel/database.ts'
import { NetworkPlaces } from '../kernel/network-counter.ts'
import type { ConnectionLimits } from './connections.ts'

/** Whom something concerns that the database tells: a person, and the staff of a tenant. */
type Concerned = { userId: string; tenantId?: string | null }
type Listener = {
  caller: Caller
  send: (name: keyof LiveEvents, data: LiveEvents[keyof LiveEvents]) => void
  close: () => void
  /** Asks once more whether the session counts, and closes when it does not. */
  recheck: () => Promise<void>
}

/** The hub of one server: hears what the database tells on commit and passes it to the people concerned. */
export type Live = { listeners: Set<Listener>; close: () => Promise<void> }

/** Streams that one person has open: more than anybody has tabs and devices. Past it the oldest one is closed. */
export const mostOfOnePerson = 20
/** Streams that one server holds. */
const mostStreams = 10_000
/** Bytes that wait for a reader who does not read; past it the line is cut, and a living page comes back. */
const mostUnread = 256 * 1024

/** How long it may take to say goodbye. */
const patienceOfClosingMs = 2_000

/**
 * Listens on the database; a lost connection comes back by itself, and every page is told to look again.
 * `patienceMs`: how long the database may take to let us in, and then to begin to listen for us.
 */
export const openLive = (appUrl: string, { patienceMs = 10_000 } = {}): Live => {
  const listeners = new Set<Listener>()
  let client: pg.Client | undefined
  let socket: Socket | undefined
  let closed = false
  let waiting: NodeJS.Timeout | undefined

  const connect = async () => {
    client = new pg.Client({
      connectionString: appUrl,
      keepAlive: true,
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      stream: () => (socket = new Socket()),
    })
    client.on('error', () => {})
    client.on('end', again)
    client.on('notification', ({ payload }) => {
      const { type, ...told } = JSON.parse(payload!) as Concerned & { type: keyof LiveEvents | 'account' }
      // Whose role, company or right to be here changed opens the next stream with what they are now, or does not.
      if (type === 'account') {
        for (const one of listeners) if (one.caller.id === told.userId) one.close()
        return
      }
      const read = eventOf(type, told)
      for (const one of listeners) if (concerns(one.caller, told, read.name, read.data)) one.send(read.name, read.data)
    })
    await client.connect()
    await client.query('listen live')
    // What happened while nobody listened is not known: pages read again, and whose session ended meanwhile is asked.
    for (const one of listeners) one.send('again', {})
    for (const one of listeners) await one.recheck()
  }
  const again = () => {
    if (closed || waiting) return
    waiting = setTimeout(() => {
      waiting = undefined
      begin()
    }, 1000)
  }
  // A connection on which listening failed would hear nothing, and for ever.
  const begin = () =>
    connect().catch(() => {
      socket?.destroy()
      again()
    })
  begin()
  return {
    listeners,
    close: async () => {
      closed = true
      clearTimeout(waiting)
      for (const one of listeners) one.close()
      if (!client) return
      // A database that hangs does not answer a farewell either.
      const late = setTimeout(() => socket?.destroy(), patienceOfClosingMs)
      await client.end().catch(() => {})
      clearTimeout(late)
    },
  }
}

/** `GET /api/events`: the events of contract/src/live.ts, each to whom it concerns. */
export const mountLive = (
  app: FastifyInstance,
  {
    live,
    authenticate,
    connections: { perNetwork, total },
  }: {
    live: Live
    authenticate: (request: FastifyRequest) => Promise<Caller | null>
    /** Behind a proxy the streams are all that is known of who holds connections. */
    connections: ConnectionLimits
  },
): void => {
  const places = new NetworkPlaces({ most: perNetwork, total })
  // A stopping server still answers for a moment (protocol.ts): a stream that was opened in it ends with it.
  app.addHook('preClose', async () => {
    for (const one of live.listeners) one.close()
  })
  app.get('/api/events', { exposeHeadRoute: false }, async (request, reply) => {
    const caller = await authenticate(request)
    if (!caller) throw refusal('session.required')
    if (live.listeners.size >= mostStreams) throw refusal('service.unavailable')
    const giveBack = places.take(request.ip)
    if (!giveBack) throw refusal('service.crowded')
    const out = reply.raw
    let beat: NodeJS.Timeout | undefined
    let life: NodeJS.Timeout | undefined
    const leave = () => {
      clearInterval(beat)
      clearTimeout(life)
      if (live.listeners.delete(listener)) giveBack()
    }
    const write = (text: string) => {
      if (!out.headersSent || out.writableEnded) return
      out.write(text)
      if (out.writableLength > mostUnread) out.destroy()
    }
    let id = Date.now()
    const listener: Listener = {
      caller,
      send: (name, data) => write(`id: ${id++}\nevent: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`),
      close: () => {
        leave()
        if (out.headersSent) out.end()
      },
      recheck: () =>
        authenticate(request).then(
          () => {},
          (error: unknown) => {
            if (error instanceof Refusal && error.kind === 'unauthorized') listener.close()
          },
        ),
    }
    live.listeners.add(listener)
    // A session that ended between the question and the listening was not heard of: the question is asked once more.
    try {
      await authenticate(request)
    } catch (error) {
      leave()
      throw error
    }
    if (!live.listeners.has(listener)) throw refusal('session.ended')
    reply.hijack()
    out.on('close', leave)
    if (out.destroyed) return leave()
    out.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': request.id,
    })
    beat = setInterval(() => write(': still here\n\n'), 20_000)
    // A stream does not outlive the session it was opened with; the page opens the next with its fresh token.
    life = setTimeout(listener.close, 15 * 60_000)
    write('retry: 2000\n\n')
    listener.send('again', {})
    closeOldest(live, caller.id)
  })
}

// A set keeps its order: the oldest come first.
const closeOldest = ({ listeners }: Live, personId: string): void => {
  const own = [...listeners].filter(({ caller }) => caller.id === personId)
  for (const one of own.slice(0, Math.max(0, own.length - mostOfOnePerson))) {
    one.send('full', {})
    one.close()
  }
}

// A newer release that shares the database may tell what this one does not know: its pages then read again.
const eventOf = (
  type: keyof LiveEvents,
  told: unknown,
): { name: keyof LiveEvents; data: LiveEvents[keyof LiveEvents] } => {
  const read = Object.hasOwn(liveEvents, type) ? liveEvents[type].safeParse(told) : undefined
  return read?.success ? { name: type, data: read.data } : { name: 'again', data: {} }
}

const concerns = (
  caller: Caller,
  { userId, tenantId }: Concerned,
  name: keyof LiveEvents,
  data: LiveEvents[keyof LiveEvents],
): boolean => {
  if (userId === caller.id) return true
  // Somebody's inbox is theirs, and so is a file that belongs to no project yet.
  if (name === 'notification' || ('projectId' in data && data.projectId === null)) return false
  return hasDuty(caller.role, 'serve') && reachesTenant(caller, tenantId ?? null)
}
