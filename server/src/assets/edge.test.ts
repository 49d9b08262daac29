import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { createContext, runInContext } from 'node:vm'
import fastify from 'fastify'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { kinds, Refusal } from '@clear-to-post/contract/errors'
import { seeded, seedOfRun } from '../../test/random.ts'
import { mountMedia, requireSigned } from '../http/media.ts'
import type { Database } from '../kernel/database.ts'
import { exportUrl, fileUrl, kitUrl, openAddresses, sourcesUrl } from './addresses.ts'
import { edgeFunction } from './edge.ts'

const [older, newer] = ['an older secret of the service', 'a newer secret of the service']
const at = new Date('2026-11-27T12:00:00Z')
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: at }))
afterEach(() => void vi.useRealTimers())

type Answer = { uri?: string; statusCode?: number }

/** The function as a CDN runs it: a script of its own, that knows `require`, `Buffer` and the clock. */
const openEdge = async (secrets: string) => {
  const sandbox = createContext({ require: createRequire(import.meta.url), Buffer, Date })
  runInContext(await edgeFunction(secrets), sandbox)
  return (address: string, method = 'GET'): number => {
    const [uri] = address.split('?')
    const search = address.slice(uri!.length + 1)
    // CloudFront hands values over as they stand in the address; one that is given twice has all of them beside the last.
    const querystring: Record<string, { value: string; multiValue?: { value: string }[] }> = {}
    for (const pair of search.split('&').filter(Boolean)) {
      const [name = '', value = ''] = pair.split('=')
      const before = querystring[name]
      querystring[name] = before
        ? { value, multiValue: [...(before.multiValue ?? [{ value: before.value }]), { value }] }
        : { value }
    }
    const event = { request: { method, uri, querystring, headers: {} } }
    const answer = (sandbox.handler as (event: object) => Answer)(event)
    return answer.statusCode ?? 200
  }
}
/** The service's own answer to the same letters. */
const service = fastify({ routerOptions: { maxParamLength: 2000 } })
service.get('/media/*', async (request) => {
  requireSigned(request, request.url.split('?')[0]!)
  return 'the file'
})
service.setErrorHandler((error, _request, reply) =>
  reply.code(error instanceof Refusal ? kinds[error.kind] : 500).send('refused'),
)
afterAll(() => service.close())
const atHome = async (address: string): Promise<number> => (await service.inject(address)).statusCode

it('the edge lets through what the service signed, under any name to save it by, and until it ends', async () => {
  const edge = await openEdge(newer)
  await openAddresses('', newer)
  for (const name of [undefined, 'My take.mp4', 'ümläut & +plus=.mp4', '“quotes” 100%.mov', '😀.mp4']) {
    const address = fileUrl(randomUUID(), '2/proxy.mp4', at, name)
    expect(edge(address), name).toBe(200)
    expect(edge(address, 'HEAD')).toBe(200)
    expect(edge(address, 'POST')).toBe(405)
    vi.setSystemTime(at.getTime() + 4 * 3_600_000)
    expect(edge(address)).toBe(403)
    expect(await atHome(address)).toBe(403)
    vi.setSystemTime(at)
  }
})

it('the edge lets zips, kits and exports through with a good address of their own alone', async () => {
  const edge = await openEdge(newer)
  await openAddresses('', newer)
  const id = randomUUID()
  for (const address of [sourcesUrl(id, { id }, at), kitUrl(id, { id }, at), exportUrl(id, at)]) {
    expect([edge(address), await atHome(address)], address).toEqual([200, 200])
    expect(edge(address.split('?')[0]!)).toBe(404)
    expect(edge(address.replace(/sign=./, 'sign=-'))).toBe(404)
    expect(edge(address.replace(id, randomUUID()))).toBe(404)
  }
  expect(edge('/api/projects')).toBe(200)
})

it('the edge refuses a path that is written in another way than the service writes it', async () => {
  const edge = await openEdge(newer)
  await openAddresses('', newer)
  const id = `a${randomUUID().slice(1)}`
  for (const address of [fileUrl(id, 'original.mp4', at), kitUrl(id, { id }, at), exportUrl(id, at)]) {
    const [path, query] = address.split('?')
    for (const other of [
      path!.replace(id, `%61${id.slice(1)}`),
      path!.replace(id, id.toUpperCase()),
      path!.replace('original.mp4', 'origin%61l.mp4').replace('kit', '%6bit').replace('export', 'e%78port'),
      path!.replace('/media/', '/media//'),
      `${path}/`.replace('.mp4/', '%2fmp4'),
    ])
      expect([other, edge(`${other}?${query}`), edge(other)]).toEqual([other, 404, 404])
  }
})

