import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import { fileUrl } from '../src/assets/addresses.ts'
import { askingNow, everybody, filesConnections, strangersConnections } from '../src/kernel/asker.ts'
import { sql } from '../src/kernel/database.ts'
import { patienceOfPeople } from '../src/kernel/pool.ts'
import { ownConnections } from '../src/kernel/turns.ts'
import { partOfWalk, seedOfRun } from './random.ts'
import { routeOf, type Asked } from './routes.ts'
import { openObjectStore } from './object-store.ts'
import { openStage, type Stage } from './stage.ts'
import {
  confirmedLately,
  headersOf,
  makeOfficer,
  makePicture,
  openService,
  type Person,
  type Service,
} from './service.ts'

/**
 * Whatever a request asks of the database is asked in its sender's turn, at every door: one person's requests take few
 * connections, and nobody else waits for them.
 */
let service: Service
let stage: Stage
/** For whom each connection was taken since `taken` was emptied; undefined: for nobody whose turn it would be. */
const taken: (string | undefined)[] = []
/** The same for one request alone: what the service does by itself meanwhile is nobody's request. */
const ofRequest = new AsyncLocalStorage<(string | undefined)[]>()
/** Turns that hold a connection; and what stands in the list of a request that asks for another one meanwhile. */
const turns = new Set<object>()
const twice = 'a second connection'
/** Of each asker, how many connections they hold, and held at most. */
const held = new Map<string | undefined, number>()
let mostHeld = 0
/** Of whoever has not shown who they are, all together; and of files. */
let mostOfStrangers = 0
let mostOfFiles = 0

beforeAll(async () => {
  const connect = pg.Pool.prototype.connect as (this: pg.Pool, ...args: unknown[]) => Promise<pg.PoolClient>
  vi.spyOn(pg.Pool.prototype, 'connect').mockImplementation(async function (this: pg.Pool, ...args: unknown[]) {
    // The queue's own pool is asked by callback.
    if (args.length > 0) return connect.apply(this, args)
    const now = askingNow()
    const who = now?.who.id
    // A turn is one connection: whoever waits for another one while they hold theirs may wait for each other.
    if (now?.isIn && now.who.id !== everybody && turns.has(now)) ofRequest.getStore()?.push(twice)
    if (now) turns.add(now)
    taken.push(who)
    ofRequest.getStore()?.push(who)
    const count = (held.get(who) ?? 0) + 1
    held.set(who, count)
    if (who !== undefined) mostHeld = Math.max(mostHeld, count)
    const of = (kind: string) => [...held].filter(([one]) => one?.startsWith(kind)).reduce((sum, [, n]) => sum + n, 0)
    mostOfStrangers = Math.max(mostOfStrangers, of('net '))
    mostOfFiles = Math.max(mostOfFiles, of('files '))
    const client = await connect.call(this)
    const release = client.release.bind(client)
    client.release = (broken) => {
      held.set(who, held.get(who)! - 1)
      if (now) turns.delete(now)
      client.release = release
      return release(broken)
    }
    return client
  } as typeof pg.Pool.prototype.connect)
  service = await openService({ PUBLIC_URL: 'http://localhost' }, undefined, { patience: patienceOfPeople })
  stage = await openStage(service)
})
afterAll(async () => {
  await service.close()
  vi.restoreAllMocks()
})

const ask = async (
  route: string,
  { params = {}, query, headers, payload }: Asked,
  person: Person | null,
  from = '127.0.0.1',
  at: Pick<Service, 'app'> = service,
) => {
  const [method, path] = route.split(' ') as ['GET', string]
  const filled = path.replace(/:(\w+)|\*/g, (all, name?: string) => params[name ?? all] ?? all)
  const response = await at.app.inject({
    method,
    url: filled + (query ? `?${query}` : ''),
    remoteAddress: from,
    headers: { ...headers, ...(person ? { authorization: `Bearer ${person.token}` } : {}) },
    ...(payload === undefined ? {} : { payload }),
    ...(path === '/api/events' ? { payloadAsStream: true } : {}),
  })
  if (path === '/api/events') response.stream().destroy()
  return response.statusCode
}

