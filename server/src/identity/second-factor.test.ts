import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import type { CallInput, CallShape } from '@clear-to-post/contract/call'
import { addressOf } from '@clear-to-post/contract/client'
import { identity, type FactorProof, type NextStep } from '@clear-to-post/contract/identity'
import { security } from '@clear-to-post/contract/security'
import { tenants } from '@clear-to-post/contract/tenants'
import { openAuthenticator } from '../../test/authenticator.ts'
import { mailsTo } from '../../test/mails.ts'
import { callConfirmed, makePerson, makeTenant, openService, type Person, type Service } from '../../test/service.ts'
import { changeAccountState, createPerson, resetSecondFactor } from '../accounts/actions.ts'
import { removePerson } from '../personal-data/removal.ts'
import { sql } from '../kernel/database.ts'

let service: Service
beforeAll(async () => void (service = await openService({ PUBLIC_URL: origin, SECOND_FACTOR: 'staff' })))
afterAll(() => service.close())

const origin = 'http://localhost:4000'
const password = 'kettle-drum-41'
let people = 0
const newEmail = () => `person${++people}@factors.test`

/** A person and their browser: a cookie jar and the session's ID token. */
const newBrowser = () => {
  const jar = new Map<string, string>()
  let idToken: string | null = null
  const call = async <C extends CallShape>(shape: C, input: CallInput<C>) => {
    const given = input as { query?: Record<string, unknown>; body?: unknown }
    const response = await service.app.inject({
      method: shape.method,
      url: addressOf(shape, {}, given.query),
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(idToken ? { authorization: `Bearer ${idToken}` } : {}),
      },
      ...(given.body === undefined ? {} : { payload: given.body as object }),
    })
    for (const { name, value } of response.cookies) jar.set(name, value)
    const body = response.json()
    idToken = body.idToken ?? body.session?.idToken ?? idToken
    return { status: response.statusCode, body }
  }
  return { call, isSignedIn: () => idToken !== null, forget: () => ((idToken = null), jar.clear()) }
}
type Browser = ReturnType<typeof newBrowser>

const newOfficer = async () => {
  const email = newEmail()
  const { id } = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'An Officer', role: 'User', password }),
  )
  const browser = newBrowser()
  expect((await browser.call(identity.password, { body: { email, password } })).status).toBe(200)
  return { id, email, browser }
}
const signIn = async (email: string, browser = newBrowser()) => {
  const { status, body } = await browser.call(identity.password, { body: { email, password } })
  return { browser, status, step: body as NextStep, body }
}
const app = (uri: string, at = Date.now()) => {
  const secret = new URL(uri).searchParams.get('secret')!
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })
}
const withTotp = async () => {
  const person = await newOfficer()
  const { body } = await person.browser.call(security.startTotp, { body: {} })
  const { uri, secret } = body as { uri: string; secret: string }
  const code = app(uri)
  const confirmed = await person.browser.call(security.confirmTotp, { body: { code } })
  expect(confirmed.status).toBe(200)
  return { ...person, uri, secret, setUpCode: code, recoveryCodes: confirmed.body.recoveryCodes as string[] }
}
const prove = (browser: Browser, challenge: string, proof: CallInput<typeof identity.secondFactor>['body']['proof']) =>
  browser.call(identity.secondFactor, { body: { challenge, proof } })
/** Codes that were taken lie in the past from now on, and wrong ones are forgiven. */
const later = () =>
  service.database.asSystem(async (tx) => {
    await tx.count(sql`update totp set last_step = 0`)
    await tx.count(sql`delete from sign_in_try`)
  })

