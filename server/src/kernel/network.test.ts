import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHttp } from '../main/http.ts'
import { readConfig } from './config.ts'
import { openService, type Service } from '../../test/service.ts'
import { outboxKey } from '../outside/kept-key.ts'
import { outbox } from '../outside/mail.ts'
import { boundOf, isLocalName, netsOf, networkOf, parseTrustProxy, proxyHeaders, warnOfProxies } from './network.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

/** The product on a real port of its own, with its limits, in this environment. */
const serve = async (env: Record<string, string>) => {
  const config = readConfig({
    ...env,
    DATA_DIR: service.config.dataDir,
    LOG_LEVEL: 'silent',
    SEED: 'none',
    PORT: '0',
    HOST: '127.0.0.1',
  })
  const http = await startHttp({ config, appUrl: service.urls.appUrl })
  const port = Number(new URL(http.address).port)
  /** A raw request as a client or proxy on this machine would send it. */
  const ask = (
    path: string,
    lines: readonly string[] = [],
    { host = 'localhost', method = 'GET', version = '1.1', body = '' } = {},
  ) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      let text = ''
      const head = [
        `${method} ${path} HTTP/${version}`,
        ...(host ? [`Host: ${host}`] : []),
        'Connection: close',
        ...lines,
      ]
      if (body) head.push(`Content-Length: ${body.length}`)
      connect(port, '127.0.0.1')
        .on('data', (chunk) => (text += chunk))
        .on('error', reject)
        .on('close', () => resolve({ status: Number(/^HTTP\S+ (\d+)/.exec(text)?.[1]), text }))
        .write(`${head.join('\r\n')}\r\n\r\n${body}`)
    })
  return { ...http, ask }
}

let localPages: string[]
beforeAll(async () => {
  const key = await outboxKey(service.config.dataDir)
  localPages = [
    `/dev/outbox?key=${key}`,
    `/dev/outbox?to=somebody@mail.test&key=${key}`,
    `/dev/outbox/x?key=${key}`,
    '/dev/csp-reports',
    '/metrics',
  ]
})
const headerOf = (line: string) => ({ [line.split(': ')[0]!.toLowerCase()]: line.split(': ')[1]! })
const fromProxies = [
  'X-Forwarded-For: 203.0.113.9',
  'X-Forwarded-Host: video.example.test',
  'X-Forwarded-Proto: https',
  'Forwarded: for=203.0.113.9',
  'Via: 1.1 proxy',
  'X-Real-IP: 203.0.113.9',
  'X-Client-IP: 203.0.113.9',
  'CF-Connecting-IP: 203.0.113.9',
  'CF-Ray: 1',
  'True-Client-IP: 203.0.113.9',
  'X-Envoy-External-Address: 203.0.113.9',
  'X-Amzn-Trace-Id: Root=1',
  'X-Original-URL: /dev/outbox',
  'Tailscale-User-Login: a@b',
]

