import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, register } from 'prom-client'

/** Questions about the service's parts; each answers in words or throws with the reason. */
export type Health = {
  checks: Readonly<Record<string, () => Promise<string>>>
  /** Numbers for /metrics, read when asked. */
  gauges: Readonly<Record<string, { help: string; read: () => Promise<number> }>>
}

/** `/health/live`: the process turns. `/health/ready`: it can work, part by part. `/metrics`: for the operator's own network only. */
export const mountHealth = (app: FastifyInstance, { checks, gauges }: Health): void => {
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    const parts = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          return [name, { ok: true, says: await check() }] as const
        } catch (error) {
          return [name, { ok: false, says: (error as Error).message }] as const
        }
      }),
    )
    const ok = parts.every(([, part]) => part.ok)
    reply.code(ok ? 200 : 503)
    return { status: ok ? 'ready' : 'not ready', parts: Object.fromEntries(parts) }
  })

  register.clear()
  collectDefaultMetrics()
  for (const [name, { help, read }] of Object.entries(gauges))
    new Gauge({
      name,
      help,
      async collect() {
        this.set(await read().catch(() => Number.NaN))
      },
    })
  app.get('/metrics', async (request, reply) => {
    if (!isFromHere(request))
      return reply.code(404).send({ message: 'There is no such page.', kind: 'not-found', requestId: request.id })
    return reply.type(register.contentType).send(await register.metrics())
  })
}

/** Does a request come from this very machine? Behind a proxy everything seems to: what was forwarded came from outside. */
export const isFromHere = (request: FastifyRequest): boolean =>
  request.headers['x-forwarded-for'] === undefined &&
  /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '')
