import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import { notes } from '@clear-to-post/contract/notes'
import { mayEver } from '@clear-to-post/domain/access'
import {
  largeAnswer,
  outsidePerMinute,
  writeBytes,
  writesPerDay,
  writesPerMinute,
} from '@clear-to-post/domain/most-kept'
import type { Role } from '@clear-to-post/domain/roles'
import { makePerson, openService, outcome, type Person } from '../../test/service.ts'
import { openStorage } from '../outside/open-storage.ts'
import { keptFree } from '../outside/storage.ts'
import { sql } from './database.ts'
import { boundWrites } from './written.ts'

test('on a disk without room every call that adds something is refused, and reading, removing and signing out go on', async () => {
  const service = await openService({ SEED: 'none' })
  onTestFinished(service.close)
  let free = keptFree.write
  await openStorage(service.config.dataDir, { kept: keptFree, free: async () => free })
  const people = new Map<Role, Person>()
  for (const role of ['User', 'Editor', 'QA', 'ADMIN'] as const) people.set(role, await makePerson(service, role))

  const signedIn = everyCall.filter(({ shape }) => shape.access !== 'anyone' && !('neverFails' in shape))
  const refusedForRoom = async () => {
    const found: string[] = []
    for (const { name, shape } of signedIn) {
      const role = [...people.keys()].find((one) => shape.access === 'signed-in' || mayEver(one, shape.access as never))
      const { statusCode, body } = await service.app.inject({
        method: shape.method,
        url: (shape.base ?? '/api') + shape.path.replaceAll(/:\w+/g, randomUUID()),
        headers: { authorization: `Bearer ${people.get(role!)!.token}` },
        // Not what any call reads: none of them gets as far as its work.
        ...(shape.method === 'GET' ? {} : { payload: { 'no such field': true } }),
      })
      if (statusCode === 503 && body.includes('no room for anything new')) found.push(name)
    }
    return found
  }
  expect(await refusedForRoom()).toEqual([])
  free--
  const adding = signedIn.filter(({ shape }) => ['POST', 'PUT'].includes(shape.method) && shape.base !== '/identity')
  expect(adding.length).toBeGreaterThan(40)
  expect(await refusedForRoom()).toEqual(adding.map(({ name }) => name))
  // Nor has it room for a stranger's account, letter or event.
  const stranger = async (url: string, payload: object) =>
    (await service.app.inject({ method: 'POST', url, payload })).statusCode
  expect(await stranger('/api/accounts/public/create', {})).toBe(503)
  expect(await stranger('/api/emails/public/send', { subject: 'Hello', body: 'A letter' })).toBe(503)
  expect(await stranger('/api/track/public/send/', { category: 'page', label: 'full', action: 'seen' })).toBe(200)
  await openStorage(service.config.dataDir, { kept: keptFree, free: () => Promise.reject(new Error('ENOENT')) })
  expect(await stranger('/api/track/public/send/', { category: 'page', label: 'room', action: 'seen' })).toBe(200)
  const counted = (label: string) =>
    service.database.asSystem((tx) => tx.count(sql`select from tracked_event where label = ${label}`))
  await expect.poll(() => counted('room')).toBe(1)
  expect(await counted('full')).toBe(0)
  expect(await refusedForRoom()).toEqual([])
})

test('a person writes 600 times in a minute, of all kinds together, and reads as often as they like', async () => {
  const requireWritable = boundWrites({ limits: true, hasRoom: async () => true })
  const [one, other] = [randomUUID(), randomUUID()].map((id) => ({ id, role: 'QA', tenantId: null }) as never)
  const [write, remove, read] = [notes.save, notes.remove, notes.list]
  for (let i = 0; i < writesPerMinute; i++) await requireWritable(i % 2 ? write : remove, one!, 2)
  expect(await outcome(requireWritable(write, one!, 2))).toBe('request.too-many')
  expect(await outcome(requireWritable(remove, one!, 2))).toBe('request.too-many')
  await requireWritable(read, one!, 0)
  await requireWritable(write, other!, 2)
  // A megabyte is 32 writes.
  const third = { id: randomUUID(), role: 'QA', tenantId: null } as never
  for (let i = 0; i < 18; i++) await requireWritable(write, third, 1024 ** 2)
  expect(await outcome(requireWritable(write, third, 1024 ** 2))).toBe('request.too-many')
  await requireWritable(write, third, writeBytes)
  const unlimited = boundWrites({ limits: false, hasRoom: async () => true })
  for (let i = 0; i <= writesPerMinute; i++) await unlimited(write, one!, 2)
})

test('a person asks services outside 20 times in a minute, and every call that may find one away counts', async () => {
  const asking = everyCall.map(({ shape }) => shape).filter(({ refuses }) => refuses.includes('payment.unavailable'))
  expect(asking.length).toBeGreaterThanOrEqual(7)
  expect(asking.filter(({ asksOutside }) => !asksOutside)).toEqual([])
  let now = Date.now()
  const requireWritable = boundWrites({ limits: true, hasRoom: async () => true, now: () => now })
  const [one, other] = [randomUUID(), randomUUID()].map((id) => ({ id, role: 'User', tenantId: null }) as never)
  for (let i = 0; i < outsidePerMinute; i++) await requireWritable(asking[i % asking.length]!, one!, 2)
  for (const shape of asking) expect(await outcome(requireWritable(shape, one!, 2))).toBe('request.too-many')
  await requireWritable(notes.save, one!, 2)
  await requireWritable(asking[0]!, other!, 2)
  now += 60_001
  await requireWritable(asking[0]!, one!, 2)
})

test('a person writes 30,000 times in a day, however slowly, and the next day again', async () => {
  let now = Date.now()
  const requireWritable = boundWrites({ limits: true, hasRoom: async () => true, now: () => now })
  const [one, other] = [randomUUID(), randomUUID()].map((id) => ({ id, role: 'QA', tenantId: null }) as never)
  for (let left = writesPerDay; left > 0; left--) {
    if (left % (writesPerMinute / 3) === 0) now += 60_000
    // However large it is: what is kept for a day is the answer.
    await requireWritable(left % 2 ? notes.save : notes.remove, one!, left % 50 ? 2 : 4 * writeBytes)
  }
  now += 60_000
  await expect(requireWritable(notes.save, one!, 2)).rejects.toMatchObject({
    code: 'request.too-many',
    message: 'You wrote as much as we take from one person in a day. Go on tomorrow.',
  })
  expect(await outcome(requireWritable(notes.remove, one!, 2))).toBe('request.too-many')
  await requireWritable(notes.list, one!, 0)
  await requireWritable(notes.save, other!, 2)
  now += 86_400_000
  await requireWritable(notes.save, one!, 2)
  // A person's answers of a day, none of which is asked about.
  expect(writesPerDay * largeAnswer).toBeLessThanOrEqual(256 * 1024 ** 2)
})
