import { once } from 'node:events'
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net'
import { createDecipheriv, createECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { notifications } from '@clear-to-post/contract/notifications'
import { push } from '@clear-to-post/contract/push'
import { jobContext } from '../../test/mails.ts'
import { openPushService, type PushService } from '../../test/push-service.ts'
import { callAs, openService, type Person, type Service } from '../../test/service.ts'
import { openSmtp } from '../../test/smtp.ts'
import { createPerson } from '../accounts/actions.ts'
import { sql } from '../kernel/database.ts'
import { sendMail } from '../mail/actions.ts'
import { registry } from '../main/registry.ts'
import { startWorker } from '../main/worker.ts'
import { notify } from '../notifications/notify.ts'
import { openMail } from '../outside/mail.ts'
import { browsers } from '../outside/push/browsers.ts'
import { isPublicAddress, PrivateAddress, publicLookup } from '../outside/public-address.ts'
import { openPush } from '../outside/push/push.ts'
import { sendPush } from './actions.ts'
import { pushJob } from './jobs.ts'
import { dropOld, pushKey } from './store.ts'

let service: Service
let pushService: PushService
let answer: Parameters<typeof openPushService>[0]
beforeAll(async () => {
  pushService = await openPushService(() => answer?.())
  service = await openService({ PUSH_TEST_ORIGIN: pushService.origin })
})
afterAll(async () => {
  await service.close()
  await pushService.close()
})
afterEach(() => {
  answer = undefined
})

/** A push service of a stranger's that answers a byte every 50 ms and never comes to the end. */
const dripping = () =>
  answering((socket) => {
    socket.write('HTTP/1.1 201 Created\r\nX-A: ')
    const drip = setInterval(() => socket.write('a'), 50)
    socket.on('close', () => clearInterval(drip))
  })
const answering = async (answer: (socket: Socket) => void) => {
  const server = createNetServer((socket) => {
    socket.on('error', () => {}).once('data', () => answer(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, close: () => server.close() }
}

type SignedIn = Person & { email: string; cookie: string }
const password = 'kettle-drum-41'
let count = 0

/** A new officer, signed in by password: subscribing needs a sign-in of the browser's own. */
const signedIn = async (): Promise<SignedIn> => {
  const email = `push-${count++}@push.test`
  const { id } = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'Maria', role: 'User', password, tenantId: null }),
  )
  return { id, role: 'User', tenantId: null, securityStamp: 1, name: 'Maria', email, ...(await signIn(email)) }
}
const signIn = async (email: string) => {
  const response = await service.app.inject({
    method: 'POST',
    url: '/identity/sign-in/password',
    payload: { email, password },
  })
  const cookie = response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return { token: (response.json() as { idToken: string }).idToken, cookie }
}
const subscribeAt = async (
  person: SignedIn,
  browser: { endpoint: string; keys: object },
  name = 'Chrome on a phone',
) => {
  const response = await service.app.inject({
    method: 'POST',
    url: '/api/push/devices/',
    headers: { authorization: `Bearer ${person.token}`, cookie: person.cookie },
    payload: { endpoint: browser.endpoint, keys: browser.keys, name },
  })
  return { status: response.statusCode, body: response.json() as { id: string; code?: string } }
}
/** A browser of this person's, subscribed. */
const browserOf = async (person: SignedIn) => {
  const { publicKey } = await callAs(service, person)(push.read, {})
  const browser = await pushService.subscribe(publicKey)
  const { status, body } = await subscribeAt(person, browser)
  expect(status).toBe(201)
  return { ...browser, deviceId: body.id }
}
const say = (userIds: string[], more: Partial<Parameters<typeof sendPush>[1]> = {}) =>
  service.database.asSystem((tx) =>
    sendPush(tx, { key: randomUUID(), userIds, title: 'Your video is ready', body: 'Look.', url: '/panel', ...more }),
  )
/** What a worker would do now. `later`: the time that messages wait for has passed. */
const work = async ({ later = false } = {}) => {
  openPush(service.config)
  const waiting = await service.database.asSystem(async (tx) => {
    if (later) await tx.count(sql`update push_delivery set due_at = now() where state = 'waiting'`)
    return tx.rows(sql<{ id: string }>`select distinct push_id as id from push_delivery where state = 'waiting'`)
  })
  for (const { id } of waiting) await pushJob.run({ pushId: id }, jobContext(service))
}
const deliveriesOf = (personId: string) =>
  service.database.asSystem((tx) =>
    tx.rows(sql<{ state: string; attempts: number; error: string | null; wait: number }>`
      select state, attempts, error, extract(epoch from due_at - now())::float as wait
      from push_delivery where person_id = ${personId} order by id`),
  )
const devicesOf = async (person: Person) => (await callAs(service, person)(push.read, {})).devices

test('a worker delivers a message to each browser of a person, encrypted and signed', async () => {
  const maria = await signedIn()
  const [phone, laptop] = [await browserOf(maria), await browserOf(maria)]
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const worker = await startWorker({ config: service.config, appUrl: service.urls.appUrl, log })
  const key = randomUUID()
  expect(await say([maria.id], { key, body: 'Schön “ready” ✓' })).toBe(2)
  expect(await say([maria.id], { key })).toBe(0)
  await expect.poll(() => pushService.shownAt(phone).length + pushService.shownAt(laptop).length).toBe(2)
  await expect.poll(async () => (await deliveriesOf(maria.id)).map(({ state }) => state)).toEqual(['sent', 'sent'])
  await worker.close()

  const [shown] = pushService.shownAt(phone)
  expect(shown).toMatchObject({ title: 'Your video is ready', body: 'Schön “ready” ✓', url: '/panel' })
  expect(pushService.shownAt(laptop)).toEqual([shown])
  const { headers, body } = pushService.requests.find(({ clientHash }) => clientHash === phone.clientHash)!
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'normal' })
  expect(headers.topic).toBe(shown!.id.replaceAll('-', ''))
  expect(Number(headers.ttl)).toBeGreaterThan(86_000)
  expect(body.toString()).not.toContain('ready')
  expect((await devicesOf(maria)).every(({ reachedAt }) => reachedAt !== undefined)).toBe(true)
})

