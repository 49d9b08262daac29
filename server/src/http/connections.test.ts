import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, test } from 'vitest'
import { openService, type Service } from '../../test/service.ts'
import { defaultConnectionLimits, mostUnderWay } from './connections.ts'

let service: Service
let port: number
const lines = new Set<Socket>()
beforeAll(async () => {
  service = await openService({}, undefined, { connections: { total: 5, perNetwork: 3, refused: 2 } })
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  port = (service.app.server.address() as AddressInfo).port
})
afterEach(async () => {
  for (const line of lines) line.destroy()
  lines.clear()
  await expect.poll(() => openAtServer()).toBe(0)
})
afterAll(() => service.close())

it('a network gets its share of connections; one more is refused with 503, and the others continue', async () => {
  const office = [open('127.0.0.1'), open('127.0.0.1'), open('127.0.0.1')]
  for (const line of office) expect(await line.ask('/identity/providers')).toMatch(/^HTTP\/1.1 200 /)
  const refused = await open('127.0.0.1').ask('/identity/providers')
  expect(refused).toMatch(/^HTTP\/1.1 503 /)
  expect(refused).toMatch(/\r\nretry-after: 10\r\n/i)
  expect(refused).toMatch(/\r\nconnection: close\r\n/i)
  expect(refused).toContain('"code":"service.crowded"')
  const page = await open('127.0.0.1').ask('/api-docs', 'Accept: text/html\r\n')
  expect(page).toMatch(/^HTTP\/1.1 503 /)
  expect(page).toContain('<h1>One moment, please</h1>')
  expect(await open('127.0.0.1').ask('/health/live')).toMatch(/^HTTP\/1.1 200 /)
  expect(await open('127.0.2.1').ask('/identity/providers')).toMatch(/^HTTP\/1.1 200 /)
  for (const line of office) expect(await line.ask('/identity/providers')).toMatch(/^HTTP\/1.1 200 /)
})

it('a connection that closes frees its place', async () => {
  const office = [open('127.0.0.1'), open('127.0.0.1'), open('127.0.0.1')]
  for (const line of office) await line.ask('/health/live')
  office[0]!.socket.destroy()
  await expect.poll(() => openAtServer()).toBe(2)
  expect(await open('127.0.0.1').ask('/identity/providers')).toMatch(/^HTTP\/1.1 200 /)
})

it('all networks together have a limit too, and connections far beyond it are closed without an answer', async () => {
  const served = ['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.2.1', '127.0.2.1'].map((from) => open(from))
  for (const line of served) expect(await line.ask('/identity/providers')).toMatch(/^HTTP\/1.1 200 /)
  expect(await open('127.0.3.1').ask('/identity/providers')).toMatch(/^HTTP\/1.1 503 /)
  await expect.poll(() => openAtServer()).toBe(5)
  // Two silent connections take the places reserved for refusals.
  const silent = [open('127.0.3.1'), open('127.0.3.1')]
  await expect.poll(() => openAtServer()).toBe(7)
  expect(await open('127.0.4.1').ask('/identity/providers')).toBe('')
  for (const line of silent) expect(line.socket.destroyed).toBe(false)
})

