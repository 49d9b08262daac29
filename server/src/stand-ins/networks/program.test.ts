import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startNetworks, type StandInNetworks } from '../../../test/stand-in-networks.ts'

let networks: StandInNetworks
beforeAll(async () => void (networks = await startNetworks()))
afterAll(() => networks.close())

/** By node:http, whose requests may name any Host. */
const ask = (method: string, path: string, headers: Record<string, string>, body = '') =>
  new Promise<number>((resolve, reject) => {
    const asked = request(networks.origin + path, { method, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode!))
    })
    asked.on('error', reject).end(body)
  })
const grants = async () => (await networks.control({ grants: 'youtube' })) as { accounts: string[] }

test('the stand-ins of networks are changed by no page of another site, and by no other name of this machine', async () => {
  const grant = JSON.stringify({ grant: { network: 'youtube', account: 'victim' } })
  const { host } = new URL(networks.origin)
  for (const headers of [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: networks.origin, 'sec-fetch-site': 'same-site' },
    { host: 'evil.example' },
    { host: `evil.example:${new URL(networks.origin).port}`, origin: 'http://evil.example', 'sec-fetch-site': 'none' },
    { 'x-forwarded-for': '93.184.216.34' },
  ] as Record<string, string>[]) {
    expect([headers, await ask('POST', '/control', headers, grant)]).toEqual([headers, 404])
    expect([headers, await ask('POST', '/youtube/', headers)]).toEqual([headers, 404])
  }
  expect(await ask('GET', '/youtube/', { host: 'evil.example' })).toBe(404)
  expect((await grants()).accounts).toEqual([])
  // Its own pages, a typed address and a program of this machine.
  for (const headers of [
    { origin: networks.origin, 'sec-fetch-site': 'same-origin' },
    { origin: `http://${host}` },
    {},
  ])
    expect(await ask('POST', '/control', headers as Record<string, string>, grant)).toBe(200)
  expect((await grants()).accounts).toContain('victim')
  expect(await ask('GET', '/youtube/', {})).toBe(200)
})

test('a pattern that takes for ever over a path does not keep the stand-ins of networks from answering', async () => {
  await networks.control({
    faults: [{ network: 'youtube', method: 'GET', path: '(a+)+$', skip: 0, kind: 'error-before' }],
  })
  const answered = await Promise.race([
    ask('GET', `/youtube/${'a'.repeat(40)}!`, {}),
    new Promise((resolve) => setTimeout(resolve, 20_000, 'still busy')),
  ])
  expect(answered).not.toBe('still busy')
  await networks.control({
    faults: [
      { network: 'youtube', method: 'GET', path: '[', skip: 0, kind: 'error-before' },
      { network: 'youtube', method: 'GET', path: '^/$', skip: 0, kind: 'error-before' },
    ],
  })
  expect(await ask('GET', '/youtube/', {})).toBe(503)
})
