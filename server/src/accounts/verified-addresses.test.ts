import { randomBytes, randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { calendar } from '@clear-to-post/contract/calendar'
import { identity } from '@clear-to-post/contract/identity'
import { notifications } from '@clear-to-post/contract/notifications'
import { scripts } from '@clear-to-post/contract/scripts'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { freshDatabase } from '../../test/database.ts'
import { codeFor, mailsTo } from '../../test/mails.ts'
import { submitProject } from '../../test/factories.ts'
import {
  callAs,
  callConfirmed,
  confirmed,
  makePerson,
  makeTenant,
  makePicture,
  openService,
  outcome,
  type Person,
  type Service,
} from '../../test/service.ts'
import { fileUrl } from '../assets/addresses.ts'
import { migrate } from '../postgres/migrate.ts'
import { sql, type Caller } from '../kernel/database.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

const password = 'kettle-drum-41'
const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))

test('the migration marks older accounts as verified only where their address was proven', async () => {
  const { ownerUrl, superuserUrl } = await freshDatabase()
  const before = await mkdtemp(join(tmpdir(), 'migrations-before-'))
  const client = new pg.Client({ connectionString: superuserUrl })
  try {
    for (const name of await readdir(migrations))
      if (name < '0040') await cp(join(migrations, name), join(before, name))
    await client.connect()
    await client.query('drop schema public cascade; create schema public authorization clear_owner')
    await migrate({ ownerUrl, directory: before })
    await client.query(`
      insert into person (email, name, role, created_at)
        select local || '@old.test', local, case local when 'editor' then 'Editor' else 'User' end, now() - interval '1 month'
        from unnest(array['editor', 'google', 'planted', 'redeemed', 'unredeemed', 'reset', 'moved', 'reset-by-who-had-it-before', 'never']) local;
      insert into person (email, name, role) values ('officer@demo.test', 'Demo', 'User'), ('removed@old.test', 'R', 'Editor');
      update person set removed_at = now() where email = 'removed@old.test';
      insert into seeded (step) values ('people');
      insert into connected_account (issuer, subject, person_id, provider, email, connected_at)
        select 'https://accounts.google.com', name, id, 'google', email,
          case name when 'google' then created_at else created_at + interval '1 second' end
        from person where name in ('google', 'planted');
      insert into one_time_token (hash, purpose, person_id, email, ends_at, redeemed_at)
        select sha256(name::bytea), 'password', id, email, now(), case name when 'redeemed' then now() end
        from person where name in ('redeemed', 'unredeemed');
      insert into mail (key, recipient, template, data, created_at) values
        ('1', 'reset@old.test', 'passwordChanged', '{}', now()),
        ('2', 'reset-by-who-had-it-before@old.test', 'passwordChanged', '{}', now() - interval '1 year'),
        ('3', 'elsewhere@old.test', 'addressChanged', '{"newAddress": "moved@old.test"}', now()),
        ('4', 'never@old.test', 'code', '{"codeId": "x"}', now());
    `)
    await migrate({ ownerUrl })
    const { rows } = await client.query(
      'select name, email_verified_at, created_at from person order by name collate "C"',
    )
    expect(rows.filter((one) => one.email_verified_at !== null).map(({ name }) => name)).toEqual([
      'Demo',
      'editor',
      'google',
      'moved',
      'redeemed',
      'reset',
    ])
    for (const one of rows) if (one.email_verified_at) expect(one.email_verified_at).toEqual(one.created_at)
  } finally {
    await client.end()
    await rm(before, { recursive: true })
  }
})

/** Opens an account as the specification's call does, and signs in with what it answers. */
const signUp = async (
  email = `${randomUUID().slice(0, 8)}@sign-up.test`,
  more: { invitationCode?: string } = {},
): Promise<Person & { email: string }> => {
  const body = { email, name: 'Maria', password, passwordConfirmation: password, ...more }
  const { token } = await callAs(service, null)(accounts.create, { body })
  const session = await callAs(service, null)(identity.customToken, { body: { token } })
  const { id } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`select id from person where email = ${email}`),
  ))!
  const caller: Caller = { id, role: 'User', tenantId: null, securityStamp: 1 }
  return { ...caller, email, name: 'Maria', token: 'idToken' in session ? session.idToken : '' }
}
const isVerified = async (person: Person) => (await callAs(service, person)(accounts.info, {})).isEmailVerified
const submit = async (person: Person) => outcome(submitProject(service, person, { title: 'A' }))
const verify = (person: Person, code: string) =>
  outcome(callAs(service, person)(accounts.verifyEmail, { body: { code } }))
