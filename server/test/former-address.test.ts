import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { everyCall } from '@clear-to-post/contract/api'
import type { CallInput, CallShape } from '@clear-to-post/contract/call'
import { notes } from '@clear-to-post/contract/notes'
import { notifications } from '@clear-to-post/contract/notifications'
import { tracking } from '@clear-to-post/contract/tracking'
import { sql } from '../src/kernel/database.ts'
import { registry } from '../src/main/registry.ts'
import { openMail } from '../src/outside/mail.ts'
import { eraseJob } from '../src/personal-data/jobs.ts'
import { admits } from './ids.ts'
import { tellOfPayers } from '../src/subscriptions/customers.ts'
import { codeFor, deliverMails, jobContext } from './mails.ts'
import { placesOf } from './marks.ts'
import { samplesOf } from './samples.ts'
import { openStage, type Stage } from './stage.ts'
import { callAs, callConfirmed, makePerson, openService, outcome, type Person, type Service } from './service.ts'

/**
 * One person of each role asks every call there is, is moved to another address and called otherwise, twice, and is removed:
 * every column and file is searched for the addresses and names of before. Whatever keeps one of them beside no id is found here.
 */
const roles = ['officer', 'editor', 'qa', 'admin'] as const
const mark = 'quillfeather'
const called = (who: string, turn: number) => ({
  email: `${mark}.${who}.${turn}@marks.test`,
  name: `Quillfeather ${who} ${turn}`,
})

let service: Service
let stage: Stage
let root: Person, other: Person
beforeAll(async () => {
  service = await openService()
  openMail(service.config)
  stage = await openStage(service)
  root = await makePerson(service, 'ADMIN')
  other = await makePerson(service, 'User', { tenantId: stage.tenantId })
  await makePerson(service, 'ADMIN', { tenantId: stage.tenantId })
  for (const who of roles)
    await rows(sql`
      update person set email = ${called(who, 1).email}, name = ${called(who, 1).name} where id = ${stage[who].id}`)
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const rows = <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  service.database.asSystem((tx) => tx.rows(query))

const askEverything = async (turn: number) => {
  for (const who of roles) {
    const samples = samplesOf(stage)
    const { email, name } = called(who, turn)
    for (const { name: call, shape } of everyCall as { name: string; shape: CallShape }[])
      if (admits(shape, stage[who]))
        await outcome(as(stage[who])(shape, samples[call]!() as CallInput<CallShape>, { requestId: randomUUID() }))
    // Of what is about somebody else, who stays.
    await outcome(as(stage[who])(notes.save, { body: { userId: other.id, title: 'Pace', content: 'Slow' } }))
    // What strangers and colleagues do with their address and name.
    await outcome(
      callAs(service, null)(tracking.contact, { body: { to: email, subject: 'A letter', body: 'Hello' } as never }),
    )
    await rows(sql`
      insert into invitation (email, mailbox, role, invited_by, mail_id, sent_at, mailed_at, ends_at, withdrawn_at)
      values (${email}, ${email}, 'QA', ${root.id}, gen_random_uuid(), now(), array[now()], now(), now())`)
    await as(root)(notifications.push, {
      body: { userIds: [stage[who].id, root.id], title: `Welcome, ${name}`, body: email },
    })
    for (const job of ['project-event', 'notice', 'project-event', 'notice', 'mail'] as const) await run(job)
  }
}

const run = async (name: 'project-event' | 'notice' | 'mail') => {
  const jobs = await rows<{ id: string; data: never }>(
    sql`select id, data from pgboss.job where name = ${name} and state = 'created'`,
  )
  for (const { id, data } of jobs) {
    await registry[name].run(data, jobContext(service))
    await rows(sql`update pgboss.job set state = 'completed' where id = ${id}`)
  }
}

/** By the product's own calls, with the code that lies in the new mailbox. */
const rename = async (who: (typeof roles)[number], to: { email: string; name: string }) => {
  await as(stage[who])(accounts.sendCode, { query: { email: to.email } })
  const body = { email: to.email, code: await codeFor(service, to.email) }
  await as(stage[who])(accounts.changeEmail, { body })
  await as(stage[who])(accounts.update, { body: { name: to.name } })
}

test(
  'no column or file keeps an address or a name that a removed person had before',
  { timeout: 300_000 },
  async () => {
    await askEverything(1)
    for (const who of roles) await rename(who, called(who, 2))
    await askEverything(2)
    for (const who of roles) await rename(who, { email: `${who}@now.test`, name: `Now ${who}` })
    expect(await everywhere()).toEqual(
      expect.arrayContaining([
        'note_event.actor_email',
        'mail.recipient',
        'support_thread.guest_email',
        'invitation.email',
      ]),
    )
    for (const who of roles) {
      await as(stage[who])(accounts.remove, { query: {} })
      // The payment service hears within an hour whose address a company’s is now.
      await tellOfPayers(service.database)
      const [removal] = await rows<{ id: string }>(sql`select id from removal where person_id = ${stage[who].id}`)
      await eraseJob.run({ removalId: removal!.id }, jobContext(service))
      await deliverMails(service, `${who}@now.test`)
    }
    // What open pages were told is dropped two minutes later (main/worker.ts).
    await rows(sql`delete from news`)
    // Samples of the planner’s go when the database takes the next ones.
    expect((await everywhere()).filter((place) => !place.startsWith('sample of '))).toEqual([])
  },
)

const everywhere = () => placesOf({ superuserUrl: service.urls.superuserUrl, folder: service.config.dataDir }, [mark])
