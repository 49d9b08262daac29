import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { CallInput } from '@clear-to-post/contract/call'
import { notifications } from '@clear-to-post/contract/notifications'
import { deliverMails, jobContext, mailsTo } from '../../test/mails.ts'
import { submitProject } from '../../test/factories.ts'
import { callAs, makePerson, makeTenant, openService, type Person, type Service } from '../../test/service.ts'
import { openSmtp } from '../../test/smtp.ts'
import { sql, type Database } from '../kernel/database.ts'
import { registry } from '../main/registry.ts'
import { ownBranding } from '../mail/branding.ts'
import { codeWords, passwordChangedWords, render } from '../mail/templates.ts'
import { openMail } from '../outside/mail.ts'
import { storage } from '../outside/storage.ts'
import { onDisk } from '../../test/on-disk.ts'
import { heldTransactions } from '../../test/held-transactions.ts'
import { sendDue } from './due.ts'
import { kinds, type Kind } from '@clear-to-post/domain/audiences'
import type { Notice } from '@clear-to-post/domain/notice'
import { notify } from './notify.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())
const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const notice = (more: Partial<Notice> = {}): Notice => ({
  kind: 'news',
  title: 'Hello',
  body: 'A word.',
  cta: { label: 'Look', url: '/panel' },
  metadata: {},
  cause: `test:${randomUUID()}`,
  ...more,
})
const tell = (one: Notice, people: readonly Person[], now = new Date()) =>
  service.database.asSystem((tx) =>
    notify(
      tx,
      one,
      people.map(({ id }) => id),
      now,
    ),
  )
const rows = <Row>(query: ReturnType<typeof sql<Row>>) => service.database.asSystem((tx) => tx.rows(query))
const addressOf = async ({ id }: Person) =>
  (await rows(sql<{ email: string }>`select email from person where id = ${id}`))[0]!.email
const mailed = async (person: Person) => mailsTo(service, await addressOf(person))
const subjects = async (person: Person) => (await mailed(person)).map(({ subject }) => subject)
const choose = (person: Person, body: CallInput<typeof notifications.choose>['body']) =>
  callAs(service, person)(notifications.choose, { body })
const inNewYork = () => makePerson(service, 'User', { timeZone: 'America/New_York' })

test('repeated and parallel calls notify each person once, with one mail', async () => {
  const people = await Promise.all(Array.from({ length: 30 }, () => inNewYork()))
  const one = notice()
  const counts = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((n) => tell(one, n % 2 ? people.toReversed() : people.slice(n * 3))),
  )
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30)
  const [count] = await rows(sql<{ notices: number; mails: number; jobs: number }>`
    select (select count(*) from notification where cause = ${one.cause}) as notices,
      (select count(*) from mail m join notification n on m.key = 'notice:' || n.id where n.cause = ${one.cause}) as mails,
      (select count(*) from pgboss.job j join mail m on j.data->>'mailId' = m.id::text
        join notification n on m.key = 'notice:' || n.id where n.cause = ${one.cause}) as jobs`)
  expect(count).toEqual({ notices: 30, mails: 30, jobs: 30 })
})

test('an address that nobody confirmed gets no notice by mail, of no kind, at once or later', async () => {
  const stranger = await makePerson(service, 'User', { isEmailVerified: false, timeZone: 'America/New_York' })
  const officer = await inNewYork()
  const all = Object.keys(kinds) as Kind[]
  for (const kind of all)
    for (const more of [{ isAwaited: true as const }, {}]) await tell(notice({ kind, ...more }), [stranger, officer])
  expect(await mailed(stranger)).toEqual([])
  expect((await mailed(officer)).length).toBeGreaterThanOrEqual(all.length)
  const [told] = await rows(sql<{ n: number }>`select count(*) as n from notification where user_id = ${stranger.id}`)
  expect(told).toEqual({ n: 2 * all.length })
  // What waits when the address becomes another's, which nobody has confirmed yet.
  const leaver = await inNewYork()
  await choose(leaver, { kinds: [{ kind: 'news', email: 'daily' }], quiet: null })
  await tell(notice(), [leaver])
  await rows(sql`update person set email_verified_at = null where id = ${leaver.id}`)
  await sendDue(service.database, new Date(Date.now() + 2 * 86_400_000))
  expect(await mailed(leaver)).toEqual([])
})