describe('pages for this machine only', () => {
  test('are served to a local program, and not through a proxy or under another name', async () => {
    const local = await serve({ METRICS_TOKEN: 'a-token-for-the-scraper' })
    try {
      for (const host of ['localhost', 'localhost:4000', '127.0.0.1:1', '[::1]:4000'])
        expect((await local.ask(localPages[0]!, ['Accept: application/json'], { host })).status, host).toBe(200)
      expect((await local.ask('/metrics')).text).toContain('clear_pool_size')
      for (const path of localPages) {
        for (const line of fromProxies) expect((await local.ask(path, [line])).status, `${path} ${line}`).toBe(404)
        for (const host of [
          'evil.example',
          'localhost.evil.example',
          '127.0.0.1.nip.io',
          '127.0.0.1@evil.example',
          '203.0.113.9',
        ])
          expect((await local.ask(path, [], { host })).status, `${path} as ${host}`).toBe(404)
        for (const host of ['localhost', ''])
          expect((await local.ask(path, [], { host, version: '1.0' })).status, `${path} by HTTP/1.0`).toBe(404)
      }
      const clock = { method: 'POST', body: '{"days":1}' }
      expect(
        (await local.ask('/sandbox/clock', ['Content-Type: application/json'], { ...clock, host: 'evil.example' }))
          .status,
      ).toBe(404)
    } finally {
      await local.close()
    }
  })

  test('are not served by a hosted service, whatever headers a request has', async () => {
    for (const env of [{ PUBLIC_URL: 'https://video.example.test' }, { NODE_ENV: 'production' }] as Record<
      string,
      string
    >[]) {
      const hosted = await serve(env)
      try {
        for (const path of localPages) expect((await hosted.ask(path)).status, path).toBe(404)
        expect(
          (
            await hosted.ask('/sandbox/clock', ['Content-Type: application/json'], {
              method: 'POST',
              body: '{"days":1}',
            })
          ).status,
        ).toBe(404)
      } finally {
        await hosted.close()
      }
    }
  })

  test('do not include metrics, which need their token and are served through any proxy', async () => {
    const hosted = await serve({ PUBLIC_URL: 'https://video.example.test', METRICS_TOKEN: 'a-token-for-the-scraper' })
    try {
      const ask = (line: string) =>
        hosted.ask('/metrics', [line, 'X-Forwarded-For: 203.0.113.9'], { host: 'video.example.test' })
      expect((await ask('Authorization: Bearer a-token-for-the-scraper')).text).toContain('clear_pool_size')
      for (const wrong of [
        'Bearer a-token-for-the-scrape',
        'Bearer ',
        'a-token-for-the-scraper',
        'Basic a-token-for-the-scraper',
      ])
        expect((await ask(`Authorization: ${wrong}`)).status, wrong).toBe(404)
    } finally {
      await hosted.close()
    }
  })
})

/** A proxy that does not show itself: HTTP/1.1, Host rewritten to localhost, no header of its own. */
const silentProxy = async (origin: string) => {
  const { port } = new URL(origin)
  const server = createServer(({ method, url, headers }, response) => {
    const { host: _typed, ...rest } = headers
    request(
      { host: '127.0.0.1', port, method, path: url, headers: { ...rest, host: `localhost:${port}` } },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      },
    ).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

describe('the outbox', () => {
  const text = 'Your code is 271828.'
  let local: Awaited<ReturnType<typeof serve>>
  let key: string
  let id: string
  beforeAll(async () => {
    id = randomUUID()
    const mail = { id, to: 'somebody@mail.test', subject: 'A code', text, html: `<p>${text}</p>` }
    await outbox(service.config).send(mail, async () => {})
    key = await outboxKey(service.config.dataDir)
    local = await serve({})
  })
  afterAll(() => local.close())
  const get = (origin: string, path: string, headers: Record<string, string> = {}) =>
    fetch(origin + path, { headers, redirect: 'manual' })

  test('shows no mail through a local proxy that adds no headers', async () => {
    const proxy = await silentProxy(local.address)
    try {
      // The proxy works: what is for everybody comes through it.
      expect((await get(proxy.origin, '/health/live')).status).toBe(200)
      for (const path of ['/dev/outbox', '/dev/outbox?to=somebody@mail.test', `/dev/outbox/${id}`, '/dev/outbox?key='])
        for (const headers of [
          {},
          { accept: 'application/json' },
          { accept: 'text/html' },
          { authorization: `Bearer ${key}x` },
          { cookie: `ctp_outbox=${key.slice(1)}` },
        ] as Record<string, string>[]) {
          const answer = await get(proxy.origin, path, headers)
          expect(answer.status, `${path} ${JSON.stringify(headers)}`).toBe(401)
          expect(await answer.text()).not.toContain(text)
        }
    } finally {
      await proxy.close()
    }
  })

  test('opens by its key, which moves from the address into an HttpOnly, SameSite cookie', async () => {
    const opened = await get(local.address, `/dev/outbox?to=somebody@mail.test&key=${key}`)
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/dev/outbox?to=somebody%40mail.test'])
    expect(await opened.text()).not.toContain(text)
    const [cookie, ...attributes] = opened.headers.get('set-cookie')!.split('; ')
    expect(attributes.sort()).toEqual(['HttpOnly', 'Path=/dev/outbox', 'SameSite=Strict'])
    for (const path of [opened.headers.get('location')!, `/dev/outbox/${id}`])
      expect(await (await get(local.address, path, { cookie: cookie! })).text()).toContain(text)
  })

  test('answers JSON to its key as a bearer token or in the address', async () => {
    const accept = 'application/json'
    for (const answer of [
      await get(local.address, '/dev/outbox', { accept, authorization: `Bearer ${key}` }),
      await get(local.address, `/dev/outbox?key=${key}`, { accept }),
    ])
      expect(await answer.json()).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ id })]) })
  })

  test('tells without its key how to find its address', async () => {
    expect(await (await get(local.address, '/dev/outbox')).text()).toContain('npm run admin -- outbox')
    const refused = await get(local.address, '/dev/outbox', { accept: 'application/json' })
    expect(await refused.json()).toMatchObject({
      code: 'session.required',
      message: expect.stringContaining('npm run admin -- outbox'),
    })
  })

  test('stores its key readable by the service’s user only', async () => {
    expect((await stat(join(service.config.dataDir, 'outbox-key'))).mode & 0o777).toBe(0o600)
  })
})

