import { Readable } from 'node:stream'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { afterEach, describe, expect, it, onTestFinished, test } from 'vitest'
import { Held } from './held.ts'
import { defaultTimeouts, limitTimes } from './timeouts.ts'

const lines: Socket[] = []
afterEach(() => {
  for (const line of lines.splice(0)) line.destroy()
})

/** A server that answers `/long` with 30 MB, of which at most `heldBytes` may wait for readers. */
const serve = async (heldBytes: number) => {
  const app = fastify({ bodyLimit: 1_000_000 })
  limitTimes(app, { ...defaultTimeouts, checkMs: 20, heldBytes })
  app.get('/long', async (_request, reply) => reply.type('text/plain').send('山'.repeat(10_000_000)))
  app.get('/stream', async (_request, reply) => {
    reply.keptBytes = 30_000_000
    return reply.type('text/plain').send(Readable.from(endless()))
  })
  app.get('/short', async () => 'short')
  app.post('/body', async () => 'read')
  onTestFinished(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  /** Sends this from an address of the machine and reads nothing of what is answered, but its first bytes. */
  const ask = async (localAddress: string, text: string) => {
    const line = connect({ port, host: '127.0.0.1', localAddress })
    lines.push(line)
    line.on('error', () => {}).write(text.replaceAll('\n', '\r\n'))
    await new Promise((resolve) =>
      line
        .once('readable', resolve)
        .once('close', resolve)
        .setTimeout(300, () => resolve(0)),
    )
    return line
  }
  const open = () => new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))
  return { ask, open, port }
}
const endless = function* () {
  for (;;) yield 'x'.repeat(64 * 1024)
}
const [crowd, other] = ['127.0.0.1', '127.0.9.9']
const long = 'GET /long HTTP/1.1\nHost: x\n\n'

describe('answers that nobody reads', () => {
  it('take no more memory than all may: whoever holds most gives up what waited longest, and nobody is refused', async () => {
    const { ask, open, port } = await serve(100_000_000)
    const slow = await ask(other, long)
    for (let n = 0; n < 8; n++) await ask(crowd, long)
    // Three of 30 MB are held: the one of who holds little, and two of who holds most.
    await expect.poll(open).toBe(3)
    expect(await (await fetch(`http://127.0.0.1:${port}/short`)).text()).toBe('short')
    let heard = 0
    slow.on('data', (bytes) => (heard += bytes.length))
    await expect.poll(() => heard, { timeout: 10_000 }).toBeGreaterThan(30_000_000)
  })

  it('are held no longer when they were read or their reader has left, also several of one line', async () => {
    const { ask, open, port } = await serve(100_000_000)
    const kept = await ask(crowd, long)
    for (let n = 0; n < 4; n++) {
      await (await fetch(`http://127.0.0.1:${port}/long`)).arrayBuffer()
      const left = await ask(crowd, long.repeat(2))
      left.destroy()
      await sleep(100)
    }
    kept.resume()
    await sleep(500)
    expect(kept.destroyed).toBe(false)
    expect(await open()).toBeGreaterThan(0)
  })
})

it('answers of a few bytes count with the requests that they wait in', async () => {
  const { ask, open } = await serve(62_000_000)
  const behind = long + 'GET /short HTTP/1.1\nHost: x\n\n'.repeat(40)
  await ask(crowd, behind)
  await ask(crowd, behind)
  await expect.poll(open).toBe(1)
})

it('streams that are read slowly count with what is read ahead of them, and what they keep beside it', async () => {
  const { ask, open } = await serve(100_000_000)
  for (let n = 0; n < 5; n++) await ask(crowd, long.replace('long', 'stream'))
  await expect.poll(open).toBe(3)
})

it('bodies that are announced and do not come take no more memory than is given to all', async () => {
  const { ask, open } = await serve(5_000_000)
  const head = 'POST /body HTTP/1.1\nHost: x\nContent-Type: application/json\n'
  await ask(other, `${head}Content-Length: 900000\n\n{`)
  for (let n = 0; n < 8; n++)
    await ask(crowd, n % 2 ? `${head}Transfer-Encoding: chunked\n\n` : `${head}Content-Length: 900000\n\n{`)
  await expect.poll(open).toBe(5)
})

/** Requests that wait with so many bytes for so many ms; each on a line of its own unless told. */
const waitingWith = (most: number) => {
  const held = new Held<{ name: string }>(most)
  const lines = new Map<string, { name: string }>()
  const hold = (name: string, ip: string, bytes: number, waited: number) => {
    const socket = lines.get(name) ?? { name }
    lines.set(name, socket)
    const one = { socket, ip, bytes: 0, since: performance.now() - waited }
    return { one, ended: held.hold(one, bytes).map((line) => line.name) }
  }
  return { held, hold }
}

test('of the networks of one holder the line that has waited with most for longest is ended', () => {
  const { hold } = waitingWith(100)
  hold('small', '2001:db8:7:100::1', 5, 60_000)
  hold('large', '2001:db8:7:200::1', 40, 30_000)
  hold('one of another', '198.51.100.9', 42, 90_000)
  expect(hold('new', '2001:db8:7:300::1', 20, 0).ended).toEqual(['large'])
  expect(hold('newest', '203.0.113.9', 40, 0).ended).toEqual(['one of another'])
})

test('a line that is ended gives back what all of its requests held, once', () => {
  const { held, hold } = waitingWith(100)
  const several = Array.from({ length: 8 }, () => hold('several', crowd, 10, 1000).one)
  expect(hold('new', crowd, 50, 0).ended).toEqual(['several'])
  for (const one of several) expect(held.hold(one, 0)).toEqual([])
  expect(hold('newer', other, 50, 0).ended).toEqual([])
  expect(hold('newest', other, 1, 0).ended).toEqual(['newer'])
})

test('one line with several answers is ended where they are more than all may hold, a large one that is alone is not', () => {
  const { held, hold } = waitingWith(100)
  const { one, ended } = hold('line', crowd, 150, 0)
  expect(ended).toEqual([])
  expect(hold('line', crowd, 1, 0).ended).toEqual(['line'])
  expect(held.hold(one, 0)).toEqual([])
})

test('all that wait are looked through once for many lines that are ended', () => {
  const held = new Held<object>(10_000)
  let looked = 0
  const add = (socket: object, ip: string) =>
    held.hold(
      {
        socket,
        ip,
        bytes: 0,
        get since() {
          looked++
          return 0
        },
      },
      1,
    )
  const addLines = (count: number) => {
    const ended: object[] = []
    for (let n = 0; n < count; n++) {
      const socket = {}
      for (let at = 0; at < 8; at++) ended.push(...add(socket, n % 2 ? crowd : other))
    }
    return ended
  }
  expect(addLines(1250)).toEqual([])
  expect(looked).toBe(0)
  expect(addLines(400).length).toBeGreaterThan(390)
  // Of 3,200 more requests each eightieth or so looks through 10,000.
  expect(looked).toBeLessThan(12 * 10_000)
})

test('bodies and answers that wait leave an api three quarters of its memory', () => {
  const values = readFileSync(join(import.meta.dirname, '../../../deploy/helm/values.yaml'), 'utf8')
  const ofApi = Number(/^api:[^]*?limits: \{ memory: (\d+)Mi \}/m.exec(values)![1])
  expect(defaultTimeouts.heldBytes).toBeLessThanOrEqual((ofApi * 1024 * 1024) / 4)
})