test('an authenticator app is added with a code, then asked for at sign-in, and each code is good once', async () => {
  const { email, browser, uri, secret, setUpCode, recoveryCodes } = await withTotp()
  expect(uri).toMatch(/^otpauth:\/\/totp\/Clear%20to%20Post:.*&period=30|^otpauth:\/\/totp\//)
  expect(new URL(uri).searchParams.get('secret')).toBe(secret)
  expect(recoveryCodes).toHaveLength(10)
  for (const code of recoveryCodes) expect(code).toMatch(/^[A-Z2-9]{4}(-[A-Z2-9]{4}){3}$/)
  expect((await browser.call(security.read, {})).body).toMatchObject({
    hasPassword: true,
    isRequired: false,
    totp: { addedAt: expect.any(String) },
    recoveryCodesLeft: 10,
  })
  expect((await browser.call(security.startTotp, { body: {} })).body.code).toBe('security.has-totp')
  expect((await mailsTo(service, email))[0]!.subject).toBe('An authenticator app was added to your account')

  const { step, browser: phone } = await signIn(email)
  expect(step).toEqual({
    challenge: expect.any(String),
    step: 'second-factor',
    methods: ['totp', 'recovery-code'],
  })
  expect(phone.isSignedIn()).toBe(false)
  // The code that set it up was taken; the app may show the next one by now.
  expect((await prove(phone, step.challenge, { method: 'totp', code: setUpCode })).body.code).toBe('session.wrong-code')
  await later()
  const code = app(uri)
  const many = await Promise.all(
    Array.from({ length: 5 }, () => prove(newBrowser(), step.challenge, { method: 'totp', code })),
  )
  expect(many.filter(({ status }) => status === 200)).toHaveLength(1)
  const other = await signIn(email)
  await service.database.asSystem((tx) => tx.count(sql`delete from sign_in_try`))
  expect((await prove(phone, other.step.challenge, { method: 'totp', code })).body.code).toBe('session.wrong-code')
  // The previous and next code count too, older and newer ones do not. The clock is in the middle of a code's time.
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 })
  onTestFinished(() => void vi.useRealTimers())
  for (const [minutes, status] of [
    [-1, 400],
    [-0.5, 200],
    [0.5, 200],
    [1.5, 400],
  ] as const) {
    await later()
    const attempt = await signIn(email)
    const moved = app(uri, Date.now() + minutes * 60_000)
    expect([minutes, (await prove(phone, attempt.step.challenge, { method: 'totp', code: moved })).status]).toEqual([
      minutes,
      status,
    ])
  }
})

test('a second-step challenge opens no session, expires, and belongs to one person and purpose', async () => {
  const { email, uri } = await withTotp()
  await later()
  const { step } = await signIn(email)
  const headers = { authorization: `Bearer ${step.challenge}` }
  expect((await service.app.inject({ url: '/api/accounts/user/info', headers })).statusCode).toBe(401)
  for (const shape of [security.startTotp, security.startPasskey] as const)
    expect((await newBrowser().call(shape, { body: { challenge: step.challenge } })).body.code).toBe(
      'session.step-ended',
    )
  expect((await newBrowser().call(identity.customToken, { body: { token: step.challenge } })).status).toBe(401)
  await service.database.asSystem((tx) =>
    tx.count(sql`update one_time_token set ends_at = now() - interval '1 second' where purpose = 'second-factor'`),
  )
  const late = await prove(newBrowser(), step.challenge, { method: 'totp', code: app(uri) })
  expect([late.status, late.body.code]).toEqual([401, 'session.step-ended'])

  const again = await signIn(email)
  await service.database.asSystem((tx) => changeAccountState(tx, email, { isDisabled: true }))
  expect((await prove(newBrowser(), again.step.challenge, { method: 'totp', code: app(uri) })).body.code).toBe(
    'session.step-ended',
  )
})

test('after five wrong codes, over all challenges at once, further codes are refused for a while', async () => {
  const { email, uri, recoveryCodes } = await withTotp()
  await later()
  const steps = await Promise.all(Array.from({ length: 4 }, () => signIn(email)))
  const wrong = app(uri, Date.now() + 3_600_000)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      prove(newBrowser(), steps[index % 4]!.step.challenge, { method: 'totp', code: wrong }),
    ),
  )
  const codes = answers.map(({ body }) => body.code as string)
  expect(codes.filter((code) => code === 'session.wrong-code')).toHaveLength(5)
  expect(codes.filter((code) => code === 'request.too-many')).toHaveLength(7)
  const tryRight = (step: number, proof: FactorProof) => prove(newBrowser(), steps[step]!.step.challenge, proof)
  expect((await tryRight(0, { method: 'totp', code: app(uri) })).status).toBe(429)
  // A recovery code, which nobody guesses, is good all the same.
  expect((await tryRight(1, { method: 'recovery-code', code: recoveryCodes[0]! })).status).toBe(200)
  await later()
  expect((await prove(newBrowser(), steps[0]!.step.challenge, { method: 'totp', code: app(uri) })).status).toBe(200)
})

