import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { openApiKeys } from '../api-keys/actions.ts'
import { endSessions } from '../identity/actions.ts'
import { failureOf } from '../kernel/errors.ts'
import { boundWrites } from '../kernel/written.ts'
import { storage } from '../outside/storage.ts'
import {
  callAs,
  callConfirmed,
  makeOfficer,
  makePerson,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { mountUploads } from './uploads.ts'

let service: Service
const app = fastify().decorateRequest('caller', null)
let port: number
beforeAll(async () => {
  service = await openService()
  const { database, config, identity } = service
  app.setErrorHandler((error, { id }, reply) => {
    const { status, body } = failureOf(error, id)
    return reply.code(status).send(body)
  })
  await mountUploads(app, {
    config,
    database,
    authenticate: identity.authenticate,
    readKey: openApiKeys({ database, secondFactor: 'nobody', limits: false }),
    requireWritable: boundWrites({ hasRoom: async () => true, limits: false }),
    asksAgainMs: 30,
  })
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(async () => {
  await app.close()
  await service.close()
})

/** An upload of which a piece has come, and no more is sent until `more`. */
const openUpload = async (person: Person) => {
  const headers = { authorization: `Bearer ${person.token}`, 'tus-resumable': '1.0.0' }
  const begun = await app.inject({
    method: 'POST',
    url: '/uploads',
    headers: { ...headers, 'upload-length': '1000000' },
  })
  const id = String(begun.headers.location).split('/').at(-1)!
  const sending = request({
    host: '127.0.0.1',
    port,
    method: 'PATCH',
    path: `/uploads/${id}`,
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
  })
  const answered = new Promise<{ status: number; code: string }>((resolve, reject) => {
    sending.on('error', reject)
    sending.on('response', async (response) => {
      let text = ''
      for await (const piece of response.setEncoding('utf8')) text += piece
      resolve({ status: response.statusCode!, code: text && JSON.parse(text).code })
    })
  })
  answered.catch(() => {})
  sending.write(Buffer.alloc(100_000))
  await expect.poll(() => storage().received(id)).toBe(100_000)
  return { id, sending, answered }
}

it('an upload goes on over many looks at its sender, and ends with the bytes that were sent', async () => {
  const { id, sending, answered } = await openUpload(await makeOfficer(service))
  await sleep(200)
  sending.end(Buffer.alloc(900_000))
  expect(await answered).toMatchObject({ status: 204 })
  expect((await storage().received(id)) ?? 1_000_000).toBe(1_000_000)
})

const enders: Record<string, { byKey?: true; code: string; end: (person: Person, keyId: string) => Promise<unknown> }> =
  {
    'whose key is revoked': {
      byKey: true,
      code: 'api-key.ended',
      end: (person, keyId) => callAs(service, person)(apiKeys.revoke, { params: { keyId } }),
    },
    'of whose key a second factor is demanded': {
      byKey: true,
      code: 'api-key.ended',
      end: ({ tenantId }) =>
        service.database.asSystem((tx) =>
          tx.count(sql`update tenant set require_second_factor = true where id = ${tenantId}`),
        ),
    },
    'whose sessions are ended': {
      code: 'session.ended',
      end: ({ id }) => service.database.asSystem((tx) => endSessions(tx, id, 'signed-out')),
    },
    'who is shut out': {
      code: 'session.ended',
      end: async ({ id }) =>
        callConfirmed(service, await makePerson(service, 'ADMIN'))(accounts.update, {
          body: { userId: id, isDisabled: true },
        }),
    },
  }

it.each(Object.entries(enders))('an upload of somebody %s stops in the middle and is refused', async (_who, ender) => {
  const officer = await makeOfficer(service)
  const { key, made } = await callConfirmed(service, officer)(apiKeys.create, {
    body: { name: 'Uploads', scopes: ['videos.write'], days: 7 },
  })
  const { id, sending, answered } = await openUpload(ender.byKey ? { ...officer, token: key } : officer)
  await ender.end(officer, made.id)
  expect(await answered).toEqual({ status: 401, code: ender.code })
  sending.write(Buffer.alloc(100_000))
  await sleep(100)
  expect(await storage().received(id)).toBe(100_000)
  sending.destroy()
})
