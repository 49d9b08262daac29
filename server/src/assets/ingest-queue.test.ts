import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makePerson, makeTenant, openService, type Person, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { enqueueInTurn } from '../kernel/enqueue-in-turn.ts'
import { openQueue, type Queue } from '../kernel/queue.ts'
import { work, type Job } from '../kernel/work.ts'
import { enqueueIngest } from './ingest-queue.ts'
import { ingestJob } from './jobs.ts'

/** The queue and its lanes are the product's; what is done in a job is only written down. */
let service: Service
let queue: Queue
beforeEach(async () => {
  service = await openService()
  queue = await openQueue(service.urls.appUrl, { supervise: true })
})
afterEach(async () => {
  await queue.close()
  await service.close()
})

it('a person’s files are checked one at a time, and another person’s first comes before their second', async () => {
  const [many, one] = [await makePerson(service, 'User'), await makePerson(service, 'User')]
  const ofMany = await received(many, 5)
  const [ofOne] = await received(one, 1)
  const running = new Set<string>()
  const started: string[] = []
  let most = 0
  await lanes(async ({ assetId }) => {
    started.push(assetId)
    running.add(assetId)
    most = Math.max(most, ofMany.filter((id) => running.has(id)).length)
    await sleep(100)
    running.delete(assetId)
  })
  await expect.poll(() => started.length, { timeout: 60_000 }).toBe(6)
  expect(most).toBe(1)
  expect(started.slice(0, 2).toSorted()).toEqual([ofMany[0], ofOne].toSorted())
  expect(started.filter((id) => id !== ofOne)).toEqual(ofMany)
})

it('files that come later wait behind one of everybody else’s for each that waits already', async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => makePerson(service, 'User')))
  const [first, second, third] = people as [Person, Person, Person]
  const files = { first: await received(first, 3), second: await received(second, 2), third: await received(third, 1) }
  const rows = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`
      select data->>'assetId' as id from pgboss.job where name = 'ingest' order by priority desc, created_on`),
  )
  expect(rows.map(({ id }) => id)).toEqual([
    files.first[0],
    files.second[0],
    files.third[0],
    files.first[1],
    files.second[1],
    files.first[2],
  ])
})

it('long files hold one of the two lanes, and a short one passes them', async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => makePerson(service, 'User')))
  const [long, alsoLong] = [await received(people[0]!, 1, true), await received(people[1]!, 1, true)].flat()
  const started: string[] = []
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await lanes(async ({ assetId }) => {
    started.push(assetId)
    if (assetId === long || assetId === alsoLong) await isReleased
  })
  await expect.poll(() => started, { timeout: 60_000 }).toEqual([long])
  const [short] = await received(people[2]!, 1)
  await expect.poll(() => started, { timeout: 60_000 }).toEqual([long, short])
  release()
  await expect.poll(() => started, { timeout: 60_000 }).toEqual([long, short, alsoLong])
})

it('beside a company’s hundreds of uploads another’s first begins with the next free lane of any host', async () => {
  const [many, one] = [await makeTenant(service), await makeTenant(service)]
  await service.database.asSystem(async (tx) => {
    for (let n = 0; n < 300; n++)
      await enqueueInTurn(tx, 'ingest', { assetId: randomUUID() }, { owner: randomUUID(), company: many })
  })
  const started: string[] = []
  const holds: (() => void)[] = []
  const hold = async ({ assetId }: { assetId: string }) => {
    started.push(assetId)
    await new Promise<void>((resolve) => holds.push(resolve))
  }
  const other = await openQueue(service.urls.appUrl)
  await lanes(hold)
  await lanes(hold, other)
  await expect.poll(() => started.length).toBe(4)
  await received(await makePerson(service, 'User', { tenantId: many }), 1)
  const [stranger] = await received(await makePerson(service, 'User', { tenantId: one }), 1)
  holds[0]!()
  await expect.poll(() => started.length).toBe(5)
  expect(started[4]).toBe(stranger)
  await service.database.asSystem((tx) => tx.count(sql`delete from pgboss.job where state < 'active'`))
  for (const release of holds) release()
  await other.close()
})

it('a person who goes on sending waits behind their own files, and passes nobody for ever', async () => {
  const [first, second] = [await makePerson(service, 'User'), await makePerson(service, 'User')]
  const early = await received(first, 6)
  const take = (count: number) =>
    service.database.asSystem((tx) =>
      tx.rows(sql<{ id: string }>`
        delete from pgboss.job where id in (
          select id from pgboss.job where name = 'ingest' order by priority desc, created_on limit ${count})
        returning data->>'assetId' as id`),
    )
  await take(3)
  const [later] = await received(first, 1)
  const ofSecond = await received(second, 4)
  const order = []
  for (let n = 0; n < 8; n++) order.push((await take(1))[0]!.id)
  expect(order).toEqual([early[3], ofSecond[0], early[4], ofSecond[1], early[5], ofSecond[2], later, ofSecond[3]])
})

/** Works the ingest's queue as the product does. */
const lanes = (run: Job<'ingest'>['run'], host = queue) => {
  const { decodes: _, ...job } = { ...ingestJob, run }
  return work([job as Job], { queue: host, database: service.database, log: pino({ level: 'silent' }) })
}

/** Files of a person that have arrived, in the order of their ingests. */
const received = async (author: Person, count: number, isLong = false): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => randomUUID())
  for (const id of ids)
    await service.database.asSystem(async (tx) => {
      await tx.count(sql`
        insert into asset (id, author_id, purpose, file_name, extension, file_size, state)
        values (${id}, ${author.id}, 'source', 'a.mp4', 'mp4', 1, 'received')`)
      await enqueueIngest(tx, id, { isLong })
    })
  return ids
}
