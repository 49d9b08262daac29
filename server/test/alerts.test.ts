import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { accounts } from '@clear-to-post/contract/accounts'
import { projects } from '@clear-to-post/contract/projects'
import { addressOf } from '@clear-to-post/contract/client'
import { locate } from '@clear-to-post/media/sandbox'
import { openIdentity } from '../src/identity/open.ts'
import { readConfig } from '../src/kernel/config.ts'
import { openDatabase } from '../src/kernel/database.ts'
import { openQueue } from '../src/kernel/queue.ts'
import { sendMail } from '../src/mail/actions.ts'
import { freshDatabase } from './database.ts'
import { openFaultLine } from './fault-line.ts'
import { startHost, type Host } from './hosts.ts'
import { openObjectStore } from './object-store.ts'
import { environment, startProcess } from './processes.ts'
import { productionEnv } from './production.ts'
import { findPromtool, watch } from './promtool.ts'
import { isLong, isProof } from './random.ts'
import { makePerson } from './service.ts'
import { openSmtp } from './smtp.ts'

const rules = resolve(import.meta.dirname, '../../deploy/alerts.yaml')
const stepMinutes = 2
/** More than any rule waits for. */
const enough = 13

const store = isProof ? await openObjectStore() : undefined
const promtool = isProof ? await findPromtool() : undefined
afterAll(() => store?.close())

/** What goes wrong, for as long as `begin`'s answer is not called. */
type Fault = {
  what: string
  fires: readonly string[]
  /** Of ConditionUnmet: which. */
  condition?: string
  /** Makes it go wrong; answers how it is mended. */
  begin: () => Promise<() => Promise<unknown>>
  /** What happens between two questions of Prometheus, beside people's calls. */
  meanwhile?: () => Promise<unknown>
  /** Whether clocks do nothing meanwhile, so that what they did last grows old. */
  stands?: true
  /** What is so before Prometheus is said to ask. */
  until?: () => Promise<boolean>
  /** Words that the log of some host has to say. */
  logs?: RegExp
}

