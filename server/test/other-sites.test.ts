import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import { addressOf } from '@clear-to-post/contract/client'
import { refusals } from '@clear-to-post/contract/errors'
import { sql } from '../src/kernel/database.ts'
import { samplesOf, type Sample } from './samples.ts'
import { routeOf } from './routes.ts'
import { openStage, type Stage } from './stage.ts'
import { openService, type Service } from './service.ts'

/**
 * What a page of another site can make its visitor's browser send unasked: calls that anyone may make, with any query and with
 * a body of a form's types, and cookies where that site is a neighbour under the same domain.
 */
let service: Service
let stage: Stage
let samples: Record<string, () => Sample>

beforeAll(async () => {
  service = await openService({ PUBLIC_URL: 'http://localhost' })
  stage = await openStage(service)
  samples = samplesOf(stage)
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

/** Routes beside the calls that anyone may ask to change something, and pages of other sites as well: why. */
const takenFromOtherSites: Record<string, string> = {
  'POST /unsubscribe': 'mail providers press it for their readers, by a signed address',
  'POST /webhooks/payments': 'signed by the payment service',
  'POST /csp-reports': 'a report of a browser’s, which is written to the log and counted for its network',
  'POST /identity/google/callback': 'the provider’s page sends the browser back, with a secret of this browser’s',
  'POST /identity/apple/callback': 'the provider’s page sends the browser back, with a secret of this browser’s',
  'POST /identity/apple/notices': 'signed by Apple',
  'POST /contact': 'the form of the contact page, for browsers without a script',
}
/** As a call that is for our pages alone says it, or a route that does not exist for other sites. */
const refusedThere = (['request.other-site', 'request.no-such-call'] as const).map((code) => refusals[code].message)
const isChange = (route: string) => !/^(GET|HEAD|OPTIONS) /.test(route)
const isCall = (route: string) =>
  everyCall.some(({ shape }) => route === `${shape.method} ${(shape.base ?? '/api') + shape.path}`)

it('every route beside the calls that changes something without a token refuses other sites, or says why not', async () => {
  const routes = service.routes.filter((route) => isChange(route) && !isCall(route) && routeOf(route)?.who === 'anyone')
  expect(routes.length).toBeGreaterThan(8)
  const open = new Set<string>()
  for (const route of routes) {
    const [method, path = ''] = route.split(' ')
    const { params = {}, query, headers, payload } = await routeOf(route)!.ask(service, stage, null)
    const url = path.replace(/:(\w+)|\*/g, (whole, name: string | undefined) => params[name ?? whole] ?? 'nothing')
    for (const site of otherSites) {
      const answer = await service.app.inject({
        method: method as 'POST',
        url: query ? `${url}?${query}` : url,
        headers: { ...headers, ...site },
        payload: payload ?? {},
      })
      if (!refusedThere.some((message) => answer.body.includes(JSON.stringify(message)))) open.add(route)
    }
  }
  const declared = Object.keys(takenFromOtherSites).filter((route) => service.routes.includes(route))
  expect([...open].toSorted()).toEqual(declared.toSorted())
})
