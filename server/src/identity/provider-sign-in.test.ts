import { randomBytes } from 'node:crypto'
import { exportPKCS8, exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openOpenIdProvider, type Account, type Forger, type OpenIdProviderServer } from '../../test/openid.ts'
import { makeTenant, openService, type Service } from '../../test/service.ts'
import { changeAccountState, createPerson } from '../accounts/actions.ts'
import { sql } from '../kernel/database.ts'

/** Google and Apple, played by a certified OpenID provider over HTTP; the OAuth flow is that of a browser. */
let service: Service
let google: OpenIdProviderServer, apple: OpenIdProviderServer
const publicUrl = 'http://localhost:4000'

beforeAll(async () => {
  // The provider warns on the console that it is not hardened; it is used in tests only.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'info').mockImplementation(() => {})
  const key = await generateKeyPair('ES256', { extractable: true })
  google = await openOpenIdProvider({
    clientId: 'our-google',
    secret: 'google-secret',
    redirectUri: `${publicUrl}/identity/google/callback`,
  })
  apple = await openOpenIdProvider({
    clientId: 'test.clear.web',
    secret: { teamId: 'TEAM123456', publicKey: await exportSPKI(key.publicKey) },
    redirectUri: `${publicUrl}/identity/apple/callback`,
  })
  service = await openService({
    PUBLIC_URL: publicUrl,
    GOOGLE_CLIENT_ID: 'our-google',
    GOOGLE_CLIENT_SECRET: 'google-secret',
    GOOGLE_ISSUER: google.issuer,
    APPLE_CLIENT_ID: 'test.clear.web',
    APPLE_TEAM_ID: 'TEAM123456',
    APPLE_KEY_ID: 'KEY1234567',
    APPLE_PRIVATE_KEY: (await exportPKCS8(key.privateKey)).replaceAll('\n', '\\n'),
    APPLE_ISSUER: apple.issuer,
  })
})
afterAll(async () => {
  await service.close()
  await google.close()
  await apple.close()
  vi.restoreAllMocks()
})

type Fragment = Record<string, string>
type Flow = { address: string; browser: string; state: string }
let people = 0
const somebody = (more: Partial<Account> = {}): Account => {
  const id = ++people
  return {
    sub: `subject-${id}`,
    email: `person${id}@provider.test`,
    email_verified: true,
    name: `Person ${id}`,
    ...more,
  }
}

const startFlow = async (provider: 'google' | 'apple', headers: Record<string, string> = {}): Promise<Flow> => {
  const state = randomBytes(24).toString('base64url')
  const response = await service.app.inject({
    url: `/identity/${provider}/start?state=${state}&language=es-MX`,
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  })
  expect(response.statusCode).toBe(303)
  const browser = response.cookies.find(({ name }) => name === 'ctp_oauth')?.value ?? ''
  return { address: String(response.headers['location']), browser, state }
}
/** From the provider's answer to what our page finds behind the #. */
const fragmentOf = async (provider: 'google' | 'apple', back: { address?: string; form?: Fragment }) => {
  const response = await service.app.inject(
    back.address === undefined
      ? {
          method: 'POST',
          url: `/identity/${provider}/callback`,
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://appleid.apple.com' },
          payload: new URLSearchParams(back.form).toString(),
        }
      : { url: back.address.slice(publicUrl.length) },
  )
  const [page, fragment] = String(response.headers['location']).split('#')
  expect([response.statusCode, page]).toEqual([303, '/login/return'])
  return Object.fromEntries(new URLSearchParams(fragment)) as Fragment
}
const signIn = async (fragment: Fragment, browser: string, more: Record<string, string> = {}) => {
  const { state, code, iss, user } = fragment
  const response = await service.app.inject({
    method: 'POST',
    url: '/identity/sign-in/provider',
    headers: { cookie: `ctp_oauth=${browser}` },
    payload: { state, code, ...(iss ? { iss } : {}), ...(user ? { user } : {}), ...more },
  })
  return { status: response.statusCode, body: response.json(), cookies: response.cookies }
}
const throughGoogle = async (account: Account, forger: Forger = {}, more: Record<string, string> = {}) => {
  const flow = await startFlow('google')
  const fragment = await fragmentOf('google', await google.visit(flow.address, account, forger))
  return { ...(await signIn(fragment, flow.browser, more)), flow, fragment }
}
const profileOf = async (idToken: string) =>
  (await service.app.inject({ url: '/api/accounts/user/info', headers: { authorization: `Bearer ${idToken}` } })).json()
