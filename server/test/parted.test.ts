import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openDatabase, sql } from '../src/kernel/database.ts'
import { patienceOfJobs } from '../src/kernel/pool.ts'
import { openQueue } from '../src/kernel/queue.ts'
import { work, type Job } from '../src/kernel/work.ts'
import { sendMail } from '../src/mail/actions.ts'
import { registry } from '../src/main/registry.ts'
import { openMail } from '../src/outside/mail.ts'
import { openFaultLine } from './fault-line.ts'
import { openService, type Service } from './service.ts'
import { openSmtp } from './smtp.ts'

/** Workers that lose their network and not their power: what they were about to say arrives later, or never. */
let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

const log = { info: () => {}, warn: () => {}, error: () => {} }

/** A worker of mails behind a line of its own. `answerMs`: as in the product, but for the time. */
const startWorker = async (answerMs = patienceOfJobs.answerMs) => {
  const url = new URL(service.urls.appUrl)
  const line = await openFaultLine({ port: Number(url.port), host: url.hostname })
  url.host = `127.0.0.1:${line.port}`
  const queue = await openQueue(url.href, { works: true, answerMs })
  const patience = { ...patienceOfJobs, enterMs: Math.min(patienceOfJobs.enterMs, answerMs), answerMs }
  const database = openDatabase(url.href, { queue, max: 4, patience })
  await work([registry.mail as Job], { queue, database, log })
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await queue.close()
    await database.close()
  }
  onTestFinished(async () => {
    line.heal()
    await close()
    line.close()
  })
  return { line, close }
}
const write = async () => {
  const key = `invoice ${randomUUID()}` as const
  const data = { title: 'Hello', body: 'One.' }
  await service.database.asSystem((tx) => sendMail(tx, { key, to: 'maria@mail.test', template: 'message', data }))
  return key
}
const stateOf = async (key: string) =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ state: string }>`select state from mail where key = ${key}`),
  ))!.state
/** What the queue does with a job whose worker is heard of no more. */
const giveToAnother = () =>
  service.database.asSystem((tx) =>
    tx.count(sql`update pgboss.job set state = 'retry', start_after = now() where name = 'mail' and state = 'active'`),
  )

it('a worker that is parted before a mail’s last word sends nothing once another one has sent it', async () => {
  let onMail = () => {}
  const smtp = await openSmtp({ onRcptTo: (_address, _session, done) => (onMail(), done()) })
  onTestFinished(smtp.close)
  openMail({ ...service.config, smtpUrl: smtp.url })
  const parted = await startWorker()
  const reached = new Promise<void>((resolve) => {
    onMail = () => {
      parted.line.fail('hangs')
      onMail = () => {}
      resolve()
    }
  })
  const key = await write()
  await reached
  expect(await giveToAnother()).toBe(1)
  const other = await startWorker()
  await expect.poll(() => stateOf(key)).toBe('sent')
  // Its claim of the mail arrives now.
  parted.line.heal()
  await Promise.all([parted.close(), other.close()])
  expect(smtp.received).toHaveLength(1)
  expect(await stateOf(key)).toBe('sent')
})

it('a worker that is parted while a mail server takes a mail says so later, and no other one sends it', async () => {
  let parted: Awaited<ReturnType<typeof startWorker>> | undefined
  const smtp = await openSmtp({}, () => void parted?.line.fail('hangs'))
  onTestFinished(smtp.close)
  openMail({ ...service.config, smtpUrl: smtp.url })
  parted = await startWorker()
  const key = await write()
  await expect.poll(() => smtp.received.length).toBe(1)
  expect(await giveToAnother()).toBe(1)
  const other = await startWorker()
  await expect.poll(() => stateOf(key)).toBe('unknown')
  parted.line.heal()
  await Promise.all([parted.close(), other.close()])
  expect(smtp.received).toHaveLength(1)
  expect(await stateOf(key)).toBe('sent')
})

it('a worker whose connections lead nowhere opens others, and goes on', async () => {
  const smtp = await openSmtp()
  onTestFinished(smtp.close)
  openMail({ ...service.config, smtpUrl: smtp.url })
  const { line } = await startWorker(500)
  const first = await write()
  await expect.poll(() => stateOf(first)).toBe('sent')
  line.lose()
  const second = await write()
  await expect.poll(() => stateOf(second), { timeout: 15_000 }).toBe('sent')
  expect(smtp.received).toHaveLength(2)
})

it('rows that a parted host holds are given back within a minute, whatever the database is set to', async () => {
  const bound = await service.database.asSystem((tx) =>
    tx.first(sql<{ setting: string; source: string }>`
      select setting, source from pg_settings where name = 'idle_in_transaction_session_timeout'`),
  )
  expect(bound).toEqual({ setting: '60000', source: 'session' })
})
