import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { support } from '@clear-to-post/contract/support'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { mailsTo, runNotices } from '../../test/mails.ts'
import { callAs, makePerson, makeTenant, openService, outcome, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { askByLetter } from '../support/actions.ts'
import { supportTasks } from '../support/jobs.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

test('a letter of the contact form waits for the service’s admins, and their answer goes out by mail', async () => {
  const admin = await makePerson(service, 'ADMIN')
  const local = await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) })
  const addressOf = async (person: typeof admin) => (await callAs(service, person)(accounts.info, {})).email
  const sent = await send('198.51.100.2', 'Teams', 'How much for ten?\n\nThanks', 'visitor@mail.test')
  const { result } = sent.json() as { result: string }
  expect([sent.statusCode, result]).toEqual([200, expect.stringContaining('Thank you')])
  await runNotices(service)
  expect(await mailsTo(service, await addressOf(admin))).toMatchObject([
    { subject: 'A message waits for an answer', text: expect.stringContaining('contact form') },
  ])
  expect(await mailsTo(service, await addressOf(local))).toEqual([])
  expect((await callAs(service, local)(support.list, {})).items).toEqual([])

  const { items } = await callAs(service, admin)(support.list, {})
  expect(items).toMatchObject([
    { subject: 'Teams', guestEmail: 'visitor@mail.test', state: 'waiting', lastWords: 'How much for ten?\n\nThanks' },
  ])
  const at = { params: { threadId: items[0]!.id } }
  await callAs(service, admin)(support.reply, { ...at, body: { body: 'Ten seats are $900.' } })
  const [answer] = await mailsTo(service, 'visitor@mail.test')
  expect(answer).toMatchObject({ subject: 'Our answer: Teams', text: expect.stringContaining('Ten seats are $900.') })
  expect(answer!.text).toContain('A reply to this e-mail reaches nobody.')
  expect(answer!.text).toContain('/#contact')

  const form = await service.app.inject({
    method: 'POST',
    url: '/api/emails/public/send/',
    remoteAddress: '198.51.100.2',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'subject=By+form&body=Words',
  })
  expect([form.statusCode, form.json()]).toEqual([200, { result }])
  const nameless = (await callAs(service, admin)(support.list, {})).items.find(({ subject }) => subject === 'By form')!
  expect(nameless.actions).toEqual(['assign', 'close'])
  const without = { params: { threadId: nameless.id }, body: { body: 'Who are you?' } }
  expect(await outcome(callAs(service, admin)(support.reply, without))).toBe('support.no-address')
})

/** A process counts the letters of each network, whichever tests it runs: here each test has networks of its own. */
const send = (remoteAddress: string, subject: string, body = 'Words', to?: string) =>
  service.app.inject({
    method: 'POST',
    url: '/api/emails/public/send/',
    remoteAddress,
    payload: { subject, body, ...(to === undefined ? {} : { to }) },
  })
const changed = (statement: ReturnType<typeof sql>) => service.database.asSystem((tx) => tx.count(statement))

test('a letter of marks that cannot be seen is refused', async () => {
  expect((await send('198.51.100.1', 'Nothing', '\u200B')).statusCode).toBe(400)
})

test('one network sends twenty letters a day, and the twenty-first is told to come back tomorrow', async () => {
  for (let sent = 0; sent < mostKept.lettersPerDay; sent++)
    expect((await send('198.51.100.9', `Letter ${sent}`)).statusCode).toBe(200)
  const refused = await send('198.51.100.9', 'One more')
  expect([refused.statusCode, Number(refused.headers['retry-after']) > 80_000]).toEqual([429, true])
  expect(refused.json()).toMatchObject({ message: expect.stringContaining('tomorrow') })
})

test('a letter beyond a thousand closes the oldest that nobody has in hand, and questions stand before letters', async () => {
  const admin = await makePerson(service, 'ADMIN')
  const listed = async (where: string) =>
    (await callAs(service, admin)(support.list, { query: { wheres: [where], perPage: 2 } })).items
  await changed(sql`delete from support_thread`)
  await changed(sql`
    insert into support_thread (subject, assignee_id, since, created_at)
    select 'Letter ' || n, case when n = 1 then ${admin.id}::uuid end, now() - interval '1 day' + n * interval '1 second', now()
    from generate_series(1, ${mostKept.waitingLetters}::integer) n`)
  expect((await send('203.0.113.7', 'Honest')).statusCode).toBe(200)
  expect((await listed('state:eq:closed')).map(({ subject }) => subject)).toEqual(['Letter 2'])
  const asker = await makePerson(service, 'User', { tenantId: await makeTenant(service) })
  await callAs(service, asker)(support.ask, { body: { subject: 'Question', body: 'Words' } })
  expect((await listed('state:eq:waiting')).map(({ subject }) => subject)).toEqual(['Question', 'Letter 1'])

  await changed(sql`update support_thread set assignee_id = ${admin.id}::uuid where person_id is null`)
  const refused = await send('203.0.113.7', 'No place')
  expect([refused.statusCode, refused.json()]).toMatchObject([429, { message: expect.stringContaining('tomorrow') }])
})

const places = mostKept.waitingLetters
/** Letters, a second after each other; `whence`: net and address. */
const fill = (subject: string, count: number, whence: ReturnType<typeof sql>) =>
  changed(sql`
    insert into support_thread (subject, from_net, guest_email, since, created_at)
    select ${subject} || ' ' || n, ${whence}, now() - interval '1 day' + n * interval '1 second', now()
    from generate_series(1, ${count}::integer) n`)
