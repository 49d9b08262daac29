import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { everyCall } from '@clear-to-post/contract/api'
import { identity } from '@clear-to-post/contract/identity'
import { security } from '@clear-to-post/contract/security'
import { createPerson } from '../src/accounts/actions.ts'
import { sql } from '../src/kernel/database.ts'
import { openAuthenticator } from './authenticator.ts'
import { codeFor, mailsTo } from './mails.ts'
import { openOpenIdProvider, type OpenIdProviderServer } from './openid.ts'
import { callAs, callConfirmed, makePerson, openService, signedIn, type Person, type Service } from './service.ts'

/** Whoever changes what somebody signs in with, or uses up a part of it, cannot hide it: a mail tells it, and the audit log. */
let service: Service
let google: OpenIdProviderServer
const publicUrl = 'http://localhost:4000'
const password = 'kettle-drum-41'

beforeAll(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'info').mockImplementation(() => {})
  const client = { clientId: 'our-google', secret: 'google-secret' }
  google = await openOpenIdProvider({ ...client, redirectUri: `${publicUrl}/identity/google/callback` })
  service = await openService({
    PUBLIC_URL: publicUrl,
    GOOGLE_CLIENT_ID: client.clientId,
    GOOGLE_CLIENT_SECRET: client.secret,
    GOOGLE_ISSUER: google.issuer,
  })
})
afterAll(async () => {
  await service.close()
  await google.close()
  vi.restoreAllMocks()
})

type Owner = Person & { email: string }
let people = 0
const newOwner = async (): Promise<Owner> => {
  const email = `owner${++people}@ways.test`
  const { id } = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'An Owner', role: 'User', password }),
  )
  await service.database.asSystem((tx) => tx.count(sql`update person set email_verified_at = now() where id = ${id}`))
  const person = { id, role: 'User' as const, tenantId: null, securityStamp: 1 }
  return { ...person, name: 'An Owner', email, token: await service.identity.signIdToken(person) }
}
const as = (who: Person | null) => callConfirmed(service, who)

