import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { webhooks } from '@clear-to-post/contract/webhooks'
import { failingHours, failingVideos, secondsBeforeWebhook, webhookTypes } from '@clear-to-post/domain/webhooks'
import { submitProject } from '../../test/factories.ts'
import {
  callAs,
  callConfirmed,
  makeOfficer,
  makePerson,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { burdens, failures, openReceiver, type Answering, type Receiver } from '../../test/webhook-receiver.ts'
import { sql, systemCaller } from '../kernel/database.ts'
import { startWorker } from '../main/worker.ts'
import { openWebhooks, webhookPatienceMs } from '../outside/webhooks.ts'
import { claimDeliveries, dropOldEvents, dueEndpoints, lockEndpoint } from './send-store.ts'
import { sendWaiting, webhookLeaseMs } from './send.ts'
import { dropEndpoint } from './store.ts'

let service: Service
let receiver: Receiver
let answer: Answering | undefined
beforeAll(async () => {
  receiver = await openReceiver(() => answer)
  service = await openService({ WEBHOOK_TEST_ORIGIN: receiver.origin })
  await openWebhooks({ ...service.config, webhookPatienceMs: 3000 })
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})
afterEach(() => void (answer = undefined))

let count = 0
const add = async (admin: Person) => {
  const path = `/hook-${count++}`
  const { endpoint } = await callConfirmed(service, admin)(webhooks.create, {
    body: { url: receiver.origin + path, events: [...webhookTypes] },
  })
  const at = { params: { endpointId: endpoint.id } }
  return {
    id: endpoint.id,
    path,
    heard: (projectId?: string) =>
      receiver.received.filter(
        (one) => one.path === path && (projectId === undefined || one.message.data.projectId === projectId),
      ),
    find: () => callAs(service, admin)(webhooks.find, at),
    log: async () => (await callAs(service, admin)(webhooks.deliveries, at)).items,
  }
}
type Hook = Awaited<ReturnType<typeof add>>
const company = async () => {
  const officer = await makeOfficer(service)
  const admin = await makePerson(service, 'ADMIN', { tenantId: officer.tenantId })
  return { officer, admin, hook: await add(admin) }
}
/** Two steps of a new video: it is sent in and canceled. */
const twoSteps = async (officer: Person): Promise<string> => {
  const { id } = await submitProject(service, officer)
  await callAs(service, officer)(projects.cancel, { params: { projectId: id } })
  return id
}
const send = (hook: Hook, afterSeconds = 0) => {
  const ahead = afterSeconds * 1000
  return sendWaiting(
    { database: service.database, now: () => new Date(Date.now() + ahead), signal: new AbortController().signal },
    hook.id,
  )
}
const seqs = (all: { message: { data: { seq?: number } } }[]) => all.map(({ message }) => message.data.seq)
const told = (hook: Hook) =>
  service.database.asSystem((tx) =>
    tx.rows(sql<{ body: string; ids: string[] }>`
      select data #>> '{notice,body}' as body, data -> 'userIds' as ids from pgboss.job
      where name = 'notice' and data #>> '{notice,metadata,endpointId}' = ${hook.id}`),
  )

describe('a program that does not take a message is sent it again later, and other videos go on meanwhile', () => {
  test.each(Object.keys(failures))('where the answer is %s', async (how) => {
    const { officer, hook } = await company()
    const [broken, fine] = [await twoSteps(officer), await twoSteps(officer)]
    answer = (one, response) =>
      one.message.data.projectId === broken ? failures[how]!(one, response) : response.writeHead(204).end()
    await send(hook)
    // The second step of the video that fails waits behind the first.
    expect(seqs(hook.heard(broken))).toEqual([1])
    expect(seqs(hook.heard(fine))).toEqual([1, 2])
    // Not before its pause is over.
    await send(hook)
    expect(hook.heard(broken)).toHaveLength(1)
    await send(hook, 6)
    expect(seqs(hook.heard(broken))).toEqual([1, 1])
    await send(hook, 60)
    expect(hook.heard(broken)).toHaveLength(2)
    answer = undefined
    await send(hook, 6 + 331)
    expect(seqs(hook.heard(broken))).toEqual([1, 1, 1, 2])
    expect(new Set(hook.heard(broken).map(({ id }) => id)).size).toBe(2)
    expect((await hook.log()).map(({ state }) => state)).toEqual(Array(4).fill('delivered'))
    expect(receiver.received.filter(({ path }) => path === '/elsewhere')).toEqual([])
  })
})

test('an answer that never ends, or is huge, counts by its status, and only its beginning is kept', async () => {
  for (const [how, given] of Object.entries(burdens)) {
    const { officer, admin, hook } = await company()
    await twoSteps(officer)
    answer = given
    await send(hook)
    expect([how, seqs(hook.heard())]).toEqual([how, [1, 2]])
    const [{ id: deliveryId } = { id: '' }] = await hook.log()
    const params = { endpointId: hook.id, deliveryId }
    const { attempts } = await callAs(service, admin)(webhooks.delivery, { params })
    expect(attempts[0]!.answer.length).toBeLessThanOrEqual(500)
  }
})

test('an answer is kept without marks that turn or hide the words around it', async () => {
  const { officer, admin, hook } = await company()
  await twoSteps(officer)
  answer = (_one, response) =>
    response.writeHead(500).end(Buffer.from('no\u0000\u202Esuch\u0007 thing\n\uD83D\uDE42 \u00e9', 'utf8'))
  await send(hook)
  const deliveryId = (await hook.log()).at(-1)!.id
  const { attempts } = await callAs(service, admin)(webhooks.delivery, { params: { endpointId: hook.id, deliveryId } })
  expect(attempts).toMatchObject([{ status: 500, answer: 'no  such  thing\n🙂 é' }])
})

test('a program says when to come back, and is not asked before', async () => {
  const { officer, hook } = await company()
  await twoSteps(officer)
  answer = (_one, response) => response.writeHead(503, { 'retry-after': '3600' }).end()
  await send(hook)
  answer = undefined
  await send(hook, 3500)
  expect(hook.heard()).toHaveLength(1)
  await send(hook, 3700)
  expect(seqs(hook.heard())).toEqual([1, 1, 2])
})

test('the pauses grow to a day, and after the last one a message is given up while others are taken', async () => {
  const { officer, admin, hook } = await company()
  const broken = await twoSteps(officer)
  answer = (one, response) =>
    response.writeHead(one.message.data.projectId === broken && one.message.data.seq === 1 ? 500 : 204).end()
  let at = 0
  await send(hook)
  for (let failed = 1; secondsBeforeWebhook(failed) !== null; failed++) {
    at += secondsBeforeWebhook(failed)! * 1.1 + 1
    // Something else is taken in between: the endpoint as a whole does not fail.
    await twoSteps(officer)
    await send(hook, at)
  }
  expect(seqs(hook.heard(broken))).toEqual([...Array(10).fill(1), 2])
  expect(
    (await hook.log())
      .filter(({ projectId }) => projectId === broken)
      .map(({ state }) => state)
      .sort(),
  ).toEqual(['delivered', 'failed'])
  expect(await hook.find()).toMatchObject({ state: 'active' })
  expect(await told(hook)).toMatchObject([{ body: expect.stringContaining('ten times'), ids: [admin.id] }])
})

test('an endpoint that takes nothing for three days is paused, its ADMINs are told, and nothing is lost', async () => {
  const { officer, admin, hook } = await company()
  const id = await twoSteps(officer)
  answer = (_one, response) => response.writeHead(500).end()
  for (let at = 0; at <= (failingHours + 30) * 3600; at += 3600 * 6) await send(hook, at)
  expect(await hook.find()).toMatchObject({ state: 'failing', actions: ['resume'] })
  const tries = hook.heard().length
  await send(hook, 200 * 3600)
  expect(hook.heard()).toHaveLength(tries)
  expect(await told(hook)).toMatchObject([{ body: expect.stringContaining('three days'), ids: [admin.id] }])
  answer = undefined
  await callAs(service, admin)(webhooks.resume, { params: { endpointId: hook.id } })
  await send(hook, 201 * 3600)
  expect(seqs(hook.heard(id)).slice(tries)).toEqual([1, 2])
})

test('an endpoint that says it is gone is paused at once, and its ADMINs are told', async () => {
  const { officer, admin, hook } = await company()
  await twoSteps(officer)
  answer = (_one, response) => response.writeHead(410).end()
  await send(hook)
  expect(await hook.find()).toMatchObject({ state: 'gone' })
  expect(await told(hook)).toMatchObject([{ body: expect.stringContaining('gone'), ids: [admin.id] }])
})

test('where many videos fail at once the endpoint rests, is tried with one message, and goes on when one is taken', async () => {
  const { officer, hook } = await company()
  for (let n = 0; n < failingVideos + 4; n++) await twoSteps(officer)
  answer = (_one, response) => response.writeHead(500).end()
  await send(hook)
  const first = hook.heard().length
  await send(hook, 3)
  expect(hook.heard()).toHaveLength(first)
  await send(hook, 12)
  expect(hook.heard()).toHaveLength(first + 1)
  answer = undefined
  await send(hook, 1000)
  await send(hook, 1001)
  expect((await hook.log()).every(({ state }) => state === 'delivered')).toBe(true)
})

test('a message that a dead process had is sent again when its claim ends, before what comes after it', async () => {
  const { officer, hook } = await company()
  const id = await twoSteps(officer)
  const now = new Date()
  const claimed = await service.database.asSystem(async (tx) => {
    await lockEndpoint(tx, hook.id, now)
    const leasedUntil = new Date(now.getTime() + webhookLeaseMs)
    return claimDeliveries(tx, hook.id, { limit: 20, now, leasedUntil })
  })
  expect(claimed).toHaveLength(1)
  expect(webhookLeaseMs).toBeGreaterThan(2 * webhookPatienceMs)
  await send(hook)
  expect(hook.heard()).toEqual([])
  await send(hook, webhookLeaseMs / 1000 + 1)
  expect(seqs(hook.heard(id))).toEqual([1, 2])
})

test('workers that send to one endpoint at the same time send each message once, and in order', async () => {
  const { officer, hook } = await company()
  const ids: string[] = []
  for (let n = 0; n < 8; n++) ids.push(await twoSteps(officer))
  answer = async (_one, response) => {
    await sleep(20)
    response.writeHead(204).end()
  }
  await Promise.all([send(hook), send(hook), send(hook)])
  for (const id of ids) expect(seqs(hook.heard(id))).toEqual([1, 2])
})

test('an endpoint that is removed while a message is on its way is sent nothing more, and leaves nothing for long', async () => {
  const { officer, admin, hook } = await company()
  await twoSteps(officer)
  answer = async (_one, response) => {
    await callAs(service, admin)(webhooks.remove, { params: { endpointId: hook.id } })
    response.writeHead(204).end()
  }
  await send(hook)
  await send(hook)
  expect(hook.heard()).toHaveLength(1)
  const left = () =>
    service.database.asSystem(async (tx) => ({
      due: (await dueEndpoints(tx, new Date(), 200)).filter(({ id }) => id === hook.id),
      rows: (await tx.rows(sql`select from webhook_delivery where endpoint_id = ${hook.id}`)).length,
    }))
  expect(await left()).toEqual({ due: [], rows: 2 })
  await service.database.asSystem((tx) => dropOldEvents(tx, new Date(Date.now() + 1000)))
  expect(await left()).toEqual({ due: [], rows: 0 })
})

test('a step is taken while an endpoint is being removed, and waits for nothing', async () => {
  const { officer, hook } = await company()
  const { promise: removed, resolve: remove } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const removing = service.database.asSystem(async (tx) => {
    await dropEndpoint(tx, systemCaller, hook.id)
    begin()
    await removed
  })
  await begun
  // The removal ends only after it.
  const ids = await twoSteps(officer)
  remove()
  await removing
  expect(ids).toBeDefined()
  await send(hook)
  expect(hook.heard()).toEqual([])
})

test('the worker sends within seconds, and a company whose programs never answer holds up nobody else', async () => {
  const [slow, quick] = [await company(), await company()]
  const more = [await add(slow.admin), await add(slow.admin), await add(slow.admin)]
  for (let n = 0; n < 6; n++) await twoSteps(slow.officer)
  const silent = new Set([slow.hook, ...more].map(({ path }) => path))
  const held: ServerResponse[] = []
  answer = (one, response) => (silent.has(one.path) ? held.push(response) : response.writeHead(204).end())
  const worker = await startWorker({
    config: service.config,
    appUrl: service.urls.appUrl,
    log: pino({ level: 'silent' }),
  })
  try {
    await expect
      .poll(() => receiver.received.filter(({ path }) => silent.has(path)).length, { timeout: 60_000 })
      .toBeGreaterThan(0)
    const id = await twoSteps(quick.officer)
    await expect.poll(() => seqs(quick.hook.heard(id)), { timeout: 60_000 }).toEqual([1, 2])
  } finally {
    answer = undefined
    for (const response of held) response.destroy()
    await worker.close()
    await openWebhooks({ ...service.config, webhookPatienceMs: 1000 })
  }
}, 150_000)