test('a recovery code is good once, in any spelling, and is stored as a hash', async () => {
  const { id, email, browser, recoveryCodes } = await withTotp()
  const [first, second] = recoveryCodes as [string, string]
  const { step } = await signIn(email)
  const typed = first.toLowerCase().replaceAll('-', ' ')
  expect((await prove(newBrowser(), step.challenge, { method: 'recovery-code', code: typed })).status).toBe(200)
  const again = await signIn(email)
  const used = await prove(newBrowser(), again.step.challenge, { method: 'recovery-code', code: first })
  expect(used.body.code).toBe('session.wrong-code')
  expect((await browser.call(security.read, {})).body.recoveryCodesLeft).toBe(9)

  const renewed = await browser.call(security.newRecoveryCodes, { body: {} })
  expect(renewed.body.recoveryCodes).toHaveLength(10)
  const old = await prove(newBrowser(), again.step.challenge, { method: 'recovery-code', code: second })
  expect(old.body.code).toBe('session.wrong-code')
  const kept = await service.database.asSystem((tx) =>
    tx.rows(sql`select encode(hash, 'escape') as hash from recovery_code where person_id = ${id}`),
  )
  for (const code of renewed.body.recoveryCodes) expect(JSON.stringify(kept)).not.toContain(code)
})

test('a security change needs a fresh sign-in on this device, or the password with the second step', async () => {
  const { id, email, browser, recoveryCodes } = await withTotp()
  const age = sql`update session_family set created_at = created_at - interval '11 minutes' where person_id = ${id}`
  await service.database.asSystem((tx) => tx.count(age))
  for (const shape of [security.removeTotp, security.newRecoveryCodes, security.startPasskey])
    expect((await browser.call(shape, { body: {} })).body.code).toBe('session.not-fresh')
  const wrong = await browser.call(identity.confirm, { body: { password: 'not the password' } })
  expect([wrong.status, wrong.body.code]).toEqual([400, 'session.wrong-password'])
  expect((await browser.call(security.removeTotp, {})).body.code).toBe('session.not-fresh')
  const proof = { method: 'recovery-code', code: recoveryCodes[0]! } as const
  expect((await browser.call(identity.confirm, { body: { password, proof } })).body.idToken).toBeTypeOf('string')
  const removed = await browser.call(security.removeTotp, {})
  expect(removed.body).toMatchObject({ totp: null, recoveryCodesLeft: 0 })
  expect((await mailsTo(service, email))[0]!.subject).toBe('The authenticator app was removed from your account')
  expect((await signIn(email)).body.idToken).toBeTypeOf('string')

  // A session handed over by QR code is no fresh sign-in, and needs no second step, which its giver has shown.
  const carrier = await withTotp()
  const { body } = await carrier.browser.call(accounts.createToken, {})
  const phone = newBrowser()
  expect((await phone.call(identity.customToken, { body: { token: body.token } })).body.idToken).toBeTypeOf('string')
  expect((await phone.call(security.removeTotp, { body: {} })).body.code).toBe('session.not-fresh')
  // A custom token made with a password proves no more than the password.
  const login = await newBrowser().call(accounts.login, { body: { system: 'APP', email: carrier.email, password } })
  const half = await newBrowser().call(identity.customToken, { body: { token: login.body.token } })
  expect(half.body).toMatchObject({ step: 'second-factor' })
})

