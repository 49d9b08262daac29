import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { addressOf } from '@clear-to-post/contract/client'
import { identity, type FactorProof } from '@clear-to-post/contract/identity'
import { security } from '@clear-to-post/contract/security'
import { appCodes, codeTries, newBeginnings } from '@clear-to-post/domain/second-factor'
import { codeFor, mailsTo } from '../../test/mails.ts'
import { callAs, callConfirmed, openService, outcome, type Person, type Service } from '../../test/service.ts'
import { createPerson } from '../accounts/actions.ts'
import { sql } from '../kernel/database.ts'
import { counted, guessed } from '../kernel/metrics.ts'
import { hashPassword, setPassword, tidySessions } from './actions.ts'
import { countWrongCode, isAppGuessed } from './second-factor-tries.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

const [ofDay, ofMonth] = appCodes
let people = 0
/** Somebody with an app; everything here is done by whoever knows the password. */
const newOwner = async () => {
  const email = `owner${++people}@tries.test`
  const { id } = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'An Owner', role: 'User', password: 'kettle-drum-41' }),
  )
  await service.database.asSystem((tx) => tx.count(sql`update person set email_verified_at = now() where id = ${id}`))
  const caller = { id, role: 'User' as const, tenantId: null, securityStamp: 1, name: 'An Owner' }
  const person: Person = { ...caller, token: await service.identity.signIdToken(caller) }
  const { secret } = await callConfirmed(service, person)(security.startTotp, { body: {} })
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  const { recoveryCodes } = await callConfirmed(service, person)(security.confirmTotp, {
    body: { code: app.generate() },
  })
  const prove = async (proof: FactorProof, password = 'kettle-drum-41') => {
    const step = await callAs(service, null)(identity.password, { body: { email, password } })
    const { challenge } = step as { challenge: string }
    return outcome(callAs(service, null)(identity.secondFactor, { body: { challenge, proof } }))
  }
  const wrong = () => prove({ method: 'totp', code: app.generate({ timestamp: Date.now() + 3_600_000 }) })
  const right = (password?: string) => prove({ method: 'totp', code: app.generate() }, password)
  return { id, email, recoveryCodes, prove, wrong, right }
}
/** Some minutes go by: for every count, and for the codes that were taken. */
const pass = (minutes: number) =>
  service.database.asSystem(async (tx) => {
    await tx.count(sql`
      update sign_in_try set since = since - make_interval(mins => ${minutes}), ends_at = ends_at - make_interval(mins => ${minutes})`)
    await tx.count(sql`update totp set last_step = 0`)
  })
/** How many wrong codes are judged within a day, five in each quarter of an hour. */
const guessForADay = async (wrong: () => Promise<string>): Promise<number> => {
  let judged = 0
  for (let quarter = 0; quarter < 6; quarter++) {
    for (let tried = 0; tried <= codeTries.tries; tried++) if ((await wrong()) === 'session.wrong-code') judged++
    await pass(codeTries.minutes + 1)
  }
  return judged
}

test('codes of an app are guessed 20 times a day and 50 times in thirty days, a right one between or not', async () => {
  const { wrong, right } = await newOwner()
  await pass(0)
  expect(await right()).toBe('done')
  expect(await guessForADay(wrong)).toBe(ofDay.most)
  expect(await right()).toBe('request.too-many')
  await pass(ofDay.minutes)
  // The clock tidies now and then, and forgets nothing that counts.
  await tidySessions(service.database)
  expect(await right()).toBe('done')
  expect(await guessForADay(wrong)).toBe(ofDay.most)
  await pass(ofDay.minutes)
  expect(await guessForADay(wrong)).toBe(ofMonth.most - 2 * ofDay.most)
  await pass(ofMonth.minutes)
  expect(await right()).toBe('done')
})

test('past the codes of an app its owner signs in by a recovery code, and by a new password as before', async () => {
  const { email, recoveryCodes, prove, wrong, right } = await newOwner()
  await guessForADay(wrong)
  // However many more are tried: those that are not looked at use up nothing.
  for (let more = 0; more < 10; more++) expect(await wrong()).toBe('request.too-many')
  expect(await prove({ method: 'recovery-code', code: recoveryCodes[0]! })).toBe('done')
  await callAs(service, null)(accounts.sendCode, { query: { email } })
  const [code, renewed] = [await codeFor(service, email), 'another-kettle-drum-41']
  await callAs(service, null)(accounts.changePassword, { body: { email, pass: renewed, passConfirm: renewed, code } })
  expect(await right(renewed)).toBe('done')
})

