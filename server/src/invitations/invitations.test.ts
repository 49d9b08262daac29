import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { identity } from '@clear-to-post/contract/identity'
import { invitations } from '@clear-to-post/contract/invitations'
import { invitationRules } from '@clear-to-post/domain/invitations'
import { canonicalMailbox } from '@clear-to-post/domain/mailbox'
import { freshDatabase } from '../../test/database.ts'
import { codeFor, mailsTo } from '../../test/mails.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  openService,
  outcome,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { migrate } from '../postgres/migrate.ts'
import { invitationTasks } from './jobs.ts'

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))
let service: Service
let admin: Person
let tenantId: string
let companyAdmin: Person
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
  tenantId = await makeTenant(service, 5)
  companyAdmin = await makePerson(service, 'ADMIN', { tenantId })
})
afterAll(() => service.close())

type Role = 'User' | 'Editor' | 'QA' | 'ADMIN'
const as = (person: Person | null) => callConfirmed(service, person)
const somebody = () => `${randomUUID()}@invited.test`
const send = (by: Person, lines: string[], role: Role = 'QA', to: string | null = tenantId) =>
  as(by)(invitations.send, { body: { role, tenantId: to, lines } })
const listed = async (by: Person, email: string) =>
  (await as(by)(invitations.list, { query: { wheres: [`email:eq:${email}`] } })).items[0]!
/** The token of the newest link that was mailed there. */
const linkTo = async (email: string): Promise<string> =>
  (await mailsTo(service, email)).map(({ text }) => /#invited=([\w-]+)/.exec(text)?.[1]).find(Boolean)!
const invited = async (by: Person = companyAdmin, role: Role = 'QA', to: string | null = tenantId) => {
  const email = somebody()
  await send(by, [email], role, to)
  return { email, token: await linkTo(email) }
}
const password = 'Quiet-harbor-29x'
const open = (token: string, more: { name?: string; password?: string } = {}) =>
  as(null)(invitations.open, {
    body: { token, name: 'Robin Vale', password, ...more, passwordConfirmation: more.password ?? password },
  })
const accept = (person: Person, token: string) => as(person)(invitations.accept, { body: { token } })
const rowOf = async (email: string) =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string; name: string; role: string; tenant_id: string | null; is_confirmed: boolean }>`
      select id, name, role, tenant_id, email_verified_at is not null as is_confirmed from person where email = ${email}`),
  ))!
const emailOf = async ({ id }: Person) =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ email: string }>`select email from person where id = ${id}`),
  ))!.email
const write = (statement: ReturnType<typeof sql>) => service.database.asSystem((tx) => tx.count(statement))

test('an invited person opens the account by the link, and has role, company and a confirmed address', async () => {
  const { email, token } = await invited()
  expect(await as(null)(invitations.read, { body: { token } })).toMatchObject({
    email,
    role: 'QA',
    invitedBy: companyAdmin.name,
    way: 'open-account',
    replaces: false,
  })
  const answer = await open(token)
  expect(await rowOf(email)).toMatchObject({ name: 'Robin Vale', role: 'QA', tenant_id: tenantId, is_confirmed: true })
  expect(await as(null)(identity.customToken, { body: { token: answer.token } })).toHaveProperty('idToken')
  expect(await listed(companyAdmin, email)).toMatchObject({ state: 'accepted', actions: [] })
})

test('a link is good once, also for ten who follow it at the same moment', async () => {
  const { email, token } = await invited()
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcome(open(token))))
  expect(outcomes.filter((one) => one === 'done')).toHaveLength(1)
  for (const one of outcomes)
    expect(['done', 'account.email-taken', 'invitation.sign-in', 'invitation.ended']).toContain(one)
  expect(await outcome(open(token))).toBe('invitation.ended')
  expect((await rowOf(email)).role).toBe('QA')
})

