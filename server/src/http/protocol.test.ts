import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type Service } from '../../test/service.ts'
import { closeGently } from './protocol.ts'

let service: Service
beforeAll(async () => {
  service = await openService({ SEED: 'none' })
  await service.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => service.close())

/** What is answered to a request whose headers are these lines. */
const ask = async (path: string, lines: string[]): Promise<string> => {
  const socket = connect({ port: (service.app.server.address() as AddressInfo).port, host: '127.0.0.1' })
  socket.write([`GET ${path} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'))
  let heard = ''
  socket.on('data', (data) => (heard += data))
  await once(socket, 'close')
  return heard
}

test('a request has exactly one Host header', async () => {
  for (const path of ['/identity/providers', '/health/live', '/login', '/nothing-here']) {
    expect(await ask(path, ['Host: localhost']), path).not.toMatch(/^HTTP\/1.1 400 /)
    for (const hosts of [
      ['Host: localhost', 'Host: elsewhere.test'],
      ['Host: localhost', 'hOST: localhost'],
    ]) {
      const answer = await ask(path, hosts)
      expect(answer, path).toMatch(/^HTTP\/1.1 400 /)
      expect(answer, path).toContain('There is more than one Host header.')
    }
    expect(await ask(path, []), path).toContain('The Host header is missing.')
  }
})

test('a service that was told to stop still answers requests on open and new connections for a moment', async () => {
  const stopping = await openService()
  await stopping.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = stopping.app.server.address() as AddressInfo
  const open = async () => {
    const line = connect({ port, host: '127.0.0.1' })
    const heard = { text: '' }
    line.on('data', (data) => (heard.text += data)).on('error', () => {})
    const ended = new Promise<string>((resolve) => line.on('close', () => resolve(heard.text)))
    const send = () => line.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(line, 'connect')
    return { heard, ended, send }
  }
  // What a page keeps: answered once and left open.
  const [kept, late] = await Promise.all([open(), open()])
  for (const line of [kept, late]) {
    line.send()
    await expect.poll(() => line.heard.text).toContain('"live"')
    expect(line.heard.text).toMatch(/\nconnection: keep-alive\r/i)
    line.heard.text = ''
  }
  kept.send()
  const stopped = stopping.app.close()
  const fresh = open().then((line) => (line.send(), line.ended))
  // The server has heard that it stops: from then on its answers say so.
  const first = await kept.ended
  late.send()
  for (const text of [first, await late.ended, await fresh]) {
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(text).toMatch(/\nconnection: close\r/i)
    expect(text).toContain('"live"')
  }
  await stopped
  await expect(open()).rejects.toThrow('ECONNREFUSED')
  await stopping.close()
})

test('an answer that begins late in a service that stops comes whole, and one that began long before is cut', async () => {
  const app = fastify()
  closeGently(app)
  const answer = async function* (beginsMs: number, takesMs: number) {
    await sleep(beginsMs)
    yield 'begun '
    await sleep(takesMs)
    yield 'ended'
  }
  app.get('/late', (_request, reply) => sleep(3_300).then(() => reply.send(Readable.from(answer(0, 500)))))
  app.get('/long', (_request, reply) => reply.send(Readable.from(answer(0, 60_000))))
  const at = await app.listen({ port: 0, host: '127.0.0.1' })
  const text = (path: string) =>
    fetch(at + path)
      .then((response) => response.text())
      .catch(() => 'cut')
  const [late, long] = [text('/late'), text('/long')]
  await sleep(200)
  await app.close()
  expect([await late, await long]).toEqual(['begun ended', 'cut'])
})
