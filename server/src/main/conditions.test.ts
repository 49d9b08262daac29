import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { identity } from '@clear-to-post/contract/identity'
import { forTerminal as written } from '@clear-to-post/contract/visible'
import { locate } from '@clear-to-post/media/sandbox'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPostgres, startPostgres } from '../postgres/postgres.ts'
import { sql } from '../kernel/database.ts'
import { environment, startProcess } from '../../test/processes.ts'
import { productionEnv } from '../../test/production.ts'
import { callAs, makePerson, openService, outcome, type Service } from '../../test/service.ts'
import { conditionsPage } from './condition-outcomes.ts'
import { conditions, othersRead } from './conditions.ts'
import { doctorReport } from './doctor-report.ts'
import { readConfig } from '../kernel/config.ts'
import { demoPassword, demoPeople } from './demo/people.ts'
import { startHttp } from './http.ts'
import { localWords } from '../kernel/network.ts'
import { seedPeople } from './seed.ts'

const root = resolve(import.meta.dirname, '../../..')
let service: Service
let folder: string
let fit: Record<string, string>

beforeAll(async () => {
  service = await openService({ PUBLIC_URL: productionEnv.PUBLIC_URL })
  folder = await mkdtemp(join(tmpdir(), 'clear-to-post-conditions-'))
  const DATA_DIR = join(folder, 'data')
  await mkdir(DATA_DIR)
  await noteBackup(DATA_DIR, new Date())
  fit = {
    ...productionEnv,
    DATABASE_URL: service.urls.ownerUrl,
    DATA_DIR,
    ...environment,
    LOG_LEVEL: 'silent',
  }
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

const noteBackup = (dataDir: string, at: Date) =>
  writeFile(
    join(dataDir, 'last-backup.json'),
    JSON.stringify({ asOf: at.toISOString(), folder: '/mnt/backups', hasDatabase: true }),
  )

/** Runs a file of ours to its end. */
const run = async (file: string, args: readonly string[], env: Record<string, string>) => {
  const ended = await promisify(execFile)(process.execPath, [join(root, file), ...args], { env, cwd: root }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  return { code: 'code' in ended ? ended.code : 0, said: ended.stdout + ended.stderr }
}
/** The command itself, in a process of its own, which finds its programs by `env`. */
const runDoctor = (env: Record<string, string>) => run('server/src/main/doctor.ts', [], env)
/** What it says, and its exit code, without the second that it takes to begin. */
const doctor = async (env: Record<string, string>) => {
  const { said, isFit } = await doctorReport(env)
  return { code: isFit ? 0 : 1, said }
}

const asSuperuser = async (statement: string) => {
  const client = new pg.Client({ connectionString: service.urls.superuserUrl })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

test('doctor and verify print others’ words and names so that they drive no terminal', async () => {
  const signs = '\u001b[2J\u009b31m\u202E\n✓ forged'
  const shown = String.raw`\u001b[2J\u009b31m\u202e\u000a✓ forged`
  const backups = join(folder, 'backups of others')
  await mkdir(join(backups, `incomplete-${signs}`), { recursive: true })
  for (const { code, said } of [
    await runDoctor({ ...fit, STORAGE: signs }),
    await run('server/src/main/backup.ts', ['verify', backups], fit),
  ]) {
    expect(code).toBe(1)
    expect(said).toContain(shown)
    expect(said.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202E]/u)
    expect(said).not.toMatch(/^✓ forged/m)
  }
  // A path that is told as it was given.
  const { code, said } = await run('server/src/main/backup.ts', ['verify', join(folder, 'away\u001b[2J\u202E')], fit)
  expect(code).toBe(1)
  expect(said).toContain(String.raw`away\u001b[2J\u202e`)
  expect(said.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202E]/u)
})

test('words of a program that failed npm start drive no terminal, by the same signs', async () => {
  const { forTerminal } = await import(join(root, 'bin/run.mjs'))
  const all = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)).join('')
  expect(forTerminal(all)).toBe(written(all))
  const fails = `import { giveUp, quietly } from ${JSON.stringify(join(root, 'bin/run.mjs'))}
    const words = 'console.error("\\u009b31m\\u202E no such package"); process.exit(1)'
    await quietly(process.execPath, ['--eval', words], { next: 'Look at the connection.' }).catch(giveUp)`
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', fails]).catch(
    (error: { stderr: string }) => error,
  )
  expect(stderr).toContain(String.raw`    \u009b31m\u202e no such package`)
  expect(stderr).toContain('Look at the connection.')
})