test('each line that was not sent says why, and the others are sent', async () => {
  const colleague = await makePerson(service, 'QA', { tenantId })
  const { email: theirs } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ email: string }>`select email from person where id = ${colleague.id}`),
  ))!
  const waits = (await invited()).email
  const fresh = somebody()
  const { sent, lines } = await send(companyAdmin, [fresh, fresh.toUpperCase(), 'nobody', '  ', waits, theirs])
  expect(sent).toBe(1)
  expect(lines.map(({ error }) => error)).toEqual([
    null,
    expect.stringContaining('above already'),
    expect.stringContaining('no e-mail address'),
    expect.stringContaining('invited already'),
    expect.stringContaining('has a place already'),
  ])
})

test('an address of somebody out of reach is answered like one that nobody has', async () => {
  const elsewhere = await makePerson(service, 'Editor', { tenantId: await makeTenant(service) })
  const { email } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ email: string }>`select email from person where id = ${elsewhere.id}`),
  ))!
  const unknown = somebody()
  const { lines } = await send(companyAdmin, [email, unknown])
  expect(lines).toEqual([
    { line: email, error: null },
    { line: unknown, error: null },
  ])
  const row = await listed(companyAdmin, email)
  const other = await listed(companyAdmin, unknown)
  expect(Object.keys(row)).toEqual(Object.keys(other))
  expect(row).toMatchObject({ state: other.state, actions: other.actions })
})

test('a company’s admin invites to that company alone, and sees and changes no other company’s invitations', async () => {
  const other = await makeTenant(service)
  for (const to of [other, null])
    expect(await outcome(send(companyAdmin, [somebody()], 'ADMIN', to))).toBe('tenant.none')
  const { email } = await invited(admin, 'QA', other)
  expect(await listed(companyAdmin, email)).toBeUndefined()
  const { id } = await listed(admin, email)
  for (const call of [invitations.sendAgain, invitations.withdraw])
    expect(await outcome(as(companyAdmin)(call, { params: { invitationId: id } }))).toBe('invitation.not-found')
  for (const role of ['User', 'Editor', 'QA'] as const)
    expect(await outcome(send(await makePerson(service, role, { tenantId }), [somebody()]))).toBe('access.forbidden')
})

test('a link ends with its time, its withdrawal, the next mail, and the standing of whoever sent it', async () => {
  const late = await invited()
  await write(sql`update invitation set ends_at = now() - interval '1 second' where email = ${late.email}`)
  const back = await invited()
  await as(companyAdmin)(invitations.withdraw, {
    params: { invitationId: (await listed(companyAdmin, back.email)).id },
  })
  const twice = await invited()
  await write(sql`update invitation set sent_at = now() - interval '1 hour' where email = ${twice.email}`)
  const again = { params: { invitationId: (await listed(companyAdmin, twice.email)).id } }
  await as(companyAdmin)(invitations.sendAgain, again)
  const inviter = await makePerson(service, 'ADMIN', { tenantId })
  const orphaned = await invited(inviter)
  await as(companyAdmin)(accounts.update, { body: { userId: inviter.id, role: 'QA' } })
  expect((await listed(companyAdmin, orphaned.email)).state).toBe('void')
  for (const { token } of [late, back, twice, orphaned]) {
    expect(await outcome(as(null)(invitations.read, { body: { token } }))).toBe('invitation.ended')
    expect(await outcome(open(token))).toBe('invitation.ended')
  }
  expect(await outcome(open(await linkTo(twice.email)))).toBe('done')
  // Whoever sends it again vouches for it.
  await write(sql`update invitation set sent_at = now() - interval '1 hour' where email = ${orphaned.email}`)
  await as(companyAdmin)(invitations.sendAgain, {
    params: { invitationId: (await listed(companyAdmin, orphaned.email)).id },
  })
  expect(await outcome(open(await linkTo(orphaned.email)))).toBe('done')
})

