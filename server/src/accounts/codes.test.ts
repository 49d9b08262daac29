import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import type { CallInput, CallShape } from '@clear-to-post/contract/call'
import { identity } from '@clear-to-post/contract/identity'
import { codeFor, deliverMails, mailsTo } from '../../test/mails.ts'
import { isLong } from '../../test/random.ts'
import { callAs, makePerson, openService, type Person, type Service, outcome, signedIn } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { hashOfToken, verifyCode } from '../identity/actions.ts'
import { hashPassword } from '../identity/password-hash.ts'
import { changeAccountState, createPerson } from './actions.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

const password = 'kettle-drum-41'
const renewed = 'copper-lantern-77'
const nobody = <C extends CallShape>(shape: C, input: CallInput<C>) => callAs(service, null)(shape, input)
const tally = (outcomes: string[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(outcomes, (one) => one)).map(([one, all]) => [one, all!.length]))
const newAddress = () => `${randomUUID().slice(0, 8)}@codes.test`
const newPerson = async (role: 'User' | 'QA' = 'User') => {
  const email = newAddress()
  const { id } = await service.database.asSystem((tx) => createPerson(tx, { email, name: 'Maria', role, password }))
  return { id, email }
}
const send = (email: string) => nobody(accounts.sendCode, { query: { email } })
const validate = async (email: string, code: string, keepCode?: boolean) =>
  (
    await nobody(accounts.validateCode, {
      query: { email, code, ...(keepCode === undefined ? {} : { keepCode: String(keepCode) }) },
    })
  ).isValid
const setPassword = (email: string, code: string, pass = renewed) =>
  outcome(nobody(accounts.changePassword, { body: { email, pass, passConfirm: pass, code } }))
const signIn = (email: string, given: string) =>
  outcome(nobody(identity.password, { body: { email, password: given } }))
const other = (code: string) => (code === '000000' ? '000001' : '000000')
const move = async (person: Person, email: string, code: string) =>
  callAs(service, await signedIn(service, person))(accounts.changeEmail, { body: { email, code } })

test('a code sets a new password once and ends every session', async () => {
  const { email } = await newPerson()
  const session = await service.app.inject({
    method: 'POST',
    url: '/identity/sign-in/password',
    payload: { email, password },
  })
  const idToken = (session.json() as { idToken: string }).idToken
  expect(await send(email.toUpperCase())).toEqual({ success: true })
  const code = await codeFor(service, email)
  expect(await setPassword(email, other(code))).toBe('account.wrong-code')
  expect(await setPassword(email, code)).toBe('done')
  expect(await setPassword(email, code, 'another-lantern-78')).toBe('account.wrong-code')
  expect([await signIn(email, password), await signIn(email, renewed)]).toEqual(['session.wrong-credentials', 'done'])
  expect(await outcome(callAs(service, { token: idToken } as Person)(accounts.info, {}))).toBe('session.ended')
  const refreshed = await service.app.inject({
    method: 'POST',
    url: '/identity/refresh',
    headers: { cookie: `ctp_refresh=${session.cookies[0]!.value}` },
  })
  expect(refreshed.statusCode).toBe(401)
  expect((await mailsTo(service, email))[0]!.subject).toBe('Your password was changed')
})

test('of 100 simultaneous redemptions of one code exactly one succeeds', { tags: 'long' }, async () => {
  const { email } = await newPerson()
  await send(email)
  const code = await codeFor(service, email)
  const passwords = Array.from({ length: 100 }, (_, i) => `copper-lantern-${i}`)
  const outcomes = await Promise.all(passwords.map((pass) => setPassword(email, code, pass)))
  expect(tally(outcomes)).toEqual({ done: 1, 'account.wrong-code': 99 })
  expect(await signIn(email, passwords[outcomes.indexOf('done')]!)).toBe('done')

  await send(email)
  const second = await codeFor(service, email)
  const answers = await Promise.all(Array.from({ length: 100 }, () => validate(email, second)))
  expect(answers.filter(Boolean)).toHaveLength(1)
})

