import fc, { type Arbitrary } from 'fast-check'
import { z } from 'zod'
import type { CallShape, PageRules } from '@clear-to-post/contract/call'
import { operations } from '@clear-to-post/contract/page'

/** A request that somebody might send: right in most parts, wrong in some. `body` is what goes over the line. */
export type FuzzedRequest = {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}

/** Things that exist, so that requests get beyond “not found”: ids by the name of the field that takes them. */
export type Known = { ids: Readonly<Record<string, readonly string[]>>; cursors: readonly string[] }

/** Requests for one call of the contract, made from its own schemas. */
export const requestsFor = (shape: CallShape, known: Known): Arbitrary<FuzzedRequest> =>
  fc
    .record({
      method: often(
        fc.constant(shape.method as string),
        fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'),
      ),
      path: pathOf(shape, known),
      query: shape.query ? queryOf(shape, known) : often(fc.constant(''), garbageQuery),
      body: shape.body ? often(textOf(shape.body, known), garbageBody) : often(fc.constant(undefined), garbageBody),
      type: often(fc.constant(undefined), contentType),
      headers: oddHeaders,
    })
    .map(({ method, path, query, body, type, headers }) => {
      const sendsBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
      const contentHeader = type ?? (sendsBody ? 'application/json' : undefined)
      return {
        method,
        url: `${shape.base ?? '/api'}${path}${query && `?${query}`}`,
        headers: { ...(contentHeader === undefined ? {} : { 'content-type': contentHeader }), ...headers },
        ...(sendsBody ? { body } : {}),
      }
    })

/** Lines that are hardly HTTP, for a socket. Each says that the connection ends. */
export const rawRequests = (): Arbitrary<string> =>
  fc
    .record({
      method: often(fc.constant('GET'), fc.constantFrom('PURGE', 'TRACE', 'OPTIONS', 'PROPFIND', 'get', 'G\0T', '')),
      target: fc.oneof(
        fc.constantFrom(
          '/api/projects/%',
          '/api/projects/%zz/',
          '/api/projects/%ff%fe/',
          '/api/projects/%00/',
          '/api/projects/%ED%A0%80/',
          '/api/projects/..%2f..%2fetc%2fpasswd/',
          '/api/../../etc/passwd',
          '/api//projects//list',
          '//api/projects/list',
          '/media/%',
          '/media/../../etc/passwd',
          '/media/zip/%2e%2e',
          '/uploads/%00',
          '/assets/..%2f..%2fserver%2fpackage.json',
          '/%c0%ae%c0%ae/',
          '*',
          'http://elsewhere.test/api/projects/list',
          '/\\api',
          '/api/projects/list?%',
          '/api/projects/list?wheres=%ff',
          '/api/projects/list?perPage=1&perPage=2',
          '/api/projects/list#fragment',
        ),
        fc.integer({ min: 1, max: 20_000 }).map((length) => `/api/projects/${'x'.repeat(length)}/`),
        fc.string({ maxLength: 40 }).map((text) => `/api/${text.replace(/[\r\n\s]/g, '')}`),
      ),
      version: often(fc.constant('HTTP/1.1'), fc.constantFrom('HTTP/1.0', 'HTTP/9.9', 'FTP/1.0', '')),
      headers: fc.subarray(
        [
          'host: localhost',
          'authorization: Bearer \x80\xff',
          'authorization: Bearer a.b.c',
          `authorization: Bearer ${'x.'.repeat(3000)}`,
          'x-request-id: \xe9\xe8',
          'content-length: banana',
          'content-length: -1',
          'transfer-encoding: banana',
          'expect: banana',
          'upgrade: websocket',
          'cookie: __Host-refresh=%zz; =; ;;',
          'accept-encoding: banana;q=nonsense',
          'range: bytes=-9999999999999999999',
          'if-none-match: W/"',
          'x-forwarded-for: <script>',
          'accept-version: 9',
          ' folded: header',
          'no colon at all',
          `x-long: ${'y'.repeat(20_000)}`,
        ],
        { maxLength: 4 },
      ),
    })
    .map(({ method, target, version, headers }) =>
      [`${method} ${target} ${version}`, 'connection: close', ...headers, '', ''].join('\r\n'),
    )