test('a thousand people are notified in a few statements, without those who are disabled', async () => {
  const ids = (
    await rows(sql<{ id: string }>`
      insert into person (email, name, role, is_disabled)
      select gen_random_uuid() || '@crowd.test', 'One of many', 'User', n % 100 = 0 from generate_series(1, 1000) n returning id`)
  ).map(({ id }) => id)
  let statements = 0
  const said = await service.database.asSystem((tx) => {
    const count = (async (...args: Parameters<typeof tx.rows>) => (statements++, tx.rows(...args))) as typeof tx.rows
    const counting: typeof tx = {
      ...tx,
      rows: count,
      count: async (query) => (statements++, tx.count(query)),
      first: async (query) => (statements++, tx.first(query)),
      executeSql: async (...args) => (statements++, tx.executeSql(...args)),
    }
    return notify(counting, notice(), ids, new Date())
  })
  expect(said).toBe(990)
  expect(statements).toBeLessThan(15)
})

test('each person gets mails as chosen: at once, in an hourly or daily digest, or only in the panel', async () => {
  const [atOnce, hourly, daily, never] = [await inNewYork(), await inNewYork(), await inNewYork(), await inNewYork()]
  await choose(hourly, { kinds: [{ kind: 'news', email: 'hourly' }] })
  await choose(daily, { kinds: [{ kind: 'news', email: 'daily' }] })
  const { kinds } = await choose(never, { kinds: [{ kind: 'news', email: 'never' }] })
  expect(kinds.map(({ kind, email }) => `${kind} ${email}`)).toEqual([
    'videos at-once',
    'posting at-once',
    'payments at-once',
    'support at-once',
    'news never',
  ])
  await expect(choose(never, { kinds: [{ kind: 'reviews', email: 'daily' }] })).rejects.toMatchObject({
    code: 'request.invalid',
  })
  const all = [atOnce, hourly, daily, never]
  // 2:20 and 2:50 in the afternoon in New York.
  for (const [title, at] of [
    ['First', '18:20'],
    ['Second', '18:50'],
  ])
    // prettier-ignore
    await tell(notice({ title }), all, new Date(`2027-06-01T${at}:00Z`))
  expect(await subjects(atOnce)).toEqual(['Second', 'First'])
  expect(await subjects(hourly)).toEqual([])

  expect(await sendDue(service.database, new Date('2027-06-01T18:59:59Z'))).toBe(0)
  expect(await sendDue(service.database, new Date('2027-06-01T19:00:00Z'))).toBe(1)
  const [digest] = await mailed(hourly)
  expect(digest!.subject).toBe('2 new notifications')
  expect(digest!.text).toMatch(/\* First\nA word\.\nLook: .*\n\n\* Second/)
  expect(await subjects(daily)).toEqual([])
  expect(await sendDue(service.database, new Date('2027-06-02T12:00:00Z'))).toBe(1)
  expect(await subjects(daily)).toEqual(['2 new notifications'])
  expect(await subjects(never)).toEqual([])
  expect((await callAs(service, never)(notifications.list, {})).items).toHaveLength(2)
})

test('a notification that was read in the panel is not in the digest', async () => {
  const person = await inNewYork()
  await choose(person, { kinds: [{ kind: 'news', email: 'hourly' }] })
  for (const title of ['Read', 'Unread']) await tell(notice({ title }), [person], new Date('2027-06-01T18:20:00Z'))
  const read = (await callAs(service, person)(notifications.list, {})).items.find(({ title }) => title === 'Read')!
  await callAs(service, person)(notifications.read, { params: { id: read.id } })
  await sendDue(service.database, new Date('2027-06-01T19:00:00Z'))
  expect(await subjects(person)).toEqual(['Unread'])
  await choose(person, { kinds: [{ kind: 'news', email: 'daily' }] })
  await tell(notice({ title: 'Read before morning' }), [person], new Date('2027-06-01T20:00:00Z'))
  await callAs(service, person)(notifications.readAll, {})
  expect(await sendDue(service.database, new Date('2027-06-02T13:00:00Z'))).toBe(0)
})

test('a notification later than the list that was read is not marked as read with it, and goes into the digest', async () => {
  const person = await inNewYork()
  await choose(person, { kinds: [{ kind: 'news', email: 'hourly' }] })
  await tell(notice({ title: 'In the list' }), [person], new Date('2027-06-01T18:20:00.000Z'))
  const list = async () => (await callAs(service, person)(notifications.list, {})).items
  const until = (await list())[0]!.deliveredAt
  await tell(notice({ title: 'Later' }), [person], new Date('2027-06-01T18:20:00.001Z'))
  await callAs(service, person)(notifications.readAll, { query: { until } })
  const isRead = (await list()).map(({ title, openedAt }) => [title, openedAt !== undefined])
  expect(isRead).toEqual([
    ['Later', false],
    ['In the list', true],
  ])
  await sendDue(service.database, new Date('2027-06-01T19:00:00Z'))
  expect(await subjects(person)).toEqual(['Later'])
})

