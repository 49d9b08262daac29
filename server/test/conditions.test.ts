import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import type { CallShape } from '@clear-to-post/contract/call'
import { addressOf } from '@clear-to-post/contract/client'
import { sql } from '../src/db/tenant.ts'
import { admits, idsFor, placesOf, uuid, withId } from './ids.ts'
import { isLong } from './random.ts'
import { openUploadOf } from './routes.ts'
import { openStage, samplesOf, type Sample, type Stage } from './samples.ts'
import { makePerson, makeVideo, openService, type Person, type Service } from './service.ts'
import { roleWithoutPolicies } from './walls.ts'

/**
 * Where row-level security does not stand, each query's own condition does: every condition on the caller's id or company is
 * read from the statements that the product really sends, taken out alone, and the requests that sent it are asked again.
 * An answer, or a row of somebody else's, must differ. In the long form alone (npm run prove -- conditions): it takes minutes.
 */
let service: Service
let ours: Stage
let theirs: Stage
let colleague: Person
let editorOfAll: Person
const heard: { text: string; values: unknown[] }[] = []
/** Conditions that are taken out of what is sent from here on, by statement; `times` counts. */
let out: { of: (text: string) => readonly string[]; times: number } | undefined

beforeAll(async () => {
  if (!isLong) return
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [first, ...rest] = args as [pg.QueryConfig | string, ...unknown[]]
    if (typeof first === 'string' || first.text === undefined) return query.call(this, first, ...rest)
    heard.push({ text: first.text, values: first.values ?? [] })
    const gone = out?.of(first.text) ?? []
    if (!out || gone.length === 0) return query.call(this, first, ...rest)
    out.times += 1
    // PostgreSQL keeps a named statement as it was; parameters stay, so that they keep their numbers.
    const text = gone.reduce((left, one) => left.replace(one, () => `(true or ${one})`), first.text)
    return query.call(this, { text, values: first.values }, ...rest)
  } as typeof pg.Client.prototype.query)
  service = await openService({}, roleWithoutPolicies)
  superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
  await superuser.connect()
  const { rows: tables } = await superuser.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migration'`,
  )
  everyRow = tables.map(({ name }) => `select '${name} ' || row_to_json(t) as row from ${name} t`).join(' union all ')
  ours = await openStage(service)
  editorOfAll = await makePerson(service, 'Editor')
  await openTheirs()
})
afterAll(async () => {
  if (!isLong) return
  await superuser.end()
  await service.close()
  vi.restoreAllMocks()
})

it.runIf(isLong)(
  'each condition on the caller’s id or company is missed when it is not there',
  async () => {
    const { conditions, sent } = await conditionsOf(requests())
    const unnoticed: string[] = []
    for (const one of conditions) {
      const noticed = await whoNotices(one)
      console.log(`${noticed === null ? 'unnoticed' : `noticed by ${noticed}`}: ${one.name}`)
      if (noticed === null) unnoticed.push(one.name)
    }
    console.log(`${sent} statements, ${conditions.length} conditions taken out, ${unnoticed.length} unnoticed`)
    const known = (name: string) => noWall.some(([text]) => name.includes(text))
    expect(unnoticed.filter((name) => !known(name))).toEqual([])
    expect(conditions.length).toBeGreaterThan(25)
  },
  3_000_000,
)

/** Conditions that are no walls, by a part of their statement, and why. */
const noWall: readonly [text: string, why: string][] = [
  [
    'select 1 from person where id = $1 for no key update',
    'a lock: it answers nothing, and its person was found before',
  ],
  [
    'select from asset where id = $1 and author_id = $2 for update',
    'a lock: the file is found and deleted by its author',
  ],
  ['where id = actor_id() and email_verified_at is null', 'without it more is refused, and never less'],
  [
    "where p.editor_id = $1 and p.role = 'User'",
    'whose list it is was found within reach before, and nobody of another company is bound to them',
  ],
]

/** Rooms whose conditions were all looked at; the others follow one by one. */
const rooms = ['accounts', 'assets', 'calendar']

type Request = { name: string; who: string; writes: boolean; ask: () => Promise<string> }
type Condition = { name: string; text: string; condition: string; by: Request[] }

/** What stands in each statement that these requests send. */
const inStatement = new Map<string, Set<string>>()

