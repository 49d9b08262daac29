import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { kinds } from '@clear-to-post/domain/audiences'
import type { Database } from '../db/tenant.ts'
import { readUnsubscription, unsubscribe, type Unsubscription } from '../mail/actions.ts'
import { allowStyle } from './headers.ts'
import { escapeHtml } from './html.ts'

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

const page = (reply: FastifyReply, { title, text, button }: Words): FastifyReply =>
  allowStyle(reply, style)
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' })
    .type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} · Clear to Post</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<style>${style}</style></head><body><main><p class="who">Clear to Post</p><h1>${title}</h1><p>${escapeHtml(text)}</p>
${button ? `<form method="post"><button>${button}</button></form>` : ''}
<p><a href="/panel/profile#notifications">All your choices</a></p></main></body></html>`)

const style = `
:root { color-scheme: light dark }
body { margin: 0; padding: 10vh 16px; font: 16px/1.5 system-ui, sans-serif; color: light-dark(#0f1729, #e8ecf4); background: light-dark(#f6f7f9, #0c111b) }
main { max-width: 28rem; margin: 0 auto; padding: 24px; background: light-dark(#fff, #141b28); border: 1px solid light-dark(#e2e6ec, #253044); border-radius: 12px }
h1 { margin: 0 0 8px; font-size: 24px } .who { margin: 0 0 16px; color: light-dark(#566074, #9ba6b9) }
button { min-height: 44px; padding: 0 20px; border: 0; border-radius: 8px; font: inherit; font-weight: 600; color: light-dark(#fff, #0c111b); background: light-dark(#2647e0, #8ea2ff); cursor: pointer }
a { color: light-dark(#2441cc, #a3b3ff) } :focus-visible { outline: 2px solid currentColor; outline-offset: 2px }
`
