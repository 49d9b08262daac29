import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { audit } from '@clear-to-post/contract/audit'
import { addressOf } from '@clear-to-post/contract/client'
import { identity } from '@clear-to-post/contract/identity'
import { projects } from '@clear-to-post/contract/projects'
import { scripts } from '@clear-to-post/contract/scripts'
import { keyCallsPerMinute, mostKept } from '@clear-to-post/domain/most-kept'
import { scopesOf, type Scope } from '@clear-to-post/domain/scopes'
import { sessionEnds, type SessionEnd } from '@clear-to-post/domain/session-ends'
import { createPerson } from '../accounts/actions.ts'
import { applyProviderNotice, endIdTokens, endSessions } from '../identity/actions.ts'
import { sql } from '../kernel/database.ts'
import { suppressOldDeliveries } from '../main/old-deliveries.ts'
import { submitProject } from '../../test/factories.ts'
import { codeFor, mailsTo } from '../../test/mails.ts'
import {
  callAs,
  callConfirmed,
  confirmed,
  makeOfficer,
  makePerson,
  makeTenant,
  openService,
  outcome,
  type Person,
  type Service,
} from '../../test/service.ts'
import { hashOf } from './read-key.ts'
import { keysOf } from './store.ts'

let service: Service
beforeAll(async () => void (service = await openService({}, undefined, { limits: true })))
afterAll(() => service.close())

const make = async (person: Person, scopes: Scope[] = ['videos.read']) => {
  const { key, made } = await callConfirmed(service, person)(apiKeys.create, {
    body: { name: 'Reports', scopes, days: 30 },
  })
  return { ...made, key, person: { ...person, token: key } }
}
const list = (person: Person) => outcome(callAs(service, person)(projects.list, {}))
const uploading = async (person: Person) =>
  service.app.inject({
    method: 'POST',
    url: '/uploads',
    headers: { authorization: `Bearer ${person.token}`, 'tus-resumable': '1.0.0', 'upload-length': '5' },
  })

test('a key reads what its owner reads, is shown once and is kept as a hash', async () => {
  const officer = await makeOfficer(service)
  const { key, prefix, id, person } = await make(officer)
  expect(key).toMatch(/^ctp_[\w-]{43}$/)
  expect(key.startsWith(prefix)).toBe(true)
  expect((await callAs(service, person)(projects.list, {})).items).toEqual([])
  const { items, offered } = await callAs(service, officer)(apiKeys.list, {})
  expect(items).toMatchObject([{ id, name: 'Reports', scopes: ['videos.read'], state: 'good' }])
  expect(items[0]!.lastUsedAt).not.toBe(null)
  expect(offered).toEqual(scopesOf('User'))
  const row = await service.database.asSystem((tx) =>
    tx.first(sql`select k::text as text from api_key k where id = ${id}`),
  )
  expect(JSON.stringify(row)).not.toContain(key.slice(10))
})

test('the owner of a key is told by mail that it was made, and that somebody else revoked it', async () => {
  const tenantId = await makeTenant(service)
  const [officer, admin] = [
    await makePerson(service, 'User', { tenantId }),
    await makePerson(service, 'ADMIN', { tenantId }),
  ]
  const { email } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ email: string }>`select email from person where id = ${officer.id}`),
  ))!
  const told = async () => (await mailsTo(service, email)).map(({ subject }) => subject)
  const [one, other] = [await make(officer), await make(officer)]
  expect(await told()).toEqual(Array(2).fill('An API key was made in your name'))
  const revoke = (who: Person, keyId: string) => callAs(service, who)(apiKeys.revoke, { params: { keyId } })
  await revoke(officer, one.id)
  await revoke(admin, one.id)
  expect(await told()).toHaveLength(2)
  await revoke(admin, other.id)
  await revoke(admin, other.id)
  const mails = await mailsTo(service, email)
  expect(mails).toHaveLength(3)
  expect(mails[0]!.subject).toBe('Your API key was revoked')
  expect(JSON.stringify(mails)).toContain(`“Reports” (${other.prefix}…)`)
  expect(JSON.stringify(mails)).not.toContain(other.key)
})

const makeForCompany = async (admin: Person, scopes: Scope[] = ['videos.read', 'people.read', 'scripts.write']) => {
  const { key, made } = await callConfirmed(service, admin)(apiKeys.create, {
    body: { name: 'Warehouse', scopes, days: 30, forCompany: true },
  })
  return { ...made, key, person: { ...admin, id: 'nobody', token: key } }
}
const subjectsOf = async (person: Person) => {
  const row = await service.database.asSystem((tx) =>
    tx.first(sql<{ email: string }>`select email from person where id = ${person.id}`),
  )
  return (await mailsTo(service, row!.email)).map(({ subject }) => subject)
}

