import { randomUUID } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { everyCall } from '@clear-to-post/contract/api'
import type { Failure } from '@clear-to-post/contract/failure'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { edits } from '@clear-to-post/contract/edits'
import { projects } from '@clear-to-post/contract/projects'
import { calendar } from '@clear-to-post/contract/calendar'
import { mayEver } from '@clear-to-post/domain/access'
import type { Role } from '@clear-to-post/domain/roles'
import { fileUrl, kitUrl, sourcesUrl, windowMs } from '../src/assets/addresses.ts'
import { sql } from '../src/kernel/database.ts'
import { unsubscribePath } from '../src/mail/unsubscribe.ts'
import { storage } from '../src/outside/storage.ts'
import { idsFor, idsIn, moment, rowsNaming, uuid, type JsonSchema } from './ids.ts'
import { isLong, partOfWalk, seeded, seedOfRun } from './random.ts'
import { declaredButAbsent, openUploadOf, routeOf, type Asked, type DeclaredRoute, type RoutePlace } from './routes.ts'
import { openStage, type Stage } from './stage.ts'
import {
  callConfirmed,
  confirmedLately,
  makePerson,
  makeTenant,
  openService,
  type Person,
  type Service,
} from './service.ts'

/** Every route, read from the running server: who is admitted, and whose objects they reach. */
let service: Service
let ours: Stage
let theirs: Stage
let colleague: Person
/** One person of each kind, and sessions that must be refused. */
const people: { who: string; person: Person | null; counts: boolean }[] = []

beforeAll(async () => {
  service = await openService({ PUBLIC_URL: 'http://localhost' })
  ours = await openStage(service)
  theirs = await openStage(service)
  colleague = await makePerson(service, 'User', { tenantId: theirs.tenantId })
  const elsewhere = await makeTenant(service)
  people.push({ who: 'nobody', person: null, counts: false })
  for (const role of ['User', 'Editor', 'QA', 'ADMIN'] as const) {
    for (const [of, tenantId] of Object.entries({
      all: null,
      'the tenant': ours.tenantId,
      'another tenant': elsewhere,
    }))
      people.push({ who: `${role} of ${of}`, person: await makePerson(service, role, { tenantId }), counts: true })
    const without = async (who: string, spoil: (person: Person) => Promise<string>) => {
      const person = await makePerson(service, role, { tenantId: ours.tenantId })
      people.push({ who: `${role} ${who}`, person: { ...person, token: await spoil(person) }, counts: false })
    }
    const set = (person: Person, change: ReturnType<typeof sql>) =>
      service.database.asSystem((tx) => tx.count(sql`update person set ${change} where id = ${person.id}`))
    await without('who was disabled', async (person) => {
      await set(person, sql`is_disabled = true`)
      return person.token
    })
    await without('whose role changed', async (person) => {
      await set(person, sql`security_stamp = security_stamp + 1`)
      return person.token
    })
    await without('with a forged token', async ({ token }) => `${token.slice(0, -6)}AAAAAA`)
    await without('with a token of two hours ago', async (person) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * 3_600_000 })
      const token = await service.identity.signIdToken(person)
      vi.useRealTimers()
      return token
    })
  }
  const token = await service.identity.signIdToken({
    id: randomUUID(),
    role: 'SYSTEM',
    tenantId: null,
    securityStamp: 1,
  })
  people.push({ who: 'SYSTEM by a signed token', person: { ...ours.officer, token }, counts: false })
})
afterAll(() => service.close())

it('every route of the server is declared, and every declared route is there', () => {
  const undeclared = service.routes
    .filter((route) => !routeOf(route))
    .map((route) => `declare ${route} in server/test/routes.ts: who is let in, and how it is asked`)
  expect(undeclared).toEqual([])
  const gone = declaredButAbsent(service.routes).map((route) => `${route} is not mounted: take it out of routes.ts`)
  expect(gone).toEqual([])
})

