import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { push } from '@clear-to-post/contract/push'
import { openFcm } from '../../test/fcm.ts'
import { jobContext } from '../../test/mails.ts'
import { callAs, makePerson, openService, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { readConfig } from '../kernel/config.ts'
import { openPush, pushServices } from '../outside/push/push.ts'
import { sendPush } from './actions.ts'
import { pushJob } from './jobs.ts'

let fcm: Awaited<ReturnType<typeof openFcm>>
let service: Service
let answer: Parameters<typeof openFcm>[0]
beforeAll(async () => {
  fcm = await openFcm((message) => answer?.(message))
  service = await openService(fcm.env)
})
afterAll(async () => {
  await service.close()
  await fcm.close()
})
afterEach(() => {
  answer = undefined
  openPush(service.config)
})

/** A person whose phone has the app. */
const withPhone = async () => {
  const person = await makePerson(service, 'User')
  const token = `phone-${randomUUID()}`
  await service.database.asSystem((tx) => tx.count(sql`update person set fcm_token = ${token} where id = ${person.id}`))
  return { person, token }
}
const say = (userIds: string[], more: { uselessAt?: Date } = {}) =>
  service.database.asSystem((tx) =>
    sendPush(tx, { key: randomUUID(), userIds, title: 'Ready', body: 'Look.', url: '/panel', ...more }),
  )
const work = async () => {
  const waiting = await service.database.asSystem(async (tx) => {
    await tx.count(sql`update push_delivery set due_at = now() where state = 'waiting'`)
    return tx.rows(sql<{ id: string }>`select distinct push_id as id from push_delivery where state = 'waiting'`)
  })
  for (const { id } of waiting) await pushJob.run({ pushId: id }, jobContext(service))
}
const deliveryOf = async (personId: string) =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ state: string; error: string | null; wait: number }>`
      select state, error, extract(epoch from due_at - now())::float as wait from push_delivery
      where person_id = ${personId} order by id desc limit 1`),
  ))!
const tokenOf = async (personId: string) =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ token: string | null }>`select fcm_token as token from person where id = ${personId}`),
  ))!.token
const at = (token: string) => fcm.received.filter((message) => message.token === token)

test('phones get messages by FCM with an access token that is requested once', async () => {
  const people = await Promise.all([withPhone(), withPhone(), withPhone()])
  expect(
    await say(
      people.map(({ person }) => person.id),
      { uselessAt: new Date(Date.now() + 3_600_000) },
    ),
  ).toBe(3)
  await work()
  for (const { token } of people) expect(at(token)).toHaveLength(1)
  const [message] = at(people[0]!.token)
  expect(message).toMatchObject({
    notification: { title: 'Ready', body: 'Look.' },
    data: { url: '/panel' },
    android: { collapse_key: message!.data.id, notification: { tag: message!.data.id } },
    apns: { headers: { 'apns-collapse-id': message!.data.id } },
  })
  expect(Number.parseInt(message!.android.ttl, 10)).toBeGreaterThan(3500)
  expect(fcm.tokensGiven()).toBe(1)
  // An access token that ended early is asked for anew.
  fcm.forgetTokens()
  expect(await say([people[0]!.person.id])).toBe(1)
  await work()
  expect(await deliveryOf(people[0]!.person.id)).toMatchObject({ state: 'waiting' })
  await work()
  expect(at(people[0]!.token)).toHaveLength(2)
  expect((await callAs(service, people[0]!.person)(push.read, {})).hasPhone).toBe(true)
})

test('a phone that has removed the app loses its token, unless a newer one was stored', async () => {
  const [{ person, token }, changed] = [await withPhone(), await withPhone()]
  answer = () => ({ status: 404, code: 'UNREGISTERED' })
  await say([person.id])
  await work()
  expect([await tokenOf(person.id), (await deliveryOf(person.id)).state]).toEqual([null, 'gone'])
  expect(at(token)).toEqual([])
  await say([person.id])
  answer = async () => {
    await service.database.asSystem((tx) =>
      tx.count(sql`update person set fcm_token = 'new' where id = ${changed.person.id}`),
    )
    return { status: 404, code: 'UNREGISTERED' }
  }
  await say([changed.person.id])
  await work()
  expect(await tokenOf(changed.person.id)).toBe('new')
})

test('an FCM delivery waits as long as FCM asks, is tried again after errors, and stops after a final refusal', async () => {
  const { person, token } = await withPhone()
  answer = () => ({ status: 429, code: 'QUOTA_EXCEEDED', headers: { 'retry-after': '1800' } })
  await say([person.id])
  await work()
  let delivery = await deliveryOf(person.id)
  expect(delivery).toMatchObject({ state: 'waiting', error: 'FCM answered 429 QUOTA_EXCEEDED' })
  expect(delivery.wait).toBeGreaterThan(1790)
  for (const status of [500, 503]) {
    answer = () => ({ status, code: 'UNAVAILABLE' })
    await work()
    delivery = await deliveryOf(person.id)
    expect(delivery.state).toBe('waiting')
    expect(delivery.wait).toBeLessThan(400)
  }
  answer = undefined
  await work()
  expect(at(token)).toHaveLength(1)
  answer = () => ({ status: 400, code: 'INVALID_ARGUMENT' })
  await say([person.id])
  await work()
  expect(await deliveryOf(person.id)).toMatchObject({ state: 'failed' })
  expect(await tokenOf(person.id)).toBe(token)
})

test('without an FCM account phones get no messages, and the operator reads why', async () => {
  const { person } = await withPhone()
  expect(pushServices().says).toBe('push goes to browsers, and by FCM to phones')
  openPush({ ...service.config, fcm: undefined })
  expect(pushServices().says).toContain('until FCM_SERVICE_ACCOUNT is set')
  expect(await say([person.id])).toBe(0)
  expect(() => readConfig({ FCM_SERVICE_ACCOUNT: '{"private_key":"secret"}' })).toThrow(
    /FCM_SERVICE_ACCOUNT should be the key file of a service account as Google gives it out, or its path$/m,
  )
})
