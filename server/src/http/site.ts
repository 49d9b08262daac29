import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Packed } from './packed.ts'
import type { Config } from '../kernel/config.ts'
import { escapeHtml } from '../kernel/html.ts'
import { contentPolicy } from '../kernel/headers.ts'
import type { Part } from './health.ts'
import { lastKnown } from './last-known.ts'
import { areaStates, type AreaState } from './status.ts'

/** What web/app/site/render-live.tsx exports, built into web/dist/.server. */
type Renderer = {
  renderPlans: (products: readonly unknown[]) => string
  renderWays: (ways: readonly unknown[]) => string
  renderHead: (origin: string, products: readonly unknown[]) => string
  renderPrivacy: () => string
  renderStatus: (states: readonly AreaState[] | null, at: Date) => string
}

export type Site = {
  /** Sends the sign-in page as it stands before anybody did anything. */
  signIn: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  /** Sends the page for an address that leads nowhere. */
  notFound: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  /** Sends the page for a page that failed. */
  failed: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

/**
 * The public pages, prerendered in web/dist: what only the service knows is written into them when they are served, so that
 * prices and the year stand there without any script. `products` answers as the public products call does, `ways` is what the
 * call for the providers answers.
 */
export const mountSite = async (
  app: FastifyInstance,
  {
    root,
    config: { publicUrl, tags },
    products,
    ways,
    parts,
  }: {
    root: string
    config: Pick<Config, 'publicUrl' | 'tags'>
    products: () => Promise<readonly unknown[]>
    ways: readonly unknown[]
    /** The parts of the service as they stand. */
    parts: () => Promise<readonly Part[]>
  },
): Promise<Site> => {
  const { renderPlans, renderWays, renderHead, renderPrivacy, renderStatus } = (await import(
    pathToFileURL(join(root, '.server/render-live.js')).href
  )) as Renderer
  const hosts = [...new Set(tags.map((tag) => new URL(tag).origin))]
  const policy = contentPolicy({ hosts })
  const tagList = tags.length > 0 ? `<meta name="tag-list" content="${escapeHtml(tags.join(' '))}">` : ''
  const privacy = tags.length > 0 ? renderPrivacy() : ''
  const written = (name: string) => {
    const template = readFileSync(join(root, name), 'utf8')
    return (parts: Parts) =>
      Object.entries({
        head: '',
        plans: '',
        ways: '',
        status: '',
        privacy,
        year: String(new Date().getFullYear()),
        ...parts,
      }).reduce((html, [slot, text]) => html.replace(`{{${slot}}}`, () => text), template)
  }
  const page = (name: string): Send => {
    const write = written(name)
    const last = new Packed('text/html; charset=utf-8')
    return (request, reply, parts = {}) =>
      last.send(request, reply.header('content-security-policy', policy), write(parts))
  }
  const [home, login, notFound, failed] = [
    page('home.html'),
    page('login.html'),
    page('not-found.html'),
    page('error.html'),
  ]

  // Without the products the page stands, its list empty (docs/specification/failures.md).
  const known = lastKnown(products, {
    first: [],
    onError: (error) => app.log.error({ err: error }, 'Failed to load products'),
  })
  await known()
  // Rendered once for as long as the products stay the same.
  let live: { said: string; parts: Parts } | undefined
  app.get('/', async (request, reply) => {
    const list = await known()
    const said = JSON.stringify(list)
    if (said !== live?.said)
      live = { said, parts: { head: tagList + renderHead(publicUrl, list), plans: renderPlans(list) } }
    return home(request, reply, live.parts)
  })
  for (const name of documents) {
    const document = page(`${name}.html`)
    const head = `${tagList}<link rel="canonical" href="${escapeHtml(publicUrl)}/${name}">`
    app.get(`/${name}`, async (request, reply) => document(request, reply, { head }))
  }
  const status = page('status.html')
  // Written and compressed once a minute, as it says, or when something changed: whoever asks is a stranger, and may ask often.
  let told: { what: string; html: string } | undefined
  app.get('/status', async (request, reply) => {
    const states = await parts().then(areaStates, () => null)
    const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000)
    const what = JSON.stringify([states, minute])
    if (what !== told?.what) told = { what, html: renderStatus(states, minute) }
    return status(request, reply, { status: told.html })
  })
  // Asked for by programs that do not read pages; browsers read of the icons in the page.
  app.get('/favicon.ico', async (_request, reply) => reply.redirect('/icons/icon-192.png', 301))
  app.get('/robots.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        `User-agent: *\nDisallow: /panel\nDisallow: /api/\nDisallow: /identity/\nDisallow: /media/\n\nSitemap: ${publicUrl}/sitemap.xml\n`,
      ),
  )
  app.get('/sitemap.xml', async (_request, reply) =>
    reply
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
          ['/', '/login', ...documents.map((name) => `/${name}`)]
            .map((path) => `<url><loc>${escapeHtml(publicUrl + path)}</loc></url>`)
            .join('') +
          '</urlset>\n',
      ),
  )
  // The contact form of a page without scripts: the same call, answered by the page itself.
  app.post('/contact', async (request, reply) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/emails/public/send',
      remoteAddress: request.ip,
      payload: request.body as object,
    })
    return reply.redirect(answer.statusCode === 200 ? '/contact#contact-sent' : '/contact#contact-failed', 303)
  })
  const signIn = { head: `<link rel="canonical" href="${escapeHtml(publicUrl)}/login">`, ways: renderWays(ways) }
  return {
    signIn: (request, reply) => login(request, reply, signIn),
    notFound: (request, reply) => notFound(request, reply.code(404)),
    failed: (request, reply) => failed(request, reply.code(500)),
  }
}

/** Pages to read, by the name of their file. */
export const documents = ['terms', 'privacy', 'whats-new', 'contact']

type Parts = { head?: string; plans?: string; ways?: string; status?: string }
type Send = (request: FastifyRequest, reply: FastifyReply, parts?: Parts) => Promise<FastifyReply>