// Of calls a part: access.test.ts asks them all.
const { share, options } = partOfWalk(2)
const seed = seedOfRun()
const roles = 'each route admits the declared roles, and nobody else'
it(roles, { ...options, timeout: 900_000 }, async () => {
  const wrong: string[] = []
  for (const [place, route] of service.routes.entries()) {
    const rule = routeOf(route)
    if (!rule || (callOf(route) && place % share !== seed % share)) continue
    let ofNobody: Answer | undefined
    for (const { who, person, counts } of isLong ? people : askersOf(route, rule, place)) {
      const answer = await ask(route, await rule.ask(service, ours, person), person)
      ofNobody ??= answer
      const saw = unlikeRule(rule, { route, person, counts, answer, ofNobody })
      if (saw) wrong.push(`${route} as ${who}: ${saw}, not ${answer.status} ${answer.body.slice(0, 200)}`)
      if (route.startsWith('HEAD') && answer.body !== '') wrong.push(`${route} as ${who} answers a body`)
    }
  }
  expect(wrong).toEqual([])
})

/**
 * The short form. Where a role decides, each role of each company is asked, else each role of another company at each route;
 * beside them nobody, and each kind of session that must be refused, of another role at each route. Of calls access.test.ts
 * asks that, as everybody: here what it leaves out, HEAD twins and tokens of two hours ago.
 */
const askersOf = (route: string, { who }: DeclaredRoute, place: number): typeof people => {
  const isCall = callOf(route) !== undefined
  const isAskedThere = isCall && !route.startsWith('HEAD ')
  const oneOfEach = (some: typeof people, by: (words: string) => string) =>
    [...Map.groupBy(some, (one) => by(one.who)).values()].map((same) => same[place % same.length]!)
  const refused = people.filter((one) => !one.counts && (!isAskedThere || /^nobody$|two hours/.test(one.who)))
  const counting = people.filter((one) => one.counts && !isAskedThere)
  return [
    ...oneOfEach(refused, (words) => words.replace(/^\w+ /, '')),
    ...(who === 'anyone' || isCall ? oneOfEach(counting, (words) => words.split(' ')[0]!) : counting),
  ]
}

/** What should have been answered, when it was not. */
const unlikeRule = (
  { who }: DeclaredRoute,
  asked: { route: string; person: Person | null; counts: boolean; answer: Answer; ofNobody: Answer },
): string | null => {
  const { route, person, counts, answer, ofNobody } = asked
  const codeIs = (status: number, code: string) =>
    answer.status === status && (route.startsWith('HEAD') || answer.code === code) ? null : `${status} ${code}`
  if (answer.status >= 500 && route !== 'GET /health/ready') return 'below 500'
  // Of calls for anyone, access.test.ts asks what a token that does not count changes.
  if (who === 'anyone')
    return callOf(route) || answer.status === ofNobody.status ? null : `${ofNobody.status} as for nobody`
  if (route.includes(' /identity/')) return counts || answer.status < 500 ? null : 'below 500'
  if (!person) return codeIs(401, 'session.required')
  const isAdmitted = who === 'signed-in' || mayEver(person.role, who)
  if (!counts) return [401, 403].includes(answer.status) ? null : '401 or 403'
  if (!isAdmitted) return codeIs(403, 'access.forbidden')
  return [401].includes(answer.status) || answer.code === 'access.forbidden' ? 'let in' : null
}

