import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a journey knows of the product that it goes through. */
export type Product = {
  url: string
  dataDir: string
  /** Where a journey opens a push service when it needs one. */
  pushPort: number
}

type Running = Product & {
  /** Resolves when the product has said this; rejects when it ended before. */
  says: (words: string) => Promise<void>
  /** Ends it in order. */
  stop: () => Promise<void>
}

/** Starts the product as `npm start` does, on `dataDir` and a free port; resolves when it serves. */
export const startProduct = async (dataDir: string): Promise<Running> => {
  const root = resolve(import.meta.dirname, '..')
  const [port, pushPort] = [await freePort(), await freePort()]
  const url = `http://localhost:${port}`
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
      PUSH_TEST_ORIGIN: `http://localhost:${pushPort}`,
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

  product.stdout.pipe(log)
  product.stderr.pipe(log)
  let said = ''
  product.stdout.on('data', (words: Buffer) => (said += words.toString()))
  const until = async (isThere: () => boolean | Promise<boolean>) => {
    while (!(await isThere())) {
      if (product.exitCode !== null || product.signalCode !== null)
        throw new Error(`The product ended; its words are in ${join(dataDir, 'product.log')}`)
      await sleep(250)
    }
  }
  await until(() =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return { url, dataDir, pushPort, stop, says: (words) => until(() => said.includes(words)) }
}

/** A data folder with the whole demo, made by a product of its own that has ended again; for `dataDir`s to be copied from. */
export const makeDemo = async (dataDir: string): Promise<void> => {
  await mkdir(dataDir, { recursive: true })
  const product = await startProduct(dataDir)
  // Its videos come in while the product already serves.
  await product.says('The demo is complete').finally(product.stop)
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
