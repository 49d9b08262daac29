import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql, type Caller } from '../src/kernel/database.ts'
import { makePerson, makeTenant, openService, type Person, type Service } from './service.ts'

/** The columns of a person or company that a caller can change: each tries every column, in SQL as the product's role. */
const ofTheProfile = [
  'experience_id',
  'fcm_token',
  'licence_states',
  'modified_at',
  'name',
  'nmls_number',
  'photo_url',
  'preferences',
  'profession',
  'time_off',
  'time_zone',
  'work_week',
]

const ofTheCompany = [
  'equal_housing',
  'four_eyes',
  'invite_code',
  'licence_states',
  'name',
  'nmls_number',
  'preferences',
  'require_second_factor',
  'use_own_scripts',
]

let service: Service
let tenantId: string
let officer: Person, editor: Person, qa: Person, admin: Person, local: Person
beforeAll(async () => {
  service = await openService()
  tenantId = await makeTenant(service)
  ;[officer, editor, qa, local] = [
    await makePerson(service, 'User', { tenantId }),
    await makePerson(service, 'Editor', { tenantId }),
    await makePerson(service, 'QA', { tenantId }),
    await makePerson(service, 'ADMIN', { tenantId }),
  ]
  admin = await makePerson(service, 'ADMIN')
})
afterAll(() => service.close())

const another: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: `'another'`,
  boolean: 'not @',
  integer: '@ + 1',
  jsonb: `'{"another": 1}'`,
  'timestamp with time zone': `now() + interval '1 day'`,
  ARRAY: `array['another']`,
  four_eyes: `'three-people'`,
  equal_housing: `'lender'`,
  work_week: `'[null,null,null,null,null,null,null]'`,
  time_off: `'[{}]'`,
  nmls_number: `'120456'`,
  licence_states: `array['TX']`,
}

/** Columns of this row, by default a person's, that the caller can change. */
const changeable = async (caller: Caller, id: string, table: 'person' | 'tenant' = 'person'): Promise<string[]> => {
  const columns = await service.database.asSystem((tx) =>
    tx.rows(sql<{ name: string; type: string }>`
      select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = ${table} order by 1`),
  )
  expect(columns.length).toBeGreaterThanOrEqual(table === 'person' ? 20 : 14)
  const changed: string[] = []
  for (const { name, type } of columns) {
    const value = another[name] ?? another[type]
    if (value === undefined) throw new Error(`say how to change a column of type ${type}`)
    const outcome = await service.database
      .inTenant(caller, async (tx) => {
        const text = `update ${table} set ${name} = ${value.replaceAll('@', name)} where id = '${id}'`
        const count = await tx.count(sql.raw(text))
        throw count === 1 ? new Done() : new Error('nothing changed')
      })
      .catch((error: unknown) => error as { code?: string })
    if (outcome instanceof Done) changed.push(name)
  }
  return changed
}
class Done extends Error {}

test('a person can change the columns of their profile, and none that give rights', async () => {
  for (const person of [officer, editor, qa, local, admin])
    expect(await changeable(person, person.id), person.role).toEqual(ofTheProfile)
})

test('an ADMIN can change the profile columns of people within reach, and only the service changes rights', async () => {
  for (const who of [local, admin]) expect(await changeable(who, officer.id), who.role).toEqual(ofTheProfile)
  for (const who of [officer, editor, qa]) expect(await changeable(who, local.id), who.role).toEqual([])
  // What is left for the service is what the schema itself forbids: a role of no name, a company that is not there.
  const system: Caller = { id: officer.id, role: 'SYSTEM', tenantId: null, securityStamp: null }
  const free = await changeable(system, officer.id)
  for (const name of [...ofTheProfile, 'email', 'security_stamp', 'is_disabled', 'free_projects', 'email_verified_at'])
    expect(free).toContain(name)
})

test('an ADMIN changes how their company looks and works, and only the service and its ADMIN what it pays for', async () => {
  expect(await changeable(local, tenantId, 'tenant')).toEqual(ofTheCompany)
  for (const who of [officer, editor, qa]) expect(await changeable(who, tenantId, 'tenant'), who.role).toEqual([])
  const paidFor = ['allowed_products', 'charge_by_email', 'is_active', 'total_users_allowed']
  const theService: Caller = { id: officer.id, role: 'SYSTEM', tenantId: null, securityStamp: null }
  for (const who of [admin, theService])
    expect(await changeable(who, tenantId, 'tenant'), who.role).toEqual(
      expect.arrayContaining([...ofTheCompany, ...paidFor]),
    )
})

test('a person begins to buy a video, and only the service says that it is paid or used', async () => {
  const buy = (state: string, usedMonth: string | null) =>
    service.database
      .inTenant(officer, (tx) =>
        tx.count(sql`
          insert into extra_project (user_id, request_id, price, currency, state, used_month)
          values (${officer.id}, gen_random_uuid()::text, 1, 'USD', ${state}, ${usedMonth})`),
      )
      .then(
        () => 'bought',
        (error: { code?: string }) => error.code,
      )
  expect(await buy('started', null)).toBe('bought')
  for (const [state, month] of [
    ['paid', null],
    ['paid', '2026-11'],
    ['failed', null],
  ] as const)
    expect(await buy(state, month), state).toBe('42501')
})