test('a local PUBLIC_URL on an interface that others reach is refused, with the variables named', async () => {
  const { code, said } = await doctor({ ...fit, PUBLIC_URL: 'http://localhost:4000', HOST: '0.0.0.0', NODE_ENV: '' })
  expect(code).toBe(1)
  expect(said).toContain('HOST=0.0.0.0 lets others in, and PUBLIC_URL is this machine’s own address')
  expect(said).toContain('For this machine alone, leave HOST out.')
})

test('a secret that Kubernetes or systemd handed over as a file of root’s is not open to others', () => {
  const [own, other] = [10_001, 10_002]
  expect(othersRead({ mode: 0o100600, uid: own, gid: own }, own)).toBe(false)
  expect(othersRead({ mode: 0o100440, uid: 0, gid: own }, own)).toBe(false)
  expect(othersRead({ mode: 0o100440, uid: 0, gid: 0 }, own)).toBe(false)
  expect(othersRead({ mode: 0o100640, uid: own, gid: own }, own)).toBe(true)
  expect(othersRead({ mode: 0o100440, uid: 0, gid: other }, own)).toBe(true)
  expect(othersRead({ mode: 0o100460, uid: 0, gid: own }, own)).toBe(true)
  expect(othersRead({ mode: 0o100444, uid: 0, gid: own }, own)).toBe(true)
})

const inBucket = (port: number) => ({
  STORAGE: 'bucket',
  BUCKET_URL: `http://127.0.0.1:${port}/films`,
  BUCKET_KEY_ID: 'key',
  BUCKET_SECRET: 'secret',
})

/** How to break each condition, and only for as long as `undo` is not called. */
const broken: Record<string, () => Promise<{ env?: Record<string, string>; undo?: () => Promise<unknown> }>> = {
  production: async () => ({ env: { NODE_ENV: '' } }),
  address: async () => ({ env: { PUBLIC_URL: 'http://video.example.test' } }),
  proxy: async () => ({ env: { TRUST_PROXY: '' } }),
  demo: async () => {
    const config = readConfig({ DATA_DIR: fit.DATA_DIR })
    await seedPeople({ database: service.database, config, log: service.app.log })
    const moved = sql`update person set email = 'a-new-name@mail.test' where email = ${demoPeople.admin.email}`
    await service.database.asSystem((tx) => tx.count(moved))
    return { undo: () => run('server/src/main/admin.ts', ['disable-demo'], fit) }
  },
  'stand-ins': async () => ({ env: { SIGN_IN_SANDBOX: 'even-in-production' } }),
  secrets: async () => ({ env: { MEDIA_SECRET: 'change-me-change-me' } }),
  files: async () => {
    const file = join(folder, 'smtp')
    await writeFile(file, productionEnv.SMTP_URL, { mode: 0o644 })
    return { env: { SMTP_URL: '', SMTP_URL_FILE: file } }
  },
  database: async () => ({ env: { DATABASE_APP_URL: service.urls.ownerUrl } }),
  // Nothing can be written there.
  disk: async () => ({ env: { DATA_DIR: '/proc' } }),
  'bucket-key': async () => {
    const store = createServer((_request, answer) =>
      answer.writeHead(403).end('<Error><Code>InvalidAccessKeyId</Code></Error>'),
    ).listen(0, '127.0.0.1')
    await once(store, 'listening')
    const { port } = store.address() as AddressInfo
    return { env: inBucket(port), undo: async () => store.close() }
  },
  // Nobody answers there.
  bucket: async () => ({ env: inBucket(9) }),
  queue: async () => {
    const id = await service.queue.boss.send('mail', { mailId: 'x' })
    await asSuperuser(
      `update pgboss.job set created_on = now() - interval '1 hour', start_after = now() - interval '1 hour' where id = '${id}'`,
    )
    return { undo: () => asSuperuser(`delete from pgboss.job where id = '${id}'`) }
  },
  'given-up': async () => {
    await service.queue.boss.send('dead', { mailId: 'x' })
    return { undo: () => service.queue.boss.deleteAllJobs('dead') }
  },
  sandbox: async () => {
    const programs = join(folder, 'without-bubblewrap')
    await mkdir(programs)
    for (const name of ['ffmpeg', 'ffprobe', 'prlimit', 'nice', 'setpriv', 'unshare', 'true']) {
      const path = await locate(name)
      if (path) await symlink(path, join(programs, name))
    }
    return { env: { PATH: programs } }
  },
  ffmpeg: async () => ({ env: { FFMPEG_PATH: '/no/such/ffmpeg' } }),
  clock: async () => {
    const database = new URL(service.urls.superuserUrl).pathname.slice(1)
    await asSuperuser(`
      create schema wrong_clock; grant usage on schema wrong_clock to public;
      create function wrong_clock.clock_timestamp() returns timestamptz language sql as $$ select now() + interval '1 hour' $$;
      alter database ${database} set search_path = wrong_clock, pg_catalog, public`)
    return { undo: () => asSuperuser(`alter database ${database} reset search_path`) }
  },
  mail: async () => ({ env: { SMTP_URL: '' } }),
  payments: async () => ({ env: { STRIPE_SECRET_KEY: 'sk_test_0123456789' } }),
  push: async () => ({ env: { FCM_SERVICE_ACCOUNT: '' } }),
  metrics: async () => ({ env: { METRICS_TOKEN: '' } }),
  backup: async () => {
    await noteBackup(fit.DATA_DIR!, new Date(Date.now() - 30 * 3_600_000))
    return { undo: () => noteBackup(fit.DATA_DIR!, new Date()) }
  },
}

