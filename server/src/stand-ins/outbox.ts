import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '@clear-to-post/contract/errors'
import type { Config } from '../kernel/config.ts'
import { outboxKey } from '../outside/kept-key.ts'
import { readOutbox, type KeptMail } from '../outside/mail.ts'
import { allowStyle } from '../kernel/headers.ts'
import { escapeHtml } from '../kernel/html.ts'
import { isFromHere } from '../kernel/network.ts'
import { plainPage, plainStyle } from '../kernel/plain-page.ts'

type Asked = { Params: { id: string }; Querystring: { to?: string; key?: string } }

/**
 * `/dev/outbox`: the mails that went nowhere, newest first, for development on this machine; `?to=` shows one address.
 * As JSON (`{ items }`) for who asks for it. `/dev/outbox/:id` shows one as a mail program would.
 *
 * Codes are in these mails, so whoever looks has the key, which is told on the terminal (`outboxAddress`): in the address,
 * whence it moves into a cookie, or as a bearer token. Absent where others use the service, and where a mail server is
 * configured.
 */
export const mountOutbox = async (app: FastifyInstance, config: OutboxConfig): Promise<void> => {
  if (!hasOutbox(config)) return
  const { dataDir } = config
  const key = await outboxKey(dataDir)
  app.get<Asked>(outboxPath, async (request, reply) => {
    if (!isFromHere(request)) return reply.callNotFound()
    if (!admit(request, reply, key)) return reply
    const to = typeof request.query.to === 'string' ? request.query.to.toLowerCase() : undefined
    const items = (await readOutbox(dataDir)).filter((mail) => to === undefined || mail.to === to)
    if (wantsJson(request)) return { items }
    return allowStyle(reply, style).type('text/html; charset=utf-8').send(pageOf(items))
  })
  app.get<Asked>(`${outboxPath}/:id`, async (request, reply) => {
    if (!isFromHere(request)) return reply.callNotFound()
    if (!admit(request, reply, key)) return reply
    const mail = (await readOutbox(dataDir, 500)).find(({ id }) => id === request.params.id)
    if (!mail) return reply.callNotFound()
    const { picture } = mail
    // A mail brings its own styles, and nothing that runs.
    reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups allow-top-navigation",
    )
    return reply
      .type('text/html; charset=utf-8')
      .send(
        picture
          ? mail.html.replaceAll(`cid:${picture.cid}`, `data:${picture.type};base64,${picture.base64}`)
          : mail.html,
      )
  })
}

/** Where a developer reads the mails, with the key that opens the page; undefined where there is no such page. */
export const outboxAddress = async (config: OutboxConfig, origin: string): Promise<string | undefined> =>
  hasOutbox(config) ? `${origin}${outboxPath}?key=${await outboxKey(config.dataDir)}` : undefined

type OutboxConfig = Pick<Config, 'isHosted' | 'smtpUrl' | 'dataDir'>

const outboxPath = '/dev/outbox'
const cookieName = 'ctp_outbox'

const hasOutbox = ({ isHosted, smtpUrl }: OutboxConfig): boolean => !isHosted && smtpUrl === undefined

const wantsJson = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('application/json') === true

/**
 * Does this request bring the key? A key in a browser's address moves into a cookie. When false, the answer is given; one
 * that is refused as JSON throws.
 */
const admit = (request: FastifyRequest<Asked>, reply: FastifyReply, key: string): boolean => {
  reply.header('cache-control', 'no-store')
  const { key: given, to } = request.query
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (wantsJson(request)) {
    if ([bearer, given, request.cookies[cookieName]].some((one) => isSame(one, key))) return true
    throw refusal('session.required', `The outbox asks for its key, as a bearer token or as ?key=. ${whereItIs}`)
  }
  if (isSame(given, key)) {
    reply.setCookie(cookieName, key, { path: outboxPath, httpOnly: true, sameSite: 'strict' })
    const search = typeof to === 'string' ? `?${new URLSearchParams({ to })}` : ''
    reply.redirect(request.url.split('?')[0] + search, 303)
    return false
  }
  if (isSame(bearer, key) || isSame(request.cookies[cookieName], key)) return true
  allowStyle(reply, plainStyle)
    .code(401)
    .type('text/html; charset=utf-8')
    .send(
      plainPage({
        title: 'The outbox asks for its key',
        text: 'Codes are in these mails, so the page opens by its whole address only.',
        more: `<p>${whereItIs.replace(/`(.+?)`/g, '<code>$1</code>')}</p>`,
        way: { to: '/', label: 'Clear to Post' },
      }),
    )
  return false
}

const whereItIs =
  'The terminal showed the address when the service started, after “Mails:”. `npm run admin -- outbox` shows it again.'

const isSame = (given: unknown, key: string): boolean => {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return typeof given === 'string' && timingSafeEqual(hash(given), hash(key))
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
