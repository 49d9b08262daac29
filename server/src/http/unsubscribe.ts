import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { kinds } from '@clear-to-post/domain/audiences'
import type { Database } from '../kernel/database.ts'
import { readUnsubscription, unsubscribe, type Unsubscription } from '../mail/actions.ts'
import { failureOf } from '../kernel/errors.ts'
import { allowStyle } from '../kernel/headers.ts'
import { plainPage, plainStyle } from '../kernel/plain-page.ts'

/**
 * `/unsubscribe?token=…`, where mails lead that somebody may do without. GET shows a button and changes nothing: mail
 * programs and scanners follow links by themselves. POST does it, without a sign-in, whatever its body says (RFC 8058).
 */
export const mountUnsubscribe = async (
  app: FastifyInstance,
  { database, limits }: { database: Database; limits: boolean },
): Promise<void> => {
  type Asked = FastifyRequest<{ Querystring: { token?: unknown } }>
  const asked = ({ query: { token } }: Asked) =>
    typeof token === 'string' ? database.asSystem((tx) => readUnsubscription(tx, token)) : null
  const route = limits ? { config: { rateLimit: { max: 60, timeWindow: '1 minute' } } } : {}
  await app.register(async (door) => {
    // One-click comes as a form of either kind; what it says is known already.
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 16 * 1024 }, (_request, _body, done) => done(null))
    // Who comes here is a person, or a mail program that reads the status alone.
    door.setErrorHandler((error, request, reply) => {
      const { status, body, unexpected } = failureOf(error, request.id)
      if (unexpected) request.log.error({ err: error }, 'unexpected')
      if (status === 503) reply.header('retry-after', '2')
      return page(reply.code(status), { ...laterWords, ...(status === 429 ? { text: body.message } : {}) })
    })
    door.get('/unsubscribe', route, async (request: Asked, reply) => {
      const found = await asked(request)
      return found ? page(reply, askWords(found)) : page(reply.code(404), wrongWords)
    })
    door.post('/unsubscribe', route, async (request: Asked, reply) => {
      const found = await asked(request)
      if (!found) return page(reply.code(404), wrongWords)
      await database.asSystem((tx) => unsubscribe(tx, found, new Date()))
      request.log.info({ kinds: found.kinds }, 'somebody unsubscribed from e-mails')
      return page(reply, doneWords(found))
    })
  })
}

type Words = { title: string; text: string; button?: string }

const named = ({ kinds: ended }: Unsubscription): string => ended.map((kind) => `“${kinds[kind].label}”`).join(' and ')

const askWords = (found: Unsubscription): Words => ({
  title: 'Stop these e-mails?',
  text: `You get no more e-mails about ${named(found)}. In the panel you still find everything.`,
  button: 'Stop these e-mails',
})
const doneWords = (found: Unsubscription): Words => ({
  title: 'Done',
  text: `You get no more e-mails about ${named(found)}. In the panel you still find everything, and in your profile you can change this at any time.`,
})
const wrongWords: Words = {
  title: 'This link does not work',
  text: 'It may have been cut off. Copy the whole address from the e-mail, or change your choices in your profile.',
}

const laterWords: Words = {
  title: 'Not done yet',
  text: 'Something did not work on our side. Open the link again in a few minutes, or change your choices in your profile.',
}

const page = (reply: FastifyReply, { title, text, button }: Words): FastifyReply =>
  allowStyle(reply, plainStyle)
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' })
    .type('text/html; charset=utf-8')
    .send(
      plainPage({
        title,
        text,
        more: button === undefined ? '' : `<form method="post"><button>${button}</button></form>`,
        way: { to: '/panel/profile#notifications', label: 'All your choices' },
      }),
    )