test('a reviewer of another company now reads nothing more of the old one, in the panel or by mail', async () => {
  const [here, there] = [await makeTenant(service), await makeTenant(service)]
  const reviewer = await makePerson(service, 'QA', { tenantId: here, timeZone: 'America/New_York' })
  const officer = await makePerson(service, 'User', { tenantId: here })
  const { id: about } = await submitProject(service, officer)
  await choose(reviewer, { kinds: [{ kind: 'reviews', email: 'hourly' }] })
  const [of, news] = [notice({ title: 'A cut waits', kind: 'reviews', about }), notice({ title: 'News' })]
  for (const one of [of, news]) await tell(one, [reviewer], new Date('2027-07-01T18:20:00Z'))
  const titles = async (who: Person) =>
    (await callAs(service, who)(notifications.list, {})).items.map(({ title }) => title)
  expect((await titles(reviewer)).toSorted()).toEqual(['A cut waits', 'News'])
  const { stamp } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ stamp: number }>`
      update person set tenant_id = ${there} where id = ${reviewer.id} returning security_stamp as stamp`),
  ))!
  const caller = { id: reviewer.id, role: 'QA' as const, tenantId: there, securityStamp: stamp }
  const moved = { ...reviewer, ...caller, token: await service.identity.signIdToken(caller) }
  expect(await titles(moved)).toEqual(['News'])
  const { id } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`select id from notification where user_id = ${reviewer.id} and title = 'A cut waits'`),
  ))!
  await expect(callAs(service, moved)(notifications.read, { params: { id } })).rejects.toMatchObject({
    code: 'notification.not-found',
  })
  await sendDue(service.database, new Date('2027-07-01T19:00:00Z'))
  expect(await subjects(reviewer)).not.toContain('A cut waits')
})

test('somebody moved away from a project, or without the role, is told nothing new about it by any channel', async () => {
  const [here, there] = [await makeTenant(service), await makeTenant(service)]
  const officer = await makePerson(service, 'User', { tenantId: here })
  const [stays, moved, demoted] = [
    await makePerson(service, 'Editor', { tenantId: here }),
    await makePerson(service, 'Editor', { tenantId: here }),
    await makePerson(service, 'Editor', { tenantId: here }),
  ]
  const ofAll = await makePerson(service, 'Editor')
  const everybody = [officer, stays, moved, demoted, ofAll]
  const { id: about } = await submitProject(service, officer)
  await rows(sql`
    with family as (
      insert into session_family (person_id, ends_at)
      select id, now() + interval '1 day' from unnest(${everybody.map(({ id }) => id)}::uuid[]) as u(id)
      returning id, person_id)
    insert into push_device (person_id, family_id, endpoint, p256dh, auth, name)
    select person_id, id, 'https://push.test/' || id, 'p', 'a', 'Phone' from family`)
  await rows(sql`update person set tenant_id = ${there} where id = ${moved.id}`)
  await rows(sql`update person set role = 'User' where id = ${demoted.id}`)
  const of = notice({ title: 'A comment was answered', kind: 'videos', isAwaited: true, about })
  const reached = [officer, stays, ofAll].map(({ id }) => id).toSorted()
  expect(await tell(of, everybody)).toBe(reached.length)
  const [told] = await rows(sql<{ panel: string[]; mailed: string[]; pushed: string[] }>`
    select (select array_agg(user_id::text order by user_id::text) from notification where cause = ${of.cause}) as panel,
      (select array_agg(n.user_id::text order by n.user_id::text) from mail m join notification n on m.key = 'notice:' || n.id
        where n.cause = ${of.cause}) as mailed,
      (select array_agg(person_id::text order by person_id::text) from push_delivery
        where key = ${`notice:${of.cause}`}) as pushed`)
  expect(told).toEqual({ panel: reached, mailed: reached, pushed: reached })
  expect(await tell(notice({ kind: 'videos' }), everybody)).toBe(everybody.length)
})

