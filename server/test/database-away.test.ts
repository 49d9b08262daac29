import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { documents } from '../src/http/site.ts'
import { openReader, sql } from '../src/kernel/database.ts'
import { patienceOfPeople } from '../src/kernel/pool.ts'
import { evaluate } from '../src/main/condition-outcomes.ts'
import { openFaultLine, type FaultLine } from './fault-line.ts'
import { makePerson, openService, type Person, type Service } from './service.ts'

/** As in the product, but for the times. */
const patience = { ...patienceOfPeople, connectMs: 3000, enterMs: 3000, mostWaiting: 30 }
let service: Service
let origin: string
let admin: Person
let line: FaultLine
beforeAll(async () => {
  const webRoot = await makeWeb()
  const connectThrough = async ({ appUrl }: { appUrl: string }) => {
    const url = new URL(appUrl)
    line = await openFaultLine({ port: Number(url.port), host: url.hostname })
    url.host = `127.0.0.1:${line.port}`
    return url.href
  }
  service = await openService({}, connectThrough, { webRoot, patience })
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
  admin = await makePerson(service, 'ADMIN')
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into product (id, name, descriptions, metadata)
      values ('known', 'Known plan', '{"description":"","subtitle":""}', '{"position":1}')`),
  )
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into plan (id, product_id, currency, price, interval, metadata) values ('known', 'known', 'usd', 100, 'month',
        '{"projectsPerMonth":1,"revisionsPerProject":1,"turnaroundHours":24,"rank":1}')`),
  )
})
afterEach(() => line.heal())
afterAll(() => service.close())

describe.each(['hangs', 'is killed'] as const)('while the database %s', (how) => {
  it('public pages and assets are served from the last good copy, and become current again afterwards', async () => {
    expect(await textOf('/')).toContain('1 plans')
    line.fail(how)
    // The first request notices it. Later ones do not wait for the next attempt to reach the database.
    expect(await textOf('/')).toContain('1 plans')
    for (let n = 0; n < 20; n++) expect(await textOf('/')).toContain('1 plans')
    for (const path of [
      '/login',
      '/login?mode=reset',
      '/panel/projects',
      '/assets/app.js',
      '/robots.txt',
      '/health/live',
    ])
      expect([path, (await fetch(origin + path)).status]).toEqual([path, 200])
    line.heal()
    await service.database.asSystem((tx) => tx.count(sql`update product set name = 'Fresh plan' where id = 'known'`))
    await expect.poll(() => textOf('/')).toContain('Fresh plan')
    await service.database.asSystem((tx) => tx.count(sql`update product set name = 'Known plan' where id = 'known'`))
    await expect.poll(() => textOf('/')).toContain('Known plan')
  })

  it(
    'calls are refused with 503 and Retry-After, however many come, and are answered again afterwards',
    how === 'hangs' ? { tags: 'long' } : {},
    async () => {
      expect((await projectsList()).status).toBe(200)
      line.fail(how)
      const answers = await Promise.all(Array.from({ length: 120 }, projectsList))
      for (const answer of answers) {
        expect(answer.status).toBe(503)
        expect(answer.headers.get('retry-after')).toBe('2')
        expect(await answer.json()).toMatchObject({ code: 'service.unavailable', kind: 'unavailable' })
      }
      const signIn = await fetch(`${origin}/identity/sign-in/password`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'somebody@test.test', password: 'something-long' }),
      })
      expect([signIn.status, (await signIn.json()).message]).toEqual([
        503,
        'The service is catching its breath. Nothing was lost; try again in a few seconds.',
      ])
      line.heal()
      await expect.poll(async () => (await projectsList()).status).toBe(200)
    },
  )
})

it('a database that is slow is no clock that is wrong, and no job that was given up', { tags: 'long' }, async () => {
  const database = openReader(service.urls.appUrl)
  onTestFinished(database.close)
  const states = async () =>
    new Map(
      (await evaluate({ config: service.config, now: new Date(), database })).map((one) => [
        one.condition.name,
        one.state,
      ]),
    )
  expect((await states()).get('clock')).toBe('met')
  line.fail({ slowMs: 1500 })
  const slow = await states()
  expect(['database', 'given-up', 'clock'].map((name) => slow.get(name))).toEqual(['met', 'unknown', 'unknown'])
})

it('requests beyond the limit of waiting ones are refused at once', async () => {
  // All twenty connections are open.
  await Promise.all(
    Array.from({ length: 20 }, () => service.database.asSystem((tx) => tx.rows(sql`select pg_sleep(1)`))),
  )
  line.fail('hangs')
  const refused = { atOnce: 0, later: 0 }
  const ask = () =>
    service.database
      .asSystem((tx) => tx.rows(sql`select`))
      .catch((error: Error) => {
        if (/too many wait/.test(error.message)) refused.atOnce++
        else refused.later++
      })
  await Promise.all(Array.from({ length: 100 }, ask))
  // Twenty connections, and thirty requests that wait for one.
  expect(refused).toEqual({ atOnce: 50, later: 50 })
})

it('the page of the service’s state is the same for all who ask within a minute', async () => {
  expect(await textOf('/status')).toMatch(/T\d\d:\d\d:00\.000Z$/)
})

const projectsList = () =>
  fetch(`${origin}/api/projects/list/`, { headers: { authorization: `Bearer ${admin.token}` } })

const textOf = async (path: string) => (await fetch(origin + path)).text()

/** A small built web app, with the slots that the server fills. */
const makeWeb = async () => {
  const root = await mkdtemp(join(tmpdir(), 'clear-to-post-web-'))
  await mkdir(join(root, '.server'))
  await mkdir(join(root, 'assets'))
  const page = '<!doctype html><title>A page</title>{{head}}{{plans}}{{ways}}{{status}}'
  for (const name of ['home', 'login', ...documents, 'status', 'not-found', 'error', 'index'])
    await writeFile(join(root, `${name}.html`), page)
  await writeFile(join(root, 'assets/app.js'), '')
  await writeFile(
    join(root, '.server/render-live.js'),
    `export const renderPlans = (products) => products.length + ' plans ' + JSON.stringify(products)
     export const renderWays = () => ''
     export const renderHead = () => ''
     export const renderStatus = (states, at) => at.toISOString()
     export const renderPrivacy = () => ''`,
  )
  await writeFile(join(root, 'package.json'), '{"type":"module"}')
  return root
}
