import type { FastifyInstance } from 'fastify'
import { refusal } from '@clear-to-post/contract/errors'
import { calendarBehind } from '../calendar/actions.ts'
import type { Database } from '../kernel/database.ts'

/**
 * Calendars at /calendar/{secret}.ics, for programs that cannot sign in. The secret is the permission: it stands in no log
 * (`loggedAddress`), and a wrong one looks like no page at all.
 */
export const mountCalendar = (
  app: FastifyInstance,
  { database, publicUrl, limits }: { database: Database; publicUrl: string; limits: boolean },
): void => {
  app.get<{ Params: { secret: string } }>(
    '/calendar/:secret',
    // One address of Google's or Outlook's asks for many people.
    limits ? { config: { rateLimit: { max: 600, timeWindow: '1 minute' } } } : {},
    async (request, reply) => {
      const secret = /^([\w-]{43})\.ics$/.exec(request.params.secret)?.[1]
      const feed = secret && (await database.asSystem((tx) => calendarBehind(tx, secret, publicUrl, new Date())))
      if (!feed) throw refusal('calendar.not-found')
      const tag = `"${feed.tag}"`
      reply.headers({ etag: tag, 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
      // Compression on the way makes a tag a weak one.
      const known = request.headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''))
      if (known?.includes(tag) || known?.includes('*')) return reply.code(304).send()
      return reply
        .headers({
          'content-type': 'text/calendar; charset=utf-8',
          'content-disposition': 'inline; filename="clear-to-post.ics"',
        })
        .send(feed.write())
    },
  )
}
