import { connect, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { isLong, seeded, seedOfRun } from './random.ts'
import { makePerson, openService, type Person, type Service } from './service.ts'

// Requests that end before they are whole, by whoever sends them: nothing of it may end the service or be an error that
// it does not know. A service under npm test lives as long as these requests do.
const requests = isLong ? 20_000 : 300
const timeouts = { headersMs: 1500, bodyMs: 300, uploadMs: 600, uploadBytes: 1000, readMs: 300, checkMs: 20 }
const routes: { method: string; url: string }[] = []
const unexpected: string[] = []
const noteUncaught = (error: Error): void => void unexpected.push(error.stack ?? error.message)
/** What pages tell of themselves is answered alike, whatever comes. */
const neverFails = '/api/track/public/send/'
let service: Service
let officer: Person
let port: number

beforeAll(async () => {
  service = await openService({}, undefined, {
    timeouts,
    log: { write: (line) => void unexpected.push(line) },
    onRoute: ({ method, url }) => routes.push(...[method].flat().map((one) => ({ method: one, url }))),
  })
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  port = (service.app.server.address() as AddressInfo).port
  officer = await makePerson(service, 'User')
  process.on('uncaughtException', noteUncaught)
})
afterEach(() => unexpected.splice(0))
afterAll(async () => {
  process.off('uncaughtException', noteUncaught)
  await service.close()
})

it('a packed body is refused on every route, and what is no such body ends nothing', async () => {
  const doors = routes.filter(({ method }) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
  // As a floor: the product has far more than a hundred.
  expect(doors.length).toBeGreaterThan(100)
  const wrong: string[] = []
  for (let at = 0; at < doors.length; at += 40)
    await Promise.all(
      doors.slice(at, at + 40).map(async ({ method, url }, index) => {
        const path = url.replace(/:\w+/g, 'b5b9f0a2-4d6f-4c6a-9a53-0f4f5b0f8b51').replace('*', 'x')
        const encoding = ['gzip', 'br', 'deflate', 'zstd', 'gzip, br'][index % 5]!
        const head = [...headersOf(path), `Content-Encoding: ${encoding}`, 'Content-Length: 5000']
        const heard = await say([`${method} ${path} HTTP/1.1`, ...head, '', 'garbage'].join('\r\n'))
        const isRefused = heard.startsWith('HTTP/1.1 400 ') && /request.wrong-type|text\/html/.test(heard)
        if (!isRefused && url !== neverFails) wrong.push(`${method} ${url} ${encoding}: ${heard.slice(0, 200)}`)
      }),
    )
  // The server looks after its open requests again and again.
  await sleep(10 * timeouts.checkMs)
  expect(wrong).toEqual([])
  expect(unexpected).toEqual([])
  expect((await service.app.inject('/health/live')).statusCode).toBe(200)
})

it(`${requests} requests that are cut, reset, packed or hardly begun end nothing`, async () => {
  const seed = seedOfRun()
  const random = seeded(seed)
  const upload = await begin(2_000_000)
  const paths =
    `/ /login /panel /api/projects/list /api/events /api/users/me/ /uploads /nowhere /identity/sign-in/password
    /webhooks/payments /unsubscribe /health/ready /api/docs ${upload} ${upload} ${upload}`.split(/\s+/)
  for (let at = 0; at < requests; at += 24)
    await Promise.all(Array.from({ length: 24 }, () => cutShort(random, random.one(paths))))
  await sleep(10 * timeouts.checkMs)
  expect(unexpected, `PROVE_SEED=${seed}`).toEqual([])
  expect((await service.app.inject('/health/live')).statusCode).toBe(200)
  const { status } = await fetch(`http://127.0.0.1:${port}/health/live`)
  expect(status).toBe(200)
}, 600_000)

/** Sends a request with headers by chance, some of its body or none, and leaves at a moment of its own in one of three ways. */
const cutShort = (random: ReturnType<typeof seeded>, path: string): Promise<void> =>
  new Promise((resolve) => {
    const chance = (share: number) => random.next() < share
    const body = random.one([
      '',
      '{}',
      'garbage',
      'x'.repeat(random.whole(0, 100_000)),
      gzipSync('{}'),
      brotliCompressSync('{}'),
    ])
    const inChunks = chance(0.3)
    const more = random.one([0, random.whole(0, 5000)])
    const head = [
      `${random.one(['GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])} ${path} HTTP/1.1`,
      'Host: x',
      ...(chance(0.8) ? [`Authorization: Bearer ${officer.token}`] : []),
      ...(chance(0.2) ? [`Content-Encoding: ${random.one(['gzip', 'br', 'identity', 'deflate', ''])}`] : []),
      ...(chance(0.5) ? [`Accept-Encoding: ${random.one(['gzip', 'br', '*', 'gzip;q=0', 'identity;q=0'])}`] : []),
      `Content-Type: ${random.one(['application/json', 'application/x-www-form-urlencoded', 'application/offset+octet-stream', 'text/plain'])}`,
      ...(chance(0.6) ? ['Tus-Resumable: 1.0.0', `Upload-Offset: ${random.one(['0', '-1', '9e9'])}`] : []),
      ...(chance(0.2) ? [`Upload-Length: ${random.one(['0', '5', 'x'])}`] : []),
      ...(chance(0.3) ? [`Range: bytes=${random.one(['0-', '-5', '5-2', '0-9999999', 'abc'])}`] : []),
      ...(chance(0.1) ? ['Expect: 100-continue'] : []),
      inChunks ? 'Transfer-Encoding: chunked' : `Content-Length: ${Buffer.byteLength(body) + more}`,
    ]
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).once('close', () => resolve())
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    if (chance(0.7)) {
      if (inChunks) socket.write(`${Buffer.byteLength(body).toString(16)}\r\n`)
      socket.write(body)
      if (inChunks && chance(0.7)) socket.write('\r\n0\r\n\r\n')
    }
    if (chance(0.7)) socket.resume()
    const leave = random.one([
      () => void socket.destroy(),
      () => void socket.resetAndDestroy(),
      () => void socket.end(() => setTimeout(() => socket.destroy(), 50)),
    ])
    setTimeout(leave, random.one([0, 5, 60, 200]))
  })

const headersOf = (path: string): string[] => [
  'Host: x',
  `Content-Type: ${path.startsWith('/uploads') ? 'application/offset+octet-stream' : 'application/json'}`,
  ...(path.startsWith('/uploads') ? ['Tus-Resumable: 1.0.0', 'Upload-Length: 1000', 'Upload-Offset: 0'] : []),
]

/** What comes back until the line ends, or for five seconds. */
const say = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    socket.on('data', (data) => (heard += data)).on('error', () => {})
    socket.once('close', () => resolve(heard))
    socket.write(text)
    setTimeout(() => socket.destroy(), 5000).unref()
  })

const begin = async (size: number): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${officer.token}`, 'tus-resumable': '1.0.0', 'upload-length': String(size) },
  })
  expect(response.status).toBe(201)
  return new URL(response.headers.get('location')!, `http://127.0.0.1:${port}`).pathname
}
