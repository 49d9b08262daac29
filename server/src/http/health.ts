import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, register, Registry } from 'prom-client'
import { asNobodys } from '../kernel/asker.ts'
import type { Config } from '../kernel/config.ts'
import { counted } from '../kernel/metrics.ts'
import { isFromHere } from '../kernel/network.ts'

/** One part of the service as it stands. `why` and `next` are there when something is not as it should be, `ok` or not. */
export type Part = { name: string; ok: boolean; says: string; why?: string; next?: string }

/** What the service says of itself. */
export type Health = {
  /** Whether it was told to stop: it answers, and wants no more. */
  isDraining?: () => boolean
  parts: () => Promise<readonly Part[]>
  /** Numbers for /metrics, read when asked. */
  gauges: Readonly<Record<string, { help: string; read: () => Promise<number> }>>
}

/** `/health/live`: the process turns. `/health/ready`: it can work, part by part. `/metrics`: for who brings METRICS_TOKEN. Answers what reads the parts. */
export const mountHealth = (
  app: FastifyInstance,
  { isDraining = () => false, parts, gauges }: Health,
  config: Pick<Config, 'isHosted' | 'metricsToken'>,
): (() => Promise<readonly Part[]>) => {
  // Whoever asks first, it is found out for all, and waits behind nobody's requests.
  const look = together(() => asNobodys(parts), 1000)
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    const found = await look()
    const ok = found.every((part) => part.ok) && !isDraining()
    reply.code(ok ? 200 : 503)
    return {
      status: isDraining() ? 'stopping' : ok ? 'ready' : 'not ready',
      parts: Object.fromEntries(found.map(({ name, ...part }) => [name, part])),
    }
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
  new Gauge({
    name: 'clear_condition_met',
    help: 'Whether a condition of production is met (docs/operations.md)',
    labelNames: ['condition'] as const,
    async collect() {
      for (const { name, why } of await look().catch(() => [])) this.set({ condition: name }, why === undefined ? 1 : 0)
    },
  })
  const all = Registry.merge([register, counted])
  app.get('/metrics', async (request, reply) => {
    if (!maySeeMetrics(request, config))
      return reply.code(404).send({ message: 'There is no such page.', kind: 'not-found', requestId: request.id })
    return reply.type(all.contentType).send(await all.metrics())
  })
  return look
}

/** Reads once for all who ask until it has been read and for `keepMs` afterwards: who asks is a stranger. */
const together = <T>(read: () => Promise<T>, keepMs: number): (() => Promise<T>) => {
  let reading: Promise<T> | undefined
  const forget = () => void (reading = undefined)
  return () => (reading ??= read().finally(() => setTimeout(forget, keepMs).unref()))
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
