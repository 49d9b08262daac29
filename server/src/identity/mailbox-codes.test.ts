import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { addressOf } from '@clear-to-post/contract/client'
import { identity } from '@clear-to-post/contract/identity'
import { codeFor } from '../../test/mails.ts'
import { openService, type Service } from '../../test/service.ts'
import { createPerson } from '../accounts/actions.ts'
import { sql } from '../kernel/database.ts'
import { forgetTriesOf } from './actions.ts'
import { codesAskedAgain } from './codes.ts'
import { countWrongAt, sendLimit, wrongAtMailbox } from './mailbox-codes.ts'

let service: Service
beforeAll(async () => void (service = await openService({ CODES_PER_HOUR: '100000' })))
afterAll(() => service.close())

const password = 'kettle-drum-41'
const [home, away] = ['198.18.1.1', '198.18.2.1']
const newAddress = () => `${randomUUID().slice(0, 8)}@mailbox.test`
/** Somebody who has confirmed their address, and signed in at home. */
const newOwner = async (email = newAddress()) => {
  const { id } = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'An Owner', role: 'User', password }),
  )
  await service.database.asSystem((tx) => tx.count(sql`update person set email_verified_at = now() where id = ${id}`))
  await post(home, addressOf(identity.password), { email, password })
  return { id, email }
}
const post = async (from: string, url: string, payload?: object, at = service) => {
  const { statusCode, body } = await at.app.inject({
    method: 'POST',
    url,
    remoteAddress: from,
    ...(payload ? { payload } : {}),
  })
  return { status: statusCode, ...(JSON.parse(body) as { isValid?: boolean; message?: string }) }
}
const ask = async (from: string, email: string, at = service) =>
  (await post(from, addressOf(accounts.sendCode, {}, { email }), undefined, at)).status
const type = async (from: string, email: string, code: string, at = service) => {
  const url = addressOf(accounts.validateCode, {}, { email, code, keepCode: 'true' })
  const { isValid, message } = await post(from, url, undefined, at)
  return isValid ?? message
}
const stranger = (n: number) => `10.${n}.0.1`
const forty = async (work: (from: string) => Promise<unknown>) => {
  for (let n = 0; n < 40; n++) await work(stranger(n))
}
/** Codes on their way to an address, those that were replaced meanwhile, too. */
const mailed = (email: string) =>
  service.database.asSystem(
    async (tx) => (await tx.rows(sql`select from mail where template = 'code' and recipient = ${email}`)).length,
  )
/** Some minutes go by for every count, and for the codes that are out. */
const pass = (minutes: number) =>
  service.database.asSystem(async (tx) => {
    const by = sql`make_interval(mins => ${minutes})`
    await tx.count(sql`update sign_in_try set since = since - ${by}, ends_at = ends_at - ${by}`)
    await tx.count(sql`update one_time_token set created_at = created_at - ${by}, ends_at = ends_at - ${by}`)
  })
const other = (code: string) => (code === '000000' ? '000001' : '000000')

test('an owner has a good code where they never signed in, and where they did, while forty networks ask', async () => {
  const { email } = await newOwner()
  await forty((from) => ask(from, email))
  expect(await mailed(email)).toBe(sendLimit.codes + 1)
  // At a known place they are sent one of their own.
  expect(await ask(home, email)).toBe(200)
  expect(await mailed(email)).toBe(sendLimit.codes + 2)
  expect(await type(home, email, await codeFor(service, email))).toBe(true)
  // At a new one, and while strangers go on, the one that lies in the mailbox is theirs as well, whoever has guessed at it.
  await forty((from) => ask(from, email))
  expect(await ask(away, email)).toBe(200)
  expect(await mailed(email)).toBe(sendLimit.codes + 2)
  const code = await codeFor(service, email)
  for (let n = 0; n < 20; n++) await type(`100.64.${n}.1`, email, other(code))
  expect(await type('100.65.1.1', email, code)).toBe(false)
  expect(await type(away, email, code)).toBe(true)
  // Typed where nobody has asked, but they have signed in before.
  expect(await type('198.18.1.9', email, code)).toBe(true)
  const [url, renewed] = [addressOf(accounts.changePassword), 'another-kettle-drum-41']
  expect((await post(away, url, { email, code, pass: renewed, passConfirm: renewed })).status).toBe(200)
})

