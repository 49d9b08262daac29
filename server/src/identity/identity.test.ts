import { createHash } from 'node:crypto'
import fc from 'fast-check'
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  exportSPKI,
  importJWK,
  jwtVerify,
  SignJWT,
} from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { callAs, makePerson, openService, type Service } from '../../test/service.ts'
import { changeAccountState, createPerson } from '../accounts/actions.ts'
import { sql } from '../kernel/database.ts'
import { issueCustomToken, signInOf, tidySessions, tryLimit } from './actions.ts'
import { openFamily } from './families.ts'
import { openIdentity } from './open.ts'
import { hashOf, newSecret } from './one-time-tokens.ts'
import { cost, hashPassword, dummyPasswordHash, verifyPassword } from './password-hash.ts'
import { lockPerson } from './store.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

const password = 'kettle-drum-41'
let people = 0
const newPerson = (role: 'User' | 'Editor' | 'QA' | 'ADMIN' = 'User') =>
  service.database.asSystem((tx) =>
    createPerson(tx, { email: `person${++people}@identity.test`, name: 'A Person', role, password }),
  )

type Headers = Record<string, string>
const post = async (path: string, payload?: unknown, headers: Headers = {}, at = service) => {
  const response = await at.app.inject({
    method: 'POST',
    url: `/identity${path}`,
    headers,
    ...(payload === undefined ? {} : { payload: payload as object }),
  })
  const cookie = response.cookies.find(({ name }) => name.endsWith('ctp_refresh'))
  return {
    status: response.statusCode,
    body: response.json(),
    cookie,
    refresh: cookie?.value,
    headers: response.headers,
  }
}
const signIn = (email: string, given = password) => post('/sign-in/password', { email, password: given })
const refresh = (token: string | undefined, headers: Headers = {}) =>
  post('/refresh', undefined, { cookie: `ctp_refresh=${token}`, ...headers })
/** A browser's renewals, each with a secret of its own: `hidden` is what it sends first, `shown` what it asks by once more. */
const newAsker = () => {
  const secret = newSecret()
  const secretHash = hashOf(secret).toString('base64url')
  return { secret, hidden: { secretHash }, shown: { secretHash, secrets: [secret] } }
}
const renew = (token: string | undefined, body: object) => post('/refresh', body, { cookie: `ctp_refresh=${token}` })
const whoAmI = async (idToken: string) => {
  const response = await service.app.inject({
    url: '/api/accounts/user/info',
    headers: { authorization: `Bearer ${idToken}` },
  })
  return { status: response.statusCode, body: response.json() }
}
/** Moves the exchange of a refresh token into the past. */
const ageRotation = (token: string, seconds: number) =>
  service.database.asSystem((tx) =>
    tx.count(
      sql`update refresh_token set rotated_at = rotated_at - make_interval(secs => ${seconds}) where hash = ${hashOf(token)}`,
    ),
  )

test('a password opens a session with an ID token for an hour and a refresh cookie', async () => {
  const person = await newPerson()
  const session = await signIn(person.email.toUpperCase())
  expect(session.status).toBe(200)
  expect(session.body.expiresIn).toBe(3600)
  expect(session.cookie).toMatchObject({
    name: 'ctp_refresh',
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    maxAge: 2_592_000,
  })
  expect(session.cookie).not.toHaveProperty('secure')
  expect(session.headers['cache-control']).toBe('no-store')
  expect(await whoAmI(session.body.idToken)).toMatchObject({
    status: 200,
    body: { id: person.id, email: person.email },
  })
})

test('under https the refresh cookie has the __Host- prefix and is Secure', async () => {
  const secured = await openService({ PUBLIC_URL: 'https://clear.example.test' })
  try {
    await secured.database.asSystem((tx) => createPerson(tx, { email: 'a@a.test', name: 'A', role: 'User', password }))
    const { cookie } = await post('/sign-in/password', { email: 'a@a.test', password }, {}, secured)
    expect(cookie).toMatchObject({
      name: '__Host-ctp_refresh',
      path: '/',
      secure: true,
      httpOnly: true,
      sameSite: 'Strict',
    })
    expect(cookie).not.toHaveProperty('domain')
  } finally {
    await secured.close()
  }
})

test('a wrong password, an unknown address, a disabled account and one without a password get the same answer', async () => {
  const person = await newPerson()
  const disabled = await newPerson()
  const without = await makePerson(service, 'User')
  await service.database.asSystem((tx) => changeAccountState(tx, disabled.email, { isDisabled: true }))
  const { email } = await callAs(service, without)(accounts.info, {})
  const answers = [
    await signIn(person.email, 'not the password'),
    await signIn('nobody@identity.test'),
    await signIn(disabled.email),
    await signIn(email),
  ]
  for (const { status, body } of answers) {
    expect(status).toBe(401)
    expect({ ...body, requestId: '' }).toEqual({
      message: 'Invalid Email or Password',
      kind: 'unauthorized',
      code: 'session.wrong-credentials',
      requestId: '',
    })
  }
})

