import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import type { CallInput, CallShape } from '@clear-to-post/contract/call'
import { identity } from '@clear-to-post/contract/identity'
import { codeFor } from '../../test/mails.ts'
import { callAs, makePerson, makeTenant, openService, outcome, type Person, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { changeAccountState, createPerson } from './actions.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

const password = 'kettle-drum-41'
const nobody = <C extends CallShape>(shape: C, input: CallInput<C>) => callAs(service, null)(shape, input)
const signUp = (
  email: string,
  more: { invitationCode?: string; password?: string; name?: string; timezone?: string } = {},
) => {
  const body = { email, name: 'Maria Delgado', password, ...more }
  return nobody(accounts.create, { body: { ...body, passwordConfirmation: body.password } })
}
const inviteCode = async (tenantId: string): Promise<string> =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ code: string }>`select invite_code as code from tenant where id = ${tenantId}`),
  ))!.code
const profileBy = async (token: string) => {
  const session = await nobody(identity.customToken, { body: { token } })
  if (!('idToken' in session)) throw new Error('Nobody here has a second factor')
  return callAs(service, { token: session.idToken } as Person)(accounts.info, {})
}

test('each panel’s sign-in admits its own roles, and answers any other as a wrong password', async () => {
  const admitted = { APP: ['User'], EDITOR: ['Editor', 'ADMIN'], QA: ['QA', 'ADMIN'], ADMIN: ['ADMIN'] }
  for (const role of ['User', 'Editor', 'QA', 'ADMIN'] as const) {
    const email = `${role.toLowerCase()}@doors.test`
    const { id } = await service.database.asSystem((tx) => createPerson(tx, { email, name: role, role, password }))
    for (const system of ['APP', 'EDITOR', 'QA', 'ADMIN'] as const) {
      const login = nobody(accounts.login, { body: { system, email, password } })
      if (admitted[system].includes(role)) expect((await profileBy((await login).token)).id).toBe(id)
      else
        await expect(login, `${role} at ${system}`).rejects.toMatchObject({
          code: 'session.wrong-credentials',
          message: 'Invalid Email or Password',
        })
    }
  }
  expect(await outcome(nobody(accounts.login, { body: { system: 'APP', email: 'nobody@doors.test', password } }))).toBe(
    'session.wrong-credentials',
  )
})

test('a sign-up makes an officer, in the company of the invitation code', async () => {
  const tenantId = await makeTenant(service)
  const code = await inviteCode(tenantId)
  const { token } = await signUp('Maria@SignUp.test', {
    invitationCode: ` ${code.toLowerCase()} `,
    timezone: 'America/Denver',
  })
  expect(await profileBy(token)).toMatchObject({
    email: 'maria@signup.test',
    name: 'Maria Delgado',
    role: 'User',
    tenantId,
    tenantName: 'A tenant',
    timezone: 'America/Denver',
    preferences: { isFeedbackEnabled: true },
  })
  const alone = await profileBy((await signUp('alone@signup.test', { timezone: 'Mars/Olympus' })).token)
  expect(alone).toMatchObject({ role: 'User', timezone: 'America/New_York' })
  expect(alone).not.toHaveProperty('tenantId')
  expect(
    await profileBy(
      (await nobody(accounts.login, { body: { system: 'APP', email: 'alone@signup.test', password } })).token,
    ),
  ).toEqual(alone)
})

test('a sign-up with an invalid name, password, code or confirmation is refused and leaves no account', async () => {
  const tenantId = await makeTenant(service)
  const refused = (more: Parameters<typeof signUp>[1]) => outcome(signUp('refused@signup.test', more))
  // Invisible characters: spaces, joiners, fillers, the empty braille pattern.
  for (const name of ['\u200b', '\u2060\u200d\ufe0f', '\u3164', '\u2800', '\u0301'])
    expect(await refused({ name })).toBe('request.invalid')
  expect(await refused({ password: 'abc' })).toBe('account.weak-password')
  expect(await refused({ password: 'Password123!' })).toBe('account.weak-password')
  expect(await refused({ password: 'Delgado1' })).toBe('account.weak-password')
  expect(await refused({ invitationCode: 'NO-SUCH-CODE' })).toBe('tenant.not-found')
  const body = { email: 'refused@signup.test', name: 'R', password, passwordConfirmation: `${password}!` }
  await expect(nobody(accounts.create, { body })).rejects.toMatchObject({
    code: 'request.invalid',
    issues: [{ path: 'body.passwordConfirmation' }],
  })
  // With two faults, the refusal names the one that would remain.
  await expect(nobody(accounts.create, { body: { ...body, password: 'abc' } })).rejects.toMatchObject({
    message: 'Choose a password of at least 6 characters.',
  })
  await service.database.asSystem((tx) => tx.count(sql`update tenant set is_active = false where id = ${tenantId}`))
  expect(await refused({ invitationCode: await inviteCode(tenantId) })).toBe('tenant.not-found')
  const rows = await service.database.asSystem((tx) =>
    tx.rows(sql`select 1 from person where email = 'refused@signup.test'`),
  )
  expect(rows).toEqual([])
  await expect(
    nobody(accounts.create, { body: { ...body, name: 'nul\u0000', passwordConfirmation: password } }),
  ).rejects.toMatchObject({ kind: 'invalid-argument' })
})