test('an account that a stranger opened for the address is taken over without what they put there', async () => {
  const { email, token } = await invited(companyAdmin, 'Editor')
  const planted = 'Planted-pass-77x'
  const stranger = await as(null)(accounts.create, {
    body: { email, name: 'Mallory', password: planted, passwordConfirmation: planted },
  })
  await as(null)(identity.customToken, { body: { token: stranger.token } })
  expect(await as(null)(invitations.read, { body: { token } })).toMatchObject({ way: 'open-account', replaces: true })
  await open(token)
  // Told by mail: it may have been themselves.
  const told = (await mailsTo(service, email)).find(({ subject }) => subject === 'Your password was changed')!
  expect(told.text).toContain('were taken away: Name, photo and settings.')
  expect(await rowOf(email)).toMatchObject({
    name: 'Robin Vale',
    role: 'Editor',
    tenant_id: tenantId,
    is_confirmed: true,
  })
  const families = await service.database.asSystem((tx) =>
    tx.rows(sql`
      select from session_family f join person p on p.id = f.person_id where p.email = ${email} and f.revoked_at is null`),
  )
  expect(families).toEqual([])
  const signIn = (secret: string) => outcome(as(null)(identity.password, { body: { email, password: secret } }))
  expect(await signIn(planted)).toBe('session.wrong-credentials')
  expect(await signIn(password)).toBe('done')
})

test('a confirmed account takes an invitation signed in with that address alone, and the link sets no password', async () => {
  const officer = await makePerson(service, 'User')
  const { email } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ email: string }>`select email from person where id = ${officer.id}`),
  ))!
  await send(companyAdmin, [email], 'User')
  const token = await linkTo(email)
  expect(await as(null)(invitations.read, { body: { token } })).toMatchObject({ way: 'sign-in' })
  expect(await outcome(open(token))).toBe('invitation.sign-in')
  expect(await rowOf(email)).toMatchObject({ tenant_id: null, role: 'User' })
  expect(await outcome(accept(await makePerson(service, 'User'), token))).toBe('invitation.other-person')
  expect(await outcome(callAs(service, officer)(invitations.accept, { body: { token } }))).toBe('session.not-fresh')
  // Moved to another address meanwhile: the link was not sent there.
  await write(sql`update person set email = ${`moved-${email}`} where id = ${officer.id}`)
  expect(await outcome(accept(officer, token))).toBe('invitation.other-person')
  await write(sql`update person set email = ${email} where id = ${officer.id}`)
  expect(await accept(officer, token)).toEqual({ mustChoosePassword: false })
  expect(await rowOf(email)).toMatchObject({ tenant_id: tenantId, role: 'User' })
})

test('an invitation takes nobody out of a company or a role, and whoever is shut out does not come in by one', async () => {
  const other = await makeTenant(service)
  for (const [role, of] of [
    ['User', other],
    ['Editor', null],
    ['ADMIN', null],
  ] as const) {
    const person = await makePerson(service, role, { tenantId: of })
    const { email } = (await service.database.asSystem((tx) =>
      tx.first(sql<{ email: string }>`select email from person where id = ${person.id}`),
    ))!
    await send(companyAdmin, [email])
    expect(await outcome(accept(person, await linkTo(email)))).toBe('invitation.has-place')
    expect(await rowOf(email)).toMatchObject({ role, tenant_id: of })
  }
  const { email, token } = await invited()
  await write(sql`insert into person (email, name, role, is_disabled) values (${email}, 'Shut out', 'User', true)`)
  expect(await outcome(open(token))).toBe('invitation.ended')
})

