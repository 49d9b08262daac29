import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { jobContext, mailsTo } from '../../test/mails.ts'
import { openService, type Service } from '../../test/service.ts'
import { openSmtp, told } from '../../test/smtp.ts'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { sql } from '../kernel/database.ts'
import { suppressOldDeliveries } from '../main/old-deliveries.ts'
import { startWorker } from '../main/worker.ts'
import { outboxKey } from '../outside/kept-key.ts'
import { openMail, outbox, smtp } from '../outside/mail.ts'
import { sendMail, sendMails, type MailKey } from './actions.ts'
import { lastAlarm, mailKinds, type MailKind } from './kinds.ts'
import { registry } from '../main/registry.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())
const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

const log = { info: () => {}, warn: () => {}, error: () => {} }
const smtpServer = async (...given: Parameters<typeof openSmtp>) => {
  const server = await openSmtp(...given)
  open.push(server)
  return server
}
const useSmtp = (url: string) => openMail({ ...service.config, smtpUrl: url })
const write = async (key: MailKey = `notice:${randomUUID()}`, title = 'Hello') => {
  await service.database.asSystem((tx) =>
    sendMail(tx, { key, to: 'maria@mail.test', template: 'message', data: { title, body: 'One.\n\nTwo <b>.' } }),
  )
  return (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`select id from mail where key = ${key}`),
  ))!.id
}
const run = (mailId: string, more = {}) => registry.mail.run({ mailId }, jobContext(service, more))
const stateOf = async (id: string) =>
  (await service.database.asSystem((tx) => tx.first(sql<{ state: string }>`select state from mail where id = ${id}`)))!
    .state

test('a worker sends a mail once through a real mail server', async () => {
  const server = await smtpServer()
  const config = { ...service.config, smtpUrl: server.url, mailFrom: 'Clear to Post <hello@clear.test>' }
  open.push(await startWorker({ config, appUrl: service.urls.appUrl, log }))
  const key = `notice:${randomUUID()}` as const
  const id = await write(key)
  await write(key)
  await expect.poll(() => stateOf(id)).toBe('sent')
  await run(id)
  expect(server.received).toHaveLength(1)
  const { from, to, raw } = server.received[0]!
  expect([from, to]).toEqual(['hello@clear.test', ['maria@mail.test']])
  expect(raw).toContain('From: Clear to Post <hello@clear.test>')
  expect(raw).toContain('Subject: Hello')
  expect(raw).toContain(`Message-ID: <${id}@localhost>`)
  expect(raw).toContain('Auto-Submitted: auto-generated')
  expect(raw).toContain('Content-Type: text/plain')
  expect(raw).toContain('Content-Type: text/html')
  expect(raw.replaceAll('=\r\n', '')).toContain('Two &lt;b&gt;.')
})

