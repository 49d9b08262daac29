import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import { addressOf } from '@clear-to-post/contract/client'
import { mayEver, type Permission } from '@clear-to-post/domain/access'
import { samplesOf, type Sample } from './samples.ts'
import { openStage } from './stage.ts'
import { makePerson, openService, type Person, type Service } from './service.ts'

let service: Service
let people: Person[]
let samples: Record<string, () => Sample>

beforeAll(async () => {
  service = await openService()
  people = await Promise.all((['User', 'Editor', 'QA', 'ADMIN'] as const).map((role) => makePerson(service, role)))
  samples = samplesOf(await openStage(service))
})
afterAll(() => service.close())

/** As text: writing so deep a value down would itself recurse too far. */
const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

const open = everyCall.filter(({ shape }) => shape.body !== undefined && !('neverFails' in shape))

it.each(open.map(({ name, shape }) => [name, shape] as const))(
  '%s refuses a body that is nested too deep, in any field',
  async (name, shape) => {
    const { params, query, body = {} } = samples[name]!()
    const caller = people.find(
      ({ role }) => ['anyone', 'signed-in'].includes(shape.access) || mayEver(role, shape.access as Permission),
    )!
    const fields = new Set([...Object.keys(body as object), 'metadata', 'document', 'credential', 'unknown'])
    const bodies = [...fields].map((field) =>
      JSON.stringify({ ...(body as object), [field]: { within: 'HERE' } }).replace('"HERE"', lists(20_000)),
    )
    for (const payload of [lists(20_000), ...bodies]) {
      const { statusCode, json } = await service.app.inject({
        method: shape.method,
        url: addressOf(shape, params, query),
        headers: {
          authorization: `Bearer ${caller.token}`,
          'content-type': 'application/json',
          'x-request-id': randomUUID(),
        },
        payload,
      })
      expect({ statusCode, body: json<object>() }).toMatchObject({ statusCode: 400, body: { code: 'request.invalid' } })
    }
  },
)

it('a body may be nested 64 deep, and no deeper', async () => {
  const codeAt = async (depth: number) => {
    const credential = { id: 'x', rawId: 'x', type: 'public-key', response: { extra: 'HERE' } }
    const { json } = await service.app.inject({
      method: 'POST',
      url: '/identity/sign-in/passkey',
      headers: { 'content-type': 'application/json' },
      // The body, the credential and its response are three.
      payload: JSON.stringify({ credential }).replace('"HERE"', lists(depth - 3)),
    })
    return json<{ code: string }>().code
  }
  expect([await codeAt(64), await codeAt(65)]).toEqual(['session.wrong-passkey', 'request.invalid'])
})
