import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type Service } from '../../test/service.ts'

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