test('a password alone does not confirm a person who has a second factor', async () => {
  const { email, browser, uri, recoveryCodes } = await withTotp()
  await later()
  const confirm = async (proof?: FactorProof) => {
    const { status, body } = await browser.call(identity.confirm, {
      body: { password, ...(proof === undefined ? {} : { proof }) },
    })
    return body.idToken === undefined ? [status, body.code as string] : [status, 'confirmed']
  }
  expect(await confirm()).toEqual([403, 'session.second-step'])
  const code = app(uri)
  expect(await confirm({ method: 'totp', code })).toEqual([200, 'confirmed'])
  // A code is good once, here and at sign-in.
  expect(await confirm({ method: 'totp', code })).toEqual([400, 'session.wrong-code'])
  expect(await confirm({ method: 'recovery-code', code: recoveryCodes[0]! })).toEqual([200, 'confirmed'])
  expect(await confirm({ method: 'recovery-code', code: recoveryCodes[0]! })).toEqual([400, 'session.wrong-code'])
  const stranger = { id: 'x', rawId: 'x', type: 'public-key', response: {}, clientExtensionResults: {} } as const
  expect(await confirm({ method: 'passkey', credential: stranger })).toEqual([400, 'session.wrong-passkey'])
  // A wrong password does not reach the second step, and uses nothing up.
  const wrong = await browser.call(identity.confirm, {
    body: { password: 'not the password', proof: { method: 'recovery-code', code: recoveryCodes[1]! } },
  })
  expect(wrong.body.code).toBe('session.wrong-password')
  expect(await confirm({ method: 'recovery-code', code: recoveryCodes[1]! })).toEqual([200, 'confirmed'])

  // Wrong codes are counted together with those of the sign-in.
  const bad = app(uri, Date.now() + 3_600_000)
  const { step } = await signIn(email)
  for (let tries = 0; tries < 2; tries++)
    expect((await prove(newBrowser(), step.challenge, { method: 'totp', code: bad })).body.code).toBe(
      'session.wrong-code',
    )
  for (let tries = 0; tries < 3; tries++)
    expect(await confirm({ method: 'totp', code: bad })).toEqual([400, 'session.wrong-code'])
  expect(await confirm({ method: 'totp', code: app(uri) })).toEqual([429, 'request.too-many'])
  expect((await prove(newBrowser(), step.challenge, { method: 'totp', code: app(uri) })).status).toBe(429)
  // So are recovery codes, apart from those of the app.
  const made = 'AAAA-AAAA-AAAA-AAAA'
  for (let tries = 0; tries < 2; tries++)
    await prove(newBrowser(), step.challenge, { method: 'recovery-code', code: made })
  for (let tries = 0; tries < 3; tries++)
    expect(await confirm({ method: 'recovery-code', code: made })).toEqual([400, 'session.wrong-code'])
  expect(await confirm({ method: 'recovery-code', code: recoveryCodes[2]! })).toEqual([429, 'request.too-many'])
})

test('staff must set up a second factor first when the server’s policy says so', async () => {
  const email = newEmail()
  const staffPassword = 'kettle-drum-4111'
  await service.database.asSystem((tx) => createPerson(tx, { email, name: 'QA', role: 'QA', password: staffPassword }))
  const browser = newBrowser()
  const { body } = await browser.call(identity.password, { body: { email, password: staffPassword } })
  expect(body).toEqual({ challenge: expect.any(String), step: 'set-up', methods: [] })
  expect((await browser.call(security.read, {})).status).toBe(401)
  const { challenge } = body as NextStep
  const { uri } = (await browser.call(security.startTotp, { body: { challenge } })).body as { uri: string }
  const wrong = await browser.call(security.confirmTotp, { body: { challenge, code: '000000' } })
  expect(wrong.body.code).toBe('session.wrong-code')
  const done = await browser.call(security.confirmTotp, { body: { challenge, code: app(uri) } })
  expect(done.body.session.idToken).toBeTypeOf('string')
  expect(done.body.recoveryCodes).toHaveLength(10)
  expect((await browser.call(security.startTotp, { body: { challenge } })).body.code).toBe('session.step-ended')
  // What is demanded cannot be taken away again.
  expect((await browser.call(security.removeTotp, { body: {} })).body.code).toBe('security.last-factor')
  expect((await browser.call(security.read, {})).body).toMatchObject({ isRequired: true, recoveryCodesLeft: 10 })
})

