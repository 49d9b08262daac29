import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { notes } from '@clear-to-post/contract/notes'
import { projects } from '@clear-to-post/contract/projects'
import { reasonsToStay, type ReasonToStay } from '@clear-to-post/domain/personal-data'
import { sql, type Caller } from '../kernel/database.ts'
import { openMail } from '../outside/mail.ts'
import { jobContext } from '../../test/mails.ts'
import { makeStaff, submitProject } from '../../test/factories.ts'
import { approvedVideo } from '../../test/posting.ts'
import {
  callAs,
  callConfirmed,
  makeOfficer,
  makePerson,
  makeTenant,
  openService,
  type OpenedService,
  type Person,
} from '../../test/service.ts'
import { eraseJob } from './jobs.ts'

let service: OpenedService
let root: Person
let staff: Awaited<ReturnType<typeof makeStaff>>
beforeAll(async () => {
  service = await openService()
  openMail(service.config)
  ;[root, staff] = [await makePerson(service, 'ADMIN'), await makeStaff(service)]
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const rows = <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  service.database.asSystem((tx) => tx.rows(query))

type Standing = 'is in the company' | 'left the company' | 'is in another company' | 'became staff' | 'was staff'
const standings: Record<Standing, (person: Person) => Promise<unknown>> = {
  'is in the company': () => Promise.resolve(),
  'left the company': (person) => change(person, { tenantId: null }),
  'is in another company': async (person) => change(person, { tenantId: await makeTenant(service) }),
  'became staff': (person) => change(person, { role: 'Editor' }),
  'was staff': async (person) => {
    await change(person, { role: 'QA' })
    await change(person, { role: 'User' })
  },
}
const change = (person: Person, to: object) =>
  as(root)(accounts.update, { body: { userId: person.id, ...to } }, { requestId: randomUUID() })

/** What makes something stay, and how many rows of it there are once its person is gone. Undefined: it stays of everybody. */
const reasons: Record<
  ReasonToStay,
  { make: (officer: Person) => Promise<unknown>; left: (id: string) => ReturnType<typeof sql> } | undefined
> = {
  record: undefined,
  number: undefined,
  approved: {
    make: (officer) => approvedVideo(service, officer, staff),
    left: (id) =>
      sql`select from asset a join project p on p.id = a.project_id where p.user_id = ${id} and a.derived <> '{}'`,
  },
  payments: {
    make: (officer) =>
      rows(sql`
        insert into charge (id, user_id, created_at, paid, receipt_url, status, price, currency, payment_type, reading)
        values (${`ch_${randomUUID()}`}, ${officer.id}, now(), true, '', 'succeeded', 9900, 'usd', 'card', 1)`),
    left: (id) => sql`select from charge where user_id = ${id}`,
  },
  freeVideo: {
    make: async (officer) => {
      const { id: projectId } = await submitProject(service, officer)
      await callAs(service, staff.editor)(projects.start, { body: { projectId } })
      await rows(sql`
        insert into free_video (project_id, mailbox, domain, used_at)
        values (${projectId}, ${Buffer.from(randomUUID())}, ${Buffer.from(randomUUID())}, now())`)
    },
    left: (id) => sql`select from free_video f join project p on p.id = f.project_id where p.user_id = ${id}`,
  },
  company: {
    make: async (officer) => {
      await change(officer, { role: 'QA' })
      const about = await makePerson(service, 'User', { tenantId: officer.tenantId })
      await callAs(service, await now(officer))(notes.save, {
        body: { userId: about.id, title: 'Pace', content: 'Slow' },
      })
      await change(officer, { role: 'User' })
    },
    left: (id) => sql`select from note where author_id = ${id}`,
  },
}

/** The same of a company; what somebody pays themselves, and what they paid, is nobody's in it. */
const ofCompany: Partial<Record<ReasonToStay, (officer: Person) => Promise<unknown>>> = {
  approved: reasons.approved!.make,
  payments: (officer) =>
    rows(sql`
      insert into editor_rate (person_id, tenant_id, from_month, unit, amount, currency, set_by)
      values (${officer.id}, ${officer.tenantId}, '2026-03', 'hour', 1000, 'usd', ${root.id})`),
  freeVideo: reasons.freeVideo!.make,
  company: reasons.company!.make,
}
const own = 'payments of their own'

/** The same person with the role and the company of now. */
const now = async (person: Person): Promise<Person> => {
  const [caller] = await rows<Caller>(sql`
    select id, role, tenant_id as "tenantId", security_stamp as "securityStamp" from person where id = ${person.id}`)
  return { ...person, ...caller!, token: await service.identity.signIdToken(caller!) }
}

const all = Object.keys(reasonsToStay) as ReasonToStay[]
const nothing = 'nothing'

test.each(
  (Object.keys(standings) as Standing[]).flatMap((standing) =>
    [nothing, ...all.filter((reason) => reasons[reason])].map((reason) => [standing, reason] as const),
  ),
)('the receipt and the preview of an officer who %s, of whom there is: %s', async (standing, reason) => {
  const officer = await makeOfficer(service)
  const made = reason === nothing ? undefined : reasons[reason as ReasonToStay]
  await made?.make(officer)
  await standings[standing](officer)
  const leaving = await now(officer)
  const { canceled: _, ...preview } = await as(leaving)(accounts.previewRemoval, { query: {} })
  const { receipt } = await as(leaving)(accounts.remove, { query: {} })
  const [removal] = await rows<{ id: string }>(sql`select id from removal where person_id = ${officer.id}`)
  await eraseJob.run({ removalId: removal!.id }, jobContext(service))
  expect(receipt).toMatchObject(preview)

  const left: ReasonToStay[] = []
  for (const one of all) if (!reasons[one] || (await rows(reasons[one].left(officer.id))).length > 0) left.push(one)
  if (made) expect(left).toContain(reason)
  // A library does not say who wrote it: whoever was staff may have.
  const wasStaff = /staff/.test(standing) || reason === 'company'
  const stays = all.filter((one) => left.includes(one) || (one === 'company' && wasStaff))
  expect(receipt.stays.map(({ what }) => what)).toEqual(stays.map((one) => reasonsToStay[one].what))
  // What went of an officer's goes whatever they are by now.
  expect(receipt.erased.join()).toContain('All recordings of your videos')
  expect(receipt.erased.join().includes('notes that you wrote')).toBe(wasStaff)
})

test.each(
  [...all.filter((reason) => reasons[reason]), own].flatMap((reason) => [
    [reason, 'the same', 'that admin'] as const,
    [reason, 'another', 'that admin'] as const,
    [reason, 'another', 'themselves'] as const,
  ]),
)(
  'a company’s admin reads of a removal what is of their company: %s, of %s one, by %s',
  async (reason, company, by) => {
    const officer = await makeOfficer(service)
    await (reason === own ? reasons.payments!.make : ofCompany[reason as ReasonToStay]!)(officer)
    if (company === 'another') {
      // An editor who wrote for it there, and once its admin.
      for (const role of ['Editor', 'ADMIN', 'User']) await change(officer, { role })
      await standings['is in another company'](officer)
    }
    const leaving = await now(officer)
    const admin = await makePerson(service, 'ADMIN', { tenantId: leaving.tenantId })
    const isTold = company === 'the same' && reason !== own
    const told = (stays: { what: string }[]) =>
      all.filter((one) => reasons[one] && stays.some(({ what }) => what === reasonsToStay[one].what))

    const query = { userId: officer.id }
    const { canceled, ...preview } = await as(admin)(accounts.previewRemoval, { query })
    expect(told(preview.stays)).toEqual(isTold ? [reason] : [])
    expect(preview.erased.join().includes('notes that you wrote')).toBe(isTold && reason === 'company')
    expect(preview.erased.join()).not.toContain('a question was given to you')
    expect(canceled).toBe(isTold && reason === 'freeVideo' ? 1 : 0)
    const whole = await as(root)(accounts.previewRemoval, { query })
    expect(told(whole.stays)).toContain(reason === own ? 'payments' : reason)
    expect(whole.canceled).toBe(reason === 'freeVideo' ? 1 : 0)

    const remover = by === 'themselves' ? leaving : admin
    const { receipt } = await as(remover)(accounts.remove, { query: by === 'themselves' ? {} : query })
    const { canceled: _, ...wholeReceipt } = whole
    expect(receipt).toMatchObject(by === 'themselves' ? wholeReceipt : preview)
    const { items } = await as(admin)(accounts.removals, { query: {} })
    expect(items.find(({ number }) => number === receipt.number)).toMatchObject(preview)
    const [mail] = await rows<{ data: object }>(sql`
    select data from mail where template = 'removed' and data->>'number' = ${receipt.number}`)
    expect(mail!.data).toMatchObject(wholeReceipt)
  },
)