test('a company’s key acts for it within its scopes, and goes on when the admin who made it is removed', async () => {
  const tenantId = await makeTenant(service)
  const [admin, other, officer] = [
    await makePerson(service, 'ADMIN', { tenantId }),
    await makePerson(service, 'ADMIN', { tenantId }),
    await makePerson(service, 'User', { tenantId }),
  ]
  const { id } = await submitProject(service, officer)
  const elsewhere = await submitProject(service, await makeOfficer(service))
  const made = await makeForCompany(admin)
  const byKey = callAs(service, made.person)
  const seen = async () => (await byKey(projects.list, {})).items.map((one) => one.id)
  expect(await seen()).toEqual([id])
  expect(await outcome(byKey(projects.find, { params: { projectId: elsewhere.id } }))).toBe('project.not-found')
  expect(await outcome(byKey(projects.cancel, { params: { projectId: id } }))).toBe('api-key.scope')
  expect(await outcome(byKey(apiKeys.list, {}))).toBe('api-key.scope')
  expect(await outcome(byKey(scripts.create, { body: { title: 'Rates', content: 'Words' } }))).toBe('done')

  await callConfirmed(service, admin)(accounts.remove, {})
  expect(await seen()).toEqual([id])
  // Every admin hears of it, and ends it.
  expect(await subjectsOf(other)).toEqual(['An API key of your company was made'])
  await callAs(service, other)(apiKeys.revoke, { params: { keyId: made.id } })
  expect(await list(made.person)).toBe('api-key.ended')
  expect((await subjectsOf(other))[0]).toBe('An API key of your company was revoked')
})

test('a company’s key is made and ended by its own admins alone, and listed as the company’s', async () => {
  const tenantId = await makeTenant(service)
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  for (const person of [
    await makePerson(service, 'User', { tenantId }),
    await makePerson(service, 'QA', { tenantId }),
    await makePerson(service, 'ADMIN'),
  ]) {
    expect(await outcome(makeForCompany(person, ['scripts.write']))).toBe('api-key.not-yours')
    expect((await callAs(service, person)(apiKeys.list, {})).offeredForCompany).toEqual([])
  }
  expect((await callAs(service, admin)(apiKeys.list, {})).offeredForCompany).toEqual(
    scopesOf('ADMIN', { isCompanys: true }),
  )
  const { id } = await makeForCompany(admin)
  const revoke = (person: Person) => outcome(callAs(service, person)(apiKeys.revoke, { params: { keyId: id } }))
  const stranger = await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) })
  for (const person of [
    await makePerson(service, 'User', { tenantId }),
    await makePerson(service, 'QA', { tenantId }),
    stranger,
  ])
    expect(await revoke(person)).toBe('api-key.not-found')
  expect((await callAs(service, stranger)(apiKeys.ofCompany, { query: {} })).items).toEqual([])
  const { name: company } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ name: string }>`select name from tenant where id = ${tenantId}`),
  ))!
  const listed = async (person: Person) =>
    (await callAs(service, person)(apiKeys.ofCompany, { query: {} })).items.find((one) => one.id === id)
  for (const person of [admin, await makePerson(service, 'ADMIN')])
    expect(await listed(person)).toMatchObject({ ownerName: company, ownerEmail: '', isCompanys: true, state: 'good' })
  // It is no key of the person who made it, and no person of the company.
  expect((await callAs(service, admin)(apiKeys.list, {})).items).toEqual([])
  const people = (await callAs(service, admin)(accounts.search, { query: {} })).items.map(({ name }) => name)
  expect(people).not.toContain('The company')
})

test('a company’s key has no part in a cut, so no ADMIN approves by themselves what they did by it', async () => {
  const tenantId = await makeTenant(service)
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  const { id: projectId } = await submitProject(service, await makePerson(service, 'User', { tenantId }))
  const made = await makeForCompany(admin, ['videos.read', 'videos.write'])
  const byKey = callAs(service, made.person)
  expect(await outcome(byKey(projects.start, { body: { projectId } }))).toBe('api-key.scope')
  expect(await outcome(byKey(projects.send, { params: { projectId }, body: { finalVideoId: projectId } }))).toBe(
    'api-key.scope',
  )
  const upload = await service.app.inject({
    method: 'POST',
    url: '/uploads',
    headers: { authorization: `Bearer ${made.key}`, 'tus-resumable': '1.0.0', 'upload-length': '10' },
  })
  expect([upload.statusCode, upload.body]).toEqual([403, expect.stringContaining('api-key.scope')])
  expect(await outcome(makeForCompany(admin, ['edits.write']))).toBe('api-key.not-yours')
})

