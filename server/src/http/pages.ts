import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '@clear-to-post/contract/errors'
import type { Config } from '../kernel/config.ts'
import type { Part } from './health.ts'
import { documents, mountSite, type Site } from './site.ts'

/** Where the built web app lies. */
export const builtWeb = resolve(import.meta.dirname, '../../../web/dist')

/**
 * Serves the built web app: hashed files for ever, pages always fresh; the panel and sign-in's other forms share one page. Answers the
 * public pages' own answers to people, undefined where the web app is not built.
 */
export const mountPages = async (
  app: FastifyInstance,
  options: {
    config: Config
    products: () => Promise<readonly unknown[]>
    ways: readonly unknown[]
    parts: () => Promise<readonly Part[]>
    /** Sends a built file that this build lacks; undefined where nobody has it (pieces.ts). */
    piece: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>
    /** Where the built web app lies; another one for tests. */
    root?: string | undefined
  },
): Promise<Site | undefined> => {
  const { isProduction } = options.config
  const root = options.root ?? builtWeb
  const built = existsSync(join(root, '.server'))
  let site: Site | undefined
  if (built) {
    await app.register(fastifyStatic, {
      root,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      // These are written when they are served: site.ts.
      globIgnore: [
        ...['home', 'login', ...documents, 'status', 'not-found', 'error'].map((page) => `${page}.html`),
        '.server/**',
      ],
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
    site = await mountSite(app, { ...options, root })
  }
  app.setNotFoundHandler(async (request, reply) => {
    const piece = await options.piece(request, reply)
    if (piece) return piece
    // The pieces of the design system are for who builds the product.
    const page = isProduction ? /^\/(panel|login)(\/|\?|$)/ : /^\/(panel|login|dev\/ui)(\/|\?|$)/
    // The other forms of /login are the app's from the start.
    const isPlainSignIn = /^\/login\/?(\?|$)/.test(request.url) && !/[?&](mode|invitation)=/.test(request.url)
    if (request.method === 'GET' && isPlainSignIn && site) return site.signIn(request, reply)
    if (request.method === 'GET' && page.test(request.url) && built)
      return reply.header('cache-control', 'no-cache').sendFile('index.html')
    // A person who lost the way gets a page with a way on; a program gets JSON.
    if (site && isPerson(request)) return site.notFound(request, reply)
    const { message } = refusal('request.no-such-call')
    return reply.code(404).send({ message, kind: 'not-found', requestId: request.id })
  })
  return site
}

/** Does a person in a browser ask for a page, rather than a program for an answer? */
export const isPerson = ({ method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true && !/^\/(api|identity|uploads|media)\//.test(url)
