import { randomBytes, randomUUID } from 'node:crypto'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { accounts } from '@clear-to-post/contract/accounts'
import { call } from '@clear-to-post/contract/call'
import { projects } from '@clear-to-post/contract/projects'
import { scripts } from '@clear-to-post/contract/scripts'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { callAs, confirmed, makeOfficer, makePerson, makeVideo, openService, outcome } from '../../test/service.ts'
import { sql } from './database.ts'
import { mount, on, onRead } from './call.ts'

test('a call that needs a verified address or a fresh sign-in cannot be bound without checking it', async () => {
  const service = await openService({ SEED: 'none' })
  onTestFinished(service.close)
  const plain = {
    method: 'GET',
    path: '/nothing/',
    summary: 'Nothing',
    access: 'signed-in',
    returns: z.object({}),
    refuses: [],
  } as const
  const options = {
    database: service.database,
    ...service.identity,
    readKey: async () => null,
    requireWritable: async () => {},
    requireReadable: () => {},
    limits: false,
    publicUrl: service.config.publicUrl,
  }
  for (const needs of [
    { needsVerifiedAddress: true },
    { needsFreshSignIn: true },
    { needsFreshSignIn: ['secret'] },
  ] as const) {
    const shape = call({ ...plain, ...needs })
    const bind = () => mount(fastify(), [onRead(shape, async () => ({}))], options)
    expect(bind).toThrow(/GET \/nothing\/ needs .* bind it by on/)
    mount(fastify(), [on(shape, async () => ({}))], options)
  }
  mount(fastify(), [onRead(call(plain), async () => ({}))], options)
})

test('a repeated request id is answered again only to who may make the request now', async () => {
  const service = await openService({ SEED: 'none' })
  onTestFinished(service.close)
  const admin = await makePerson(service, 'ADMIN')
  const officer = await makeOfficer(service)

  const other = await makePerson(service, 'User')
  const [requestId, change] = [randomUUID(), { body: { userId: other.id, isDisabled: false } }]
  const proven = await confirmed(service, admin)
  const first = await callAs(service, proven)(accounts.update, change, { requestId })
  expect(await callAs(service, proven)(accounts.update, change, { requestId })).toEqual(first)
  expect(await outcome(callAs(service, admin)(accounts.update, change, { requestId }))).toBe('session.not-fresh')

  const [sent, body] = [randomUUID(), { title: 'Rates', assets: [await makeVideo(service, officer)] }]
  const made = await callAs(service, officer)(projects.create, { body }, { requestId: sent })
  expect(await callAs(service, officer)(projects.create, { body }, { requestId: sent })).toEqual(made)
  await service.database.asSystem((tx) =>
    tx.count(sql`update person set email_verified_at = null where id = ${officer.id}`),
  )
  expect(await outcome(callAs(service, officer)(projects.create, { body }, { requestId: sent }))).toBe(
    'account.unverified',
  )
})

test('large answers to one person are remembered up to a bound, and small ones always', async () => {
  const service = await openService({ SEED: 'none' })
  onTestFinished(service.close)
  const officer = await makePerson(service, 'User')
  const write = (content: string) =>
    outcome(callAs(service, officer)(scripts.create, { body: { title: 'Mine', content } }, { requestId: randomUUID() }))
  const long = randomBytes(9_000).toString('hex')
  expect(await write(long)).toBe('done')
  await service.database.asSystem(async (tx) => {
    const kept = randomBytes((mostKept.answerBytes / 8) * 0.75).toString('base64')
    for (let n = 0; n < 9; n++)
      await tx.count(sql`
        insert into answered_request (actor_id, request_id, digest, status, answer)
        values (${officer.id}, ${`kept ${n}`}, '', 200, ${JSON.stringify(kept)})`)
  })
  expect(await write(long)).toBe('request.too-many')
  expect(await write('short')).toBe('done')
})