test('a demanded set-up that began before a factor was added is over, and adds no second way in', async () => {
  const email = newEmail()
  const staffPassword = 'kettle-drum-4111'
  await service.database.asSystem((tx) => createPerson(tx, { email, name: 'QA', role: 'QA', password: staffPassword }))
  const begin = async () => {
    const browser = newBrowser()
    const { body } = await browser.call(identity.password, { body: { email, password: staffPassword } })
    return { browser, challenge: (body as NextStep).challenge }
  }
  const [thief, owner] = [await begin(), await begin()]
  const device = openAuthenticator({ origin, party: 'localhost' })
  const early = await thief.browser.call(security.startPasskey, { body: { challenge: thief.challenge } })
  const { uri } = (await owner.browser.call(security.startTotp, { body: { challenge: owner.challenge } })).body as {
    uri: string
  }
  const done = await owner.browser.call(security.confirmTotp, { body: { challenge: owner.challenge, code: app(uri) } })
  expect(done.status).toBe(200)
  const late = await thief.browser.call(security.startPasskey, { body: { challenge: thief.challenge } })
  expect(late.body.code).toBe('session.step-ended')
  const added = await thief.browser.call(security.addPasskey, {
    body: { challenge: thief.challenge, name: 'Mine', credential: device.create(early.body.options) },
  })
  expect(added.body.code).toBe('session.step-ended')
  expect((await owner.browser.call(security.read, {})).body.passkeys).toEqual([])
})

test('a company can require a second factor, for its own people only', async () => {
  const tenantId = await makeTenant(service)
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  const changed = await callConfirmed(service, admin)(tenants.update, {
    body: { tenantId, data: { requireSecondFactor: true } },
  })
  expect(changed.requireSecondFactor).toBe(true)
  const [inside, outside] = [newEmail(), newEmail()]
  await service.database.asSystem(async (tx) => {
    await createPerson(tx, { email: inside, name: 'In', role: 'User', password, tenantId })
    await createPerson(tx, { email: outside, name: 'Out', role: 'User', password })
  })
  expect((await signIn(inside)).step.step).toBe('set-up')
  expect((await signIn(outside)).body.idToken).toBeTypeOf('string')
})

test('a person without a factor who joins a company that demands one is asked for it at the next refresh', async () => {
  const tenantId = await makeTenant(service)
  await service.database.asSystem((tx) =>
    tx.count(sql`update tenant set require_second_factor = true where id = ${tenantId}`),
  )
  const invitationCode = await service.database.asSystem(
    async (tx) =>
      (await tx.first(sql<{ invite_code: string }>`select invite_code from tenant where id = ${tenantId}`))!
        .invite_code,
  )
  const joined = async ({ id, email, browser }: Awaited<ReturnType<typeof newOfficer>>) => {
    await service.database.asSystem((tx) => tx.count(sql`update person set email_verified_at = now() where id = ${id}`))
    await service.database.asSystem(async (tx) => {
      await tx.count(sql`insert into calendar_link (person_id, secret_hash) values (${id}, ${randomBytes(32)})`)
      await tx.count(sql`update person set fcm_token = ${id} where id = ${id}`)
    })
    const { browser: elsewhere } = await signIn(email)
    expect((await browser.call(accounts.setup, { body: { invitationCode } })).status).toBe(200)
    return Promise.all([browser, elsewhere].map(async (one) => (await one.call(identity.refresh, {})).status))
  }
  /** What goes on without a session. */
  const goesOn = ({ id }: { id: string }) =>
    service.database.asSystem((tx) =>
      tx.first(sql<{ links: number; phones: number }>`
        select (select count(*) from calendar_link where person_id = ${id}) as links,
          (select count(*) from person where id = ${id} and fcm_token is not null) as phones`),
    )
  const without = await newOfficer()
  expect(await joined(without)).toEqual([401, 401])
  expect(await goesOn(without)).toEqual({ links: 0, phones: 0 })
  expect((await signIn(without.email)).step.step).toBe('set-up')
  // Whoever has shown their factor goes on.
  const person = await newOfficer()
  const { body } = await person.browser.call(security.startTotp, { body: {} })
  const { uri } = body as { uri: string }
  expect((await person.browser.call(security.confirmTotp, { body: { code: app(uri) } })).status).toBe(200)
  expect((await joined(person))[0]).toBe(200)
  expect(await goesOn(person)).toEqual({ links: 1, phones: 1 })
})