test('of 100 people who redeem one code for a new address exactly one gets it', async () => {
  const email = newAddress()
  await send(email)
  const code = await codeFor(service, email)
  const people = await Promise.all(Array.from({ length: 100 }, () => makePerson(service, 'User')))
  const outcomes = await Promise.all(people.map((person) => outcome(move(person, email, code))))
  expect(outcomes.filter((one) => one === 'done')).toHaveLength(1)
  expect(outcomes.every((one) => /done|account\.(wrong-code|email-taken)/.test(one))).toBe(true)
})

test('a code allows five wrong guesses, counted exactly in parallel, and is then refused', async () => {
  const { email } = await newPerson()
  await send(email)
  const code = await codeFor(service, email)
  for (let guess = 0; guess < 4; guess++) expect(await validate(email, other(code))).toBe(false)
  expect(await validate(email, code, true)).toBe(true)
  await Promise.all(Array.from({ length: 20 }, () => validate(email, other(code), true)))
  expect(await validate(email, code, true)).toBe(false)
  expect(await setPassword(email, code)).toBe('account.wrong-code')
  const kept = await service.database.asSystem((tx) =>
    tx.first(sql<{ guesses: object }>`select guesses from one_time_token where email = ${email}`),
  )
  expect(Object.values(kept!.guesses)).toEqual([5])
})

/** A guess at a code from one's own network, `203.0.113.<n>` unless said: whether it was right, or why it was not looked at. */
const guessFrom = async (n: number, email: string, code: string, holder = '203.0.113'): Promise<boolean | string> => {
  const { body } = await service.app.inject({
    method: 'POST',
    url: `/api/accounts/public/email/validate?${new URLSearchParams({ email, code, keepCode: 'true' })}`,
    remoteAddress: `${holder}.${n}`,
  })
  const { isValid, message } = JSON.parse(body) as { isValid?: boolean; message: string }
  return isValid ?? message
}

test('wrong guesses from a stranger’s network do not use up the owner’s code', async () => {
  const { email } = await newPerson()
  await send(email)
  const code = await codeFor(service, email)
  for (let guess = 0; guess < 20; guess++) expect(await guessFrom(1, email, other(code))).toBe(false)
  expect(await guessFrom(1, email, code)).toBe(false)
  // Another network of the owner's, too.
  expect(await guessFrom(2, email, code)).toBe(true)
  expect(await setPassword(email, code)).toBe('done')
})

test('forty wrong codes an hour are looked at from one network, and four times that from a holder of many', async () => {
  const guess = (n: number, email: string, code: string) => guessFrom(n, email, code, '198.18.0')
  const fiveWrongFrom = async (n: number) => {
    const email = newAddress()
    await send(email)
    const wrong = other(await codeFor(service, email))
    for (let tried = 0; tried < 5; tried++) expect(await guess(n, email, wrong)).toBe(false)
  }
  for (let codes = 0; codes < 8; codes++) await fiveWrongFrom(7)
  const { email } = await newPerson()
  await send(email)
  const code = await codeFor(service, email)
  const tooMany = 'Too many wrong codes came from your network. Wait an hour, or type the code in on another network.'
  expect([await guess(7, email, code), await guess(8, email, code)]).toEqual([tooMany, true])
  // Which addresses were sent a code is nobody’s to hear.
  expect(await guess(7, newAddress(), code)).toBe(tooMany)
  for (let n = 10; n < 34; n++) await fiveWrongFrom(n)
  expect([await guess(200, email, code), await validate(email, code, true)]).toEqual([tooMany, true])
})

