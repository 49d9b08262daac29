import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { projects } from '@clear-to-post/contract/projects'
import { security } from '@clear-to-post/contract/security'
import { submitProject } from '../../test/factories.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  openService,
  outcome,
  subscribe,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'

let service: Service
let tenantId: string
let admin: Person, manager: Person, stranger: Person, qa: Person, editor: Person, officer: Person
beforeAll(async () => {
  service = await openService()
  tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  admin = await makePerson(service, 'ADMIN')
  manager = await makePerson(service, 'ADMIN', { tenantId })
  stranger = await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) })
  qa = await makePerson(service, 'QA', { tenantId })
  editor = await makePerson(service, 'Editor', { tenantId, name: 'Eli' })
  officer = await makePerson(service, 'User', { tenantId, name: 'Olivia' })
  await service.database.asSystem((tx) =>
    tx.count(sql`update person set editor_id = ${editor.id} where id = ${officer.id}`),
  )
})
afterAll(() => service.close())

const as = (person: Person) => callAs(service, person)
const about = (who: Person, by: Person) => as(by)(accounts.person, { params: { userId: who.id } })

test('a person is read with company and editor by staff who reach them, and by nobody else', async () => {
  for (const by of [admin, manager, qa])
    expect(await about(officer, by)).toMatchObject({
      name: 'Olivia',
      role: 'User',
      tenantId,
      tenantName: expect.any(String),
      editorName: 'Eli',
      isEmailVerified: true,
      createdAt: expect.any(String),
    })
  expect(await outcome(about(officer, stranger))).toBe('account.not-found')
  expect(await outcome(about({ ...officer, id: randomUUID() }, admin))).toBe('account.not-found')
  for (const by of [editor, officer]) expect(await outcome(about(officer, by))).toBe('access.forbidden')
  // Who is shut out is told to an ADMIN alone.
  expect(await about(officer, manager)).toHaveProperty('isDisabled', false)
  expect(await about(officer, qa)).not.toHaveProperty('isDisabled')
})

test('an ADMIN sees by what somebody signs in and when they did last, and none of the secrets', async () => {
  const ways = (who: Person, by: Person) => as(by)(security.ofPerson, { params: { userId: who.id } })
  expect(await ways(officer, manager)).toEqual({
    hasPassword: false,
    hasApp: false,
    passkeys: 0,
    recoveryCodesLeft: 0,
    providers: [],
    isRequired: false,
  })
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`insert into password (person_id, hash) values (${officer.id}, 'x')`)
    await tx.count(sql`insert into totp (person_id, secret) values (${officer.id}, 'not confirmed')`)
    await tx.count(sql`
      insert into connected_account (person_id, provider, issuer, subject, email) values (${officer.id}, 'google', 'i', 's', 'e@x.test')`)
    await tx.count(sql`
      insert into session_family (person_id, created_at, ends_at, must_end_at)
      values (${officer.id}, '2026-11-01T10:00:00Z', now(), now()), (${officer.id}, '2026-11-03T10:00:00Z', now(), now())`)
    await tx.count(sql`update tenant set require_second_factor = true where id = ${tenantId}`)
  })
  const found = await ways(officer, admin)
  expect(found).toEqual({
    hasPassword: true,
    hasApp: false,
    passkeys: 0,
    recoveryCodesLeft: 0,
    providers: ['google'],
    isRequired: true,
    lastSignIn: '2026-11-03T10:00:00.000Z',
  })
  await service.database.asSystem((tx) =>
    tx.count(sql`update totp set confirmed_at = now() where person_id = ${officer.id}`),
  )
  expect(await ways(officer, admin)).toMatchObject({ hasApp: true })
  expect(await outcome(ways(officer, stranger))).toBe('account.not-found')
  expect(await outcome(ways(officer, qa))).toBe('access.forbidden')
})

test('an officer’s month is read by their ADMIN as by themselves, and the keys of one person alone', async () => {
  await submitProject(service, officer)
  const own = await as(officer)(projects.allowance, {})
  expect(own.months[0]).toMatchObject({ used: 1, right: 'plan' })
  const of = (who: Person, by: Person) => as(by)(projects.allowanceOf, { params: { userId: who.id } })
  expect(await of(officer, manager)).toEqual(own)
  expect(await of(officer, admin)).toEqual(own)
  expect(await outcome(of(officer, stranger))).toBe('account.not-found')
  expect(await outcome(of(editor, admin))).toBe('account.not-found')
  const made = { body: { name: 'Robot', scopes: ['videos.read' as const], days: 30 as const } }
  const { made: key } = await callConfirmed(service, editor)(apiKeys.create, made)
  await callConfirmed(service, qa)(apiKeys.create, made)
  const { items } = await as(manager)(apiKeys.ofCompany, { query: { wheres: [`ownerId:eq:${editor.id}`] } })
  expect(items.map(({ id }) => id)).toEqual([key.id])
})
