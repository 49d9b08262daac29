// @module-tag long
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { everyCall } from '@clear-to-post/contract/api'
import { accounts } from '@clear-to-post/contract/accounts'
import type { CallShape } from '@clear-to-post/contract/call'
import { addressOf } from '@clear-to-post/contract/client'
import { edits } from '@clear-to-post/contract/edits'
import { identity } from '@clear-to-post/contract/identity'
import { projects } from '@clear-to-post/contract/projects'
import { mayEver, type Permission } from '@clear-to-post/domain/access'
import { Recipe } from '@clear-to-post/edit/read-recipe'
import { sql } from '../src/kernel/database.ts'
import { startWorker } from '../src/main/worker.ts'
import { samplesOf, type Sample } from './samples.ts'
import { confirmedLately, headersOf, makeVideo, openService, type Person, type Service } from './service.ts'
import { openStage, type Stage } from './stage.ts'

/**
 * One thread answers everybody: no request may keep it for long, however long its texts and lists are, and whatever they say.
 * Every text of every call is sent as long as the call takes it, in words that make careless searches slow; every list as full.
 * The worker runs beside it, as on one machine: what a call leads to counts as well.
 */
let service: Service
let stage: Stage
let samples: Record<string, () => Sample>
let worker: Awaited<ReturnType<typeof startWorker>>
/** How long the thread was kept at once, since it was last set back. */
const kept = monitorEventLoopDelay({ resolution: 1 })
let slowest = { what: 'nothing', ms: 0 }
let asked = 0

beforeAll(async () => {
  service = await openService({ LOG_LEVEL: 'silent' })
  stage = await openStage(service)
  samples = samplesOf(stage)
  worker = await startWorker({ config: service.config, appUrl: service.urls.appUrl, log: service.app.log })
  kept.enable()
})
afterAll(async () => {
  console.log(`${asked} requests; the longest kept the thread for ${Math.round(slowest.ms)} ms: ${slowest.what}`)
  kept.disable()
  await worker.close()
  await service.close()
})

/** What texts are filled with: what looks like the beginning of a word, an address, a tag, a time, a rule, or of nothing. */
const fillers = [
  // Signs of markup, addresses, times and commands.
  ['a', ' ', '.', '\n', '-', '(', '"', '<', '@', '0', '\\', '{', "'", '_', '\t', ',', '&', '%', '[', '*', '#'],
  // Letters that take more than one place, turn around, or grow when they are written small.
  ['a\u0301', '\u{1f468}\u200d', '\u202e', '\u00a0', '\u0130', '\ufdfa'],
  ['a ', 'a.', 'a@', 'a-', ' \n', '\r\n', '. ', 'ab\n\n', 'http://a.', '00:', '{a}', '<a ', '](', '1,', 'é1', 'aA'],
].flat()

/** Letters of a text whose length its call does not bound: more than any call takes. */
const most = 1_000_000
/** The longest that one request may keep the thread at once, in ms: ten times what the slowest do. */
const longest = 1000

type Json = {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Json[]
  oneOf?: Json[]
  allOf?: Json[]
  properties?: Record<string, Json>
  required?: string[]
  items?: Json
  minItems?: number
  maxItems?: number
  maxLength?: number
  minimum?: number
  format?: string
}
type Step = string | number
/** A text or list within what a call takes, and the schemas on the way there. */
type Place = { path: Step[]; schemas: Json[]; schema: Json }

// By itself: it takes the longest text of all.
it('edits.make keeps nobody waiting', () => askEverything('edits.make', edits.make), 600_000)
it.each(everyCall.filter(({ shape }) => shape !== edits.make).map(({ name, shape }) => [name, shape] as const))(
  '%s keeps nobody waiting',
  (name, shape) => askEverything(name, shape),
  600_000,
)