test('an address that somebody took before keeps no company from its keys, and no person from being removed', async () => {
  const tenantId = await makeTenant(service)
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  const officer = await makePerson(service, 'User', { tenantId })
  for (const [person, email] of [
    [await makeOfficer(service), `company-${tenantId}@keys.invalid`],
    [await makeOfficer(service), `removed-${officer.id}@removed.invalid`],
  ] as const)
    await service.database.asSystem((tx) => tx.count(sql`update person set email = ${email} where id = ${person.id}`))
  expect(await list((await makeForCompany(admin)).person)).toBe('done')
  expect(await outcome(callConfirmed(service, officer)(accounts.remove, {}))).toBe('done')
})

test('a company’s keys are refused while no ADMIN of it may sign in, and go on with the next', async () => {
  const tenantId = await makeTenant(service)
  const { person } = await makeForCompany(await makePerson(service, 'ADMIN', { tenantId }))
  const shut = (isShut: boolean) =>
    service.database.asSystem((tx) =>
      tx.count(sql`update person set is_disabled = ${isShut} where tenant_id = ${tenantId} and not is_company`),
    )
  await shut(true)
  expect(await list(person)).toBe('api-key.ended')
  await shut(false)
  expect(await list(person)).toBe('done')
})

test('a company’s key ends with its company or a restored copy, and waits for a second factor of its admins', async () => {
  const tenantId = await makeTenant(service)
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  const { person } = await makeForCompany(admin)
  const set = (column: ReturnType<typeof sql>) =>
    service.database.asSystem((tx) => tx.count(sql`update tenant set ${column} where id = ${tenantId}`))
  await set(sql`require_second_factor = true`)
  expect(await list(person)).toBe('api-key.ended')
  await service.database.asSystem((tx) =>
    tx.count(sql`insert into totp (person_id, secret, confirmed_at) values (${admin.id}, '\\x01', now())`),
  )
  expect(await list(person)).toBe('done')
  await set(sql`is_active = false`)
  expect(await list(person)).toBe('api-key.ended')
  await set(sql`is_active = true`)
  await suppressOldDeliveries(service.database, { asOf: new Date(), now: new Date() })
  expect(await list(person)).toBe('api-key.ended')
})

test('a company makes twenty keys a day, so that making and revoking fills nobody’s mailbox', async () => {
  const tenantId = await makeTenant(service)
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  for (let made = 0; made < mostKept.apiKeys; made++)
    await callAs(service, admin)(apiKeys.revoke, { params: { keyId: (await makeForCompany(admin)).id } })
  expect(await outcome(makeForCompany(admin))).toBe('api-key.too-many')
  // An admin's own keys are told to them alone, and other companies have their own count.
  expect(await outcome(make(admin))).toBe('done')
  const other = await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) })
  expect(await outcome(makeForCompany(other))).toBe('done')
})

test('however many keys an ADMIN makes for the company, a colleague still hears of one in their own name', async () => {
  const tenantId = await makeTenant(service)
  const [admin, colleague] = [
    await makePerson(service, 'ADMIN', { tenantId }),
    await makePerson(service, 'ADMIN', { tenantId }),
  ]
  for (let made = 0; made < mostKept.apiKeys; made++) await makeForCompany(admin)
  const own = await make(colleague)
  const told = await subjectsOf(colleague)
  expect(told).toHaveLength(mostKept.apiKeys + 1)
  expect(told).toContain('An API key was made in your name')
  await callAs(service, admin)(apiKeys.revoke, { params: { keyId: own.id } })
  expect(await subjectsOf(colleague)).toContain('Your API key was revoked')
})