it('a connection on which many requests are under way at once is closed, and one that comes early is answered', async () => {
  const send = (count: number) =>
    new Promise<number>((resolve) => {
      let heard = ''
      const line = connect({ host: '127.0.0.1', port })
      lines.add(line)
      const answers = () => heard.split('HTTP/1.1 200').length - 1
      line.on('data', (bytes) => {
        heard += bytes.toString()
        if (answers() === count) resolve(count)
      })
      line.on('error', () => {}).on('close', () => resolve(answers()))
      line.write('GET /identity/providers HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(count))
    })
  expect(await send(2)).toBe(2)
  expect(await send(200)).toBeLessThan(200)
  expect(await open('127.0.0.1').ask('/identity/providers')).toMatch(/^HTTP\/1.1 200 /)
})

test.each([1024, 4096, 65_536])('of %d files all connections leave some, each request with one of its own', (files) => {
  const { total, refused } = defaultConnectionLimits(files)
  expect(total * (1 + mostUnderWay) + refused).toBeLessThanOrEqual(files - 150)
  expect(total).toBeGreaterThan(files / 20)
})

it('behind a proxy a network has its share of the requests under way, and gives back what is over', async () => {
  const proxied = await openService({ TRUST_PROXY: 'loopback' }, undefined, {
    connections: { total: 40, perNetwork: 3, refused: 2 },
  })
  onTestFinished(() => proxied.close())
  await proxied.app.listen({ port: 0, host: '127.0.0.1' })
  const at = (proxied.app.server.address() as AddressInfo).port
  const from = (ip: string) => `X-Forwarded-For: ${ip}\r\n`
  const [crowd, others] = [from('203.0.113.9'), from('198.51.100.9')]
  const ask = (path: string, sender: string) => open('127.0.0.1', at).ask(path, sender)
  // What is answered, whatever becomes of its body, holds nothing once that has come or its line is closed.
  for (let n = 0; n < 6; n++) {
    expect(await ask('/identity/providers', crowd)).toMatch(/^HTTP\/1.1 200 /)
    const early = open('127.0.0.1', at)
    expect(await early.ask('/nowhere', `${crowd}Content-Length: 100\r\n`, 'POST')).toMatch(/^HTTP\/1.1 404 /)
    if (n % 2 === 0) early.socket.destroy()
    else early.socket.write('x'.repeat(100))
    await expect.poll(() => ask('/identity/providers', crowd)).toMatch(/^HTTP\/1.1 200 /)
  }
  const slow = [1, 2, 3].map(() => open('127.0.0.1', at))
  const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n'
  for (const { socket } of slow) socket.write(`POST /contact HTTP/1.1\r\nHost: x\r\n${crowd}${form}\r\nname=`)
  await expect.poll(() => ask('/identity/providers', crowd)).toMatch(/^HTTP\/1.1 503 [^]*"code":"service.crowded"/)
  expect(await ask('/health/live', crowd)).toMatch(/^HTTP\/1.1 200 /)
  expect(await ask('/identity/providers', others)).toMatch(/^HTTP\/1.1 200 /)
  slow[0]!.socket.destroy()
  await expect.poll(() => ask('/identity/providers', crowd)).toMatch(/^HTTP\/1.1 200 /)
})

it.each(['GET /api/events', 'POST /api/events', 'GET /health/live', 'POST /health/ready', 'PUT /nowhere'])(
  'behind a proxy a request whose body goes on after its answer holds a place of its network: %s',
  async (asked) => {
    const proxied = await openService({ TRUST_PROXY: 'loopback' }, undefined, {
      connections: { total: 40, perNetwork: 3, refused: 2 },
    })
    onTestFinished(() => proxied.close())
    await proxied.app.listen({ port: 0, host: '127.0.0.1' })
    const at = (proxied.app.server.address() as AddressInfo).port
    const ask = (path: string, ip: string, more = '', method = 'GET') =>
      open('127.0.0.1', at).ask(path, `X-Forwarded-For: ${ip}\r\n${more}`, method)
    const [method, path] = asked.split(' ') as [string, string]
    for (let n = 0; n < 3; n++)
      expect(await ask(path, '203.0.113.9', 'Content-Length: 100\r\n', method)).toMatch(/^HTTP\/1.1 (200|400|401|404) /)
    expect(await ask('/identity/providers', '203.0.113.9')).toMatch(/^HTTP\/1.1 503 /)
    expect(await ask(path, '203.0.113.9', 'Transfer-Encoding: chunked\r\n', method)).toMatch(/^HTTP\/1.1 503 /)
    expect(await ask('/health/live', '203.0.113.9')).toMatch(/^HTTP\/1.1 200 /)
    expect(await ask('/identity/providers', '198.51.100.9')).toMatch(/^HTTP\/1.1 200 /)
  },
)

const openAtServer = () =>
  new Promise<number>((resolve) => service.app.server.getConnections((_error, count) => resolve(count)))

/** A connection from this address of the machine. `ask` sends a request and answers what comes, '' when it is closed. */
const open = (localAddress: string, at = port) => {
  const socket = connect({ port: at, host: '127.0.0.1', localAddress })
  lines.add(socket)
  socket.on('error', () => {})
  const ask = (path: string, more = '', method = 'GET') => {
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`)
    return new Promise<string>((resolve) => {
      let heard = ''
      const onData = (data: Buffer) => {
        heard += data
        const [, length] = /\r\ncontent-length: (\d+)/i.exec(heard) ?? []
        const [, body] = heard.split('\r\n\r\n')
        if (length === undefined || body === undefined || Buffer.byteLength(body) < Number(length)) return
        socket.off('data', onData)
        resolve(heard)
      }
      socket.on('data', onData).once('close', () => resolve(heard))
    })
  }
  return { socket, ask }
}