test('no older link brings back whoever was put out of a company or a role, was shut out, or left the address', async () => {
  const change = (person: Person, to: { tenantId?: null; isDisabled?: boolean; role?: Role }) =>
    as(admin)(accounts.update, { body: { userId: person.id, ...to } })
  const elsewhere = await makeTenant(service)
  const member = async (role: Role = 'User', to: Role = 'Editor') => {
    const person = await makePerson(service, role, { tenantId })
    const email = await emailOf(person)
    // Somebody of staff is invited to more while they are an officer.
    await write(sql`update person set role = 'User' where id = ${person.id}`)
    await send(companyAdmin, [email], to)
    await write(sql`update person set role = ${role} where id = ${person.id}`)
    return { person, email, token: await linkTo(email) }
  }
  const moved = await member()
  await send(await makePerson(service, 'ADMIN', { tenantId: elsewhere }), [moved.email], 'User', elsewhere)
  await change(moved.person, { tenantId: null })
  expect((await listed(companyAdmin, moved.email)).state).toBe('withdrawn')
  expect(await outcome(accept({ ...moved.person, tenantId: null }, moved.token))).not.toBe('done')
  expect(await rowOf(moved.email)).toMatchObject({ role: 'User', tenant_id: null })
  const theirs = await as(admin)(invitations.list, { query: { wheres: [`email:eq:${moved.email}`] } })
  expect(theirs.items.map((one) => [one.tenantId, one.state]).toSorted()).toEqual(
    [
      [tenantId, 'withdrawn'],
      [elsewhere, 'open'],
    ].toSorted(),
  )
  const shutOut = await member()
  await change(shutOut.person, { isDisabled: true })
  const demoted = await member('Editor', 'ADMIN')
  await change(demoted.person, { role: 'User' })
  const away = await member()
  const address = somebody()
  await as(null)(accounts.sendCode, { query: { email: address } })
  const code = await codeFor(service, address)
  await as(away.person)(accounts.changeEmail, { body: { email: address, code } })
  for (const { token } of [moved, shutOut, demoted, away])
    expect(await outcome(as(null)(invitations.read, { body: { token } }))).toBe('invitation.ended')
})

test('no link to another spelling of their mailbox brings back whoever was put out, removed, or moved on', async () => {
  const spellings = async () => {
    const name = randomUUID()
    const person = await makePerson(service, 'User', { tenantId })
    await write(sql`update person set email = ${`${name}@x.test`} where id = ${person.id}`)
    await send(companyAdmin, [`${name}+work@x.test`], 'Editor')
    return { person, email: `${name}+work@x.test`, name, token: await linkTo(`${name}+work@x.test`) }
  }
  const ended = async (token: string) => outcome(as(null)(invitations.read, { body: { token } }))
  const moveTo = async (person: Person, address: string) => {
    await as(null)(accounts.sendCode, { query: { email: address } })
    await as(person)(accounts.changeEmail, { body: { email: address, code: await codeFor(service, address) } })
  }
  const shutOut = await spellings()
  await as(companyAdmin)(accounts.update, { body: { userId: shutOut.person.id, isDisabled: true } })
  const putOut = await spellings()
  await as(admin)(accounts.update, { body: { userId: putOut.person.id, tenantId: null } })
  const away = await spellings()
  await moveTo(away.person, somebody())
  const removed = await spellings()
  await as(companyAdmin)(accounts.remove, { query: { userId: removed.person.id } })
  expect(await listed(companyAdmin, removed.email)).toBeUndefined()
  expect(await outcome(open(removed.token))).toBe('invitation.ended')
  for (const one of [shutOut, putOut, away]) {
    expect((await listed(companyAdmin, one.email)).state).toBe('withdrawn')
    expect(await outcome(open(one.token))).toBe('invitation.ended')
  }
  // Who takes the very spelling that was invited keeps the invitation.
  const same = await spellings()
  await moveTo(same.person, same.email)
  expect(await ended(same.token)).toBe('done')
})

test('an account that never confirmed its address takes no invitation with it when it is shut out', async () => {
  const { email, token } = await invited()
  const stranger = await makePerson(service, 'User')
  await write(sql`update person set email = ${email}, email_verified_at = null where id = ${stranger.id}`)
  await as(admin)(accounts.update, { body: { userId: stranger.id, isDisabled: true } })
  expect((await listed(companyAdmin, email)).state).toBe('open')
  await as(admin)(accounts.update, { body: { userId: stranger.id, isDisabled: false } })
  expect(await outcome(open(token))).toBe('done')
})