test('a delivered message decrypts as RFC 8291 specifies, with an independent implementation', async () => {
  const maria = await signedIn()
  const keys = createECDH('prime256v1')
  const point = keys.generateKeys()
  const auth = randomBytes(16)
  const browser = {
    endpoint: `${pushService.origin}/notify/by-hand`,
    keys: { p256dh: point.toString('base64url'), auth: auth.toString('base64url') },
  }
  expect((await subscribeAt(maria, browser)).status).toBe(201)
  const body = '✓ä'.repeat(3000)
  await say([maria.id], { body })
  await work()
  const sent = pushService.requests.find(({ clientHash }) => clientHash === 'by-hand')!.body
  expect(sent.length).toBeLessThanOrEqual(4096)
  const [salt, theirs] = [sent.subarray(0, 16), sent.subarray(21, 21 + sent[20]!)]
  const derive = (secret: Buffer, salted: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salted, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), point, theirs])
  const secret = derive(keys.computeSecret(theirs), auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = sent.subarray(21 + theirs.length)
  const open = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(cipher.subarray(-16))
  const plain = Buffer.concat([open.update(cipher.subarray(0, -16)), open.final()]).toString()
  const shown = JSON.parse(plain.slice(0, plain.lastIndexOf('\x02'))) as { title: string; body: string }
  expect(shown.title).toBe('Your video is ready')
  expect(shown.body).toMatch(/^(✓ä)+✓?…$/)
  expect(shown.body.length).toBeGreaterThan(1000)
})

test('a browser that unsubscribed is removed, and the others still get messages', async () => {
  const maria = await signedIn()
  const [gone, kept] = [await browserOf(maria), await browserOf(maria)]
  for (const status of [410, 404]) {
    const old = status === 410 ? gone : await browserOf(maria)
    answer = () => (pushService.requests.at(-1)!.clientHash === old.clientHash ? { status } : undefined)
    await say([maria.id])
    await work()
    expect((await devicesOf(maria)).map(({ id }) => id)).toEqual([kept.deviceId])
  }
  expect(pushService.shownAt(kept)).toHaveLength(2)
  expect((await deliveriesOf(maria.id)).map(({ state }) => state)).toEqual(['sent', 'sent'])
})

