import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { projects } from '@clear-to-post/contract/projects'
import {
  callAs,
  callConfirmed,
  makeOfficer,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { mostOfOnePerson, openLive } from './live.ts'

let service: Service
let origin: string
beforeAll(async () => {
  service = await openService()
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`
})
afterAll(() => service.close())

/** What a page that listens hears, and whether its stream is over. */
const listen = async ({ token }: Person) => {
  const response = await fetch(`${origin}/api/events`, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(200)
  const heard = { text: '', isOver: false }
  void (async () => {
    for await (const part of response.body!) heard.text += Buffer.from(part).toString()
    heard.isOver = true
  })()
  await expect.poll(() => heard.text).toContain('event: again')
  return heard
}

test('a person who is disabled, changes role or company, or is removed gets no more live events', async () => {
  const [admin, officer] = [await makePerson(service, 'ADMIN'), await makeOfficer(service)]
  const { tenantId } = officer
  const watching = await listen(admin)
  const staff = await Promise.all(Array.from({ length: 4 }, () => makePerson(service, 'QA', { tenantId })))
  const streams = await Promise.all(staff.map(listen))
  const change = (at: number, body: object) =>
    callConfirmed(service, admin)(accounts.update, { body: { userId: staff[at]!.id, ...body } })
  await change(0, { isDisabled: true })
  await change(1, { role: 'User' })
  await change(2, { tenantId: await makeTenant(service) })
  await callConfirmed(service, staff[3]!)(accounts.remove, { query: {} })
  await expect.poll(() => streams.map(({ isOver }) => isOver)).toEqual([true, true, true, true])

  const body = { title: 'Seen', assets: [await makeVideo(service, officer)] }
  const { id } = await callAs(service, officer)(projects.create, { body })
  await expect.poll(() => watching.text).toContain(id)
  expect(watching.isOver).toBe(false)
  for (const { text } of streams) expect(text).not.toContain(id)
})

test('events of a file without a project reach only its owner', async () => {
  const tenantId = await makeTenant(service)
  const officer = await makePerson(service, 'User', { tenantId })
  const qa = await makePerson(service, 'QA', { tenantId })
  const [own, others] = [await listen(officer), await listen(qa)]
  const draft = await makeVideo(service, officer)
  const move = (id: string) =>
    service.database.asSystem((tx) => tx.count(sql`update asset set stage = 'moved' where id = ${id}`))
  await move(draft)
  await expect.poll(() => own.text).toContain(draft)
  // Sent later, so earlier events have arrived by now.
  const marker = await makeVideo(service, qa)
  await move(marker)
  await expect.poll(() => others.text).toContain(marker)
  expect(others.text).not.toContain(`"assetId":"${draft}","projectId":null`)
})

test('news of a kind that this release does not know is passed over; of a known kind in a new shape pages read again', async () => {
  const officer = await makeOfficer(service)
  const heard = await listen(officer)
  const events = () => [...heard.text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)
  const tell = (told: object) =>
    service.database.asSystem((tx) =>
      tx.count(sql`insert into news (told) values (${JSON.stringify({ ...told, userId: officer.id })}::json)`),
    )
  // What stands in every object is no kind of news either.
  for (const type of ['weather', 'toString', 'constructor']) await tell({ type, degrees: 20 })
  // Told later, so what was told before has been heard by now.
  await tell({ type: 'notification' })
  await expect.poll(events).toEqual(['again', 'notification'])
  await tell({ type: 'project', projectId: randomUUID(), status: 99, seq: 1, verb: 'invent' })
  await expect.poll(events).toEqual(['again', 'notification', 'again'])
})

test('an ended session cannot open a stream', async () => {
  for (const change of [sql`is_disabled = true`, sql`security_stamp = security_stamp + 1`]) {
    const person = await makePerson(service, 'QA')
    await service.database.asSystem((tx) => tx.count(sql`update person set ${change} where id = ${person.id}`))
    const response = await fetch(`${origin}/api/events`, { headers: { authorization: `Bearer ${person.token}` } })
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 401,
      body: { code: 'session.ended' },
    })
  }
})

test('a person has a limited number of streams: one more closes the oldest, and nobody else’s', async () => {
  const [busy, other] = [await makePerson(service, 'QA'), await makePerson(service, 'QA')]
  const others = await listen(other)
  const streams: Awaited<ReturnType<typeof listen>>[] = []
  for (let n = 0; n < mostOfOnePerson; n++) streams.push(await listen(busy))
  expect(streams.filter(({ isOver }) => isOver)).toEqual([])
  streams.push(await listen(busy))
  await expect.poll(() => streams[0]!.isOver).toBe(true)
  expect(streams[0]!.text).toContain('event: full')
  const marker = await makeVideo(service, busy)
  await service.database.asSystem((tx) => tx.count(sql`update asset set stage = 'moved' where id = ${marker}`))
  for (const one of streams.slice(1)) await expect.poll(() => one.text).toContain(marker)
  expect(streams.slice(1).filter(({ isOver }) => isOver)).toEqual([])
  expect(others.isOver).toBe(false)
})

test('a client that does not read its stream is disconnected and uses no more memory', async () => {
  const { id, token } = await makePerson(service, 'User')
  const line = connect((service.app.server.address() as AddressInfo).port, '127.0.0.1')
  line.write(`GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await new Promise((resolve) => line.once('data', resolve))
  line.pause()
  let bytes = 0
  let isOver = false
  for (const event of ['end', 'close', 'error']) line.on(event, () => (isOver = true))
  // 32 MB: far more than the lines' own buffers hold.
  const file = { assetId: randomUUID(), projectId: null, state: 'checking', progress: null }
  const told = JSON.stringify({ type: 'asset', userId: id, ...file, stage: 'x'.repeat(7700) })
  for (let n = 0; n < 8; n++)
    await service.database.asSystem((tx) =>
      tx.count(
        sql`insert into news (told) select (${told.slice(0, -2)} || n || '"}')::json from generate_series(1, 512) n`,
      ),
    )
  line.on('data', (part) => (bytes += part.length))
  line.resume()
  await expect.poll(() => isOver).toBe(true)
  expect(bytes).toBeLessThan(20 * 1024 * 1024)
})

/** A stream that only remembers which events it heard. */
const aListener = (caller: Person, heard: string[] = []) => ({
  caller,
  send: (name: string, data: object) => void heard.push(`${name} ${JSON.stringify(data)}`),
  close: () => {},
  recheck: async () => true,
})

/** A proxy to the real database that can freeze: it accepts connections, but reads and answers nothing. */
const hangingDatabase = async () => {
  const state = { hangs: false, connections: 0 }
  const real = new URL(service.urls.appUrl)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    state.connections++
    const far = connect(Number(real.port || 5432), real.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {}).on('close', () => to.destroy())
      from.on('data', (bytes) => to.write(bytes))
      if (state.hangs) from.pause()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(real)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    connections: () => state.connections,
    hang: () => {
      state.hangs = true
      for (const socket of sockets) socket.pause()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a database that accepts the connection but never answers is tried again, and does not delay closing', async () => {
  const database = await hangingDatabase()
  database.hang()
  const live = openLive(database.url, { patienceMs: 100 })
  live.add(aListener(await makePerson(service, 'ADMIN')))
  await expect.poll(database.connections).toBeGreaterThan(1)
  await live.close()
  const before = database.connections()
  const patient = openLive(database.url)
  patient.add(aListener(await makePerson(service, 'ADMIN')))
  await expect.poll(database.connections).toBeGreaterThan(before)
  await patient.close()
  await database.close()
})

test('a database that hangs while streams are open does not delay closing', async () => {
  const database = await hangingDatabase()
  const live = openLive(database.url)
  const heard: string[] = []
  live.add(aListener(await makePerson(service, 'ADMIN'), heard))
  await expect.poll(() => heard).toContain('again {}')
  database.hang()
  await live.close()
  await database.close()
})

test('every commit is heard once and at once by every server, also beside a transaction that stays open', async () => {
  const admin = await makePerson(service, 'ADMIN')
  const hubs = [openLive(service.urls.appUrl), openLive(service.urls.appUrl)]
  const heard = hubs.map((hub) => {
    const own: string[] = []
    hub.add(aListener(admin, own))
    return own
  })
  for (const own of heard) await expect.poll(() => own).toEqual(['again {}'])
  // Another process's: nobody here is told of its commits.
  const others = await Promise.all([1, 2].map(() => connected(service.urls.superuserUrl)))
  const tell = (client: pg.Client, id: string) =>
    client.query(
      `insert into news (told) values (json_build_object('type', 'notification', 'id', $1::text, 'userId', $2::text))`,
      [id, admin.id],
    )
  const [late, first, second] = [randomUUID(), randomUUID(), randomUUID()]
  await others[0]!.query('begin')
  await tell(others[0]!, late)
  await tell(others[1]!, first)
  const words = (ids: string[]) => ['again {}', ...ids.map((id) => `notification ${JSON.stringify({ id })}`)]
  for (const own of heard) await expect.poll(() => own).toEqual(words([first]))
  await others[0]!.query('commit')
  for (const own of heard) await expect.poll(() => own).toEqual(words([first, late]))
  await others[1]!.query('begin')
  await tell(others[1]!, randomUUID())
  await others[1]!.query('rollback')
  await tell(others[1]!, second)
  for (const own of heard) await expect.poll(() => own).toEqual(words([first, late, second]))
  await Promise.all([...others.map((one) => one.end()), ...hubs.map((hub) => hub.close())])
})

test('while streams are asked whether their sessions count, what is new is read, and heard by those who were asked', async () => {
  const admin = await makePerson(service, 'ADMIN')
  const live = openLive(service.urls.appUrl)
  const [asked, waiting, heard, heardLate]: [string[], PromiseWithResolvers<boolean>, string[], string[]] = [
    [],
    Promise.withResolvers<boolean>(),
    [],
    [],
  ]
  live.audience.add({ ...aListener(admin, heard), recheck: async () => asked.push('first') > 0 })
  const slow = {
    ...aListener(admin, heardLate),
    // At first nobody can say: that is no answer.
    recheck: async () => asked.push('second') > 2 && waiting.promise,
  }
  live.add(slow)
  await expect.poll(() => asked).toEqual(['first', 'second', 'second'])
  const others = await connected(service.urls.superuserUrl)
  const tell = async () => {
    const id = randomUUID()
    await others.query(
      `insert into news (told) values (json_build_object('type', 'notification', 'id', $1::text, 'userId', $2::text))`,
      [id, admin.id],
    )
    return `notification ${JSON.stringify({ id })}`
  }
  const first = await tell()
  await expect.poll(() => heard).toEqual(['again {}', first])
  // Whoever may have no session any more has heard nothing so far, and reads once it is known.
  expect(heardLate).toEqual([])
  waiting.resolve(true)
  await expect.poll(() => heardLate).toEqual(['again {}'])
  const second = await tell()
  for (const own of [heard, heardLate]) await expect.poll(() => own.at(-1)).toBe(second)
  expect([heard, heardLate]).toEqual([
    ['again {}', first, second],
    ['again {}', second],
  ])
  await Promise.all([others.end(), live.close()])
})

test('how far a check is reaches whoever looks, and no commit tells it', async () => {
  const admin = await makePerson(service, 'ADMIN')
  const id = await makeVideo(service, admin)
  const change = (what: ReturnType<typeof sql>) =>
    service.database.asSystem((tx) => tx.count(sql`update asset set ${what} where id = ${id}`))
  const told = () =>
    service.database
      .asSystem((tx) => tx.rows(sql`select from news where told->>'assetId' = ${id}`))
      .then((r) => r.length)
  await change(sql`state = 'checking', progress = 0`)
  const live = openLive(service.urls.appUrl)
  const heard: string[] = []
  live.add(aListener(admin, heard))
  await expect.poll(() => heard).toContain('again {}')
  const before = await told()
  for (const progress of [0.25, 0.5, 0.75]) {
    await change(sql`progress = ${progress}`)
    await expect.poll(() => heard.filter((one) => one.includes(id)).at(-1) ?? '').toContain(`"progress":${progress}`)
  }
  expect(await told()).toBe(before)
  await live.close()
})

const connected = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}
