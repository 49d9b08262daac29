import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { refusal } from '@clear-to-post/contract/errors'

/** Serves the built web app: hashed files for ever, pages always fresh; the panel and sign-in share one page. */
export const mountPages = async (app: FastifyInstance): Promise<void> => {
  const root = resolve(import.meta.dirname, '../../../web/dist')
  const built = existsSync(root)
  if (built) {
    await app.register(fastifyStatic, {
      root,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
    // By its own name: the static files' index misses when the browser takes compressed bodies.
    app.get('/', (_request, reply) => reply.header('cache-control', 'no-cache').sendFile('home.html'))
  }
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && /^\/(panel|login)(\/|\?|$)/.test(request.url)
    if (isPage && built) return reply.header('cache-control', 'no-cache').sendFile('index.html')
    // A person who lost the way gets a page with a way on; a program gets JSON.
    const isPerson =
      request.method === 'GET' &&
      request.headers.accept?.includes('text/html') &&
      !/^\/(api|identity|uploads|media)\//.test(request.url)
    if (isPerson && built) return reply.code(404).header('cache-control', 'no-cache').sendFile('index.html')
    const { message } = refusal('request.no-such-call')
    return reply.code(404).send({ message, kind: 'not-found', requestId: request.id })
  })
}
