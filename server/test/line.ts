import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * A line to a port of this machine that can be slow, or break. `onBytes` sees how much has passed towards the server on
 * this connection and how much comes now, may destroy `near`, and answers how long to rest, in milliseconds.
 */
export const openLine = async (
  port: () => number,
  onBytes: (passed: number, near: Socket, length: number) => number,
): Promise<{ address: string; close: () => void }> => {
  const lines = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = connect(port(), '127.0.0.1')
    for (const socket of [near, far]) {
      lines.add(socket)
      socket.on('error', () => {}).on('close', () => (near.destroy(), far.destroy(), lines.delete(socket)))
    }
    let passed = 0
    near.on('data', (chunk: Buffer) => {
      passed += chunk.length
      const rest = onBytes(passed, near, chunk.length)
      if (near.destroyed) return
      const full = !far.write(chunk)
      if (!full && rest === 0) return
      near.pause()
      if (rest > 0) setTimeout(() => near.resume(), rest).unref()
      else far.once('drain', () => near.resume())
    })
    far.pipe(near)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: () => {
      proxy.close()
      for (const line of lines) line.destroy()
    },
  }
}
