import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { call } from '@clear-to-post/contract/call'
import { openService } from '../../test/service.ts'
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
  const options = { database: service.database, ...service.identity, limits: false }
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