test('past a thousand wrong codes in an hour a code is good where it was asked for alone', async () => {
  const { email } = await newPerson()
  await send(email)
  const code = await codeFor(service, email)
  const elsewhere = async () =>
    service.database.asSystem((tx) => verifyCode(tx, { email, code, network: '192.0.2.1' }, 'any'))
  expect(await elsewhere()).not.toBe(null)
  const everybody = hashOfToken('wrong codes of everybody')
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into sign_in_try (account, tries, since) values (${everybody}, 1000, now())
      on conflict (account) do update set tries = 1000, since = now()`),
  )
  await expect(elsewhere()).rejects.toMatchObject({
    code: 'request.too-many',
    message: 'Too many wrong codes are being tried right now. Ask for a new code here, and type that one in.',
  })
  expect(await validate(email, code, true)).toBe(true)
  await service.database.asSystem((tx) => tx.count(sql`delete from sign_in_try where account = ${everybody}`))
})

test('guesses from many networks are limited in total, and the owner’s own network keeps its guesses', async () => {
  const { email } = await newPerson()
  await send(email)
  const code = await codeFor(service, email)
  await Promise.all(Array.from({ length: 200 }, (_, n) => guessFrom(1 + (n % 100), email, other(code))))
  const kept = await service.database.asSystem((tx) =>
    tx.first(sql<{ tries_left: number; guesses: Record<string, number> }>`
      select tries_left, guesses from one_time_token where email = ${email}`),
  )
  expect(kept!.tries_left).toBe(0)
  expect(Object.values(kept!.guesses).reduce((a, b) => a + b)).toBe(15)
  for (const n of [1, 50, 101, 200]) expect(await guessFrom(n, email, code)).toBe(false)
  for (let guess = 0; guess < 4; guess++) expect(await validate(email, other(code), true)).toBe(false)
  expect(await validate(email, code, true)).toBe(true)
  expect(await validate(email, other(code), true)).toBe(false)
  expect(await validate(email, code, true)).toBe(false)
})

test('a code checked with keepCode stays usable, and one checked without it is used up', async () => {
  const { email } = await newPerson()
  await send(email)
  const code = await codeFor(service, email)
  expect([await validate(email, code, true), await validate(email, code, true)]).toEqual([true, true])
  expect(await setPassword(email, code)).toBe('done')
  expect(await validate(email, code, true)).toBe(false)

  await send(email)
  const next = await codeFor(service, email)
  expect([await validate(email, next), await validate(email, next)]).toEqual([true, false])
  expect(await setPassword(email, next)).toBe('account.wrong-code')
})

test('a code ends after ten minutes, or when the next one is sent', async () => {
  const { email } = await newPerson()
  await send(email)
  const first = await codeFor(service, email)
  await send(email)
  const second = await codeFor(service, email)
  if (first !== second) expect(await validate(email, first, true)).toBe(false)
  expect(await validate(email, second, true)).toBe(true)
  await service.database.asSystem((tx) =>
    tx.count(sql`update one_time_token set ends_at = ends_at - interval '601 seconds' where email = ${email}`),
  )
  expect(await setPassword(email, second)).toBe('account.wrong-code')

  // A mail whose code has expired is not sent.
  await send(email)
  await service.database.asSystem((tx) => tx.count(sql`update mail set useless_at = now() where recipient = ${email}`))
  const before = (await mailsTo(service, email)).length
  await deliverMails(service, email)
  expect(await mailsTo(service, email)).toHaveLength(before)
})

test('a code or token for one purpose is refused for every other', async () => {
  const known = await newPerson()
  const free = newAddress()
  const mover = await makePerson(service, 'User')
  await send(known.email)
  await send(free)
  const [ofKnown, ofFree] = [await codeFor(service, known.email), await codeFor(service, free)]

  // An address's code is good for that address alone.
  if (ofKnown !== ofFree) expect(await outcome(move(mover, free, ofKnown))).toBe('account.wrong-code')
  // A code for a free address sets no password, even if the address has an account by now.
  await service.database.asSystem((tx) => createPerson(tx, { email: free, name: 'New', role: 'User', password }))
  expect(await setPassword(free, ofFree)).toBe('account.wrong-code')
  // A code for a password moves no address to another account, even if the address is free by now.
  await service.database.asSystem((tx) =>
    tx.count(sql`update person set email = ${newAddress()} where id = ${known.id}`),
  )
  expect(await outcome(move(mover, known.email, ofKnown))).toBe('account.wrong-code')

  // Neither signs anybody in; and what signs in is no code.
  for (const token of [ofKnown, ofFree])
    expect(await outcome(nobody(identity.customToken, { body: { token } }))).toBe('session.invalid-token')
  const { token } = await callAs(service, mover)(accounts.createToken, {})
  expect(await outcome(nobody(accounts.validateCode, { query: { email: free, code: token } }))).toBe('request.invalid')
  const refresh = await service.app.inject({
    method: 'POST',
    url: '/identity/refresh',
    headers: { cookie: `ctp_refresh=${token}` },
  })
  expect(refresh.statusCode).toBe(401)
  expect(await outcome(nobody(identity.customToken, { body: { token } }))).toBe('done')
})

test('a weak new password is refused without using up the code, and only a holder of the code reads the rules', async () => {
  const { email } = await newPerson('QA')
  await send(email)
  const code = await codeFor(service, email)
  const short = 'kettle-9'
  expect(await setPassword(email, other(code), short)).toBe('account.wrong-code')
  expect(await setPassword(email, code, short)).toBe('account.weak-password')
  expect(await setPassword(email, code, '123456')).toBe('account.weak-password')
  expect(
    await outcome(nobody(accounts.changePassword, { body: { email, pass: renewed, passConfirm: 'x', code } })),
  ).toBe('request.invalid')
  expect(await setPassword(email, code)).toBe('done')
})

test('a disabled account gets no new password by a code', async () => {
  const { email } = await newPerson()
  await service.database.asSystem((tx) => changeAccountState(tx, email, { isDisabled: true }))
  await send(email)
  expect(await setPassword(email, await codeFor(service, email))).toBe('account.wrong-code')
})

test('an e-mail address changes by the code sent to the new one; the old one is notified and the session continues', async () => {
  const person = await makePerson(service, 'User')
  const { email: before } = await callAs(service, person)(accounts.info, {})
  const after = newAddress()
  await send(before)
  const forPassword = await codeFor(service, before)
  await send(after)
  const code = await codeFor(service, after)
  const [mail] = await mailsTo(service, after)
  expect(mail!.text).toContain('This address has no account with us')
  expect(await outcome(move(person, after, other(code)))).toBe('account.wrong-code')
  expect(await move(person, after, code)).toMatchObject({ id: person.id, email: after })
  // Repeated, it answers the same.
  expect(await move(person, after, code)).toMatchObject({ id: person.id, email: after })
  expect(await callAs(service, person)(accounts.info, {})).toMatchObject({ email: after })
  const [told] = await mailsTo(service, before)
  expect(told).toMatchObject({ subject: 'Your account has a new e-mail address' })
  expect(told!.text).not.toContain(after)
  // What was on its way to the old mailbox is no good any more.
  expect(await setPassword(before, forPassword)).toBe('account.wrong-code')

  const { email: taken } = await newPerson()
  await send(taken)
  expect(await outcome(move(person, taken, await codeFor(service, taken)))).toBe('account.email-taken')
  expect(await nobody(accounts.available, { query: { email: taken.toUpperCase() } })).toEqual({ isValid: false })
  expect(await nobody(accounts.available, { query: { email: before } })).toEqual({ isValid: true })
})

test('an address gets at most five codes an hour, whether it has an account or not', async () => {
  for (const email of [(await newPerson()).email, newAddress()]) {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcome(send(email))))
    expect(tally(outcomes)).toEqual({ done: 5, 'request.too-many': 3 })
    // Others are sent one more, and then told to use it: mailbox-codes.test.ts.
    const from = async (remoteAddress: string) =>
      (
        await service.app.inject({
          method: 'POST',
          url: `/api/accounts/public/email/send?email=${encodeURIComponent(email)}`,
          remoteAddress,
        })
      ).statusCode
    const other = [await from('192.0.2.1'), await from('192.0.2.2'), await from('192.0.2.3')]
    expect([...other, await from('198.51.100.2'), await from('203.0.113.3')]).toEqual([200, 200, 200, 200, 200])
    const mails = await service.database.asSystem((tx) =>
      tx.rows(sql`select from mail where template = 'code' and recipient = ${email}`),
    )
    expect(mails).toHaveLength(6)
  }
})

test('spellings of one address share its five codes an hour, so that nobody fills a mailbox by them', async () => {
  const name = randomUUID().slice(0, 8)
  const spelled = [
    `${name}@gmail.com`,
    ...[1, 2, 3, 4, 5, 6].map((n) => `${name.slice(0, n)}.${name.slice(n)}+${n}@gmail.com`),
  ]
  const outcomes: string[] = []
  for (const email of spelled) outcomes.push(await outcome(send(email)))
  expect(tally(outcomes)).toEqual({ done: 5, 'request.too-many': 2 })
})

const rounds = isLong ? 1000 : 60
test(
  `known and unknown addresses get the same answer after the same time (medians over ${rounds})`,
  { tags: 'long', timeout: 600_000 },
  async () => {
    const known = Array.from({ length: rounds }, (_, i) => `known${i}@timing.test`)
    const unknown = Array.from({ length: rounds }, (_, i) => `other${i}@timing.test`)
    const hash = await hashPassword(password)
    await service.database.asSystem((tx) =>
      tx.count(sql`
      with known as (
        insert into person (email, name, role) select e, 'K', 'User' from unnest(${known}::text[]) as g (e) returning id)
      insert into password (person_id, hash) select id, ${hash} from known`),
    )
    const wrong = { pass: renewed, passConfirm: renewed, code: '000000' }
    const calls = {
      send: (email: string) => ({ url: `/api/accounts/public/email/send?email=${email}` }),
      changePassword: (email: string) => ({
        url: '/api/accounts/public/changePassword/',
        payload: { ...wrong, email },
      }),
      validate: (email: string) => ({ url: `/api/accounts/public/email/validate?email=${email}&code=000000` }),
      // Each of these keeps a core busy with a password.
      ...(isLong
        ? { signIn: (email: string) => ({ url: '/identity/sign-in/password', payload: { email, password: renewed } }) }
        : {}),
    }
    const median = (times: number[]) => times.toSorted((a, b) => a - b)[rounds / 2]!
    for (const [name, call] of Object.entries(calls)) {
      const took = { known: [] as number[], unknown: [] as number[] }
      const answers = new Set<string>()
      const ask = async (which: keyof typeof took, email: string, i: number) => {
        const began = performance.now()
        // From many holders of networks: none has wrong codes beyond what it may.
        const response = await service.app.inject({
          method: 'POST',
          remoteAddress: `198.19.${i % 250}.1`,
          ...call(email),
        })
        took[which].push(performance.now() - began)
        answers.add(`${response.statusCode} ${response.body.replace(/"requestId":"[^"]+"/, '')}`)
      }
      for (let i = 0; i < rounds; i++) {
        // Alternating, so that other load on the machine affects both.
        await ask('known', known[i]!, i)
        await ask('unknown', unknown[i]!, i)
      }
      expect(answers.size, name).toBe(1)
      const [ofKnown, ofUnknown] = [median(took.known), median(took.unknown)]
      // On a busy machine medians are apart by chance: then neither of the two is the slower one most of the time.
      const slower = took.known.filter((ms, i) => ms > took.unknown[i]!).length / rounds
      const isTold = Math.abs(ofKnown - ofUnknown) >= 5 && Math.abs(slower - 0.5) > 0.2
      if (isLong) console.log(`${name}: medians ${ofKnown.toFixed(2)} ms known, ${ofUnknown.toFixed(2)} ms unknown`)
      expect(isTold, `${name}: ${ofKnown} ms known, ${ofUnknown} ms unknown, known slower in ${slower}`).toBe(false)
    }
  },
)