test('mails of former days are not counted with those of today', async () => {
  const { email } = await invited()
  const { id } = await listed(companyAdmin, email)
  const again = { params: { invitationId: id } }
  await write(sql`
    update invitation set mailed_at = array_fill(now() - interval '2 days', array[3]), sent_at = now() - interval '2 days',
      created_at = now() - interval '3 days' where id = ${id}`)
  await as(companyAdmin)(invitations.sendAgain, again)
  await write(sql`update invitation set sent_at = now() - interval '11 minutes' where id = ${id}`)
  expect((await as(companyAdmin)(invitations.sendAgain, again)).sentTimes).toBe(5)
  await write(sql`update invitation set sent_at = now() - interval '11 minutes' where id = ${id}`)
  expect(await outcome(as(companyAdmin)(invitations.sendAgain, again))).toBe('invitation.too-many')
  // Two of five went today: three other companies write.
  const errors: (string | null)[] = []
  for (let n = 0; n < 4; n++) {
    const other = await makeTenant(service)
    errors.push((await send(admin, [email], 'QA', other)).lines[0]!.error)
  }
  expect(errors).toEqual([null, null, null, expect.stringContaining('No more mails')])
})

test('mails to one mailbox are counted in turn, whoever sends them at the same moment', async () => {
  const name = randomUUID()
  const ids: string[] = []
  for (let n = 0; n < 8; n++) {
    const email = `${name}+${n}@x.test`
    await send(companyAdmin, [email])
    ids.push((await listed(companyAdmin, email)).id)
    await write(sql`
      update invitation set mailed_at = array[now() - interval '2 days'], sent_at = now() - interval '2 days' where id = ${ids[n]!}`)
  }
  const colleagues = await Promise.all(ids.map(() => makePerson(service, 'ADMIN', { tenantId })))
  const outcomes = await Promise.all(
    ids.map((id, n) => outcome(as(colleagues[n]!)(invitations.sendAgain, { params: { invitationId: id } }))),
  )
  expect(outcomes.filter((one) => one === 'done')).toHaveLength(invitationRules.perMailboxOfOne)
  // Over companies, too, of which each writes the lines in another order.
  const lines = [randomUUID(), randomUUID(), randomUUID()].map((one) => `${one}@x.test`)
  const companies = await Promise.all(Array.from({ length: 8 }, () => makeTenant(service)))
  const admins = await Promise.all(companies.map((to) => makePerson(service, 'ADMIN', { tenantId: to })))
  const answers = await Promise.all(
    companies.map((to, n) => send(admins[n]!, n % 2 ? lines : lines.toReversed(), 'QA', to)),
  )
  expect(answers.reduce((sum, { sent }) => sum + sent, 0)).toBe(lines.length * invitationRules.perMailbox)
})

test('nobody invites in somebody else’s name, and a colleague takes an invitation back without vouching for it', async () => {
  const colleague = await makePerson(service, 'ADMIN', { tenantId })
  const { email } = await invited()
  const { id } = await listed(companyAdmin, email)
  const caller = { id: colleague.id, role: colleague.role, tenantId, securityStamp: null }
  const byHand = (statement: ReturnType<typeof sql>) => service.database.inTenant(caller, (tx) => tx.count(statement))
  await expect(byHand(sql`update invitation set invited_by = ${admin.id} where id = ${id}`)).rejects.toThrow(
    'row-level',
  )
  await expect(
    byHand(sql`
      insert into invitation (email, mailbox, role, tenant_id, invited_by, mail_id, sent_at, mailed_at, ends_at)
      values ('a@b.test', 'a@b.test', 'QA', ${tenantId}, ${admin.id}, ${randomUUID()}, now(), array[now()], now())`),
  ).rejects.toThrow('row-level')
  expect(await as(colleague)(invitations.withdraw, { params: { invitationId: id } })).toMatchObject({
    state: 'withdrawn',
    invitedBy: companyAdmin.name,
  })
})