test('a mail of a transaction that is rolled back is not sent', async () => {
  const key = `notice:${randomUUID()}` as const
  const rolledBack = service.database.asSystem(async (tx) => {
    await sendMail(tx, { key, to: 'a@mail.test', template: 'passwordChanged', data: {} })
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  const kept = await service.database.asSystem((tx) => tx.rows(sql`select 1 from mail where key = ${key}`))
  expect(kept).toEqual([])
})

test('simultaneous runs of one mail’s job send it once', async () => {
  const server = await smtpServer()
  useSmtp(server.url)
  const id = await write()
  await Promise.allSettled(Array.from({ length: 10 }, () => run(id)))
  expect(server.received).toHaveLength(1)
  expect(await stateOf(id)).toBe('sent')
})

test('mails share a few connections', async () => {
  let connections = 0
  const server = await smtpServer({ onConnect: (_session, done) => void (connections++, done()) })
  useSmtp(server.url)
  const ids = await Promise.all(Array.from({ length: 12 }, () => write()))
  await Promise.all(ids.map((id) => run(id)))
  expect(server.received).toHaveLength(12)
  expect(connections).toBeLessThanOrEqual(4)
})

test('a mail is tried again when its server is away or answers with a temporary error', async () => {
  const away = await openSmtp()
  await away.close()
  useSmtp(away.url)
  const id = await write()
  await expect(run(id)).rejects.toThrow()
  expect(await stateOf(id)).toBe('waiting')

  const answers = [told(451), undefined]
  const server = await smtpServer({}, () => answers.shift())
  useSmtp(server.url)
  await expect(run(id)).rejects.toThrow()
  expect(await stateOf(id)).toBe('waiting')
  await run(id)
  expect(server.received).toHaveLength(1)
  expect(await stateOf(id)).toBe('sent')

  const late = await write()
  useSmtp(away.url)
  await run(late, { lastAttempt: true })
  expect(await stateOf(late)).toBe('failed')
})

test('a failed run does not reset a mail that another run has claimed', async () => {
  const server = await smtpServer({
    // Between this run's look at the mail and its failure, another one claims it.
    onMailFrom: (_address, _session, done) => {
      const claimed = service.database.asSystem((tx) =>
        tx.count(sql`update mail set state = 'sending' where state = 'waiting' and recipient = 'maria@mail.test'`),
      )
      void claimed.then(() => done(told(451)))
    },
  })
  useSmtp(server.url)
  const id = await write()
  await expect(run(id)).rejects.toThrow()
  expect(await stateOf(id)).toBe('sending')
})

test('a mail that another run believed lost goes again once the mail server says that it did not take it', async () => {
  let id = ''
  // While the server thinks, another worker has the job, finds the mail in the middle of its last word, and ends.
  const server = await smtpServer({}, async () => {
    await run(id)
    return told(451)
  })
  useSmtp(server.url)
  id = await write()
  const jobs = async () =>
    (await service.database.asSystem((tx) =>
      tx.first(sql<{ n: number }>`
        select count(*)::integer as n from pgboss.job where name = 'mail' and data->>'mailId' = ${id}`),
    ))!.n
  expect(await jobs()).toBe(1)
  await expect(run(id)).rejects.toThrow()
  expect([await stateOf(id), await jobs()]).toEqual(['waiting', 2])
})

test('a mail that was held back after a restore stays so, whatever the mail server says of it afterwards', async () => {
  const server = await smtpServer({}, async () => {
    await suppressOldDeliveries(service.database, { asOf: new Date(), now: new Date() })
    return told(451)
  })
  useSmtp(server.url)
  const id = await write()
  await expect(run(id)).rejects.toThrow()
  expect(await stateOf(id)).toBe('unknown')
})

test('mails about access are counted by the kind that their key begins with, however it is parted', async () => {
  const to = `${randomUUID()}@mail.test`
  const data = { title: 'Access', body: 'B' }
  for (let n = 0; n <= mostKept.alarmsPerDay; n++)
    await service.database.asSystem((tx) =>
      sendMail(tx, {
        key: n % 2 ? `security:${randomUUID()}` : `security ${randomUUID()}`,
        to,
        template: 'message',
        data,
      }),
    )
  const kept = await service.database.asSystem((tx) =>
    tx.first(sql<{ n: number }>`select count(*)::integer as n from mail where recipient = ${to}`),
  )
  expect(kept?.n).toBe(mostKept.alarmsPerDay)
})

test('a mail that the server refuses for good is marked failed', async () => {
  const onRcptTo = (_address: unknown, _session: unknown, done: (error: Error) => void) => done(told(550))
  const nobody = await smtpServer({ onRcptTo })
  useSmtp(nobody.url)
  const first = await write()
  await run(first)
  expect(await stateOf(first)).toBe('failed')
  useSmtp((await smtpServer({}, () => told(554))).url)
  const second = await write()
  await run(second)
  expect(await stateOf(second)).toBe('failed')
})

test('a mail that was handed over without an answer is marked unknown and never sent again', async () => {
  const silent = await smtpServer({}, () => 'silence')
  useSmtp(silent.url)
  const id = await write()
  await run(id)
  expect(await stateOf(id)).toBe('unknown')

  // A worker that was killed in that moment leaves the same.
  const killed = await write()
  await service.database.asSystem((tx) => tx.count(sql`update mail set state = 'sending' where id = ${killed}`))
  const server = await smtpServer()
  useSmtp(server.url)
  for (const one of [id, killed]) await run(one)
  expect(await stateOf(killed)).toBe('unknown')
  expect([silent.received.length, server.received.length]).toEqual([1, 0])
})

test('a connection that breaks before the message is handed over sends nothing, and the mail is tried again', async () => {
  const server = await smtpServer()
  useSmtp(server.url)
  const mail = { id: randomUUID(), to: 'a@mail.test', subject: 'S', text: 'T', html: 'H' }
  const broken = smtp({ ...service.config, smtpUrl: server.url }).send(mail, async () => {
    throw new Error('killed here')
  })
  await expect(broken).rejects.toThrow('killed here')
  await new Promise((later) => setTimeout(later, 200))
  expect(server.received).toEqual([])
})

test('the user name and password in SMTP_URL are sent to the mail server', async () => {
  const seen: unknown[] = []
  const server = await smtpServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      seen.push([username, password])
      done(null, { user: username })
    },
  })
  useSmtp(server.url.replace('smtp://', 'smtp://m%40x:p%2Fw@'))
  await run(await write())
  expect(seen).toEqual([['m@x', 'p/w']])
  expect(server.received).toHaveLength(1)
})

test('a mail server on another host must offer TLS', async () => {
  const server = await smtpServer()
  // 127.1 is this machine too, though not listed as a local name.
  const send = (host: string) =>
    smtp({ ...service.config, smtpUrl: `smtp://${host}:${server.port}` }).send(
      { id: randomUUID(), to: 'a@mail.test', subject: 'S', text: 'T', html: 'H' },
      async () => {},
    )
  await expect(send('127.1')).rejects.toThrow(/TLS/)
  expect(server.received).toEqual([])
  await send('127.0.0.1')
  expect(server.received).toHaveLength(1)
})