describe('npm run doctor', () => {
  test('finds nothing wrong in a complete configuration, and changes no file', async () => {
    const before = await readdir(folder, { recursive: true })
    const { code, said } = await runDoctor(fit)
    expect(said.match(/^[✗!·].*/gm) ?? [], said).toEqual([])
    expect(said.match(/^✓/gm)).toHaveLength(conditions.length)
    expect(code).toBe(0)
    expect(await readdir(folder, { recursive: true })).toEqual(before)
  })

  test('is tested with one broken configuration for each condition', () => {
    expect(Object.keys(broken)).toEqual(conditions.map(({ name }) => name))
  })

  test.each(conditions.map(({ name }) => name))(
    'tells what is wrong, why it matters and what to do: %s',
    async (name) => {
      const { env = {}, undo } = await broken[name]!()
      const isOfPrograms = ['sandbox', 'ffmpeg'].includes(name)
      const { code, said } = await (isOfPrograms ? runDoctor : doctor)({ ...fit, ...env })
      await undo?.()
      const { why, next, hosted } = conditions.find((one) => one.name === name)!
      const told = said.split(/^(?=[✓✗!·] )/m).find((part) => new RegExp(`^[✗!] ${name}: `).test(part))
      expect(told, said).toContain(why)
      expect(told).toContain(`→ ${next}`)
      expect(told).toContain(`The service ${hosted}.`)
      expect(code).toBe(hosted === 'says so' ? 0 : 1)
      expect(said).not.toContain(productionEnv.SMTP_URL)
      // After the repair nothing is reported any more.
      if (undo) expect((await doctor(fit)).said).not.toMatch(new RegExp(`^[✗!] ${name}`, 'm'))
    },
  )

  test(
    'checks the embedded database only while it runs, and never starts or changes it',
    { tags: 'long' },
    async () => {
      const DATA_DIR = join(folder, 'embedded')
      const env = { ...fit, DATABASE_URL: '', DATA_DIR }
      expect((await doctor(env)).said).toMatch(/^· database: known while the database runs/m)
      await expect(stat(DATA_DIR)).rejects.toThrow('ENOENT')
      const server = await startPostgres({ dataDir: DATA_DIR })
      expect(await findPostgres(DATA_DIR)).toBe(server.url)
      // It has no tables yet: looked at, and not made.
      expect((await doctor(env)).said).toMatch(/^✗ database: /m)
      await server.stop()
      const before = await stamps(DATA_DIR)
      expect((await doctor(env)).said).toMatch(/^· database: known while the database runs/m)
      expect(await stamps(DATA_DIR)).toEqual(before)
    },
  )
})

