import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import type { CallInput } from '@clear-to-post/contract/call'
import { projects } from '@clear-to-post/contract/projects'
import { webhooks } from '@clear-to-post/contract/webhooks'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { webhookTypes, type WebhookType } from '@clear-to-post/domain/webhooks'
import { submitProject } from '../../test/factories.ts'
import {
  callAs,
  callConfirmed,
  makeOfficer,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  outcome,
  subscribe,
  type Person,
  type Service,
} from '../../test/service.ts'
import { openReceiver, type Receiver } from '../../test/webhook-receiver.ts'
import { sql } from '../kernel/database.ts'
import { suppressOldDeliveries } from '../main/old-deliveries.ts'
import { updateEndpoint } from './actions.ts'
import { sendWaiting } from './send.ts'

let service: Service
let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
  service = await openService({ WEBHOOK_TEST_ORIGIN: receiver.origin })
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

let count = 0
const add = async (admin: Person, events: readonly WebhookType[] = webhookTypes) => {
  const path = `/hook-${count++}`
  const made = await callConfirmed(service, admin)(webhooks.create, {
    body: { url: receiver.origin + path, events: [...events] },
  })
  return { ...made, path, id: made.endpoint.id, heard: () => receiver.received.filter((one) => one.path === path) }
}
/** A company with a plan, its ADMIN and an officer. */
const company = async () => {
  const officer = await makeOfficer(service)
  return { officer, admin: await makePerson(service, 'ADMIN', { tenantId: officer.tenantId }) }
}
const send = (endpointId: string, now = new Date()) =>
  sendWaiting({ database: service.database, now: () => now, signal: new AbortController().signal }, endpointId)
const listed = async (admin: Person, endpointId: string) =>
  (await callAs(service, admin)(webhooks.deliveries, { params: { endpointId } })).items

test('every step of a video reaches its company’s endpoint in order, and no other company’s', async () => {
  const [{ officer, admin }, other] = [await company(), await company()]
  const hook = await add(admin)
  const theirs = await add(other.admin)
  const ofService = await add(await makePerson(service, 'ADMIN'))
  const [editor, qa] = [await makePerson(service, 'Editor'), await makePerson(service, 'QA')]
  const { id } = await submitProject(service, officer)
  await callAs(service, editor)(projects.start, { body: { projectId: id } })
  const finalVideoId = await makeVideo(service, editor, { id, tenantId: officer.tenantId })
  await callAs(service, editor)(projects.send, { params: { projectId: id }, body: { finalVideoId } })
  await callAs(service, qa)(projects.approve, { params: { projectId: id }, body: {} })
  await callAs(service, qa)(projects.rollback, { params: { projectId: id }, body: {} })
  for (const one of [hook, theirs, ofService]) await send(one.id)
  const about = { projectId: id, tenantId: officer.tenantId, userId: officer.id }
  expect(hook.heard().map(({ message: { type, data } }) => ({ type, data }))).toEqual([
    { type: 'video.submitted', data: { ...about, seq: 1, status: 0, submitMonth: expect.stringMatching(/^\d{4}-/) } },
    { type: 'video.started', data: { ...about, seq: 2, status: 1 } },
    { type: 'video.sent_to_approval', data: { ...about, seq: 3, status: 3, cut: 1 } },
    { type: 'video.approved', data: { ...about, seq: 4, status: 2, cut: 1 } },
    { type: 'video.rolled_back', data: { ...about, seq: 5, status: 3, undoes: 'video.approved' } },
  ])
  expect(theirs.heard()).toEqual([])
  expect(ofService.heard()).toHaveLength(5)
})

test('an endpoint hears only of the types that it asked for', async () => {
  const { officer, admin } = await company()
  const hook = await add(admin, ['video.canceled'])
  const { id } = await submitProject(service, officer)
  await callAs(service, officer)(projects.cancel, { params: { projectId: id } })
  await send(hook.id)
  expect(hook.heard().map(({ message }) => message.type)).toEqual(['video.canceled'])
})