const reset = async (email: string) => {
  await callAs(service, null)(accounts.sendCode, { query: { email } })
  const pass = 'copper-lantern-77'
  return callAs(service, null)(accounts.changePassword, {
    body: { email, pass, passConfirm: pass, code: await codeFor(service, email) },
  })
}
/** What a new password by code takes from every account whose address was never confirmed. */
const profileOfWhoOpenedIt = { kind: 'profile', name: 'Name, photo and settings' }
const invited = (tenantId: string, email?: string) =>
  service.database
    .asSystem((tx) => tx.first(sql<{ code: string }>`select invite_code as code from tenant where id = ${tenantId}`))
    .then((tenant) => signUp(email, { invitationCode: tenant!.code }))
/** The profile after signing in anew with a password. */
const profileOf = async (email: string, pass: string) => {
  const session = await callAs(service, null)(identity.password, { body: { email, password: pass } })
  return callAs(service, { token: 'idToken' in session ? session.idToken : '' } as Person)(accounts.info, {})
}
const seatsOf = async (tenantId: string): Promise<number> =>
  (await service.database.asSystem((tx) => tx.first(sql<{ taken: number }>`select seats_taken(${tenantId}) as taken`)))!
    .taken
/** Adds every way in besides a password, as an account from before this rule may have. */
const addWays = (person: Person, label: string) =>
  service.database.asSystem(async (tx) => {
    await tx.count(sql`
      insert into connected_account (issuer, subject, person_id, provider, email)
      values ('https://accounts.google.com', ${randomUUID()}, ${person.id}, 'google', ${`${label}@gmail.test`})`)
    await tx.count(sql`
      insert into passkey (person_id, credential, public_key, counter, transports, name)
      values (${person.id}, ${randomUUID()}, '', 0, '{}', ${label})`)
    await tx.count(sql`insert into totp (person_id, secret, confirmed_at) values (${person.id}, '', now())`)
    await tx.count(sql`insert into recovery_code (person_id, hash) values (${person.id}, sha256(${label}::bytea))`)
    await tx.count(sql`insert into calendar_link (person_id, secret_hash) values (${person.id}, ${randomBytes(32)})`)
    await tx.count(sql`update person set fcm_token = ${randomUUID()} where id = ${person.id}`)
  })
const waysLeft = (person: Person) =>
  service.database.asSystem((tx) =>
    tx.first(sql<Record<string, number>>`
      select (select count(*) from connected_account where person_id = ${person.id}) as providers,
        (select count(*) from passkey where person_id = ${person.id}) as passkeys,
        (select count(*) from totp where person_id = ${person.id}) as apps,
        (select count(*) from recovery_code where person_id = ${person.id}) as codes,
        (select count(*) from calendar_link where person_id = ${person.id}) as links,
        (select count(*) from person where id = ${person.id} and fcm_token is not null) as phones`),
  )

test('a new account gets its code at once, and cannot submit a video before it is verified', async () => {
  const person = await signUp()
  expect(await isVerified(person)).toBe(false)
  expect(await submit(person)).toBe('account.unverified')
  const code = await codeFor(service, person.email)
  const [mail] = await mailsTo(service, person.email)
  expect(mail!.text).toContain('Type this code to confirm your e-mail address')
  expect(await verify(person, code === '000000' ? '000001' : '000000')).toBe('account.wrong-code')
  expect(await verify(person, code)).toBe('done')
  expect(await isVerified(person)).toBe(true)
  expect(await submit(person)).toBe('done')
  // Repeated, it changes nothing.
  expect(await verify(person, code)).toBe('done')
})

test('a code for another person’s address verifies nobody', async () => {
  const [person, other] = [await signUp(), await signUp()]
  expect(await verify(person, await codeFor(service, other.email))).toBe('account.wrong-code')
  expect(await isVerified(person)).toBe(false)
})

test('an address change or a new password by code verifies the account', async () => {
  const person = await signUp()
  const after = `${randomUUID().slice(0, 8)}@sign-up.test`
  await callAs(service, null)(accounts.sendCode, { query: { email: after } })
  const body = { email: after, code: await codeFor(service, after) }
  await callConfirmed(service, person)(accounts.changeEmail, { body })
  expect(await isVerified(person)).toBe(true)

  const other = await signUp()
  expect(await reset(other.email)).toEqual({ success: true, kept: [], removed: [profileOfWhoOpenedIt] })
  const { idToken } = (await callAs(service, null)(identity.password, {
    body: { email: other.email, password: 'copper-lantern-77' },
  })) as { idToken: string }
  expect(await isVerified({ ...other, token: idToken })).toBe(true)
})

