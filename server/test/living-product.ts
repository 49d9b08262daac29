import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { addressOf } from '@clear-to-post/contract/client'
import { identity as identityCalls } from '@clear-to-post/contract/identity'
import { appUrl } from '../src/postgres/app-role.ts'
import { startPostgres } from '../src/postgres/postgres.ts'
import { openDatabase } from '../src/kernel/database.ts'
import { openIdentity } from '../src/identity/open.ts'
import { openQueue } from '../src/kernel/queue.ts'
import { readConfig } from '../src/kernel/config.ts'
import { startProcess } from './processes.ts'
import type { Service } from './service.ts'

/** The whole product as `npm start` runs it, in a process of its own, and a way to its database from here. */
export type LivingProduct = {
  origin: string
  dataDir: string
  /** For helpers that set a stage: the product's own database, signed for by its own keys. */
  service: Pick<Service, 'database' | 'identity' | 'queue' | 'config'>
  superuserUrl: string
  /** What the product itself connects as. */
  appUrl: string
  /** Asks the superuser's connection, past every wall. */
  behind: <Row>(text: string, values?: unknown[]) => Promise<Row[]>
  /** Signs in with a password. Answers the ID token. */
  enter: (email: string, password: string) => Promise<string>
  /** Ends it in order; answers the exit code. */
  stop: () => Promise<number | string>
}

/** Starts the product on `dataDir` and a free port, without a demo unless `env` says so. */
export const startLivingProduct = async (dataDir: string, env: Record<string, string> = {}): Promise<LivingProduct> => {
  const settings = { DATA_DIR: dataDir, SEED: 'none', PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error', ...env }
  const started = await startProcess('server/src/main/start.ts', [], { ready: /runs at http/, env: settings })
  const origin = /http\S+/.exec(started.said)![0]
  const postgres = await startPostgres({ dataDir, share: true })
  const queue = await openQueue(appUrl(postgres.url))
  const database = openDatabase(appUrl(postgres.url), { queue, max: 4 })
  const config = readConfig(settings)
  const identity = await openIdentity({ database, config })
  const superuser = new URL(postgres.superuserUrl)
  superuser.pathname = new URL(postgres.url).pathname
  return {
    origin,
    dataDir,
    service: { database, identity, queue, config },
    superuserUrl: superuser.href,
    appUrl: appUrl(postgres.url),
    behind: async (text, values = []) => {
      const client = new pg.Client({ connectionString: superuser.href })
      await client.connect()
      try {
        return (await client.query(text, values)).rows
      } finally {
        await client.end()
      }
    },
    enter: async (email, password) => {
      const answer = await fetch(origin + addressOf(identityCalls.password), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      })
      const body = (await answer.json()) as { idToken?: string; message?: string }
      if (!body.idToken) throw new Error(`${email} cannot sign in: ${body.message}`)
      return body.idToken
    },
    stop: async () => {
      await database.close()
      await queue.close()
      return started.end()
    },
  }
}

/** Where the original of each ready file lies, and the hash that the database has of it. */
export const originalsOf = (product: LivingProduct) =>
  product.behind<{ id: string; path: string; sha256: string }>(
    `select id, id || '/' || (derived->>'original') as path, sha256 from asset where derived ? 'original' order by id`,
  )

/** Sends a file by tus in one request after its creation. Answers the asset's id once the last byte was acknowledged. */
export const sendFile = async (
  origin: string,
  token: string,
  bytes: Uint8Array,
  name = 'take.mp4',
): Promise<string> => {
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  const metadata = `filename ${Buffer.from(name).toString('base64')}`
  const created = await fetch(`${origin}/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(bytes.length), 'upload-metadata': metadata },
  })
  const location = created.headers.get('location')
  if (created.status !== 201 || !location) throw new Error(`${created.status} ${await created.text()}`)
  const sent = await fetch(new URL(location, origin), {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: bytes as BodyInit,
  })
  if (sent.status !== 204) throw new Error(`${sent.status} ${await sent.text()}`)
  return location.split('/').at(-1)!
}

/** A copy of an MP4 with other bytes and the same pictures: players pass over a box called `free`. */
export const varied = (clip: Uint8Array, mark: string): Buffer => {
  const text = Buffer.from(mark)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + text.length)
  head.write('free', 4)
  return Buffer.concat([clip, head, text])
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const dropFolder = (...path: string[]) => rm(join(...path), { recursive: true, force: true, maxRetries: 5 })