test('a mailbox is sent fourteen codes an hour, however many networks ask, and other spellings share one turn', async () => {
  const name = randomUUID().slice(0, 8)
  const { email } = await newOwner(`${name}@mailbox.test`)
  const spelled = (n: number) => `${name}+${n}@mailbox.test`
  for (let minute = 0; minute < 60; minute += 5) {
    for (let n = 0; n < 10; n++) await ask(`10.${n}.${minute}.1`, email)
    for (const from of [home, '198.18.1.2', '198.18.1.3']) await ask(from, email)
    expect(await ask(`198.19.${minute}.1`, email)).toBe(200)
    if (minute < 55) await pass(5)
  }
  const { codes, known, turn, minutes } = sendLimit
  expect(await mailed(email)).toBe(codes + known + minutes / turn)
  // Spellings that are nobody’s share one turn of the mailbox between them, and the answer says nothing of it.
  for (let one = 0; one < 8; one++) expect(await ask(stranger(100 + one), spelled(one))).toBe(200)
  const others = await Promise.all(Array.from({ length: 8 }, (_, one) => mailed(spelled(one))))
  expect(others.reduce((a, b) => a + b)).toBe(1)
})

test('other spellings of a mailbox use up no code of its owner’s, and one network is told that it asked too often', async () => {
  const name = randomUUID().slice(0, 8)
  const { email } = await newOwner(`${name}@mailbox.test`)
  for (let n = 0; n < 8; n++) await ask(stranger(n), `${name}+${n}@mailbox.test`)
  expect(await ask(away, email)).toBe(200)
  expect(await mailed(email)).toBe(1)
  expect(await type(away, email, await codeFor(service, email))).toBe(true)
  for (let n = 1; n < sendLimit.codes; n++) expect(await ask(away, email)).toBe(200)
  expect(await ask(away, email)).toBe(429)
})

test('a code that is asked for again is good for ten minutes from then, and for twenty in all', async () => {
  const { email } = await newOwner()
  await forty((from) => ask(from, email))
  const code = await codeFor(service, email)
  await pass(9)
  await ask(away, email)
  await pass(9)
  expect(await type(away, email, code)).toBe(true)
  expect(await type(stranger(1), email, code)).toBe(true)
  await pass(2)
  expect(await type(away, email, code)).toBe(false)
})

test('one mailbox stands a thousand wrong codes a day, and its owner’s are looked at where they signed in before', async () => {
  const { email } = await newOwner()
  await ask(home, email)
  const code = await codeFor(service, email)
  const { most, more, few, own, minutes } = wrongAtMailbox
  const wrong = (times: number, networkOf: (n: number) => string) =>
    service.database.asSystem(async (tx) => {
      for (let n = 0; n < times; n++) await countWrongAt(tx, { email, network: networkOf(n) })
    })
  const tooMany =
    'Too many wrong codes came for this address. Type the code in where you have signed in before, or wait a day.'
  await wrong(most, (n) => `10.${n % 4}.0.1`)
  expect([await type(stranger(3), email, code), await type(away, email, code)]).toEqual([tooMany, true])
  await wrong(few, () => away)
  expect(await type(away, email, code)).toBe(tooMany)
  await wrong(more - few, (n) => `10.${n % 250}.1.1`)
  expect([await type('198.18.3.1', email, code), await type(home, email, code)]).toEqual([tooMany, true])
  await wrong(own, () => home)
  expect(await type(home, email, code)).toBe(tooMany)
  await pass(minutes + 1)
  await ask(away, email)
  expect(await type(away, email, await codeFor(service, email))).toBe(true)
})

test('codes asked for again use up nobody’s, and a quarter as many networks as codes have guesses of their own', async () => {
  const small = await openService({ CODES_PER_HOUR: '80' })
  try {
    const [one, another] = [newAddress(), newAddress()]
    for (let n = 0; n < 6 + 80; n++) expect(await ask(`10.${n}.0.1`, one, small)).toBe(200)
    // Of everybody’s eighty, six were sent.
    expect(await ask(away, another, small)).toBe(200)
    expect(await codeFor(small, another)).toMatch(/^\d{6}$/)
    const code = await codeFor(small, one)
    for (let n = 0; n < 15; n++)
      await post(
        `100.64.${n}.1`,
        addressOf(accounts.validateCode, {}, { email: one, code: other(code) }),
        undefined,
        small,
      )
    const typed = async (n: number) =>
      (
        await post(
          `10.${n}.0.1`,
          addressOf(accounts.validateCode, {}, { email: one, code, keepCode: 'true' }),
          undefined,
          small,
        )
      ).isValid
    expect([await typed(5), await typed(6), await typed(25), await typed(26), await typed(85)]).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  } finally {
    await small.close()
  }
})