const rowsOf = (email: string) =>
  service.database.asSystem((tx) => tx.rows(sql<{ id: string }>`select id from person where email = ${email}`))

test('Google: the first sign-in creates an account, and later ones find it even after the address changes', async () => {
  const account = somebody({ email: 'Ana@Provider.test', name: 'Ana Ruiz' })
  const first = await throughGoogle(account, {}, { timezone: 'America/Denver' })
  expect(first.status).toBe(200)
  const asked = google.asked()
  expect(Object.fromEntries(asked)).toMatchObject({
    scope: 'openid email profile',
    response_type: 'code',
    code_challenge_method: 'S256',
    hl: 'es-MX',
    ui_locales: 'es-MX',
  })
  for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)?.length, name).toBeGreaterThan(20)
  const me = await profileOf(first.body.idToken)
  expect(me).toMatchObject({ name: 'Ana Ruiz', email: 'ana@provider.test', role: 'User', timezone: 'America/Denver' })
  expect(first.cookies.find(({ name }) => name === 'ctp_refresh')).toMatchObject({ httpOnly: true, sameSite: 'Strict' })

  const moved = await throughGoogle({ ...account, email: 'ana@elsewhere.test' })
  expect((await profileOf(moved.body.idToken)).id).toBe(me.id)
  // Another subject with her old address is another person.
  expect((await throughGoogle(somebody({ email: 'ana@provider.test' }))).body.code).toBe('account.connect-first')
})

test('Apple: the client secret is signed by us, and the name from the first form is stored', async () => {
  const account = somebody({ email_verified: 'true' })
  delete account.name
  const flow = await startFlow('apple')
  const back = await apple.visit(flow.address, account)
  expect(Object.fromEntries(apple.asked())).toMatchObject({
    scope: 'openid email name',
    response_mode: 'form_post',
    locale: 'es_MX',
  })
  const user = JSON.stringify({ name: { firstName: 'Tim', lastName: 'Apple' }, email: account.email })
  const fragment = await fragmentOf('apple', { form: { ...back.form, user } })
  const first = await signIn(fragment, flow.browser)
  expect(first.status).toBe(200)
  expect(await profileOf(first.body.idToken)).toMatchObject({ name: 'Tim Apple', email: account.email })
})

test('Apple’s signed notice that a person revoked access ends their sessions and disconnects the account', async () => {
  const account = somebody()
  const throughApple = async () => {
    const flow = await startFlow('apple')
    return signIn(await fragmentOf('apple', await apple.visit(flow.address, account)), flow.browser)
  }
  const first = await throughApple()
  const me = await profileOf(first.body.idToken)
  const isConnected = async () =>
    (await service.database.asSystem((tx) => tx.rows(sql`select 1 from connected_account where person_id = ${me.id}`)))
      .length === 1
  const sendNotice = async (type: string, more: { at?: number; aud?: string } = {}, by = apple) => {
    const event = { type, sub: account.sub, event_time: more.at ?? Date.now() + 1000 }
    const payload = await by.sign({ events: JSON.stringify(event), ...(more.aud ? { aud: more.aud } : {}) })
    return (await service.app.inject({ method: 'POST', url: '/identity/apple/notices', payload: { payload } }))
      .statusCode
  }
  // Another's signature, another's app, no notice at all; a notice of before; one that ends nothing.
  expect(await sendNotice('consent-revoked', {}, google)).toBe(400)
  expect(await sendNotice('consent-revoked', { aud: 'another.app' })).toBe(400)
  expect((await service.app.inject({ method: 'POST', url: '/identity/apple/notices', payload: {} })).statusCode).toBe(
    400,
  )
  expect(await sendNotice('consent-revoked', { at: Date.now() - 60_000 })).toBe(200)
  expect(await sendNotice('email-disabled')).toBe(200)
  expect(await isConnected()).toBe(true)
  expect((await profileOf(first.body.idToken)).id).toBe(me.id)

  expect(await sendNotice('consent-revoked')).toBe(200)
  expect(await isConnected()).toBe(false)
  expect((await profileOf(first.body.idToken)).code).toBe('session.ended')
  expect(await sendNotice('account-delete')).toBe(200)
  // The next sign-in finds the account that still exists.
  expect((await throughApple()).body.code).toBe('account.connect-first')
})