it('another person’s id is answered like an unknown id, in any spelling and place', async () => {
  const random = seeded(seedOfRun())
  const before = await everythingOf(theirs)
  const unlike: string[] = []
  let asked = 0
  // To read every row takes longer than to ask a route in every form: the short form does it after twenty routes.
  let unread: string[] = []
  const readAll = async () => {
    unlike.push(...changedIn(before, await everythingOf(theirs)).map((row) => `${unread.join(' or ')} changed ${row}`))
    unread = []
  }
  for (const route of service.routes) {
    const rule = routeOf(route)
    if (!rule || rule.who === 'anyone') continue
    for (const place of placesOf(route, rule)) {
      const admitted = (await askers()).filter(
        ({ person }) => rule.who === 'signed-in' || mayEver(person.role, rule.who as never),
      )
      for (const form of formsOf(place)) {
        for (const { who, person, own } of isLong ? admitted : admitted.length > 0 ? [random.one(admitted)] : []) {
          const id = await place.of(service, theirs)
          const request = async (of: string) => {
            const sample = await rule.ask(service, own, person)
            return asText(await ask(route, form.write(sample, of), person), of)
          }
          asked += 1
          const foreign = [await request(randomUUID()), await request(id)]
          if (foreign[0] === foreign[1]) continue
          // The first request may use up the own object.
          if ((await request(randomUUID())) !== foreign[1])
            unlike.push(`${route} ${place.in} ${place.name} ${form.name} as ${who}:\n  ${foreign[1]}\n  ${foreign[0]}`)
        }
      }
    }
    unread.push(route)
    if (isLong || unread.length === 20) await readAll()
  }
  await readAll()
  expect(unlike).toEqual([])
  expect(asked).toBeGreaterThan(1000)
}, 900_000)

it('an own id is answered differently from an unknown one, so the test above can fail', { tags: 'long' }, async () => {
  const blind = new Set<string>()
  const seen = new Set<string>()
  for (const route of service.routes) {
    const rule = routeOf(route)
    if (!rule || rule.who === 'anyone' || !rule.places) continue
    for (const place of rule.places) {
      const answers: string[] = []
      for (const { person, own } of (await askers()).filter(({ person }) => mayEver(person.role, rule.who as never))) {
        const write = async (id: string) => {
          const sample = await rule.ask(service, own, person)
          return asText(await ask(route, plain(place).write(sample, id), person), id)
        }
        const mine =
          place.in === 'path' ? await place.of(service, { ...own, officer: person }) : await place.of(service, own)
        answers.push(...((await write(mine)) === (await write(randomUUID())) ? [] : [route]))
        if (answers.length > 0) break
      }
      // Of two objects that a header may name one appears in the answer, and the other only in stored rows.
      ;(answers.length === 0 ? blind : seen).add(`${route} ${place.in} ${place.name}`)
    }
  }
  expect([...blind.difference(seen)]).toEqual([])
})

it('headers cannot name another object, method or address than the request line', async () => {
  const unlike: string[] = []
  for (const [place, route] of service.routes.entries()) {
    const rule = routeOf(route)
    if (!rule || rule.who === 'anyone') continue
    // Calls are read by one reader: each third of them.
    if (!isLong && callOf(route) && place % 3 !== 0) continue
    const asker = (await askers()).find(
      ({ person }) => rule.who === 'signed-in' || mayEver(person.role, rule.who as never),
    )!
    const request = async (headers: Record<string, string>) => {
      const sample = await rule.ask(service, asker.own, asker.person)
      const text = asText(await ask(route, { ...sample, headers: { ...sample.headers, ...headers } }, asker.person), '')
      // What was written before and stands there once more, such as the same reply, is no difference.
      return text.replaceAll(/(\{[^{}]*\})(?:,\1)+/g, '$1').replace(/"content-length":"\d+"/, '')
    }
    const of = (id: string, userId: string) => ({
      'x-http-method-override': 'DELETE',
      'x-method-override': 'DELETE',
      'x-original-url': `/uploads/${id}`,
      'x-rewrite-url': `/api/assets/${id}`,
      'x-forwarded-uri': `/api/assets/${id}`,
      'x-forwarded-prefix': `/uploads/${id}`,
      'x-forwarded-user': userId,
      'x-user-id': userId,
      'x-tenant-id': theirs.tenantId,
      'x-accel-redirect': `/media/${id}/original.mp4`,
      'if-match': `"${id}"`,
      'content-location': `/uploads/${id}`,
    })
    // A call can use an object up, so an unknown id is asked for before and after.
    const absent = [await request(of(randomUUID(), randomUUID()))]
    const foreign = await request(of(theirs.unused, theirs.officer.id))
    absent.push(await request(of(randomUUID(), randomUUID())), await request({}))
    if (!absent.includes(foreign)) unlike.push(`${route}:\n  ${foreign}\n  ${absent.join('\n  ')}`)
  }
  expect(unlike).toEqual([])
}, 600_000)