// Prometheus’s own program is brought for it, so npm test holds names alone to what the service says (telemetry.test.ts).
it.skipIf(!store || !promtool)(
  'every alert of deploy/alerts.yaml is silent while all is well, and fires on the figures of its fault',
  async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-alerts-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const database = await freshDatabase()
    onTestFinished(database.drop)
    const bucket = await store!.makeBucket()
    const lineTo = async (url: string) => {
      const to = new URL(url)
      const line = await openFaultLine({ port: Number(to.port), host: to.hostname })
      onTestFinished(line.close)
      to.host = `127.0.0.1:${line.port}`
      return { line, url: to.href, home: { port: Number(new URL(url).port), host: new URL(url).hostname } }
    }
    const toDatabase = await lineTo(database.appUrl)
    const toBucket = await lineTo(bucket.url)
    let smtp = await openSmtp({ closeTimeout: 100 })
    onTestFinished(() => smtp.close())

    const queue = await openQueue(database.appUrl)
    const own = openDatabase(database.appUrl, { queue, max: 2 })
    const identity = await openIdentity({
      database: own,
      config: readConfig({ DATA_DIR: folder, SEED: 'none', PUBLIC_URL: productionEnv.PUBLIC_URL }),
    })
    const admin = await makePerson({ database: own, identity }, 'ADMIN')
    const superuser = new pg.Client({ connectionString: database.superuserUrl })
    await superuser.connect()
    onTestFinished(async () => {
      await superuser.end()
      await own.close()
      await queue.close()
    })

    const start = (role: 'api' | 'worker' | 'clock', env: Record<string, string> = {}) =>
      startHost(
        role,
        {
          urls: { ownerUrl: database.ownerUrl, appUrl: toDatabase.url },
          bucket: { ...bucket, url: toBucket.url },
          folder,
          env: { SMTP_URL: smtp.url },
        },
        env,
      )
    const hosts = new Map<string, Host>()
    for (const role of ['api', 'worker', 'clock'] as const) hosts.set(role, await start(role))
    onTestFinished(async () => void (await Promise.all([...hosts.values()].map((host) => host.end('SIGKILL')))))
    const api = () => hosts.get('api')!
    const end = async (role: string) => {
      await hosts.get(role)!.end('SIGKILL')
      hosts.delete(role)
    }
    const again = async (role: 'api' | 'worker' | 'clock', env: Record<string, string> = {}) => {
      if (hosts.has(role)) await end(role)
      hosts.set(role, await start(role, env))
    }

    const call = () =>
      fetch(api().origin + addressOf(projects.list), { headers: { authorization: `Bearer ${admin.token}` } })
    const people = async () => {
      if (hosts.has('api')) await Promise.all([call(), call(), call()].map((asked) => asked.catch(() => {})))
    }
    const scrape = async () =>
      new Map(await Promise.all([...hosts].map(async ([name, host]) => [name, await host.metrics()] as const)))
    let mails = 0
    const mail = () =>
      own.asSystem((tx) =>
        sendMail(tx, {
          key: `invoice ${++mails}`,
          to: `nobody-${mails}@mail.test`,
          template: 'message',
          data: { title: 'A', body: 'B' },
        }),
      )
    const figure = async (role: string, pattern: RegExp) =>
      Number(new RegExp(`^${pattern.source} (\\S+)$`, 'm').exec((await hosts.get(role)!.metrics()) ?? '')?.[1] ?? 0)
    const says = async (name: string) => (await api().ready()).parts[name]
    const isUnmet = (name: string) => async () => (await says(name))?.why !== undefined
    const inSilence = async (name: string, says: RegExp) => {
      const found = (await api().ready()).parts[name]
      return found?.why !== undefined && says.test(found.says)
    }

    let guesses = 0
    /** Five wrong codes from each of fifteen networks, at an address each. */
    const guess = async () => {
      for (let n = 0; n < 15; n++) {
        guesses++
        const email = `nobody-${guesses}@mail.test`
        const post = (path: string) =>
          fetch(api().origin + path, {
            method: 'POST',
            headers: { 'x-forwarded-for': `10.${guesses >> 8}.${guesses % 256}.1` },
          })
        await post(addressOf(accounts.sendCode, {}, { email }))
        for (let tried = 0; tried < 5; tried++)
          await post(addressOf(accounts.validateCode, {}, { email, code: '000000' }))
      }
    }

    const faults: Fault[] = [
      {
        what: 'the database is away',
        fires: ['RequestsFail', 'ConditionUnmet', 'ClockStands', 'TaskFails'],
        condition: 'database',
        stands: true,
        begin: async () => {
          toDatabase.line.fail('is killed')
          return async () => toDatabase.line.heal()
        },
        until: async () => (await figure('clock', /clear_task_failed_turns\{task="due projects"\}/)) >= 3,
        logs: /a periodic task failed/,
      },
      {
        what: 'the database is slow',
        fires: ['RequestsAreSlow'],
        begin: async () => {
          toDatabase.line.fail({ slowMs: 1500 })
          return async () => toDatabase.line.heal()
        },
      },
      {
        what: 'no worker is there, and a mail has waited for eleven minutes',
        fires: ['JobsWait', 'ConditionUnmet'],
        condition: 'queue',
        begin: async () => {
          await end('worker')
          await mail()
          await superuser.query(`
            update pgboss.job set created_on = now() - interval '11 minutes', start_after = now() - interval '11 minutes'
            where name = 'mail' and state = 'created'`)
          return () => again('worker')
        },
        until: isUnmet('queue'),
      },
      {
        what: 'the mail server is away, and a job cannot be done',
        fires: ['JobsFail', 'JobsGivenUp'],
        begin: async () => {
          await smtp.close()
          // Its last try at once, where the product takes hours.
          await queue.boss.send('mail', { mailId: 'no mail' }, { retryLimit: 0 })
          return async () => {
            smtp = await openSmtp({ closeTimeout: 100 }, undefined, smtp.port)
            await superuser.query(`delete from pgboss.job where name = 'dead'`)
          }
        },
        until: isUnmet('given-up'),
        meanwhile: async () => {
          const failed = () => figure('worker', /clear_job_seconds_count\{kind="mail",outcome="failed"\}/)
          const before = await failed()
          await mail()
          await expect.poll(failed).toBeGreaterThan(before)
        },
        logs: /a job failed/,
      },
      {
        what: 'no clock is there',
        fires: ['NoClock'],
        begin: async () => {
          await end('clock')
          return () => again('clock')
        },
      },
      {
        what: 'no api is there',
        fires: ['NoApi'],
        begin: async () => {
          await end('api')
          return () => again('api')
        },
      },
      {
        what: 'an api stands still for a second and a half, again and again',
        fires: ['EventLoopStands'],
        begin: async () => async () => {},
        meanwhile: async () => {
          api().child.kill('SIGSTOP')
          await sleep(1500)
          api().child.kill('SIGCONT')
          // It turns for as long as it takes to be asked.
          await api().ready()
        },
      },
      {
        what: 'the bucket is away',
        fires: ['ConditionUnmet'],
        condition: 'bucket',
        begin: async () => {
          toBucket.line.fail('is killed')
          return async () => toBucket.line.heal()
        },
        until: isUnmet('bucket'),
      },
      {
        what: 'the bucket is slow',
        fires: ['ConditionUnmet'],
        condition: 'bucket',
        begin: async () => {
          toBucket.line.fail({ slowMs: 4000 })
          return async () => toBucket.line.heal()
        },
        until: isUnmet('bucket'),
      },
      {
        what: 'the bucket is full',
        fires: ['ConditionUnmet'],
        condition: 'bucket',
        begin: async () => {
          const full = createServer((request, answer) => {
            request.resume()
            answer.writeHead(403).end('<Error><Code>QuotaExceeded</Code></Error>')
          }).listen(0, '127.0.0.1')
          await once(full, 'listening')
          toBucket.line.leadTo({ port: (full.address() as AddressInfo).port, host: '127.0.0.1' })
          return async () => {
            toBucket.line.leadTo(toBucket.home)
            full.close()
          }
        },
        until: () => inSilence('bucket', /full|room/),
      },
      {
        what: 'an api has a wrong key to the bucket',
        fires: ['ConditionUnmet'],
        condition: 'bucket-key',
        begin: async () => {
          await again('api', { BUCKET_SECRET: 'a-secret-of-another-bucket' })
          return () => again('api')
        },
        until: () => inSilence('bucket-key', /secret/),
      },
      {
        what: 'the clock of an api is an hour ahead',
        fires: ['ConditionUnmet'],
        condition: 'clock',
        begin: async () => {
          const ahead = join(folder, 'ahead')
          await writeFile(ahead, String(3_600_000))
          await again('api', {
            CLOCK_AHEAD_FILE: ahead,
            NODE_OPTIONS: `--import ${join(import.meta.dirname, 'shifted-clock.ts')}`,
          })
          return () => again('api')
        },
        until: async () => (await inSilence('clock', /3600 s/)) && inSilence('bucket-key', /apart/),
      },
      {
        what: 'somebody tries codes from many networks',
        fires: ['SomebodyGuesses'],
        begin: async () => async () => {},
        meanwhile: guess,
      },
    ]

    const fired = new Map<string, Set<string>>()
    const note = (found: { alert: string; labels: Record<string, string> }[]) => {
      for (const { alert, labels } of found)
        fired.set(alert, (fired.get(alert) ?? new Set()).add(labels['condition'] ?? ''))
      return found.map(({ alert, labels }) => alert + (labels['condition'] ? ` ${labels['condition']}` : ''))
    }

    const well = watch(promtool!, stepMinutes)
    for (let round = 0; round < enough; round++) {
      await people()
      await mail()
      well.add(await scrape())
    }
    expect(await well.firing(rules)).toEqual([])

    // Those that take seconds, and no alert but once.
    const quick = ['NoClock', 'NoApi', 'JobsWait', 'JobsGivenUp']
    const asked = isLong ? faults : faults.filter(({ fires }) => fires.some((alert) => quick.includes(alert)))
    for (const { what, fires, condition, stands = false, begin, meanwhile, until, logs } of asked) {
      const watched = watch(promtool!, stepMinutes)
      for (let round = 0; round < 3; round++) {
        await people()
        watched.add(await scrape())
      }
      const logged = new Map([...hosts.values()].map((host) => [host, host.log().length]))
      const mend = await begin()
      if (until) await expect.poll(until, { message: what }).toBe(true)
      for (let round = 0; round < enough; round++) {
        await people()
        await meanwhile?.()
        watched.add(await scrape(), { stands })
      }
      const found = note(await watched.firing(rules))
      const word = condition && (await says(condition))
      console.log(
        `alerts: ${what}: ${found.join(', ')}` + (word ? `; /health/ready says of ${condition}: ${word.says}` : ''),
      )
      for (const alert of fires)
        expect(
          found.map((one) => one.split(' ')[0]),
          what,
        ).toContain(alert)
      if (condition) expect(found, what).toContain(`ConditionUnmet ${condition}`)
      if (logs) {
        const since = [...hosts.values()].map((host) => host.log().slice(logged.get(host) ?? 0))
        expect(since.join('\n'), what).toMatch(logs)
      }
      await mend()
      await expect.poll(async () => Object.values((await api().ready()).parts).filter((part) => part.why)).toEqual([])
    }

    if (!isLong) return
    // What only a host that does everything has, or what keeps a host of many from starting.
    const alone: Record<string, () => Promise<{ env: Record<string, string>; undo?: () => void }>> = {
      mail: async () => ({ env: { SMTP_URL: '' } }),
      ffmpeg: async () => ({ env: { FFMPEG_PATH: '/no/such/ffmpeg' } }),
      backup: async () => ({ env: {} }),
      sandbox: async () => {
        const programs = join(folder, 'without-bubblewrap')
        await mkdir(programs)
        for (const name of ['ffmpeg', 'ffprobe', 'prlimit', 'nice', 'setpriv', 'unshare', 'true']) {
          const path = await locate(name)
          if (path) await symlink(path, join(programs, name))
        }
        return { env: { PATH: programs } }
      },
      disk: async () => {
        const place = join(folder, 'small')
        await mkdir(place, { mode: 0o700 })
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=600m,mode=0700', 'tmpfs', place])
        return { env: { DATA_DIR: place }, undo: () => void execFileSync('umount', ['-l', place]) }
      },
    }
    for (const [condition, breakIt] of Object.entries(alone)) {
      const { env, undo } = await breakIt()
      const dataDir = join(folder, `alone-${condition}`)
      await mkdir(dataDir, { mode: 0o700 })
      const host = await startProcess('server/src/main/start.ts', [], {
        // Of a public address the port is not told: whoever starts it knows it.
        ready: /runs at/,
        env: {
          ...environment,
          ...productionEnv,
          DATABASE_URL: database.ownerUrl,
          DATA_DIR: dataDir,
          SEED: 'none',
          PORT: '0',
          HOST: '127.0.0.1',
          LOG_LEVEL: 'silent',
          ...env,
        },
      })
      const origin = /http\S+/.exec(host.said)![0]
      const watched = watch(promtool!, stepMinutes)
      for (let round = 0; round < 5; round++) {
        const answer = await fetch(`${origin}/metrics`, {
          headers: { authorization: `Bearer ${productionEnv.METRICS_TOKEN}` },
        })
        watched.add(new Map([['alone', await answer.text()]]))
      }
      const found = note(await watched.firing(rules))
      console.log(`alerts: one machine without its ${condition}: ${found.join(', ')}`)
      expect(found, condition).toContain(`ConditionUnmet ${condition}`)
      await host.end()
      undo?.()
    }

    const { groups } = parse(await readFile(rules, 'utf8')) as {
      groups: { rules: { alert: string; expr: string }[] }[]
    }
    const all = groups.flatMap((group) => group.rules)
    expect([...fired.keys()].toSorted()).toEqual(all.map(({ alert }) => alert).toSorted())
    const named = /condition=~"([^"]*)"/.exec(all.find(({ alert }) => alert === 'ConditionUnmet')!.expr)![1]!.split('|')
    for (const condition of named) expect([...fired.get('ConditionUnmet')!], condition).toContain(condition)
    console.log(
      `alerts: ${all.length} alerts and ${named.length} conditions, each fired by ${faults.length + 5} faults`,
    )
  },
  900_000,
)