it('every address below /media that the service answers is one that the edge knows', async () => {
  const edge = await openEdge(newer)
  await openAddresses('', newer)
  const id = randomUUID()
  const ours = [fileUrl(id, 'original.mp4', at), sourcesUrl(id, { id }, at), kitUrl(id, { id }, at), exportUrl(id, at)]
  const known = ours.map((address) => new URL(address, 'http://service').pathname.replace(id, '{id}'))
  const routes = new Set<string>()
  const app = fastify().addHook('onRoute', ({ url }) => void routes.add(url))
  mountMedia(app, { database: {} as Database, limits: true, secondFactor: 'nobody' })
  await app.close()
  const answered = [...routes].map((url) => url.replace(/:\w+/, '{id}').replace('*', 'original.mp4'))
  expect(known.toSorted()).toEqual(answered.toSorted())
  for (const address of ours) expect(edge(address)).toBe(200)
})

it('a new secret takes over while addresses of the old one are good, at the edge and at home', async () => {
  await openAddresses('', older)
  const before = fileUrl(randomUUID(), 'original.mp4', at)
  // First the edge, then the service, each with both; then the old one goes.
  const edge = await openEdge(`${newer} ${older}`)
  expect(edge(before)).toBe(200)
  await openAddresses('', `${newer} ${older}`)
  const after = fileUrl(randomUUID(), 'original.mp4', at)
  expect([edge(before), edge(after), await atHome(before), await atHome(after)]).toEqual([200, 200, 200, 200])
  expect(new URL(after, 'http://service').searchParams.get('key')).not.toBe(
    new URL(before, 'http://service').searchParams.get('key'),
  )
  await openAddresses('', newer)
  const later = await openEdge(newer)
  expect([later(before), later(after), await atHome(before), await atHome(after)]).toEqual([404, 200, 404, 200])
  // An address of the release before names no key; the service still takes it.
  const nameless = after.replace(/key=[^&]*&/, '')
  expect([await atHome(nameless), later(nameless)]).toEqual([200, 404])
})

it('of thousands of changed addresses the edge lets none through that the service would refuse', async () => {
  const edge = await openEdge(`${newer} ${older}`)
  await openAddresses('', `${newer} ${older}`)
  const random = seeded(seedOfRun())
  const changes = [
    (address: string) =>
      address.replace(/until=\d+/, `until=${Math.floor(at.getTime() / 1000) + random.whole(-9, 99_999)}`),
    (address: string) => address.replace(/proxy/, 'original'),
    (address: string) => address.replace(/[0-9a-f]{8}/, '00000000'),
    (address: string) =>
      address.replace(/[0-9a-f](?=[0-9a-f]{3}-)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    (address: string) => address.replace(/key=[^&]*/, `key=${random.next() < 0.5 ? '' : '__proto__'}`),
    (address: string) => `${address}&name=other.mp4`,
    (address: string) => `${address}&until=1`,
    (address: string) => `${address}&reader=me`,
    // What an address never says, names in escapes, and escapes that are none.
    (address: string) => `${address}&${random.one(['x=1', 'NAME=x', 'key[]=1', 'name%00=x', '=x', 'x'])}`,
    (address: string) => `${address}&${random.one(['%6eame', 'na%6de', 'r%65ader', '%75ntil', '%ke', 'name%'])}=x`,
    (address: string) =>
      `${address}&${random.one(['name', 'reader'])}=${random.one(['%ZZ', '%', '%E0%A4', '%00', ''])}`,
    (address: string) => address.replace(/name=/, () => random.one(['%6eame=', 'name=%', 'name=%E0'])),
    (address: string) => address.replace(/sign=/, 'sign=%'),
    (address: string) => address.slice(0, -random.whole(1, 24)),
    (address: string) => `${address}?${random.one(['', 'until=1', '?'])}`,
    (address: string) => {
      const place = random.whole(8, address.length - 1)
      return address.slice(0, place) + String.fromCharCode(random.whole(33, 126)) + address.slice(place + 1)
    },
  ]
  let refused = 0
  for (let n = 0; n < 3000; n++) {
    let address = fileUrl(randomUUID(), '3/proxy.mp4', at, random.next() < 0.5 ? 'a name.mp4' : undefined)
    for (let times = random.whole(1, 2); times > 0; times--)
      address = changes[random.whole(0, changes.length - 1)]!(address)
    if (!address.startsWith('/media/') || address.includes('#')) continue
    const answered = edge(address)
    if (answered === 200) expect(await atHome(address), address).toBe(200)
    else refused++
  }
  expect(refused).toBeGreaterThan(2000)
})