test('a step that is refused leaves no event', async () => {
  const { officer, admin } = await company()
  const hook = await add(admin)
  const { id } = await submitProject(service, officer)
  expect(
    await outcome(callAs(service, officer)(projects.review, { params: { projectId: id }, body: { revision: 'x' } })),
  ).toBe('project.wrong-status')
  expect((await listed(admin, hook.id)).map(({ type }) => type)).toEqual(['video.submitted'])
})

test('a message is signed as Standard Webhooks says, and by both secrets for a day after a new one', async () => {
  const { admin } = await company()
  const hook = await add(admin)
  const headers = async (now?: Date) => {
    await callAs(service, admin)(webhooks.test, { params: { endpointId: hook.id } })
    await send(hook.id, now)
    const { body, headers: sent } = hook.heard().at(-1)!
    const by = (secret: string) => () => new Webhook(secret).verify(body, sent as Record<string, string>)
    return { by, signatures: String(sent['webhook-signature']).split(' ') }
  }
  const first = await headers()
  expect(first.by(hook.secret)()).toMatchObject({ type: 'webhook.test', data: { endpointId: hook.id } })
  expect(first.by('whsec_' + Buffer.alloc(32, 7).toString('base64'))).toThrow(/signature/)
  const { secret } = await callConfirmed(service, admin)(webhooks.rotate, { params: { endpointId: hook.id } })
  expect(secret).not.toBe(hook.secret)
  const both = await headers()
  expect(both.signatures).toHaveLength(2)
  for (const one of [hook.secret, secret]) expect(both.by(one)).not.toThrow()
  const later = await headers(new Date(Date.now() + 24.1 * 3_600_000))
  expect(later.signatures).toHaveLength(1)
  expect(later.by(secret)).not.toThrow()
  expect(later.by(hook.secret)).toThrow(/signature/)
})

test('the lines of docs/webhooks.md take a message of ours, and refuse a changed or an old one', async () => {
  const { admin } = await company()
  const hook = await add(admin)
  await callAs(service, admin)(webhooks.test, { params: { endpointId: hook.id } })
  await send(hook.id)
  const { body, headers } = hook.heard()[0]!
  const page = await readFile(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
  const lines = /```js\n(.*?)```/s.exec(page)![1]!
  const { isOurs } = (await import(`data:text/javascript,${encodeURIComponent(lines)}`)) as {
    isOurs: (secret: string, headers: object, body: string) => boolean
  }
  expect(isOurs(hook.secret, headers, body)).toBe(true)
  expect(isOurs(hook.secret, headers, `${body} `)).toBe(false)
  expect(isOurs(`whsec_${Buffer.alloc(32).toString('base64')}`, headers, body)).toBe(false)
  const old = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 600) }
  expect(isOurs(hook.secret, old, body)).toBe(false)
})

test('a secret is shown once, and kept sealed for its own endpoint', async () => {
  const { admin } = await company()
  const { id, secret } = await add(admin)
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const row = await service.database.asSystem((tx) =>
    tx.first(sql`select e::text as text from webhook_endpoint e where id = ${id}`),
  )
  expect(JSON.stringify(row)).not.toContain(secret.slice(6, 20))
  for (const answer of [
    await callAs(service, admin)(webhooks.find, { params: { endpointId: id } }),
    await callAs(service, admin)(webhooks.list, {}),
  ])
    expect(JSON.stringify(answer)).not.toContain('secret')
})