test('the migrations give every older invitation its mailbox and the moments of its mails', async () => {
  const { ownerUrl, superuserUrl, drop } = await freshDatabase()
  const before = await mkdtemp(join(tmpdir(), 'migrations-before-'))
  const client = new pg.Client({ connectionString: superuserUrl })
  const addresses = [
    'plain@old.test',
    'a+b+c@old.test',
    'first.last+tag@googlemail.com',
    'first.last@gmail.com.old.test',
    '+tag@old.test',
    '+one+two@old.test',
  ]
  try {
    for (const name of await readdir(migrations))
      if (name < '0185') await cp(join(migrations, name), join(before, name))
    await client.connect()
    await client.query('drop schema public cascade; create schema public authorization clear_owner')
    await migrate({ ownerUrl, directory: before })
    await client.query(`
      with someone as (insert into person (email, name, role) values ('a@old.test', 'A', 'ADMIN') returning id)
      insert into invitation (email, mailbox, role, invited_by, mail_id, created_at, sent_at, sent_times, ends_at)
      select email, '', 'QA', id, gen_random_uuid(), '2026-11-20T00:00Z', '2026-11-22T00:00Z', nth, now()
      from someone, unnest(array[${addresses.map((one) => `'${one}'`)}]) with ordinality as one(email, nth)`)
    await migrate({ ownerUrl })
    const { rows } = await client.query(
      `select email, mailbox, to_json(mailed_at)::text as mailed from invitation order by cardinality(mailed_at)`,
    )
    expect(rows.map(({ email, mailbox }) => [email, mailbox])).toEqual(
      addresses.map((email) => [email, canonicalMailbox(email)]),
    )
    expect(rows.map(({ mailed }) => JSON.parse(mailed).map((at: string) => new Date(at).getUTCDate()))).toEqual(
      [[22], [20, 22], [20, 22, 22]].concat([3, 4, 5].map((n) => [20, ...Array<number>(n).fill(22)])),
    )
  } finally {
    await client.end()
    await rm(before, { recursive: true })
    await drop()
  }
})

test('an account that never confirmed its address leaves the invitations to it behind when it moves on', async () => {
  const { email, token } = await invited()
  const stranger = await makePerson(service, 'User')
  await write(sql`update person set email = ${email}, email_verified_at = null where id = ${stranger.id}`)
  const address = somebody()
  await as(null)(accounts.sendCode, { query: { email: address } })
  const code = await codeFor(service, address)
  await as(stranger)(accounts.changeEmail, { body: { email: address, code } })
  expect(await outcome(open(token))).toBe('done')
})

test('links of officers are followed while their inviter changes people, and neither waits for the other', async () => {
  const big = await makeTenant(service, 20)
  const inviter = await makePerson(service, 'ADMIN', { tenantId: big })
  const emails = Array.from({ length: 6 }, somebody)
  await send(inviter, emails, 'User', big)
  const tokens = await Promise.all(emails.map(linkTo))
  const staff = await Promise.all(emails.map(() => makePerson(service, 'Editor', { tenantId: big })))
  const outcomes = await Promise.all([
    ...tokens.map((token) => outcome(open(token))),
    ...staff.map(({ id }) => outcome(as(inviter)(accounts.update, { body: { userId: id, role: 'User' } }))),
  ])
  expect(outcomes).toEqual(outcomes.map(() => 'done'))
})

test('invited staff choose a long password, and an officer who becomes staff chooses a new one', async () => {
  const { token } = await invited()
  expect(await outcome(open(token, { password: 'Ab3-efgh' }))).toBe('account.weak-password')
  const officer = await makePerson(service, 'User', { tenantId })
  const { email } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ email: string }>`select email from person where id = ${officer.id}`),
  ))!
  await send(companyAdmin, [email], 'Editor')
  expect(await accept(officer, await linkTo(email))).toEqual({ mustChoosePassword: true })
  expect(await outcome(callAs(service, officer)(accounts.info, {}))).toBe('session.ended')
  expect((await mailsTo(service, email))[0]!.subject).toBe('Choose a new password')
})