const addApp = async (owner: Owner) => {
  const { secret } = await as(owner)(security.startTotp, { body: {} })
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  return () => as(owner)(security.confirmTotp, { body: { code } })
}
const withCodes = async (owner: Owner): Promise<string> => (await (await addApp(owner))()).recoveryCodes[0]!
const addPasskey = async (owner: Owner) => {
  const { options } = await as(owner)(security.startPasskey, { body: {} })
  const credential = openAuthenticator({ origin: publicUrl, party: 'localhost' }).create(options)
  return () => as(owner)(security.addPasskey, { body: { name: 'Phone', credential } })
}
const connect = async (owner: Owner) => {
  const state = randomBytes(24).toString('base64url')
  const start = await service.app.inject({
    url: `/identity/google/start?state=${state}`,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  const about = { sub: `subject-${owner.id}`, email: owner.email, email_verified: true }
  const back = await google.visit(String(start.headers['location']), about)
  const callback = await service.app.inject({ url: back.address!.slice(publicUrl.length) })
  const { code, iss } = Object.fromEntries(
    new URLSearchParams(String(callback.headers['location']).split('#')[1]),
  ) as Record<string, string>
  const browser = start.cookies.find(({ name }) => name === 'ctp_oauth')!.value
  const { refreshToken } = await signedIn(service, owner)
  return () =>
    service.app.inject({
      method: 'POST',
      url: '/identity/security/providers',
      headers: { authorization: `Bearer ${owner.token}`, cookie: `ctp_oauth=${browser}; ctp_refresh=${refreshToken}` },
      payload: { state, code, ...(iss ? { iss } : {}) },
    })
}

/** What makes everything ready for a change, and answers the change. */
type Change = (owner: Owner) => Promise<() => Promise<unknown>>

/** What changes a way in, or uses one up. Each is made, and looked for in the owner's mails and in the audit log. */
const changes: Record<string, Change> = {
  'accounts.changeEmail': async (owner) => {
    const email = `moved-${owner.email}`
    await callAs(service, null)(accounts.sendCode, { query: { email } })
    const code = await codeFor(service, email)
    return async () => callAs(service, await signedIn(service, owner))(accounts.changeEmail, { body: { email, code } })
  },
  'accounts.changePassword': async ({ email }) => {
    await callAs(service, null)(accounts.sendCode, { query: { email } })
    const code = await codeFor(service, email)
    const pass = 'another-kettle-drum-41'
    return () => callAs(service, null)(accounts.changePassword, { body: { email, pass, passConfirm: pass, code } })
  },
  'accounts.resetSecondFactor': async (owner) => {
    await withCodes(owner)
    const admin = await makePerson(service, 'ADMIN')
    return () => as(admin)(accounts.resetSecondFactor, { body: { userId: owner.id } })
  },
  // Who becomes staff chooses a longer password: theirs is taken away.
  'accounts.update': async (owner) => {
    const admin = await makePerson(service, 'ADMIN')
    return () => as(admin)(accounts.update, { body: { userId: owner.id, role: 'QA' } })
  },
  'identity.confirm': async (owner) => {
    const proof = { method: 'recovery-code', code: await withCodes(owner) } as const
    return () => callAs(service, owner)(identity.confirm, { body: { password, proof } })
  },
  'identity.secondFactor': async (owner) => {
    const proof = { method: 'recovery-code', code: await withCodes(owner) } as const
    const step = await callAs(service, null)(identity.password, { body: { email: owner.email, password } })
    const { challenge } = step as { challenge: string }
    return () => callAs(service, null)(identity.secondFactor, { body: { challenge, proof } })
  },
  'security.addPasskey': addPasskey,
  'security.confirmTotp': addApp,
  'security.connectProvider': connect,
  'security.newRecoveryCodes': async (owner) => {
    await withCodes(owner)
    return () => as(owner)(security.newRecoveryCodes, {})
  },
  'security.removePasskey': async (owner) => {
    await (
      await addPasskey(owner)
    )()
    const [kept] = (await as(owner)(security.read, {})).passkeys
    return () => as(owner)(security.removePasskey, { body: { id: kept!.id } })
  },
  'security.removeProvider': async (owner) => {
    await (
      await connect(owner)
    )()
    return () => as(owner)(security.removeProvider, { body: { provider: 'google' } })
  },
  'security.removeTotp': async (owner) => {
    await withCodes(owner)
    return () => as(owner)(security.removeTotp, {})
  },
}

const opens = 'opens, renews or ends a session, and changes no way in'
const begins = 'begins what another call of the list ends'
const noWay = 'is about something else than ways in'
const newAccount = 'opens an account: nobody had ways in before'

/** Calls of these rooms that write and change no way in, and why. */
const others: Record<string, string> = {
  'accounts.acceptTerms': noWay,
  'accounts.create': newAccount,
  'accounts.createToken': opens,
  'accounts.login': opens,
  'accounts.openExport': noWay,
  'accounts.remove': 'removes the account, which a receipt tells',
  'accounts.sendCode': begins,
  'accounts.setup': noWay,
  'accounts.startExport': noWay,
  'accounts.validateCode': begins,
  'accounts.verifyEmail': 'shows that the address is theirs, and leaves it',
  'identity.customToken': opens,
  'identity.passkey': opens,
  'identity.passkeyStart': begins,
  'identity.password': opens,
  'identity.provider': opens,
  'identity.refresh': opens,
  'identity.signOut': opens,
  'invitations.accept': 'places somebody in a company, with the ways in that they have',
  'invitations.open': newAccount,
  'invitations.read': noWay,
  'invitations.send': noWay,
  'invitations.sendAgain': noWay,
  'invitations.withdraw': noWay,
  'security.startPasskey': begins,
  'security.startTotp': begins,
}

it('every writing call about accounts and sign-in is said to change a way in, or why it does not', () => {
  const writing = everyCall
    .filter(({ name, shape }) => /^(accounts|identity|invitations|security)\./.test(name) && shape.method !== 'GET')
    .map(({ name }) => name)
  expect([...Object.keys(changes), ...Object.keys(others)].toSorted()).toEqual(writing.toSorted())
})

/** What is kept of somebody's ways in. */
const waysOf = ({ id }: Owner) =>
  service.database.asSystem((tx) =>
    tx.rows(sql<{ way: string }>`
      select email as way from person where id = ${id} union all
      select hash from password where person_id = ${id} union all
      select encode(secret, 'hex') from totp where person_id = ${id} and confirmed_at is not null union all
      select credential from passkey where person_id = ${id} union all
      select subject from connected_account where person_id = ${id} union all
      select encode(hash, 'hex') from recovery_code where person_id = ${id} and used_at is null order by way`),
  )
const ways = ['authenticator', 'passkey', 'password', 'person', 'recovery-codes', 'sign-in-account']
const entriesOf = async ({ id }: Owner) =>
  (
    await service.database.asSystem((tx) =>
      tx.rows(sql`select from audit_entry where person_id = ${id} and kind = any(${ways})`),
    )
  ).length

it.each(Object.entries(changes))('%s tells the owner by mail and leaves an audit entry', async (_name, ready) => {
  const owner = await newOwner()
  const change = await ready(owner)
  const before = { ways: await waysOf(owner), mails: await mailsTo(service, owner.email), log: await entriesOf(owner) }
  await change()
  expect(await waysOf(owner)).not.toEqual(before.ways)
  const told = (await mailsTo(service, owner.email)).length - before.mails.length
  expect({ isTold: told > 0, isLogged: (await entriesOf(owner)) > before.log }).toEqual({
    isTold: true,
    isLogged: true,
  })
})

it('the mail about a used recovery code says how many are left', async () => {
  const owner = await newOwner()
  const change = await changes['identity.secondFactor']!(owner)
  await change()
  const [mail] = await mailsTo(service, owner.email)
  expect([mail!.subject, mail!.text.includes('9 recovery codes are left')]).toEqual([
    'A recovery code was used for your account',
    true,
  ])
})