test('line breaks in a subject cannot add headers', async () => {
  const server = await smtpServer()
  useSmtp(server.url)
  await run(await write(`notice:${randomUUID()}`, 'Hi\r\nBcc: victim@mail.test'))
  expect(server.received[0]!.to).toEqual(['maria@mail.test'])
  expect(server.received[0]!.raw).toContain('Subject: Hi Bcc: victim@mail.test')
})

test('without a mail server mails are kept in the outbox, shown on this machine only', async () => {
  await service.database.asSystem((tx) =>
    sendMail(tx, {
      key: `removal:${randomUUID()}`,
      to: 'kept@mail.test',
      template: 'message',
      data: { title: '<script>', body: 'B', link: { label: 'Open', url: '/panel' } },
    }),
  )
  const [mail] = await mailsTo(service, 'kept@mail.test')
  expect(mail).toMatchObject({ to: 'kept@mail.test', subject: '<script>' })
  expect(mail!.text).toContain('Open: http://localhost')
  const authorization = `Bearer ${await outboxKey(service.config.dataDir)}`
  const page = await service.app.inject({ url: '/dev/outbox', headers: { authorization } })
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.body).toContain('&lt;script&gt;')
  expect(page.body).not.toContain('<script>')

  const outside = await service.app.inject({
    url: '/dev/outbox',
    headers: { authorization, 'x-forwarded-for': '203.0.113.9' },
  })
  expect(outside.statusCode).toBe(404)
  for (const env of [{ NODE_ENV: 'production' }, { SMTP_URL: 'smtp://localhost' }] as Record<string, string>[]) {
    const other = await openService(env)
    expect((await other.app.inject('/dev/outbox')).statusCode).toBe(404)
    await other.close()
  }
})

test('a mail that fails before it is handed over leaves nothing in the outbox', async () => {
  const held = outbox(service.config).send(
    { id: randomUUID(), to: 'held@mail.test', subject: 'S', text: 'T', html: 'H' },
    async () => {
      throw new Error('held back')
    },
  )
  await expect(held).rejects.toThrow('held back')
  expect(await mailsTo(service, 'held@mail.test')).toEqual([])
})

const alarms = (Object.keys(mailKinds) as MailKind[]).filter((kind) => mailKinds[kind].startsWith('alarms'))
test.each(alarms)('of the mails “%s” a mailbox gets twenty a day, and the last one says so', async (kind) => {
  const [to, beside] = [`${kind}@alarms.test`, `${kind}@beside.test`]
  const doer = randomUUID()
  const say = (addresses: readonly string[]) =>
    service.database.asSystem((tx) =>
      sendMails(
        tx,
        addresses.map((address) => ({
          key: `${kind}:${doer}:${randomUUID()}` as const,
          to: address,
          company: kind,
          template: 'message' as const,
          data: { title: 'Look', body: 'Something changed.' },
        })),
      ),
    )
  const bodies = async (address: string) =>
    (
      await service.database.asSystem((tx) =>
        tx.rows(
          sql<{
            body: string
          }>`select data->>'body' as body from mail where recipient = ${address} order by created_at`,
        ),
      )
    ).map(({ body }) => body)
  for (let n = 0; n < mostKept.alarmsPerDay + 3; n++) await say([to])
  await say([to, beside])
  const told = await bodies(to)
  expect(told).toHaveLength(mostKept.alarmsPerDay)
  expect(told.map((body) => body.includes(lastAlarm(`${kind}:${doer}:x`)))).toEqual(
    told.map((_, at) => at === told.length - 1),
  )
  expect(await bodies(beside)).toEqual(['Something changed.'])
  await service.database.asSystem((tx) =>
    tx.count(sql`update mail set created_at = now() - interval '25 hours' where recipient = ${to}`),
  )
  await say([to])
  expect(await bodies(to)).toHaveLength(mostKept.alarmsPerDay + 1)
})

test('a code that somebody waits for goes before every other mail that was written', async () => {
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`delete from pgboss.job where name = 'mail'`)
    await sendMail(tx, {
      key: 'security:before',
      to: 'a@turn.test',
      template: 'message',
      data: { title: 'A', body: 'B' },
    })
  })
  // Of one transaction both would be as old.
  await service.database.asSystem((tx) =>
    sendMail(tx, { key: 'code:x', to: 'b@turn.test', template: 'code', data: { codeId: randomUUID() } }),
  )
  const turn = await service.database.asSystem((tx) =>
    tx.rows(sql<{ key: string }>`
      select m.key from pgboss.job j join mail m on m.id::text = j.data->>'mailId' where j.name = 'mail'
      order by j.priority desc, j.created_on, j.id`),
  )
  expect(turn.map(({ key }) => key)).toEqual(['code:x', 'security:before'])
})
