import { PgBoss } from 'pg-boss'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../test/database.ts'
import { prepareQueue } from './queue.ts'

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