test('quiet hours delay mails, also across a clock change, and urgent ones are sent at once', async () => {
  const person = await inNewYork()
  await choose(person, { quiet: { from: '21:00', until: '07:00' } })
  await tell(notice({ title: 'Late' }), [person], new Date('2027-03-14T03:30:00Z'))
  await tell(notice({ title: 'Time to post', kind: 'posting' }), [person], new Date('2027-03-14T03:30:00Z'))
  expect(await subjects(person)).toEqual(['Time to post'])
  // Seven in the morning of daylight time, an hour earlier than the day before.
  expect(await sendDue(service.database, new Date('2027-03-14T10:59:00Z'))).toBe(0)
  expect(await sendDue(service.database, new Date('2027-03-14T11:00:00Z'))).toBeGreaterThan(0)
  expect(await subjects(person)).toEqual(['Late', 'Time to post'])
  // A worker that was away until the next night waits for the next morning.
  await tell(notice({ title: 'Held' }), [person], new Date('2027-03-15T03:30:00Z'))
  expect(await sendDue(service.database, new Date('2027-03-16T02:00:00Z'))).toBe(0)
  await sendDue(service.database, new Date('2027-03-16T11:00:00Z'))
  expect((await subjects(person))[0]).toBe('Held')
})

test('several pushes delayed by quiet hours are sent as one', async () => {
  const person = await inNewYork()
  await rows(sql`
    with family as (insert into session_family (person_id, ends_at) values (${person.id}, now() + interval '1 day') returning id)
    insert into push_device (person_id, family_id, endpoint, p256dh, auth, name)
    select ${person.id}, id, 'https://push.test/' || id, 'p', 'a', 'Phone' from family`)
  await choose(person, { quiet: { from: '21:00', until: '07:00' } })
  await tell(
    notice({ title: 'Day', cta: { label: 'Site', url: 'https://elsewhere.test/' } }),
    [person],
    new Date('2027-06-01T15:00:00Z'),
  )
  for (const title of ['One', 'Two']) await tell(notice({ title }), [person], new Date('2027-06-02T03:00:00Z'))
  await sendDue(service.database, new Date('2027-06-02T11:00:00Z'))
  const pushes = await rows(sql<{ title: string; body: string; url: string }>`
    select m.title, m.body, m.url from push m join push_delivery x on x.push_id = m.id where x.person_id = ${person.id} order by x.id`)
  expect(pushes).toEqual([
    { title: 'Day', body: 'A word.', url: '/panel/notifications' },
    { title: '2 new notifications', body: 'One · Two', url: '/panel/notifications' },
  ])
})

test('a digest is sent once although its sending is killed and several run in parallel', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => inNewYork()))
  for (const person of people) await choose(person, { kinds: [{ kind: 'news', email: 'hourly' }] })
  await tell(notice(), people, new Date('2027-06-01T18:20:00Z'))
  await tell(notice(), people, new Date('2027-06-01T18:21:00Z'))
  const dying: Database = {
    ...service.database,
    asSystem: (work) =>
      service.database.asSystem(async (tx) => {
        await work(tx)
        await tx.rows(sql`select pg_terminate_backend(pg_backend_pid())`)
        throw new Error('killed')
      }),
  }
  const due = new Date('2027-06-01T19:00:00Z')
  await expect(sendDue(dying, due)).rejects.toThrow()
  await expect(sendDue(dying, due)).rejects.toThrow()
  const left = await Promise.all([1, 2, 3, 4].map(() => sendDue(service.database, due)))
  expect(left.reduce((sum, count) => sum + count, 0)).toBe(5)
  for (const person of people) expect(await subjects(person)).toEqual(['2 new notifications'])
})