const stamps = async (dataDir: string) => {
  const names = (await readdir(dataDir, { recursive: true })).sort()
  return Promise.all(names.map(async (name) => [name, (await stat(join(dataDir, name))).mtimeMs]))
}

describe('starting a hosted service', () => {
  const start = (env: Record<string, string>) =>
    run('server/src/main/start.ts', [], { ...env, PORT: '0', HOST: '127.0.0.1' })

  test('is refused with one message that lists every unmet condition and its next step, before any file is made', async () => {
    const DATA_DIR = join(folder, 'fresh')
    const { code, said } = await start({
      NODE_ENV: 'production',
      DATA_DIR,
      SEED: 'demo',
      MEDIA_SECRET: 'aaaaaaaaaaaaaaaaaaaa',
      PATH: fit.PATH!,
    })
    expect(code).toBe(1)
    expect(said).toContain('set SEED=none')
    for (const name of ['address', 'proxy', 'secrets'])
      expect(said).toContain(`→ ${conditions.find((one) => one.name === name)!.next}`)
    await expect(stat(DATA_DIR)).rejects.toThrow('ENOENT')
  })

  test(
    'is refused while demo accounts have the published password, until disable-demo has run',
    { tags: 'long' },
    async ({ onTestFinished }) => {
      const own = await openService({ PUBLIC_URL: productionEnv.PUBLIC_URL })
      onTestFinished(own.close)
      const env = { ...fit, DATABASE_URL: own.urls.ownerUrl, DATA_DIR: own.config.dataDir }
      await seedPeople({
        database: own.database,
        config: readConfig({ DATA_DIR: own.config.dataDir }),
        log: own.app.log,
      })
      const body = { email: demoPeople.admin.email, password: demoPassword }
      const signIn = () => outcome(callAs(own, null)(identity.password, { body }))
      expect(await signIn()).toBe('done')

      for (const SEED of ['none', '']) {
        const { code, said } = await start({ ...env, SEED })
        expect(code).toBe(1)
        for (const { email } of Object.values(demoPeople)) expect(said).toContain(email)
        expect(said).toContain('npm run admin -- disable-demo')
      }
      const { code, said } = await run('server/src/main/admin.ts', ['disable-demo'], env)
      expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining('officer@other.test') })
      expect(await signIn()).toBe('session.wrong-credentials')
      const product = await startProcess('server/src/main/start.ts', [], {
        ready: /runs at/,
        env: { ...env, PORT: '0', HOST: '127.0.0.1' },
      })
      expect(await product.end()).toBe(0)
    },
  )

  test('is allowed with a demo account that has its own password', async ({ onTestFinished }) => {
    const own = await openService({ PUBLIC_URL: productionEnv.PUBLIC_URL })
    onTestFinished(own.close)
    await seedPeople({ database: own.database, config: readConfig({ DATA_DIR: own.config.dataDir }), log: own.app.log })
    await own.database.asSystem((tx) =>
      tx.count(sql`update password set hash = (select hash from password limit 1) || 'x'`),
    )
    expect((await doctor({ ...fit, DATABASE_URL: own.urls.ownerUrl })).said).toMatch(/^✓ demo/m)
  })
})

