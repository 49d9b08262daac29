import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { addressOf } from '@clear-to-post/contract/client'
import { identity } from '@clear-to-post/contract/identity'
import { invitations } from '@clear-to-post/contract/invitations'
import { security } from '@clear-to-post/contract/security'
import { codeFor } from '../../test/mails.ts'
import { callConfirmed, makePerson, makeTenant, openService, type Person, type Service } from '../../test/service.ts'
import { createPerson } from '../accounts/actions.ts'
import { sql } from '../kernel/database.ts'
import { linkToken } from './actions.ts'
import { countWrongAt, isOwnersPlace, wrongAtMailbox } from './mailbox-codes.ts'
import { countWrong, isKnownPlace, wrongPasswords } from './wrong-passwords.ts'

let service: Service
beforeAll(async () => void (service = await openService({ CODES_PER_HOUR: '100000' })))
afterAll(() => service.close())

const [password, renewed] = ['kettle-drum-41', 'quite-another-kettle-77']
const [home, office, away] = ['198.18.1.1', '198.18.2.1', '198.18.3.1']
const newAddress = () => `${randomUUID().slice(0, 8)}@places.test`
const newOwner = async () => {
  const email = newAddress()
  const { id } = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'An Owner', role: 'User', password }),
  )
  return { id, email }
}
const post = async (from: string, url: string, payload?: object, token?: string) => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const asked = { method: 'POST', url, remoteAddress: from, headers, ...(payload && { payload }) } as const
  const { statusCode, body } = await service.app.inject(asked)
  return { status: statusCode, ...(JSON.parse(body) as { idToken?: string; challenge?: string }) }
}
const signIn = (from: string, email: string, given = password) =>
  post(from, addressOf(identity.password), { email, password: given })
const choose = async (from: string, email: string) => {
  await post(from, addressOf(accounts.sendCode, {}, { email }))
  const code = await codeFor(service, email)
  return post(from, addressOf(accounts.changePassword), { email, code, pass: renewed, passConfirm: renewed })
}
const isKnown = (id: string, network: string) => service.database.asSystem((tx) => isKnownPlace(tx, id, network))
const squat = async (email: string) => {
  const made = { email, name: 'A Stranger', password, passwordConfirmation: password }
  expect((await post(home, addressOf(accounts.create), made)).status).toBe(201)
  for (const from of [home, office]) expect((await signIn(from, email)).status).toBe(200)
  return (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`select id from person where email = ${email}`),
  ))!.id
}

test('a new password ends every place of the one before, and is known where it was chosen', async () => {
  const { id, email } = await newOwner()
  for (const from of [home, office]) await signIn(from, email)
  expect([await isKnown(id, home), await isKnown(id, office), await isKnown(id, away)]).toEqual([true, true, false])
  expect((await choose(away, email)).status).toBe(200)
  expect([await isKnown(id, home), await isKnown(id, office), await isKnown(id, away)]).toEqual([false, false, true])
  // Whoever had the old one shares what strangers have.
  await service.database.asSystem(async (tx) => {
    for (let n = 0; n < wrongPasswords.strangers[0].most; n++) await countWrong(tx, { email, network: `10.${n}.0.1` })
  })
  expect((await signIn(home, email, password)).status).toBe(429)
  expect((await signIn(away, email, renewed)).status).toBe(200)
})

test('no place is known of an address that nobody has confirmed, and then where that was done', async () => {
  const email = newAddress()
  const id = await squat(email)
  expect([await isKnown(id, home), await isKnown(id, office)]).toEqual([false, false])
  const { idToken } = await signIn(office, email)
  const confirmed = await post(
    office,
    addressOf(accounts.verifyEmail),
    { code: await codeFor(service, email) },
    idToken,
  )
  expect(confirmed.status).toBe(200)
  expect([await isKnown(id, home), await isKnown(id, office)]).toEqual([false, true])
})

test('no place of whoever opened an account is known to who was invited by its address', async () => {
  const email = newAddress()
  const id = await squat(email)
  const tenantId = await makeTenant(service)
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  await callConfirmed(service, admin)(invitations.send, { body: { role: 'QA', tenantId, lines: [email] } })
  const token = await service.database.asSystem(async (tx) => {
    const sent = await tx.first(sql<{ mail_id: string }>`select mail_id from invitation where email = ${email}`)
    return linkToken(tx, `invitation ${sent!.mail_id}`)
  })
  const opening = { token, name: 'Somebody', password: renewed, passwordConfirmation: renewed }
  expect((await post(away, addressOf(invitations.open), opening)).status).toBe(201)
  expect([await isKnown(id, home), await isKnown(id, office), await isKnown(id, away)]).toEqual([false, false, true])
})

test('a place is known after the second step, and not after a right password before it', async () => {
  const { id, email } = await newOwner()
  const caller = { id, role: 'User' as const, tenantId: null, securityStamp: 1, name: 'An Owner' }
  const person: Person = { ...caller, token: await service.identity.signIdToken(caller) }
  const { secret } = await callConfirmed(service, person)(security.startTotp, { body: {} })
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  await callConfirmed(service, person)(security.confirmTotp, { body: { code: app.generate() } })
  await service.database.asSystem((tx) => tx.count(sql`update totp set last_step = 0`))
  const { challenge } = await signIn(home, email)
  expect(await isKnown(id, home)).toBe(false)
  const proof = { method: 'totp', code: app.generate() }
  expect((await post(home, addressOf(identity.secondFactor), { challenge, proof })).status).toBe(200)
  expect(await isKnown(id, home)).toBe(true)
})

test('all known places of one account together have 250 wrong passwords a day, and are strangers’ then', async () => {
  const { email } = await newOwner()
  for (const from of [home, office]) await signIn(from, email)
  await service.database.asSystem(async (tx) => {
    for (let n = 1; n < wrongPasswords.known.together; n++)
      await countWrong(tx, { email, network: `10.${n}.0.1` }, { isKnown: true })
  })
  expect((await signIn(office, email)).status).toBe(200)
  expect((await signIn(office, email, 'not the password')).status).toBe(401)
  expect((await signIn(home, email)).status).toBe(429)
  // A new password begins anew.
  expect((await choose(home, email)).status).toBe(200)
  expect((await signIn(home, email, renewed)).status).toBe(200)
})

test('all known places of one account together have 250 wrong codes a day, and are strangers’ then', async () => {
  const { email } = await newOwner()
  for (const from of [home, office]) await signIn(from, email)
  await service.database.asSystem(async (tx) => {
    for (let n = 1; n < wrongAtMailbox.known; n++)
      await countWrongAt(tx, { email, network: `10.${n % 50}.0.1` }, { isOwners: true })
  })
  const isOwners = () => service.database.asSystem((tx) => isOwnersPlace(tx, { email, network: home }))
  expect(await isOwners()).toBe(true)
  await post(away, addressOf(accounts.sendCode, {}, { email }))
  const code = (await codeFor(service, email)) === '000000' ? '000001' : '000000'
  await post(office, addressOf(accounts.validateCode, {}, { email, code }))
  expect(await isOwners()).toBe(false)
})
