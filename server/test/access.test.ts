import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import { addressOf } from '@clear-to-post/contract/client'
import { scopeOf } from '@clear-to-post/contract/scope'
import { access, type Permission } from '@clear-to-post/domain/access'
import { roles, type Role } from '@clear-to-post/domain/roles'
import { scopes, type Scope } from '@clear-to-post/domain/scopes'
import { sql } from '../src/kernel/database.ts'
import { isLong } from './random.ts'
import { samplesOf, type Sample } from './samples.ts'
import { openStage } from './stage.ts'
import {
  confirmed,
  headersOf,
  makePerson,
  makeTenant,
  openService,
  signedIn,
  type Person,
  type Service,
} from './service.ts'

/**
 * Every call of the contract as every kind of person; `samplesOf` has the request of each. What is refused before a role is
 * looked at is asked of one role at each call in the short form, of the next one at the next call.
 */
let service: Service
let samples: Record<string, () => Sample>

const people: Record<string, Person> = {}
let unverified: Person[] = []
/** One person of each role, with sessions of theirs that prove no fresh sign-in. */
const askedAgain: { person: Person; shown: Record<string, Person> }[] = []

beforeAll(async () => {
  service = await openService()
  const stage = await openStage(service)
  const { officer, tenantId } = stage
  samples = samplesOf(stage)
  const elsewhere = await makeTenant(service)
  people.User = officer
  people['User of another tenant'] = await makePerson(service, 'User', { tenantId: elsewhere })
  for (const role of ['Editor', 'QA', 'ADMIN'] as const) {
    people[role] = await makePerson(service, role)
    people[`${role} of this tenant`] = await makePerson(service, role, { tenantId })
    people[`${role} of another tenant`] = await makePerson(service, role, { tenantId: elsewhere })
  }
  for (const role of ['User', 'Editor', 'QA', 'ADMIN'] as const) {
    const disabled = await makePerson(service, role)
    await service.database.asSystem((tx) =>
      tx.count(sql`update person set is_disabled = true where id = ${disabled.id}`),
    )
    people[`disabled ${role}`] = disabled
    const changed = await makePerson(service, role)
    await service.database.asSystem((tx) =>
      tx.count(sql`update person set security_stamp = security_stamp + 1 where id = ${changed.id}`),
    )
    people[`${role} whose role changed`] = changed
    const gone = await makePerson(service, role)
    people[`${role} with a forged token`] = { ...gone, token: `${gone.token.slice(0, -6)}AAAAAA` }
  }
  await service.database.asSystem(async (tx) => {
    for (const { id } of Object.values(people))
      await tx.count(sql`insert into session_family (person_id, ends_at) values (${id}, now() + interval '1 day')`)
  })
  unverified = await Promise.all(
    (['User', 'Editor', 'QA', 'ADMIN'] as const).map((role) => makePerson(service, role, { isEmailVerified: false })),
  )
  for (const role of ['User', 'Editor', 'QA', 'ADMIN'] as const) {
    const person = await makePerson(service, role)
    askedAgain.push({ person, shown: await withoutProof(person) })
  }
  for (const role of ['User', 'Editor', 'QA', 'ADMIN'] as const) {
    const person = await makePerson(service, role)
    keyHolders.push({ person, keys: await keysOf(person) })
  }
  // A company itself, beside an ADMIN of it.
  await makePerson(service, 'ADMIN', { tenantId: elsewhere })
  const company = await makePerson(service, 'ADMIN', { tenantId: elsewhere })
  await service.database.asSystem((tx) =>
    tx.count(sql`update person set is_company = true, is_disabled = true where id = ${company.id}`),
  )
  keyHolders.push({ person: company, keys: await keysOf(company), isCompanys: true })
  const owner = keyHolders[3]!
  for (const [why, more] of Object.entries({
    over: sql`clock_timestamp() + interval '1 millisecond', null, 1`,
    revoked: sql`now() + interval '1 day', now(), 1`,
    'of before the sessions ended': sql`now() + interval '1 day', null, 0`,
  }))
    deadKeys[why] = { ...owner.person, token: await owner.keys.made(scopes, more) }
  deadKeys['nobody’s'] = { ...owner.person, token: `ctp_${randomUUID()}` }
  people['SYSTEM by a signed token'] = {
    ...officer,
    token: await service.identity.signIdToken({ id: randomUUID(), role: 'SYSTEM', tenantId: null, securityStamp: 1 }),
  }
})
afterAll(() => service.close())

