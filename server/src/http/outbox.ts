import type { FastifyInstance } from 'fastify'
import type { Config } from '../main/config.ts'
import { readOutbox, type KeptMail } from '../outside/mail.ts'
import { allowStyle } from './headers.ts'
import { escapeHtml } from './html.ts'
import { isFromHere } from './network.ts'

/**
 * `/dev/outbox`: the mails that went nowhere, newest first, for development on this machine; `?to=` shows one address.
 * As JSON (`{ items }`) for who asks for it.
 * `/dev/outbox/:id` shows one as a mail program would. Absent where others use the service, and where a mail server is
 * configured.
 */
export const mountOutbox = (
  app: FastifyInstance,
  { isHosted, smtpUrl, dataDir }: Pick<Config, 'isHosted' | 'smtpUrl' | 'dataDir'>,
): void => {
  if (isHosted || smtpUrl !== undefined) return
  app.get<{ Querystring: { to?: string } }>('/dev/outbox', async (request, reply) => {
    if (!isFromHere(request)) return reply.callNotFound()
    const to = typeof request.query.to === 'string' ? request.query.to.toLowerCase() : undefined
    const items = (await readOutbox(dataDir)).filter((mail) => to === undefined || mail.to === to)
    reply.header('cache-control', 'no-store')
    if (request.headers.accept?.includes('application/json')) return { items }
    return allowStyle(reply, style).type('text/html; charset=utf-8').send(pageOf(items))
  })
  app.get<{ Params: { id: string } }>('/dev/outbox/:id', async (request, reply) => {
    if (!isFromHere(request)) return reply.callNotFound()
    const mail = (await readOutbox(dataDir, 500)).find(({ id }) => id === request.params.id)
    if (!mail) return reply.callNotFound()
    const { picture } = mail
    // A mail brings its own styles, and nothing that runs.
    reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups allow-top-navigation",
    )
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(
        picture
          ? mail.html.replaceAll(`cid:${picture.cid}`, `data:${picture.type};base64,${picture.base64}`)
          : mail.html,
      )
  })
}

const style = `
body { margin: 32px auto; max-width: 640px; padding: 0 16px; font: 16px/1.5 system-ui, sans-serif; color: #1c2733; background: #f6f4ef }
article { margin: 16px 0; padding: 16px 20px; background: #fff; border: 1px solid #d9d4c7; border-radius: 8px }
h1 { font-size: 24px } h2 { margin: 0; font-size: 18px } p { margin: 0 0 8px; color: #5c6b7a }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 15px/1.5 ui-monospace, monospace }
`

const pageOf = (items: readonly KeptMail[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Outbox</title><meta http-equiv="refresh" content="5">
<meta name="viewport" content="width=device-width"><style>${style}</style></head><body><h1>Outbox</h1>
<p>Mails of this development server. They were kept here and sent to nobody.</p>
${items.map(articleOf).join('\n') || '<p>Nothing yet.</p>'}
</body></html>`

const articleOf = ({ id, to, at, subject, text, unsubscribe }: KeptMail): string =>
  `<article><h2>${escapeHtml(subject)}</h2><p>to ${escapeHtml(to)} · <time>${escapeHtml(at)}</time>` +
  ` · <a href="/dev/outbox/${escapeHtml(id)}">as it looks</a>` +
  (unsubscribe === undefined ? '' : ` · <a href="${escapeHtml(unsubscribe)}">unsubscribe</a>`) +
  '</p>' +
  `<pre>${linked(escapeHtml(text))}</pre></article>`

const linked = (text: string): string => text.replace(/https?:\/\/[^\s&]+/g, (url) => `<a href="${url}">${url}</a>`)
