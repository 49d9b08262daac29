import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { addressOf, client } from '@clear-to-post/contract/client'
import { Refusal } from '@clear-to-post/contract/errors'
import { identity as identityCalls } from '@clear-to-post/contract/identity'
import { projects } from '@clear-to-post/contract/projects'
import { openDatabase, type Database } from '../src/kernel/database.ts'
import { faultsOf } from './ledger.ts'
import { dropFolder, startLivingProduct, type LivingProduct } from './living-product.ts'
import { openWork, type Step } from './people-at-work.ts'
import { startProcess } from './processes.ts'
import { isLong, isProof, seeded, seedOfRun } from './random.ts'
import { makePerson, openService, type Person } from './service.ts'

const rounds = isLong ? 5 : 1
const minutes = isLong ? 20 : 5
let product: LivingProduct
/** As another role than the product's, so that the test keeps a connection when none is left. */
let database: Database
let admin: Person
const open = async () => {
  product = await startLivingProduct(await mkdtemp(join(tmpdir(), 'clear-to-post-exhausted-')))
  database = openDatabase(product.superuserUrl, { queue: product.service.queue, max: 2 })
  admin = await makePerson(stage(), 'ADMIN')
}
const close = async () => {
  await database.close()
  await product.stop()
  await dropFolder(product.dataDir)
}
const stage = () => ({ ...product.service, database })

it.runIf(isProof)(
  `${rounds} times without free connections, calls answer 503 with Retry-After, lose nothing answered, and recover`,
  async ({ onTestFinished }) => {
    await open()
    onTestFinished(close)
    const seed = seedOfRun()
    const work = await openWork(stage(), seeded(seed))
    const wrong: string[] = []
    const count = { refusedWithoutConnections: 0, refusedWhileSlow: 0, slowAnswers: 0, repeated: 0 }
    const listened = await openStream(product.origin, admin)
    let isOver = false
    onTestFinished(() => void (isOver = true))

    const finish = async (step: Step) => {
      for (let tries = 0; ; tries++) {
        const send = client({ origin: product.origin, token: () => step.who.token, fetch: noted(wrong) })
        const options = { requestId: step.requestId, signal: AbortSignal.timeout(60_000) }
        try {
          return work.note(step, await step.ask((shape, input) => send(shape, input, options)))
        } catch (error) {
          if (!(error instanceof Refusal)) wrong.push(`${step.verb}: no answer: ${error}`)
          else if (!['unavailable', 'unexpected'].includes(error.kind) && error.code !== 'request.id-running') return
          count.repeated++
          await sleep(100)
        }
      }
    }
    const people = Array.from({ length: 4 }, async () => {
      while (!isOver) await finish(await work.next())
    })
    const ask = () => outcomeOf(product.origin, addressOf(projects.list), admin)

    const recoveries: number[] = []
    for (let round = 0; round < rounds; round++) {
      const before = work.answered.length
      while (work.answered.length < before + 10) await sleep(20)

      const heard = listened.events('again')
      const other = await takeEveryConnection()
      onTestFinished(other.leave)
      // The product may get a released connection back for a moment: it answers, or refuses with Retry-After.
      const refused: string[] = []
      const asks = [ask, signInOutcome]
      for (let n = 0; refused.length < 40; n++) {
        const answer = await asks[n % 2]!()
        expect(answer).toMatch(n % 2 === 1 ? /^(400|401|503 after 2)$/ : /^(200|503 after 2)$/)
        if (answer.startsWith('503')) refused.push(answer)
      }
      count.refusedWithoutConnections += refused.length
      expect(await outcomeOf(product.origin, '/health/live')).toBe('200')
      await other.leave()
      const leftAt = Date.now()
      await expect.poll(ask).toBe('200')
      recoveries.push(Date.now() - leftAt)
      // Open streams get the event to read everything again.
      await expect.poll(() => listened.events('again')).toBeGreaterThan(heard)

      const neighbour = new pg.Client({ connectionString: product.superuserUrl })
      await neighbour.connect()
      await neighbour.query('begin; lock table project in access exclusive mode')
      const answers: string[] = []
      const asking = Array.from({ length: 300 }, () => ask().then((answer) => void answers.push(answer)))
      // Those that wait in the pool's connections are the last ones.
      while (answers.length < 250) await sleep(50)
      await neighbour.end()
      await Promise.all(asking)
      expect([...new Set(answers)].sort()).toEqual(['200', '503 after 2'])
      count.refusedWhileSlow += answers.filter((answer) => answer !== '200').length
      count.slowAnswers += answers.filter((answer) => answer === '200').length
      await expect.poll(ask).toBe('200')
    }
    isOver = true
    await Promise.all(people)
    listened.close()
    console.log(
      `exhaustion: seed ${seed}: ${rounds} rounds, ${work.answered.length} operations answered`,
      JSON.stringify(count),
      `answered again ${recoveries.map((ms) => (ms / 1000).toFixed(1)).join(', ')} s after the connections were free`,
    )
    expect(wrong).toEqual([])
    expect(await faultsOf(stage(), work.answered)).toEqual([])
    // The worker has recovered too: every job is done.
    const waiting = `select count(*) as n from pgboss.job where name = 'project-event' and state <> 'completed'`
    await expect.poll(() => product.behind(waiting), { timeout: 120_000 }).toEqual([{ n: 0 }])
  },
  minutes * 60_000,
)