test('officers are invited to as many seats as are left, and each link still asks for one', async () => {
  const small = await makeTenant(service, 1)
  const [first, second] = [somebody(), somebody()]
  const { lines } = await send(admin, [first, second], 'User', small)
  expect(lines.map(({ error }) => error)).toEqual([null, expect.stringContaining('No seat')])
  const token = await linkTo(first)
  await makePerson(service, 'User', { tenantId: small })
  expect(await outcome(open(token))).toBe('tenant.full')
})

test('one mailbox is mailed three times a day by one company, five times by all, however its address is spelled', async () => {
  const name = randomUUID().replaceAll('-', '')
  const spelled = (n: number) =>
    `${name.slice(0, n + 1)}.${name.slice(n + 1)}+${n}@${n % 2 ? 'gmail' : 'googlemail'}.com`
  const { sent, lines } = await send(
    companyAdmin,
    Array.from({ length: 9 }, (_, n) => spelled(n)),
  )
  const full = 'No more mails go to this address today. Try again tomorrow.'
  expect({ sent, errors: lines.map(({ error }) => error) }).toEqual({
    sent: invitationRules.perMailboxOfOne,
    errors: [...Array(invitationRules.perMailboxOfOne).fill(null), ...Array(6).fill(full)],
  })
  const row = await listed(companyAdmin, spelled(0))
  await write(sql`update invitation set sent_at = now() - interval '1 hour' where id = ${row.id}`)
  await expect(as(companyAdmin)(invitations.sendAgain, { params: { invitationId: row.id } })).rejects.toThrow(full)
  // Taken back or not, they leave the others their share.
  await as(companyAdmin)(invitations.withdraw, { params: { invitationId: row.id } })
  const outcomes: (string | null)[] = []
  for (let n = invitationRules.perMailboxOfOne; n <= invitationRules.perMailbox; n++) {
    const other = await makeTenant(service)
    const by = await makePerson(service, 'ADMIN', { tenantId: other })
    outcomes.push((await send(by, [`${name}@gmail.com`], 'QA', other)).lines[0]!.error)
  }
  expect(outcomes).toEqual([null, null, full])
})

test(
  'a company invites 200 people a day, and one person is mailed again after ten minutes',
  { tags: 'long' },
  async () => {
    const busy = await makeTenant(service)
    for (let i = 0; i < invitationRules.perDay; i += invitationRules.lines)
      await send(admin, Array.from({ length: invitationRules.lines }, somebody), 'QA', busy)
    expect(await outcome(send(admin, [somebody()], 'QA', busy))).toBe('invitation.too-many')
    const soon = await invited()
    const again = { params: { invitationId: (await listed(companyAdmin, soon.email)).id } }
    expect(await outcome(as(companyAdmin)(invitations.sendAgain, again))).toBe('invitation.too-many')
  },
)

test('the database holds no link, and of an invitation nothing is left 90 days after its end', async () => {
  const { email, token } = await invited()
  const { found } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ found: string }>`
      select coalesce((select json_agg(v) from invitation v)::text, '') || coalesce((select json_agg(m) from mail m)::text, '')
        || coalesce((select json_agg(j.data) from pgboss.job j)::text, '') as found`),
  ))!
  expect(found).toContain(email)
  expect(found).not.toContain(token)
  const [task] = invitationTasks(service.database)
  await task!.run(new Date(Date.now() + 96 * 86_400_000), new AbortController().signal)
  expect(await listed(companyAdmin, email)).toBeDefined()
  await task!.run(new Date(Date.now() + 98 * 86_400_000), new AbortController().signal)
  expect(await listed(companyAdmin, email)).toBeUndefined()
})