it('a signed address opens its own file, name and time only', async () => {
  const file = async (asset: string) => {
    await storage().create(asset)
    await service.database.asSystem((tx) =>
      tx.count(sql`update asset set derived = '{"original": "original.mp4"}' where id = ${asset}`),
    )
  }
  const now = new Date()
  await file(ours.asset)
  await file(theirs.asset)
  const mine = [
    fileUrl(ours.asset, 'play.mp4', now),
    fileUrl(ours.asset, 'original.mp4', now, 'mine.mp4'),
    sourcesUrl(ours.project.id, ours.officer, now),
    kitUrl(ours.begun.id, ours.editor, now),
  ].map((address) => new URL(address, 'http://localhost'))
  const targets = [
    `/media/${theirs.asset}/play.mp4`,
    `/media/${theirs.asset}/original.mp4`,
    `/media/zip/${theirs.project.id}`,
    `/media/kit/${theirs.begun.id}`,
  ]
  const queryOf = (url: URL, change: Record<string, string | null> = {}) => {
    const query = new URLSearchParams(url.search)
    for (const [name, value] of Object.entries(change))
      if (value === null) query.delete(name)
      else query.set(name, value)
    return `?${query}`
  }
  const forged: string[] = []
  for (const url of mine) {
    const later = String(Number(url.searchParams.get('until')) + windowMs / 1000)
    const sign = url.searchParams.get('sign')!
    for (const target of targets) {
      const tail = target.slice('/media/'.length)
      forged.push(
        target + url.search,
        `${target}/${url.search}`,
        `${url.pathname}/../../${tail}${url.search}`,
        `${url.pathname}/..%2f..%2f${encodeURIComponent(tail)}${url.search}`,
        `${url.pathname}%2f..%2f..%2f${tail}${url.search}`,
        `${url.pathname}/%2e%2e/%2e%2e/${tail}${url.search}`,
        `${url.pathname};${tail}${url.search}`,
        `${url.pathname}%00${tail}${url.search}`,
        `${url.pathname}%3f${tail}${url.search}`,
        `//media/${tail}${url.search}`,
        `${target}?${url.searchParams}&sign=${sign}`,
      )
    }
    forged.push(
      ...changes(later).map((change) => url.pathname + queryOf(url, change)),
      ...[theirs.officer.id, theirs.companysKey, ours.companysKey].map(
        (reader) => url.pathname + queryOf(url, { reader }),
      ),
      `${url.pathname}${queryOf(url, { until: `${url.searchParams.get('until')}.5` })}`,
      `${url.pathname}${queryOf(url)}&until=${later}`,
      url.pathname + queryOf(url, { key: 'AAAAAA' }),
      url.pathname + queryOf(url, { key: '' }),
      `${url.pathname}${queryOf(url)}&key=AAAAAA`,
      `${url.pathname}${queryOf(url, { sign: sign.toUpperCase() === sign ? `${sign}x` : sign.toUpperCase() })}`,
      `${url.pathname}?${new URLSearchParams({ ...Object.fromEntries(url.searchParams), name: '' })}`,
    )
  }
  // Each signature on each other address of one's own.
  for (const one of mine) for (const other of mine) if (one !== other) forged.push(one.pathname + other.search)
  const opened: string[] = []
  for (const method of ['GET', 'HEAD'] as const)
    for (const url of forged) {
      const { statusCode, body } = await service.app.inject({ method, url })
      if (![400, 404].includes(statusCode) || body.includes(theirs.asset))
        opened.push(`${method} ${url}: ${statusCode}`)
    }
  expect(opened).toEqual([])
  const ended = await service.app.inject(fileUrl(ours.asset, 'play.mp4', new Date(now.getTime() - 3 * windowMs)))
  expect(ended.json<Failure>().code).toBe('asset.address-ended')
})