test('checking an account without a password costs as much as one with a password', async () => {
  const parametersOf = (hash: string) => hash.split('$').slice(1, 4).join('$')
  expect(parametersOf(await hashPassword('x'))).toBe(parametersOf(dummyPasswordHash))
  expect(parametersOf(dummyPasswordHash)).toBe(
    `argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}`,
  )
  expect(await verifyPassword('anything', null)).toBe(false)
  const composed = await hashPassword('Zürich-kettle')
  expect(await verifyPassword('Zu\u0308rich-kettle', composed)).toBe(true)
})

test(`an account allows ${tryLimit.tries} wrong tries, counted exactly in parallel; a right password resets them`, async () => {
  const person = await newPerson()
  for (const email of [person.email, 'stranger@identity.test']) {
    const answers = await Promise.all(Array.from({ length: 25 }, () => signIn(email, 'not the password')))
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(401), count(429)]).toEqual([tryLimit.tries, 25 - tryLimit.tries])
  }
  expect((await signIn(person.email)).status).toBe(429)
  expect((await signIn((await newPerson()).email)).status).toBe(200)

  const age = sql`update sign_in_try set since = since - interval '16 minutes'`
  await service.database.asSystem((tx) => tx.count(age))
  for (let round = 0; round < 2; round++) {
    for (let wrong = 1; wrong < tryLimit.tries; wrong++) await signIn(person.email, 'not the password')
    expect((await signIn(person.email)).status).toBe(200)
  }
})

test('wrong passwords from a stranger’s network keep nobody out elsewhere, and no session from confirming', async () => {
  const person = await newPerson()
  const from = (remoteAddress: string, url: string, payload: object, headers: Headers = {}) =>
    service.app.inject({ method: 'POST', url: `/identity${url}`, payload, headers, remoteAddress })
  const signInFrom = async (address: string, given = password) =>
    (await from(address, '/sign-in/password', { email: person.email, password: given })).statusCode
  const { idToken } = (await from('192.0.2.1', '/sign-in/password', { email: person.email, password })).json()
  const authorization = `Bearer ${idToken}`
  const confirm = async (given: string) =>
    (await from('192.0.2.1', '/confirm', { password: given }, { authorization })).statusCode
  for (let wrong = 0; wrong < tryLimit.tries; wrong++)
    expect(await signInFrom('198.51.100.7', 'not the password')).toBe(401)
  expect(await signInFrom('198.51.100.7')).toBe(429)
  // Its neighbours are the same holder's.
  for (let more = 0; more < tryLimit.everywhere; more++) await signInFrom(`198.51.100.${more}`, 'not the password')
  for (let more = 0; more < tryLimit.everywhere; more++) await signInFrom(`2001:db8:1:${more}::1`, 'not the password')
  expect(await signInFrom('192.0.2.1')).toBe(200)
  // All networks together have an end, but for who signs in where they have before.
  for (let net = 1; net <= tryLimit.everywhere / tryLimit.tries; net++)
    for (let wrong = 0; wrong < tryLimit.tries; wrong++) await signInFrom(`203.0.${net}.1`, 'not the password')
  expect(await signInFrom('192.0.3.1')).toBe(429)
  expect(await signInFrom('192.0.2.1')).toBe(200)
  // Who is in, confirms, and guesses no more than ten times either.
  expect(await confirm(password)).toBe(200)
  for (let wrong = 0; wrong < tryLimit.tries; wrong++) expect(await confirm('not the password')).toBe(400)
  expect(await confirm(password)).toBe(429)
})

test('of 100 simultaneous redemptions of one custom token exactly one opens a session', async () => {
  const person = await newPerson()
  const token = await service.database.asSystem((tx) => issueCustomToken(tx, person.id))
  const waiting = sql`select from pg_locks where not granted`
  const { tries } = await service.database.asSystem(async (tx) => {
    // At least two have found the token good before one of them goes on.
    await lockPerson(tx, person.id)
    const begun = Array.from({ length: 100 }, () => post('/sign-in/custom-token', { token }))
    await vi.waitFor(async () => expect((await tx.rows(waiting)).length).toBeGreaterThan(1), { timeout: 20_000 })
    return { tries: begun }
  })
  const done = await Promise.all(tries)
  const won = done.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  expect(done.filter(({ status, body }) => status === 401 && body.code === 'session.invalid-token')).toHaveLength(99)
  const families = await service.database.asSystem((tx) =>
    tx.rows(sql`select 1 from session_family where person_id = ${person.id}`),
  )
  expect(families).toHaveLength(1)
  expect((await whoAmI(won[0]!.body.idToken)).body.id).toBe(person.id)
})

test('a custom token ends after five minutes, or when its account is disabled', async () => {
  const person = await newPerson()
  const late = await service.database.asSystem((tx) => issueCustomToken(tx, person.id))
  await service.database.asSystem((tx) =>
    tx.count(sql`update one_time_token set ends_at = ends_at - interval '301 seconds' where hash = ${hashOf(late)}`),
  )
  expect((await post('/sign-in/custom-token', { token: late })).status).toBe(401)
  const dead = await service.database.asSystem((tx) => issueCustomToken(tx, person.id))
  await service.database.asSystem((tx) => changeAccountState(tx, person.email, { isDisabled: true }))
  expect((await post('/sign-in/custom-token', { token: dead })).status).toBe(401)
})

