import fastify from 'fastify'
import { mountHealth } from '../http/health.ts'
import type { Config } from '../kernel/config.ts'
import { openReader } from '../kernel/database.ts'
import { evaluate } from './condition-outcomes.ts'
import { partOf } from './parts.ts'

/**
 * Answers, for a worker or a clock, whether it lives and is ready, and /metrics: at PROBE_PORT, for whoever runs it. It answers
 * nothing else, so nobody needs to reach it from outside. Throws where the port is taken.
 */
export const startProbes = async ({
  config,
  appUrl,
}: {
  config: Config
  appUrl: string
}): Promise<{ address?: string; close: () => Promise<void> }> => {
  if (config.probePort === undefined) return { close: async () => {} }
  const reader = openReader(appUrl)
  const app = fastify({ logger: false })
  let isDraining = false
  mountHealth(
    app,
    {
      isDraining: () => isDraining,
      parts: async () => (await evaluate({ config, database: reader, now: new Date() })).flatMap(partOf),
      gauges: {},
    },
    config,
  )
  const address = await app.listen({ port: config.probePort, host: config.host })
  return {
    address,
    close: async () => {
      isDraining = true
      await app.close()
      await reader.close()
    },
  }
}