/** Keys of one person for programs: with one scope each, with all others, and with all. */
const keysOf = async (person: Person) => {
  const made = async (allowed: readonly Scope[], more = sql`now() + interval '1 day', null, 1`) => {
    const key = `ctp_${randomUUID()}`
    await service.database.asSystem((tx) =>
      tx.count(sql`
        insert into api_key (person_id, tenant_id, name, prefix, secret_hash, scopes, ends_at, revoked_at, security_stamp)
        select ${person.id}, ${person.tenantId}, 'A key', 'ctp_', sha256(${key}::bytea), ${allowed as Scope[]}::text[], ${more}`),
    )
    return key
  }
  const each = async (of: (scope: Scope) => readonly Scope[]) => {
    const keys: [Scope, string][] = []
    for (const scope of scopes) keys.push([scope, await made(of(scope))])
    return Object.fromEntries(keys) as Record<Scope, string>
  }
  return {
    made,
    all: await made(scopes),
    only: await each((scope) => [scope]),
    without: await each((scope) => scopes.filter((other) => other !== scope)),
  }
}
const keyHolders: { person: Person; keys: Awaited<ReturnType<typeof keysOf>>; isCompanys?: boolean }[] = []
const deadKeys: Record<string, Person> = {}

const ask = async (name: string, person: Person | null, other?: unknown) => {
  const { shape } = everyCall.find((call) => call.name === name)!
  const sample = samples[name]
  if (!sample) throw new Error(`${name} has no sample yet: say in server/test/samples.ts how it is asked`)
  const { params, query, body } = { ...sample(), ...(other ? { body: other } : {}) }
  const response = await service.app.inject({
    method: shape.method,
    url: addressOf(shape, params, query),
    headers: headersOf(person),
    ...(body === undefined ? {} : { payload: body as object }),
  })
  return { status: response.statusCode, body: response.json() as { code?: string; kind?: string; requestId?: string } }
}

const withoutProof = async (person: Person): Promise<Record<string, Person>> => {
  const signIn = async (change: ReturnType<typeof sql>): Promise<Person> => {
    const session = await signedIn(service, person)
    await service.database.asSystem((tx) =>
      tx.count(sql`
        update session_family set ${change}
        where id = (select family_id from refresh_token where hash = sha256(${session.refreshToken!}::bytea))`),
    )
    return session
  }
  const ago = new Date(Date.now() - 11 * 60_000)
  const { refreshToken } = await signedIn(service, await makePerson(service, person.role as 'User'))
  return {
    'an ID token alone': person,
    'a sign-in of eleven minutes ago': await signIn(sql`created_at = ${ago}`),
    'a session from another device': await signIn(sql`is_carried = true`),
    'a session that was ended': await signIn(sql`revoked_at = now()`),
    'the sign-in of somebody else': { ...person, refreshToken: refreshToken! },
    'a password confirmed eleven minutes ago': {
      ...person,
      token: await service.identity.signIdToken(person, undefined, ago),
    },
  }
}

/** What a person signs in with, and what of it is alive. */
const heldBy = async (id: string) =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<Record<string, unknown>>`
      select p.email, p.security_stamp, p.modified_at,
        (select count(*) from session_family f where f.person_id = p.id and f.revoked_at is null) as sessions,
        (select count(*) from one_time_token t where t.person_id = p.id) as tokens,
        (select count(*) from passkey k where k.person_id = p.id) + (select count(*) from totp o where o.person_id = p.id)
          + (select count(*) from connected_account c where c.person_id = p.id) as factors
      from person p where p.id = ${id}`),
  ))!

it('routes that are no calls refuse an ended session', async () => {
  const doors = [
    ['GET', '/api/events'],
    ['POST', '/uploads'],
    ...(['HEAD', 'PATCH', 'DELETE'] as const).map((method) => [method, `/uploads/${randomUUID()}`] as const),
  ] as const
  for (const [who, person] of Object.entries(people)) {
    if (!/disabled|changed|forged/.test(who)) continue
    for (const [method, url] of doors) {
      const { statusCode } = await service.app.inject({
        method,
        url,
        headers: { authorization: `Bearer ${person.token}`, 'tus-resumable': '1.0.0', 'upload-length': '5' },
        payloadAsStream: true,
      })
      // A role that uploads nothing is refused even sooner.
      expect({ who, method, url, statusCode }).toMatchObject({
        statusCode: method !== 'GET' && person.role === 'QA' ? expect.toBeOneOf([401, 403]) : 401,
      })
    }
  }
})