test('a code is stored nowhere in plain text', async () => {
  const { email } = await newPerson()
  await send(email)
  const kept = JSON.stringify(
    await service.database.asSystem(async (tx) => [
      await tx.rows(sql`select *, encode(hash, 'hex') as hex from one_time_token where email = ${email}`),
      await tx.rows(sql`select * from mail where recipient = ${email}`),
      await tx.rows(sql`select data from pgboss.job where name = 'mail'`),
    ]),
  )
  const code = await codeFor(service, email)
  expect(kept).not.toMatch(new RegExp(`[^0-9a-f-]${code}[^0-9a-f-]`))
})

test('an address change needs a fresh sign-in or the password, and a bearer token alone is refused', async () => {
  const { id, email } = await newPerson()
  const caller = { id, role: 'User', tenantId: null, securityStamp: 1 } as const
  const bare = { ...caller, name: 'Maria', token: await service.identity.signIdToken(caller) }
  const target = newAddress()
  await send(target)
  const code = await codeFor(service, target)
  const body = { email: target, code }
  const move = (person: Person) => outcome(callAs(service, person)(accounts.changeEmail, { body }))
  expect(await move(bare)).toBe('session.not-fresh')
  // A session of yesterday is proof no more.
  const old = await signedIn(service, bare)
  await service.database.asSystem((tx) =>
    tx.count(sql`update session_family set created_at = now() - interval '1 day' where person_id = ${id}`),
  )
  expect(await move(old)).toBe('session.not-fresh')
  const confirm = (person: Person, said: string) =>
    callAs(service, person)(identity.confirm, { body: { password: said } })
  expect(await outcome(confirm(bare, 'not-the-password'))).toBe('session.wrong-password')
  // None of it cost a try at the code.
  const { idToken } = await confirm(old, password)
  expect(await move({ ...old, token: idToken })).toBe('done')
  const [mail] = await mailsTo(service, email)
  expect(mail!.text).toContain('Was it not you? Write to us at once')
})