test('a push service that asks to wait is waited for, and a final refusal is not tried again', async () => {
  const maria = await signedIn()
  const phone = await browserOf(maria)
  await say([maria.id])
  answer = () => ({ status: 429, headers: { 'retry-after': '1200' } })
  await work()
  await work()
  let [delivery] = await deliveriesOf(maria.id)
  expect(delivery).toMatchObject({ state: 'waiting', attempts: 1, error: 'the push service answered 429' })
  expect(delivery!.wait).toBeGreaterThan(1190)
  answer = () => ({ status: 503, headers: { 'retry-after': new Date(Date.now() + 7_200_000).toUTCString() } })
  await work({ later: true })
  ;[delivery] = await deliveriesOf(maria.id)
  expect(delivery!.wait).toBeGreaterThan(7100)
  // A follow-up waits in the queue, for then.
  const [job] = await service.database.asSystem((tx) =>
    tx.rows(sql<{ wait: number }>`
      select extract(epoch from max(start_after) - now())::float as wait from pgboss.job where name = 'push'`),
  )
  expect(job!.wait).toBeGreaterThan(7100)
  // Longer than it is worth showing.
  await say([maria.id], { uselessAt: new Date(Date.now() + 600_000) })
  await work()
  expect((await deliveriesOf(maria.id))[1]).toMatchObject({ state: 'failed' })
  answer = () => ({ status: 400 })
  await say([maria.id])
  await work()
  expect((await deliveriesOf(maria.id))[2]).toMatchObject({ state: 'failed', error: 'the push service answered 400' })
  // The notification in the panel records a failed push; one device that shows it is enough.
  const laptop = await browserOf(maria)
  const notice = { kind: 'news', body: 'Look.', cta: null, metadata: {}, channels: ['push'] } as const
  let asked = 0
  const answers = { Nowhere: () => ({ status: 400 }), 'On one': () => (asked++ === 0 ? { status: 400 } : undefined) }
  for (const [title, one] of Object.entries(answers)) {
    answer = one
    const said = { ...notice, title, cause: `test:${randomUUID()}` }
    await service.database.asSystem((tx) => notify(tx, said, [maria.id], new Date()))
    await work()
  }
  expect((await callAs(service, maria)(notifications.list, {})).items).toMatchObject([
    { title: 'On one', status: 'delivered' },
    { title: 'Nowhere', status: 'failed', error: 'It could not be shown on your devices.' },
  ])
  expect(pushService.shownAt(laptop).length + pushService.shownAt(phone).length).toBe(1)
  answer = undefined
  await work({ later: true })
  await work({ later: true })
  expect(pushService.shownAt(phone).filter(({ title }) => title === 'Your video is ready')).toHaveLength(1)
})

test('each message arrives once after the push service and the mail server were away for an hour', async () => {
  const maria = await signedIn()
  const [phone, laptop] = [await browserOf(maria), await browserOf(maria)]
  const { port, close } = await openSmtp()
  await close()
  const useSmtp = () => openMail({ ...service.config, smtpUrl: `smtp://127.0.0.1:${port}` })
  const comeBack = await pushService.goAway()
  const mails: string[] = []
  for (const n of [1, 2, 3]) {
    await say([maria.id], { title: `Message ${n}` })
    const key = `notice:${randomUUID()}` as const
    await service.database.asSystem((tx) =>
      sendMail(tx, { key, to: 'maria@mail.test', template: 'message', data: { title: `Message ${n}`, body: 'Look.' } }),
    )
    mails.push(
      (await service.database.asSystem((tx) => tx.first(sql<{ id: string }>`select id from mail where key = ${key}`)))!
        .id,
    )
  }
  const sendMails = () =>
    Promise.allSettled(mails.flatMap((mailId) => [1, 2].map(() => registry.mail.run({ mailId }, jobContext(service)))))
  // As often as the waits fit into an hour.
  useSmtp()
  for (let n = 0; n < 13; n++) {
    await work({ later: true })
    await sendMails()
  }
  expect((await deliveriesOf(maria.id)).map(({ state }) => state)).toEqual(Array(6).fill('waiting'))
  await comeBack()
  const smtp = await openSmtp({}, undefined, port)
  await Promise.all([work({ later: true }), work()])
  await sendMails()
  await work({ later: true })
  await smtp.close()
  openMail(service.config)
  const titles = ['Message 1', 'Message 2', 'Message 3']
  expect(
    pushService
      .shownAt(phone)
      .map(({ title }) => title)
      .sort(),
  ).toEqual(titles)
  expect(
    pushService
      .shownAt(laptop)
      .map(({ title }) => title)
      .sort(),
  ).toEqual(titles)
  expect(smtp.received.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)![1]).sort()).toEqual(titles)
})

