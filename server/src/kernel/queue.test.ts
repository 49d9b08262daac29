import { PgBoss } from 'pg-boss'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../test/database.ts'
import { openDatabase } from './database.ts'
import { givenUpCounts, givenUpJobs, sendAgain } from './given-up.ts'
import { enqueue, openQueue, prepareQueue } from './queue.ts'
import { work, type Job } from './work.ts'

test('jobs waiting in a queue of an older release are moved to its new name', async () => {
  const database = await freshDatabase()
  onTestFinished(database.drop)
  const boss = new PgBoss({ connectionString: database.ownerUrl, supervise: false, schedule: false, max: 2 })
  await boss.start()
  await boss.createQueue('tell', { retryLimit: 10 })
  await boss.createQueue('say', { retryLimit: 10 })
  const waiting = await boss.send('tell', { projectId: 'p', seq: 1 })
  const running = await boss.send('say', { userIds: ['u'] })
  await boss.fetch('say')
  await boss.stop({ graceful: false })

  await prepareQueue(database.ownerUrl)
  await prepareQueue(database.ownerUrl)

  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  const { rows } = await client.query(
    `
    select id, name, state, data, retry_limit from pgboss.job where id = any($1::uuid[]) order by name`,
    [[waiting, running]],
  )
  const queues = await client.query(`select name from pgboss.queue where name in ('tell', 'say')`)
  await client.end()
  expect(rows).toEqual([
    { id: running, name: 'notice', state: 'active', data: { userIds: ['u'] }, retry_limit: 10 },
    { id: waiting, name: 'project-event', state: 'created', data: { projectId: 'p', seq: 1 }, retry_limit: 10 },
  ])
  expect(queues.rows).toEqual([])
})

test('no job is announced by a notice of the database, since such commits go through one by one', async () => {
  const database = await freshDatabase()
  onTestFinished(database.drop)
  const client = new pg.Client({ connectionString: database.superuserUrl })
  await client.connect()
  const loud = await client.query('select name from pgboss.queue where notify')
  const own = await client.query(
    `select proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname = 'public' and prosrc ~* 'pg_notify|\\mnotify\\M'`,
  )
  await client.end()
  expect([...loud.rows, ...own.rows]).toEqual([])
})

test('a job is begun at once after a commit of the same process, and soon after one of another', async () => {
  const database = await freshDatabase()
  onTestFinished(database.drop)
  const [queue, sender] = [
    await openQueue(database.appUrl, { works: true, supervise: true }),
    await openQueue(database.appUrl),
  ]
  const own = openDatabase(database.appUrl, { queue, max: 4 })
  const begun: string[] = []
  const job: Job<'seats'> = { name: 'seats', atOnce: 1, run: async ({ tenantId }) => void begun.push(tenantId) }
  const quiet = { info: () => {}, warn: () => {}, error: () => {} }
  await work([job as Job], { queue, database: own, log: quiet })
  onTestFinished(async () => {
    await queue.close()
    await sender.close()
    await own.close()
  })
  for (const tenantId of ['first', 'second']) {
    await own.asSystem((tx) => enqueue(tx, 'seats', { tenantId }))
    await expect.poll(() => begun).toContain(tenantId)
  }
  await sender.boss.send('seats', { tenantId: 'of another process' })
  await expect.poll(() => begun).toEqual(['first', 'second', 'of another process'])
  // What was taken back is not begun.
  const undone = own.asSystem(async (tx) => {
    await enqueue(tx, 'seats', { tenantId: 'undone' })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await sender.boss.send('seats', { tenantId: 'last' })
  await expect.poll(() => begun).toEqual(['first', 'second', 'of another process', 'last'])
})

test('a job that used up its tries is named with its reason, and is sent again by its id or its kind', async () => {
  const database = await freshDatabase()
  onTestFinished(database.drop)
  const queue = await openQueue(database.appUrl, { works: true, supervise: true })
  const own = openDatabase(database.appUrl, { queue, max: 4 })
  onTestFinished(async () => {
    await queue.close()
    await own.close()
  })
  const begun: string[] = []
  let isBroken = true
  const job: Job<'seats'> = {
    name: 'seats',
    atOnce: 1,
    run: async ({ tenantId }) => {
      begun.push(tenantId)
      if (isBroken) throw new Error(`no seats for ${tenantId}`)
    },
  }
  await work([job as Job], { queue, database: own, log: { info: () => {}, warn: () => {}, error: () => {} } })
  for (const tenantId of ['a', 'b', 'c']) await queue.boss.send('seats', { tenantId }, { retryLimit: 0 })
  const givenUp = () => own.asSystem(givenUpJobs)
  await expect.poll(async () => (await givenUp()).length).toBe(3)
  expect(await own.asSystem(givenUpCounts)).toEqual([{ name: 'seats', count: 3 }])
  const found = (await givenUp()).find(({ data }) => data.tenantId === 'b')!
  expect(found).toMatchObject({ name: 'seats', why: 'no seats for b' })
  isBroken = false
  expect(await own.asSystem((tx) => sendAgain(tx, { ids: [found.id] }))).toBe(1)
  await expect.poll(() => begun.filter((one) => one === 'b')).toHaveLength(2)
  expect(await own.asSystem((tx) => sendAgain(tx, { ids: [found.id] }))).toBe(0)
  expect(await own.asSystem((tx) => sendAgain(tx, { name: 'seats' }))).toBe(2)
  await expect.poll(() => begun.toSorted()).toEqual(['a', 'a', 'b', 'b', 'c', 'c'])
  expect(await givenUp()).toEqual([])
})