test('a token of one kind is refused as any other kind', async () => {
  const person = await newPerson()
  const { body, refresh: sent } = await signIn(person.email)
  const refreshToken = sent!
  const custom = await service.database.asSystem((tx) => issueCustomToken(tx, person.id))
  const other = 'a'.repeat(43)
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into one_time_token (hash, purpose, person_id, ends_at)
      values (${hashOf(other)}, 'email-code', ${person.id}, now() + interval '1 hour')`),
  )
  for (const token of [other, refreshToken, body.idToken]) {
    expect((await post('/sign-in/custom-token', { token })).status).toBe(401)
  }
  for (const token of [custom, other, body.idToken]) expect((await refresh(token)).status).toBe(401)
  for (const token of [custom, other, refreshToken]) expect((await whoAmI(token)).status).toBe(401)
  // None of that used anything up.
  expect((await post('/sign-in/custom-token', { token: custom })).status).toBe(200)
  expect((await refresh(refreshToken)).status).toBe(200)
})

test('a refresh token rotates, and reuse of an older one ends the session and its ID tokens', async () => {
  const person = await newPerson()
  const first = await signIn(person.email)
  const elsewhere = await signIn(person.email)
  const second = await refresh(first.refresh)
  expect(second.status).toBe(200)
  expect(second.refresh).not.toBe(first.refresh)
  const third = await refresh(second.refresh)
  expect(third.status).toBe(200)
  expect((await whoAmI(third.body.idToken)).status).toBe(200)

  // Two steps back is theft, grace or not.
  const reused = await refresh(first.refresh)
  expect([reused.status, reused.body.code]).toEqual([401, 'session.ended'])
  expect((await refresh(third.refresh)).status).toBe(401)
  expect((await whoAmI(third.body.idToken)).status).toBe(401)
  // The other device renews without noticing.
  const renewed = await refresh(elsewhere.refresh)
  expect((await whoAmI(renewed.body.idToken)).status).toBe(200)
})

test('the previous refresh token is answered with the same successor for ten seconds', async () => {
  const person = await newPerson()
  const first = await signIn(person.email)
  const tabs = await Promise.all(Array.from({ length: 20 }, () => refresh(first.refresh)))
  expect(new Set(tabs.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(tabs.map(({ refresh: token }) => token)).size).toBe(1)
  const lines = await service.database.asSystem((tx) =>
    tx.rows(
      sql`select 1 from refresh_token t join session_family f on f.id = t.family_id where f.person_id = ${person.id}`,
    ),
  )
  expect(lines).toHaveLength(2)

  await ageRotation(first.refresh!, 8)
  expect((await refresh(first.refresh)).refresh).toBe(tabs[0]!.refresh)
  await ageRotation(first.refresh!, 3)
  expect((await refresh(first.refresh)).status).toBe(401)
  expect((await refresh(tabs[0]!.refresh)).status).toBe(401)
})

test('a renewal whose answer was lost is answered again, however late, to the browser alone that asked for it', async () => {
  const person = await newPerson()
  const first = await signIn(person.email)
  const asker = newAsker()
  const lost = await renew(first.refresh, asker.hidden)
  await ageRotation(first.refresh!, 20 * 86_400)
  const again = await renew(first.refresh, asker.shown)
  expect([again.status, again.refresh]).toEqual([200, lost.refresh])
  // Once more where that answer, too, was lost, or the browser had not written its cookie down; and beside another tab of it.
  const later = newAsker()
  expect((await renew(first.refresh, { ...newAsker().hidden, secrets: [asker.secret] })).refresh).toBe(lost.refresh)
  const third = await renew(first.refresh, { ...later.hidden, secrets: [asker.secret] })
  expect([third.refresh, (await whoAmI(third.body.idToken)).status]).toEqual([lost.refresh, 200])
  await ageRotation(first.refresh!, 60)
  expect((await renew(first.refresh, { secrets: [asker.secret, later.secret] })).refresh).toBe(lost.refresh)
  await ageRotation(first.refresh!, 60)
  expect((await renew(first.refresh, { secrets: [later.secret] })).refresh).toBe(lost.refresh)
  // Once its successor is exchanged it is two steps back.
  expect((await renew(lost.refresh, newAsker().hidden)).status).toBe(200)
  expect((await renew(first.refresh, later.shown)).status).toBe(401)
  expect((await refresh(lost.refresh)).status).toBe(401)
})

test('a session whose renewals are answered again goes on as one that is used, and ends on its last day', async () => {
  const first = await signIn((await newPerson()).email)
  const asker = newAsker()
  await renew(first.refresh, asker.hidden)
  const family = sql`(select family_id from refresh_token where hash = ${hashOf(first.refresh!)})`
  const set = (change: ReturnType<typeof sql>) =>
    service.database.asSystem((tx) => tx.count(sql`update session_family set ${change} where id = ${family}`))
  await set(sql`ends_at = now() + interval '1 minute'`)
  expect((await renew(first.refresh, asker.shown)).status).toBe(200)
  const days = await service.database.asSystem((tx) =>
    tx.first(sql<{ left: number }>`
      select extract(epoch from ends_at - now())::int / 86400 as left from session_family where id = ${family}`),
  )
  expect(days!.left).toBeGreaterThan(28)
  await set(sql`ends_at = now()`)
  expect((await renew(first.refresh, asker.shown)).status).toBe(401)
})

test('a thief of a refresh token is found once its grace is over, whatever they saw, and whether it was used since', async () => {
  const mine = newAsker()
  const attempts: Record<string, object> = {
    'without a secret': {},
    'with a secret of their own': newAsker().shown,
    'with the very request that they saw': mine.hidden,
    'with the hash in the place of the secret': { ...mine.hidden, secrets: [mine.hidden.secretHash] },
  }
  for (const isUsed of [true, false])
    for (const [how, body] of Object.entries(attempts)) {
      const first = await signIn((await newPerson()).email)
      const second = await renew(first.refresh, mine.hidden)
      if (isUsed) expect((await whoAmI(second.body.idToken)).status).toBe(200)
      await ageRotation(first.refresh!, 11)
      expect([how, isUsed, (await renew(first.refresh, body)).status]).toEqual([how, isUsed, 401])
      expect((await renew(second.refresh, mine.shown)).status).toBe(401)
      expect((await whoAmI(second.body.idToken)).status).toBe(401)
    }
})

test('a thief of a refresh token is found who renews each time after its owner, or before them', async () => {
  for (const isFirst of [false, true]) {
    const start = await signIn((await newPerson()).email)
    const [mine, theirs] = [newAsker(), newAsker()]
    const [before, after] = isFirst ? [theirs, mine] : [mine, theirs]
    const turned = await renew(start.refresh, before.hidden)
    expect((await renew(start.refresh, before.hidden)).refresh).toBe(turned.refresh)
    // Within its grace a parallel tab is answered; that makes nobody the one who asked.
    expect((await renew(start.refresh, after.hidden)).refresh).toBe(turned.refresh)
    await ageRotation(start.refresh!, 11)
    expect([isFirst, (await renew(start.refresh, after.shown)).status]).toEqual([isFirst, 401])
    expect((await renew(turned.refresh, before.hidden)).status).toBe(401)
  }
})

test('a thief of a refresh token is found who asks again and again until its owner comes', async () => {
  const start = await signIn((await newPerson()).email)
  const theirs = newAsker()
  const stolen = await renew(start.refresh, theirs.hidden)
  for (let asked = 0; asked < 3; asked++) {
    await ageRotation(start.refresh!, 9)
    const next = newAsker()
    expect((await renew(start.refresh, { ...next.hidden, secrets: [theirs.secret] })).refresh).toBe(stolen.refresh)
  }
  expect((await renew(start.refresh, newAsker().shown)).status).toBe(401)
  expect((await renew(stolen.refresh, theirs.shown)).status).toBe(401)
  expect((await whoAmI(stolen.body.idToken)).status).toBe(401)
})

test('an exchanged refresh token no longer proves a fresh sign-in or carries a session, except within its grace', async () => {
  const person = await newPerson()
  const first = await signIn(person.email)
  const second = await refresh(first.refresh)
  const ask = async (method: 'GET' | 'POST', url: string, cookie: string) =>
    service.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${second.body.idToken}`, cookie: `ctp_refresh=${cookie}` },
      ...(url.endsWith('start') ? { payload: {} } : {}),
    })
  const isFresh = async (cookie: string) =>
    (await ask('POST', '/identity/security/totp/start', cookie)).json().code !== 'session.not-fresh'
  const carriesForDays = async (cookie: string) => {
    const { token } = (await ask('POST', '/api/accounts/user/createToken/', cookie)).json() as { token: string }
    const row = await service.database.asSystem((tx) =>
      tx.first(sql<{ days: number }>`
        select extract(epoch from session_ends_at - now())::int / 86400 as days from one_time_token where hash = ${hashOf(token)}`),
    )
    return row!.days > 1
  }
  expect([await isFresh(first.refresh!), await carriesForDays(first.refresh!)]).toEqual([true, true])
  await ageRotation(first.refresh!, 11)
  expect([await isFresh(first.refresh!), await carriesForDays(first.refresh!)]).toEqual([false, false])
  expect([await isFresh(second.refresh!), await carriesForDays(second.refresh!)]).toEqual([true, true])
})

