import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { once } from 'node:events'
import { Socket, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import pg from 'pg'
import { afterAll, describe, expect, it, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { scripts } from '@clear-to-post/contract/scripts'
import { projects } from '@clear-to-post/contract/projects'
import { everyCall } from '@clear-to-post/contract/api'
import { KitLine } from '../src/edits/kit-line.ts'
import { limitConnections } from '../src/http/connections.ts'
import { sql } from '../src/kernel/database.ts'
import { ownConnections } from '../src/kernel/turns.ts'
import { sharedBounds } from '../src/kernel/shared-bounds.ts'
import { openStorage } from '../src/outside/open-storage.ts'
import { keptFree } from '../src/outside/storage.ts'
import { deliverMails, mailsTo } from './mails.ts'
import { longKit } from './recipes.ts'
import {
  callAs,
  makePerson,
  makeTenant,
  openService,
  outcome,
  subscribe,
  type Person,
  type Service,
} from './service.ts'

/** Everything that is shared by everybody, attacked by the holder of an IPv6 /48 and by accounts that have shown nothing. */
const gigabyte = 1024 ** 3
const services: Service[] = []
const open = async (...asked: Parameters<typeof openService>) => {
  const service = await openService(...asked)
  services.push(service)
  return service
}
afterAll(() => Promise.all(services.map((service) => service.close())))

/** The n-th /64 of one /48, each in a /56 of its own. */
const inNet = (n: number) => `2001:db8:7:${(n * 256).toString(16)}::1`
const password = 'kettle-drum-41'
const newAddress = () => `${randomUUID().slice(0, 8)}@bounds.test`

type Answer = { status: number; message: string }
const sendCode = async ({ app }: Service, email: string, ip: string, person?: Person): Promise<Answer> => {
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: `/api/accounts/public/email/send?email=${encodeURIComponent(email)}`,
    remoteAddress: ip,
    ...(person ? { headers: { authorization: `Bearer ${person.token}` } } : {}),
  })
  return { status: statusCode, message: (JSON.parse(body) as { message: string }).message }
}
const signUp = async ({ app }: Service, ip: string): Promise<Answer> => {
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: '/api/accounts/public/create',
    remoteAddress: ip,
    payload: { email: newAddress(), name: 'New', password, passwordConfirmation: password },
  })
  return { status: statusCode, message: (JSON.parse(body) as { message: string }).message }
}
const letIn = (answers: readonly Answer[]) => answers.filter(({ status }) => status < 300).length
const each = async <T>(count: number, ask: (n: number) => Promise<T>): Promise<T[]> => {
  const answers: T[] = []
  for (let n = 0; n < count; n++) answers.push(await ask(n))
  return answers
}

