import type { FastifyInstance, FastifyRequest } from 'fastify'
import pg from 'pg'
import { refusal } from '@clear-to-post/contract/errors'
import { reachesTenant, isStaff } from '@clear-to-post/domain/roles'
import type { Caller } from '../db/tenant.ts'

type News = {
  type: 'project' | 'asset' | 'edit' | 'render' | 'notification' | 'standing'
  userId: string
  tenantId?: string | null
  projectId?: string | null
} & Record<string, unknown>
type Listener = { caller: Caller; send: (type: string, data: unknown) => void; close: () => void }

/** The hub of one server: hears what the database tells on commit and passes it to the people concerned. */
export type Live = { listeners: Set<Listener>; close: () => Promise<void> }

/** Listens on the database; a lost connection comes back by itself, and every page is told to look again. */
export const openLive = (appUrl: string): Live => {
  const listeners = new Set<Listener>()
  let client: pg.Client | undefined
  let closed = false
  let waiting: NodeJS.Timeout | undefined

  const connect = async () => {
    client = new pg.Client({ connectionString: appUrl, keepAlive: true })
    client.on('error', () => {})
    client.on('end', again)
    client.on('notification', ({ payload }) => {
      const { userId, tenantId, ...news } = JSON.parse(payload!) as News
      // Whose role, company or right to be here changed opens the next stream with what they are now, or does not.
      if (news.type === 'standing') {
        for (const one of listeners) if (one.caller.id === userId) one.close()
        return
      }
      for (const one of listeners)
        if (concerns(one.caller, news as News, userId, tenantId)) one.send(news.type as string, news)
    })
    await client.connect()
    await client.query('listen live')
    // What happened while nobody listened is not known: pages read again.
    for (const one of listeners) one.send('again', {})
  }
  const again = () => {
    if (closed || waiting) return
    waiting = setTimeout(() => {
      waiting = undefined
      connect().catch(() => {})
    }, 1000)
  }
  connect().catch(() => again())
  return {
    listeners,
    close: async () => {
      closed = true
      clearTimeout(waiting)
      for (const one of listeners) one.close()
      await client?.end().catch(() => {})
    },
  }
}

/** `GET /api/events`: server-sent events `project`, `asset`, `edit`, `render`, `notification` and `again` (read everything anew). */
export const mountLive = (
  app: FastifyInstance,
  { live, authenticate }: { live: Live; authenticate: (request: FastifyRequest) => Promise<Caller | null> },
): void => {
  app.get('/api/events', async (request, reply) => {
    const caller = await authenticate(request)
    if (!caller) throw refusal('session.required')
    reply.hijack()
    const out = reply.raw
    out.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': request.id,
    })
    const end = () => {
      clearInterval(beat)
      clearTimeout(life)
      live.listeners.delete(listener)
      out.end()
    }
    let id = Date.now()
    const listener: Listener = {
      caller,
      send: (type, data) => out.write(`id: ${id++}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`),
      close: end,
    }
    const beat = setInterval(() => out.write(': still here\n\n'), 20_000)
    // A stream does not outlive the session it was opened with; the page opens the next with its fresh token.
    const life = setTimeout(end, 15 * 60_000)
    live.listeners.add(listener)
    out.on('close', end)
    out.write('retry: 2000\n\n')
    listener.send('again', {})
  })
}

const concerns = (
  caller: Caller,
  { type, projectId }: Pick<News, 'type' | 'projectId'>,
  userId: string,
  tenantId: string | null | undefined,
): boolean => {
  if (userId === caller.id) return true
  // Somebody's inbox is theirs, and so is a file that belongs to no project yet.
  if (type === 'notification' || (type === 'asset' && projectId === null)) return false
  return isStaff(caller.role) && reachesTenant(caller, tenantId ?? null)
}