test('a passkey works as second factor and as sign-in, and each answer is good once', async () => {
  const { email, browser } = await newOfficer()
  const device = openAuthenticator({ origin, party: 'localhost' })
  const start = await browser.call(security.startPasskey, { body: {} })
  const made = device.create(start.body.options)
  const added = await browser.call(security.addPasskey, { body: { name: 'My phone', credential: made } })
  expect(added.body).toMatchObject({ session: null, recoveryCodes: expect.any(Array) })
  const twice = await browser.call(security.addPasskey, { body: { name: 'Again', credential: made } })
  expect(twice.body.code).toBe('session.wrong-passkey')

  const { step } = await signIn(email)
  expect(step.methods).toEqual(['passkey', 'recovery-code'])
  const prompt = await newBrowser().call(identity.passkeyStart, { body: { challenge: step.challenge } })
  expect(prompt.body.options.allowCredentials).toEqual([expect.objectContaining({ id: made.id })])
  const shown = device.get(prompt.body.options, { isVerified: false })
  expect((await prove(newBrowser(), step.challenge, { method: 'passkey', credential: shown })).status).toBe(200)
  const replay = await signIn(email)
  const replayed = await prove(newBrowser(), replay.step.challenge, { method: 'passkey', credential: shown })
  expect(replayed.body.code).toBe('session.wrong-passkey')

  const alone = async (credential: (options: Record<string, unknown>) => ReturnType<typeof device.get>) => {
    const asked = await newBrowser().call(identity.passkeyStart, { body: {} })
    return newBrowser().call(identity.passkey, { body: { credential: credential(asked.body.options) } })
  }
  expect((await alone((options) => device.get(options))).body.idToken).toBeTypeOf('string')
  const wrong = {
    'without finger, face or PIN': () => alone((options) => device.get(options, { isVerified: false })),
    'at another address': () => alone((options) => device.get(options, { at: 'https://evil.example' })),
    'a question of its own': () => alone(() => device.get({ challenge: Buffer.alloc(32).toString('base64url') })),
    'somebody else’s device': () =>
      alone((options) => ({ ...openAuthenticator({ origin, party: 'localhost' }).get(options), id: made.id })),
    'a copy of the device': () => (device.rewind(), alone((options) => device.get(options))),
  }
  for (const [name, attempt] of Object.entries(wrong)) {
    const { status, body } = await attempt()
    expect([name, status, body.code]).toEqual([name, 400, 'session.wrong-passkey'])
  }
  // Another person's challenge is not met with this passkey.
  const other = await withTotp()
  const theirs = await signIn(other.email)
  const asked = await newBrowser().call(identity.passkeyStart, { body: {} })
  const stolen = await prove(newBrowser(), theirs.step.challenge, {
    method: 'passkey',
    credential: device.get(asked.body.options),
  })
  expect(stolen.body.code).toBe('session.wrong-passkey')

  const { body } = await browser.call(security.read, {})
  const removed = await browser.call(security.removePasskey, { body: { id: body.passkeys[0].id } })
  expect(removed.body).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
  expect((await signIn(email)).body.idToken).toBeTypeOf('string')
})

test('a credential nested 10,000 deep is refused', async () => {
  const credential = { id: 'x', rawId: 'x', type: 'public-key' as const, response: { clientDataJSON: 'TEN_THOUSAND' } }
  const { statusCode, body } = await service.app.inject({
    method: 'POST',
    url: '/identity/sign-in/passkey',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ credential }).replace('"TEN_THOUSAND"', `${'['.repeat(10_000)}${']'.repeat(10_000)}`),
  })
  expect({ statusCode, body: JSON.parse(body) as unknown }).toMatchObject({
    statusCode: 400,
    body: { code: 'request.invalid', message: expect.stringContaining('64 deep') },
  })
})

const nested = (depth: number): unknown[] => (depth === 0 ? [] : [nested(depth - 1)])

