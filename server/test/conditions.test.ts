import { createHash, randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import type { CallShape } from '@clear-to-post/contract/call'
import { addressOf } from '@clear-to-post/contract/client'
import { Status } from '@clear-to-post/domain/workflow'
import { sql } from '../src/kernel/database.ts'
import { admits, idsFor, kindOf, moment, placesOf, uuid, withId } from './ids.ts'
import { askOfComments, crossRows, prepareCrossing, type Crossed } from './crossed-rows.ts'
import { explained, isExplainedBy } from './explained-conditions.ts'
import { submitProject } from './factories.ts'
import { isLong } from './random.ts'
import { openUploadOf } from './routes.ts'
import { samplesOf, type Sample } from './samples.ts'
import { openStage, type Stage } from './stage.ts'
import { confirmed, makePerson, makeVideo, openService, type Person, type Service } from './service.ts'
import { isInShare, isTimeOver, shareWords } from './share.ts'
import { roleWithoutPolicies } from './walls.ts'

/**
 * Query conditions are tested without row-level security: every condition on the caller's id or company is read from the
 * statements that the product sends, removed alone, and the requests that sent it are repeated. An answer, or another
 * person's row, must differ. In the long form (npm run prove -- conditions, for one room with `-t room`, an eighth of each with
 * `SHARE=1/8`, as much as fits into a quarter of an hour with `MINUTES=15`); here only that the explained conditions still exist.
 */
let service: Service
let ours: Stage
let theirs: Theirs
let colleague: Person
let editorOfAll: Person
/** Was an officer of theirs and is one of ours now; their project stayed with their company. */
let moved: Person
let crossed: Crossed
let everyRequest: Request[]
const heard: { text: string; values: unknown[] }[] = []
/** Conditions that are removed from every statement sent from now on, by statement; `times` counts. */
let out: { of: (text: string) => readonly string[]; times: number } | undefined

beforeAll(async () => {
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
  // The service's own rows stay; those of stages are cleared away, so that each condition is tried on few.
  const filled = await Promise.all(
    tables.map(async ({ name }) => (await superuser.query(`select from ${name} limit 1`)).rowCount),
  )
  const empty = tables.filter((_, i) => filled[i] === 0).map(({ name }) => name)
  // The audit log's triggers refuse this to everybody, and rest in a replica's session.
  clearStages = `begin; set local session_replication_role = replica; truncate ${empty.join()} cascade; commit`
  await openAnew()
  everyRequest = requests()
})
afterAll(async () => {
  await superuser.end()
  await service.close()
  vi.restoreAllMocks()
})

it('every explained condition still exists in a statement of the call that it names', async () => {
  const calls = new Set(explained.map(({ call }) => call))
  const { conditions } = await conditionsOf(everyRequest.filter((one) => calls.has(callOf(one))))
  expect(explained.filter((one) => !conditions.some(({ name }) => isExplainedBy(one, name)))).toEqual([])
})

describe.runIf(isLong)('each query condition on the caller’s id or company has a test that fails without it', () => {
  let all: Condition[]
  beforeAll(async () => {
    // What was asked before has used things up: some statements would not be sent again.
    await openAnew()
    const { conditions, sent } = await conditionsOf(everyRequest)
    all = conditions
    console.log(`${sent} statements, ${all.length} conditions`)
    expect(all.length).toBeGreaterThan(130)
  }, 600_000)

  it.each(rooms)(
    '%s',
    async (room) => {
      const inRoom = all.filter(({ by }) => roomOf(by[0]!) === room)
      // What is explained is not tried: each would be asked in every way there is.
      const unexplained = inRoom.filter(({ name }) => !explained.some((one) => isExplainedBy(one, name)))
      const conditions = unexplained.filter(({ name }) => isInShare(name))
      const unnoticed: string[] = []
      let tried = 0
      let isMovedOn = true
      for (const one of conditions) {
        if (isTimeOver()) break
        tried += 1
        // Earlier requests have moved our project on; those that only read have not.
        if (isMovedOn) await openAnew()
        isMovedOn = [...one.by, ...siblingsOf(one.by)].some(({ writes }) => writes)
        const noticed = await whoNotices(one)
        console.log(`${noticed === null ? 'unnoticed' : `noticed by ${noticed}`}: ${one.name}`)
        if (noticed === null) unnoticed.push(one.name)
      }
      console.log(
        `${room}, ${shareWords}: ${tried} of its ${conditions.length} conditions (of ${unexplained.length}) taken out, ${unnoticed.length} unnoticed; ${inRoom.length - unexplained.length} explained`,
      )
      expect(unnoticed).toEqual([])
    },
    3_000_000,
  )
})

const rooms = [...new Set(everyCall.map(({ name }) => name.split('.')[0]!)), 'uploads']
const roomOf = ({ name }: Request): string => (name.startsWith('/uploads') ? 'uploads' : name.split('.')[0]!)

/** Also a cut that nobody sent, and a finished video that waits for its officer's answer. */
type Theirs = Stage & { library: string; unsent: string; finished: string }
type Request = { name: string; who: string; writes: boolean; ask: () => Promise<string> }
type Condition = { name: string; text: string; condition: string; by: Request[] }

/** The conditions in each statement that these requests send. */
const inStatement = new Map<string, Set<string>>()

/** Every call as each person whom it admits: with own ids, and with other people's in every place for an id. */
const requests = (): Request[] => [
  ...everyCall.flatMap(({ name, shape }) =>
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
          // With every id of theirs at once, where it names more than one.
          ...(idsOfTheirs(samplesOf(theirs)[name]!()).length > 1
            ? [{ name: `${name} all`, who, writes: shape.method !== 'GET', ask: ask(() => samplesOf(theirs)[name]!()) }]
            : []),
        ]
      }),
  ),
  ...askers().flatMap(({ who, person }) =>
    (['HEAD', 'PATCH', 'DELETE'] as const).map((method) => ({
      name: `/uploads ${method}`,
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

const idsOfTheirs = (sample: Sample): string[] => {
  const known = JSON.stringify(theirs)
  return [...new Set(JSON.stringify(sample).match(uuid))].filter((id) => known.includes(id))
}

/** Their ids; in a person's place also the ids of a person without a company, and of one who came from theirs to ours. */
const foreignIds = (name: string, place: string): string[] => {
  const kind = kindOf(name, place)
  if (kind === 'connectionId') return [theirs.connection, theirs.account]
  // Of the calls that answer a post this one can be asked again.
  if (kind === 'postId') return [theirs.post, ...(name === 'publishing.confirmComment' ? crossed.posts : [])]
  const ids = idsFor(name, place, theirs)
  if (['assetId', 'assets', 'finalVideoId'].includes(kind)) return [theirs.unsent, ...ids]
  if (kind === 'projectId')
    return [...ids, theirs.finished, ...(name.startsWith('publishing.') ? [crossed.project] : [])]
  if (ids.includes(theirs.editor.id)) return [...ids, editorOfAll.id, moved.id]
  return ids.includes(theirs.officer.id) ? [...ids, moved.id] : ids
}

const askers = () => [
  ...(['officer', 'editor', 'qa', 'admin'] as const).map((who) => ({ who, person: () => ours[who], own: () => ours })),
  {
    who: 'colleague',
    person: () => colleague,
    own: (): Stage => ({ ...ours, tenantId: theirs.tenantId, officer: colleague }),
  },
]

/** Calls that need a fresh sign-in and take nobody's away, so that the stage can be asked again. */
const withFreshSignIn = /^\/(notifications\/|tenants\/|calendar\/$|api-keys\/$|subscriptions\/portal\/)/

const send = async (shape: CallShape, { params, query, body }: Sample, who: Person) => {
  const { token } = withFreshSignIn.test(shape.path) ? await confirmed(service, who) : who
  const response = await service.app.inject({
    method: shape.method,
    url: addressOf(shape, params, query),
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  return `${response.statusCode} ${response.body.replace(String(response.headers['x-request-id']), '')}`
}

/** The conditions of all statements that these requests send, each with the requests that send it. */
const conditionsOf = async (asked: Request[]) => {
  const found = new Map<string, Condition>()
  const sent = new Set<string>()
  const unread = new Set<string>()
  for (const request of asked) {
    heard.length = 0
    await request.ask()
    const person = askers()
      .find(({ who }) => who === request.who)!
      .person()
    for (const { text, values } of heard) {
      sent.add(text)
      for (const wall of unreadWallsIn(text)) unread.add(wall)
      request.writes ||= /^\s*(insert|update|delete)\b/i.test(text)
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
  expect([...unread], 'written in a way that this proof does not take out: teach it to onCaller').toEqual([])
  return { conditions: [...found.values()], sent: sent.size }
}

/** Walls whose condition this proof would pass over. Of cuts the wall is what was approved, and names nobody. */
const unreadWallsIn = (text: string): string[] =>
  [...text.matchAll(/\/\* wall \*\/ \(?/g)]
    .map(({ 0: mark, index }) => text.slice(index + mark.length))
    .filter((rest) => !rest.startsWith("verdict = 'approved'") && rest.search(onCaller) !== 0)
    .map((rest) => rest.slice(0, 80))

const onCaller = new RegExp(
  [
    /(?:coalesce\([\w., ]+\)|(?:\w+\.)?\w+) (?:=|is not distinct from) \$(\d+)(?:::\w+)?(?!\d)/,
    /(?:\w+\.)?\w+ = array\[\$(\d+)::uuid\]/,
    /(?:\w+\.)?\w+ = any\(\$(\d+)(?:::uuid\[\])?\)/,
    /(?:\w+\.)?\w+->'\w+' = jsonb_build_array\(\$(\d+)::uuid\)/,
    /staff_reach\([\w.]+\)/,
    /(?:\w+\.)?\w+ = (?:\(select )?(?:actor_id|actor_tenant|served_tenant)\(\)\)?/,
    /\(select serves_all\(\)\)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** The conditions of a statement on the caller's id or company, as a value or as a session setting. */
const conditionsIn = (text: string, values: unknown[], { id, tenantId }: Person): string[] => {
  if (!/^\s*(select|update|delete|insert|with)\b/i.test(text) || /select enter\(/.test(text)) return []
  return [...text.matchAll(onCaller)].flatMap(({ 0: condition, 1: one, 2: only, 3: oneOf, 4: alone, index }) => {
    const parameter = one ?? only ?? oneOf ?? alone
    const named = parameter === undefined ? [id] : [values[Number(parameter) - 1]].flat()
    if (!named.includes(id) && (tenantId === null || !named.includes(tenantId))) return []
    // What a statement sets is no condition.
    const clauses = [...text.slice(0, index).matchAll(/\b(set|where|on|having|filter|values)\b/gi)]
    const clause = clauses.at(-1)?.[1]?.toLowerCase()
    return clause === undefined || clause === 'set' || clause === 'values' ? [] : [condition]
  })
}

/**
 * The first request whose answer changes when the condition is missing; else the first that changes when the other conditions
 * of its statements are missing too, since one may cover another. Null when no answer changes.
 */
const whoNotices = async ({ text, condition, by }: Condition): Promise<string | null> => {
  const tried = severalOf(by)
  // Of reading statements only: a change without its conditions would leave nothing to read.
  const others = (of: string) => (of !== text && !writing.test(of) ? [...(inStatement.get(of) ?? [])] : [])
  const here = [...inStatement.get(text)!]
  const modes: { behind: string; asked: Request[]; left: readonly string[]; more?: typeof others }[] = [
    { behind: '', asked: tried, left: [] },
    // Another condition of the same statement may cover this one: it is taken out too.
    ...here.filter((one) => one !== condition).map((one) => ({ behind: `, behind ${one}`, asked: tried, left: [one] })),
    { behind: ', behind other statements', asked: [...tried, ...siblingsOf(tried)], left: [], more: others },
    {
      behind: ', behind all others',
      asked: [...tried, ...siblingsOf(tried)],
      left: here.filter((one) => one !== condition),
      more: others,
    },
  ]
  for (const { behind, asked, left, more = () => [] } of modes)
    for (const request of asked)
      if (
        await differ(
          request,
          (of) => (of === text ? left : more(of)),
          (of) => (of === text ? [...left, condition] : more(of)),
        )
      )
        return `${request.name} as ${request.who}${behind}`
  return null
}

const writing = /\b(insert into|delete from)\b|^\s*update\b/i

/** The other requests of these calls: they do not send the statement, while an earlier one refuses them. */
const siblingsOf = (tried: Request[]): Request[] => {
  const calls = new Set(tried.map(callOf))
  return severalOf(everyRequest.filter((one) => calls.has(callOf(one)) && !tried.includes(one)))
}
const callOf = ({ name }: Request): string => name.split(' ')[0]!

/** A few of each call and asker, and not too many: first one of each call, then the second ones. */
const severalOf = (by: Request[]): Request[] => {
  const count = new Map<string, number>()
  const next = (key: string): number => {
    count.set(key, (count.get(key) ?? 0) + 1)
    return count.get(key)!
  }
  return by
    .map((one) => ({ one, ofAsker: next(`${one.name} as ${one.who}`), ofCall: next(one.name) }))
    .filter(({ ofAsker }) => ofAsker <= 7)
    .sort((a, b) => a.ofCall - b.ofCall)
    .slice(0, 40)
    .map(({ one }) => one)
}

type Out = (text: string) => readonly string[]

/** Whether a request's answer, or a row of theirs, becomes another with `more` taken out than with `some`. */
const differ = async (request: Request, some: Out, more: Out): Promise<boolean> => {
  const ask = async (of: Out) => {
    await undo[callOf(request)]?.()
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
  for (const read of [(answer: string) => answer, withoutNews, namesOfTheirs])
    if (read(first.answer) === read(before.answer)) return read(after.answer) !== read(before.answer)
  return false
}

/** A call can run again from the same state: our officer has no payment customer yet. */
const withoutCustomer = () =>
  service.database.asSystem((tx) => tx.count(sql`delete from customer where user_id = ${ours.officer.id}`))
const undo: Record<string, () => Promise<unknown>> = {
  'subscriptions.charge': withoutCustomer,
  'subscriptions.portal': withoutCustomer,
  'publishing.confirmComment': () => askOfComments(service, crossed),
}

/** What makes something answers with a new id and moment each time. */
const withoutNews = (answer: string): string => {
  const ids = new Set(JSON.stringify([ours, theirs, colleague]).match(uuid))
  // People's addresses begin with an id as well, and stay.
  const newId = new RegExp(`${uuid.source}(?!@)`, 'g')
  return answer.replaceAll(newId, (id) => (ids.has(id) ? id : 'an id')).replaceAll(moment, 'a moment')
}

/** Their ids in an answer, by which a request that uses an object up is recognised. */
const namesOfTheirs = (answer: string): string => {
  const ids = new Set(JSON.stringify(theirs).match(uuid))
  return [...new Set(answer.match(uuid) ?? [])]
    .filter((id) => ids.has(id))
    .sort()
    .join()
}

/** Every row in which an id of theirs stands, as one number; where nothing was written since the last one, that one. */
const rowsOfTheirs = async (): Promise<string> => {
  const { rows: at } = await superuser.query<{ writes: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as writes',
  )
  const key = `${at[0]!.writes} ${theirs.tenantId}`
  if (key !== lastRows?.key) lastRows = { key, all: await readRowsOfTheirs() }
  return lastRows.all
}
let lastRows: { key: string; all: string } | undefined

const readRowsOfTheirs = async (): Promise<string> => {
  const ids = [...new Set(JSON.stringify(theirs).match(uuid))].join('|')
  const { rows } = await superuser.query<{ all: string }>(
    `select md5(string_agg(row, E'\\n' order by row)) as all from (${everyRow}) rows where row ~ $1`,
    [ids],
  )
  return rows[0]!.all
}
let superuser: pg.Client
let everyRow: string

let clearStages: string

const openAnew = async () => {
  await superuser.query(clearStages)
  await openOurs()
  editorOfAll = await makePerson(service, 'Editor')
  await openTheirs()
}

const openOurs = async () => {
  ours = await openStage(service)
  const zones = { officer: 'America/Denver', editor: 'America/Boise', qa: 'America/Chicago', admin: 'America/Phoenix' }
  for (const [who, zone] of Object.entries(zones) as [keyof typeof zones, string][])
    await service.database.asSystem((tx) =>
      tx.count(sql`update person set time_zone = ${zone} where id = ${ours[who].id}`),
    )
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into extra_project (user_id, request_id, price, currency, state)
      select ${ours.officer.id}, gen_random_uuid()::text, 100, 'usd', 'paid' from generate_series(1, 3)`),
  )
  await service.database.asSystem((tx) =>
    tx.count(sql`insert into customer (id, tenant_id) values (${randomUUID()}, ${ours.tenantId})`),
  )
  await prepareCrossing(service, ours, ours.admin)
}

const openTheirs = async () => {
  theirs = await furnished()
  colleague = await makePerson(service, 'User', { tenantId: theirs.tenantId })
  await makeVideo(service, colleague)
  moved = await makePerson(service, 'User', { tenantId: theirs.tenantId })
  await submitProject(service, moved)
  await service.database.asSystem((tx) =>
    tx.count(sql`update person set tenant_id = ${ours.tenantId} where id = ${moved.id}`),
  )
  // Written anew, everybody else's rows lie behind theirs: a query that takes any row takes one of theirs.
  const { tenantId } = theirs
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`update tenant set name = name where id <> ${tenantId}`)
    await tx.count(sql`update script_library set tenant_id = tenant_id where tenant_id is distinct from ${tenantId}`)
    await tx.count(sql`update person set name = name where tenant_id is distinct from ${tenantId}`)
  })
  crossed = await crossRows(service, superuser, { ours, theirs, colleague, moved })
}

/** A stage whose people also have ways to sign in, choices, purchases and notifications. */
const furnished = async (): Promise<Theirs> => {
  const stage = await openStage(service)
  for (const { id } of [stage.officer, stage.editor, stage.qa, stage.admin])
    await service.database.asSystem(async (tx) => {
      const bytes = randomBytes(32)
      const family = (await tx.first(sql<{ id: string }>`
        insert into session_family (person_id, ends_at) values (${id}, now() + interval '1 day') returning id`))!.id
      await tx.count(sql`insert into refresh_token (hash, family_id) values (${bytes}, ${family})`)
      await tx.count(sql`insert into recovery_code (person_id, hash) values (${id}, ${bytes})`)
      await tx.count(sql`insert into calendar_link (person_id, secret_hash) values (${id}, ${randomBytes(32)})`)
      await tx.count(sql`
        insert into push_device (person_id, family_id, endpoint, p256dh, auth, name)
        values (${id}, ${family}, ${`https://push.example.com/${randomUUID()}`}, 'x', 'x', 'A phone')`)
      await tx.count(sql`
        insert into one_time_token (hash, purpose, person_id, ends_at, session_ends_at)
        values (${randomBytes(32)}, 'hand-over', ${id}, now() + interval '1 hour', now() + interval '1 minute')`)
      await tx.count(sql`
        insert into notification_quiet (user_id, from_time, until_time) values (${id}, '20:00', '08:00')`)
      await tx.count(sql`
        insert into notification_choice (user_id, kind, email, push) values (${id}, 'news', 'never', false)`)
      await tx.count(sql`
        insert into data_export (person_id, security_stamp) select id, security_stamp from person where id = ${id}`)
      await tx.count(sql`update person set fcm_token = ${`phone ${id}`} where id = ${id}`)
      await tx.count(sql`
        insert into connected_account (issuer, subject, person_id, provider, email)
        values ('https://issuer.test', ${id}, ${id}, 'google', 'theirs@example.test')`)
      await tx.count(sql`
        insert into passkey (person_id, credential, public_key, counter, transports, name)
        values (${id}, ${id}, ${bytes}, 0, '{}', 'A key')`)
      await tx.count(sql`
        insert into charge (id, user_id, created_at, paid, receipt_url, status, price, currency, payment_type, reading)
        values (${randomUUID()}, ${id}, now(), true, '', 'succeeded', 100, 'usd', 'card', 1)`)
      await tx.count(sql`
        insert into extra_project (user_id, request_id, price, currency, state, used_month)
        values (${id}, ${randomUUID()}, 100, 'usd', 'paid', to_char(now(), 'YYYY-MM'))`)
    })
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update tenant set name = 'Theirs', use_own_scripts = true, allowed_products = array[${randomUUID()}] where id = ${stage.tenantId}`),
  )
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update subscription set provider_id = ${randomUUID()}, item_id = 'item', paused_from = now() + interval '1 year',
        start_date = start_date + interval '1 minute' where tenant_id = ${stage.tenantId}`),
  )
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into project_cut (project_id, number, user_id, tenant_id, asset_id, editor_id, sent_at, verdict)
      values (${stage.begun.id}, 1, ${stage.officer.id}, ${stage.tenantId}, ${stage.cut}, ${stage.editor.id}, now(), 'approved')`),
  )
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into asset_face (whose, field, asset_id) values (${stage.officer.id}, 'photoUrl', ${stage.asset})`),
  )
  const library = await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`select id from script_library where tenant_id = ${stage.tenantId}`),
  )
  const removed = await makePerson(service, 'User', { tenantId: stage.tenantId })
  const unsent = await makeVideo(service, stage.editor, stage.begun)
  const { id: finished } = await submitProject(service, stage.officer)
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`
      insert into removal (number, person_id, tenant_id, by_role, removed_at, finished_at, erased, stays)
      values (${randomUUID()}, ${removed.id}, ${stage.tenantId}, 'ADMIN', now(), now(), '[]', '[]')`)
    await tx.count(sql`
      update project set status = ${Status.completed}, queue_position = null, approved_video_id = ${stage.cut}, final_video_id = ${stage.cut}
      where id = ${finished}`)
    await tx.count(sql`
      insert into render (project_id, tenant_id, revision, recipe, state, asked_by, asset_id, outcomes)
      values (${stage.begun.id}, ${stage.tenantId}, 1, ${JSON.stringify(stage.recipe)}, 'done', ${stage.editor.id}, ${stage.cut},
        '{"silence": {"kept": 7, "undone": 3, "added": 2}}')`)
    await tx.count(sql`
      insert into project_event (project_id, seq, user_id, tenant_id, verb, to_status, title, description, metadata, actor_id,
        actor_role, actor_serves_all, at)
      values (${stage.begun.id}, 50, ${stage.officer.id}, ${stage.tenantId}, 'approve', 2, '', '', '{}', ${stage.qa.id}, 'QA', false, now())`)
    await tx.count(sql`
      insert into post (project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, title, words, due_at, state)
      values (${finished}, ${stage.tenantId}, ${stage.officer.id}, ${stage.connection}, 'youtube', ${stage.cut}, 'x', 'Rates',
        'Words', now() + interval '1 day', 'scheduled')`)
    await tx.count(sql`
      insert into connection_walk (state_hash, user_id, network, verifier, ends_at)
      values (${createHash('sha256').update('nothing').digest()}, ${stage.officer.id}, 'youtube', 'x', now() + interval '1 hour')
      on conflict (state_hash) do update set user_id = excluded.user_id`)
  })
  return { ...stage, library: library!.id, unsent, finished }
}