/** What counts only once the address is known to be theirs (decision 0240). */
const needVerifiedAddress = [
  // Whoever posts somewhere is known by an address of theirs.
  'publishing.connect',
  'publishing.finishConnecting',
  'publishing.connectWithPassword',
  'projects.create',
  'subscriptions.checkout',
  'subscriptions.charge',
  'subscriptions.portal',
  'security.startTotp',
  'security.confirmTotp',
  'security.startPasskey',
  'security.addPasskey',
  'security.connectProvider',
  'calendar.renew',
  'accounts.startExport',
  'apiKeys.create',
  'webhooks.create',
  'invitations.accept',
  'accounts.openExport',
  // What is kept for the owner of an address is not a stranger's who opened the account.
  'views.create',
  'publishing.setSlots',
  'publishing.letOfficer',
  // Whoever asks makes others work.
  'support.ask',
]

it('the calls that need a verified address are exactly the listed ones', () => {
  expect(
    everyCall
      .filter(({ shape }) => 'needsVerifiedAddress' in shape)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...needVerifiedAddress].sort())
})

/**
 * The calls that change a person's identity, rights or ways to sign in, that hand out a secret or that tell many people
 * something: an ID token alone is refused (decision 290). The bodies that need a fresh sign-in besides the sample's own; they
 * name unknown people, so that asking changes nothing.
 */
const needFreshSignIn: Record<string, () => object[]> = {
  'accounts.remove': () => [],
  'accounts.startExport': () => [],
  'accounts.openExport': () => [],
  'accounts.resetSecondFactor': () => [],
  'accounts.changeEmail': () => [],
  'accounts.update': () =>
    [
      { role: 'ADMIN' },
      { tenantId: null },
      { tenantId: randomUUID() },
      { isDisabled: false },
      { isDisabled: true },
    ].map((part) => ({ userId: randomUUID(), ...part })),
  'accounts.setup': () => [{ invitationCode: 'NOTHING' }],
  'apiKeys.create': () => [],
  'webhooks.create': () => [],
  'webhooks.rotate': () => [],
  'webhooks.update': () => [{ url: 'https://program.example/' }],
  'calendar.renew': () => [],
  'catalogue.createProduct': () => [],
  'catalogue.updateProduct': () => [],
  'catalogue.createCoupon': () => [],
  'catalogue.retireCoupon': () => [],
  'invitations.send': () => [],
  'invitations.sendAgain': () => [],
  'invitations.accept': () => [],
  'notifications.createTrigger': () => [],
  'notifications.updateTrigger': () => [{ status: 'paused' }],
  'notifications.push': () => [],
  'security.startTotp': () => [{}],
  'security.confirmTotp': () => [{ code: '000000' }],
  'security.startPasskey': () => [{}],
  'security.addPasskey': () => [
    { name: 'Phone', credential: { id: 'x', rawId: 'x', type: 'public-key', response: {} } },
  ],
  'security.removeTotp': () => [],
  'security.removePasskey': () => [],
  'security.newRecoveryCodes': () => [],
  'security.connectProvider': () => [],
  'security.removeProvider': () => [],
  'reports.setRate': () => [],
  'subscriptions.giveBack': () => [],
  'subscriptions.portal': () => [],
  'tenants.inviteCode': () => [],
  'tenants.create': () => [],
  'tenants.update': () =>
    [
      { isActive: false },
      { inviteCode: 'EVERYBODY' },
      { totalUsersAllowed: 100_000 },
      { chargeByEmail: true },
      { requireSecondFactor: false },
      { fourEyes: 'author-and-approver' },
    ].map((data) => ({ tenantId: randomUUID(), data })),
}

