import type { FastifyInstance, FastifyRequest } from 'fastify'
import { servesAll } from '@clear-to-post/domain/roles'
import type { Caller } from '../kernel/database.ts'
import { countRequest } from '../kernel/metrics.ts'
import { beginSpan, within, type Span } from '../kernel/trace.ts'

/** Counts each request by its route, and traces it where somebody does. Mounted before every other hook. */
export const observeRequests = (app: FastifyInstance): void => {
  const spans = new WeakMap<FastifyRequest, Span>()
  const begunAt = new WeakMap<FastifyRequest, Date>()
  const begin = (request: FastifyRequest) => {
    const route = routeOf(request)
    const facts = {
      'http.request.method': request.method,
      'http.route': route,
      'clear.request_id': request.id,
    }
    // What a stranger says of a trace is not believed; who is signed in begins traces of their own.
    const told = request.caller ? request.headers['traceparent'] : undefined
    const parent = typeof told === 'string' ? told : undefined
    const span = beginSpan(`${request.method} ${route}`, 'request', facts, parent, begunAt.get(request))
    if (span) spans.set(request, span)
    return span
  }
  app.addHook('onRequest', (request, _reply, done) => {
    begunAt.set(request, new Date())
    done()
  })
  // After the body, and after who asks is known: what reads it runs in nobody's name.
  app.addHook('preHandler', (request, _reply, done) => within(begin(request), done))
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status } = reply
    countRequest({ method: request.method, route: routeOf(request), status, seconds: reply.elapsedTime / 1000 })
    // What was refused before it was handled has its span, too.
    const span = spans.get(request) ?? begin(request)
    span?.end(
      { 'http.response.status_code': status, 'clear.tenant': tenantClass(request.caller) },
      status >= 500 ? String(status) : undefined,
    )
  })
}

/** The route as it is declared; of what is nowhere there is one. */
const routeOf = ({ is404, routeOptions }: FastifyRequest): string =>
  is404 || routeOptions.url === undefined ? 'none' : routeOptions.url

/** Whose request it is, without saying who: a company's, a person's of no company, the service's own staff's, nobody's. */
const tenantClass = (caller: Caller | null): string => {
  if (!caller) return 'nobody'
  if (caller.tenantId !== null) return 'company'
  return servesAll(caller) ? 'service' : 'person'
}
