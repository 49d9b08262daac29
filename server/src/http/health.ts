import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, register } from 'prom-client'
import type { Config } from '../main/config.ts'
import { isFromHere } from './network.ts'

/** Questions about the service's parts; each answers in words or throws with the reason. */
export type Health = {
  checks: Readonly<Record<string, () => Promise<string>>>
  /** Numbers for /metrics, read when asked. */
  gauges: Readonly<Record<string, { help: string; read: () => Promise<number> }>>
}

/** `/health/live`: the process turns. `/health/ready`: it can work, part by part. `/metrics`: for who brings METRICS_TOKEN. */
export const mountHealth = (
  app: FastifyInstance,
  { checks, gauges }: Health,
  config: Pick<Config, 'isHosted' | 'metricsToken'>,
): void => {
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
    if (!maySeeMetrics(request, config))
      return reply.code(404).send({ message: 'There is no such page.', kind: 'not-found', requestId: request.id })
    return reply.type(register.contentType).send(await register.metrics())
  })
}

/** While developing, whoever is on this machine; where others use the service, a proxy may be on it, too. */
const maySeeMetrics = (
  request: FastifyRequest,
  { isHosted, metricsToken }: Pick<Config, 'isHosted' | 'metricsToken'>,
): boolean =>
  (metricsToken !== undefined && isSame(request.headers.authorization ?? '', `Bearer ${metricsToken}`)) ||
  (!isHosted && isFromHere(request))

const isSame = (given: string, right: string): boolean => timingSafeEqual(hashOf(given), hashOf(right))

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()