test('reuse of a refresh token also ends sessions and tokens that were handed to other devices', async () => {
  const person = await newPerson()
  const first = await signIn(person.email)
  const carry = async (idToken: string, cookie: string) => {
    const response = await service.app.inject({
      method: 'POST',
      url: '/api/accounts/user/createToken/',
      headers: { authorization: `Bearer ${idToken}`, cookie: `ctp_refresh=${cookie}` },
    })
    return (response.json() as { token: string }).token
  }
  const carried = await post('/sign-in/custom-token', { token: await carry(first.body.idToken, first.refresh!) })
  expect(carried.status).toBe(200)
  const waiting = await carry(first.body.idToken, first.refresh!)
  await refresh((await refresh(first.refresh)).refresh)
  expect((await refresh(first.refresh)).status).toBe(401)
  expect((await refresh(carried.refresh)).status).toBe(401)
  expect((await post('/sign-in/custom-token', { token: waiting })).status).toBe(401)
})

test('a session ends when it is not used, and at its latest end in any case', async () => {
  const person = await newPerson()
  const idle = await signIn(person.email)
  const days = (count: number) => (tx: { count: (q: ReturnType<typeof sql>) => Promise<number> }) =>
    tx.count(sql`
      update session_family set ends_at = ends_at - make_interval(days => ${count}), created_at = created_at - make_interval(days => ${count}),
        must_end_at = must_end_at - make_interval(days => ${count})
      where person_id = ${person.id}`)
  await service.database.asSystem(days(29))
  const used = await refresh(idle.refresh)
  expect(used.status).toBe(200)
  await service.database.asSystem(days(29))
  const usedAgain = await refresh(used.refresh)
  expect(usedAgain.status).toBe(200)
  await service.database.asSystem(days(31))
  expect((await refresh(usedAgain.refresh)).status).toBe(401)

  const old = await signIn(person.email)
  await service.database.asSystem((tx) =>
    tx.count(
      sql`update session_family set must_end_at = must_end_at - interval '179 days 23 hours' where person_id = ${person.id}`,
    ),
  )
  expect((await refresh(old.refresh)).status).toBe(200)
  const left = await service.database.asSystem((tx) =>
    tx.first(sql<{ left: boolean }>`
      select max(ends_at) < now() + interval '2 hours' as left from session_family
      where person_id = ${person.id} and ends_at > now()`),
  )
  expect(left).toEqual({ left: true })
})