test('a delivery without an answer is repeated with the same topic and id, so that the device shows it once', async () => {
  const maria = await signedIn()
  const phone = await browserOf(maria)
  await say([maria.id])
  answer = () => 'silence'
  await work()
  answer = undefined
  await work({ later: true })
  const shown = pushService.shownAt(phone)
  expect(shown).toHaveLength(2)
  expect(shown[0]).toEqual(shown[1])
  const topics = pushService.requests
    .filter(({ clientHash }) => clientHash === phone.clientHash)
    .map(({ headers }) => headers.topic)
  expect(new Set(topics).size).toBe(1)
})

test('ten parallel workers and one that died deliver each message once to each browser', async () => {
  const maria = await signedIn()
  const browsers = [await browserOf(maria), await browserOf(maria), await browserOf(maria)]
  await say([maria.id])
  // A worker claimed one delivery and died.
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update push_delivery set attempts = 1, due_at = now() + interval '60 seconds'
      where device_id = ${browsers[0]!.deviceId}`),
  )
  await Promise.all(Array.from({ length: 10 }, () => work()))
  expect(browsers.map((browser) => pushService.shownAt(browser).length)).toEqual([0, 1, 1])
  await work({ later: true })
  expect(browsers.map((browser) => pushService.shownAt(browser).length)).toEqual([1, 1, 1])
})

test('a browser gets messages only while its session lives, and only those of its last person', async () => {
  const maria = await signedIn()
  const [here, there] = [await browserOf(maria), await browserOf({ ...maria, ...(await signIn(maria.email)) })]
  const shown = () => [here, there].map((browser) => pushService.shownAt(browser).length)
  await say([maria.id])
  const headers = { authorization: `Bearer ${maria.token}`, cookie: maria.cookie }
  const signOut = (payload: object) =>
    service.app.inject({ method: 'POST', url: '/identity/sign-out', headers, payload })
  // Written before and not sent yet: it is not shown any more.
  await signOut({})
  await work()
  expect(shown()).toEqual([0, 1])
  expect(await devicesOf(maria)).toHaveLength(1)
  // Another person at the same browser.
  const ben = await signedIn()
  expect((await subscribeAt(ben, here)).status).toBe(201)
  await say([maria.id, ben.id])
  await work()
  expect(shown()).toEqual([1, 2])
  await service.database.asSystem((tx) => tx.count(sql`update person set is_disabled = true where id = ${ben.id}`))
  await say([ben.id])
  await signOut({ everywhere: true })
  await say([maria.id])
  await work()
  expect(shown()).toEqual([1, 2])
  // Without a sign-in of the browser's own there is nothing to end it by.
  expect((await subscribeAt({ ...(await signedIn()), cookie: '' }, there)).body.code).toBe('push.no-session')
  await service.database.asSystem((tx) => dropOld(tx, new Date(0)))
  const left = await service.database.asSystem((tx) =>
    tx.rows(sql`select 1 from push_device where person_id in (${maria.id}, ${ben.id})`),
  )
  expect(left).toHaveLength(1)
})

test('a test message goes to one browser, and never to another person’s', async () => {
  const [maria, ben] = [await signedIn(), await signedIn()]
  const [phone, laptop] = [await browserOf(maria), await browserOf(maria)]
  const at = { params: { deviceId: phone.deviceId } }
  await callAs(service, maria)(push.test, at)
  await work()
  expect(pushService.shownAt(phone)).toMatchObject([{ title: 'It works', url: '/panel/profile' }])
  expect(pushService.shownAt(laptop)).toEqual([])
  for (const call of [push.test, push.unsubscribe])
    await expect(callAs(service, ben)(call, at)).rejects.toMatchObject({ code: 'push.not-found' })
  await callAs(service, maria)(push.unsubscribe, at)
  await expect(callAs(service, maria)(push.test, at)).rejects.toMatchObject({ code: 'push.not-found' })
  expect((await devicesOf(maria)).map(({ id }) => id)).toEqual([laptop.deviceId])
})

test('a push address inside a private network is refused', async () => {
  const maria = await signedIn()
  const { keys } = await pushService.subscribe((await callAs(service, maria)(push.read, {})).publicKey)
  const addresses = [
    'http://push.example.com/x',
    'https://localhost/x',
    'https://127.0.0.1/x',
    'https://10.1.2.3/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://[fd00::1]/x',
    'https://[2002:7f00:1::]/x',
    'https://printer.local/x',
    'https://metadata.google.internal/x',
    'https://user:password@push.example.com/x',
    'file:///etc/passwd',
  ]
  for (const endpoint of addresses)
    expect({ endpoint, ...(await subscribeAt(maria, { endpoint, keys })).body }).toMatchObject({
      endpoint,
      code: 'push.bad-address',
    })
  // A host name is checked again when it is resolved, since it may lead to another address by then.
  const error = await new Promise<Error | null>((done) => publicLookup('localhost', {}, done))
  expect(error).toBeInstanceOf(PrivateAddress)
  expect(
    ['https://fcm.googleapis.com/fcm/send/x', 'https://8.8.8.8/x', 'https://[2606:4700::1111]/x'].map(isPublicAddress),
  ).toEqual([true, true, true])
})

test('a push service that answers a byte at a time is waited for no longer than one that says nothing', async () => {
  const slow = await dripping()
  const { toBrowser } = browsers({
    publicUrl: 'https://clear.example',
    mailFrom: 'a@clear.example',
    pushTestOrigin: slow.origin,
    patience: 300,
  })
  const key = await service.database.asSystem(pushKey)
  const { keys } = await pushService.subscribe(key.publicKey)
  const shown = { id: randomUUID(), title: 'Hello', body: '', url: '/panel' }
  const outcome = await toBrowser({ endpoint: `${slow.origin}/device`, ...keys }, shown, { ttl: 60, key })
  expect(outcome).toEqual({ state: 'later', error: 'no answer within 0.3 s' })
  slow.close()
})

test('a push service that answers anything else than an answer is one that says nothing', async () => {
  const key = await service.database.asSystem(pushKey)
  const { keys } = await pushService.subscribe(key.publicKey)
  const shown = { id: randomUUID(), title: 'Hello', body: '', url: '/panel' }
  for (const said of ['HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n', 'nothing', '']) {
    const odd = await answering((socket) => socket.end(said))
    const { toBrowser } = browsers({
      publicUrl: 'https://clear.example',
      mailFrom: 'a@clear.example',
      pushTestOrigin: odd.origin,
    })
    const outcome = await toBrowser({ endpoint: `${odd.origin}/device`, ...keys }, shown, { ttl: 60, key })
    expect(outcome).toMatchObject({ state: 'later' })
    odd.close()
  }
})

test('a slow device among many holds nobody else’s message back', { tags: 'long' }, async () => {
  const key = await service.database.asSystem(pushKey)
  const people = await Promise.all(Array.from({ length: 7 }, signedIn))
  for (const person of people)
    for (let n = 0; n < 17; n++) await subscribeAt(person, await pushService.subscribe(key.publicKey))
  const held = Promise.withResolvers<void>()
  let count = 0
  answer = () => (count++ === 0 ? { status: 503, until: held.promise } : undefined)
  const before = pushService.requests.length
  const message = { key: randomUUID(), title: 'Rates', body: '', url: '/panel', userIds: people.map(({ id }) => id) }
  await service.database.asSystem((tx) => sendPush(tx, message))
  const [{ id: pushId }] = (await service.database.asSystem((tx) =>
    tx.rows(sql`select distinct push_id as id from push_delivery where person_id = ${people[0]!.id}`),
  )) as [{ id: string }]
  const run = pushJob.run({ pushId }, jobContext(service))
  // All are sent while the first answer is still awaited, also those beyond the first hundred.
  await expect.poll(() => pushService.requests.length - before).toBe(7 * 17)
  held.resolve()
  await run
})