it('a signed zip or kit opens for its reader, a person or an API key, within their company alone', async () => {
  const kinds = [
    { address: sourcesUrl, call: projects.sources },
    { address: kitUrl, call: edits.handOver },
  ]
  const wrong: string[] = []
  let opened = 0
  for (const reader of [...(await readersOf(ours)), ...(await readersOf(theirs))])
    for (const { address, call } of kinds)
      for (const { begun, tenantId } of [ours, theirs]) {
        const url = address(begun.id, reader, new Date())
        const { statusCode } = await service.app.inject({ method: 'HEAD', url })
        const isLetIn = tenantId === reader.tenantId && mayEver(reader.role, call.access)
        if (statusCode !== (isLetIn ? 200 : 404)) wrong.push(`${call.path} for ${reader.who}: ${statusCode}`)
        opened += Number(statusCode === 200)
      }
  expect(wrong).toEqual([])
  // Of nine readers of a company, officers and their keys get no kit.
  expect(opened).toBe(2 * (9 + 7))
})

/** Everybody of a stage who may be given an address: its people, a key of each, and its company's key. The film of `begun` is ready. */
const readersOf = async ({ tenantId, officer, editor, qa, admin, begun, companysKey }: Stage) => {
  await service.database.asSystem((tx) =>
    tx.count(sql`update asset set derived = '{"original": "original.mp4"}' where project_id = ${begun.id}`),
  )
  const byKey = async (person: Person) => {
    const { made } = await callConfirmed(service, person)(apiKeys.create, {
      body: { name: 'Archive', scopes: ['videos.read'], days: 30 },
    })
    return { ...person, who: `a key of ${person.role}`, key: { id: made.id, scopes: [] } }
  }
  const own = [officer, editor, qa, admin]
  const { role } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ role: Role }>`
      select p.role from api_key k join person p on p.id = k.person_id where k.id = ${companysKey}`),
  ))!
  return [
    ...own.map((person) => ({ ...person, who: person.role })),
    ...(await Promise.all(own.map(byKey))),
    { id: companysKey, tenantId, role, who: 'the company’s key', key: { id: companysKey, scopes: [] } },
  ]
}

it('a secret address opens with the whole secret only, and an unsubscribe token ends its own kind only', async () => {
  const { url } = await callConfirmed(service, theirs.officer)(calendar.renew, {})
  const path = new URL(url).pathname
  const secret = /([\w-]{43})\.ics$/.exec(path)![1]!
  const get = async (url: string) => (await service.app.inject(url)).statusCode
  expect(await get(path)).toBe(200)
  for (const wrong of [
    secret,
    `${secret.slice(0, -1)}.ics`,
    `${secret}A.ics`,
    `${secret.toLowerCase() === secret ? secret.toUpperCase() : secret.toLowerCase()}.ics`,
    `${secret}%00.ics`,
    `%25.ics`,
    `_${'%25'.repeat(1)}.ics`,
    `${'_'.repeat(43)}.ics`,
    `${theirs.officer.id}.ics`,
    `x.ics?secret=${secret}`,
    `..%2fcalendar%2f${secret}.ics`,
    `x.ics;${secret}.ics`,
  ])
    expect({ wrong, status: await get(`/calendar/${wrong}`) }).toMatchObject({ wrong, status: 404 })

  const link = (userId: string, kinds: Parameters<typeof unsubscribePath>[1]['kinds']) =>
    service.database.asSystem((tx) => unsubscribePath(tx, { userId, kinds }))
  const mine = new URL(await link(ours.officer.id, ['news']), 'http://localhost').searchParams.get('token')!
  const [, , signature] = mine.split('.')
  const before = await everythingOf(theirs)
  for (const wrong of [
    `${theirs.officer.id}.news.${signature}`,
    `${ours.officer.id}.news-project.${signature}`,
    `${ours.officer.id}.news.${signature!.slice(0, -1)}`,
    `${ours.officer.id}.news.${'A'.repeat(22)}`,
    `${ours.officer.id.toUpperCase()}.news.${signature}`,
    `${mine}&token=${theirs.officer.id}.news.${signature}`,
    `${theirs.officer.id}.news.${signature}&token=${mine}`,
  ])
    for (const method of ['GET', 'POST'] as const) {
      const { statusCode } = await service.app.inject({ method, url: `/unsubscribe?token=${wrong}` })
      expect({ wrong, statusCode }).toEqual({ wrong, statusCode: 404 })
    }
  expect(changedIn(before, await everythingOf(theirs))).toEqual([])
  const { statusCode } = await service.app.inject({ method: 'POST', url: `/unsubscribe?token=${mine}` })
  expect(statusCode).toBe(200)
})

