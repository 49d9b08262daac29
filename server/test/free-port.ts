import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port of this machine at which nobody listened a moment ago. It lies below those that Linux gives to connections and to
 * whoever listens at any (`net.ipv4.ip_local_port_range`): on a busy machine one of those is soon somebody else's.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(20_000, 32_768)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