test('a provider sign-in with an existing account’s address is refused until the person connects it', async () => {
  const account = somebody()
  await service.database.asSystem((tx) =>
    createPerson(tx, { email: account.email!, name: 'Here before', role: 'User', password: 'kettle-drum-41' }),
  )
  const { status, body, cookies } = await throughGoogle(account)
  expect([status, body.code]).toEqual([409, 'account.connect-first'])
  expect(body.message).toMatch(/Sign in with your password, then connect/)
  expect(cookies).toEqual([])
  expect(await rowsOf(account.email!)).toHaveLength(1)

  // After connecting it works from then on, and nobody else can connect the same provider account.
  const session = await service.app.inject({
    method: 'POST',
    url: '/identity/sign-in/password',
    payload: { email: account.email!, password: 'kettle-drum-41' },
  })
  const connect = async (given: { idToken: string; refresh: string }, who: Account) => {
    const flow = await startFlow('google')
    const { state, code, iss } = await fragmentOf('google', await google.visit(flow.address, who))
    return service.app.inject({
      method: 'POST',
      url: '/identity/security/providers',
      headers: {
        authorization: `Bearer ${given.idToken}`,
        cookie: `ctp_oauth=${flow.browser}; ctp_refresh=${given.refresh}`,
      },
      payload: { state, code, iss },
    })
  }
  const me = { idToken: session.json().idToken, refresh: session.cookies[0]!.value }
  const connected = await connect(me, account)
  expect(connected.json().providers).toContainEqual({
    provider: 'google',
    isConnected: true,
    email: account.email,
  })
  const later = await throughGoogle(account)
  expect((await profileOf(later.body.idToken)).name).toBe('Here before')
  const stranger = await throughGoogle(somebody())
  const theirs = { idToken: stranger.body.idToken, refresh: stranger.cookies.at(-1)!.value }
  expect((await connect(theirs, account)).json().code).toBe('security.connected-elsewhere')
  // A session that is not fresh connects nothing.
  expect((await connect({ ...me, refresh: 'a'.repeat(43) }, account)).json().code).toBe('session.not-fresh')
})

test('a provider’s unverified address creates no account, and the refusal does not tell whether one exists', async () => {
  const known = await throughGoogle(somebody())
  const { email } = await profileOf(known.body.idToken)
  for (const account of [somebody({ email_verified: false }), somebody({ email, email_verified: false })])
    expect((await throughGoogle(account)).body.code).toBe('session.provider-unverified')
  const without = somebody()
  delete without.email
  expect((await throughGoogle(without)).body.code).toBe('session.provider-unverified')
})

test('a provider sign-in with an invitation code joins its company, and is refused when that company is full', async () => {
  const tenantId = await makeTenant(service, 1)
  const { code } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ code: string }>`select invite_code as code from tenant where id = ${tenantId}`),
  ))!
  const joined = await throughGoogle(somebody(), {}, { invitationCode: code.toLowerCase() })
  expect((await profileOf(joined.body.idToken)).tenantId).toBe(tenantId)
  const late = somebody()
  expect((await throughGoogle(late, {}, { invitationCode: code })).body.code).toBe('tenant.full')
  expect(await rowsOf(late.email!)).toEqual([])
})

test('forged provider answers are refused', async () => {
  const account = somebody()
  const victim = await throughGoogle(account)
  expect(victim.status).toBe(200)
  const stranger = await generateKeyPair('RS256')
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const forgeries: Record<string, Forger> = {
    'another nonce': { claims: (claims) => ({ ...claims, nonce: 'x'.repeat(43) }) },
    'no nonce': { claims: (claims) => ({ ...claims, nonce: undefined as never }) },
    'another audience': { claims: (claims) => ({ ...claims, aud: 'another-app' }) },
    'an issuer that is not asked': { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) },
    'the other issuer of ours': { claims: (claims) => ({ ...claims, iss: apple.issuer }) },
    ended: { claims: (claims) => ({ ...claims, iat: claims.iat! - 7200, exp: claims.exp! - 7200 }) },
    'without an end': { claims: (claims) => ({ ...claims, exp: undefined as never }) },
    'without a subject': { claims: (claims) => ({ ...claims, sub: undefined as never }) },
    'alg none': { token: (_token, claims) => `${encoded({ alg: 'none' })}.${encoded(claims)}.` },
    'signed by our secret': {
      token: (_token, claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode('google-secret')),
    },
    'signed by a stranger': {
      token: (_token, claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(stranger.privateKey),
    },
    'changed after it was signed': {
      token: (token, claims) => {
        const [head, , signature] = token.split('.')
        return `${head}.${encoded({ ...claims, sub: 'subject-1' })}.${signature}`
      },
    },
    'no token at all': { token: () => '' },
  }
  for (const [name, forger] of Object.entries(forgeries)) {
    const { status, body, cookies } = await throughGoogle(account, forger)
    expect([name, status, body.code, cookies]).toEqual([name, 401, 'session.provider-failed', []])
  }
  expect((await throughGoogle(account)).status).toBe(200)
})