const changes = (later: string): Record<string, string | null>[] => [
  { until: later },
  { name: 'evil.html' },
  { sign: null },
  { until: null },
  { sign: '' },
]

type Answer = { status: number; body: string; code: string | undefined; headers: Record<string, unknown> }
type Form = { name: string; write: (sample: Asked, id: string) => Asked & { url?: (path: string) => string } }

/** Asks a route; an answer that never ends (events) is left after its head. */
const ask = async (
  route: string,
  { params = {}, query, headers, payload, ...asked }: Asked & { url?: (path: string) => string },
  person: Person | null,
): Promise<Answer> => {
  const [method, path] = route.split(' ') as ['GET', string]
  const filled = path.replace(/:(\w+)|\*/g, (all, name?: string) => params[name ?? all] ?? all)
  const response = await service.app.inject({
    method,
    url: (asked.url?.(filled) ?? filled) + (query ? `?${query}` : ''),
    headers: { ...headers, ...(person ? { authorization: `Bearer ${person.token}` } : {}) },
    ...(payload === undefined ? {} : { payload }),
    ...(path === '/api/events' ? { payloadAsStream: true } : {}),
  })
  const isStream = path === '/api/events' && response.statusCode === 200
  if (isStream) response.stream().destroy()
  const body = isStream ? '' : path === '/api/events' ? await textOf(response.stream()) : response.body
  const isJson = String(response.headers['content-type'] ?? '').includes('json')
  const code = isJson && body !== '' ? (JSON.parse(body) as Failure).code : undefined
  return { status: response.statusCode, body, code, headers: response.headers }
}

/** An answer without what differs from request to request, and without the id that was asked for. */
const asText = ({ status, body, headers }: Answer, id: string): string => {
  const { 'x-request-id': requestId, date: _date, ...rest } = headers
  const without = (text: string) => {
    const ids = text.replaceAll(String(requestId), '').replaceAll(id === '' ? '\0' : id, 'the id')
    return status < 400 ? ids.replace(uuid, 'an id').replace(moment, 'a moment').replace(secret, 'a secret') : ids
  }
  return `${status} ${without(body)} ${without(JSON.stringify(rest))}`
}

/** Also how a new key begins, which is shown in full; a webhook's secret is in another alphabet. */
const secret = /whsec_[\w+/]+=*|[\w-]{24,}|ctp_[\w-]{6}/g

type Asker = { who: string; person: Person; own: Stage }
/** They have confirmed a moment ago, so that every call lets them in. */
const askers = (): Promise<Asker[]> =>
  Promise.all(
    [
      ...(['officer', 'editor', 'qa', 'admin'] as const).map((who) => ({ who, person: ours[who], own: ours })),
      { who: 'colleague', person: colleague, own: { ...ours, tenantId: theirs.tenantId, officer: colleague } },
    ].map(async (asker) => ({ ...asker, person: await confirmedLately(service, asker.person) })),
  )

