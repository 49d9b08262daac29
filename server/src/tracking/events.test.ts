import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { allows } from './actions.ts'
import { trackingTasks } from './jobs.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

const send = async (remoteAddress: string, label: string) => {
  const { statusCode, body } = await service.app.inject({
    method: 'POST',
    url: '/api/track/public/send/',
    remoteAddress,
    payload: { category: 'page', label, action: 'seen' },
  })
  expect([statusCode, body]).toEqual([200, '{"success":true}'])
}
const counted = async (label: string) =>
  (await service.database.asSystem((tx) => tx.rows(sql`select 1 from tracked_event where label = ${label}`))).length

test('the tracking call always answers success, and counts what a closing page sends', async () => {
  const ask = async (payload: string, headers: Record<string, string>) => {
    const { statusCode, body } = await service.app.inject({
      method: 'POST',
      url: '/api/track/public/send/',
      remoteAddress: '192.0.2.9',
      headers,
      payload,
    })
    return [statusCode, body]
  }
  const event = JSON.stringify({ category: 'page', label: 'closing', action: 'left' })
  const [json, text] = [{ 'content-type': 'application/json' }, { 'content-type': 'text/plain;charset=UTF-8' }]
  for (const [payload, headers] of [
    [event, text],
    [event, { ...json, authorization: 'Bearer of.bad.news' }],
    ['{"category":', json],
    ['{"category":', text],
    ['x'.repeat(3_000_000), json],
    ['<event/>', { 'content-type': 'application/xml' }],
    [event, { ...json, 'x-request-id': 'two words' }],
  ] as const)
    expect(await ask(payload, headers)).toEqual([200, '{"success":true}'])
  await expect.poll(() => counted('closing')).toBe(2)
})

test('the events of a network are counted up to 5,000 a day, and dropped after half a year', async () => {
  const now = Date.now()
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into tracked_event (category, label, action, at)
      select 'page', 'old', 'seen', now() - make_interval(days => n) from unnest(array[10, 179, 181, 400]) n`),
  )
  for (const { run } of trackingTasks(service.database)) await run(new Date(now), new AbortController().signal)
  expect(await counted('old')).toBe(2)

  const day = Array.from({ length: 60 }, (_, minute) => new Date(now + minute * 61_000))
  let counts = 0
  for (const at of day) for (let n = 0; n < 100; n++) if (allows('203.0.113.99', at)) counts++
  expect(counts).toBe(5000)
  expect(allows('203.0.113.99', new Date(now + 2 * 86_400_000))).toBe(true)
})

test('a network’s events are counted up to 300 a minute in any spelling of its address, without an error', async () => {
  const waves = async (label: string, addresses: (i: number) => string) => {
    for (let sent = 0; sent < 400; sent += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, k) => send(addresses(sent + k), label)))
      // What a flood makes wait is dropped; this is no flood.
      await expect.poll(() => counted(label)).toBeGreaterThanOrEqual(Math.min(sent + 50, 300))
    }
    return counted(label)
  }
  // A minute may end in between: then it is counted anew, and never more than two minutes' worth.
  const began = Math.floor(Date.now() / 60_000)
  const one = await waves('one', (i) => (i % 2 ? '203.0.113.7' : '::ffff:203.0.113.7'))
  const six = await waves('six', (i) => `2001:db8:1:2::${i.toString(16)}`)
  if (Math.floor(Date.now() / 60_000) === began) expect([one, six]).toEqual([300, 300])
  await send('198.51.100.1', 'other')
  await send('::ffff:198.51.100.2', 'other')
  await expect.poll(() => counted('other')).toBe(2)
})
