import { afterAll, beforeAll, expect, it } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import { addressOf } from '@clear-to-post/contract/client'
import { openDatabase, sql } from '../src/kernel/database.ts'
import { patienceOfPeople } from '../src/kernel/pool.ts'
import { openQueue } from '../src/kernel/queue.ts'
import { useNames } from '../src/kernel/statement.ts'
import { openLive } from '../src/http/live.ts'
import { openPooler } from './pgbouncer.ts'
import { samplesOf } from './samples.ts'
import { openStage, type Stage } from './stage.ts'
import { openService, type Service } from './service.ts'

let pooler: Awaited<ReturnType<typeof openPooler>>
let service: Service
let stage: Stage

beforeAll(async () => {
  useNames(false)
  service = await openService({}, async ({ appUrl }) => (pooler = await openPooler(appUrl))?.url ?? appUrl)
  if (!pooler) console.log('PgBouncer is neither installed nor to be had from Debian’s packages: nothing is tested')
})
afterAll(async () => {
  useNames(true)
  await service.close()
  await pooler?.close()
})

it('a day’s work of every room goes through a pooler that lends connections for one transaction', async ({ skip }) => {
  if (!pooler) return skip('there is no PgBouncer')
  stage = await openStage(service)
  const reads = everyCall.filter(({ shape }) => shape.method === 'GET')
  const ask = async ({ name, shape }: (typeof reads)[number]) => {
    const { params, query } = samplesOf(stage)[name]!()
    const answer = await service.app.inject({
      method: 'GET',
      url: addressOf(shape, params, query),
      headers: { authorization: `Bearer ${stage.admin.token}` },
    })
    return answer.statusCode >= 500 ? [`${name}: ${answer.statusCode}`] : []
  }
  // More at once than there are connections, and often enough that statements would have names by now.
  const wrong: string[] = []
  for (let round = 0; round < 6; round++) wrong.push(...(await Promise.all(reads.map(ask))).flat())
  expect(wrong).toEqual([])
})

it('news and jobs go through the pooler', async ({ skip }) => {
  if (!pooler) return skip('there is no PgBouncer')
  const live = openLive(pooler.url)
  const heard: string[] = []
  live.add({ caller: stage.admin, send: (name) => void heard.push(name), close: () => {}, recheck: async () => true })
  await expect.poll(() => heard).toContain('again')
  await service.database.asSystem((tx) => tx.count(sql`update asset set stage = 'moved' where id = ${stage.asset}`))
  await expect.poll(() => heard).toContain('asset')
  await live.close()
  const queue = await openQueue(pooler.url, { works: true, supervise: true })
  const begun: unknown[] = []
  await queue.boss.work('surplus', { pollingIntervalSeconds: 0.5 }, async ([job]) => void begun.push(job!.data))
  await queue.boss.send('surplus', { providerId: 'x' })
  await expect.poll(() => begun).toEqual([{ providerId: 'x' }])
  await queue.close()
})

it('a person’s statement ends after its time, and the next one on that connection has its own', async ({ skip }) => {
  if (!pooler) return skip('there is no PgBouncer')
  const hasty = openDatabase(pooler.url, {
    queue: service.queue,
    max: 1,
    patience: { ...patienceOfPeople, statementMs: 50 },
  })
  await expect(hasty.asSystem((tx) => tx.rows(sql`select pg_sleep(5)`))).rejects.toThrow('statement timeout')
  await hasty.close()
  await service.database.asSystem((tx) => tx.rows(sql`select pg_sleep(0.2)`))
})