test('a new password by code removes ways in that a stranger added before the address was verified', async () => {
  const planted = await signUp()
  await addWays(planted, 'stranger')
  expect(await reset(planted.email)).toEqual({
    success: true,
    kept: [],
    removed: expect.arrayContaining([
      { kind: 'passkey', name: 'Passkey “stranger”' },
      { kind: 'authenticator', name: 'Authenticator app' },
      { kind: 'provider', name: 'Google (stranger@gmail.test)' },
      { kind: 'calendar', name: 'The link of your calendar' },
    ]),
  })
  expect(await waysLeft(planted)).toEqual({ providers: 0, passkeys: 0, apps: 0, codes: 0, links: 0, phones: 0 })
  const [mail] = await mailsTo(service, planted.email)
  expect(mail!.text).toContain('were taken away: ')
  expect(mail!.text).toContain('Google (stranger@gmail.test)')
})

test('a new password by code keeps ways in added after verification and lists them, and ends the calendar link', async () => {
  const person = await signUp()
  expect(await verify(person, await codeFor(service, person.email))).toBe('done')
  await addWays(person, 'own')
  const { kept, removed } = await reset(person.email)
  // A stranger with a token could have read the calendar link.
  expect(removed).toEqual([{ kind: 'calendar', name: 'The link of your calendar' }])
  expect(kept.map(({ kind }) => kind).sort()).toEqual(['authenticator', 'passkey', 'provider'])
  expect(await waysLeft(person)).toEqual({ providers: 1, passkeys: 1, apps: 1, codes: 1, links: 0, phones: 0 })
  const [mail] = await mailsTo(service, person.email)
  expect(mail!.text).toContain('These ways still work: ')
  expect(mail!.text).toContain('Passkey “own”')
  expect(mail!.text).toContain('The link of your calendar has ended.')
  expect(mail!.text).not.toContain('were taken away')
  expect(mail!.text).toContain('/panel/profile#security')
})

test('an unverified account can make no calendar link, and opens no page of the payment service', async () => {
  const person = await confirmed(service, await signUp())
  expect(await outcome(callAs(service, person)(calendar.renew, {}))).toBe('account.unverified')
  expect(await outcome(callAs(service, person)(subscriptions.portal, {}))).toBe('account.unverified')
})

test('a new password by code takes away what a stranger chose to hear, and when', async () => {
  const planted = await signUp()
  await callAs(service, planted)(notifications.choose, {
    body: { kinds: [{ kind: 'news', email: 'never' }], quiet: { from: '00:00', until: '23:59' } },
  })
  expect(await choicesOf(planted)).toEqual({ choices: 1, quiet: 1 })
  await reset(planted.email)
  expect(await choicesOf(planted)).toEqual({ choices: 0, quiet: 0 })
})

const choicesOf = (person: Person) =>
  service.database.asSystem((tx) =>
    tx.first(sql<object>`
      select (select count(*) from notification_choice where user_id = ${person.id}) as choices,
        (select count(*) from notification_quiet where user_id = ${person.id}) as quiet`),
  )

test('a new password by code takes a never confirmed account out of the company that opened it', async () => {
  const tenantId = await makeTenant(service)
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  const planted = await invited(tenantId)
  const video = await makePicture(service, planted)
  await callAs(service, planted)(accounts.update, {
    body: {
      profession: 'Planted',
      timezone: 'America/Denver',
      photoUrl: fileUrl(video, '1/thumb.jpg', new Date()),
      preferences: { facebookLink: 'https://planted.test' },
    },
  })
  await callAs(service, planted)(scripts.create, { body: { title: 'Planted', content: 'Words' } })
  const found = async () =>
    (await callAs(service, admin)(accounts.search, { query: { wheres: `email:eq:${planted.email}` } })).items.length
  expect(await found()).toBe(1)

  const { removed } = await reset(planted.email)
  expect(removed).toEqual([
    { kind: 'company', name: 'Your place in the company A tenant' },
    { kind: 'files', name: 'Files and scripts (2)' },
    profileOfWhoOpenedIt,
  ])
  const [mail] = await mailsTo(service, planted.email)
  expect(mail!.text).toContain('Your place in the company A tenant, Files and scripts (2), Name, photo and settings')
  expect(mail!.text).toContain('Do you work at that company? Join it again in your profile')

  expect(await found()).toBe(0)
  const own = await profileOf(planted.email, 'copper-lantern-77')
  expect(own).toMatchObject({
    id: planted.id,
    name: planted.email.split('@')[0],
    role: 'User',
    isEmailVerified: true,
    timezone: 'America/New_York',
    preferences: { isFeedbackEnabled: true },
  })
  for (const field of ['tenantId', 'tenantName', 'profession', 'photoUrl']) expect(own).not.toHaveProperty(field)
  const left = await service.database.asSystem((tx) =>
    tx.first(sql<{ files: number; scripts: number; faces: number }>`
      select (select count(*) from asset where id = ${video}) as files,
        (select count(*) from script where user_id = ${planted.id}) as scripts,
        (select count(*) from asset_face where whose = ${planted.id}) as faces`),
  )
  expect(left).toEqual({ files: 0, scripts: 0, faces: 0 })
})

