import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { notifications } from '@clear-to-post/contract/notifications'
import { support } from '@clear-to-post/contract/support'
import { tracking } from '@clear-to-post/contract/tracking'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { submitProject } from '../../test/factories.ts'
import { mailsTo, runNotices } from '../../test/mails.ts'
import {
  callAs,
  callConfirmed,
  confirmed,
  makePerson,
  makeTenant,
  openService,
  outcome,
  subscribe,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { supportTasks } from './jobs.ts'

let service: Service
let tenantId: string, elsewhere: string
let officer: Person, admin: Person, companyAdmin: Person, otherAdmin: Person, editor: Person
beforeAll(async () => {
  service = await openService()
  ;[tenantId, elsewhere] = [await makeTenant(service), await makeTenant(service)]
  await subscribe(service, { tenantId })
  officer = await makePerson(service, 'User', { tenantId })
  admin = await makePerson(service, 'ADMIN')
  companyAdmin = await makePerson(service, 'ADMIN', { tenantId })
  otherAdmin = await makePerson(service, 'ADMIN', { tenantId: elsewhere })
  editor = await makePerson(service, 'Editor')
})
afterAll(() => service.close())

const as = (person: Person) => callAs(service, person)
const askAs = (person: Person, subject = 'An invoice', projectId?: string) =>
  as(person)(support.ask, { body: { subject, body: 'Where is it?', ...(projectId && { projectId }) } })
const emailOf = async (person: Person) => (await as(person)(accounts.info, {})).email
const subjects = async (person: Person, wheres: string[] = []) =>
  (await as(person)(support.list, { query: { wheres, perPage: 100 } })).items.map(({ subject }) => subject)

test('a question about a video is answered by staff, and the answer reaches its officer in the panel and by mail', async () => {
  const project = await submitProject(service, officer)
  const { id: threadId, ...asked } = await askAs(officer, 'When is it ready?', project.id)
  expect(asked).toMatchObject({ state: 'waiting', project: { id: project.id }, actions: ['reply', 'close'] })
  await runNotices(service)
  expect((await mailsTo(service, await emailOf(admin))).map(({ subject }) => subject)).toContain(
    'A question waits for an answer',
  )
  const at = { params: { threadId } }
  const answered = await as(companyAdmin)(support.reply, { ...at, body: { body: 'On Friday.' } })
  expect(answered).toMatchObject({ state: 'answered', assignee: { id: companyAdmin.id } })

  await runNotices(service)
  const [mail] = (await mailsTo(service, await emailOf(officer))).filter(({ subject }) =>
    subject.startsWith('Answered'),
  )
  expect(mail!.text).toContain('On Friday.')
  expect(mail!.text).toContain(`/panel/support/${threadId}`)
  expect(mail!.text).toContain('a reply to this e-mail reaches nobody')
  const told = (await as(officer)(notifications.list, {})).items[0]!
  expect(told).toMatchObject({ title: 'Answered: When is it ready?', cta: { url: `/panel/support/${threadId}` } })

  const seen = await as(officer)(support.find, at)
  // Who of staff answered is not the officer's to know.
  expect(seen.messages.map(({ body, isByStaff, author }) => [body, isByStaff, author !== undefined])).toEqual([
    ['Where is it?', false, true],
    ['On Friday.', true, false],
  ])
  expect(seen.assignee).toBeUndefined()
  expect(await as(officer)(support.reply, { ...at, body: { body: 'Thanks!' } })).toMatchObject({ state: 'waiting' })
})

test('a question is seen by its asker, their company’s ADMINs and the service’s, and by nobody else', async () => {
  const { id: threadId } = await askAs(officer, 'Only ours')
  const at = { params: { threadId } }
  for (const [person, found] of [
    [officer, 'done'],
    [companyAdmin, 'done'],
    [admin, 'done'],
    [otherAdmin, 'support.not-found'],
    [editor, 'support.not-found'],
    [await makePerson(service, 'User', { tenantId }), 'support.not-found'],
  ] as const) {
    expect(await outcome(as(person)(support.find, at))).toBe(found)
    if (found === 'done') continue
    expect(await outcome(as(person)(support.reply, { ...at, body: { body: 'Me too' } }))).toBe(found)
    expect(await outcome(as(person)(support.close, at))).toBe(found)
  }
  expect(await subjects(otherAdmin)).toEqual([])
  expect(await subjects(companyAdmin)).toContain('Only ours')
})

test('a company’s ADMIN asks the service, and does not answer themselves', async () => {
  const { id: threadId } = await askAs(companyAdmin, 'Our seats')
  const at = { params: { threadId } }
  expect(await subjects(companyAdmin)).not.toContain('Our seats')
  expect((await as(companyAdmin)(support.mine, {})).items.map(({ subject }) => subject)).toEqual(['Our seats'])
  const own = await as(companyAdmin)(support.reply, { ...at, body: { body: 'Ten more' } })
  expect(own).toMatchObject({ state: 'waiting', actions: ['reply', 'close'] })
  expect(await outcome(as(companyAdmin)(support.assign, { ...at, body: { assigneeId: companyAdmin.id } }))).toBe(
    'support.wrong-state',
  )
  expect(await as(admin)(support.reply, { ...at, body: { body: 'Done' } })).toMatchObject({ state: 'answered' })
})

test('waiting questions stand first, the oldest before all, and each can be given, closed and opened again', async () => {
  const asker = await makePerson(service, 'User', { tenantId: elsewhere })
  const [first, second, third] = [
    await askAs(asker, 'first'),
    await askAs(asker, 'second'),
    await askAs(asker, 'third'),
  ]
  const at = ({ id }: { id: string }) => ({ params: { threadId: id } })
  expect(await subjects(otherAdmin)).toEqual(['first', 'second', 'third'])
  await as(otherAdmin)(support.close, at(first))
  await as(admin)(support.reply, { ...at(second), body: { body: 'Yes' } })
  expect(await subjects(otherAdmin)).toEqual(['third', 'second', 'first'])
  expect(await subjects(otherAdmin, ['state:eq:waiting'])).toEqual(['third'])
  expect(await subjects(otherAdmin, ['words:contains:secon'])).toEqual(['second'])

  const give = (assigneeId: string | null, by = otherAdmin) =>
    as(by)(support.assign, { ...at(third), body: { assigneeId } })
  for (const nobody of [companyAdmin.id, editor.id, asker.id])
    expect(await outcome(give(nobody, admin))).toBe('support.not-theirs')
  expect(await give(otherAdmin.id, admin)).toMatchObject({ assignee: { id: otherAdmin.id } })
  expect(await subjects(otherAdmin, [`assigneeId:eq:${otherAdmin.id}`])).toEqual(['third'])
  expect((await give(null)).messages.map(({ kind, about }) => [kind, about !== undefined])).toEqual([
    ['message', false],
    ['assigned', true],
    ['assigned', false],
  ])

  // Who answers beside them reads who took it.
  await give(otherAdmin.id)
  const taker = otherAdmin.name
  expect((await as(admin)(support.find, at(third))).messages.at(-1)).toMatchObject({
    kind: 'assigned',
    isTaken: true,
    author: taker,
    about: taker,
  })

  // The company reads that the service has it, and no name of its people.
  await give(admin.id, admin)
  const inHand = await as(otherAdmin)(support.find, at(third))
  expect(inHand).toMatchObject({ isWithService: true })
  expect(inHand.assignee).toBeUndefined()
  const taken = { kind: 'assigned', isTaken: true }
  expect(inHand.messages.at(-1)).toMatchObject({ ...taken, author: 'Clear to Post', about: 'Clear to Post' })
  const asAsker = (await as(asker)(support.find, at(third))).messages.at(-1)!
  expect(asAsker).toMatchObject(taken)
  expect(asAsker.author).toBeUndefined()
  await give(null)

  expect(await outcome(as(asker)(support.close, at(first)))).toBe('support.wrong-state')
  expect(await as(asker)(support.reopen, at(first))).toMatchObject({ state: 'waiting' })
  expect(await outcome(as(asker)(support.reopen, at(first)))).toBe('support.wrong-state')
  // Whoever writes on about something closed opens it again.
  await as(otherAdmin)(support.close, at(first))
  expect(await as(asker)(support.reply, { ...at(first), body: { body: 'Still' } })).toMatchObject({ state: 'waiting' })
  expect(await subjects(otherAdmin)).toEqual(['third', 'first', 'second'])
})

test('a person who changed company reads old questions there, and asks anew instead of writing on', async () => {
  const leaver = await makePerson(service, 'User', { tenantId })
  const { id: threadId } = await askAs(leaver, 'Before I go')
  await callConfirmed(service, admin)(accounts.update, { body: { userId: leaver.id, tenantId: elsewhere } })
  const moved = await confirmed(service, { ...leaver, tenantId: elsewhere, securityStamp: leaver.securityStamp! + 1 })
  const { items } = await as(moved)(support.mine, {})
  expect(items).toMatchObject([{ id: threadId, actions: [] }])
  const at = { params: { threadId } }
  expect(await outcome(as(moved)(support.reply, { ...at, body: { body: 'Hello?' } }))).toBe('support.left-company')
  expect(await subjects(otherAdmin)).not.toContain('Before I go')
})

test('a person asks twenty questions a day at most, and nobody asks about a video that they do not see', async () => {
  const busy = await makePerson(service, 'User', { tenantId })
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into support_thread (person_id, tenant_id, subject, since, created_at)
      select ${busy.id}, ${tenantId}, 'Question ' || n, now(), now() from generate_series(2, ${mostKept.questionsPerDay}) n`),
  )
  const project = await submitProject(service, officer)
  expect(await outcome(askAs(busy, 'Theirs', project.id))).toBe('project.not-found')
  const both = await Promise.all([1, 2].map((n) => outcome(askAs(busy, `At once ${n}`))))
  expect(both.toSorted()).toEqual(['done', 'support.too-many'])
})

test('a letter of the contact form is erased a year after its last change, and a person’s question stays', async () => {
  await callAs(service, null)(tracking.contact, { body: { to: 'old@mail.test', subject: 'Old', body: 'Words' } })
  const { id: kept } = await askAs(officer, 'Kept')
  const run = (days: number) =>
    supportTasks(service.database)[0]!.run(new Date(Date.now() + days * 86_400_000), new AbortController().signal)
  const letters = async () => (await subjects(admin)).filter((subject) => subject === 'Old')
  await run(mostKept.letterDays - 1)
  expect(await letters()).toEqual(['Old'])
  await run(mostKept.letterDays + 1)
  expect(await letters()).toEqual([])
  expect(await outcome(as(officer)(support.find, { params: { threadId: kept } }))).toBe('done')
})

test('administrators hear once that a question waits, however often its asker writes, closes and opens it', async () => {
  const { id: threadId } = await askAs(officer, 'Many words')
  const at = { params: { threadId } }
  const say = (person: Person) => as(person)(support.reply, { ...at, body: { body: 'More' } })
  const told = async (who = companyAdmin) => {
    await runNotices(service)
    const { items } = await as(who)(notifications.list, { query: { perPage: 100 } })
    return items.filter(({ metadata }) => metadata['threadId'] === threadId).length
  }
  await say(officer)
  await as(officer)(support.close, at)
  await as(officer)(support.reopen, at)
  await as(officer)(support.close, at)
  await say(officer)
  expect(await told()).toBe(1)
  await say(companyAdmin)
  await say(officer)
  await say(officer)
  expect(await told()).toBe(2)
  await as(companyAdmin)(support.close, at)
  await as(officer)(support.reopen, at)
  expect(await told()).toBe(3)
  expect(await told(otherAdmin)).toBe(0)
})

test('a question is not closed over words that whoever closes it has not read', async () => {
  const { id: threadId } = await askAs(officer, 'Not in my mail')
  const at = { params: { threadId } }
  const { lastMessageId } = await as(companyAdmin)(support.reply, { ...at, body: { body: 'In your mail.' } })
  const close = (seen: string | undefined) => as(companyAdmin)(support.close, { ...at, body: { lastMessageId: seen } })
  await as(officer)(support.reply, { ...at, body: { body: 'It is not there!' } })
  expect(await outcome(close(lastMessageId))).toBe('support.said-more')
  const { state, lastWords, ...now } = await as(companyAdmin)(support.find, at)
  expect({ state, lastWords }).toEqual({ state: 'waiting', lastWords: 'It is not there!' })
  // Who has it in hand changes nothing that would have to be read.
  await as(companyAdmin)(support.assign, { ...at, body: { assigneeId: null } })
  expect(await close(now.lastMessageId)).toMatchObject({ state: 'closed' })
})

test('an asker who used up a question or a day writes no more, and staff still answer', async () => {
  const asker = await makePerson(service, 'User', { tenantId })
  const { id: threadId } = await askAs(asker, 'Long')
  const fill = (days: number, n: number) =>
    service.database.asSystem((tx) =>
      tx.count(sql`
        insert into support_message (thread_id, person_id, tenant_id, author_id, by_staff, kind, body, created_at)
        select ${threadId}, ${asker.id}, ${tenantId}, ${asker.id}, false, 'message', 'Words', ${new Date(Date.now() - days * 86_400_000)}
        from generate_series(1, ${n}::integer)`),
    )
  const say = (person: Person, id = threadId) =>
    outcome(as(person)(support.reply, { params: { threadId: id }, body: { body: 'More' } }))
  await fill(2, mostKept.askerMessages - 2)
  expect([await say(asker), await say(asker), await say(companyAdmin)]).toEqual(['done', 'support.too-many', 'done'])

  const { id: other } = await askAs(asker, 'Another')
  expect(await say(asker, other)).toBe('done')
  await fill(0, mostKept.askerMessagesPerDay)
  expect([await say(asker, other), await say(admin, other)]).toEqual(['support.too-many', 'done'])
})

test('nobody asks from an address that is not confirmed', async () => {
  const stranger = await makePerson(service, 'User', { tenantId, isEmailVerified: false })
  expect(await outcome(askAs(stranger))).toBe('account.unverified')
})

test('the database keeps no message that is in another’s question or in the name of the other side', async () => {
  const { id: own } = await askAs(officer, 'Own')
  const { id: theirs } = await askAs(companyAdmin, 'Theirs')
  const write = (person: Person, threadId: string, byStaff: boolean) =>
    service.database
      .inTenant(person, (tx) =>
        tx.count(sql`
          insert into support_message (thread_id, person_id, tenant_id, author_id, by_staff, kind, body, created_at)
          values (${threadId}, ${officer.id}, ${tenantId}, ${person.id}, ${byStaff}, 'message', 'Words', now())`),
      )
      .then(
        () => 'kept',
        (error: { code?: string }) => error.code,
      )
  const refused = '42501'
  expect([await write(officer, own, false), await write(companyAdmin, own, true)]).toEqual(['kept', 'kept'])
  expect([await write(officer, own, true), await write(companyAdmin, own, false)]).toEqual([refused, refused])
  expect([await write(officer, theirs, false), await write(admin, theirs, true)]).toEqual([refused, refused])
})

test('a question whose ADMIN goes is nobody’s again, and told to the others', async () => {
  const ways: Record<string, (who: Person) => Promise<unknown>> = {
    'shut out': ({ id: userId }) =>
      callConfirmed(service, admin)(accounts.update, { body: { userId, isDisabled: true } }),
    removed: (who) => callConfirmed(service, who)(accounts.remove, { query: {} }),
    'another role': ({ id: userId }) =>
      callConfirmed(service, admin)(accounts.update, { body: { userId, role: 'QA' } }),
    'another company': ({ id: userId }) =>
      callConfirmed(service, admin)(accounts.update, { body: { userId, tenantId: elsewhere } }),
  }
  for (const [how, goes] of Object.entries(ways)) {
    const leaver = await makePerson(service, 'ADMIN', { tenantId })
    const [waiting, answered] = [await askAs(officer, `Waits, ${how}`), await askAs(officer, `Answered, ${how}`)]
    for (const { id: threadId } of [waiting, answered])
      await as(admin)(support.assign, { params: { threadId }, body: { assigneeId: leaver.id } })
    await as(leaver)(support.reply, { params: { threadId: answered.id }, body: { body: 'Yes.' } })
    await runNotices(service)
    for (const one of [admin, companyAdmin, otherAdmin]) await as(one)(notifications.clear, { query: {} })
    await goes(leaver)
    await runNotices(service)
    const told = async (who: Person) =>
      (await as(who)(notifications.list, {})).items.flatMap(({ title, cta }) =>
        title === 'A question waits for an answer' ? [cta?.url] : [],
      )
    for (const one of [admin, companyAdmin]) expect(await told(one), how).toEqual([`/panel/support/${waiting.id}`])
    expect(await told(otherAdmin), how).toEqual([])
    for (const { id: threadId } of [waiting, answered])
      expect(await as(admin)(support.find, { params: { threadId } }), how).not.toHaveProperty('assignee')
  }
})
