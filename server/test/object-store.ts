import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { randomUUID } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import type { BucketPlace } from '../src/outside/bucket.ts'
import { freePort } from './free-port.ts'

const run = promisify(execFile)
const script = resolve(import.meta.dirname, 'object-store.sh')

export type ObjectStore = {
  /** An empty bucket of its own. */
  makeBucket: () => Promise<BucketPlace>
  close: () => Promise<void>
}

/**
 * A real S3-compatible store on loopback (Ceph, from Debian's packages, in memory); one that runs already where S3_ENDPOINT,
 * S3_ACCESS_KEY and S3_SECRET_KEY name it. Undefined where the packages cannot be had, which is said aloud. The packages are
 * kept in the temporary folder of this machine for the next time.
 */
export const openObjectStore = async (): Promise<ObjectStore | undefined> => {
  const running = placeIn(process.env)
  if (running) return storeAt(running, async () => {})
  // Beside its port it takes others of its own choice, which another store may have: then it begins anew elsewhere.
  for (let tries = 1; ; tries++) {
    const started = await startStore(tries === 3)
    if (started || tries === 3) return started
  }
}

const startStore = async (isLast: boolean): Promise<ObjectStore | undefined> => {
  const folder = join(tmpdir(), 'clear-to-post-object-store')
  const port = await freePort()
  const place = join(folder, `at-${port}`)
  await mkdir(place, { recursive: true })
  try {
    const { stdout } = await run('bash', [script, 'start', folder, String(port), place], { timeout: 240_000 })
    const found = placeIn(
      Object.fromEntries(
        stdout
          .trim()
          .split('\n')
          .map((line) => line.split('=', 2)),
      ),
    )
    if (found)
      return await storeAt(found, async () => void (await run('bash', [script, 'stop', folder, String(port), place])))
  } catch (error) {
    await run('bash', [script, 'stop', folder, String(port), place]).catch(() => {})
    if (isLast)
      console.warn(`There is no object store here, so nothing of a bucket is tested: ${(error as Error).message}`)
  }
  return undefined
}

type Place = { endpoint: string; keyId: string; secret: string }

const placeIn = (env: Record<string, string | undefined>): Place | undefined => {
  const [endpoint, keyId, secret] = [env.S3_ENDPOINT, env.S3_ACCESS_KEY, env.S3_SECRET_KEY]
  return endpoint && keyId && secret ? { endpoint, keyId, secret } : undefined
}

const storeAt = async ({ endpoint, keyId, secret }: Place, close: () => Promise<void>): Promise<ObjectStore> => ({
  makeBucket: async () => {
    const url = `${endpoint}/test-${randomUUID()}`
    const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, service: 's3', region: 'us-east-1' })
    const answer = await client.fetch(url, { method: 'PUT' })
    if (!answer.ok) throw new Error(`no bucket could be made: ${answer.status} ${await answer.text()}`)
    return { url, region: 'us-east-1', keyId, secret }
  },
  close,
})