test('readiness reports each condition without accounts or paths, and answers 200 when all are met', async () => {
  const ready = async (env: Record<string, string>) => {
    const config = readConfig({ ...fit, ...env, PORT: '0', HOST: '127.0.0.1' })
    const http = await startHttp({ config, appUrl: service.urls.appUrl })
    try {
      const answer = await fetch(`${http.address}/health/ready`)
      return {
        code: answer.status,
        ...((await answer.json()) as {
          parts: Record<string, { ok: boolean; says: string; why?: string; next?: string }>
        }),
      }
    } finally {
      await http.close()
    }
  }
  const well = await ready({})
  expect(well.code, JSON.stringify(well)).toBe(200)
  expect(Object.keys(well.parts)).toEqual(conditions.map(({ name }) => name))
  const unwell = await ready({ SMTP_URL: '', METRICS_TOKEN: '', MEDIA_SECRET: 'change-me-change-me' })
  expect(unwell.code).toBe(503)
  for (const [name, ok] of [
    ['mail', false],
    ['secrets', false],
    ['metrics', true],
  ] as const) {
    const { why, next } = conditions.find((one) => one.name === name)!
    expect(unwell.parts[name]).toMatchObject({ ok, why, next })
  }
  expect(JSON.stringify(unwell.parts)).not.toContain(folder)
})

test('a service whose people all wait for the database is still ready', async () => {
  // One person has a few of the connections at once: these have them all.
  const officers = await Promise.all(Array.from({ length: 10 }, () => makePerson(service, 'User')))
  const http = await startHttp({
    config: readConfig({ ...fit, PORT: '0', HOST: '127.0.0.1' }),
    appUrl: service.urls.appUrl,
  })
  const owner = new pg.Client({ connectionString: service.urls.ownerUrl })
  await owner.connect()
  try {
    await owner.query('begin; lock table project in access exclusive mode')
    const asked = officers.flatMap(({ token }) =>
      Array.from({ length: 5 }, () =>
        fetch(`${http.address}/api/projects/list`, { headers: { authorization: `Bearer ${token}` } }),
      ),
    )
    const waiting = `select count(*)::int as n from pg_locks where relation = 'project'::regclass and not granted`
    await expect.poll(async () => (await owner.query(waiting)).rows[0].n).toBe(20)
    expect((await fetch(`${http.address}/health/ready`)).status).toBe(200)
    await owner.query('rollback')
    await Promise.all(asked)
  } finally {
    await owner.end()
    await http.close()
  }
})

test('readiness reports an allowed demo only for a hosted service', async () => {
  const { find } = conditions.find(({ name }) => name === 'demo')!
  const words = async (env: Record<string, string>) =>
    (await find({ config: readConfig({ ...env, SEED: 'demo' }), now: new Date(), database: service.database }))!.says
  expect(await words({ ...fit, ALLOW_DEMO_IN_PRODUCTION: 'yes' })).toContain('ALLOW_DEMO_IN_PRODUCTION')
  expect(await words({ DATA_DIR: fit.DATA_DIR! })).toBe('the demo’s accounts are open to this machine alone')
})

test(
  'start and doctor print on a local machine that a proxy needs PUBLIC_URL, and the outbox’s address',
  { tags: 'long' },
  async ({ onTestFinished }) => {
    const env = { DATABASE_URL: service.urls.ownerUrl, DATA_DIR: join(folder, 'own'), SEED: 'none', PATH: fit.PATH! }
    expect((await doctor(env)).said).toContain(localWords)
    expect((await doctor(fit)).said).not.toContain(localWords)

    const product = await startProcess('server/src/main/start.ts', [], {
      ready: /^Mails: /,
      env: { ...env, PORT: '0', HOST: '127.0.0.1' },
    })
    onTestFinished(async () => void (await product.end()))
    const address = product.said.replace('Mails: ', '')
    const items = await (await fetch(address, { headers: { accept: 'application/json' } })).json()
    // What tests before this one have sent.
    expect(items).toEqual({ items: expect.any(Array) })
    const again = await run('server/src/main/admin.ts', ['outbox'], { ...env, PUBLIC_URL: new URL(address).origin })
    expect(again).toEqual({ code: 0, said: `Mails: ${address}\n` })
    const hosted = await run('server/src/main/admin.ts', ['outbox'], fit)
    expect(hosted).toEqual({ code: 1, said: expect.stringContaining('SMTP_URL') })
  },
)

test('docs/operations.md contains the table of conditions of this code (npm run docs writes it)', async () => {
  const page = await readFile(join(root, 'docs/operations.md'), 'utf8')
  expect(page).toContain(conditionsPage())
})