test('signing out ends this session, and signing out everywhere ends every session and ID token', async () => {
  const person = await newPerson()
  const [one, two, three] = [await signIn(person.email), await signIn(person.email), await signIn(person.email)]
  const out = await post('/sign-out', {}, { cookie: `ctp_refresh=${one.refresh}` })
  expect([out.status, out.body]).toEqual([200, { success: true }])
  expect(out.cookie).toMatchObject({ value: '', path: '/' })
  expect((await refresh(one.refresh)).status).toBe(401)
  expect((await refresh(two.refresh)).status).toBe(200)

  const unused = await service.database.asSystem((tx) => issueCustomToken(tx, person.id))
  await post('/sign-out', { everywhere: true }, { cookie: `ctp_refresh=${three.refresh}` })
  for (const { refresh: token } of [two, three]) expect((await refresh(token)).status).toBe(401)
  for (const { body } of [one, two, three]) expect((await whoAmI(body.idToken)).status).toBe(401)
  expect((await post('/sign-in/custom-token', { token: unused })).status).toBe(401)

  // A tool without a cookie jar has its ID token only.
  const tool = await signIn(person.email)
  await post('/sign-out', { everywhere: true }, { authorization: `Bearer ${tool.body.idToken}` })
  expect((await refresh(tool.refresh)).status).toBe(401)
  expect((await whoAmI(tool.body.idToken)).status).toBe(401)
  // Signing out without a session is allowed.
  expect((await post('/sign-out')).status).toBe(200)
})

test('signing out of a device ends the sessions handed over from it, at any distance, and no others', async () => {
  const person = await newPerson()
  const carry = async ({ body, refresh: token }: Awaited<ReturnType<typeof post>>) => {
    const response = await service.app.inject({
      method: 'POST',
      url: '/api/accounts/user/createToken/',
      headers: { authorization: `Bearer ${body.idToken}`, cookie: `ctp_refresh=${token}` },
    })
    return (response.json() as { token: string }).token
  }
  const redeem = (token: string) => post('/sign-in/custom-token', { token })
  const signOut = (session: { refresh: string | undefined }) =>
    post('/sign-out', {}, { cookie: `ctp_refresh=${session.refresh}` })
  const alive = async (...sessions: { refresh: string | undefined }[]) =>
    service.database.asSystem((tx) =>
      Promise.all(sessions.map(async (one) => (await signInOf(tx, person.id, one.refresh!)) !== null)),
    )
  const [laptop, desk] = [await signIn(person.email), await signIn(person.email)]
  const phone = await redeem(await carry(laptop))
  const tablet = await redeem(await carry(phone))
  const kiosk = await redeem(await carry(desk))
  await signOut(tablet)
  expect(await alive(phone, tablet, desk, kiosk)).toEqual([true, false, true, true])

  const onItsWay = await carry(phone)
  await signOut(phone)
  expect((await redeem(onItsWay)).status).toBe(401)
  const again = await redeem(await carry(desk))
  const further = await redeem(await carry(again))
  await signOut(desk)
  expect(await alive(desk, kiosk, again, further)).toEqual([false, false, false, false])
  expect((await refresh(further.refresh)).status).toBe(401)
})