/** The places for an id in a request of this route: as declared, or from the contract's schemas. */
const placesOf = (route: string, rule: DeclaredRoute): RoutePlace[] => {
  const call = callOf(route)
  if (!call) return [...(rule.places ?? [])]
  const { name, shape } = call
  const found = (['params', 'query', 'body'] as const).flatMap((part) =>
    shape[part] ? idsIn(z.toJSONSchema(shape[part], { io: 'input', unrepresentable: 'any' }) as JsonSchema, part) : [],
  )
  return [...new Set(found)]
    .filter((place) => place.split('.').length === 2)
    .map((place) => ({
      in: place.startsWith('params') ? 'path' : (place.split('.')[0] as 'query' | 'body'),
      name: place.split('.')[1]!,
      of: (_service, stage) => idsFor(name, place, stage)[0]!,
    }))
}

const callOf = (route: string) =>
  everyCall.find(({ shape }) => {
    const path = (shape.base ?? '/api') + shape.path
    return route === `${shape.method} ${path}` || (shape.method === 'GET' && route === `HEAD ${path}`)
  })

/** The spellings of another person's id in the place of one's own. */
const formsOf = (place: RoutePlace): Form[] => [
  plain(place),
  ...Object.entries(spellings).map(([name, spell]): Form => ({
    name,
    write: (sample, id) => plain(place).write(sample, spell(place.write?.(id) ?? id)),
  })),
  ...(place.in === 'path' ? besideOwn(place.name) : []),
  ...(place.in === 'query' ? besideInQuery(place.name) : []),
  ...(place.in === 'body' ? besideInBody(place.name) : []),
]

const plain = (place: RoutePlace): Form => ({
  name: 'plain',
  write: (sample, id) => {
    const text = id.includes('%') || place.in !== 'path' ? id : encodeURIComponent(id)
    const written = place.write?.(id) ?? text
    if (place.in === 'path') return { ...sample, params: { ...sample.params, [place.name]: written } }
    if (place.in === 'header') return { ...sample, headers: { ...sample.headers, [place.name]: written } }
    if (place.in === 'query') {
      const query = new URLSearchParams(sample.query)
      query.delete(place.name)
      return { ...sample, query: [String(query), `${place.name}=${written}`].filter(Boolean).join('&') }
    }
    return { ...sample, payload: { ...(sample.payload as object), [place.name]: written } }
  },
})

const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const spellings: Record<string, (id: string) => string> = {
  'in capitals': (id) => id.toUpperCase(),
  encoded: percent,
  'encoded twice': (id) => percent(id).replaceAll('%', '%25'),
  'without dashes': (id) => id.replaceAll('-', ''),
  'in braces': (id) => `%7B${id}%7D`,
  'with a zero byte': (id) => `${id}%00`,
  'with a slash': (id) => `${id}%2f`,
  'behind a slash': (id) => `%2f${id}`,
  'with a question mark': (id) => `${id}%3f`,
  'with a blank': (id) => `%20${id}%20`,
  'with a line end': (id) => `${id}%0a`,
  'in wide letters': (id) => id.replace(/[0-9a-f]/g, (c) => String.fromCodePoint(c.codePointAt(0)! + 0xfee0)),
  'as a name': (id) => `urn:uuid:${id}`,
}

const besideOwn = (name: string): Form[] =>
  Object.entries({
    '<mine>?/<theirs>': (mine: string, id: string) => `${mine}?/${id}`,
    '<mine>?<name>=<theirs>': (mine: string, id: string) => `${mine}?${name}=${id}`,
    '<mine>/<theirs>': (mine: string, id: string) => `${mine}/${id}`,
    '<mine>/../<theirs>': (mine: string, id: string) => `${mine}/../${id}`,
    '<mine>%2f..%2f<theirs>': (mine: string, id: string) => `${mine}%2f..%2f${id}`,
    '<mine>%2f<theirs>': (mine: string, id: string) => `${mine}%2f${id}`,
    '<mine>%3f/<theirs>': (mine: string, id: string) => `${mine}%3f/${id}`,
    '<mine>;<theirs>': (mine: string, id: string) => `${mine};${id}`,
    '<mine>,<theirs>': (mine: string, id: string) => `${mine},${id}`,
    '<mine>%00<theirs>': (mine: string, id: string) => `${mine}%00${id}`,
    '<mine>#/<theirs>': (mine: string, id: string) => `${mine}%23/${id}`,
  }).map(([form, join]) => ({
    name: form,
    write: (sample, id) => {
      const mine = sample.params?.[name] ?? ''
      // The rest of the path comes last, as in an address written by hand.
      return { ...sample, url: (path) => path.replace(mine, () => join(mine, id)) }
    },
  }))