test('twenty simultaneous sign-ups with one address make one account', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, i) => outcome(signUp(i % 2 ? 'Same@signup.test' : 'same@signup.test'))),
  )
  expect(outcomes.filter((one) => one === 'done')).toHaveLength(1)
  expect(outcomes.filter((one) => one === 'account.email-taken')).toHaveLength(19)
})

/** Signs up with an invitation code, and answers how to confirm the address with the code that was sent there. */
const invitedOfficer = async (email: string, invitationCode: string) => {
  const { token } = await signUp(email, { invitationCode })
  const session = await nobody(identity.customToken, { body: { token } })
  const person = { token: 'idToken' in session ? session.idToken : '' } as Person
  const code = await codeFor(service, email)
  return () => outcome(callAs(service, person)(accounts.verifyEmail, { body: { code } }))
}

test('of thirty addresses that are confirmed at once for seven seats seven become officers of the company', async () => {
  const tenantId = await makeTenant(service, 7)
  await makePerson(service, 'QA', { tenantId })
  const code = await inviteCode(tenantId)
  const confirm = await Promise.all(Array.from({ length: 30 }, (_, i) => invitedOfficer(`seat${i}@seats.test`, code)))
  const outcomes = await Promise.all(confirm.map((one) => one()))
  expect(outcomes.filter((one) => one === 'done')).toHaveLength(7)
  expect(outcomes.filter((one) => one === 'account.no-seat')).toHaveLength(23)
  const seated = await service.database.asSystem((tx) =>
    tx.rows(sql<{ email: string }>`select email from person where tenant_id = ${tenantId} and role = 'User'`),
  )
  expect(seated).toHaveLength(7)
  expect(await outcome(signUp('late@seats.test', { invitationCode: code }))).toBe('tenant.full')

  // A leaver's seat is free again, and coming back needs one.
  const leaver = seated[0]!.email
  await service.database.asSystem((tx) => changeAccountState(tx, leaver, { isDisabled: true }))
  expect(await (await invitedOfficer('next@seats.test', code))()).toBe('done')
  expect(await outcome(service.database.asSystem((tx) => changeAccountState(tx, leaver, { isDisabled: false })))).toBe(
    'tenant.full',
  )
})

test('a staff password needs twelve characters, in the operator’s commands too', async () => {
  const make = (role: 'User' | 'ADMIN', given: string) =>
    outcome(
      service.database.asSystem((tx) =>
        createPerson(tx, { email: `${role}.${given.length}@made.test`, name: 'N', role, password: given }),
      ),
    )
  expect(await make('ADMIN', 'kettle-drum')).toBe('account.weak-password')
  expect(await make('ADMIN', 'kettle-drum-')).toBe('done')
  expect(await make('User', 'kettle')).toBe('done')
})

test('QA and ADMIN find the people within their reach, page by page', async () => {
  const [here, there] = [await makeTenant(service), await makeTenant(service)]
  const mine = await Promise.all(
    ['Ada', 'Bea', 'Cy', 'Di', 'Eve'].map((name) => makePerson(service, 'User', { tenantId: here, name })),
  )
  const theirs = await makePerson(service, 'User', { tenantId: there, name: 'Bea' })
  const qa = await makePerson(service, 'QA', { tenantId: here, name: 'Zed' })
  const admin = await makePerson(service, 'ADMIN')

  const found = []
  let cursor: string | null = null
  do {
    const query: { perPage: number; cursor?: string } = { perPage: 2, ...(cursor === null ? {} : { cursor }) }
    const page: { items: { id: string }[]; nextCursor: string | null } = await callAs(service, qa)(accounts.search, {
      query,
    })
    found.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(found).toEqual([...mine.map(({ id }) => id), qa.id])

  const named = (person: Person, wheres: string[]) =>
    callAs(service, person)(accounts.search, { query: { wheres, orderBy: 'createdAt:desc' } }).then(({ items }) =>
      items.map(({ id }) => id),
    )
  expect(await named(admin, ['name:eq:Bea'])).toEqual([theirs.id, mine[1]!.id])
  expect(await named(admin, ['name:eq:Bea', `tenantId:eq:${there}`])).toEqual([theirs.id])
  expect(await named(qa, [`tenantId:eq:${there}`])).toEqual([])
  expect(await named(qa, ['role:eq:QA'])).toEqual([qa.id])

  for (const wheres of ['customerId:eq:x', 'tenantId:contains:x', 'tenantId:eq:x', 'name', 'password:startsWith:a'])
    expect(await outcome(callAs(service, admin)(accounts.search, { query: { wheres: [wheres] } })), wheres).toBe(
      'request.invalid',
    )
  for (const role of ['User', 'Editor'] as const)
    expect(await outcome(callAs(service, await makePerson(service, role))(accounts.search, {}))).toBe(
      'access.forbidden',
    )
  expect(await outcome(nobody(accounts.search, {}))).toBe('session.required')
})

test('row-level security alone hides another company’s people and the company itself', async () => {
  const [here, there] = [await makeTenant(service), await makeTenant(service)]
  const foreign = await makePerson(service, 'User', { tenantId: there })
  const { id, role, tenantId, securityStamp } = await makePerson(service, 'ADMIN', { tenantId: here })
  const seen = await service.database.inTenant({ id, role, tenantId, securityStamp }, (tx) =>
    tx.rows(sql`select 1 from person where id = ${foreign.id} union all select 1 from tenant where id = ${there}`),
  )
  expect(seen).toEqual([])
})
