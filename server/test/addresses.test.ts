import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { holdsSecret } from '../src/http/logged-address.ts'
import { openService, type Service } from './service.ts'

/** One route has many spellings: what the service keeps to itself does not depend on them. */
let service: Service
let port: number
const lines: string[] = []

beforeAll(async () => {
  service = await openService({ LOG_LEVEL: 'trace' }, undefined, { log: { write: (line) => lines.push(line) } })
  port = Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => service.close())

it('no spelling of an address that holds a secret brings it into the log', async () => {
  const routes = service.routes.filter(holdsSecret)
  expect(routes).toEqual(expect.arrayContaining(['GET /calendar/:secret', 'GET /api/tenants/public/invitation/:code']))
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ')
    for (const [index, spelt] of spellings.entries()) {
      const secret = randomBytes(32).toString('base64url')
      const address = spelt(path.replace(/:\w+/g, `${secret}.ics`))
      const before = lines.length
      await ask(method, address)
      await expect.poll(() => lines.slice(before).join('')).toContain('"msg":"answered"')
      expect({ address, log: lines.slice(before).join('') }).toEqual({
        address,
        log: expect.not.stringContaining(secret),
      })
      const isMatched = index < matched
      const masked = isMatched ? `"url":"${path.replace(/:\w+/g, '…')}"` : '…'
      expect(lines.slice(before).join('')).toContain(masked)
    }
  }
})

it('a stranger’s words in the log drive no terminal, and are told in full', async () => {
  const signs = '\u009b2J\u202e\u0085forged'
  const before = lines.length
  const headers = { 'content-type': 'application/csp-report' }
  await service.app.inject({ method: 'POST', url: '/csp-reports', headers, payload: signs })
  const line = lines.slice(before).find((one) => one.includes('content policy'))!
  expect(line).toContain(String.raw`\u009b2J\u202e\u0085forged`)
  expect(line.trimEnd()).not.toMatch(/[\p{Cc}\u202e]/u)
  expect(JSON.parse(line)).toMatchObject({ report: signs })
})

it('no spelling of a call’s address makes its answer one that may be kept', async () => {
  const routes = service.routes.filter((route) => /^GET \/(api|identity)\//.test(route))
  expect(routes.length).toBeGreaterThan(30)
  for (const route of routes)
    for (const spelt of spellings.slice(0, matched)) {
      const address = spelt(route.slice('GET '.length).replace(/:\w+/g, 'x'))
      const answer = await ask('GET', address)
      expect({ address, kept: /^cache-control: (.*)\r$/im.exec(answer)?.[1] }).toEqual({ address, kept: 'no-store' })
    }
})

const encoded = (character: string) => `%${character.charCodeAt(0).toString(16)}`
/** The first of them reach the route; the others reach none. */
const matched = 4
const spellings: ((path: string) => string)[] = [
  (path) => path,
  (path) => `http://localhost${path}`,
  (path) => `/${encoded(path[1]!)}${path.slice(2)}`,
  (path) => `http://localhost/${encoded(path[1]!)}${path.slice(2)}?x=1`,
  (path) => `/${path}`,
  (path) => path.replace(/[a-z]/, (letter) => letter.toUpperCase()),
  (path) => `${path}/more`,
  (path) => path.replace(/\/[^/]*$/, (last) => `/${last}`),
  (path) => `/elsewhere${path}`,
]

/** The whole answer, as it comes over the line. */
const ask = async (method: string, address: string): Promise<string> => {
  const line = connect(port, '127.0.0.1')
  line.write(`${method} ${address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  return text(line)
}