/** Of the rooms about people, their rights and what they are told, what an ID token may do alone, and why. */
const byTokenAlone: Record<string, string> = {
  'accounts.createToken': 'its session ends with the one it comes from (decision 241), and is never a fresh one',
  'accounts.getToken': 'the same',
  'accounts.info': 'shows no secret',
  'accounts.previewRemoval': 'shows no secret',
  'accounts.removals': 'shows no secret',
  'accounts.dataExport': 'says whether there is one; its address is answered by accounts.openExport',
  'accounts.bound': 'shows no secret',
  'accounts.search': 'shows no secret',
  'accounts.acceptTerms': 'gives nothing, and takes nothing away',
  'accounts.person': 'shows no secret',
  'accounts.consents': 'shows no secret',
  'security.ofPerson': 'says what there is, and shows none of it',
  'accounts.verifyEmail': 'the code from the mailbox is the proof',
  'identity.confirm': 'the password, with the second step where there is one, is the proof',
  'invitations.list': 'shows no secret',
  'invitations.withdraw': 'takes a way in away',
  'security.read': 'shows no secret',
  'apiKeys.list': 'shows no key',
  'apiKeys.ofCompany': 'shows no key',
  'apiKeys.revoke': 'takes a way in away',
  'webhooks.list': 'shows no secret',
  'webhooks.find': 'shows no secret',
  'webhooks.deliveries': 'shows no secret',
  'webhooks.delivery': 'shows no secret',
  'webhooks.pause': 'can be undone',
  'webhooks.resume': 'can be undone',
  'webhooks.remove': 'takes a way of hearing away',
  'webhooks.test': 'tells a program of their own nothing',
  'webhooks.resend': 'tells a program of their own what it was told',
  'webhooks.resendSince': 'the same',
  'calendar.read': 'says whether there is a link; its address is answered by calendar.renew',
  'calendar.remove': 'takes a way of reading away',
  'catalogue.list': 'shows no secret',
  'notifications.triggers': 'shows no secret',
  'notifications.trigger': 'shows no secret',
  'notifications.triggerRuns': 'shows no secret',
  'notifications.previewTrigger': 'counts people and sends nothing',
  'notifications.testTrigger': 'tells the person themselves',
  'notifications.deleteTrigger': 'takes a way of telling people away',
  'notifications.list': 'shows no secret',
  'notifications.read': 'changes what the person themselves was told',
  'notifications.readAll': 'the same',
  'notifications.clear': 'the same',
  'notifications.choices': 'shows no secret',
  'notifications.choose': 'can be undone',
  'push.read': 'the key that it shows is public',
  'push.subscribe': 'names the sign-in it belongs to, and ends with it',
  'push.unsubscribe': 'takes a way of hearing away',
  'push.test': 'tells the person themselves',
  'subscriptions.products': 'shows no secret',
  'subscriptions.active': 'shows no secret',
  'subscriptions.find': 'shows no secret',
  'subscriptions.charges': 'a receipt’s page shows one payment and changes nothing',
  'subscriptions.chargesOf': 'the same',
  'subscriptions.payments': 'shows no secret',
  'subscriptions.plans': 'shows no secret',
  'subscriptions.checkout': 'a page on which a card must still be written',
  'subscriptions.charge': 'buys for the person themselves, who is told',
  'subscriptions.pause': 'can be undone',
  'subscriptions.resume': 'can be undone',
  'subscriptions.previewPlan': 'changes nothing',
  'subscriptions.updatePlan': 'buys for the person themselves, who is told',
  'support.mine': 'shows no secret',
  'support.list': 'shows no secret',
  'support.find': 'shows no secret',
  'support.ask': 'tells people who answer, who ask back',
  'support.reply': 'the same',
  'support.assign': 'can be undone',
  'support.close': 'can be undone',
  'support.reopen': 'can be undone',
  'tenants.me': 'shows no secret',
  'tenants.find': 'shows no secret',
  'tenants.list': 'shows no secret',
  'tenants.setUp': 'shows no secret',
}

it('every call about people, their rights and what they are told needs a fresh sign-in, or is listed with a reason', () => {
  const rooms =
    /^(accounts|apiKeys|identity|invitations|security|calendar|catalogue|notifications|push|subscriptions|support|tenants|webhooks)\./
  const isPrivileged = ({ name, shape }: (typeof everyCall)[number]) => rooms.test(name) && shape.access !== 'anyone'
  const flagged = everyCall.filter(({ shape }) => shape.needsFreshSignIn !== undefined).map(({ name }) => name)
  expect(flagged.sort()).toEqual(Object.keys(needFreshSignIn).sort())
  const open = everyCall.filter((call) => isPrivileged(call) && !flagged.includes(call.name)).map(({ name }) => name)
  expect(open.sort()).toEqual(Object.keys(byTokenAlone).sort())
})