test('an endpoint is a public https address, and ten of them are enough', async () => {
  const { admin } = await company()
  const made = (url: string) =>
    outcome(callConfirmed(service, admin)(webhooks.create, { body: { url, events: ['video.due'] } }))
  for (const url of [
    'http://program.example',
    'https://10.0.0.1/x',
    'https://localhost/x',
    'https://[::1]/',
    'https://user:word@program.example/',
    'https://169.254.169.254/latest',
  ])
    expect([url, await made(url)]).toEqual([url, 'webhook.bad-address'])
  expect(
    await outcome(
      callAs(service, admin)(webhooks.create, { body: { url: 'https://a.example', events: ['video.due'] } }),
    ),
  ).toBe('session.not-fresh')
  const { id } = await add(admin)
  const moved = { params: { endpointId: id }, body: { url: 'https://192.168.1.1/' } }
  expect(await outcome(callConfirmed(service, admin)(webhooks.update, moved))).toBe('webhook.bad-address')
  for (let n = 1; n < mostKept.webhookEndpoints; n++) expect(await made(`https://program-${n}.example/`)).toBe('done')
  expect(await made('https://one-more.example/')).toBe('webhook.too-many')
})

test('a paused endpoint is sent nothing, and what happened meanwhile first when it is resumed', async () => {
  const { officer, admin } = await company()
  const hook = await add(admin)
  const at = { params: { endpointId: hook.id } }
  expect((await callAs(service, admin)(webhooks.pause, at)).actions).toEqual(['resume'])
  expect(await outcome(callAs(service, admin)(webhooks.test, at))).toBe('webhook.wrong-state')
  await submitProject(service, officer)
  await send(hook.id)
  expect(hook.heard()).toEqual([])
  await callAs(service, admin)(webhooks.resume, at)
  await send(hook.id)
  expect(hook.heard().map(({ message }) => message.type)).toEqual(['video.submitted'])
})

test('a delivery that is sent again by hand, alone or since a moment, keeps its id and stands in the log', async () => {
  const { officer, admin } = await company()
  const hook = await add(admin)
  const { id } = await submitProject(service, officer)
  await callAs(service, officer)(projects.cancel, { params: { projectId: id } })
  await send(hook.id)
  const [canceled, submitted] = await listed(admin, hook.id)
  const endpointId = hook.id
  await callAs(service, admin)(webhooks.resend, { params: { endpointId, deliveryId: submitted!.id } })
  await send(hook.id)
  expect(hook.heard().map((one) => one.id)).toEqual([submitted, canceled, submitted].map((one) => one!.messageId))
  const { body, attempts, state } = await callAs(service, admin)(webhooks.delivery, {
    params: { endpointId, deliveryId: submitted!.id },
  })
  expect(body).toBe(hook.heard()[0]!.body)
  expect([state, attempts.map(({ status }) => status)]).toEqual(['delivered', [204, 204]])
  const since = { params: { endpointId }, body: { since: submitted!.at } }
  expect(await callAs(service, admin)(webhooks.resendSince, since)).toEqual({ count: 2 })
  const onlyFailed = { ...since, body: { ...since.body, onlyFailed: true } }
  expect(await callAs(service, admin)(webhooks.resendSince, onlyFailed)).toEqual({ count: 0 })
  await send(hook.id)
  expect(
    hook
      .heard()
      .map((one) => one.id)
      .slice(3),
  ).toEqual([submitted!.messageId, canceled!.messageId])
})

test('a company that is switched off is told nothing until it is switched on', async () => {
  const { officer, admin } = await company()
  const hook = await add(admin)
  await submitProject(service, officer)
  const set = (isActive: boolean) =>
    service.database.asSystem((tx) =>
      tx.count(sql`update tenant set is_active = ${isActive} where id = ${officer.tenantId}`),
    )
  await set(false)
  await send(hook.id)
  expect(hook.heard()).toEqual([])
  await set(true)
  await send(hook.id)
  expect(hook.heard()).toHaveLength(1)
})