const askEverything = async (name: string, shape: CallShape) => {
  const { access } = shape
  const asking = [stage.officer, stage.editor, stage.qa, stage.admin].find(
    ({ role }) => access === 'anyone' || access === 'signed-in' || mayEver(role, access as Permission),
  )!
  const who = await confirmedLately(service, asking)
  const late: string[] = []
  /** Places where nothing was read, as too much had come. */
  const unread = new Map<string, boolean>()
  let between = 0
  kept.reset()
  for (const { place, what, sample } of everyLargeSample(shape, samples[name]!())) {
    between = Math.max(between, kept.max / 1e6)
    Object.assign(sample.body ?? {}, await fresh(shape, who))
    const ask = () => turnOf(shape, sample, who)
    let { ms, status } = await ask()
    asked++
    unread.set(place, status === 429 && unread.get(place) !== false)
    // Asked again: only what is slow each time is slow by itself.
    for (let again = 0; ms > longest && again < 2; again++) ms = Math.min(ms, (await ask()).ms)
    if (ms > slowest.ms) slowest = { what: `${name} ${what}`, ms }
    if (ms <= longest) continue
    late.push(`${what}: ${Math.round(ms)} ms, ${status}`)
    break
  }
  await untilIdle()
  between = Math.max(between, kept.max / 1e6)
  if (between > longest) late.push(`what came of it: ${Math.round(between)} ms`)
  expect({ late, unread: [...unread].filter(([, nothing]) => nothing) }).toEqual({ late: [], unread: [] })
}

/** What each request of a call needs anew, so that it is not refused for what was sent before. */
const fresh = async (shape: CallShape, who: Person): Promise<object> => {
  if (shape === projects.create) return { assets: [await makeVideo(service, who)] }
  if (shape !== edits.save) return {}
  return (await service.database.asSystem((tx) =>
    tx.first(sql<{ revision: number }>`select revision from edit where project_id = ${stage.begun.id}`),
  ))!
}

/** Sends a request and answers for how long at most it kept the thread, in ms. */
const turnOf = async (shape: CallShape, { params, query, body }: Sample, who: Person) => {
  // Tries of a password are counted; here each is the first.
  if (triesAreCounted.has(shape)) await service.database.asSystem((tx) => tx.count(sql`delete from sign_in_try`))
  kept.reset()
  const { statusCode } = await service.app.inject({
    method: shape.method,
    url: addressOf(shape, params, query),
    remoteAddress: nextAddress(),
    headers: { ...headersOf(who), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  await sleep(2)
  return { ms: kept.max / 1e6, status: statusCode }
}
const triesAreCounted = new Set<CallShape>([accounts.login, accounts.setup, identity.password, identity.confirm])

/** Each request comes from a network of its own. */
const nextAddress = () => `${11 + ((networks >> 8) % 100)}.${networks++ & 255}.1.1`
let networks = 0

/** Waits until no job is left that could run now. */
const untilIdle = async () => {
  for (let waited = 0; waited < 30_000; waited += 50) {
    const { open } = (await service.database.asSystem((tx) =>
      tx.first(sql<{ open: number }>`
        select count(*)::int as open from pgboss.job
        where state = 'active' or (state in ('created', 'retry') and start_after <= now())`),
    ))!
    if (open === 0) return
    await sleep(50)
  }
}

type Large = { place: string; what: string; sample: Sample }

function* everyLargeSample(shape: CallShape, sample: Sample): Generator<Large> {
  for (const part of ['query', 'body'] as const) {
    if (!shape[part]) continue
    const json = jsonOf(shape[part])
    // An edit comes as any object, and is read by a schema of its own.
    if (shape === edits.save && part === 'body') json.properties!.recipe = jsonOf(Recipe)
    const given = sample[part] ?? exampleOf(json)
    const room = part === 'query' ? 15_000 : most
    for (const place of placesOf(json)) {
      const path = `${part} ${place.path.join('.')}`
      for (const { word, value } of place.schema.type === 'array' ? listsOf(place, given, room) : textsOf(place, room))
        yield { place: path, what: `${path} ${word}`, sample: { ...sample, [part]: withValue(given, place, value) } }
    }
  }
  for (const field of Object.keys(shape.page?.filters ?? {}))
    for (const operation of ['eq', 'in'])
      for (const filler of fillers)
        yield {
          place: `wheres ${field}`,
          what: `wheres ${field}:${operation} ${JSON.stringify(filler)}`,
          sample: { ...sample, query: { wheres: `${field}:${operation}:${textOf(filler, 1000)}` } },
        }
}

const jsonOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json

/** A run of these, and then another sign: careless searches for the end of a run begin anew at each of its signs. */
const textOf = (filler: string, length: number) => {
  const run = filler.repeat(Math.ceil(length / filler.length)).slice(0, length - 1)
  return `${run.toWellFormed()}!`
}

const textsOf = ({ schema }: Place, room: number) =>
  fillers.flatMap((filler) => {
    const lengths = schema.maxLength === undefined ? [60, 1000, room] : [Math.min(schema.maxLength, room), room]
    return [...new Set(lengths)].map((length) => ({
      word: `${length} × ${JSON.stringify(filler)}`,
      value: textOf(filler, length),
    }))
  })

const listsOf = ({ path, schema }: Place, given: unknown, room: number) => {
  const there = path.reduce<unknown>((value, step) => (value as Record<Step, unknown> | undefined)?.[step], given)
  const item = (Array.isArray(there) ? there[0] : undefined) ?? exampleOf(schema.items ?? {})
  const each = JSON.stringify(item).length + 1
  const count = Math.min(schema.maxItems ?? Infinity, Math.floor(room / each))
  return [
    { word: `${count} alike`, value: Array.from({ length: count }, () => item) },
    { word: `${count} that differ`, value: Array.from({ length: count }, (_, n) => varied(item, n)) },
  ]
}

/** The same with other ids and numbers. */
const varied = (value: unknown, n: number): unknown => {
  if (typeof value === 'number') return value + n
  if (typeof value === 'string')
    return /^[\da-f-]{36}$/.test(value) ? value.slice(0, -8) + n.toString(16).padStart(8, '0') : `${value}${n}`
  if (Array.isArray(value)) return value.map((one) => varied(one, n))
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, varied(one, n)]))
  return value
}