// Nearly always the right thing, else something else: a request has many parts.
const often = <A, B>(right: Arbitrary<A>, wrong: Arbitrary<B>, weight = 14): Arbitrary<A | B> =>
  fc.oneof({ arbitrary: right as Arbitrary<A | B>, weight }, { arbitrary: wrong as Arbitrary<A | B>, weight: 1 })

const textOf = (schema: z.ZodType, known: Known): Arbitrary<string | undefined> => {
  const right = valueOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json, known)
  return fc.oneof(
    { arbitrary: right.map((value) => JSON.stringify(value)), weight: 12 },
    { arbitrary: spoilt(right).map((value) => JSON.stringify(value)), weight: 5 },
    { arbitrary: fc.constant(undefined), weight: 1 },
  )
}

type Json = {
  type?: string
  enum?: unknown[]
  anyOf?: Json[]
  properties?: Record<string, Json>
  required?: string[]
  items?: Json
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  format?: string
  pattern?: string
}

/** Values that a JSON schema allows, with a liking for its edges. */
const valueOf = (schema: Json, known: Known, name = ''): Arbitrary<unknown> => {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valueOf(one, known, name)))
  switch (schema.type) {
    case 'object': {
      const entries = Object.entries(schema.properties ?? {}).map(([key, one]) => [key, valueOf(one, known, key)])
      return fc.record(Object.fromEntries(entries) as Record<string, Arbitrary<unknown>>, {
        requiredKeys: schema.required ?? [],
      })
    }
    case 'array': {
      const most = Math.min(schema.maxItems ?? 4, 30)
      return fc.array(valueOf(schema.items ?? {}, known, name), { minLength: schema.minItems ?? 0, maxLength: most })
    }
    case 'string':
      return stringOf(schema, known, name)
    case 'integer': {
      const least = Math.max(schema.minimum ?? 0, -10)
      return fc.oneof(
        fc.integer({ min: least, max: Math.min(schema.maximum ?? Infinity, Math.max(least, 0) + 12) }),
        fc.constantFrom(schema.minimum ?? -1, schema.maximum ?? Number.MAX_SAFE_INTEGER, 0),
      )
    }
    case 'number':
      return fc.oneof(
        fc.double({ min: schema.minimum ?? -1e300, max: schema.maximum ?? 1e300, noNaN: true }),
        fc.constantFrom(schema.minimum ?? -1e308, schema.maximum ?? 1e308, 0, -0, 5e-324),
      )
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return garbage
  }
}

const stringOf = (
  { format, pattern, minLength = 0, maxLength = 60 }: Json,
  known: Known,
  name: string,
): Arbitrary<string> => {
  if (format === 'uuid') return often(idFor(name, known), fc.uuid())
  if (format === 'email') return fc.constantFrom('a@b.test', 'A.B+c@D.test', `${'x'.repeat(64)}@y.test`)
  if (format === 'date-time') return fc.oneof(moment, edgeOfTime)
  if (pattern) return fc.constantFrom('2026-11', '2026-W47', '2026-W99', 'submitTimestamp:desc')
  const sized = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 200) })
  // What is no word for us may be one for the machine below: lone halves of a pair, zeros, quotes, months.
  return fc.oneof(
    sized,
    fc.constantFrom('2026-12', '2027-01', '9999-12', '0000-01'),
    nasty,
    fc.constant('x'.repeat(maxLength)),
  )
}

// Usually one of the right kind.
const idFor = (name: string, { ids }: Known): Arbitrary<string> =>
  often(fc.constantFrom(...(ids[name] ?? everyId({ ids }))), fc.constantFrom(...everyId({ ids })))
const everyId = ({ ids }: Pick<Known, 'ids'>): string[] => Object.values(ids).flat()

