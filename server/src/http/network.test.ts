import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHttp } from '../main/http.ts'
import { readConfig } from '../main/config.ts'
import { openService, type Service } from '../../test/service.ts'
import { isLocalName, parseTrustProxy } from './network.ts'

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
  /** Bytes as somebody on this machine, or a proxy on it, would write them. */
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

const localPages = ['/dev/outbox', '/dev/outbox?to=somebody@mail.test', '/dev/outbox/x', '/dev/csp-reports', '/metrics']
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

describe('pages for the eyes of this machine', () => {
  test('answer a program on it, and nobody whose request came through a proxy or under another name', async () => {
    const local = await serve({ METRICS_TOKEN: 'a-token-for-the-scraper' })
    try {
      for (const host of ['localhost', 'localhost:4000', '127.0.0.1:1', '[::1]:4000'])
        expect((await local.ask('/dev/outbox', [], { host })).status, host).toBe(200)
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

  test('do not exist where others use the service, whatever a request says of itself', async () => {
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

  test('metrics are for who brings the token, through any proxy', async () => {
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

describe('limits by the minute count the true caller', () => {
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
    ['two proxies in front', { TRUST_PROXY: '2' }, (n) => `198.51.100.${n}, 203.0.113.9, 10.0.0.5`, 30],
    ['no proxy trusted', {}, (n) => `198.51.100.${n}`, 30],
    ['no address at all', { TRUST_PROXY: 'loopback' }, (n) => `nonsense-${n}, 203.0.113.9`, 30],
    ['different callers behind one proxy', { TRUST_PROXY: '1' }, (n) => `203.0.113.${n}`, 40],
    ['different callers behind a proxy on this machine', { TRUST_PROXY: 'loopback' }, (n) => `203.0.113.${n}`, 40],
  ])('%s', async (_title, env, chain, count) => {
    expect(await taken(env, chain)).toBe(count)
  })
})

test('TRUST_PROXY takes addresses or a number of proxies, and says so of anything else', () => {
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

test('only this machine’s own names are local', () => {
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
