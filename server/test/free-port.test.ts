import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from './free-port.ts'

it('a free port is none that Linux gives to a connection, and the program that wants it can listen there', async () => {
  const [lowest] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/).map(Number)
  const port = await freePort()
  expect(port).toBeLessThan(lowest!)
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
})