test('codes are limited per network and in total, for known and unknown addresses alike, with an explanation', async () => {
  const bounded = await openService({ CODES_PER_NETWORK: '3', CODES_PER_HOUR: '7' })
  try {
    const { email } = await bounded.database.asSystem((tx) =>
      createPerson(tx, { email: newAddress(), name: 'Known', role: 'User', password }),
    )
    const ask = async (address: string, network: string) => {
      const response = await bounded.app.inject({
        method: 'POST',
        url: `/api/accounts/public/email/send?email=${encodeURIComponent(address)}`,
        remoteAddress: network,
      })
      return response.statusCode === 200 ? 'sent' : (response.json() as { message: string }).message
    }
    const network = 'Too many codes were asked for from your network. Wait an hour and try again.'
    expect([await ask(email, '198.51.100.1'), await ask(newAddress(), '198.51.100.1')]).toEqual(['sent', 'sent'])
    expect(await ask(newAddress(), '198.51.100.1')).toBe('sent')
    expect([await ask(email, '198.51.100.1'), await ask(newAddress(), '198.51.100.1')]).toEqual([network, network])
    // One /64 is one network, and what was refused used up nothing of everybody's.
    expect(await ask(newAddress(), '2001:db8::1')).toBe('sent')
    expect(await ask(newAddress(), '2001:db8::2')).toBe('sent')
    const everybody = 'Too many codes are being asked for right now. We have been told; try again in an hour.'
    // The last of seven is kept for a confirmed address; what others are answered does not tell.
    expect([await ask(newAddress(), '203.0.113.1'), await ask(newAddress(), '203.0.113.2')]).toEqual(['sent', 'sent'])
    expect(await ask(email, '203.0.113.3')).toBe('sent')
    expect([await ask(email, '192.0.2.1'), await ask(newAddress(), '192.0.2.2')]).toEqual([everybody, everybody])
    // An account opens all the same; its code is asked for later.
    const opened = await callAs(bounded, null)(accounts.create, {
      body: { email: newAddress(), name: 'New', password, passwordConfirmation: password },
    })
    expect(opened.token).toBeTruthy()
  } finally {
    await bounded.close()
  }
})