const seed = seedOfRun()
/** What is wrong with the turns of requests to the routes, of a part of them if asked so, and how many connections they took. */
const walkTurns = async (service: Service, stage: Stage, people: readonly (Person | null)[], share = 1) => {
  const wrong: string[] = []
  let connections = 0
  // Last the live stream: the hub behind it asks for everybody who listens, in nobody's turn.
  const isLive = (route: string) => route.endsWith('/api/events')
  const isProbe = (route: string) => /^(GET|HEAD) \/(health\/ready|metrics)$/.test(route)
  const inOrder = service.routes.toSorted((one, other) => Number(isLive(one)) - Number(isLive(other)))
  for (const [place, route] of inOrder.entries()) {
    const rule = routeOf(route)
    // The live stream always: what it asks when somebody listens for the first time is asked here.
    if (!rule || (!isLive(route) && place % share !== seed % share)) continue
    for (const person of people) {
      const asker = person && (await confirmedLately(service, person))
      const asked = await rule.ask(service, stage, person)
      const taken: (string | undefined)[] = []
      await ofRequest.run(taken, () => ask(route, asked, asker, undefined, service))
      connections += taken.length
      if (isLive(route)) taken.splice(2)
      const who = person ? person.id : 'nobody'
      // Probes wait for nobody's requests.
      if (taken.includes(undefined) && !isProbe(route)) wrong.push(`${route} as ${who}: out of turn`)
      // A token is read before the database is asked; a call for anybody asks as nobody's.
      const strangers = taken.filter((one) => one !== person?.id && one !== everybody && one !== twice)
      if (taken.includes(twice)) wrong.push(`${route} as ${who}: ${twice}`)
      if (person && rule.who !== 'anyone' && strangers.length > 0) wrong.push(`${route} as ${who}: ${strangers.join()}`)
    }
  }
  return { wrong, connections }
}

const { share, options } = partOfWalk(2)
const inTurn = 'every connection that a request takes is taken in its sender’s turn, at every route'
it(inTurn, { ...options, timeout: 300_000 }, async () => {
  const { wrong, connections } = await walkTurns(service, stage, [null, stage.officer, stage.admin], share)
  expect(wrong).toEqual([])
  expect(connections).toBeGreaterThan(everyCall.length / share)
})

it('a file is asked for in the turn of files once its address is found good, and a false one asks for nothing', async () => {
  const officer = await makeOfficer(service)
  const ids = []
  for (let n = 0; n < 3; n++) ids.push(await makePicture(service, officer, { derived: { original: '1/original.png' } }))
  taken.length = 0
  for (const id of ids) await service.app.inject({ url: fileUrl(id, '1/original.png', new Date()) })
  // What people who signed in before left behind is theirs.
  const asFiles = () => taken.filter((one) => /^(files|net) /.test(one ?? ''))
  expect(asFiles()).toEqual(ids.map(() => 'files to net 127.0.0.0/24'))
  taken.length = 0
  for (const id of ids) await service.app.inject({ url: `${fileUrl(id, '1/original.png', new Date())}x` })
  expect(asFiles()).toEqual([])
})

it('keys and names that everybody needs are read in nobody’s turn, no matter whose request comes first', async () => {
  const officer = await makeOfficer(service)
  const { now } = performance
  taken.length = 0
  // The keys that were read are an hour old.
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 3_600_000)
  try {
    await service.app.inject({ url: '/api/projects/list', headers: headersOf(officer) })
    await service.app.inject({ url: '/assets/an-older-piece-0a1b2c3d.js' })
  } finally {
    later.mockRestore()
  }
  expect(taken).toContain(everybody)
  expect(taken.filter((one) => one?.startsWith('net '))).toEqual([])
})