test('however many of the company’s keys an ADMIN revokes, a colleague hears of one that another revoked', async () => {
  const tenantId = await makeTenant(service)
  const [admin, robbed, colleague] = [
    await makePerson(service, 'ADMIN', { tenantId }),
    await makePerson(service, 'ADMIN', { tenantId }),
    await makePerson(service, 'ADMIN', { tenantId }),
  ]
  const revoke = async (who: Person, keyId: string) => callAs(service, who)(apiKeys.revoke, { params: { keyId } })
  const before = await makeForCompany(admin)
  const superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
  await superuser.connect()
  await superuser.query(`update api_key set created_at = now() - interval '2 days' where id = '${before.id}'`)
  await superuser.end()
  for (let ended = 0; ended < mostKept.alarmsPerDay; ended++) await revoke(admin, (await makeForCompany(admin)).id)
  await revoke(robbed, before.id)
  const told = await service.database.asSystem((tx) =>
    tx.rows(sql<{ body: string }>`
      select m.data->>'body' as body from mail m join person p on p.email = m.recipient
      where p.id = ${colleague.id} and m.key like 'company-key-revoked:%' order by m.created_at, m.id`),
  )
  expect(told).toHaveLength(mostKept.alarmsPerDay + 1)
  expect(told.filter(({ body }) => body.includes('What they do after it today'))).toHaveLength(1)
})

test('nobody signs in as a company, and no row of a person becomes one that is open', async () => {
  const tenantId = await makeTenant(service)
  await makeForCompany(await makePerson(service, 'ADMIN', { tenantId }))
  const company = (await service.database.asSystem((tx) =>
    tx.first(sql<Person & { securityStamp: number }>`
      select id, role, tenant_id as "tenantId", security_stamp as "securityStamp" from person where tenant_id = ${tenantId} and is_company`),
  ))!
  // With its own right stamp, and without a key.
  await expect(service.database.inTenant(company, (tx) => tx.rows(sql`select`))).rejects.toMatchObject({
    code: 'CT401',
  })
  for (const change of [sql`is_disabled = false`, sql`tenant_id = null`, sql`role = 'QA'`])
    await expect(
      service.database.asSystem((tx) => tx.count(sql`update person set ${change} where id = ${company.id}`)),
    ).rejects.toMatchObject({ constraint: 'company_is_shut' })
})

test('a step by a company’s key is the company’s in the ledger, and the making of the key its admin’s', async () => {
  const tenantId = await makeTenant(service)
  const [admin, officer] = [
    await makePerson(service, 'ADMIN', { tenantId }),
    await makePerson(service, 'User', { tenantId }),
  ]
  const { id: projectId } = await submitProject(service, officer)
  const made = await makeForCompany(admin, ['videos.read', 'videos.write'])
  await callAs(service, made.person)(projects.cancel, { params: { projectId } })
  const step = (await callAs(service, admin)(projects.find, { params: { projectId } })).timeline.at(-1)
  expect(step).toMatchObject({
    metadata: { verb: 'cancel', actorRole: 'ADMIN' },
    key: { name: 'Warehouse', isCompanys: true },
  })
  expect((await callAs(service, officer)(projects.find, { params: { projectId } })).timeline.at(-1)).not.toHaveProperty(
    'key',
  )
  const { items } = await callAs(service, admin)(audit.list, { query: { wheres: ['kind:eq:api-key'] } })
  expect(items[0]).toMatchObject({
    actor: { id: admin.id },
    act: 'added',
    subject: { id: made.id, name: 'The company' },
    isErased: false,
  })
})

test('a key writes within its scopes alone, by calls and by uploads', async () => {
  const officer = await makeOfficer(service)
  const reads = await make(officer, ['scripts.read'])
  const writes = await make(officer, ['scripts.write', 'videos.write'])
  const script = { body: { title: 'Rates', content: 'Words' } }
  expect(await outcome(callAs(service, reads.person)(scripts.create, script))).toBe('api-key.scope')
  expect(await outcome(callAs(service, writes.person)(scripts.create, script))).toBe('done')
  expect((await uploading(reads.person)).json()).toMatchObject({ code: 'api-key.scope' })
  expect((await uploading(writes.person)).statusCode).toBe(201)
  expect(
    (await service.app.inject({ url: '/api/events', headers: { authorization: `Bearer ${writes.key}` } })).statusCode,
  ).toBe(401)
})

test('nobody allows a key more than their role may, or makes one without the password', async () => {
  const officer = await makeOfficer(service)
  const body = { name: 'Reports', scopes: ['reports.read' as const], days: 7 as const }
  expect(await outcome(callConfirmed(service, officer)(apiKeys.create, { body }))).toBe('api-key.not-yours')
  expect(await outcome(callAs(service, officer)(apiKeys.create, { body }))).toBe('session.not-fresh')
  expect(await outcome(callConfirmed(service, await makePerson(service, 'ADMIN'))(apiKeys.create, { body }))).toBe(
    'done',
  )
})