/** Every call as everybody whom it admits: for own things, and with everybody else's ids wherever one may stand. */
const requests = (): Request[] => [
  ...everyCall
    .filter(({ name }) => rooms.includes(name.split('.')[0]!))
    .flatMap(({ name, shape }) =>
      askers()
        .filter(({ person }) => admits(shape, person()))
        .flatMap(({ who, person, own }) => {
          const ask = (write: (sample: Sample) => Sample) => async () =>
            send(shape, write(samplesOf(own())[name]!()), person())
          return [
            ...[...new Set(placesOf(shape))].flatMap((place) =>
              foreignIds(name, place).map((_, i) => ({
                name: `${name} ${place}`,
                who,
                writes: shape.method !== 'GET',
                ask: ask((sample) => withId(sample, place, foreignIds(name, place)[i]!)),
              })),
            ),
            { name, who, writes: shape.method !== 'GET', ask: ask((sample) => sample) },
          ]
        }),
    ),
  ...askers().flatMap(({ who, person }) =>
    (['HEAD', 'PATCH', 'DELETE'] as const).map((method) => ({
      name: `${method} /uploads`,
      who,
      writes: method !== 'HEAD',
      ask: async () => {
        const response = await service.app.inject({
          method,
          url: `/uploads/${await openUploadOf(service, theirs)}`,
          headers: {
            authorization: `Bearer ${person().token}`,
            'tus-resumable': '1.0.0',
            ...(method === 'PATCH' ? { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' } : {}),
          },
          ...(method === 'PATCH' ? { payload: 'video' } : {}),
        })
        return `${response.statusCode} ${response.headers['upload-offset']}`
      },
    })),
  ),
]

/** Theirs; where a person belongs, somebody of no company, too. */
const foreignIds = (name: string, place: string): string[] => {
  const ids = idsFor(name, place, theirs)
  return ids.includes(theirs.editor.id) ? [...ids, editorOfAll.id] : ids
}

const askers = () => [
  ...(['officer', 'editor', 'qa', 'admin'] as const).map((who) => ({ who, person: () => ours[who], own: () => ours })),
  {
    who: 'colleague',
    person: () => colleague,
    own: (): Stage => ({ ...ours, tenantId: theirs.tenantId, officer: colleague }),
  },
]

const send = async (shape: CallShape, { params, query, body }: Sample, who: Person) => {
  const response = await service.app.inject({
    method: shape.method,
    url: addressOf(shape, params, query),
    headers: { authorization: `Bearer ${who.token}` },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  return `${response.statusCode} ${response.body.replace(String(response.headers['x-request-id']), '')}`
}

/** The conditions of all statements that these requests send, each with the requests that send it. */
const conditionsOf = async (asked: Request[]) => {
  const found = new Map<string, Condition>()
  const sent = new Set<string>()
  for (const request of asked) {
    heard.length = 0
    await request.ask()
    const person = askers()
      .find(({ who }) => who === request.who)!
      .person()
    for (const { text, values } of heard) {
      sent.add(text)
      for (const condition of conditionsIn(text, values, person)) {
        const key = `${text}\n${condition}`
        const around = text.replace(/\s+/g, ' ').trim()
        const known = found.get(key) ?? { name: `${condition} in: ${around}`, text, condition, by: [] }
        inStatement.set(text, (inStatement.get(text) ?? new Set()).add(condition))
        found.set(key, known)
        if (known.by.at(-1) !== request) known.by.push(request)
      }
    }
  }
  heard.length = 0
  return { conditions: [...found.values()], sent: sent.size }
}

/** The conditions of a statement on who asks: their id or company as a value, or as the session knows it. */
const conditionsIn = (text: string, values: unknown[], { id, tenantId }: Person): string[] => {
  if (!/^\s*(select|update|delete|insert|with)\b/i.test(text) || /select enter\(/.test(text)) return []
  const shape =
    /(?:\w+\.)?\w+ (?:=|is not distinct from) \$(\d+)(?:::\w+)?(?!\d)|staff_reach\([\w.]+\)|(?:\w+\.)?\w+ = actor_(?:id|tenant)\(\)/g
  return [...text.matchAll(shape)].flatMap(({ 0: condition, 1: parameter, index }) => {
    const value = parameter === undefined ? undefined : values[Number(parameter) - 1]
    if (parameter !== undefined && value !== id && (tenantId === null || value !== tenantId)) return []
    // What a statement sets is no condition.
    const clauses = [...text.slice(0, index).matchAll(/\b(set|where|on|having|filter|values)\b/gi)]
    const clause = clauses.at(-1)?.[1]?.toLowerCase()
    return clause === undefined || clause === 'set' || clause === 'values' ? [] : [condition]
  })
}

/**
 * The first request that a missing condition changes, alone; else the first for which it stands alone, every other
 * condition of its statements taken out: one wall behind another holds, too. Null when nothing is ever changed by it.
 */
const whoNotices = async ({ text, condition, by }: Condition): Promise<string | null> => {
  const tried = by.slice(0, 20)
  const alone = (of: string) => (of === text ? [condition] : [])
  // Of what only looks: a change without its conditions would leave nothing to look at.
  const all = (of: string) => (/^\s*select\b/i.test(of) || of === text ? [...(inStatement.get(of) ?? [])] : [])
  for (const request of tried) if (await differ(request, () => [], alone)) return `${request.name} as ${request.who}`
  for (const request of tried)
    if (await differ(request, (of) => all(of).filter((one) => of !== text || one !== condition), all))
      return `${request.name} as ${request.who}, behind others`
  return null
}

type Out = (text: string) => readonly string[]

/** Whether a request's answer, or a row of theirs, becomes another with `more` taken out than with `some`. */
const differ = async (request: Request, some: Out, more: Out): Promise<boolean> => {
  const ask = async (of: Out) => {
    out = { of, times: 0 }
    const rows = request.writes ? await rowsOfTheirs() : ''
    const answer = await request.ask()
    const { times } = out
    out = undefined
    const isChanged = request.writes && (await rowsOfTheirs()) !== rows
    if (isChanged) await openTheirs()
    return { answer, times, isChanged }
  }
  const [first, before, after] = [await ask(some), await ask(some), await ask(more)]
  if (after.times === 0) return false
  if (after.isChanged || before.isChanged) return after.isChanged !== before.isChanged
  // What uses something up, or makes something, is told from a missing condition by whose it names.
  return first.answer === before.answer
    ? after.answer !== before.answer
    : namesOfTheirs(after.answer) !== namesOfTheirs(before.answer)
}

const namesOfTheirs = (answer: string): string => {
  const ids = new Set(JSON.stringify(theirs).match(uuid))
  return [...new Set(answer.match(uuid) ?? [])]
    .filter((id) => ids.has(id))
    .sort()
    .join()
}

/** Every row in which an id of theirs stands, as one number. */
const rowsOfTheirs = async (): Promise<string> => {
  const ids = [...new Set(JSON.stringify(theirs).match(uuid))].join('|')
  const { rows } = await superuser.query<{ all: string }>(
    `select md5(string_agg(row, E'\\n' order by row)) as all from (${everyRow}) rows where row ~ $1`,
    [ids],
  )
  return rows[0]!.all
}
let superuser: pg.Client
let everyRow: string

const openTheirs = async () => {
  theirs = await furnished()
  colleague = await makePerson(service, 'User', { tenantId: theirs.tenantId })
  await makeVideo(service, colleague)
}

/** A stage whose people also have what a stage does not name: what they sign in with, chose, bought and were told. */
const furnished = async (): Promise<Stage> => {
  const stage = await openStage(service)
  for (const { id } of [stage.officer, stage.editor, stage.qa, stage.admin])
    await service.database.asSystem(async (tx) => {
      const bytes = randomBytes(32)
      const family = (await tx.first(sql<{ id: string }>`
        insert into session_family (person_id, ends_at) values (${id}, now() + interval '1 day') returning id`))!.id
      await tx.count(sql`insert into refresh_token (hash, family_id) values (${bytes}, ${family})`)
      await tx.count(sql`insert into recovery_code (person_id, hash) values (${id}, ${bytes})`)
      await tx.count(sql`insert into calendar_link (person_id, secret) values (${id}, ${randomUUID()})`)
      await tx.count(sql`
        insert into push_device (person_id, family_id, endpoint, p256dh, auth, name)
        values (${id}, ${family}, ${`https://push.example.com/${randomUUID()}`}, 'x', 'x', 'A phone')`)
      await tx.count(sql`
        insert into one_time_token (hash, purpose, person_id, ends_at)
        values (${randomBytes(32)}, 'hand-over', ${id}, now() + interval '1 hour')`)
      await tx.count(sql`
        insert into notification_quiet (user_id, from_time, until_time) values (${id}, '20:00', '08:00')`)
      await tx.count(sql`
        insert into notification_choice (user_id, kind, email, push) values (${id}, 'news', 'daily', true)`)
      await tx.count(sql`insert into data_export (person_id) values (${id})`)
      await tx.count(sql`
        insert into charge (id, user_id, created_at, paid, receipt_url, status, price, currency, payment_type, reading)
        values (${randomUUID()}, ${id}, now(), true, '', 'succeeded', 100, 'usd', 'card', 1)`)
    })
  return stage
}