describe('a service whose PUBLIC_URL is local', () => {
  const elsewhere = [{ host: 'video.example.test' }, ...fromProxies.map((line) => headerOf(line))]

  test('serves no stand-in for sign-in or payment under another name or through a proxy', async () => {
    const standIns = service.routes
      .filter((route) => /^\w+ \/(dev\/sign-in|sandbox)\//.test(route))
      .map((route) => route.replace(/:id/, 'x').replace('*', '.well-known/openid-configuration').split(' '))
    expect(standIns.length).toBeGreaterThan(10)
    for (const [method, url] of standIns)
      for (const headers of elsewhere) {
        const answer = await service.app.inject({ method: method as 'GET', url: url!, headers, payload: {} })
        const what = `${method} ${url} ${JSON.stringify(headers)}`
        expect(answer.statusCode, what).toBe(404)
        if (method !== 'HEAD') expect(answer.json().message, what).toBe('There is no such call.')
      }
    const here = async (url: string) => (await service.app.inject(url)).body
    expect(await here('/dev/sign-in/google/.well-known/openid-configuration')).toContain('authorization_endpoint')
    expect(await here('/sandbox/receipts/x')).toContain('This page is gone')
  })

  test('recognises every header that proxies add', async () => {
    for (const header of proxyHeaders) {
      const name = header.replace('*', 'x')
      const { statusCode, body } = await service.app.inject({ url: '/sandbox/receipts/x', headers: { [name]: 'x' } })
      expect({ name, statusCode, body }).toMatchObject({
        statusCode: 404,
        body: expect.stringContaining('no such call'),
      })
    }
  })

  test('refuses posts to the stand-ins from pages of other sites', async () => {
    const posts = service.routes
      .filter((route) => /^(POST|PUT|PATCH|DELETE) \/(dev\/sign-in|sandbox)\//.test(route))
      .map((route) => route.replace(/:id/, 'x').replace('*', 'authorize').split(' '))
    expect(posts.length).toBeGreaterThan(4)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const ask = (method: string, url: string, headers: Record<string, string>) =>
      service.app.inject({ method: method as 'POST', url, headers: { ...form, ...headers }, payload: 'days=1' })
    const notHere = 'There is no such call.'
    for (const [method, url] of posts) {
      for (const headers of [
        { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
        { 'sec-fetch-site': 'same-site', origin: 'http://other.localhost:4000' },
        { origin: 'https://evil.example' },
        { origin: 'http://localhost:9999' },
        { origin: 'null' },
      ] as Record<string, string>[])
        expect((await ask(method!, url!, headers)).body, `${method} ${url} ${JSON.stringify(headers)}`).toContain(
          notHere,
        )
      // A page of ours, and a program that is no browser.
      for (const headers of [
        {},
        { 'sec-fetch-site': 'same-origin', origin: 'null' },
        { origin: service.config.publicUrl },
      ])
        expect((await ask(method!, url!, headers as Record<string, string>)).body, `${method} ${url}`).not.toContain(
          notHere,
        )
    }
  })

  test('warns once, with the remedy, about requests from elsewhere, and not about local ones', async () => {
    for (const headers of elsewhere) {
      const lines: string[] = []
      const app = fastify({ logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } })
      warnOfProxies(app, { publicUrl: 'http://localhost:4000' })
      app.get('/', () => 'served')
      expect((await app.inject('/')).body).toBe('served')
      expect(lines).toEqual([])
      for (let n = 0; n < 3; n++) expect((await app.inject({ url: '/', headers })).body).toBe('served')
      expect(lines, JSON.stringify(headers)).toHaveLength(1)
      expect(lines[0]).toContain('set PUBLIC_URL to what people type')
      await app.close()
    }
  })
})

describe('rate limits count the true client address', () => {
  const report = ['Content-Type: application/csp-report']
  /** How many of 40 reports were taken, each with its own X-Forwarded-For. */
  const taken = async (env: Record<string, string>, chain: (n: number) => string) => {
    const hosted = await serve({ PUBLIC_URL: 'https://video.example.test', ...env })
    try {
      const answers = []
      for (let n = 0; n < 40; n++)
        answers.push(
          await hosted.ask('/csp-reports', [...report, `X-Forwarded-For: ${chain(n)}`], { method: 'POST', body: '{}' }),
        )
      return answers.filter(({ status }) => status === 204).length
    } finally {
      await hosted.close()
    }
  }

  test.each<[string, Record<string, string>, (n: number) => string, number]>([
    [
      'an invented first hop before the one that the proxy adds',
      { TRUST_PROXY: '1' },
      (n) => `198.51.100.${n}, 203.0.113.9`,
      30,
    ],
    [
      'a long invented chain',
      { TRUST_PROXY: 'loopback' },
      (n) => `1.1.1.${n}, 127.0.0.1, 10.0.0.${n}, 203.0.113.9`,
      30,
    ],
    [
      'invented proxies of ours in the chain',
      { TRUST_PROXY: 'loopback,10.0.0.0/8' },
      (n) => `198.51.100.${n}, 10.0.0.7, 203.0.113.9, 10.0.0.5`,
      30,
    ],
    [
      'ports of callers and of proxies in the chain',
      { TRUST_PROXY: 'loopback,10.0.0.0/8' },
      (n) => `198.51.100.${n}:443, 203.0.113.9:50${100 + n}, 10.0.0.5:41000`,
      30,
    ],
    [
      'different callers behind two proxies that write ports',
      { TRUST_PROXY: 'loopback,10.0.0.0/8' },
      (n) => `203.0.113.${n}:50100, 10.0.0.5:41000`,
      40,
    ],
    ['two proxies in front', { TRUST_PROXY: '2' }, (n) => `198.51.100.${n}, 203.0.113.9, 10.0.0.5`, 30],
    ['no proxy trusted', {}, (n) => `198.51.100.${n}`, 30],
    ['no address at all', { TRUST_PROXY: 'loopback' }, (n) => `nonsense-${n}, 203.0.113.9`, 30],
    ['different callers behind one proxy', { TRUST_PROXY: '1' }, (n) => `203.0.113.${n}`, 40],
    ['different callers behind a proxy on this machine', { TRUST_PROXY: 'loopback' }, (n) => `203.0.113.${n}`, 40],
  ])('with %s', async (_title, env, chain, count) => {
    expect(await taken(env, chain)).toBe(count)
  })
})

test('TRUST_PROXY takes addresses or a number of proxies, and refuses anything else with a reason', () => {
  expect(parseTrustProxy('2')).toBe(2)
  expect(parseTrustProxy('loopback, 10.0.0.5,fd00::/8')).toEqual(['loopback', '10.0.0.5', 'fd00::/8'])
  for (const wrong of [
    'yes',
    'true',
    '*',
    '0',
    '11',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0',
    'proxy.example',
    'loopback,',
    '1,2',
  ])
    expect(parseTrustProxy(wrong), wrong).toBeUndefined()
  expect(() => readConfig({ TRUST_PROXY: 'yes' })).toThrow(
    /TRUST_PROXY should be the addresses of your proxies.*10\.0\.0\.5.*how many.*not "yes"/,
  )
})

test('an address with a port behind it, as some proxies write it, is counted as without one', () => {
  expect(netsOf('203.0.113.9:50123')).toEqual(netsOf('203.0.113.9'))
  expect(netsOf('[2001:db8:1:2::7]:443')).toEqual(netsOf('2001:db8:1:2::7'))
  expect(netsOf('[2001:db8:1:2::7]')).toEqual(netsOf('2001:db8:1:2::7'))
  expect(netsOf('[::ffff:203.0.113.9]:443')).toEqual(netsOf('203.0.113.9'))
})

test('text with colons that is no address is one network, and a network or an id is counted as itself', () => {
  for (const wrong of ['1:2:3:4:5:6:7:8::9', '1::2::3', '2001:db8:1', '2001:db8::g', ':'])
    expect(netsOf(wrong), wrong).toEqual(netsOf(''))
  const id = randomUUID()
  expect(netsOf(id)).toEqual([{ net: id, times: 1 }])
  expect(netsOf(networkOf('2001:db8:1:2::7'))).toEqual(netsOf('2001:db8:1:2::7'))
})

test('an address is counted by every net that holds it, and a wider one has no more than a quarter of all', () => {
  const nets = (ip: string) => netsOf(ip).map(({ net }) => net)
  expect(nets('198.51.100.7')).toEqual(['198.51.100.7', '198.51.100.0/24'])
  expect(nets('::ffff:198.51.100.7')).toEqual(['198.51.100.7', '198.51.100.0/24'])
  const six = ['2001:0db8:0001:12ab', '2001:0db8:0001:12/56', '2001:0db8:0001/48']
  expect(nets('2001:db8:1:12ab::1')).toEqual(six)
  expect(nets('2001:db8:1:12ab:1:2:3:4')).toEqual(six)
  expect(nets('')).toEqual([''])
  const bounds = (ip: string, most: number, total?: number) => netsOf(ip).map((net) => boundOf(net, most, total))
  expect(bounds('2001:db8::1', 60, 2000)).toEqual([60, 120, 240])
  expect(bounds('198.51.100.7', 60, 2000)).toEqual([60, 240])
  expect(bounds('2001:db8::1', 60, 400)).toEqual([60, 100, 100])
  expect(bounds('2001:db8::1', 60, 100)).toEqual([60, 60, 60])
  expect(bounds('2001:db8::1', 30)).toEqual([30, 60, 120])
})

test('only the names of this machine are local', () => {
  for (const name of ['localhost', 'LOCALHOST', '127.0.0.1', '127.8.8.8', '[::1]'])
    expect(isLocalName(name), name).toBe(true)
  for (const name of [
    '',
    'localhost.',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '0.0.0.0',
    '[::]',
    '::1',
    'a.localhost',
  ])
    expect(isLocalName(name), name).toBe(false)
  expect(readConfig({ PUBLIC_URL: 'http://localhost.evil.example' }).seed).toBe('none')
})