test('signing out also ends a session that was handed over by way of a session that has expired', async () => {
  const person = await newPerson()
  const open = (familyId: string | null) =>
    service.database.asSystem((tx) =>
      openFamily(tx, person.id, { familyId, mustEndAt: new Date(Date.now() + 86_400_000) }),
    )
  const familyOf = (token: string) => service.database.asSystem((tx) => signInOf(tx, person.id, token))
  const root = await open(null)
  const middle = await open(await familyOf(root.refreshToken))
  const leaf = await open(await familyOf(middle.refreshToken))
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update session_family set ends_at = now() - interval '2 days'
      where id = (select family_id from refresh_token where hash = ${hashOf(middle.refreshToken)})`),
  )
  await tidySessions(service.database)
  await post('/sign-out', {}, { cookie: `ctp_refresh=${root.refreshToken}` })
  expect(await familyOf(leaf.refreshToken)).toBe(null)
})

test('signing out everywhere removes the phone’s token and the calendar link, and signing out here does not', async () => {
  const secretOf = (id: string) => hashOf(id).toString('base64url')
  const person = await newPerson()
  const other = await newPerson()
  for (const { id } of [person, other])
    await service.database.asSystem(async (tx) => {
      await tx.count(sql`update person set fcm_token = ${`phone of ${id}`} where id = ${id}`)
      await tx.count(sql`insert into calendar_link (person_id, secret_hash) values (${id}, ${hashOf(secretOf(id))})`)
    })
  const held = async ({ id }: { id: string }) =>
    service.database.asSystem((tx) =>
      tx.first(sql`
        select fcm_token is not null as phone, exists (select from calendar_link where person_id = ${id}) as link
        from person where id = ${id}`),
    )
  const calendar = async () => (await service.app.inject({ url: `/calendar/${secretOf(person.id)}.ics` })).statusCode
  const [here, there] = [await signIn(person.email), await signIn(person.email)]
  await post('/sign-out', {}, { cookie: `ctp_refresh=${here.refresh}` })
  expect([await held(person), await calendar()]).toEqual([{ phone: true, link: true }, 200])
  await post('/sign-out', { everywhere: true }, { cookie: `ctp_refresh=${there.refresh}` })
  expect([await held(person), await calendar()]).toEqual([{ phone: false, link: false }, 404])
  expect(await held(other)).toEqual({ phone: true, link: true })
})

test('a changed role, company or access takes effect on the next call', async () => {
  const person = await newPerson('QA')
  const session = await signIn(person.email)
  const search = async (idToken: string) =>
    (await service.app.inject({ url: '/api/accounts/users/search/', headers: { authorization: `Bearer ${idToken}` } }))
      .statusCode
  expect(await search(session.body.idToken)).toBe(200)

  await service.database.asSystem((tx) => changeAccountState(tx, person.email, { role: 'Editor' }))
  expect(await search(session.body.idToken)).toBe(401)
  const asEditor = await refresh(session.refresh)
  expect(asEditor.status).toBe(200)
  expect(await search(asEditor.body.idToken)).toBe(403)

  await service.database.asSystem((tx) => changeAccountState(tx, person.email, { isDisabled: true }))
  expect((await whoAmI(asEditor.body.idToken)).status).toBe(401)
  expect((await refresh(asEditor.refresh)).status).toBe(401)
  await service.database.asSystem((tx) => changeAccountState(tx, person.email, { isDisabled: false }))
  expect((await whoAmI(asEditor.body.idToken)).status).toBe(401)
  expect((await signIn(person.email)).status).toBe(200)
})

test('a request from another site cannot use the refresh cookie', async () => {
  const { refresh: token } = await signIn((await newPerson()).email)
  const origin = service.config.publicUrl
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ] as Headers[])
    expect((await refresh(token, headers)).status, JSON.stringify(headers)).toBe(403)
  await post('/sign-out', {}, { cookie: `ctp_refresh=${token}`, 'sec-fetch-site': 'cross-site' })
  const same = await refresh(token, { 'sec-fetch-site': 'same-origin', origin })
  expect(same.status).toBe(200)
  expect((await refresh(same.refresh, { origin })).status).toBe(200)
})

test('a sign-in is refused with any content type but JSON', async () => {
  const { email } = await newPerson()
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const response = await service.app.inject({
      method: 'POST',
      url: '/identity/sign-in/password',
      headers: { 'content-type': type },
      payload: JSON.stringify({ email, password }),
    })
    expect([response.statusCode, response.cookies]).toEqual([400, []])
    if (type === 'text/plain') expect(response.json()).toMatchObject({ code: 'request.wrong-type' })
  }
})

test('a stock library verifies our tokens with the published keys, through a rotation and on every server', async () => {
  const person = await newPerson()
  const before = await signIn(person.email)
  const issuer = `${service.config.publicUrl}/identity`
  const published = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), {
    cooldownDuration: 0,
    [customFetch]: async (url) => {
      const response = await service.app.inject({ url: new URL(url).pathname })
      return new Response(response.body, {
        status: response.statusCode,
        headers: { 'content-type': 'application/json' },
      })
    },
  })
  const { payload } = await jwtVerify(before.body.idToken, published, { issuer, audience: 'clear-to-post' })
  expect(payload).toMatchObject({ sub: person.id, role: 'User', tenantId: null })
  expect(payload.exp! - payload.iat!).toBe(3600)

  const neighbour = await openIdentity(service)
  await neighbour.keys.rotate()
  const after = await neighbour.signIdToken({
    id: person.id,
    role: 'User',
    tenantId: null,
    securityStamp: payload.securityStamp as number,
  })
  expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before.body.idToken).kid)
  // This server has not heard of the new key, and looks.
  await new Promise((later) => setTimeout(later, 1100))
  expect((await whoAmI(after)).status).toBe(200)
  for (const token of [before.body.idToken, after])
    await jwtVerify(token, published, { issuer, audience: 'clear-to-post' })

  const set = (await service.app.inject({ url: '/identity/.well-known/jwks.json' })).json()
  expect(set.keys).toHaveLength(2)
  for (const key of set.keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])

  await service.database.asSystem((tx) =>
    tx.count(sql`update signing_key set retired_at = now() - interval '70 minutes' where retired_at is not null`),
  )
  const later = await openIdentity(service)
  expect(await later.keys.published()).toHaveLength(1)
})

test('servers that start together create one signing key', async () => {
  const fresh = await openService()
  try {
    await fresh.database.asSystem((tx) => tx.count(sql`delete from signing_key`))
    const servers = await Promise.all(Array.from({ length: 12 }, () => openIdentity(fresh)))
    const kids = await Promise.all(servers.map(async ({ keys }) => (await keys.signing()).kid))
    expect(new Set(kids).size).toBe(1)
  } finally {
    await fresh.close()
  }
})

test('a forged or altered token is refused', async () => {
  const admin = await makePerson(service, 'ADMIN')
  const identity = await openIdentity(service)
  const { kid, key } = await identity.keys.signing()
  const publicKey = (await identity.keys.published()).find((one) => one.kid === kid)!
  const secret = new TextEncoder().encode(
    await exportSPKI((await importJWK(publicKey, 'ES256', { extractable: true })) as CryptoKey),
  )
  const claims = { role: 'ADMIN', tenantId: null, securityStamp: 1 }
  const token = (
    more: object = {},
    header: { alg?: string; typ?: string; kid?: string } = {},
    changed?: (jwt: SignJWT) => SignJWT,
  ) => {
    const jwt = new SignJWT({ ...claims, ...more })
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid, ...header })
      .setSubject(admin.id)
      .setIssuer(`${service.config.publicUrl}/identity`)
      .setAudience('clear-to-post')
      .setIssuedAt()
      .setExpirationTime('1h')
    return changed ? changed(jwt) : jwt
  }
  const now = Math.floor(Date.now() / 1000)
  const right = await token().sign(key)
  expect((await whoAmI(right)).status).toBe(200)
  const [head, body, signature] = right.split('.') as [string, string, string]
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const stranger = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const forged = [
    await token({}, { alg: 'HS256' }).sign(secret),
    await token().sign(stranger.privateKey),
    await token({}, { kid: 'unknown' }).sign(key),
    await token({}, { typ: 'at+jwt' }).sign(key),
    await token({}, {}, (jwt) => jwt.setIssuer('https://other.example/identity')).sign(key),
    await token({}, {}, (jwt) => jwt.setAudience('other')).sign(key),
    await token({}, {}, (jwt) => jwt.setExpirationTime(now - 1)).sign(key),
    await token({}, {}, (jwt) => jwt.setExpirationTime('2h')).sign(key),
    await token({}, {}, (jwt) => jwt.setIssuedAt(now - 5 * 3600).setExpirationTime(now + 1800)).sign(key),
    await token({ role: 'SYSTEM' }).sign(key),
    await token({ securityStamp: 2 }).sign(key),
    await token({ securityStamp: null }).sign(key),
    await token({ tenantId: 'everywhere' }).sign(key),
    await token({}, {}, (jwt) => jwt.setSubject("x'; drop table person; --")).sign(key),
    `${encoded({ alg: 'none', typ: 'JWT', kid })}.${body}.`,
    `${encoded({ alg: 'none', typ: 'JWT', kid })}.${body}.x`,
    `${head}.${encoded({ ...decodeJwt(right), sub: (await newPerson('ADMIN')).id })}.${signature}`,
    `${head}.${body}.${signature.slice(0, -4)}AAAA`,
  ]
  for (const [number, one] of forged.entries()) {
    const { status, body: answer } = await whoAmI(one)
    expect([number, status, answer.code]).toEqual([number, 401, 'session.ended'])
  }
})

test('any Authorization header or cookie gets a declared answer', async () => {
  const { body } = await signIn((await newPerson()).email)
  const shown = (text: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)
  const almost = fc
    .tuple(fc.nat(body.idToken.length - 1), fc.string({ maxLength: 3 }))
    .map(([at, text]) => `Bearer ${body.idToken.slice(0, at)}${text}${body.idToken.slice(at + 1)}`)
  const segments = fc
    .array(fc.base64String({ maxLength: 40 }), { minLength: 1, maxLength: 5 })
    .map((parts) => `Bearer ${parts.join('.')}`)
  const header = fc
    .oneof(
      almost,
      segments,
      fc.string(),
      fc.string().map((text) => `Bearer ${text}`),
      fc.constantFrom(
        'Bearer',
        'Bearer ',
        'bearer  x',
        'Basic abc',
        'Bearer ..',
        'Bearer a.b.c',
        'Bearer null',
        'Bearer undefined',
        `Bearer ${'a'.repeat(8000)}`,
        'Bearer eyJhbGciOiJFUzI1NiIsImNyaXQiOlsieCJdfQ.e30.AA',
        'Bearer eyJhbGciOiJFUzI1NiJ9.bnVsbA.AA',
        'Bearer W10.W10.W10',
      ),
    )
    .filter(shown)
  await fc.assert(
    fc.asyncProperty(header, async (authorization) => {
      // Four bits of a signature's last character are unused.
      if (authorization.slice(0, -1) === `Bearer ${body.idToken.slice(0, -1)}`) return
      const answer = await service.app.inject({ url: '/api/accounts/user/info', headers: { authorization } })
      expect(answer.statusCode).toBe(401)
      expect(['session.ended', 'session.required']).toContain(answer.json().code)
      const cookie = await service.app.inject({
        method: 'POST',
        url: '/identity/refresh',
        headers: { authorization, cookie: `ctp_refresh=${authorization}` },
      })
      expect(cookie.statusCode).toBe(401)
    }),
    { numRuns: 150 },
  )
  for (const token of ['', 'a', 'a'.repeat(2000), '\u0000', '💥', body.idToken]) {
    const answer = await post('/sign-in/custom-token', { token })
    expect([400, 401]).toContain(answer.status)
  }
})

test('an invalid ID token does not block a sign-in or a refresh', async () => {
  const { email } = await newPerson()
  const stale = { authorization: 'Bearer a.b.c' }
  const session = await post('/sign-in/password', { email, password }, stale)
  expect(session.status).toBe(200)
  expect((await refresh(session.refresh, stale)).status).toBe(200)
})

test('tokens and passwords are stored as hashes only', async () => {
  const person = await newPerson()
  const { refresh: token } = await signIn(person.email)
  const custom = await service.database.asSystem((tx) => issueCustomToken(tx, person.id))
  const kept = await service.database.asSystem(async (tx) =>
    JSON.stringify([
      await tx.rows(sql`select encode(hash, 'hex') as hash, encode(hash, 'escape') as text from refresh_token`),
      await tx.rows(sql`select encode(hash, 'hex') as hash, encode(hash, 'escape') as text from one_time_token`),
      await tx.rows(sql`select hash from password where person_id = ${person.id}`),
    ]),
  )
  for (const secret of [token!, custom, password]) expect(kept).not.toContain(secret)
  expect(kept).toContain(createHash('sha256').update(custom).digest('hex'))
  expect(kept).toContain('$argon2id$')
})

test('a session handed over by an ID token alone ends with that token, however often it is handed on', async () => {
  const person = await newPerson()
  const session = await signIn(person.email)
  const handOver = async (idToken: string, cookie?: string) => {
    const response = await service.app.inject({
      method: 'POST',
      url: '/api/accounts/user/createToken/',
      headers: { authorization: `Bearer ${idToken}`, ...(cookie ? { cookie: `ctp_refresh=${cookie}` } : {}) },
    })
    return (response.json() as { token: string }).token
  }
  const endOf = (idToken: string) =>
    (JSON.parse(Buffer.from(idToken.split('.')[1]!, 'base64url').toString()) as { exp: number }).exp
  const familyEnd = async (token: string) =>
    (await service.database.asSystem((tx) =>
      tx.first(sql<{ s: number }>`
        select extract(epoch from greatest(f.ends_at, f.must_end_at)) as s
        from session_family f join refresh_token t on t.family_id = f.id where t.hash = ${hashOf(token)}`),
    ))!.s

  // Half of its hour is over.
  const stolen = await service.identity.signIdToken(
    { id: person.id, role: 'User', tenantId: null, securityStamp: 1 },
    new Date(Date.now() + 1_800_000),
  )
  const end = endOf(stolen)
  let last = stolen
  for (let hop = 0; hop < 3; hop++) {
    const { body, refresh: token } = await post('/sign-in/custom-token', { token: await handOver(last) })
    expect(await familyEnd(token!)).toBeLessThanOrEqual(end)
    const renewed = await refresh(token)
    for (const one of [body, renewed.body]) {
      expect(endOf(one.idToken)).toBeLessThanOrEqual(end)
      expect(one.expiresIn).toBeLessThanOrEqual(1800)
    }
    expect(await familyEnd(renewed.refresh!)).toBeLessThanOrEqual(end)
    last = renewed.body.idToken
  }

  // A session handed over with the cookie lasts as long as the original; with a token alone it does not.
  const own = await handOver(session.body.idToken, session.refresh)
  const see = async (cookie?: string) =>
    (
      await service.app.inject({
        url: '/api/accounts/user/getToken/',
        headers: {
          authorization: `Bearer ${session.body.idToken}`,
          ...(cookie ? { cookie: `ctp_refresh=${cookie}` } : {}),
        },
      })
    ).json() as { token?: string; code?: string }
  expect((await see()).code).toBe('account.no-token')
  expect((await see(session.refresh)).token).toBe(own)
  const carried = await post('/sign-in/custom-token', { token: own })
  expect(carried.body.expiresIn).toBe(3600)
  expect(Math.floor(await familyEnd(carried.refresh!))).toBe(Math.floor(await familyEnd(session.refresh!)))
})