test('transports of a passkey that are no list of texts are refused with their place', async () => {
  const { browser } = await newOfficer()
  const device = openAuthenticator({ origin, party: 'localhost' })
  for (const transports of ['usb', 7, { length: 1 }, null, [{ toString: 1 }], [null]]) {
    const asked = await browser.call(security.startPasskey, { body: {} })
    const made = device.create(asked.body.options)
    const credential = { ...made, response: { ...made.response, transports } } as never
    const { status, body } = await browser.call(security.addPasskey, { body: { name: 'Mine', credential } })
    const path = 'body.credential.response.transports'
    expect([status, body.code, body.issues]).toEqual([
      400,
      'request.invalid',
      [{ path, message: 'This must be a list of texts.' }],
    ])
  }
})

test('a statement of a passkey’s maker, in whatever format, is neither read nor followed', async () => {
  const { browser } = await newOfficer()
  for (const format of ['packed', 'tpm', 'android-key', 'android-safetynet', 'fido-u2f', 'apple', 'unheard-of']) {
    const start = await browser.call(security.startPasskey, { body: {} })
    const made = openAuthenticator({ origin, party: 'localhost' }).create(start.body.options, { format })
    const { status } = await browser.call(security.addPasskey, { body: { name: format, credential: made } })
    expect([format, status]).toEqual([format, 200])
  }
})

test('a malformed credential is refused', async () => {
  const bytes = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const response of [
    {},
    { clientDataJSON: 5 },
    { clientDataJSON: [bytes({ challenge: 'x' })] },
    { clientDataJSON: { toString: 'x' } },
    { clientDataJSON: nested(50) },
    { clientDataJSON: 'x' },
    { clientDataJSON: bytes({ challenge: 7 }) },
    { clientDataJSON: bytes([]), authenticatorData: 'AA', signature: 'AA' },
    { clientDataJSON: Buffer.from('null').toString('base64url') },
  ]) {
    const credential = { id: 'x', rawId: 'x', type: 'public-key' as const, response }
    const { status, body } = await newBrowser().call(identity.passkey, { body: { credential } })
    expect([status, body.code]).toEqual([400, 'session.wrong-passkey'])
  }
})

test('the operator or an ADMIN in reach can reset a second factor; removal deletes it, and becoming staff keeps it', async () => {
  const lost = await withTotp()
  await service.database.asSystem((tx) => resetSecondFactor(tx, lost.email))
  expect((await lost.browser.call(security.read, {})).status).toBe(401)
  expect((await signIn(lost.email)).body.idToken).toBeTypeOf('string')

  // An ADMIN helps whom they reach, and not themselves.
  const tenantId = await makeTenant(service)
  const inside = await withTotp()
  await service.database.asSystem((tx) => changeAccountState(tx, inside.email, { tenantId }))
  const stranger = await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) })
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  const reset = (who: Person, userId: string) =>
    callConfirmed(service, who)(accounts.resetSecondFactor, { body: { userId } })
  await expect(reset(stranger, inside.id)).rejects.toMatchObject({ code: 'account.not-found' })
  await expect(reset(admin, admin.id)).rejects.toMatchObject({ code: 'account.own-factor' })
  expect((await signIn(inside.email)).step.step).toBe('second-factor')
  await reset(admin, inside.id)
  expect((await signIn(inside.email)).body.idToken).toBeTypeOf('string')
  expect((await mailsTo(service, inside.email))[0]!.subject).toBe('Your second step was removed')
  // Where nothing was removed, nothing is said.
  const told = (await mailsTo(service, inside.email)).length
  await reset(admin, inside.id)
  expect(await mailsTo(service, inside.email)).toHaveLength(told)

  const promoted = await withTotp()
  await service.database.asSystem((tx) => changeAccountState(tx, promoted.email, { role: 'Editor' }))
  const gone = await withTotp()
  const caller = { id: gone.id, role: 'User' as const, tenantId: null, securityStamp: null }
  await service.database.inTenant(caller, (tx) => removePerson(tx, caller as Person, undefined, new Date()))
  const left = (id: string) =>
    service.database.asSystem(async (tx) => [
      (await tx.rows(sql`select 1 from totp where person_id = ${id}`)).length,
      (await tx.rows(sql`select 1 from recovery_code where person_id = ${id}`)).length,
    ])
  expect([await left(promoted.id), await left(gone.id)]).toEqual([
    [1, 10],
    [0, 0],
  ])
})