test('a key ends at once with its revocation, its owner’s sessions, role, access and company', async () => {
  const enders: Record<string, (person: Person, id: string) => Promise<unknown>> = {
    revoked: (person, keyId) => callAs(service, person)(apiKeys.revoke, { params: { keyId } }),
    'signed out everywhere': ({ id }) => service.database.asSystem((tx) => endSessions(tx, id, 'signed-out')),
    'another role': ({ id }) => service.database.asSystem((tx) => endIdTokens(tx, id)),
    'shut out': ({ id }) =>
      service.database.asSystem((tx) => tx.count(sql`update person set is_disabled = true where id = ${id}`)),
    'the company is closed': ({ tenantId }) =>
      service.database.asSystem((tx) => tx.count(sql`update tenant set is_active = false where id = ${tenantId}`)),
    removed: async (person) => {
      await callConfirmed(service, person)(accounts.remove, {})
    },
  }
  for (const [why, end] of Object.entries(enders)) {
    const officer = await makeOfficer(service)
    const { id, person } = await make(officer)
    expect(await list(person)).toBe('done')
    await end(officer, id)
    expect({ why, code: await list(person) }).toEqual({ why, code: 'api-key.ended' })
  }
  // A trigger ends it with the sessions; by its stamp it is none even where nothing did.
  const officer = await makeOfficer(service)
  const { id, person } = await make(officer)
  const superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
  await superuser.connect()
  await superuser.query('update api_key set security_stamp = security_stamp - 1 where id = $1', [id])
  await superuser.end()
  const [listed] = await service.database.asSystem((tx) => keysOf(tx, officer.id))
  expect({ code: await list(person), state: listed!.state }).toEqual({ code: 'api-key.ended', state: 'ended' })
})

/** Each reason for which sessions end, brought about as people do. */
const causes: Record<SessionEnd, (victim: Victim, admin: Person) => Promise<unknown>> = {
  'signed-out': ({ person }) => callAs(service, person)(identity.signOut, { body: { everywhere: true } }),
  // The page goes on with the third token; somebody who kept the first one shows it.
  stolen: async ({ person, refreshToken }) => {
    const second = await renewed(refreshToken)
    await renewed(second)
    expect(await outcome(callAs(service, { ...person, refreshToken })(identity.refresh, {}))).toBe('session.ended')
  },
  password: async ({ email }) => {
    await callAs(service, null)(accounts.sendCode, { query: { email } })
    const [pass, code] = ['other-Kettle-42', await codeFor(service, email)]
    await callAs(service, null)(accounts.changePassword, { body: { email, pass, passConfirm: pass, code } })
  },
  'second-factor': ({ person: { id: userId } }, admin) =>
    callConfirmed(service, admin)(accounts.resetSecondFactor, { body: { userId } }),
  rights: ({ person: { id: userId } }, admin) =>
    callConfirmed(service, admin)(accounts.update, { body: { userId, role: 'QA' } }),
  'shut-out': ({ person: { id: userId } }, admin) =>
    callConfirmed(service, admin)(accounts.update, { body: { userId, isDisabled: true } }),
  provider: ({ person: { id } }) =>
    service.database.asSystem(async (tx) => {
      const [issuer, at] = ['https://issuer.test', new Date()]
      await tx.count(sql`
        insert into connected_account (issuer, subject, person_id, provider, email)
        values (${issuer}, ${id}, ${id}, 'google', 'closed@keys.test')`)
      await applyProviderNotice(tx, { issuer, subject: id, kind: 'closed', at: new Date(at.getTime() + 1000) })
    }),
  removed: async ({ person }) => callConfirmed(service, person)(accounts.remove, {}),
  restored: () => suppressOldDeliveries(service.database, { asOf: new Date(), now: new Date() }),
}
type Victim = { person: Person; email: string; refreshToken: string }

const cookieOf = (response: { cookies: { name: string; value: string }[] }) =>
  response.cookies.find(({ name }) => name === 'ctp_refresh')!.value
const renewed = async (token: string) =>
  cookieOf(
    await service.app.inject({ method: 'POST', url: addressOf(identity.refresh), cookies: { ctp_refresh: token } }),
  )