const attacks: Record<keyof typeof sharedBounds, () => Promise<void>> = {
  codes: async () => {
    const service = await open({ CODES_PER_NETWORK: '10', CODES_PER_HOUR: '100' })
    const answers = await each(150, (n) => sendCode(service, newAddress(), inNet(n)))
    expect(letIn(answers)).toBe(25)
    expect(answers.at(-1)!.message).toContain('from your network. Wait an hour')
    const stranger = newAddress()
    expect((await sendCode(service, stranger, '198.51.100.9')).status).toBe(200)
    expect(await mailsTo(service, stranger)).toHaveLength(1)
  },

  accounts: async () => {
    const service = await open({ CODES_PER_NETWORK: '5', CODES_PER_HOUR: '60' })
    const answers = await each(40, (n) => signUp(service, inNet(n)))
    expect(letIn(answers)).toBe(15)
    expect(answers.at(-1)).toEqual({
      status: 429,
      message:
        'Too many accounts were opened from your network. Wait an hour and try again, or use another connection, such as your phone’s.',
    })
    expect((await signUp(service, '198.51.100.9')).status).toBe(201)
  },

  calls: async () => {
    const limited: { method: string; url: string; max: number }[] = []
    const service = await open({}, undefined, {
      limits: true,
      onRoute: ({ method, url, config }) => {
        const { max } = (config as { rateLimit?: { max: number } } | undefined)?.rateLimit ?? {}
        const [first] = [method].flat()
        if (max !== undefined && first !== 'HEAD') limited.push({ method: first!, url, max })
      },
    })
    const admin = await makePerson(service, 'ADMIN')
    const ask = async ({ method, url }: { method: string; url: string }, ip: string) =>
      service.app.inject({
        method: method as 'GET',
        url: url.replace(/:\w+/g, 'x'),
        remoteAddress: ip,
        headers: { authorization: `Bearer ${admin.token}` },
      })
    expect(limited.length).toBeGreaterThan(30)
    for (const route of limited) {
      const left = (await each(5, (n) => ask(route, inNet(n)))).map(({ headers }) => headers['x-ratelimit-remaining'])
      // Five networks of one /48 have taken as much as two calls from one network.
      expect(left.map(Number), `${route.method} ${route.url}`).toEqual(
        [1, 1, 1, 1, 2].map((taken) => route.max - taken),
      )
    }
    const contact = limited.find(({ max }) => max === 5)!
    const answers = await each(40, (n) => ask(contact, inNet(n)))
    expect(answers.filter(({ statusCode }) => statusCode !== 429)).toHaveLength(15)
    expect((await ask(contact, '198.51.100.9')).statusCode).not.toBe(429)
  },

  passwords: async () => {
    // An app password of a network is handed on, and no core of ours hashes it.
    const hashing = everyCall.filter(({ shape }) => {
      if (shape.asksOutside) return false
      const fields = Object.keys((shape.body as { shape?: object } | undefined)?.shape ?? {})
      return fields.includes('password') || fields.includes('pass')
    })
    expect(hashing.length).toBeGreaterThan(4)
    const aMinute = hashing.reduce((sum, { shape }) => sum + (shape.perMinute ?? Infinity), 0)
    // Two at once, 30 ms each: a /48 has at most half of the turns.
    expect(aMinute * 4).toBeLessThanOrEqual((2 * 60_000) / 30 / 2)

    // What it may in a minute it may at once: whoever signs in elsewhere does not wait for that.
    const { app } = await open()
    const signIn = (ip: string) =>
      app.inject({
        method: 'POST',
        url: '/identity/sign-in/password',
        remoteAddress: ip,
        payload: { email: newAddress(), password },
      })
    let tried = 0
    const burst = Array.from({ length: 60 }, (_, n) => signIn(inNet(n)).then(() => void tried++))
    await expect.poll(() => tried, { interval: 1 }).toBeGreaterThan(4)
    const before = tried
    expect((await signIn('198.51.100.9')).statusCode).toBe(401)
    expect(tried - before).toBeLessThan(30)
    await Promise.all(burst)
  },

  database: async () => {
    const service = await open()
    const tenantId = await makeTenant(service)
    const [editor, other] = [
      await makePerson(service, 'Editor', { tenantId }),
      await makePerson(service, 'Editor', { tenantId }),
    ]
    // Whoever reads scripts holds a connection until this transaction ends.
    const owner = new pg.Client({ connectionString: service.urls.ownerUrl })
    await owner.connect()
    await owner.query('begin; lock table script in access exclusive mode')
    const reads = Array.from({ length: 40 }, () => outcome(callAs(service, editor)(scripts.list, {})))
    expect(await outcome(callAs(service, other)(projects.list, {}))).toBe('done')
    const waiting = async () =>
      (
        await owner.query<{ n: number }>(`
          select count(*)::integer as n from pg_locks where relation = 'script'::regclass and not granted`)
      ).rows[0]!.n
    await expect.poll(waiting).toBe(ownConnections)
    await owner.query('rollback')
    await owner.end()
    expect(new Set(await Promise.all(reads))).toEqual(new Set(['done']))
  },

  events: async () => {
    const service = await open()
    const send = (ip: string, label: string) =>
      service.app.inject({
        method: 'POST',
        url: '/api/track/public/send/',
        remoteAddress: ip,
        payload: { category: 'page', label, action: 'seen' },
      })
    const counted = async (label: string) =>
      (await service.database.asSystem((tx) => tx.rows(sql`select 1 from tracked_event where label = ${label}`))).length
    for (let sent = 0; sent < 1600; sent += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, k) => send(inNet((sent + k) % 255), 'flood')))
      await expect.poll(() => counted('flood')).toBeGreaterThanOrEqual(Math.min(sent + 50, 1200))
    }
    expect(await counted('flood')).toBe(1200)
    await send('198.51.100.9', 'honest')
    await expect.poll(() => counted('honest')).toBe(1)
  },

  connections: async () => {
    const app = fastify()
    app.server.removeAllListeners('connection')
    limitConnections(app, { total: 80, perNetwork: 8, refused: 0 }, { isProxied: false })
    // With no place for refusals, what is not served is closed at once.
    const connect = (ip: string) => {
      const line = new Socket()
      Object.defineProperty(line, 'remoteAddress', { value: ip })
      app.server.emit('connection', line)
      return line
    }
    const lines = Array.from({ length: 90 }, (_, n) => connect(inNet(n)))
    expect(lines.filter(({ destroyed }) => !destroyed)).toHaveLength(20)
    expect(connect('198.51.100.9').destroyed).toBe(false)
    await Promise.all(
      lines.map((line) => new Promise((closed) => (line.closed ? closed(null) : line.once('close', closed).destroy()))),
    )
    expect(connect(inNet(1)).destroyed).toBe(false)
    await app.close()
  },

  memory: async () => {
    const service = await open({ TRUST_PROXY: 'loopback' }, undefined, { timeouts: { heldBytes: 1_000_000 } })
    await service.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = service.app.server.address() as AddressInfo
    const begin = (ip: string) => {
      const line = new Socket().on('error', () => {}).connect(port, '127.0.0.1')
      const head = 'Content-Type: application/json\r\nContent-Length: 100000'
      line.write(`POST /webhooks/payments HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${ip}\r\n${head}\r\n\r\n{`)
      return line
    }
    const honest = begin('198.51.100.9')
    const crowd: Socket[] = []
    for (let n = 0; n < 30; n++) {
      crowd.push(begin(inNet(n)).resume())
      await sleep(10)
    }
    // Ten bodies fit. Each second one that comes after them ends two, so that a thirty-second is free.
    await expect.poll(() => crowd.filter(({ closed }) => !closed).length).toBe(8)
    honest.write('x'.repeat(100_000 - 1))
    expect(await Promise.race(['data', 'close'].map((event) => once(honest, event).then(() => event)))).toBe('data')
    for (const line of [...crowd, honest]) line.destroy()
  },

  streams: async () => {
    const service = await open({ TRUST_PROXY: 'loopback' }, undefined, {
      connections: { total: 40, perNetwork: 4, refused: 10 },
    })
    const base = await service.app.listen({ port: 0, host: '127.0.0.1' })
    const stream = (person: Person, ip: string) =>
      new Promise<{ status: number; end: () => void }>((answered, failed) => {
        const headers = { authorization: `Bearer ${person.token}`, 'x-forwarded-for': ip, connection: 'close' }
        const asked = request(`${base}/api/events`, { agent: false, headers }, (answer) => {
          const status = answer.statusCode!
          if (status === 200) return answered({ status, end: () => answer.destroy() })
          answer.resume().on('end', () => answered({ status, end: () => {} }))
        })
        asked.on('error', failed).end()
      })
    const crowd = await Promise.all(
      Array.from({ length: 6 }, () => makePerson(service, 'User', { isEmailVerified: false })),
    )
    const streams = await each(45, (n) => stream(crowd[n % 6]!, inNet(n)))
    expect(streams.filter(({ status }) => status === 200)).toHaveLength(10)
    const honest = await makePerson(service, 'User')
    const own = await stream(honest, '198.51.100.9')
    expect(own.status).toBe(200)
    // Who leaves gives the place back.
    streams.find(({ status }) => status === 200)!.end()
    await expect
      .poll(async () => {
        const { status, end } = await stream(crowd[0]!, inNet(99))
        end()
        return status
      })
      .toBe(200)
    for (const { end } of [...streams, own]) end()
  },

  kits: async () => {
    const line = new KitLine()
    const ask = (owner: string) => outcome(line.write(owner, longKit(2)))
    const crowd = Array.from({ length: 10 }, () => ask('one company'))
    const honest = ask('another')
    expect((await Promise.all(crowd)).filter((answer) => answer === 'done')).toHaveLength(3)
    expect(await honest).toBe('done')
  },

  disk: async () => {
    const service = await open()
    await openStorage(service.config.dataDir, { kept: keptFree, free: async () => keptFree.upload + 68 * gigabyte })
    const base = await service.app.listen({ port: 0, host: '127.0.0.1' })
    const begin = async (person: Person, bytes: number) => {
      const answer = await fetch(`${base}/uploads`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${person.token}`,
          'tus-resumable': '1.0.0',
          'upload-length': String(bytes),
          'x-request-id': randomUUID(),
        },
      })
      const body = answer.status === 201 ? null : ((await answer.json()) as { code: string; message: string })
      return { status: answer.status, code: body?.code ?? 'begun', message: body?.message ?? '' }
    }
    const tenantId = await makeTenant(service)
    await subscribe(service, { tenantId })
    const unconfirmed = () => makePerson(service, 'User', { isEmailVerified: false })
    const confirmed = () => makePerson(service, 'User')
    const subscriber = () => makePerson(service, 'User', { tenantId })

    const promised = await each(65, async () => begin(await unconfirmed(), gigabyte))
    expect(letIn(promised)).toBe(6)
    expect(promised.at(-1)).toEqual({
      status: 403,
      code: 'account.unverified',
      message:
        'There is little room for files right now. Confirm your e-mail address with the six digits that we sent you, then send the file again.',
    })
    // 6 + 45 of 68 GB: the last quarter is for plans.
    const free = await each(20, async () => begin(await confirmed(), 3 * gigabyte))
    expect(letIn(free)).toBe(15)
    expect(free.at(-1)).toEqual({
      status: 503,
      code: 'service.unavailable',
      message:
        'There is little room for files right now, and what is left is for customers with a plan. Try again in an hour, or choose a plan and send it now.',
    })
    expect(letIn(await each(4, async () => begin(await subscriber(), 4 * gigabyte)))).toBe(4)
    expect((await begin(await makePerson(service, 'Editor'), gigabyte)).status).toBe(201)
    expect(await begin(await subscriber(), gigabyte)).toMatchObject({ message: expect.stringContaining('no room') })

    // What they have sent and not used counts as well: nobody fills the disk part by part.
    await service.database.asSystem((tx) => tx.count(sql`delete from asset`))
    for (let n = 0; n < 7; n++)
      await service.database.asSystem(async (tx) =>
        tx.count(sql`
          insert into asset (id, author_id, purpose, file_name, extension, file_size, state)
          values (${randomUUID()}, ${(await unconfirmed()).id}, 'source', 'big.mp4', 'mp4', ${gigabyte}, 'ready')`),
      )
    expect(await begin(await unconfirmed(), 1)).toMatchObject({ code: 'account.unverified' })
    expect((await begin(await confirmed(), gigabyte)).status).toBe(201)
  },
}

describe('one holder of a /48, and 65 accounts that have shown nothing, leave everybody their part of', () => {
  it.each(Object.keys(attacks) as (keyof typeof attacks)[])('%s', { tags: 'long' }, (name) => attacks[name]())
})

test('every file that refuses for what all share, or counts networks, is in the table of shared bounds', () => {
  const root = join(import.meta.dirname, '../src')
  const counting = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.') && name !== 'kernel/network.ts')
    .filter((name) =>
      /throw refusal\('service\.(unavailable|crowded)'|diskFull\(\)|\bnetsOf\(|\bholderOf\(|new Network\w+\(|countForNets\(|queueCode\(|allows\(|store: limitStore\(|waiting\.length >= most/.test(
        readFileSync(join(root, name), 'utf8'),
      ),
    )
  const listed = Object.values(sharedBounds).flatMap(({ files }) => files as readonly string[])
  expect(counting.filter((file) => !listed.includes(file))).toEqual([])
  expect(listed.filter((file) => !counting.includes(file))).toEqual([])
})

test('thirty officers of one office sign up within minutes, and each is sent a code', async () => {
  const service = await open({ CODES_PER_NETWORK: '60', CODES_PER_HOUR: '2000' })
  expect(letIn(await each(30, () => signUp(service, '203.0.113.5')))).toBe(30)
  expect(await service.database.asSystem((tx) => tx.rows(sql`select from mail where template = 'code'`))).toHaveLength(
    30,
  )
})

test('when invented addresses have used up the codes, confirmed ones get theirs, and no answer says which are known', async () => {
  const service = await open({ CODES_PER_NETWORK: '10', CODES_PER_HOUR: '40' })
  // Many holders of networks, each within its bound.
  for (let n = 0; n < 30; n++) expect((await sendCode(service, newAddress(), `10.${n}.0.1`)).status).toBe(200)
  const addressOf = async (person: Person) => (await callAs(service, person)(accounts.info, {})).email
  const known = await makePerson(service, 'User')
  const fresh = await makePerson(service, 'User', { isEmailVerified: false })
  const [knownAddress, freshAddress, invented] = [await addressOf(known), await addressOf(fresh), newAddress()]
  const answers = [
    await sendCode(service, knownAddress, '198.51.100.1'),
    await sendCode(service, freshAddress, '198.51.100.2'),
    await sendCode(service, invented, '198.51.100.3'),
  ]
  expect(answers).toEqual([{ status: 200 }, { status: 200 }, { status: 200 }])
  const mailed = async (email: string) => (await mailsTo(service, email)).length
  expect([await mailed(knownAddress), await mailed(freshAddress), await mailed(invented)]).toEqual([1, 0, 0])
  // Whoever is signed in is told, and a confirmed one may have a code for a new address.
  const scarce = 'Too many codes are being asked for right now. We have been told; try again in an hour.'
  expect(await sendCode(service, freshAddress, '198.51.100.4', fresh)).toEqual({ status: 429, message: scarce })
  const moving = await each(6, () => sendCode(service, newAddress(), '198.51.100.5', known))
  expect(moving.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
  // The kept part ends for known and unknown ones at once.
  await each(4, async (n) => sendCode(service, await addressOf(await makePerson(service, 'User')), `198.18.${n}.1`))
  expect(await sendCode(service, knownAddress, '198.19.1.1')).toEqual({ status: 429, message: scarce })
  expect(await sendCode(service, newAddress(), '198.19.2.1')).toEqual({ status: 429, message: scarce })
  await deliverMails(service, knownAddress)
})