const besideInQuery = (name: string): Form[] =>
  Object.entries({
    'after the own': (mine: string, id: string) => `${name}=${mine}&${name}=${id}`,
    'before the own': (mine: string, id: string) => `${name}=${id}&${name}=${mine}`,
    'as a list': (mine: string, id: string) => `${name}=${mine}&${name}[]=${id}`,
    'as a field': (mine: string, id: string) => `${name}=${mine}&${name}[id]=${id}`,
    'of the prototype': (mine: string, id: string) => `${name}=${mine}&__proto__[${name}]=${id}`,
    'beside a comma': (mine: string, id: string) => `${name}=${mine},${id}`,
  }).map(([form, join]) => ({
    name: form,
    write: (sample, id) => {
      const query = new URLSearchParams(sample.query)
      const mine = query.get(name) ?? ours.officer.id
      query.delete(name)
      return { ...sample, query: [String(query), join(mine, id)].filter(Boolean).join('&') }
    },
  }))

const besideInBody = (name: string): Form[] =>
  Object.entries({
    'a second time': (rest: string, mine: string, id: string) => `{${rest}"${name}":${mine},"${name}":"${id}"}`,
    'a first time': (rest: string, mine: string, id: string) => `{${rest}"${name}":"${id}","${name}":${mine}}`,
    'of the prototype': (rest: string, mine: string, id: string) =>
      `{${rest}"${name}":${mine},"__proto__":{"${name}":"${id}"}}`,
    'of the constructor': (rest: string, mine: string, id: string) =>
      `{${rest}"${name}":${mine},"constructor":{"prototype":{"${name}":"${id}"}}}`,
    'in a list': (rest: string, _mine: string, id: string) => `{${rest}"${name}":["${id}"]}`,
    'as a field': (rest: string, _mine: string, id: string) => `{${rest}"${name}":{"id":"${id}"}}`,
    'in the query too': (rest: string, mine: string) => `{${rest}"${name}":${mine}}`,
  }).map(([form, join]) => ({
    name: form,
    write: (sample, id) => {
      const { [name]: mine = ours.officer.id, ...rest } = (sample.payload ?? {}) as Record<string, unknown>
      const fields = Object.entries(rest).map(([key, value]) => `"${key}":${JSON.stringify(value)},`)
      return {
        ...sample,
        headers: { ...sample.headers, 'content-type': 'application/json' },
        payload: join(fields.join(''), JSON.stringify(mine), id),
        ...(form === 'in the query too' ? { query: `${name}=${id}` } : {}),
      }
    },
  }))

/** The rows and files that contain an id of a stage, except those that a colleague made. */
const everythingOf = async (stage: Stage): Promise<string[]> => {
  const ids: string[] = JSON.stringify([stage, await openUploadOf(service, stage)]).match(uuid)!
  const files: string[] = []
  for (const path of await readdir(service.config.dataDir, { recursive: true })) {
    if (!ids.some((id) => path.includes(id))) continue
    const { size, mtimeMs } = await stat(join(service.config.dataDir, path))
    files.push(`${path} ${size} ${mtimeMs}`)
  }
  const rows = await rowsNaming(service, stage)
  return [...rows.filter((row) => !row.includes(colleague.id)), ...files]
}

const changedIn = (before: readonly string[], after: readonly string[]): string[] => [
  ...before.filter((one) => !after.includes(one)).map((one) => `away or changed: ${one}`),
  ...after.filter((one) => !before.includes(one)).map((one) => `new or changed: ${one}`),
]