const placesOf = (schema: Json, path: Step[] = [], schemas: Json[] = []): Place[] => {
  const within = [...schemas, schema]
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  // A choice that is taken stands for the schema at its place.
  if (choices) return choices.flatMap((one) => placesOf(one, path, schemas))
  if (path.length > 12) return []
  switch (schema.type) {
    case 'object':
      return Object.entries(schema.properties ?? {}).flatMap(([key, one]) => placesOf(one, [...path, key], within))
    case 'array':
      return [{ path, schemas, schema }, ...placesOf(schema.items ?? {}, [...path, 0], within)]
    case 'string':
      return schema.enum || schema.const !== undefined ? [] : [{ path, schemas, schema }]
    default:
      return []
  }
}

/** A copy with this value at its place; what is missing on the way there is made as its schema wants it. */
const withValue = (given: unknown, { path, schemas }: Place, value: unknown): unknown => {
  if (path.length === 0) return value
  const root = structuredClone(given) as Record<Step, unknown>
  let at = root
  path.slice(0, -1).forEach((step, depth) => {
    const wanted = schemas[depth + 1]!
    const there = at[step]
    const fits =
      typeof there === 'object' &&
      there !== null &&
      Array.isArray(there) === (wanted.type === 'array') &&
      isOf(wanted, there)
    if (!fits) at[step] = exampleOf(wanted)
    at = at[step] as Record<Step, unknown>
  })
  at[path.at(-1)!] = value
  return root
}

/** Whether an object is of the kind that a choice says, by what the choice fixes. */
const isOf = (schema: Json, value: object): boolean =>
  Object.entries(schema.properties ?? {}).every(
    ([key, { const: fixed }]) => fixed === undefined || (value as Record<string, unknown>)[key] === fixed,
  )

const exampleOf = (schema: Json): unknown => {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choice = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0]
  if (choice) return exampleOf(choice)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((key) => [key, exampleOf(schema.properties?.[key] ?? {})]))
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => exampleOf(schema.items ?? {}))
    case 'string':
      if (schema.format === 'uuid') return '00000000-0000-4000-8000-000000000000'
      if (schema.format === 'date-time') return '2026-11-29T00:00:00Z'
      return 'a'
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return true
    default:
      return null
  }
}