it('every call has a sample, and no sample is left over', () => {
  expect(Object.keys(samples).sort()).toEqual(everyCall.map(({ name }) => name).sort())
})

it('every permission of the domain is used by a call, or belongs to SYSTEM alone', () => {
  const used = new Set(everyCall.map(({ shape }) => shape.access))
  const unused = Object.keys(access).filter(
    (permission) => !used.has(permission as Permission) && access[permission as Permission].join() !== 'SYSTEM',
  )
  expect(unused).toEqual([])
})

/** Rooms no call of which any key makes, but these: identity, rights, companies, money, and what tells people something. */
const closedToKeys =
  /^(accounts|apiKeys|audit|calendar|catalogue|identity|invitations|jobs|notes|notifications|publishing|push|security|subscriptions|support|tenants|tracking|views|webhooks)\./
const openToKeys = ['accounts.search', 'accounts.bound', 'accounts.person', 'publishing.posts']
/** Verdicts and what takes one back, what goes out, a camera’s buttons, money, and what counts for everybody. */
const peoples = [
  'assets.prompt',
  'feedback.setCriteria',
  'goals.set',
  'projects.answer',
  'projects.approve',
  'projects.deny',
  'projects.review',
  'projects.rollback',
  'projects.reschedule',
  'projects.schedule',
  'projects.allowanceOf',
  'reports.money',
  'reports.payroll',
  'reports.setRate',
]

it('the calls that no key makes are those of the closed rooms, and the listed ones', () => {
  const none = everyCall.filter(({ shape }) => scopeOf(shape) === null).map(({ name }) => name)
  const meant = everyCall
    .map(({ name }) => name)
    .filter((name) => (closedToKeys.test(name) && !openToKeys.includes(name)) || peoples.includes(name))
  expect(none.sort()).toEqual(meant.sort())
  for (const { name, shape } of everyCall)
    if (scopeOf(shape) !== null)
      expect({ name, writes: scopeOf(shape)!.endsWith('.write') }).toEqual({ name, writes: shape.method !== 'GET' })
})

/** All of them in the long form; else one of each kind, another one at each place. */
const oneOfEach = <T>(some: readonly T[], kind: (one: T) => string, place: number): T[] =>
  isLong ? [...some] : [...Map.groupBy(some, kind).values()].map((same) => same[place % same.length]!)
const whoIn = (name: RegExp) => Object.entries(people).filter(([who]) => name.test(who))
/** What is wrong with somebody's session, without their role. */
const spoiled = ([who]: [string, Person]) => who.replace(/\b(User|Editor|QA|ADMIN)\b/, '')

