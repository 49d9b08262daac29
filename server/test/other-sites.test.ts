import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import { addressOf } from '@clear-to-post/contract/client'
import { sql } from '../src/kernel/database.ts'
import { samplesOf, type Sample } from './samples.ts'
import { openStage } from './stage.ts'
import { openService, type Service } from './service.ts'

/**
 * What a page of another site can make its visitor's browser send unasked: calls that anyone may make, with any query and with
 * a body of a form's types, and cookies where that site is a neighbour under the same domain.
 */
let service: Service
let samples: Record<string, () => Sample>

beforeAll(async () => {
  service = await openService()
  samples = samplesOf(await openStage(service))
})
afterAll(() => service.close())

const open = everyCall.filter(({ shape }) => shape.access === 'anyone' && shape.method !== 'GET')
const forms = open.filter(({ shape }) => shape.form).map(({ name }) => name)
const ofOurPages = open.filter(({ shape }) => !shape.form)

const ask = (name: string, headers: Record<string, string>) => {
  const { shape } = everyCall.find((call) => call.name === name)!
  const { params, query, body } = samples[name]!()
  return service.app.inject({
    method: shape.method,
    url: addressOf(shape, params, query),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
}
const counts = () =>
  service.database.asSystem((tx) => tx.rows(sql`select account, tries from sign_in_try order by account`))

const otherSites: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
]

const ownPages = (): Record<string, string>[] => [
  {},
  { 'sec-fetch-site': 'same-origin' },
  { origin: service.config.publicUrl },
]

describe('a page of another site', () => {
  it.each(ofOurPages)('sends nothing by $name, and nothing is counted or kept of it', async ({ name, shape }) => {
    const before = await counts()
    for (const headers of otherSites) {
      const response = await ask(name, headers)
      expect(response.cookies, JSON.stringify(headers)).toEqual([])
      if ('neverFails' in shape) expect(response.json()).toEqual(shape.neverFails)
      else expect(response.json(), JSON.stringify(headers)).toMatchObject({ code: 'request.other-site' })
    }
    expect(await counts()).toEqual(before)
    for (const headers of ownPages())
      expect((await ask(name, headers)).json()).not.toMatchObject({ code: 'request.other-site' })
  })

  it('may hold the forms of the contact page and of what it tracks', () => {
    expect(forms.toSorted()).toEqual(['tracking.contact', 'tracking.send'])
  })
})

const types = ['text/plain', 'Text/Plain', 'application/x-www-form-urlencoded', 'Application/X-WWW-Form-Urlencoded;x=y']

it.each(ofOurPages.filter(({ shape }) => !('neverFails' in shape)))(
  '$name reads no body of a type that a form sends, in whatever case the type is written',
  async ({ name }) => {
    for (const type of types)
      expect([type, (await ask(name, { 'content-type': type })).json()]).toMatchObject([
        type,
        { code: 'request.wrong-type' },
      ])
  },
)