it('a request keeps its turn while its body comes piece by piece, on a line that others have used', async () => {
  if (!service.app.server.listening) await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = async (method: string, path: string, person: Person, pieces: readonly string[]) => {
    const { token } = await confirmedLately(service, person)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const asked = request({ host: '127.0.0.1', port, method, path, headers, agent })
    for (const piece of pieces) {
      asked.write(piece)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    asked.end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return response.statusCode
  }
  try {
    expect(await send('POST', '/api/prompts/script/new/', stage.admin, ['{"title":"First","content":"Words"}'])).toBe(
      201,
    )
    // As many are taken for whoever sends it in one piece; what the service asks by itself meanwhile is for nobody.
    const whole: (string | undefined)[] = []
    const asked = { payload: { title: 'Whole', content: 'Words' } }
    await ofRequest.run(whole, () => ask('POST /api/prompts/script/new/', asked, stage.officer))
    const own = ({ id }: Person, of: typeof taken) => of.filter((one) => one === id)
    expect(own(stage.officer, whole)).toEqual(whole)
    taken.length = 0
    const pieces = ['{"title":"In pieces",', '"content":"Words"}']
    expect(await send('POST', '/api/prompts/script/new/', stage.officer, pieces)).toBe(201)
    expect(own(stage.officer, taken)).toEqual(whole)
    expect(taken).not.toContain(stage.admin.id)
  } finally {
    agent.destroy()
  }
})

/** One call that keeps its own transactions, one door that is no call, and what a stranger asks. */
const floods: Record<string, () => Promise<number>> = {
  'a call that opens its own transactions': () => ask('GET /identity/security', {}, stage.officer),
  'another one': () => ask('GET /api/accounts/user/getToken/', {}, stage.officer),
  'an upload': () =>
    ask(
      'HEAD /uploads/:assetId',
      { params: { assetId: stage.project.id }, headers: { 'tus-resumable': '1.0.0' } },
      stage.officer,
    ),
  'the live stream': () => ask('GET /api/events', {}, stage.officer),
  'a page’s question without a session': () => ask('GET /api/subscriptions/products/public/list/', {}, null),
}

for (const [what, one] of Object.entries(floods))
  it(`three hundred requests at once keep nobody else waiting: ${what}`, async () => {
    mostHeld = 0
    const flood = Array.from({ length: 300 }, one)
    const others = await Promise.all(Array.from({ length: 20 }, () => ask('GET /api/projects/list', {}, stage.admin)))
    expect(others).toEqual(Array(20).fill(200))
    expect([...new Set(await Promise.all(flood))].filter((status) => status >= 500)).toEqual([])
    expect(mostHeld).toBeGreaterThan(0)
    expect(mostHeld).toBeLessThanOrEqual(ownConnections)
  })

for (const [what, most, addressOf] of [
  ['sixty addresses of one net', ownConnections, (at: number) => `198.51.100.${1 + (at % 60)}`],
  ['sixty nets', strangersConnections, (at: number) => `100.64.${at % 60}.7`],
] as const)
  it(`requests of strangers from ${what} at once keep no signed-in person waiting, nor the service itself`, async () => {
    mostOfStrangers = 0
    const flood = Array.from({ length: 400 }, (_, at) =>
      ask('GET /api/subscriptions/products/public/list/', {}, null, addressOf(at)),
    )
    const others = Promise.all(Array.from({ length: 20 }, () => ask('GET /api/projects/list', {}, stage.admin)))
    // As probes and jobs ask, which wait for no turn.
    const ofItself = Promise.all(
      Array.from({ length: 3 }, () =>
        service.database.asSystem((tx) => tx.first(sql<{ one: number }>`select 1 as one`)),
      ),
    )
    expect(await others).toEqual(Array(20).fill(200))
    expect(await ofItself).toEqual(Array(3).fill({ one: 1 }))
    // A stranger's question waits or is told to come back.
    expect([...new Set(await Promise.all(flood))].filter((status) => status >= 500)).toEqual([])
    expect(mostOfStrangers).toBe(most)
  })

it('five hundred good addresses of sixty files, from sixty nets at once, keep no signed-in person waiting', async () => {
  const officer = await makeOfficer(service)
  const urls: string[] = []
  for (let n = 0; n < 60; n++) {
    const id = await makePicture(service, officer, { derived: { original: '1/original.png' } })
    urls.push(fileUrl(id, '1/original.png', new Date()))
  }
  mostOfFiles = 0
  const flood = Array.from({ length: 500 }, async (_, at) => {
    const from = { url: urls[at % 60]!, remoteAddress: `100.65.${at % 60}.7` }
    return (await service.app.inject(from)).statusCode
  })
  const others = Promise.all(Array.from({ length: 20 }, () => ask('GET /api/projects/list', {}, stage.admin)))
  expect(await others).toEqual(Array(20).fill(200))
  expect([...new Set(await Promise.all(flood))].filter((status) => status >= 500)).toEqual([])
  expect(mostOfFiles).toBe(filesConnections)
})

const store = await openObjectStore()
afterAll(() => store?.close())

// The last of this file: files lie in a bucket from here on, whose rows take connections of their own.
it.skipIf(!store)(
  'no request that holds a connection asks for a second one where files lie in a bucket, at every route',
  { tags: 'long', timeout: 300_000 },
  async () => {
    const place = await store!.makeBucket()
    const inBucket = await openService(
      {
        PUBLIC_URL: 'http://localhost',
        STORAGE: 'bucket',
        BUCKET_URL: place.url,
        BUCKET_KEY_ID: place.keyId,
        BUCKET_SECRET: place.secret,
      },
      undefined,
      { patience: patienceOfPeople },
    )
    try {
      const stage = await openStage(inBucket)
      const { wrong, connections } = await walkTurns(inBucket, stage, [stage.officer, stage.admin])
      expect(wrong).toEqual([])
      expect(connections).toBeGreaterThan(everyCall.length)
      // A take that is begun twice: its row stands, and its file is asked for again.
      const text = (words: string) => Buffer.from(words).toString('base64')
      const takeId = randomUUID()
      const begun = {
        headers: {
          'tus-resumable': '1.0.0',
          'upload-length': '1000',
          'upload-metadata': `filename ${text('take.mp4')},takeId ${text(takeId)}`,
        },
      }
      for (let times = 1; times <= 2; times++) {
        const taken: (string | undefined)[] = []
        const asked = ofRequest.run(taken, () => ask('POST /uploads', begun, stage.officer, undefined, inBucket))
        expect(await asked).toBe(201)
        expect(taken.length).toBeGreaterThan(1)
        expect(new Set(taken)).toEqual(new Set([stage.officer.id]))
      }
    } finally {
      await inBucket.close()
    }
  },
)
