import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { inspectConfig, readConfig } from '../src/kernel/config.ts'
import { openDatabase, sql } from '../src/kernel/database.ts'
import { openQueue } from '../src/kernel/queue.ts'
import { demandOf, hostRoles, secretNames, settings, settingsPage, type HostRole } from '../src/kernel/settings.ts'
import { evaluate } from '../src/main/condition-outcomes.ts'
import { sendMail } from '../src/mail/actions.ts'
import { freshDatabase, type TestDatabase } from './database.ts'
import { environment, startProcess } from './processes.ts'
import { productionEnv } from './production.ts'
import { openSmtp } from './smtp.ts'

const root = resolve(import.meta.dirname, '../..')
let folder: string
let database: TestDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clear-to-post-many-'))
  database = await freshDatabase('template0')
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** What a host of a role is given beside others. */
const fitFor = (role: HostRole): Record<string, string> => ({
  ...productionEnv,
  DEPLOYMENT: 'many',
  ROLE: role,
  MEDIA_SECRET: 'uW2mQ9xTz4Lr7Kf0Vb3N',
  DATA_DIR: join(folder, 'own'),
  STORAGE: 'bucket',
  BUCKET_URL: 'https://store.example.test/clear',
  BUCKET_KEY_ID: 'key',
  BUCKET_SECRET: 'a-secret-of-the-bucket-0',
  CONNECTION_SECRET: 'a-secret-of-connected-accounts-0-1-2-3',
  DATABASE_APP_URL: database.appUrl,
  ...(role === 'migrate' ? { DATABASE_URL: database.ownerUrl } : {}),
})
/** What is set where a setting is refused. */
const refusable: Record<string, string> = {
  NETWORKS_STAND_IN: 'http://localhost:4100',
  DATABASE_URL: 'postgres://owner:a-long-password-0@db.example.test/clear',
  SEED: 'demo',
  ALLOW_DEMO_IN_PRODUCTION: 'yes',
  FCM_API_URL: 'https://push.example.test',
  PUSH_TEST_ORIGIN: 'https://push.example.test',
  WEBHOOK_TEST_ORIGIN: 'https://program.example.test',
  STRIPE_API_URL: 'https://stripe.example.test',
  ALLOW_SANDBOX_IN_PRODUCTION: 'yes',
  SIGN_IN_SANDBOX: 'even-in-production',
  GOOGLE_ISSUER: 'https://google.example.test',
  APPLE_ISSUER: 'https://apple.example.test',
}

describe.each(hostRoles)('a %s beside other hosts', (role) => {
  const problemsOf = (env: Record<string, string>) => inspectConfig(env).problems

  it('starts with what is asked of it', () => {
    expect(problemsOf(fitFor(role))).toEqual([])
  })

  it.each(settings.map(({ name }) => name))('is asked for the right %s', (name) => {
    const { kind, but } = demandOf(
      settings.find((one) => one.name === name)!,
      role,
    )
    const { [name]: given, ...without } = fitFor(role)
    const own = (problems: string[]) => problems.filter((one) => one.startsWith(`${name} `))
    if (kind === 'needed') {
      expect(given).toBeDefined()
      // Without the word that there are several hosts, the role alone is refused.
      expect(problemsOf(without).length).toBeGreaterThan(0)
      if (name !== 'DEPLOYMENT') expect(own(problemsOf(without))).toEqual([expect.stringContaining('is missing.')])
      if (but !== undefined) expect(own(problemsOf({ ...without, [name]: 'else' }))).not.toEqual([])
    } else if (kind === 'refused') {
      expect(own(problemsOf({ ...without, [name]: refusable[name]! }))).toEqual([expect.stringMatching(/must be/)])
      if (but !== undefined) expect(problemsOf({ ...without, [name]: but })).toEqual([])
    } else if (!/^(STRIPE|GOOGLE|APPLE)_/.test(name)) expect(problemsOf(without)).toEqual([])
  })
})