test('after a theft those keys end that may have been made in the stolen session, and the others go on', async () => {
  const { person, email, refreshToken } = await victim('robbed')
  const payload = { email, password: 'kettle-drum-41' }
  const signInAnew = () => service.app.inject({ method: 'POST', url: addressOf(identity.password), payload })
  const elsewhere = cookieOf(await signInAnew())
  const [by, byOther] = [
    { ...person, refreshToken },
    { ...person, refreshToken: elsewhere },
  ]
  const olderThan = async (id: string, days: number) => {
    await service.database.asSystem((tx) =>
      tx.count(sql`
        update session_family set created_at = now() - make_interval(days => ${days})
        where id in (select family_id from refresh_token where hash = ${hashOf(id)})`),
    )
  }
  // On another device, to which that session was carried.
  const { token } = await callAs(service, by)(accounts.createToken, {})
  const url = addressOf(identity.customToken)
  const carried = cookieOf(await service.app.inject({ method: 'POST', url, payload: { token } }))
  // Before that session began, without a word of where; in it; in another session; and since, by an ID token alone.
  const before = await make(person)
  const made = {
    in: await make(by),
    elsewhere: await make(byOther),
    alone: await make(person),
    carried: await make({ ...person, refreshToken: carried }),
  }
  const superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
  await superuser.connect()
  await superuser.query(`update api_key set created_at = created_at - interval '9 days' where id = $1`, [before.id])
  await superuser.end()
  await olderThan(refreshToken, 3)
  await renewed(await renewed(refreshToken))
  expect(await outcome(callAs(service, by)(identity.refresh, {}))).toBe('session.ended')
  expect(await outcome(callAs(service, person)(projects.list, {}))).toBe('session.ended')
  expect({
    before: await list(before.person),
    in: await list(made.in.person),
    elsewhere: await list(made.elsewhere.person),
    alone: await list(made.alone.person),
    carried: await list(made.carried.person),
  }).toEqual({
    before: 'done',
    in: 'api-key.ended',
    elsewhere: 'done',
    alone: 'api-key.ended',
    carried: 'api-key.ended',
  })
  const rows = await service.database.asSystem((tx) => keysOf(tx, person.id))
  expect(
    rows
      .filter(({ state }) => state === 'good')
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([before.id, made.elsewhere.id].toSorted())
  // What goes on ends with all sessions, as ever.
  await service.database.asSystem((tx) => endSessions(tx, person.id, 'signed-out'))
  expect([await list(before.person), await list(made.elsewhere.person)]).toEqual(['api-key.ended', 'api-key.ended'])
})

const victim = async (why: string): Promise<Victim> => {
  const [email, password] = [`${why}@keys.test`, 'kettle-drum-41']
  const tenantId = await makeTenant(service)
  const { id } = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'A Person', role: 'User', password, tenantId }),
  )
  const payload = { email, password }
  const response = await service.app.inject({ method: 'POST', url: addressOf(identity.password), payload })
  const caller = { id, role: 'User' as const, tenantId, securityStamp: 1, name: 'A Person', token: '' }
  return { email, refreshToken: cookieOf(response), person: await confirmed(service, caller) }
}

for (const [why, end] of Object.entries(causes))
  test(`a key that ends with its owner’s sessions stands in the audit log, with the reason: ${why}`, async () => {
    const admin = await makePerson(service, 'ADMIN')
    const [robbed, bystander] = [await victim(why), await makeOfficer(service)]
    const [{ id }, other] = [await make(robbed.person), await make(bystander)]
    const over = await make(robbed.person)
    await callAs(service, robbed.person)(apiKeys.revoke, { params: { keyId: over.id } })
    await end(robbed, admin)
    const entriesOf = async (keyId: string) =>
      (await callAs(service, admin)(audit.list, { query: { wheres: [`subjectId:eq:${keyId}`] } })).items
    const [last] = await entriesOf(id)
    if (why === 'removed') return expect(last).toMatchObject({ kind: 'api-key', act: 'removed' })
    expect(last).toMatchObject({ kind: 'api-key', act: 'changed' })
    expect(Object.fromEntries(last!.changes.map(({ field, to }) => [field, to]))).toEqual({
      revoked_at: expect.any(String),
      ended_by: why,
    })
    // What somebody revoked by hand keeps no reason, and nobody else's key ends.
    expect((await entriesOf(over.id)).map(({ changes }) => changes.map(({ field }) => field))[0]).toEqual([
      'revoked_at',
    ])
    if (why !== 'restored') expect(await entriesOf(other.id)).toHaveLength(1)
    const states = await service.database.asSystem((tx) =>
      tx.rows(sql<{ state: string }>`select ended_by as state from api_key where id = ${id}`),
    )
    expect(states).toEqual([{ state: why }])
  })

