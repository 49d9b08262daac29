import fastify from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mountHealth, type Part } from './health.ts'

test('many strangers who ask for readiness at once cost one look, and a later one sees what has changed', async () => {
  let looks = 0
  let ok = true
  const parts = async (): Promise<Part[]> => {
    looks++
    await sleep(50)
    return [{ name: 'database', ok, says: 'as it is' }]
  }
  const app = fastify()
  mountHealth(app, { parts, gauges: {} }, { isHosted: true, metricsToken: undefined })
  const ask = async () => (await app.inject('/health/ready')).statusCode
  expect(new Set(await Promise.all(Array.from({ length: 100 }, ask)))).toEqual(new Set([200]))
  expect(looks).toBe(1)
  ok = false
  await expect.poll(ask).toBe(503)
  await app.close()
})