it('no setting that the code or the README names is without a demand', async () => {
  const asked = new Set<string>()
  inspectConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)), ownKeys: () => [], has: () => false }))
  for (const room of ['server/src', 'media/src', 'speech/src'])
    for (const file of await readdir(join(root, room), { recursive: true })) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
      const text = readFileSync(join(root, room, file), 'utf8')
      for (const [, name] of text.matchAll(/\benv(?:\.|\[')([A-Z][A-Z_]+)/g)) asked.add(name!)
      for (const [, names] of text.matchAll(/\{([A-Z_, ]+)\} = env\b/g))
        for (const name of names!.split(',')) asked.add(name.trim())
    }
  const readme = (await readFile(join(root, 'README.md'), 'utf8')).match(/^\| `[A-Z][^|]*/gm)!.join()
  for (const [, name] of readme.matchAll(/`([A-Z][A-Z_]+)`/g)) asked.add(name!)
  // VITEST is set by whatever runs the tests, and no one else.
  const ofTheSystem = ['PATH', 'HOME', 'TMPDIR', 'VITEST']
  const known = settings.map(({ name }) => name)
  expect([...asked].filter((name) => ![...known, ...ofTheSystem].includes(name.replace(/_FILE$/, '')))).toEqual([])
  expect(asked.size).toBeGreaterThan(30)
  expect(new Set(known).size).toBe(known.length)
})

it.each(secretNames)('%s may lie in a file instead, and not in both', async (name) => {
  const text =
    { FCM_SERVICE_ACCOUNT: productionEnv.FCM_SERVICE_ACCOUNT, APPLE_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----\nA' }[
      name
    ] ?? `postgres://${name.toLowerCase()}`
  const file = join(folder, name)
  await writeFile(file, `${text}\n`, { mode: 0o600 })
  const withFile = inspectConfig({ [`${name}_FILE`]: file })
  const { secretFiles, ...config } = withFile.config
  expect(secretFiles).toEqual([file])
  expect({ ...config, secretFiles: [] }).toEqual({ ...inspectConfig({ [name]: text }).config, secretFiles: [] })
  expect(inspectConfig({ [`${name}_FILE`]: file, [name]: text }).problems).toContain(
    `${name} and ${name}_FILE are both set: keep one`,
  )
  expect(inspectConfig({ [`${name}_FILE`]: join(folder, 'none') }).problems[0]).toMatch(`${name}_FILE should be`)
})

it('several roles, or one role on one machine, are refused', () => {
  expect(inspectConfig({ ROLE: 'api' }).problems).toEqual([expect.stringContaining('ROLE needs DEPLOYMENT=many')])
  expect(inspectConfig({ ...fitFor('api'), ROLE: 'api,worker' }).problems[0]).toMatch('ROLE should be api, worker')
  expect(inspectConfig({ DEPLOYMENT: 'few' }).problems).toEqual([expect.stringContaining('one or many')])
})

describe('hosts of one release', () => {
  const start = (role: HostRole, ready: RegExp, env: Record<string, string> = {}) =>
    startProcess('server/src/main/start.ts', [], {
      ready,
      env: { ...environment, ...fitFor(role), PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent', ...env },
    })

  it('start once the schema is there, each with its own part, and end when they are told', async () => {
    await expect(start('api', /runs at/)).rejects.toThrow('ended before it was ready (1)')
    const migrated = await start('migrate', /up to date/)
    await migrated.end()

    const api = await start('api', /runs at/, { DRAIN_SECONDS: '2' })
    onTestFinished(() => void api.child.kill('SIGKILL'))
    const origin = /http\S+/.exec(api.said)![0]
    const ready = () => fetch(`${origin}/health/ready`).then((answer) => answer.json() as Promise<{ status: string }>)
    expect((await ready()).status).toBe('ready')
    const ended = api.end()
    await expect.poll(async () => (await ready()).status).toBe('stopping')
    expect((await fetch(`${origin}/health/ready`)).status).toBe(503)
    // It says that it ends, and answers all the same.
    expect((await fetch(`${origin}/health/live`)).status).toBe(200)
    expect(await ended).toBe(0)
  })

  it('let a job that runs end before they end themselves', async () => {
    let letGo: () => void = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    let isHeld = false
    const smtp = await openSmtp({
      onMailFrom: (_address, _session, done) => {
        isHeld = true
        void held.then(() => done())
      },
    })
    onTestFinished(smtp.close)
    const worker = await start('worker', /worker works/, { SMTP_URL: smtp.url, DRAIN_SECONDS: '60' })
    onTestFinished(() => void worker.child.kill('SIGKILL'))
    const queue = await openQueue(database.appUrl)
    const own = openDatabase(database.appUrl, { queue, max: 2 })
    onTestFinished(async () => {
      await own.close()
      await queue.close()
    })
    const mail = {
      key: 'invoice held',
      to: 'held@mail.test',
      template: 'message',
      data: { title: 'A', body: 'B' },
    } as const
    await own.asSystem((tx) => sendMail(tx, mail))
    await expect.poll(() => isHeld).toBe(true)
    const stopping = once(worker.child.stdout!, 'data')
    const ended = worker.end()
    expect(String(await stopping)).toContain('Stopping')
    letGo()
    expect(await ended).toBe(0)
    expect(smtp.received).toHaveLength(1)
    const found = await own.asSystem((tx) => tx.first(sql`select state from mail where recipient = ${mail.to}`))
    expect(found).toEqual({ state: 'sent' })
  })
})

it('a worker that may not decode does not start, and a host that decodes nothing does not mind', async () => {
  const levels = async (role: HostRole) =>
    (await evaluate({ config: readConfig(fitFor(role)), now: new Date(), database: undefined }))
      .filter(({ condition: { name } }) => ['sandbox', 'ffmpeg', 'queue'].includes(name))
      .map(({ condition: { name }, level }) => [name, level])
  expect(await levels('worker')).toEqual([
    ['queue', 'says so'],
    ['sandbox', 'refuses to start'],
    ['ffmpeg', 'refuses to start'],
  ])
  expect(await levels('api')).toEqual([
    ['queue', 'says so'],
    ['sandbox', null],
    ['ffmpeg', null],
  ])
})

it('docs/operations.md contains the table of settings of this code (npm run docs writes it)', async () => {
  expect(await readFile(join(root, 'docs/operations.md'), 'utf8')).toContain(settingsPage())
})