test('an OAuth flow is good once, in its own browser, with its own state and code', async () => {
  const account = somebody()
  const done = await throughGoogle(account)
  const failed = async (fragment: Fragment, browser: string) => {
    const { status, body } = await signIn(fragment, browser)
    expect([status, body.code]).toEqual([401, 'session.provider-failed'])
  }
  await failed(done.fragment, done.flow.browser)

  const fresh = async () => {
    const flow = await startFlow('google')
    return { flow, fragment: await fragmentOf('google', await google.visit(flow.address, account)) }
  }
  const one = await fresh()
  await failed(one.fragment, (await startFlow('google')).browser)
  await failed(one.fragment, '')
  await failed({ ...one.fragment, state: 'b'.repeat(32) }, one.flow.browser)
  // None of these used up the flow; a code of another flow does, and PKCE refuses it.
  const other = await fresh()
  await failed({ ...other.fragment, code: one.fragment['code']! }, other.flow.browser)
  await failed(other.fragment, other.flow.browser)
  expect((await signIn(one.fragment, one.flow.browser)).status).toBe(200)

  const late = await fresh()
  await service.database.asSystem((tx) =>
    tx.count(sql`update provider_walk set ends_at = now() - interval '1 second' where used_at is null`),
  )
  await failed(late.fragment, late.flow.browser)

  const many = await fresh()
  const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(many.fragment, many.flow.browser)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)

  // Another site cannot send our people on the way.
  const stranger = await service.app.inject({
    url: `/identity/google/start?state=${'c'.repeat(32)}`,
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect(stranger.headers['location']).toBe('/login/return#error=request')
  // A canceled consent returns with its error code, and with no other parameter.
  const no = await fragmentOf('google', {
    address: `${publicUrl}/identity/google/callback?error=access_denied&x=1&state=s`,
  })
  expect(no).toEqual({ error: 'access_denied', state: 's' })
})

test('a disabled account cannot sign in through a provider, and simultaneous sign-ins create one account', async () => {
  const account = somebody()
  const { id, email } = await profileOf((await throughGoogle(account)).body.idToken)
  await service.database.asSystem((tx) => changeAccountState(tx, email, { isDisabled: true }))
  const { status, body } = await throughGoogle(account)
  expect([status, body.code]).toEqual([401, 'session.provider-failed'])
  expect(id).toMatch(/^[\w-]{36}$/)

  const newcomer = somebody()
  const flows = []
  for (let index = 0; index < 4; index++) {
    const flow = await startFlow('google')
    flows.push({ flow, fragment: await fragmentOf('google', await google.visit(flow.address, newcomer)) })
  }
  const answers = await Promise.all(flows.map(({ flow, fragment }) => signIn(fragment, flow.browser)))
  expect(answers.filter(({ status: code }) => code === 200).length).toBeGreaterThan(0)
  expect(answers.every(({ status: code }) => code < 500)).toBe(true)
  expect(await rowsOf(newcomer.email!)).toHaveLength(1)
  expect((await throughGoogle(newcomer)).status).toBe(200)
})

test('the provider sandbox needs no network, and is not there in production', async () => {
  const sandbox = await openService({ PORT: '0', PUBLIC_URL: publicUrl })
  try {
    const { items } = (await sandbox.app.inject({ url: '/identity/providers' })).json()
    expect(items).toEqual([
      { provider: 'google', name: 'Google', isSandbox: true },
      { provider: 'apple', name: 'Apple', isSandbox: true },
    ])
    const page = await sandbox.app.inject({
      url: `/dev/sign-in/google/authorize?client_id=sandbox&redirect_uri=https://evil.example/`,
    })
    expect(page.statusCode).toBe(400)
  } finally {
    await sandbox.close()
  }
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://clear.example.test' }
  const plain = await openService(production)
  expect((await plain.app.inject({ url: '/identity/providers' })).json()).toEqual({ items: [] })
  expect((await plain.app.inject({ url: '/dev/sign-in/google/authorize' })).statusCode).toBe(404)
  await plain.close()
  await expect(openService({ ...production, SIGN_IN_SANDBOX: 'on' })).rejects.toThrow(/anybody sign in as anybody/)
})