test('new passwords begin the codes of an app anew once a day, and three times in thirty days', async () => {
  const { id } = await newOwner()
  const hash = await hashPassword('another-kettle-drum-41')
  const [newOfDay, newOfMonth] = newBeginnings
  const guessed = () =>
    service.database.asSystem(async (tx) => {
      for (let n = 0; n < ofDay.most; n++) await countWrongCode(tx, id, { method: 'totp', network: '198.18.1.1' })
      return isAppGuessed(tx, id)
    })
  /** Whether the codes are looked at after a new password. */
  const chosen = () =>
    service.database.asSystem(async (tx) => {
      await setPassword(tx, id, hash)
      return !(await isAppGuessed(tx, id))
    })
  expect(await chosen()).toBe(true)
  for (let days = 0; days < newOfMonth.most; days++) {
    expect([await guessed(), await chosen()]).toEqual([true, true])
    expect([await guessed(), await chosen()]).toEqual([true, false])
    await pass(newOfDay.minutes + 1)
  }
  expect([await guessed(), await chosen()]).toEqual([true, false])
  await pass(newOfMonth.minutes)
  expect([await guessed(), await chosen()]).toEqual([true, true])
})

test('an app whose codes are used up four by four is told to its owner by mail, once', async () => {
  const { id, email } = await newOwner()
  const alarms = async () =>
    (await mailsTo(service, email)).filter(({ subject }) => subject === 'Somebody may know your password').length
  for (let quarter = 0; quarter < ofDay.most / 4; quarter++) {
    expect(await alarms()).toBe(0)
    for (let n = 0; n < 4; n++)
      await service.database.asSystem((tx) => countWrongCode(tx, id, { method: 'totp', network: '198.18.1.1' }))
    await pass(codeTries.minutes + 1)
  }
  expect(await alarms()).toBe(1)
})

test('wrong recovery codes keep no code away from their owner elsewhere; one place has five of them', async () => {
  const { email, recoveryCodes, right } = await newOwner()
  const proveFrom = async (remoteAddress: string, code: string) => {
    const ask = async (shape: typeof identity.password | typeof identity.secondFactor, payload: object) =>
      (await service.app.inject({ method: 'POST', url: addressOf(shape), payload, remoteAddress })).json()
    const { challenge } = await ask(identity.password, { email, password: 'kettle-drum-41' })
    const answer = await ask(identity.secondFactor, { challenge, proof: { method: 'recovery-code', code } })
    return answer.code ?? 'done'
  }
  const [wrong, [first, second]] = ['AAAA-AAAA-AAAA-AAAA', recoveryCodes as [string, string]]
  const answers: string[] = []
  for (let n = 0; n < 7; n++) answers.push(await proveFrom(`198.18.1.${n}`, wrong))
  expect(answers.filter((code) => code === 'session.wrong-code')).toHaveLength(codeTries.tries)
  expect(answers.slice(codeTries.tries)).toEqual(['request.too-many', 'request.too-many'])
  expect(await proveFrom('198.18.1.1', first)).toBe('request.too-many')
  expect(await proveFrom('198.18.2.1', second)).toBe('done')
  await pass(0)
  expect(await right()).toBe('done')
})

test('five wrong codes after a right password are told to the owner by mail, once a day', async () => {
  const { email, prove, wrong } = await newOwner()
  const alarms = async () =>
    (await mailsTo(service, email)).filter(({ subject }) => subject === 'Somebody may know your password').length
  for (let tried = 1; tried < codeTries.tries; tried++) await wrong()
  expect(await alarms()).toBe(0)
  await prove({ method: 'recovery-code', code: 'AAAA-AAAA-AAAA-AAAA' })
  expect(await alarms()).toBe(1)
  await guessForADay(wrong)
  expect(await alarms()).toBe(1)
  await pass(24 * 60)
  await guessForADay(wrong)
  expect(await alarms()).toBe(2)
})

test('wrong passwords, codes by mail and second steps are counted for operators, each by its kind', async () => {
  const { email, wrong, prove } = await newOwner()
  const figures = async () =>
    Object.fromEntries(
      (await counted.getSingleMetric('clear_wrong_guesses_total')!.get()).values.map((one) => [
        one.labels['typed'],
        one.value,
      ]),
    )
  const before = await figures()
  expect(Object.keys(before).toSorted()).toEqual(guessed.toSorted())
  await prove({ method: 'totp', code: '000000' }, 'not the password').catch(() => {})
  await callAs(service, null)(accounts.sendCode, { query: { email } })
  const code = (await codeFor(service, email)) === '000000' ? '000001' : '000000'
  for (let n = 0; n < 2; n++) await callAs(service, null)(accounts.validateCode, { query: { email, code } })
  for (let n = 0; n < 3; n++) await wrong()
  const after = await figures()
  const more = Object.fromEntries(guessed.map((typed) => [typed, after[typed]! - before[typed]!]))
  expect(more).toEqual({ password: 1, code: 2, 'second-step': 3 })
})
