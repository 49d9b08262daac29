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

test('of the networks of one holder the line that has waited with most for longest is ended', () => {
  const held = new Held<{ ip: string; bytes: number; since: number; name: string }>(100)
  const line = (name: string, ip: string, waited: number) => ({
    name,
    ip,
    bytes: 0,
    since: performance.now() - waited,
  })
  const hold = (name: string, ip: string, bytes: number, waited: number) =>
    held.hold(line(name, ip, waited), bytes).map((one) => one.name)
  hold('small', '2001:db8:7:100::1', 5, 60_000)
  hold('large', '2001:db8:7:200::1', 40, 30_000)
  hold('one of another', '198.51.100.9', 42, 90_000)
  expect(hold('new', '2001:db8:7:300::1', 20, 0)).toEqual(['large'])
  expect(hold('newest', '203.0.113.9', 40, 0)).toEqual(['one of another'])
})

test('bodies and answers that wait leave an api three quarters of its memory', () => {
  const values = readFileSync(join(import.meta.dirname, '../../../deploy/helm/values.yaml'), 'utf8')
  const ofApi = Number(/^api:[^]*?limits: \{ memory: (\d+)Mi \}/m.exec(values)![1])
  expect(defaultTimeouts.heldBytes).toBeLessThanOrEqual((ofApi * 1024 * 1024) / 4)
})