test('an officer who types the code from sign-up stays in the company, also after a new password', async () => {
  const tenantId = await makeTenant(service, 1)
  const officer = await invited(tenantId)
  expect(await verify(officer, await codeFor(service, officer.email))).toBe('done')
  expect(await seatsOf(tenantId)).toBe(1)
  expect((await reset(officer.email)).removed).toEqual([])
  expect(await profileOf(officer.email, 'copper-lantern-77')).toMatchObject({ name: 'Maria', tenantId })
})

test('nobody with an unconfirmed address becomes staff', async () => {
  const tenantId = await makeTenant(service)
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  const planted = await invited(tenantId)
  for (const role of ['Editor', 'QA', 'ADMIN'] as const)
    expect(await outcome(callConfirmed(service, admin)(accounts.update, { body: { userId: planted.id, role } }))).toBe(
      'account.not-confirmed',
    )
  expect(await verify(planted, await codeFor(service, planted.email))).toBe('done')
  const body = { userId: planted.id, role: 'Editor' as const }
  expect(await callConfirmed(service, admin)(accounts.update, { body })).toMatchObject({ role: 'Editor' })
})

test('a new password by code makes staff whose address was never confirmed an officer without a company', async () => {
  const planted = await invited(await makeTenant(service))
  // Such as one who became staff before that was refused.
  await service.database.asSystem((tx) => tx.count(sql`update person set role = 'ADMIN' where id = ${planted.id}`))
  await callAs(service, null)(accounts.sendCode, { query: { email: planted.email } })
  const pass = 'copper-lantern-77'
  const code = await codeFor(service, planted.email)
  await callAs(service, null)(accounts.changePassword, {
    body: { email: planted.email, pass, passConfirm: pass, code },
  })
  const own = await profileOf(planted.email, pass)
  expect(own.role).toBe('User')
  expect(own).not.toHaveProperty('tenantId')
})

test('an address takes a seat when it is confirmed, and not before', async () => {
  const tenantId = await makeTenant(service, 2)
  const people = await Promise.all(Array.from({ length: 6 }, () => invited(tenantId)))
  expect(await seatsOf(tenantId)).toBe(0)
  const codes = await Promise.all(people.map(({ email }) => codeFor(service, email)))
  const outcomes = await Promise.all(people.map((person, i) => verify(person, codes[i]!)))
  expect(outcomes.toSorted()).toEqual([...Array<string>(4).fill('account.no-seat'), 'done', 'done'])
  expect(await seatsOf(tenantId)).toBe(2)
  // Who found no seat has a confirmed address and no company.
  const late = people[outcomes.indexOf('account.no-seat')]!
  const own = await profileOf(late.email, password)
  expect(own.isEmailVerified).toBe(true)
  expect(own).not.toHaveProperty('tenantId')
})

test('moving an unconfirmed account to a new address takes a seat, or leaves the company when it is full', async () => {
  const tenantId = await makeTenant(service, 1)
  const people = [await invited(tenantId), await invited(tenantId)]
  const outcomes: string[] = []
  for (const person of people) {
    const email = `${randomUUID().slice(0, 8)}@sign-up.test`
    await callAs(service, null)(accounts.sendCode, { query: { email } })
    const body = { email, code: await codeFor(service, email) }
    outcomes.push(await outcome(callConfirmed(service, person)(accounts.changeEmail, { body })))
    const own = await profileOf(email, password)
    expect(own.isEmailVerified).toBe(true)
    expect(own.tenantId).toBe(person === people[0] ? tenantId : undefined)
  }
  expect(outcomes).toEqual(['done', 'account.no-seat'])
})