test('the reasons for which a key ends are those of the schema', async () => {
  const check = await service.database.asSystem((tx) =>
    tx.first(sql<{ text: string }>`
      select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'api_key_ended_by_check'`),
  )
  const named = [...check!.text.matchAll(/'([\w-]+)'::text/g)].map(([, one]) => one)
  expect(named.toSorted()).toEqual([...sessionEnds, 'sessions'].toSorted())
})

test('a restored copy takes no key from before', async () => {
  const { person } = await make(await makeOfficer(service))
  await suppressOldDeliveries(service.database, { asOf: new Date(), now: new Date() })
  expect(await list(person)).toBe('api-key.ended')
})

test('an ADMIN sees and revokes the keys of their company, and of no other', async () => {
  const [tenantId, elsewhere] = [await makeTenant(service), await makeTenant(service)]
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  const stranger = await makePerson(service, 'ADMIN', { tenantId: elsewhere })
  const colleague = await makePerson(service, 'User', { tenantId })
  const { id, person } = await make(await makePerson(service, 'User', { tenantId, name: 'Olive Officer' }))
  const seen = async (who: Person) =>
    (await callAs(service, who)(apiKeys.ofCompany, { query: { wheres: ['owner:contains:olive', 'isGood:eq:true'] } }))
      .items
  expect(await seen(admin)).toMatchObject([{ id, ownerName: 'Olive Officer', state: 'good' }])
  expect(await seen(stranger)).toEqual([])
  const revoke = (who: Person) => outcome(callAs(service, who)(apiKeys.revoke, { params: { keyId: id } }))
  expect([await revoke(stranger), await revoke(colleague)]).toEqual(['api-key.not-found', 'api-key.not-found'])
  expect(await list(person)).toBe('done')
  expect([await revoke(admin), await list(person)]).toEqual(['done', 'api-key.ended'])
  expect(await seen(admin)).toEqual([])
})