test('a mail has the company’s branding, a plain text part and unsubscribe headers; its logo holds no connection', async () => {
  const tenantId = await makeTenant(service)
  const logo = randomUUID()
  await storage().makeFolder(logo, '1')
  await writeFile(onDisk().path(logo, '1/original.png'), Buffer.from(onePoint, 'base64'))
  const staff = await makePerson(service, 'ADMIN', { tenantId })
  await rows(sql`
    insert into asset (id, tenant_id, author_id, purpose, file_name, extension, file_size, state, type, sha256, probe, derived)
    values (${logo}, ${tenantId}, ${staff.id}, 'source', 'logo.png', 'png', 100, 'ready', 'picture', 'x', '{"kind":"picture"}',
      '{"original":"1/original.png"}')`)
  const preferences = JSON.stringify({ primaryColor: '#ffe600', logoUrl: `/media/${logo}/original.png` })
  await rows(sql`update tenant set name = 'Harbor <Home>', preferences = ${preferences}::jsonb where id = ${tenantId}`)
  const person = await makePerson(service, 'User', { tenantId })
  const server = await openSmtp()
  open.push(server)
  await tell(notice({ title: 'Film one', body: 'One.\n\nTwo.' }), [person])
  const [waiting] = await rows(sql<{ id: string }>`
    select m.id from mail m join notification n on m.key = 'notice:' || n.id where n.user_id = ${person.id}`)
  openMail({ ...service.config, smtpUrl: server.url })
  const held: string[] = []
  const openFile = storage().open
  const opened = vi.spyOn(storage(), 'open').mockImplementation(async (...of) => {
    held.push(...(await heldTransactions(service.urls.superuserUrl)))
    return openFile(...of)
  })
  try {
    await registry.mail.run({ mailId: waiting!.id }, jobContext(service))
    expect([opened.mock.calls.length, held]).toEqual([1, []])
  } finally {
    opened.mockRestore()
  }
  const raw = server.received[0]!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=').replaceAll('\r\n ', ' ')
  expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  const url = /^List-Unsubscribe: <(http[^>]+)>\r$/m.exec(raw)![1]!
  expect(raw).toMatch(/<img src="cid:logo" alt="Harbor &lt;Home&gt;"/)
  expect(raw).toMatch(/Content-ID: <logo>/i)
  expect(raw.replaceAll('\r\n', '')).toContain(onePoint.slice(0, -2))
  expect(raw).toContain('Film one')
  // Yellow is no background for white text, and no text colour on white.
  expect(raw).not.toMatch(/color:#ffe600/)

  const at = url.slice(new URL(url).origin.length)
  const email = async () =>
    (await callAs(service, person)(notifications.choices, {})).kinds.find(({ kind }) => kind === 'news')!.email
  const shown = await service.app.inject(at)
  expect(shown.statusCode).toBe(200)
  expect(shown.body).toContain('<form method="post">')
  expect(shown.body).toContain('/panel/profile#notifications')
  expect(await email()).toBe('at-once')
  const once = await service.app.inject({
    method: 'POST',
    url: at,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  })
  expect(once.statusCode).toBe(200)
  expect(await email()).toBe('never')
  const form = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
  expect((await service.app.inject({ method: 'POST', url: at, headers: multipart, payload: form })).statusCode).toBe(
    200,
  )
  await tell(notice(), [person])
  expect(await subjects(person)).toEqual([])

  const last = at.at(-1) === 'A' ? 'B' : 'A'
  for (const wrong of [
    at.slice(0, -1) + last,
    at.replace('news', 'videos'),
    '/unsubscribe',
    '/unsubscribe?token=x&token=y',
  ])
    for (const method of ['GET', 'POST'] as const)
      expect((await service.app.inject({ method, url: wrong })).statusCode).toBe(404)

  // With a damaged link a browser gets a page with a way on, and a program JSON.
  const address = await service.app.listen({ port: 0 })
  const asked = async (url: string, accept: string) => {
    const answer = await fetch(address + url, { headers: { accept } })
    return [answer.status, answer.headers.get('content-type')!.split(';')[0], (await answer.text()).includes('<a href')]
  }
  const endless = `/unsubscribe?token=${'a'.repeat(20_000)}`
  expect(await asked('/unsubscribe?token=%ZZ', 'text/html')).toEqual([404, 'text/html', true])
  expect(await asked('/unsubscribe%ZZ', 'text/html')).toEqual([400, 'text/html', true])
  expect(await asked('/unsubscribe%ZZ', '*/*')).toEqual([400, 'application/json', false])
  expect(await asked(endless, 'text/html')).toEqual([413, 'text/html', true])
  expect(await asked(`/api${endless}`, 'text/html')).toEqual([413, 'application/json', false])
})

test('a mail that is refused marks its notification in the panel as failed', async () => {
  const person = await inNewYork()
  const refusing = await openSmtp({}, () => Object.assign(new Error('no'), { responseCode: 554 }))
  open.push(refusing)
  await tell(notice({ title: 'Lost' }), [person])
  await deliverMails({ ...service, config: { ...service.config, smtpUrl: refusing.url } }, await addressOf(person))
  const [item] = (await callAs(service, person)(notifications.list, {})).items
  expect(item).toMatchObject({ title: 'Lost', status: 'failed', error: 'The e-mail could not be delivered.' })
  openMail(service.config)
})

test('codes and security mails have no unsubscribe link', async () => {
  for (const words of [passwordChangedWords({}), codeWords('123456', 'known', 10)])
    expect(render({ ...words, branding: ownBranding }, 'https://clear.test')).toMatchObject({ unsubscribe: undefined })
})

const onePoint = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
