import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Secret, TOTP } from 'otpauth'
import pg from 'pg'
import { accounts } from '@clear-to-post/contract/accounts'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { calendar } from '@clear-to-post/contract/calendar'
import { security } from '@clear-to-post/contract/security'
import { createPerson } from '../src/accounts/actions.ts'
import { issueCustomToken } from '../src/identity/actions.ts'
import { codeFor } from './mails.ts'
import { placesOf } from './marks.ts'
import { keptAs, looksSecret } from './secrets.ts'
import { callAs, confirmed, openService, type Person, type Service } from './service.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

test('every column with a secret’s name is declared with how it is stored', async () => {
  const client = new pg.Client({ connectionString: service.urls.superuserUrl })
  await client.connect()
  const { rows } = await client
    .query<{ table: string; column: string; type: string }>(
      `select table_name as table, column_name as column, data_type as type from information_schema.columns
       where table_schema = 'public'`,
    )
    .finally(() => client.end())
  const asked = rows.filter(looksSecret).map(({ table, column }) => `${table}.${column}`)
  expect(
    asked.filter((one) => !(one in keptAs)).map((one) => `say in server/test/secrets.ts how ${one} is kept`),
  ).toEqual([])
  expect(Object.keys(keptAs).filter((one) => !asked.includes(one))).toEqual([])
})

test('secrets that the service hands out are stored in no column in plain text, except where declared', async () => {
  const email = 'secret@keeper.test'
  const password = 'kettle-drum-41'
  const { id } = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'A Keeper', role: 'User', password }),
  )
  const signedIn = await service.app.inject({
    method: 'POST',
    url: '/identity/sign-in/password',
    payload: { email, password },
  })
  const { idToken } = signedIn.json<{ idToken: string }>()
  const refreshToken = signedIn.cookies[0]!.value
  const person: Person = {
    id,
    role: 'User',
    tenantId: null,
    securityStamp: 1,
    name: 'A Keeper',
    token: idToken,
    refreshToken,
  }
  const as = callAs(service, person)
  const secret = new URL((await as(security.startTotp, { body: {} })).uri).searchParams.get('secret')!
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const { recoveryCodes } = await as(security.confirmTotp, { body: { code } })
  const { url } = await as(calendar.renew, {}, { requestId: randomBytes(8).toString('hex') })
  const { key } = await callAs(service, await confirmed(service, person))(apiKeys.create, {
    body: { name: 'A key', scopes: ['videos.read'], days: 7 },
  })
  const begun = await service.app.inject({
    url: `/identity/google/start?state=${randomBytes(24).toString('base64url')}`,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  const handedOver = await callAs(service, await confirmed(service, person))(accounts.createToken, {})
  await callAs(service, null)(accounts.sendCode, { query: { email } })
  const secrets: Record<string, string> = {
    password,
    'ID token': idToken,
    'refresh token': refreshToken,
    'calendar link': /\/calendar\/(.*)\.ics$/.exec(url)![1]!,
    'API key': key,
    'hand-over token': handedOver.token,
    'custom token': await service.database.asSystem((tx) => issueCustomToken(tx, id)),
    'recovery code': recoveryCodes![0]!,
    'browser of a provider’s sign-in': begun.cookies[0]!.value,
    'authenticator app': secret,
    'code by e-mail': await codeFor(service, email),
  }
  const found: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(secrets)) {
    const bytes =
      name === 'authenticator app' ? Secret.fromBase32(value).hex : Buffer.from(value, 'base64url').toString('hex')
    found[name] = await placesOf({ superuserUrl: service.urls.superuserUrl, folder: service.config.dataDir }, [
      value,
      ...(value.length >= 20 ? [bytes] : []),
    ])
  }
  const { 'authenticator app': app, 'code by e-mail': byMail, ...rest } = found
  expect(rest).toEqual(Object.fromEntries(Object.keys(rest).map((name) => [name, []])))
  expect(app).toEqual(['totp.secret'])
  // The outbox stands in for the mailbox that it was sent to.
  expect(byMail!.map((place) => place.replace(/\/.*/, '/…'))).toEqual(['file outbox/…'])
})