test('two who make the last key at once make one', async () => {
  const officer = await makeOfficer(service)
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into api_key (person_id, tenant_id, name, prefix, secret_hash, scopes, security_stamp, ends_at)
      select ${officer.id}, ${officer.tenantId}, 'A key', 'ctp_', sha256(gen_random_uuid()::text::bytea), '{videos.read}', 1,
        now() + interval '1 day'
      from generate_series(2, ${mostKept.apiKeys})`),
  )
  const answers = await Promise.all([make(officer), make(officer)].map(outcome))
  expect(answers.sort()).toEqual(['api-key.too-many', 'done'])
})

test('every answer to a key says how many calls are left, and one too many when to come back', async () => {
  const { key } = await make(await makeOfficer(service))
  const ask = () =>
    service.app.inject({
      url: '/api/projects/list',
      headers: { authorization: `Bearer ${key}`, 'x-request-id': randomUUID() },
    })
  const first = await ask()
  expect(first.headers['ratelimit-policy']).toBe(`"key";q=${keyCallsPerMinute};w=60`)
  expect(first.headers['ratelimit']).toMatch(new RegExp(`^"key";r=${keyCallsPerMinute - 1};t=\\d+$`))
  let last = first
  for (let n = 0; n < keyCallsPerMinute && last.statusCode === 200; n++) last = await ask()
  expect(last.statusCode).toBe(429)
  expect(last.headers['ratelimit']).toMatch(/^"key";r=0;t=\d+$/)
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(last.headers['retry-after'])).toBeLessThanOrEqual(60)
})

test('a flood of made-up keys waits behind itself, and keeps nobody out', async () => {
  const officer = await makeOfficer(service)
  const ask = async (token: string) =>
    (await service.app.inject({ url: '/api/projects/list', headers: { authorization: `Bearer ${token}` } })).statusCode
  const flood = Array.from({ length: 600 }, (_, n) => ask(`ctp_flood${n}`))
  // Nor does it keep out anybody of the same network who has no session yet.
  const stranger = service.app.inject({ url: '/api/subscriptions/products/public/list/' })
  expect(await Promise.all(Array.from({ length: 5 }, () => ask(officer.token)))).toEqual(Array(5).fill(200))
  expect((await stranger).statusCode).toBe(200)
  expect([...new Set(await Promise.all(flood))].toSorted()).toEqual([401, 429])
})

test('a key ends where its company asks for a second factor that its owner does not have', async () => {
  const tenantId = await makeTenant(service)
  const officer = await makePerson(service, 'User', { tenantId })
  const { person } = await make(officer)
  expect(await list(person)).toBe('done')
  await service.database.asSystem((tx) =>
    tx.count(sql`update tenant set require_second_factor = true where id = ${tenantId}`),
  )
  expect(await list(person)).toBe('api-key.ended')
})

test('a key ends where the service asks for a second factor, until its owner has one', async () => {
  const stern = await openService({ SECOND_FACTOR: 'staff' })
  try {
    const tenantId = await makeTenant(stern)
    const [editor, officer] = [
      await makePerson(stern, 'Editor', { tenantId }),
      await makePerson(stern, 'User', { tenantId }),
    ]
    const answers = async (person: Person) => {
      const body = { name: 'Reports', scopes: ['videos.read' as const], days: 30 as const }
      const { key } = await callConfirmed(stern, person)(apiKeys.create, { body })
      return () => outcome(callAs(stern, { ...person, token: key })(projects.list, {}))
    }
    const [ofEditor, ofOfficer] = [await answers(editor), await answers(officer)]
    expect([await ofEditor(), await ofOfficer()]).toEqual(['api-key.ended', 'done'])
    await stern.database.asSystem((tx) =>
      tx.count(sql`insert into totp (person_id, secret, confirmed_at) values (${editor.id}, '\\x01', now())`),
    )
    expect(await ofEditor()).toBe('done')
  } finally {
    await stern.close()
  }
})

test('the ledger and the audit log say which key acted, by its name to who may read it', async () => {
  const tenantId = await makeTenant(service)
  const officer = await makePerson(service, 'User', { tenantId })
  const [editor, admin] = [
    await makePerson(service, 'Editor', { tenantId }),
    await makePerson(service, 'ADMIN', { tenantId }),
  ]
  const { id: keyId, person: program } = await make(officer, ['videos.read', 'videos.write'])
  const { id } = await submitProject(service, program)
  await callAs(service, editor)(projects.start, { body: { projectId: id } })
  const steps = async (who: Person) =>
    (await callAs(service, who)(projects.find, { params: { projectId: id } })).timeline.map(({ key }) => key)
  expect(await steps(officer)).toEqual([{ name: 'Reports' }, undefined])
  expect(await steps(editor)).toEqual([{}, undefined])
  expect(await steps(admin)).toEqual([{ name: 'Reports' }, undefined])
  const listed = await callAs(service, admin)(projects.list, {})
  expect(listed.items[0]!.timeline[0]!.key).toEqual({ name: 'Reports' })
  const { items } = await callAs(service, admin)(audit.list, { query: { wheres: [`actorId:eq:${officer.id}`] } })
  expect(items.find(({ kind }) => kind === 'person')).toMatchObject({ key: { id: keyId, name: 'Reports' } })
  expect(items.find(({ kind }) => kind === 'api-key')!.key).toBe(undefined)
  await service.database.asSystem((tx) => tx.rows(sql`select seal_audit(10000)`))
  expect((await callAs(service, admin)(audit.verify, { query: {} })).faults).toEqual([])
})

test('an editor’s program is told to the editor’s colleagues, and not to the officer', async () => {
  const tenantId = await makeTenant(service)
  const officer = await makePerson(service, 'User', { tenantId })
  const editor = await makePerson(service, 'Editor', { tenantId })
  const { person: program } = await make(editor, ['videos.write'])
  const { id } = await submitProject(service, officer)
  await callAs(service, program)(projects.start, { body: { projectId: id } })
  const steps = async (who: Person) =>
    (await callAs(service, who)(projects.find, { params: { projectId: id } })).timeline.map(({ key }) => key)
  expect(await steps(editor)).toEqual([undefined, { name: 'Reports' }])
  expect(await steps(officer)).toEqual([undefined, undefined])
})

test('a call by a key that ends meanwhile is refused when it comes to the database', async () => {
  const officer = await makeOfficer(service)
  const { id } = await make(officer)
  const caller = { ...officer, key: { id, scopes: [] } }
  const ask = () =>
    service.database
      .readOnly(caller, async () => {})
      .then(
        () => 'done',
        (error: { code: string }) => error.code,
      )
  expect(await ask()).toBe('done')
  expect(
    await service.database
      .readOnly({ ...caller, id: (await makeOfficer(service)).id }, async () => {})
      .catch((error: { code: string }) => error.code),
  ).toBe('CT402')
  await callAs(service, officer)(apiKeys.revoke, { params: { keyId: id } })
  expect(await ask()).toBe('CT402')
})
