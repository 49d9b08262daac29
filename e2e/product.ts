import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../server/test/free-port.ts'

/** What a journey knows of the product that it goes through. */
export type Product = {
  url: string
  dataDir: string
  /** Where a journey opens a push service when it needs one. */
  pushPort: number
  /** Where a journey opens a program that hears webhooks when it needs one. */
  webhookPort: number
}

type Running = Product & {
  /** Ends it in order. */
  stop: () => Promise<void>
}

/** Starts the product as `npm start` does, on `dataDir` and a free port, with `env` beside its own settings; resolves when it serves, rejects when it ended. */
export const startProduct = async (
  dataDir: string,
  { seed = 'demo', env = {} }: { seed?: string; env?: Record<string, string> } = {},
): Promise<Running> => {
  const root = resolve(import.meta.dirname, '..')
  const [port, pushPort, webhookPort] = [await freePort(), await freePort(), await freePort()]
  const url = `http://localhost:${port}`
  const log = createWriteStream(join(dataDir, 'product.log'))
  const product = spawn(process.execPath, [join(root, 'server/src/main/start.ts')], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      PUBLIC_URL: url,
      SEED: seed,
      LOG_LEVEL: 'warn',
      PUSH_TEST_ORIGIN: `http://localhost:${pushPort}`,
      WEBHOOK_TEST_ORIGIN: `http://127.0.0.1:${webhookPort}`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = async () => {
    product.kill('SIGTERM')
    if (product.exitCode === null && product.signalCode === null) await once(product, 'exit')
  }
  // Ended in a hurry, we leave nothing running.
  const end = () => product.kill('SIGTERM')
  process.once('exit', end)
  product.once('exit', () => process.off('exit', end))

  let said = ''
  for (const words of [product.stdout, product.stderr]) {
    words.pipe(log)
    words.on('data', (more: Buffer) => (said += more.toString()))
  }
  // Whoever took the port since it was free would answer, too: what counts is that it has begun itself.
  const isReady = () =>
    said.includes('Clear to Post runs at') &&
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (product.exitCode !== null || product.signalCode !== null)
      throw new Error(`The product ended: ${said.slice(-500)}\nAll its words are in ${join(dataDir, 'product.log')}`)
    await sleep(250)
  }
  return { url, dataDir, pushPort, webhookPort, stop }
}