test('no more waits for an endpoint than is kept; then it stops, and its company’s ADMINs are told', async () => {
  const { officer, admin } = await company()
  const hook = await add(admin)
  const { id } = await submitProject(service, officer)
  await service.database.asSystem((tx) =>
    tx.count(sql`
      with event as (
        insert into webhook_event (tenant_id, project_id, type, data, at)
        select ${officer.tenantId}, ${id}, 'video.due', '{}', now() from generate_series(2, ${mostKept.webhookWaiting}::integer)
        returning id)
      insert into webhook_delivery (endpoint_id, event_id, tenant_id, turn_id, at, next_at)
      select ${hook.id}, event.id, ${officer.tenantId}, ${id}, now(), now() from event`),
  )
  const waiting = () =>
    service.database.asSystem((tx) =>
      tx.first(sql<{ n: number }>`
        select count(*)::integer as n from webhook_delivery where endpoint_id = ${hook.id} and state = 'waiting'`),
    )
  const before = await waiting()
  await callAs(service, officer)(projects.cancel, { params: { projectId: id } })
  expect([before, await waiting()]).toEqual([{ n: mostKept.webhookWaiting }, { n: mostKept.webhookWaiting }])
  const test = () => outcome(callAs(service, admin)(webhooks.test, { params: { endpointId: hook.id } }))
  expect(await test()).toBe('webhook.too-many-waiting')
  const { webhookTasks } = await import('./jobs.ts')
  await webhookTasks(service.database)
    .find(({ name }) => name === 'webhooks for which too much waits')!
    .run(new Date(), new AbortController().signal)
  expect(await callAs(service, admin)(webhooks.find, { params: { endpointId: hook.id } })).toMatchObject({
    state: 'full',
  })
  const told = await service.database.asSystem((tx) =>
    tx.rows(sql<{ data: { notice: { title: string }; userIds: string[] } }>`
      select data from pgboss.job where name = 'notice' and data #>> '{notice,metadata,endpointId}' = ${hook.id}`),
  )
  expect(told.map(({ data }) => data)).toMatchObject([
    { notice: { title: 'A webhook is paused' }, userIds: [admin.id] },
  ])
})

test('a restored copy sends nothing that waited, and by hand all of it', async () => {
  const tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  const officer = await makePerson(service, 'User', { tenantId })
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  const hook = await add(admin)
  await submitProject(service, officer)
  const now = new Date()
  const { webhooks: held } = await suppressOldDeliveries(service.database, { asOf: now, now })
  expect(held).toBeGreaterThan(0)
  await send(hook.id)
  expect(hook.heard()).toEqual([])
  expect(await listed(admin, hook.id)).toMatchObject([{ state: 'suppressed' }])
  const since = { params: { endpointId: hook.id }, body: { since: new Date(0).toISOString(), onlyFailed: true } }
  expect(await callAs(service, admin)(webhooks.resendSince, since)).toEqual({ count: 1 })
  await send(hook.id)
  expect(hook.heard()).toHaveLength(1)
})

test('all ADMINs of a company get a mail when its events go to an address, by whom, and nobody else does', async () => {
  const [{ admin }, other] = [await company(), await company()]
  const second = await makePerson(service, 'ADMIN', { tenantId: admin.tenantId })
  const addresses = await service.database.asSystem((tx) =>
    tx.rows(sql<{ email: string }>`select email from person where id in (${admin.id}, ${second.id}) order by email`),
  )
  const mails = (title: string) =>
    service.database.asSystem((tx) =>
      tx.rows(sql<{ email: string; body: string }>`
        select recipient as email, data->>'body' as body from mail
        where data->>'title' = ${title} and key like ${`%${hook.id}%`} order by recipient`),
    )
  const hook = await add(admin)
  expect(other.admin.tenantId).not.toBe(admin.tenantId)
  const asked = { params: { endpointId: hook.id } }
  await callConfirmed(service, admin)(webhooks.update, { ...asked, body: { description: 'Ours' } })
  await callConfirmed(service, admin)(webhooks.update, { ...asked, body: { url: `${receiver.origin}/elsewhere` } })
  await callConfirmed(service, admin)(webhooks.rotate, asked)
  for (const title of ['A webhook was added', 'A webhook sends to another address', 'A webhook has a new secret']) {
    const told = await mails(title)
    expect(
      told.map(({ email }) => ({ email })),
      title,
    ).toEqual(addresses)
    for (const { body } of told) expect(body).toContain(admin.name)
  }
})