describe.each(everyCall.map(({ name, shape }, at) => [name, shape, at] as const))('the call %s', (name, shape, at) => {
  const admitted = (role: Role): boolean =>
    shape.access === 'anyone' || shape.access === 'signed-in' || access[shape.access].includes(role)

  it('refuses a caller without a session, unless it is for anyone', async () => {
    const { status, body } = await ask(name, null)
    if (shape.access === 'anyone') expect(body.code).not.toBe('session.required')
    else expect({ status, code: body.code }).toEqual({ status: 401, code: 'session.required' })
    expect(status).toBeLessThan(500)
  })

  it('refuses a session that is disabled, changed or forged', async () => {
    for (const [who, person] of oneOfEach(whoIn(/disabled|changed|forged|SYSTEM/), spoiled, at)) {
      const { status, body } = await ask(name, person)
      // Signing in and refreshing must work with any old token in the header.
      if (shape.base === '/identity' || 'neverFails' in shape) expect(status, who).toBeLessThan(500)
      else if (/forged|SYSTEM/.test(who))
        expect({ who, status, code: body.code }).toEqual({ who, status: 401, code: 'session.ended' })
      // What is open to anyone may answer, but not as that person; a role that never may is refused even sooner.
      else if (shape.access !== 'anyone') expect([401, 403], who).toContain(status)
    }
  })

  it('changes nothing for a person whose session is refused', async () => {
    for (const [who, person] of oneOfEach(whoIn(/disabled|changed/), spoiled, at + 1)) {
      const before = await heldBy(person.id)
      // A caller who signs out everywhere loses their own sessions only.
      await ask(name, person, name === 'identity.signOut' ? { everywhere: true } : undefined)
      expect({ who, ...(await heldBy(person.id)) }).toEqual({ who, ...before })
    }
  })

  it('admits the roles of its permission, and refuses the others', async () => {
    for (const [who, person] of Object.entries(people)) {
      if (!roles.includes(who.split(' ')[0] as Role) || /changed|forged|SYSTEM/.test(who)) continue
      const { status, body } = await ask(name, person)
      expect(status, who).toBeLessThan(500)
      if (!admitted(person.role))
        expect({ who, status, code: body.code }).toEqual({ who, status: 403, code: 'access.forbidden' })
      else if (shape.base !== '/identity')
        expect(['access.forbidden', 'session.required', 'session.ended'], who).not.toContain(body.code)
    }
  })

  it('admits a key by its scope alone, and no further than its owner’s role', async () => {
    const kindOf = ({ isCompanys }: (typeof keyHolders)[number]) => String(isCompanys)
    for (const { person, keys, ...whose } of oneOfEach(keyHolders, kindOf, at)) {
      const scope = scopeOf(shape, whose)
      const token = scope === null ? keys.all : keys.without[scope]
      const refused = await ask(name, { ...person, token })
      // Signing in and telling of a visit take no notice of any credential.
      if (scope !== null || shape.access !== 'anyone' || (shape.base !== '/identity' && !('neverFails' in shape)))
        expect({ role: person.role, status: refused.status, code: refused.body.code }).toEqual({
          role: person.role,
          status: 403,
          code: 'api-key.scope',
        })
    }
    for (const { person, keys, ...whose } of keyHolders) {
      const scope = scopeOf(shape, whose)
      if (scope === null) continue
      const { status, body } = await ask(name, { ...person, token: keys.only[scope] })
      expect(status).toBeLessThan(500)
      if (!admitted(person.role)) expect({ status, code: body.code }).toEqual({ status: 403, code: 'access.forbidden' })
      else
        expect([
          'access.forbidden',
          'api-key.scope',
          'api-key.ended',
          'session.required',
          'session.ended',
        ]).not.toContain(body.code)
    }
  })

  it('refuses a key that is over, revoked or of before the sessions ended', async () => {
    if (shape.access === 'anyone') return
    for (const [why, person] of oneOfEach(Object.entries(deadKeys), () => '', at)) {
      const { status, body } = await ask(name, person)
      expect({ why, status, code: body.code }).toEqual({ why, status: 401, code: 'api-key.ended' })
    }
  })

  it('requires a verified address if it is listed so', async () => {
    for (const person of oneOfEach(
      unverified.filter(({ role }) => admitted(role)),
      () => '',
      at,
    )) {
      const { body } = await ask(name, person)
      expect({ role: person.role, isAsked: body.code === 'account.unverified' }).toEqual({
        role: person.role,
        isAsked: needVerifiedAddress.includes(name),
      })
    }
  })

  it('requires a fresh sign-in if it is listed so', async () => {
    if (!(name in needFreshSignIn)) return
    const bodies = needFreshSignIn[name]!()
    const asked = askedAgain.filter(({ person }) => admitted(person.role))
    for (const { person, shown } of oneOfEach(asked, () => '', at))
      for (const body of bodies.length > 0 ? bodies : [undefined]) {
        const before = await heldBy(person.id)
        for (const [which, stale] of Object.entries(shown)) {
          const { status, body: answer } = await ask(name, stale, body)
          const seen = { role: person.role, which, body, status, code: answer.code }
          expect(seen).toEqual({ ...seen, status: 403, code: 'session.not-fresh' })
        }
        expect(await heldBy(person.id)).toEqual(before)
        for (const proven of [await signedIn(service, person), await confirmed(service, person)]) {
          const { status, body: answer } = await ask(name, proven, body)
          expect(status).toBeLessThan(500)
          expect(['session.not-fresh', 'session.required', 'session.ended']).not.toContain(answer.code)
        }
      }
  })

  it('answers “not found” for another company’s id', async () => {
    if (!samples[name]!().of) return
    for (const [who, person] of Object.entries(people)) {
      if (!who.endsWith('another tenant') || !admitted(person.role)) continue
      // With a fresh sign-in only the absence of the object can be the reason.
      expect({ who, ...(await ask(name, await confirmed(service, person))).body }).toMatchObject({
        who,
        kind: 'not-found',
      })
    }
  })
})
