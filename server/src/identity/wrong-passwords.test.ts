import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { addressOf } from '@clear-to-post/contract/client'
import { identity } from '@clear-to-post/contract/identity'
import { codeFor } from '../../test/mails.ts'
import { openService, type Service } from '../../test/service.ts'
import { createPerson } from '../accounts/actions.ts'
import { sql } from '../kernel/database.ts'
import { tidySessions } from './actions.ts'
import { countWrong, wrongPasswords } from './wrong-passwords.ts'

let service: Service
const lines: string[] = []
beforeAll(
  async () => void (service = await openService({}, undefined, { log: { write: (line) => void lines.push(line) } })),
)
afterAll(() => service.close())

const password = 'kettle-drum-41'
const [ofHour, ofDay] = wrongPasswords.network
const [strangersOfDay, strangersOfMonth] = wrongPasswords.strangers
let people = 0
const newPerson = async () => {
  const email = `person${++people}@wrong.test`
  const { id } = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'Somebody', role: 'User', password }),
  )
  return { id, email }
}
const post = async (shape: typeof identity.password | typeof accounts.login, from: string, payload: object) => {
  const request = { method: 'POST', url: addressOf(shape), payload, remoteAddress: from } as const
  const { statusCode, body } = await service.app.inject(request)
  const { code, message } = JSON.parse(body) as { code?: string; message?: string }
  return { code: statusCode < 300 ? 'done' : code!, message }
}
const signIn = (from: string, email: string, given = password) =>
  post(identity.password, from, { email, password: given })
const logIn = (from: string, email: string, given = password) =>
  post(accounts.login, from, { system: 'APP', email, password: given })
/** As many wrong passwords as if a core had judged each. */
const wrong = (times: number, tried: (n: number) => { email: string; network: string }) =>
  service.database.asSystem(async (tx) => {
    for (let n = 0; n < times; n++) await countWrong(tx, tried(n))
  })