const closed = async () =>
  (
    await service.database.asSystem((tx) =>
      tx.rows(sql<{ subject: string }>`
        select subject from support_thread where state = 'closed' order by since, subject`),
    )
  ).map(({ subject }) => subject)

test('a flood of letters closes its own, the newest first, and none of whoever wrote once or before it', async () => {
  // Sixteen letters from one net, the first of which somebody honest wrote there, in a row of people who wrote once and earlier.
  await changed(sql`delete from support_thread`)
  await fill('Once', places - 16, sql`'198.18.' || n || '.0/24', 'once' || n || '@mail.test'`)
  await fill('Flood', 16, sql`'203.0.113.0/24', null`)
  for (const [ip, subject] of [
    ['192.0.2.50', 'Honest and late'],
    ['203.0.113.200', 'Flood again'],
    ['2001:db8:1:2::3', 'Honest, too'],
  ] as const)
    expect((await send(ip, subject)).statusCode).toBe(200)
  expect(await closed()).toEqual(['Flood 16', 'Flood 15', 'Flood again'])

  // From as many nets as it has letters, with one address in several writings.
  await changed(sql`delete from support_thread`)
  await fill('Once', places - 5, sql`'198.18.' || n || '.0/24', null`)
  await fill(
    'Spread',
    5,
    sql`'203.0.' || n || '.0/24', case when n % 2 = 0 then 'Spread@mail.test' else 'spread@Mail.test' end`,
  )
  for (const last of [51, 52, 53]) expect((await send(`192.0.${last}.1`, `Honest ${last}`)).statusCode).toBe(200)
  const flood = await closed()
  expect([flood.length, flood.filter((subject) => !subject.startsWith('Spread'))]).toEqual([3, []])
})

test('a flood under somebody’s address closes none of theirs, from before it or after it', async () => {
  const ruth = 'ruth@lender.test'
  for (const [nets, of] of [
    ['fifty nets', sql`'203.0.' || n % 50 || '.0/24'`],
    ['as many nets as letters', sql`'203.' || n / 250 || '.' || n % 250 || '.0/24'`],
  ] as const) {
    await changed(sql`delete from support_thread`)
    await send('192.0.10.1', 'Ruth before', 'Words', ruth)
    await changed(sql`update support_thread set since = now() - interval '2 days'`)
    await fill('Once', 100, sql`'198.18.' || n || '.0/24', 'once' || n || '@mail.test'`)
    await fill(
      'Flood',
      places - 101,
      sql`${of}, case when n % 2 = 0 then 'Ruth@lender.test' else 'ruth@lender.test' end`,
    )
    for (const [net, subject, to] of [
      [11, 'Ruth after', 'RUTH@lender.test'],
      [12, 'Honest', 'other@mail.test'],
      [13, 'Ruth again', ruth],
      [14, 'Flood 14', ruth],
      [15, 'Nameless', undefined],
      [16, 'Flood 16', ruth],
    ] as const)
      expect((await send(`192.0.${net}.1`, subject, 'Words', to)).statusCode).toBe(200)
    const found = await closed()
    expect([found.length, found.filter((subject) => !subject.startsWith('Flood'))], nets).toEqual([6, []])
  }
})

test('closed letters that nobody had in hand are erased beyond ten thousand, the oldest first', async () => {
  await changed(sql`delete from support_thread`)
  await changed(sql`
    insert into support_thread (subject, state, since, created_at)
    select 'Closed ' || n, 'closed', now() - n * interval '1 second', now()
    from generate_series(1, ${mostKept.closedLetters + 1}::integer) n`)
  await supportTasks(service.database)[0]!.run(new Date(), new AbortController().signal)
  const [left] = await service.database.asSystem((tx) =>
    tx.rows(sql<{ n: number; oldest: string }>`
      select count(*)::integer as n, (array_agg(subject order by since))[1] as oldest from support_thread`),
  )
  expect(left).toEqual({ n: mostKept.closedLetters, oldest: `Closed ${mostKept.closedLetters}` })
})

test('administrators are told at once of a first letter, and of all that follow once an hour', async () => {
  for (const time of ['09:05', '09:06', '09:07', '09:59', '10:01', '10:02', '13:00'])
    await service.database.asSystem((tx) =>
      askByLetter(
        tx,
        { email: null, subject: time, body: 'Words', fromNet: '192.0.2.0/24' },
        new Date(`2099-01-01T${time}:00Z`),
      ),
    )
  const jobs = await service.database.asSystem((tx) =>
    tx.rows(sql<{ cause: string; at: string }>`
      select data->'notice'->>'cause' as cause, to_char(start_after at time zone 'UTC', 'YYYY HH24:MI') as at
      from pgboss.job where name = 'notice' and data->'notice'->>'cause' like 'letters:2099%' order by 1`),
  )
  expect(
    jobs.map(({ cause, at }) => [cause.slice(19, 24), cause.slice(33), at.startsWith('2099') ? at.slice(5) : 'now']),
  ).toEqual([
    ['09:00', 'first', 'now'],
    ['09:00', 'rest', '10:00'],
    ['10:00', 'rest', '11:00'],
    ['13:00', 'first', 'now'],
  ])
})
