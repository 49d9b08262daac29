import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identity } from '@clear-to-post/contract/identity'
import { tryLimit } from '../src/identity/password.ts'
import { freshDatabase, type TestDatabase } from './database.ts'
import { environment, startProcess, type Started } from './processes.ts'
import { productionEnv } from './production.ts'

/** Two API processes on one database, as a load balancer spreads calls over them: each limit counts for both together. */
let folder: string
let database: TestDatabase
let superuser: pg.Client
const hosts: Started[] = []
const origins: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clear-to-post-limits-'))
  database = await freshDatabase()
  superuser = new pg.Client({ connectionString: database.superuserUrl })
  await superuser.connect()
  const started = await Promise.all(['a', 'b'].map((name) => startApi(name)))
  hosts.push(...started)
  origins.push(...started.map(({ said }) => /http\S+/.exec(said)![0]))
})
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.end('SIGKILL')))
  await superuser.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const startApi = (name: string) =>
  startProcess('server/src/main/start.ts', [], {
    ready: /runs at/,
    env: {
      ...environment,
      ...productionEnv,
      DEPLOYMENT: 'many',
      ROLE: 'api',
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
      DRAIN_SECONDS: '0',
      MEDIA_SECRET: 'uW2mQ9xTz4Lr7Kf0Vb3N',
      CONNECTION_SECRET: 'a-secret-of-connected-accounts-0-1-2-3',
      DATA_DIR: join(folder, name),
      STORAGE: 'bucket',
      // Nobody answers there, and no call of this test needs a file.
      BUCKET_URL: 'http://127.0.0.1:9/clear',
      BUCKET_KEY_ID: 'key',
      BUCKET_SECRET: 'a-secret-of-the-bucket-0',
      DATABASE_APP_URL: database.appUrl,
    },
  })

/** Asks one of both hosts, as somebody at this address behind the load balancer. */
const ask = async (host: number, path: string, ip: string, body?: object) => {
  const answer = await fetch(`${origins[host % 2]!}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'x-forwarded-for': ip,
      'x-forwarded-proto': 'https',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  return answer.status
}
const signIn = (host: number, ip: string, email: string) =>
  ask(host, identity.password.base + identity.password.path, ip, { email, password: 'not-the-right-one' })
const byToken = (host: number, ip: string) =>
  ask(host, identity.customToken.base + identity.customToken.path, ip, { token: 'x'.repeat(43) })

test('one /64 tries to sign in as often at two hosts as at one, wherever it asks, and others are not kept out', async () => {
  const most = identity.customToken.perMinute
  const asked = await Promise.all(Array.from({ length: most + 40 }, (_, n) => byToken(n, `2001:db8:1:1::${n + 1}`)))
  expect(new Set(asked)).toEqual(new Set([401, 429]))
  expect(asked.filter((status) => status !== 429)).toHaveLength(most)
  expect(await byToken(0, '2001:db8:9:1::1')).toBe(401)
})

test('one account takes as many wrong passwords at two hosts as at one', async () => {
  const asked: number[] = []
  for (let n = 0; n < tryLimit.tries + 6; n++)
    asked.push(await signIn(n, `2001:db8:2:1::${n + 1}`, 'somebody@bounds.test'))
  expect(asked.filter((status) => status !== 429)).toHaveLength(tryLimit.tries)
  expect(await signIn(1, '2001:db8:2:2::1', 'another@bounds.test')).toBe(401)
})

test('the count of a network at one host counts at the other one soon', async () => {
  const [ip, other] = ['198.51.100.7', '203.0.113.7']
  const path = '/api/docs'
  for (let n = 0; n < 60; n++) expect(await ask(0, path, ip)).not.toBe(429)
  expect(await ask(0, path, ip)).toBe(429)
  let tries = 0
  // By itself it would let sixty through.
  await expect.poll(() => (tries++, ask(1, path, ip)), { interval: 400, timeout: 12_000 }).toBe(429)
  expect(tries).toBeLessThan(30)
  expect(await ask(1, path, other)).not.toBe(429)
})

test('nobody signs in while tries cannot be counted, and everybody does again afterwards', async () => {
  await superuser.query('alter table limit_count rename to limit_count_away')
  expect([await byToken(0, '2001:db8:3:1::1'), await byToken(1, '2001:db8:3:1::1')]).toEqual([503, 503])
  expect(await signIn(0, '2001:db8:3:1::1', 'third@bounds.test')).toBe(503)
  // What is counted by each host goes on.
  expect(await ask(0, '/api/docs', '203.0.113.9')).not.toBe(503)
  await superuser.query('alter table limit_count_away rename to limit_count')
  expect(await signIn(0, '2001:db8:3:1::1', 'third@bounds.test')).toBe(401)
})
