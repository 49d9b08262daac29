import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from '@clear-to-post/contract/identity'
import { refusal } from '@clear-to-post/contract/errors'
import { providers } from '@clear-to-post/contract/identity'
import type { Database } from '../kernel/database.ts'
import { applyProviderNotice, startOAuth, type Identity } from '../identity/actions.ts'
import type { Config } from '../kernel/config.ts'
import { openSandbox, sandboxFiles, type SandboxReply } from '../stand-ins/openid.ts'

/**
 * The way to Google or Apple and back: two redirects, no calls. What comes back is handed to the page behind the #, where
 * no log sees it; the page signs in with it by a call (`identity.provider`), for only our own page carries the cookies.
 */
export const mountSignIn = (
  app: FastifyInstance,
  { identity, database, limits }: { identity: Identity; database: Database; limits: boolean },
): void => {
  const limited = limits ? { config: { rateLimit: { max: 60, timeWindow: '1 minute' } } } : {}
  for (const provider of Object.keys(identity.providers) as Provider[]) {
    app.get<{ Querystring: Record<string, unknown> }>(
      `/identity/${provider}/start`,
      limited,
      async (request, reply) => {
        const state = textOf(request.query['state'])
        if (!/^[\w-]{20,200}$/.test(state) || isStranger(request)) return back(reply, { error: 'request' })
        const browser = identity.oauthCookie.read(request) ?? identity.oauthCookie.newValue()
        identity.oauthCookie.write(reply, browser)
        try {
          const language = textOf(request.query['language'])
          return reply.redirect(
            await startOAuth(database, identity.providers[provider]!, {
              provider,
              state,
              browser,
              language: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language) ? language : null,
            }),
            303,
          )
        } catch (error) {
          request.log.warn({ err: error, provider }, 'a provider’s sign-in could not begin')
          return back(reply, { error: 'unavailable', state })
        }
      },
    )
    // Google answers by address, Apple by form.
    app.get(`/identity/${provider}/callback`, limited, async (request, reply) => back(reply, request.query))
    app.post(`/identity/${provider}/callback`, limited, async (request, reply) => back(reply, request.body))
  }
  const { apple } = identity.providers
  if (apple)
    // Apple's word, unasked, about accounts that were closed there: what counts is its signature.
    app.post<{ Body: unknown }>('/identity/apple/notices', limited, async (request) => {
      const { payload } = (request.body ?? {}) as { payload?: unknown }
      const notice = await apple.notice(typeof payload === 'string' ? payload : '').catch((error: unknown) => {
        request.log.warn({ err: error }, 'a notice in Apple’s name was refused')
        throw refusal('request.invalid', 'This notice is not signed by the provider.')
      })
      const hasEnded = await database.asSystem((tx) => applyProviderNotice(tx, notice))
      request.log.info({ kind: notice.kind, hasEnded }, 'Apple told of an account')
      return { received: true }
    })
}

/** `/dev/sign-in/google` and `/dev/sign-in/apple`: the providers that stand in where none is configured. */
export const mountSignInSandbox = (
  app: FastifyInstance,
  { signIn, publicUrl }: Pick<Config, 'signIn' | 'publicUrl'>,
): void => {
  for (const [provider, name] of Object.entries(providers)) {
    if (!signIn[provider as Provider]?.isSandbox) continue
    const base = `/dev/sign-in/${provider}`
    const answer = openSandbox(publicUrl + base, name)
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const [path, query = ''] = request.url.split('?')
      const form =
        request.method === 'POST' ? new URLSearchParams((request.body ?? {}) as Record<string, string>) : null
      const said = await answer({ path: path!.slice(base.length), query: new URLSearchParams(query), form })
      return said ? send(reply, said) : reply.callNotFound()
    }
    app.get(`${base}/*`, handle)
    app.post(`${base}/*`, handle)
  }
  for (const [file, { type, text }] of Object.entries(sandboxFiles))
    app.get(`/dev/sign-in/${file}`, (_request, reply) => reply.type(type).send(text))
}

const send = (reply: FastifyReply, said: SandboxReply) => {
  reply.header('cache-control', 'no-store')
  if ('redirect' in said) return reply.redirect(said.redirect, 303)
  reply.code(said.status ?? 200)
  return 'json' in said ? reply.send(said.json) : reply.type('text/html; charset=utf-8').send(said.html)
}

const back = (reply: FastifyReply, given: unknown) => {
  const texts = Object.entries((given ?? {}) as Record<string, unknown>).filter(([name]) => returned.includes(name))
  return reply.redirect(
    `/login/return#${new URLSearchParams(texts.map(([name, value]) => [name, textOf(value)]))}`,
    303,
  )
}
const returned = ['state', 'code', 'iss', 'user', 'error']

const textOf = (value: unknown): string => (typeof value === 'string' && value.length <= 4000 ? value : '')

// Only our own pages send people on their way.
const isStranger = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] !== undefined && !['same-origin', 'none'].includes(headers['sec-fetch-site'] as string)
