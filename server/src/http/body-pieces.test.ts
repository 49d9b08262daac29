import { connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openService, type Service } from '../../test/service.ts'
import { strangersBytes } from '../kernel/call.ts'
import { inFewPieces } from './body-pieces.ts'
import { defaultConnectionLimits } from './connections.ts'

let service: Service
let port: number
beforeAll(async () => {
  service = await openService()
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  port = (service.app.server.address() as AddressInfo).port
})
afterAll(() => service.close())

it('a body that came byte by byte is handed on whole, in few pieces', async () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 251))
  const singly = Readable.from(
    Array.from(bytes, (_, i) => bytes.subarray(i, i + 1)),
    { objectMode: false },
  )
  const pieces = await inFewPieces(singly).toArray()
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
  expect(pieces.length).toBeLessThan(500)
  const large = Array.from({ length: 20 }, (_, i) => Buffer.alloc(50_000, i))
  expect(Buffer.concat(await inFewPieces(Readable.from(large)).toArray()).equals(Buffer.concat(large))).toBe(true)
})

it('a body that breaks off ends its reader with what broke it, and whoever has stopped reading goes on', async () => {
  const broken = new Readable({ read() {} })
  const few = inFewPieces(broken)
  const reading = few.toArray()
  broken.push('x')
  broken.destroy(new Error('too slow'))
  await expect(reading).rejects.toThrow('too slow')
  const left = new Readable({ read() {} })
  const first = once(inFewPieces(left), 'data')
  left.push('x'.repeat(20_000))
  await first
  left.destroy(new Error('nobody hears it'))
  await new Promise((resolve) => left.once('close', resolve))
})

it('a body of nobody’s that is larger than a stranger’s may be is refused at every route before it comes', async () => {
  const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'application/octet-stream']
  const asked = service.routes
    .filter((route) => !/^(GET|HEAD|OPTIONS) /.test(route))
    .flatMap((route) => types.map((type) => ({ route, type })))
  const isAnswered = async ({ route, type }: { route: string; type: string }): Promise<boolean> => {
    const path = route.replace(/:\w+/g, 'b5b9f0a2-4d6f-4c6a-9a53-0f4f5b0f8b51').replace('*', 'x')
    const line = connect(port, '127.0.0.1').on('error', () => {})
    line.write(`${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${strangersBytes + 1}\r\n\r\n`)
    const answer = await Promise.race([once(line, 'data').then(String), sleep(10_000, '', { ref: false })])
    line.destroy()
    return answer.startsWith('HTTP/1.1 ')
  }
  const waiting: string[] = []
  for (let at = 0; at < asked.length; at += 40)
    await Promise.all(
      asked.slice(at, at + 40).map(async (one) => {
        if (!(await isAnswered(one))) waiting.push(`${one.route} takes more than strangers may send, as ${one.type}`)
      }),
    )
  expect(waiting).toEqual([])
  expect(asked.length).toBeGreaterThan(400)
}, 120_000)

it('a body takes about the memory of its bytes, however many pieces it comes in, read or not', async () => {
  const pieces = Buffer.from('1\r\n"\r\n'.repeat(60_000))
  const doors = ['POST /identity/sign-in/password', 'POST /webhooks/payments', 'POST /unsubscribe', 'GET /api/docs']
  for (const door of doors) {
    const before = heap()
    const taken: Socket[] = []
    const take = (line: Socket) => void taken.push(line)
    service.app.server.on('connection', take)
    const type = door.includes('unsubscribe') ? 'application/x-www-form-urlencoded' : 'application/json'
    const headers = `${door} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`
    const lines = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    for (const line of lines) {
      line.write(headers)
      line.write(pieces)
    }
    // Read to the end, unless it was hung up on before.
    const isRead = (line: Socket) => line.destroyed || line.bytesRead >= headers.length + pieces.length
    await expect.poll(() => taken.filter(isRead).length, { timeout: 30_000 }).toBe(lines.length)
    // Unmended each took 11 MB.
    expect((heap() - before) / lines.length, door).toBeLessThan(1024 * 1024)
    for (const line of lines) line.destroy()
    await expect.poll(() => taken.every(({ destroyed }) => destroyed), { timeout: 30_000 }).toBe(true)
    service.app.server.off('connection', take)
  }
}, 180_000)

it('strangers’ bodies together leave an api the half of its memory', () => {
  const values = readFileSync(join(import.meta.dirname, '../../../deploy/helm/values.yaml'), 'utf8')
  const ofApi = Number(/^api:[^]*?limits: \{ memory: (\d+)Mi \}/m.exec(values)![1])
  expect(defaultConnectionLimits().total * strangersBytes).toBeLessThan((ofApi * 1024 * 1024) / 2)
})

const heap = (): number => {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