test('a change of a webhook is refused where somebody has changed the same part since it was begun', async () => {
  const { admin } = await company()
  const other = await makePerson(service, 'ADMIN', { tenantId: admin.tenantId })
  const { id, url, description } = (await add(admin)).endpoint
  const change = (who: Person, body: CallInput<typeof webhooks.update>['body']) =>
    callConfirmed(service, who)(webhooks.update, { params: { endpointId: id }, body })
  const begun: WebhookType[] = ['post.live', 'video.approved']
  await change(admin, { events: begun })
  const moved = `${url}/moved`
  await change(other, { url: moved, was: { url } })
  // Other parts stay, in whatever order events are named.
  expect(await change(admin, { events: ['post.live'], was: { events: begun.toReversed() } })).toMatchObject({
    url: moved,
    events: ['post.live'],
  })
  const own = { events: begun, description: 'Ours' }
  expect(await outcome(change(other, { ...own, was: { events: begun, description } }))).toBe('webhook.changed')
  expect(await change(other, { ...own, was: { events: ['post.live'], description } })).toMatchObject(own)
  expect(await outcome(change(admin, { url, was: { url } }))).toBe('webhook.changed')
})

test('an ADMIN who renews a secret in a loop sends each ADMIN twenty mails a day', async () => {
  const { admin } = await company()
  const hook = await add(admin)
  for (let n = 0; n < mostKept.alarmsPerDay + 5; n++)
    await callConfirmed(service, admin)(webhooks.rotate, { params: { endpointId: hook.id } })
  const mails = await service.database.asSystem((tx) =>
    tx.rows(sql`select 1 from mail where key like ${`webhook-rotated:${admin.id}:${hook.id}:%`}`),
  )
  expect(mails).toHaveLength(mostKept.alarmsPerDay)
})

test('however often one ADMIN moves a webhook, colleagues hear that it was moved in another’s name', async () => {
  const { admin } = await company()
  const { tenantId } = admin
  const [robbed, colleague] = [
    await makePerson(service, 'ADMIN', { tenantId }),
    await makePerson(service, 'ADMIN', { tenantId }),
  ]
  const hook = await add(admin)
  const move = (who: Person, to: string) =>
    callConfirmed(service, who)(webhooks.update, {
      params: { endpointId: hook.id },
      body: { url: `${receiver.origin}/${to}` },
    })
  for (let n = 0; n < mostKept.alarmsPerDay + 2; n++) await move(admin, `loop-${n}`)
  await move(robbed, 'thief')
  const bodies = await service.database.asSystem((tx) =>
    tx.rows(sql<{ body: string }>`
      select m.data->>'body' as body from mail m join person p on p.email = m.recipient
      where p.id = ${colleague.id} and m.key like 'webhook-moved:%' order by m.created_at, m.id`),
  )
  expect(bodies).toHaveLength(mostKept.alarmsPerDay + 1)
  expect(bodies.at(-1)!.body).toContain(robbed.name)
  expect(bodies.filter(({ body }) => body.includes('What they do after it today'))).toHaveLength(1)
})

test('a webhook that is moved twice within a millisecond is told of twice', async () => {
  const { admin } = await company()
  const hook = await add(admin)
  const now = new Date()
  for (const to of ['harmless', 'thief'])
    await service.database.inTenant(admin, (tx) =>
      updateEndpoint(tx, admin, hook.id, { url: `https://${to}.example.com/events` }, now),
    )
  const mails = await service.database.asSystem((tx) =>
    tx.rows(sql<{ body: string }>`
      select data->>'body' as body from mail where key like ${`webhook-moved:${admin.id}:${hook.id}:%`} order by created_at`),
  )
  expect(mails.map(({ body }) => /events sent to (\S+) from/.exec(body)?.[1])).toEqual([
    'harmless.example.com',
    'thief.example.com',
  ])
})
