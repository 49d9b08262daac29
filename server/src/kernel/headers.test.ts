import rateLimit from '@fastify/rate-limit'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mountHeaders } from './headers.ts'
import { openService, type Service } from '../../test/service.ts'

let service: Service
beforeAll(async () => void (service = await openService({ PUBLIC_URL: 'https://video.example.com' })))
afterAll(() => service.close())

const get = (url: string) => service.app.inject({ method: 'GET', url, headers: { accept: 'text/html' } })

test('every kind of answer has the security headers, and no policy allows inline scripts or styles', async () => {
  for (const url of ['/health/live', '/api/docs', '/dev/outbox', '/no/such/page', '/api/no-such-call', '/robots.txt']) {
    const { headers } = await get(url)
    const policy = String(headers['content-security-policy'])
    expect(policy, url).toMatch(/^default-src 'none';script-src 'self';style-src 'self'(?: 'sha256-[\w+/=]+')?;/)
    expect(policy, url).not.toMatch(/unsafe|\*|http:/)
    expect(policy, url).toContain("frame-ancestors 'none'")
    expect(headers, url).toMatchObject({
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': expect.stringMatching(/^same-origin/),
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': expect.stringContaining('geolocation=()'),
    })
  }
  expect((await get('/api/no-such-call')).headers['cache-control']).toBe('no-store')
})

test('a browser’s CSP report is accepted, cut to a small size and rate limited, and other bodies are refused', async () => {
  const app = fastify()
  await app.register(rateLimit, { global: false })
  await mountHeaders(app, { publicUrl: 'http://localhost', isHosted: false, limits: true })
  const report = async (payload: string, type = 'application/csp-report') =>
    (await app.inject({ method: 'POST', url: '/csp-reports', payload, headers: { 'content-type': type } })).statusCode
  const words = JSON.stringify({ 'csp-report': { 'blocked-uri': 'inline', 'script-sample': 'x'.repeat(3000) } })
  expect(await report(words)).toBe(204)
  expect(await report('x'.repeat(20_000))).toBe(413)
  expect(await report('<xml/>', 'application/xml')).toBe(415)
  const { items } = (await app.inject('/dev/csp-reports')).json<{ items: string[] }>()
  expect(items).toEqual([words.slice(0, 2000)])
  const answers = await Promise.all(Array.from({ length: 40 }, () => report('{}')))
  expect(answers.filter((status) => status === 429).length).toBeGreaterThan(5)
  await app.close()
})