it(
  'a server out of file descriptors refuses one more connection, and recovers when the others have left',
  { tags: 'long', timeout: minutes * 60_000 },
  async ({ onTestFinished }) => {
    const service = await openService()
    onTestFinished(() => service.close())
    const someone = await makePerson(service, 'ADMIN')
    // The first limit leaves room for refusals (50 connections are served, 5 more refused in words); the second none.
    for (const { openFiles, idle } of [
      { openFiles: 256, idle: 50 },
      { openFiles: 64, idle: 100 },
    ]) {
      const server = await startProcess(
        'server/test/killed-server.ts',
        ['http', service.urls.appUrl, service.config.dataDir],
        {
          openFiles,
        },
      )
      const origin = server.said
      const ask = () => outcomeOf(origin, addressOf(projects.list), someone)
      expect(await ask()).toBe('200')
      const lines = await Promise.all(Array.from({ length: idle }, (_, n) => openLineTo(origin, n % 10)))
      const answers = await Promise.all(Array.from({ length: 40 }, ask))
      const told = new Set(answers)
      // Past what a refusal costs, the line is closed unheard: still no wait, and no fault of the server's.
      for (const answer of told) expect(answer).toMatch(/^(200|503 after (2|10)|cut)$/)
      expect(answers.some((answer) => answer !== '200')).toBe(true)
      if (openFiles === 256) expect(told).toContain('503 after 10')
      for (const line of lines) line.destroy()
      await expect.poll(ask).toBe('200')
      for (const answer of await Promise.all(Array.from({ length: 5 }, ask))) expect(answer).toBe('200')
      console.log(`exhaustion: ${openFiles} open files: ${answers.length} requests beside ${idle} idle connections:`, [
        ...told,
      ])
      // It lived through all of it.
      expect(await server.end('SIGKILL')).toBe('SIGKILL')
    }
  },
)

/** Status and Retry-After; `cut` when the connection was closed without an answer. Throws when nothing comes. */
const outcomeOf = async (origin: string, path: string, who?: Person, init: RequestInit = {}): Promise<string> => {
  const headers = { ...(who ? { authorization: `Bearer ${who.token}` } : {}), ...init.headers, connection: 'close' }
  const signal = AbortSignal.timeout(60_000)
  try {
    const answer = await fetch(origin + path, { ...init, headers, signal })
    await answer.arrayBuffer()
    const after = answer.headers.get('retry-after')
    return `${answer.status}${after ? ` after ${after}` : ''}`
  } catch (error) {
    if (signal.aborted) throw error
    return 'cut'
  }
}

const signInOutcome = () =>
  outcomeOf(product.origin, addressOf(identityCalls.password), undefined, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'somebody@test.test', password: 'something-long' }),
  })

/** A fetch that writes down each answer that no client could use: a fault of ours, or a wait without an end. */
const noted = (wrong: string[]): typeof fetch => {
  return async (address, init) => {
    const answer = await fetch(address, init)
    if (answer.status >= 500 && (answer.status !== 503 || !answer.headers.has('retry-after')))
      wrong.push(`${address}: ${answer.status} ${await answer.clone().text()}`)
    return answer
  }
}

/** Another client of the same PostgreSQL that takes every connection, those of the product too. */
const takeEveryConnection = async () => {
  const name = 'somebody else'
  const held: pg.Client[] = []
  let isStaying = true
  const taking = (async () => {
    while (isStaying) {
      const one = new pg.Client({ connectionString: product.appUrl, application_name: name })
      one.on('error', () => {})
      const isIn = await one.connect().then(
        () => true,
        () => false,
      )
      if (isIn) held.push(one)
      else await sleep(5)
    }
  })()
  // What the product holds, or gets hold of again, is taken from it.
  const ending = (async () => {
    const superuser = new pg.Client({ connectionString: product.superuserUrl })
    await superuser.connect()
    while (isStaying) {
      await superuser.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'clear_app' and application_name <> $1`,
        [name],
      )
      await sleep(20)
    }
    await superuser.end()
  })()
  while (held.length < 90) await sleep(20)
  return {
    leave: async () => {
      isStaying = false
      await Promise.all([taking, ending])
      await Promise.all(held.splice(0).map((one) => one.end()))
    },
  }
}

const openStream = async (origin: string, who: Person) => {
  const stop = new AbortController()
  const response = await fetch(`${origin}/api/events`, {
    headers: { authorization: `Bearer ${who.token}` },
    signal: stop.signal,
  })
  let text = ''
  void (async () => {
    for await (const part of response.body!) text += Buffer.from(part).toString()
  })().catch(() => {})
  return { events: (name: string) => text.split(`event: ${name}\n`).length - 1, close: () => stop.abort() }
}

/** A connection that asks nothing, from one of ten networks of this machine: one alone may not have every place. */
const openLineTo = async (origin: string, network: number): Promise<Socket> => {
  const { port, hostname } = new URL(origin)
  const line = connect({ port: Number(port), host: hostname, localAddress: `127.0.${network}.1` }).on('error', () => {})
  await Promise.race([once(line, 'connect'), once(line, 'close')])
  return line
}
