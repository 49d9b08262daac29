import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { push } from '@clear-to-post/contract/push'
import { openPushService, type PushService } from '../../test/push-service.ts'
import { callAs, openService, type Person, type Service } from '../../test/service.ts'
import { createPerson } from '../accounts/actions.ts'
import { sql } from '../db/tenant.ts'
import { startWorker } from '../main/worker.ts'
import { sendPush } from './actions.ts'

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

type SignedIn = Person & { cookie: string }
const password = 'kettle-drum-41'
let count = 0

/** A new officer, signed in by password: subscribing needs a sign-in of the browser's own. */
const signedIn = async (): Promise<SignedIn> => {
  const email = `push-${count++}@push.test`
  const { id } = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'Maria', role: 'User', password, tenantId: null }),
  )
  return { id, role: 'User', tenantId: null, roleVersion: 1, name: 'Maria', ...(await signIn(email)) }
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
const deliveriesOf = (personId: string) =>
  service.database.asSystem((tx) =>
    tx.rows(sql<{ state: string; attempts: number; error: string | null; wait: number }>`
      select state, attempts, error, extract(epoch from due_at - now())::float as wait
      from push_delivery where person_id = ${personId} order by id`),
  )
const devicesOf = async (person: Person) => (await callAs(service, person)(push.read, {})).devices

test('a message is shown on every browser of a person, encrypted for it and signed by us, by a real worker', async () => {
  const maria = await signedIn()
  const [phone, laptop] = [await browserOf(maria), await browserOf(maria)]
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const worker = await startWorker({ config: service.config, appUrl: service.urls.appUrl, log })
  const key = randomUUID()
  expect(await say([maria.id], { key, body: 'Schön “ready” ✓' })).toBe(2)
  expect(await say([maria.id], { key })).toBe(0)
  await expect
    .poll(() => pushService.shownAt(phone).length + pushService.shownAt(laptop).length, { timeout: 15_000 })
    .toBe(2)
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
}, 30_000)