const moment = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((d) => d.toISOString())
const edgeOfTime = fc.constantFrom(
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-23:59',
  '0000-01-01T00:00:00Z',
  '0000-01-01T00:00:00+23:59',
  '2028-02-29T23:59:59.999999999Z',
)

const nasty = fc.constantFrom(
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\u202e\u2066',
  "'; drop table project; --",
  '%',
  '\\',
  '{title}',
  '$1',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '1e999',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'ＡＢＣ',
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢',
)

const garbage: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    -(2 ** 63),
    [],
    {},
    [[]],
    ['x'],
    { a: 1 },
    'x'.repeat(100_000),
  ),
  nasty,
  fc.jsonValue({ maxDepth: 3 }),
)

// One place of a right value made wrong: another type, a key too many, a key too few.
const spoilt = (right: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.tuple(right, garbage, fc.nat(), fc.constantFrom('replace', 'add', 'remove')).map(([value, bad, place, way]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad
    const keys = Object.keys(value)
    const key = keys[place % Math.max(keys.length, 1)] ?? 'x'
    const copy = { ...(value as Record<string, unknown>) }
    if (way === 'remove') delete copy[key]
    else copy[way === 'add' ? ['admin', 'constructor', 'toString', 'id', 'tenantId'][place % 5]! : key] = bad
    return copy
  })

const garbageBody: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{"a":1,}',
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"admin":true}}}',
    '\ufeff{}',
    '{"title":"\\ud800","assets":[]}',
    '1e999999',
    `{"x":${'9'.repeat(5000)}}`,
    '['.repeat(100_000),
    `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
    ' '.repeat(1_100_000),
    'title=x&assets=y',
    '<?xml version="1.0"?><x/>',
  ),
  fc.string({ unit: 'binary', maxLength: 200 }),
  garbage.map((value) => JSON.stringify(value)),
)

const contentType = fc.constantFrom(
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/json; charset=utf-16',
  'application/json; charset=banana',
  'application/json;',
  'APPLICATION/JSON',
  'application/jsonp',
  'banana',
  ';',
  '',
)

const oddHeaders: Arbitrary<Record<string, string>> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 4 },
  {
    arbitrary: fc
      .constantFrom('good-id:1', 'x'.repeat(100), 'x'.repeat(101), 'two words', '', 'é', '"', '../..', '{{7*7}}')
      .map((id) => ({ 'x-request-id': id })),
    weight: 4,
  },
  { arbitrary: fc.uuid().map((id) => ({ 'x-request-id': id })), weight: 4 },
  {
    arbitrary: fc.constantFrom<Record<string, string>>(
      { accept: 'text/html' },
      { 'accept-encoding': 'br, gzip' },
      { 'accept-encoding': 'banana' },
      { cookie: '__Host-refresh=%zz; __proto__=1' },
      { 'if-match': '*' },
      { origin: 'https://elsewhere.test' },
      { 'x-http-method-override': 'DELETE' },
      { 'content-encoding': 'gzip' },
      { range: 'bytes=0-0' },
    ),
    weight: 1,
  },
)

const pathOf = (shape: CallShape, known: Known): Arbitrary<string> => {
  const segment = (name: string) =>
    fc.oneof(
      { arbitrary: idFor(name.slice(1), known), weight: 14 },
      { arbitrary: fc.uuid(), weight: 1 },
      {
        arbitrary: fc.constantFrom(
          '%00',
          '%',
          '%zz',
          '..',
          '.',
          '%2e%2e',
          'a%2Fb',
          '%ED%A0%80',
          'null',
          '-',
          '%20',
          'x'.repeat(199),
          'x'.repeat(300),
        ),
        weight: 2,
      },
      { arbitrary: nasty.filter((text) => text.isWellFormed() && text !== '').map(encodeURIComponent), weight: 1 },
    )
  const names = [...shape.path.matchAll(/:(\w+)/g)].map(([name]) => name)
  return fc.tuple(fc.tuple(...names.map(segment)), fc.nat(20)).map(([values, ending]) => {
    const path = names.reduce((text, name, i) => text.replace(name, () => values[i]!), shape.path as string)
    // Both spellings answer.
    if (ending === 0) return path.endsWith('/') ? path.slice(0, -1) : `${path}/`
    return ending === 1 ? `${path}${path.endsWith('/') ? '' : '/'}more` : path
  })
}

const queryOf = (shape: CallShape, known: Known): Arbitrary<string> => {
  const right = shape.page
    ? pageQuery(shape.page, known)
    : (valueOf(z.toJSONSchema(shape.query!, { io: 'input', unrepresentable: 'any' }) as Json, known) as Arbitrary<
        Record<string, unknown>
      >)
  return often(right.map(search), garbageQuery)
}

const pageQuery = (rules: PageRules, known: Known): Arbitrary<Record<string, unknown>> => {
  const anyValue = fc.oneof(fc.constantFrom(...everyId(known)), nasty, fc.string({ maxLength: 30 }))
  const direction = often(fc.constantFrom('asc', 'desc'), fc.constant('up'))
  const order = often(fc.constantFrom(...rules.orders), fc.constantFrom('constructor', '__proto__', 'title', ''))
  const where = fc
    .constantFrom(...Object.entries(rules.filters))
    .chain(([field, kind]) =>
      fc
        .tuple(
          often(fc.constant(field), fc.constantFrom('constructor', '__proto__', 'toString', 'password', '')),
          often(fc.constantFrom('eq', 'ne', 'in'), fc.constantFrom(...operations, 'like', 'constructor', '')),
          often(valueOfKind(kind, known), anyValue),
        )
        .map((parts) => parts.join(':')),
    )
  const forged = fc
    .tuple(order, direction, fc.oneof(anyValue, garbage), often(fc.constantFrom(...everyId(known)), fc.constant('x')))
    .map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url'))
  return fc.record({
    perPage: often(fc.integer({ min: 1, max: 100 }), fc.constantFrom(0, -1, 101, 1.5, 'x', '', '1e1', '0x10')),
    orderBy: often(
      fc.constant(undefined),
      fc.tuple(order, direction).map((parts) => parts.join(':')),
      2,
    ),
    cursor: often(fc.constant(undefined), fc.oneof(fc.constantFrom(...known.cursors), forged, nasty), 4),
    wheres: often(fc.constant([]), fc.array(where, { maxLength: 3 }), 1),
  })
}

const valueOfKind = (kind: PageRules['filters'][string], known: Known): Arbitrary<string> =>
  ({
    uuid: fc.constantFrom(...everyId(known)),
    number: fc.constantFrom('0', '7', '0,1,2', '-1', '32768', '2147483647', '99999999999', '1.5'),
    boolean: fc.constantFrom('true', 'false'),
    time: fc.constantFrom(
      '2026-11-01',
      '2026-11-01T00:00:00Z',
      '2026-11-01T00:00:00-23:59',
      '0000-01-01',
      '9999-12-31',
    ),
    text: fc.constantFrom('2026-11', 'User', 'delivered', 'a', '%', '_', '\\'),
    words: fc.constantFrom('rates', 'rates,basics', '%', '{', ''),
    search: fc.constantFrom('rates', 'a', '%', '_', ''),
  })[kind]

const garbageQuery = fc.constantFrom(
  '%',
  '%zz=1',
  'a=%ff',
  '__proto__=1',
  '__proto__[x]=1',
  'constructor=1',
  'perPage[]=1',
  'perPage=1&perPage=2',
  'wheres',
  'wheres=',
  `wheres=${'x'.repeat(3000)}`,
  Array.from({ length: 300 }, () => 'wheres=a:eq:1').join('&'),
  '&&&==',
  'x=1',
)

const search = (query: Record<string, unknown>): string => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) params.append(name, String(one))
  return String(params)
}