test('a few networks that ask over and over leave others their guesses, and have them at two codes each', async () => {
  const small = await openService({ CODES_PER_HOUR: '100', CODES_PER_NETWORK: '50' })
  try {
    const boxes = Array.from({ length: codesAskedAgain + 1 }, newAddress)
    for (const [box, email] of boxes.entries())
      for (let n = 0; n < sendLimit.codes + 1; n++) await ask(`10.${n}.${box}.1`, email, small)
    // Five of the 25 networks, fifteen of whose askings are for codes that they may guess at already.
    for (let n = 0; n < 5; n++) for (let times = 0; times < 4; times++) await ask(`11.${n}.0.1`, boxes[0]!, small)
    for (const email of boxes.slice(1)) await ask('11.0.0.1', email, small)
    for (let n = 0; n < 19; n++) await ask(`12.${n}.0.1`, boxes[0]!, small)
    expect(await ask(away, boxes[0]!, small)).toBe(200)
    // The twenty-sixth.
    await ask('13.0.0.1', boxes[0]!, small)
    const codes = await Promise.all(boxes.map((email) => codeFor(small, email)))
    const typed = (from: string, box: number) => type(from, boxes[box]!, codes[box]!, small)
    for (const [box, email] of boxes.entries())
      for (let n = 0; n < 15; n++) await type(`100.64.${n}.${box}`, email, other(codes[box]!), small)
    expect([await typed(away, 0), await typed('13.0.0.1', 0)]).toEqual([true, false])
    expect([await typed('11.0.0.1', 0), await typed('11.0.0.1', 1), await typed('11.0.0.1', 2)]).toEqual([
      true,
      true,
      false,
    ])
  } finally {
    await small.close()
  }
})

test('a code that was used makes room for the next, which is mailed', async () => {
  const { email } = await newOwner()
  await forty((from) => ask(from, email))
  await ask(away, email)
  const [code, renewed, before] = [await codeFor(service, email), 'another-kettle-drum-41', await mailed(email)]
  const change = { email, code, pass: renewed, passConfirm: renewed }
  expect((await post(away, addressOf(accounts.changePassword), change)).status).toBe(200)
  expect(await ask('198.18.3.1', email)).toBe(200)
  expect(await mailed(email)).toBe(before + 1)
  expect(await type('198.18.3.1', email, await codeFor(service, email))).toBe(true)
})

test('a sign-up while strangers ask is confirmed with the code that lies in the mailbox', async () => {
  const email = newAddress()
  await forty((from) => ask(from, email))
  const code = await codeFor(service, email)
  const made = { email, name: 'New One', password, passwordConfirmation: password }
  const create = await service.app.inject({
    method: 'POST',
    url: addressOf(accounts.create),
    remoteAddress: away,
    payload: made,
  })
  const signedIn = await service.app.inject({
    method: 'POST',
    url: addressOf(identity.customToken),
    payload: { token: create.json().token },
  })
  expect(await codeFor(service, email)).toBe(code)
  const confirmed = await service.app.inject({
    method: 'POST',
    url: addressOf(accounts.verifyEmail),
    remoteAddress: away,
    headers: { authorization: `Bearer ${signedIn.json().idToken}` },
    payload: { code },
  })
  expect(confirmed.statusCode).toBe(200)
})

test('an account of another spelling of a mailbox begins none of its owner’s bounds anew when it is removed', async () => {
  const name = randomUUID().slice(0, 8)
  const { email } = await newOwner(`${name}@mailbox.test`)
  for (let n = 0; n < sendLimit.codes; n++) await ask(stranger(n), email)
  const code = await codeFor(service, email)
  for (let n = 0; n < 3; n++) await type(stranger(n), email, other(code))
  const counts = () =>
    service.database.asSystem((tx) => tx.rows(sql`select encode(account, 'hex') as account, tries from sign_in_try`))
  const before = await counts()
  const visitor = { id: randomUUID(), email: `${name}+1@mailbox.test`, isConfirmed: false }
  await service.database.asSystem((tx) => forgetTriesOf(tx, visitor))
  expect(await counts()).toEqual(before)
})
