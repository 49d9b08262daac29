import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { edits } from '@clear-to-post/contract/edits'
import { samplesOf } from '../../test/samples.ts'
import { openStage } from '../../test/stage.ts'
import { callAs, makePerson, makeTenant, openService, type Service } from '../../test/service.ts'
import { sendMail, sendMails } from '../mail/actions.ts'
import { sql, type Tx } from './database.ts'
import { enqueueInTurn } from './enqueue-in-turn.ts'

let service: Service
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

/** The ids that waiting jobs of a kind name, as workers take them. */
const order = (name: 'mail' | 'render') =>
  service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string; company: string | null }>`
      select coalesce(j.data->>'mailId', j.data->>'renderId') as id, substring(m.recipient from '(.*)@told.test') as company
      from pgboss.job j left join mail m on m.id::text = j.data->>'mailId'
      where j.name = ${name} and j.state < 'active' order by j.priority desc, j.created_on, j.id`),
  )

it('a company with hundreds of renders keeps the next free lane for another company’s first', async () => {
  const stage = await openStage(service)
  const many = await makeTenant(service)
  await service.database.asSystem(async (tx) => {
    for (let n = 0; n < 100; n++)
      await enqueueInTurn(tx, 'render', { renderId: randomUUID() }, { owner: randomUUID(), company: many })
  })
  const { id } = await callAs(service, stage.editor)(edits.render, samplesOf(stage)['edits.render']!() as never)
  const waiting = (await order('render')).map((job) => job.id)
  expect(waiting).toHaveLength(101)
  expect(waiting.indexOf(id)).toBeLessThanOrEqual(1)
})

const mailsOf = (company: string, userId: string, count: number) =>
  Array.from({ length: count }, () => ({
    company,
    key: `notice:${randomUUID()}` as const,
    to: `${company}@told.test`,
    template: 'notices' as const,
    data: { userId, notificationIds: [] },
  }))

it('a company that tells a thousand people keeps nobody else’s mail waiting, and one mail alone goes first', async () => {
  const [many, few] = [await makeTenant(service), await makeTenant(service)]
  const person = await makePerson(service, 'User')
  await service.database.asSystem((tx) => tx.count(sql`delete from pgboss.job where name = 'mail'`))
  const told = (company: string, count: number) =>
    service.database.asSystem((tx) => sendMails(tx, mailsOf(company, person.id, count)))
  await told(many, 1000)
  await told(few, 2)
  await told(many, 10)
  await told(few, 1)
  await service.database.asSystem((tx) =>
    sendMail(tx, {
      key: 'notice:alone',
      to: 'alone@test.test',
      template: 'notices',
      data: { userId: person.id, notificationIds: [] },
    }),
  )
  const companies = (await order('mail')).map(({ company }) => company)
  expect(companies).toHaveLength(1014)
  expect(companies[0]).toBeNull()
  // One of each after the other, as long as both have some.
  const others = companies.flatMap((company, at) => (company === few ? [at] : []))
  expect(others).toHaveLength(3)
  for (const [n, at] of others.entries()) expect(at).toBeLessThanOrEqual(2 * (n + 1))
  // Who comes when hundreds were sent begins with those that go next.
  await service.database.asSystem((tx) =>
    tx.count(sql`
      delete from pgboss.job where id in (
        select id from pgboss.job where name = 'mail' order by priority desc, created_on, id limit 500)`),
  )
  const late = await makeTenant(service)
  await told(late, 1)
  expect((await order('mail')).map(({ company }) => company).indexOf(late)).toBeLessThanOrEqual(1)
})

it('a mail that waits for its next try does not let those pass that come later', async () => {
  const [before, after] = [await makeTenant(service), await makeTenant(service)]
  const person = await makePerson(service, 'User')
  await service.database.asSystem((tx) => tx.count(sql`delete from pgboss.job where name = 'mail'`))
  const told = (company: string, count: number) =>
    service.database.asSystem((tx) => sendMails(tx, mailsOf(company, person.id, count)))
  await told(before, 200)
  // Half of them were sent, and the first one was put off.
  await service.database.asSystem(async (tx) => {
    const [first, ...others] = await tx.rows(sql<{ id: string }>`
      select id from pgboss.job where name = 'mail' order by priority desc limit 100`)
    await tx.count(sql`delete from pgboss.job where id = any(${others.map(({ id }) => id)}::uuid[])`)
    await tx.count(sql`
      update pgboss.job set state = 'retry', start_after = now() + interval '1 hour' where id = ${first!.id}`)
  })
  await told(after, 50)
  const companies = (await order('mail')).map(({ company }) => company)
  expect(companies.slice(1, 5).toSorted()).toEqual([before, before, after, after].toSorted())
})

it('a render that waits for its next try does not let those pass that come later', async () => {
  const [before, after] = [await makeTenant(service), await makeTenant(service)]
  await service.database.asSystem((tx) => tx.count(sql`delete from pgboss.job where name = 'render'`))
  const render = (company: string) => {
    const renderId = randomUUID()
    return service.database
      .asSystem((tx) => enqueueInTurn(tx, 'render', { renderId }, { owner: randomUUID(), company }))
      .then(() => renderId)
  }
  const ids: string[] = []
  for (let n = 0; n < 20; n++) ids.push(await render(before))
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`
      update pgboss.job set state = 'retry', start_after = now() + interval '1 hour' where data->>'renderId' = ${ids[0]!}`)
    await tx.count(sql`delete from pgboss.job where data->>'renderId' = any(${ids.slice(1, 10)}::text[])`)
  })
  const late = [await render(after), await render(after)]
  const waiting = (await order('render')).map(({ id }) => id)
  expect(late.map((id) => waiting.indexOf(id))).toEqual([2, 4])
})

it('mails are put in turn without reading those that wait already', async () => {
  const [many, few, none] = await Promise.all(Array.from({ length: 3 }, () => makeTenant(service)))
  const person = await makePerson(service, 'User')
  await service.database.asSystem((tx) => tx.count(sql`delete from pgboss.job where name = 'mail'`))
  const readFor = (counts: Record<string, number>) =>
    service.database.asSystem(async (tx) => {
      const before = await rowsRead(tx)
      const mails = Object.entries(counts).flatMap(([company, count]) => mailsOf(company, person.id, count))
      await sendMails(tx, mails)
      return (await rowsRead(tx)) - before
    })
  await readFor({ [few!]: 10, [many!]: 5000 })
  expect(await readFor({ [few!]: 1, [many!]: 1, [none!]: 1 })).toBeLessThan(100)
})

/** How many rows of jobs this transaction has read so far. */
const rowsRead = async (tx: Tx) =>
  (await tx.first(sql<{ read: number }>`
    select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer as read
    from pg_stat_xact_all_tables where schemaname = 'pgboss' and relname = 'job_common'`))!.read