/** Some minutes go by for every count, and the clock tidies. */
const pass = async (minutes: number) => {
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update sign_in_try set since = since - make_interval(mins => ${minutes}), ends_at = ends_at - make_interval(mins => ${minutes})`),
  )
  await tidySessions(service.database)
}

test('wrong passwords of one network are judged sixty times an hour over all accounts and both doors', async () => {
  const [here, stranger] = [await newPerson(), await newPerson()]
  const from = '198.18.1.7'
  expect((await signIn(from, here.email)).code).toBe('done')
  const judged: string[] = []
  for (let n = 0; n < ofHour.most + 6; n++)
    judged.push((await (n % 2 ? signIn : logIn)(from, `nobody${n}@wrong.test`, 'not the password')).code)
  expect(judged.filter((code) => code === 'session.wrong-credentials')).toHaveLength(ofHour.most)
  const refused = {
    code: 'request.too-many',
    message: expect.stringContaining('Too many wrong passwords came from your network'),
  }
  expect([await signIn(from, stranger.email), await logIn(from, stranger.email)]).toEqual([refused, refused])
  // Another address of its holder has its own, and so has who signed in there before.
  expect((await signIn('198.18.1.8', stranger.email)).code).toBe('done')
  expect((await signIn(from, here.email)).code).toBe('done')
  await pass(ofHour.minutes + 1)
  expect((await signIn(from, (await newPerson()).email)).code).toBe('done')
})

test('wrong passwords of a holder of many networks have a bound of an hour and one of a day', async () => {
  const ask = async (from: string) => (await signIn(from, 'somebody@wrong.test', 'not the password')).code
  for (const [place, wide, next] of [
    ['198.18.2.', 4, '198.18.2.250'],
    ['2001:db8:7:', 4, '2001:db8:7:ff00::1'],
  ] as const) {
    const networkOf = (n: number) =>
      place.includes('.') ? `${place}${n % 200}` : `2001:0db8:0007:${(n * 256).toString(16).padStart(4, '0')}`
    const tried = (n: number) => ({ email: `nobody${n}@wrong.test`, network: networkOf(n % 200) })
    for (let hour = 0; hour < ofDay.most / ofHour.most; hour++) {
      expect(await ask(next)).toBe('session.wrong-credentials')
      await wrong(ofHour.most * wide - 1, tried)
      expect(await ask(next)).toBe('request.too-many')
      await pass(ofHour.minutes + 1)
    }
    expect(await ask(next)).toBe('request.too-many')
    await pass(ofDay.minutes)
    expect(await ask(next)).toBe('session.wrong-credentials')
  }
})

test('one account takes a hundred wrong passwords a day from strangers, and its owner gets in all the same', async () => {
  const { email } = await newPerson()
  const [home, away] = ['198.18.3.1', '198.18.4.1']
  expect((await signIn(home, email)).code).toBe('done')
  const fromStrangers = (times: number) => wrong(times, (n) => ({ email, network: `100.64.${n % 250}.1` }))
  await fromStrangers(strangersOfDay.most - 1)
  expect((await signIn('198.18.5.1', email, 'not the password')).code).toBe('session.wrong-credentials')
  expect(await signIn(away, email)).toEqual({
    code: 'request.too-many',
    message: expect.stringContaining('Sign in where you have before'),
  })
  // Past the thirty of a quarter of an hour, too, which strangers alone share.
  expect((await signIn(home, email)).code).toBe('done')
  // An address that nobody has is answered alike.
  await wrong(strangersOfDay.most, (n) => ({ email: 'nobody@wrong.test', network: `100.64.${n % 250}.1` }))
  expect((await signIn(away, 'nobody@wrong.test')).code).toBe('request.too-many')
  // A new password by e-mail is good where it was chosen, also under an attack that goes on.
  await service.app.inject({ method: 'POST', url: addressOf(accounts.sendCode, {}, { email }) })
  const [code, renewed] = [await codeFor(service, email), 'another-kettle-drum-41']
  const changed = await service.app.inject({
    method: 'POST',
    url: addressOf(accounts.changePassword),
    payload: { email, pass: renewed, passConfirm: renewed, code },
    remoteAddress: away,
  })
  expect(changed.statusCode).toBe(200)
  await fromStrangers(strangersOfDay.most)
  expect((await signIn(away, email, renewed)).code).toBe('done')

  for (let days = 1; days < strangersOfMonth.most / strangersOfDay.most; days++) {
    await pass(strangersOfDay.minutes + 1)
    await fromStrangers(strangersOfDay.most)
  }
  await pass(strangersOfDay.minutes + 1)
  expect((await signIn('198.18.6.1', email, renewed)).code).toBe('request.too-many')
  expect((await signIn(away, email, renewed)).code).toBe('done')
})

test('where its owner signed in before, an account takes sixty wrong passwords a day', async () => {
  const { email } = await newPerson()
  const home = '198.18.7.1'
  expect((await signIn(home, email)).code).toBe('done')
  await wrong(wrongPasswords.known.most - 1, () => ({ email, network: home }))
  expect((await signIn('198.18.7.2', email, 'not the password')).code).toBe('session.wrong-credentials')
  expect((await signIn(home, email)).code).toBe('request.too-many')
})

test('a session confirms with sixty wrong passwords a day at the most', async () => {
  const { email } = await newPerson()
  const from = { remoteAddress: '198.18.8.1', method: 'POST' } as const
  const url = addressOf(identity.password)
  const { idToken } = (await service.app.inject({ ...from, url, payload: { email, password } })).json()
  const confirm = async (given: string) =>
    (
      await service.app.inject({
        ...from,
        url: addressOf(identity.confirm),
        headers: { authorization: `Bearer ${idToken}` },
        payload: { password: given },
      })
    ).json().code
  let judged = 0
  for (let quarter = 0; quarter < 7; quarter++) {
    for (let n = 0; n < 11; n++) if ((await confirm('not the password')) === 'session.wrong-password') judged++
    await pass(16)
  }
  expect(judged).toBe(wrongPasswords.known.most)
  expect(await confirm(password)).toBe('request.too-many')
})

test('the log says once when a network uses up its day, and when many guess within an hour', async () => {
  await pass(ofDay.minutes + 1)
  const { alarm } = wrongPasswords
  const one = { email: 'somebody@wrong.test', network: '198.18.9.1' }
  const told = async () => {
    lines.length = 0
    for (let n = 0; n < 3; n++) await signIn(`198.18.9.${n + 2}`, `nobody${n}@wrong.test`, 'not the password')
    return lines.filter((line) => line.includes('"level":50')).map((line) => (JSON.parse(line) as { msg: string }).msg)
  }
  expect(await told()).toEqual([])
  await pass(ofDay.minutes + 1)
  await wrong(ofDay.most - 1, () => one)
  await pass(ofHour.minutes + 1)
  lines.length = 0
  expect((await signIn(one.network, 'other@wrong.test', 'not the password')).code).toBe('session.wrong-credentials')
  expect(lines.filter((line) => line.includes('"network":"198.18.9.1"'))).toHaveLength(1)
  await wrong(ofDay.most * 3 - 2, () => one)
  // The hours between were counted as one here.
  await pass(ofHour.minutes + 1)
  expect(await told()).toEqual([expect.stringContaining('one network has used up its wrong passwords of a day')])
  await pass(ofDay.minutes + 1)
  await wrong(alarm.most - 2, (n) => ({ ...one, network: `100.65.${n % 250}.1` }))
  expect(await told()).toEqual([expect.stringContaining('somebody guesses from many networks')])
})
