import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { everyCall } from '@clear-to-post/contract/api'
import type { CallShape } from '@clear-to-post/contract/call'
import { addressOf } from '@clear-to-post/contract/client'
import { prompts } from '@clear-to-post/contract/prompts'
import { mayEver } from '@clear-to-post/domain/access'
import { openStage, samplesOf, type Sample, type Stage } from './samples.ts'
import { callAs, makePerson, makeVideo, type Person, type Service } from './service.ts'
import { restoreConditions, walls } from './walls.ts'

/**
 * Everywhere in the contract where an id may stand, somebody else's id is put, in a request that is otherwise right: the
 * answer must be the one for an id that nobody has, to its headers.
 */
describe.each(Object.entries(walls))('%s', (_which, open) => {
  let service: Service
  let theirs: Stage
  let people: { who: string; person: Person; own: Stage }[]
  let reachesAll: (typeof people)[number]
  /** A category and a script of the library that everybody reads and the service alone writes. */
  let ofTheService: string[]

  beforeAll(async () => {
    service = await open()
    theirs = await openStage(service)
    const own = await openStage(service)
    reachesAll = { who: 'admin of all', person: await makePerson(service, 'ADMIN'), own }
    const asAdmin = callAs(service, reachesAll.person)
    const category = await asAdmin(prompts.saveCategory, { body: { title: 'Everybody’s', backgroundColor: '#aabbcc' } })
    const script = { title: 'Everybody’s', content: 'Words', categoryId: category.id }
    ofTheService = [category.id, (await asAdmin(prompts.newScript, { body: script })).id]
    const { tenantId } = theirs
    // A colleague of their officer's, with things of his own.
    const colleague = await makePerson(service, 'User', { tenantId })
    const ofColleague: Stage = { ...own, tenantId, officer: colleague, unused: await makeVideo(service, colleague) }
    people = [
      ...(['officer', 'editor', 'qa', 'admin'] as const).map((who) => ({ who, person: own[who], own })),
      { who: 'colleague', person: colleague, own: ofColleague },
    ]
  })
  afterAll(async () => {
    await service.close()
    restoreConditions()
  })

  it('an id of another tenant’s is as good as none, wherever it stands', async () => {
    const before = await rowsNaming(service, theirs)
    const unlike: string[] = []
    for (const { name, shape, place } of places)
      for (const { who, person, own } of people.filter(({ person }) => admits(shape, person)))
        for (const id of [...idsFor(name, place, theirs), ...(name.startsWith('prompts.') ? ofTheService : [])]) {
          if (who === 'colleague' && id === theirs.tenantId) continue
          const sample = samplesOf(own)[name]!()
          const [foreign, absent] = [
            await ask(shape, sample, place, id, person),
            await askAbsent(shape, sample, place, person),
          ]
          if (foreign !== absent) unlike.push(`${name} ${place} as ${who}:\n  ${foreign}\n  ${absent}`)
        }
    expect(unlike).toEqual([])
    expect(await rowsNaming(service, theirs)).toEqual(before)
  }, 300_000)

  it('an own id is another matter: this test can see', async () => {
    const blind: string[] = []
    // What takes things away, and what ends sessions, comes last.
    for (const { name, shape, place } of places.toSorted((a, b) => harm(a) - harm(b))) {
      let differs = false
      for (const { person, own } of [...people, reachesAll].filter(({ person }) => admits(shape, person)))
        for (const id of differs ? [] : idsFor(name, place, own)) {
          const sample = samplesOf(own)[name]!()
          const absent = await askAbsent(shape, sample, place, person)
          differs ||= (await ask(shape, sample, place, id, person)) !== absent
        }
      // Where the name tells nothing, a stage may hold no such thing.
      if (!differs && kindOf(name, place) in kindsIn(theirs)) blind.push(`${name} ${place}`)
    }
    expect(blind).toEqual([])
  }, 300_000)

  const ask = async (shape: CallShape, sample: Sample, place: string, id: string, who: Person) => {
    const { params, query, body } = withId(sample, place, id)
    const response = await service.app.inject({
      method: shape.method,
      url: addressOf(shape, params, query),
      headers: { authorization: `Bearer ${who.token}` },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const { 'x-request-id': requestId, date: _date, ...headers } = response.headers
    // Of a thing that was made, its own id and moment.
    const text = response.body.replace(String(requestId), '').replaceAll(id, 'the id')
    const told = response.statusCode < 400 ? text.replace(uuid, 'an id').replace(moment, 'a moment') : text
    return `${response.statusCode} ${told} ${JSON.stringify(headers)}`
  }
  const askAbsent = (shape: CallShape, sample: Sample, place: string, who: Person) =>
    ask(shape, sample, place, randomUUID(), who)
})

const admits = ({ access }: CallShape, { role }: Person) =>
  access !== 'anyone' && (access === 'signed-in' || mayEver(role, access))

const harm = ({ name, shape }: (typeof places)[number]) =>
  (name.startsWith('accounts.') ? 2 : 0) + (shape.method === 'DELETE' ? 1 : 0)

/** Where ids may stand in a schema, as dotted paths; `*` is any place of a list. */
const idsIn = (schema: JsonSchema, path: string): string[] => [
  ...(schema.format === 'uuid' ? [path] : []),
  ...(schema.anyOf ?? []).flatMap((one) => idsIn(one, path)),
  ...Object.entries(schema.properties ?? {}).flatMap(([key, one]) => idsIn(one, `${path}.${key}`)),
  ...(schema.items ? idsIn(schema.items, `${path}.*`) : []),
]
type JsonSchema = {
  format?: string
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
}

const placesOf = (shape: CallShape): string[] => [
  ...(['params', 'query', 'body'] as const).flatMap((part) =>
    shape[part] ? idsIn(z.toJSONSchema(shape[part], { io: 'input', unrepresentable: 'any' }) as JsonSchema, part) : [],
  ),
  ...Object.entries(shape.page?.filters ?? {}).flatMap(([field, kind]) => (kind === 'uuid' ? [`wheres.${field}`] : [])),
]

const places = everyCall.flatMap(({ name, shape }) =>
  [...new Set(placesOf(shape))].map((place) => ({ name, shape, place })),
)

/** The ids of a stage that somebody might put there; every one of them where the place's name tells nothing. */
const idsFor = (name: string, place: string, stage: Stage): string[] =>
  kindsIn(stage)[kindOf(name, place)] ?? Object.values(kindsIn(stage)).flat()

// A plain `id` is one of the call's own room.
const kindOf = (name: string, place: string): string => {
  const field = place.replace(/\.\*$/, '').split('.').at(-1)!
  return field === 'id' ? name.split('.')[0]! : field
}

const kindsIn = ({ officer, editor, qa, admin, ...stage }: Stage): Record<string, string[]> => {
  const people = [officer.id, editor.id, qa.id, admin.id]
  const files = [stage.asset, stage.unused, stage.cut]
  return {
    projectId: [stage.project.id, stage.begun.id],
    userId: people,
    userIds: people,
    editorId: people,
    assetId: files,
    assets: files,
    finalVideoId: files,
    tenantId: [stage.tenantId],
    tenantIds: [stage.tenantId],
    categoryId: [stage.category],
    notes: [stage.note],
    prompts: [stage.script, stage.libraryScript, stage.category],
    notifications: [stage.triggerId, stage.notification],
  }
}

/** The same request with `id` at this place, which is made where there was none. */
const withId = (
  sample: Sample,
  place: string,
  id: string,
): { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown } => {
  const [part, ...path] = place.split('.') as [string, ...string[]]
  const copy = structuredClone({ params: sample.params, query: sample.query, body: sample.body })
  if (part === 'wheres') return { ...copy, query: { ...copy.query, wheres: `${path[0]}:eq:${id}` } }
  return { ...copy, [part]: put(copy[part as 'body'], path, id) }
}
const put = (value: unknown, [key, ...rest]: string[], id: string): unknown => {
  if (key === undefined) return id
  if (key === '*') return [put(undefined, rest, id)]
  const of = (value ?? {}) as Record<string, unknown>
  return { ...of, [key]: put(of[key], rest, id) }
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const moment = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** Every row of the database in which an id of a stage stands, as text. */
const rowsNaming = async ({ urls }: Service, stage: Stage): Promise<string[]> => {
  const ids = JSON.stringify(stage).match(uuid)!
  const superuser = new pg.Client({ connectionString: urls.superuserUrl })
  await superuser.connect()
  const tables = await superuser.query(`select tablename from pg_tables where schemaname = 'public' order by 1`)
  const rows: string[] = []
  for (const { tablename } of tables.rows) {
    const found = await superuser.query({
      text: `select row_to_json(t)::text as row from ${tablename} t where row_to_json(t)::text ~ $1 order by 1`,
      values: [[...new Set(ids)].join('|')],
    })
    rows.push(...found.rows.map(({ row }) => `${tablename} ${row}`))
  }
  await superuser.end()
  return rows
}
