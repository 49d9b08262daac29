import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostRole } from '../src/kernel/settings.ts'
import type { BucketPlace } from '../src/outside/bucket.ts'
import { freePort } from './free-port.ts'
import { environment, startProcess, type Started } from './processes.ts'
import { productionEnv } from './production.ts'

/** One host beside others, as an operator starts it. */
export type Host = Started & {
  role: HostRole
  /** Of an api its address, of a worker or a clock that of its probes. */
  origin: string
  /** What it wrote into its log since it was ready. */
  log: () => string
  /** What it says at /metrics; undefined when it does not answer. */
  metrics: () => Promise<string | undefined>
  ready: () => Promise<Readiness>
}
export type Readiness = {
  status: string
  parts: Record<string, { ok: boolean; says: string; why?: string; next?: string }>
}

type Place = {
  urls: { appUrl: string; ownerUrl: string }
  bucket: BucketPlace
  /** Where each host has its own folder. */
  folder: string
  env?: Record<string, string>
  /** What its command begins with, to be run in another network, where HOST is. */
  inside?: readonly string[]
}

let hosts = 0

/** Starts hosts of this code, or of the code in `root`, on one database and one bucket; in production, each in a process. */
export const startHost = async (
  role: Exclude<HostRole, 'migrate'>,
  { urls, bucket, folder, env = {}, inside }: Place,
  { root = '', ...more }: { root?: string } & Record<string, string> = {},
): Promise<Host> => {
  const dataDir = join(folder, `${role}-${++hosts}`)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const probePort = await freePort()
  const started = await startProcess(join(root, 'server/src/main/start.ts'), [], {
    ready: role === 'api' ? /runs at/ : / works$/,
    ...(inside && { inside }),
    env: {
      ...environment,
      ...manyEnv({ urls, bucket }),
      ROLE: role,
      DATA_DIR: dataDir,
      PORT: '0',
      PROBE_PORT: String(probePort),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '2',
      ...env,
      ...more,
    },
  })
  let log = ''
  started.child.stdout!.on('data', (text: Buffer) => (log += text.toString()))
  const origin = /http:\S+/.exec(started.said)?.[0] ?? `http://${env['HOST'] ?? '127.0.0.1'}:${probePort}`
  const ask = (path: string) =>
    fetch(origin + path, {
      headers: { authorization: `Bearer ${productionEnv.METRICS_TOKEN}` },
      signal: AbortSignal.timeout(60_000),
    })
  return {
    ...started,
    role,
    origin,
    log: () => log,
    metrics: () =>
      ask('/metrics').then(
        (answer) => answer.text(),
        () => undefined,
      ),
    ready: async () => (await ask('/health/ready')).json() as Promise<Readiness>,
  }
}

/** Makes schema, rights and queues, with this code or that in `root`. */
export const migrateWith = async ({ urls, bucket }: Pick<Place, 'urls' | 'bucket'>, root = ''): Promise<void> => {
  const started = await startProcess(join(root, 'server/src/main/start.ts'), [], {
    ready: /up to date/,
    env: { ...environment, ...manyEnv({ urls, bucket }), ROLE: 'migrate', DATABASE_URL: urls.ownerUrl },
  })
  await started.end()
}

const manyEnv = ({ urls, bucket }: Pick<Place, 'urls' | 'bucket'>): Record<string, string> => ({
  ...productionEnv,
  DEPLOYMENT: 'many',
  MEDIA_SECRET: 'uW2mQ9xTz4Lr7Kf0Vb3N',
  STORAGE: 'bucket',
  BUCKET_URL: bucket.url,
  BUCKET_KEY_ID: bucket.keyId,
  BUCKET_SECRET: bucket.secret,
  CONNECTION_SECRET: 'a-secret-of-connected-accounts-0-1-2-3',
  DATABASE_APP_URL: urls.appUrl,
})
