import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { liveEvents, type LiveEvents } from '@clear-to-post/contract/live'
import { tellPrompter } from '../src/assets/store.ts'
import { sql } from '../src/kernel/database.ts'
import { openStage } from './stage.ts'
import { openService, type Service } from './service.ts'

/** The live events that the database tells are those that contract/src/live.ts declares. */
let service: Service
let client: pg.Client
type Told = { type: string; userId?: string; tenantId?: string | null } & Record<string, unknown>

beforeAll(async () => {
  service = await openService()
  client = new pg.Client({ connectionString: service.urls.superuserUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await service.close()
})

/** Ends the streams of the named person; no stream sends it. */
const ofTheServerAlone = 'account'
/** Whom an event concerns, and its name: read by the server, and not sent. */
const addressee = ['type', 'userId', 'tenantId']

it('every live event that the schema’s functions send is declared with its fields, and no other is declared', async () => {
  const { rows } = await client.query<{ source: string }>(
    `select prosrc as source from pg_proc where prosrc ~ 'insert into news' order by proname`,
  )
  const sent = new Map<string, Set<string>>()
  for (const { source } of rows)
    for (const [, pairs] of source.matchAll(/json_build_object\(([^)]*)\)/g)) {
      const fields = pairs!.split(',').map((part) => part.trim())
      const names = fields.filter((_, index) => index % 2 === 0).map((name) => name.slice(1, -1))
      const type = fields[names.indexOf('type') * 2 + 1]!.slice(1, -1)
      sent.set(type, new Set([...(sent.get(type) ?? []), ...names.filter((name) => !addressee.includes(name))]))
    }
  expect(sent.size).toBeGreaterThan(5)
  expect(sent.delete(ofTheServerAlone)).toBe(true)
  const byTheServer = ['live.ts', 'live-audience.ts'].flatMap((name) =>
    [...readFileSync(join(import.meta.dirname, '../src/http', name), 'utf8').matchAll(/\.send\('(\w+)'/g)].map(
      ([, event]) => [event!, new Set<string>()] as const,
    ),
  )
  const fieldsOf = (all: Iterable<readonly [string, Iterable<string>]>) =>
    Object.fromEntries([...all].map(([name, fields]) => [name, [...fields].sort()]))
  // Hints about lists, from server/src/http/live-audience.ts.
  const hints = [['projects', ['isMore', 'projectIds']]] as const
  expect(fieldsOf([...sent, ...byTheServer, ...hints])).toEqual(
    fieldsOf(Object.entries(liveEvents).map(([name, { shape }]) => [name, Object.keys(shape)])),
  )
})

it('every live event that is sent parses as its declaration', async () => {
  const stage = await openStage(service)
  await service.database.asSystem(async (tx) => {
    const work = sql`stage = 'copying', progress = 0.5`
    await tx.count(sql`update asset set ${work} where id = ${stage.unused}`)
    await tx.count(sql`update edit set ${work} where project_id = ${stage.begun.id}`)
    await tx.count(sql`update render set ${work}, seconds_left = 3 where id = ${stage.render}`)
    await tx.count(sql`update notification set opened_at = now() where id = ${stage.notification}`)
    await tellPrompter(tx, stage.qa.id, { from: 'words', press: 'hello' })
    await tx.count(sql`update person set security_stamp = security_stamp + 1 where id = ${stage.qa.id}`)
  })
  const heard = (await client.query<{ told: Told }>('select told from news order by id')).rows.map(({ told }) => told)
  expect([...new Set(heard.map(({ type }) => type))].sort()).toEqual([
    ofTheServerAlone,
    'asset',
    'edit',
    'notification',
    'project',
    'prompter',
    'render',
    'support',
  ])
  const wrong = heard
    .filter(({ type }) => type !== ofTheServerAlone)
    .flatMap((told) => {
      const data = Object.fromEntries(Object.entries(told).filter(([field]) => !addressee.includes(field)))
      const read = liveEvents[told.type as keyof LiveEvents].strict().safeParse(data)
      return read.success ? [] : [`${JSON.stringify(told)}: ${read.error.message}`]
    })
  expect(wrong).toEqual([])
})
