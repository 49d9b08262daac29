import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Starts the product as `npm start` does, with the demo, on a port and a folder of its own; ends it afterwards. */
export default async (): Promise<() => Promise<void>> => {
  const root = resolve(import.meta.dirname, '..')
  const dataDir = await mkdtemp(join(tmpdir(), 'clear-to-post-journey-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  // A journey opens a push service there when it needs one.
  const pushPort = await freePort()
  const pushOrigin = `http://localhost:${pushPort}`
  const log = createWriteStream(join(dataDir, 'product.log'))
  const product = spawn(process.execPath, [join(root, 'server/src/main/start.ts')], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      PUBLIC_URL: url,
      SEED: 'demo',
      LOG_LEVEL: 'warn',
      PUSH_TEST_ORIGIN: pushOrigin,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  product.stdout.pipe(log)
  let said = ''
  product.stdout.on('data', (words: Buffer) => (said += words.toString()))
  product.stderr.pipe(log)
  const began = Date.now()
  for (;;) {
    if (product.exitCode !== null)
      throw new Error(`The product did not start; its words are in ${join(dataDir, 'product.log')}`)
    if (Date.now() - began > 240_000) {
      product.kill('SIGTERM')
      throw new Error('The product did not start within four minutes')
    }
    const ready = await fetch(`${url}/health/ready`).catch(() => null)
    // The demo's videos come in while the product already serves.
    if (ready?.ok && said.includes('The demo is complete')) break
    await sleep(250)
  }
  process.env.PRODUCT_URL = url
  process.env.PRODUCT_DATA = dataDir
  process.env.PUSH_PORT = String(pushPort)
  return async () => {
    const refused = (await (await fetch(`${url}/dev/csp-reports`)).json()) as { items: string[] }
    product.kill('SIGTERM')
    if (product.exitCode === null) await once(product, 'exit')
    await rm(dataDir, { recursive: true, force: true })
    if (refused.items.length > 0)
      throw new Error(`A browser refused something by our content policy:\n${refused.items.join('\n')}`)
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
