import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import type { CallInput } from '@clear-to-post/contract/call'
import { tenants } from '@clear-to-post/contract/tenants'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  makePicture,
  openService,
  subscribe,
  type Person,
  type Service,
  outcome,
} from '../../test/service.ts'
import { fileUrl } from '../assets/addresses.ts'
import { sql } from '../kernel/database.ts'
import { findTenant } from './store.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
})
afterAll(() => service.close())

const as = (person: Person | null) => callConfirmed(service, person)
type Data = CallInput<typeof tenants.update>['body']['data']
const update = (person: Person, tenantId: string, data: Data) =>
  as(person)(tenants.update, { body: { tenantId, data } })
const inviteCodeOf = async (person: Person, tenantId: string) =>
  (await as(person)(tenants.inviteCode, { params: { tenantId } })).inviteCode
const find = (person: Person, tenantId: string) => as(person)(tenants.find, { params: { tenantId } })

test('a stranger with the invitation code sees the company’s branding and free seats, and nothing else', async () => {
  const tenantId = await makeTenant(service, 3)
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update tenant set name = 'Harbor', invite_code = 'HARBOR-1', charge_by_email = true,
        preferences = '{"logoUrl": "/logo.svg", "primaryColor": "#123456", "iconUrl": "secret"}' where id = ${tenantId}`),
  )
  await makePerson(service, 'User', { tenantId })
  await makePerson(service, 'QA', { tenantId })
  const face = { name: 'Harbor', logoUrl: '/logo.svg', primaryColor: '#123456', secondaryColor: '', seatsLeft: 2 }
  const elsewhere = await makePerson(service, 'User', { tenantId: await makeTenant(service) })
  for (const person of [null, elsewhere])
    for (const code of ['HARBOR-1', 'harbor-1'])
      expect(await callAs(service, person)(tenants.invitation, { params: { code } })).toEqual(face)
})

test('an unknown code and the code of an inactive company are answered as not found', async () => {
  const tenantId = await makeTenant(service)
  await service.database.asSystem((tx) =>
    tx.count(sql`update tenant set invite_code = 'AT-REST', is_active = false where id = ${tenantId}`),
  )
  for (const code of ['AT-REST', 'UNKNOWN', "' or 1=1 --", '%'])
    await expect(callAs(service, null)(tenants.invitation, { params: { code } })).rejects.toMatchObject({
      code: 'tenant.not-found',
    })
})

test('a company is created with its own invitation code, found, listed and changed', async () => {
  const made = await as(admin)(tenants.create, { body: { name: 'Harborline Lending' } })
  expect(made).toMatchObject({
    name: 'Harborline Lending',
    isActive: true,
    isSubscriptionActive: false,
    preferences: { iconUrl: '', logoUrl: '', primaryColor: '', secondaryColor: '' },
    totalUsersAllowed: 10,
    currentUsersSize: 0,
    chargeByEmail: false,
    useOwnScripts: false,
  })
  expect(made.inviteCode).toMatch(/^[A-Z2-9]{8}$/)
  expect(await find(admin, made.id)).toEqual({ ...made, inviteCode: '' })
  expect(await inviteCodeOf(admin, made.id)).toBe(made.inviteCode)
  const body = {
    name: 'Second',
    inviteCode: 'SECOND-1',
    totalUsersAllowed: 3,
    preferences: { primaryColor: '#112233' },
  }
  const second = await as(admin)(tenants.create, { body })
  expect(second).toMatchObject({ inviteCode: 'SECOND-1', totalUsersAllowed: 3, preferences: body.preferences })
  expect(await outcome(as(admin)(tenants.create, { body: { ...body, inviteCode: 'second-1' } }))).toBe(
    'tenant.code-taken',
  )
  expect(await outcome(update(admin, made.id, { inviteCode: 'Second-1' }))).toBe('tenant.code-taken')

  await update(admin, second.id, { preferences: { secondaryColor: '#445566', guidelinesUrl: 'https://rules.test/' } })
  expect(await update(admin, second.id, { preferences: { guidelinesUrl: '' }, isActive: false })).toMatchObject({
    isActive: false,
    preferences: { primaryColor: '#112233', secondaryColor: '#445566' },
  })
  expect(await update(admin, second.id, {})).not.toHaveProperty('preferences.guidelinesUrl')
  const found = await as(admin)(tenants.list, {
    query: { wheres: ['isActive:eq:false', 'name:startsWith:sec'], orderBy: 'createdAt:desc' },
  })
  expect(found.items.map(({ id }) => id)).toEqual([second.id])
  for (const data of [{ defaultProductId: 'nothing' }, { defaultPlanId: 'nothing' }, { allowedProducts: ['nothing'] }])
    expect(await outcome(update(admin, made.id, data))).toBe('request.invalid')
})

test('of twenty simultaneous companies with one invitation code one gets it', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      outcome(as(admin)(tenants.create, { body: { name: `T${i}`, inviteCode: i % 2 ? 'WANTED' : 'wanted' } })),
    ),
  )
  expect(outcomes.filter((one) => one === 'done')).toHaveLength(1)
  expect(outcomes.filter((one) => one === 'tenant.code-taken')).toHaveLength(19)
})

test('a company’s ADMIN changes branding, scripts and code, and the service’s ADMIN also what it pays for', async () => {
  const [tenantId, other] = [await makeTenant(service), await makeTenant(service)]
  const own = await makePerson(service, 'ADMIN', { tenantId })
  expect(
    await update(own, tenantId, {
      name: 'Ours',
      inviteCode: `OURS-${tenantId.slice(-6)}`,
      useOwnScripts: true,
      nmlsNumber: '#3030',
      licenceStates: ['WA', 'OR'],
      equalHousing: 'lender',
      preferences: { primaryColor: '#123456' },
    }),
  ).toMatchObject({
    name: 'Ours',
    nmlsNumber: '3030',
    licenceStates: ['OR', 'WA'],
    equalHousing: 'lender',
    useOwnScripts: true,
    preferences: { primaryColor: '#123456' },
  })
  for (const data of [
    { isActive: true },
    { totalUsersAllowed: 5000 },
    { chargeByEmail: true },
    { defaultProductId: null },
    { defaultPlanId: null },
    { defaultCoupomCode: 'FREE' },
    { allowedProducts: null },
  ]) {
    expect(await outcome(update(own, tenantId, data)), JSON.stringify(data)).toBe('tenant.service-only')
    expect(await outcome(update(admin, tenantId, data)), JSON.stringify(data)).toBe('done')
  }
  expect(await outcome(update(own, other, { name: 'Theirs' }))).toBe('tenant.none')
  expect(await outcome(find(own, other))).toBe('tenant.none')
  expect(await outcome(as(own)(tenants.create, { body: { name: 'Another' } }))).toBe('tenant.service-only')
  expect((await as(own)(tenants.list, {})).items.map(({ id }) => id)).toEqual([tenantId])
})

test('members read their company, its seats and its subscription, and only an ADMIN reads how it pays', async () => {
  const tenantId = await makeTenant(service, 5)
  await subscribe(service, { tenantId })
  await update(admin, tenantId, { defaultCoupomCode: 'SPRING' })
  await makePerson(service, 'QA', { tenantId })
  const officers = await Promise.all([1, 2].map(() => makePerson(service, 'User', { tenantId })))
  const mine = await as(officers[0]!)(tenants.me, {})
  expect(mine).toMatchObject({
    id: tenantId,
    currentUsersSize: 2,
    totalUsersAllowed: 5,
    isSubscriptionActive: true,
    subscription: { type: 1, status: 'active', plan: { metadata: { projectsPerMonth: 1000 } } },
  })
  expect(mine).not.toHaveProperty('defaultCoupomCode')
  // What it costs is shown to people who may pay or help.
  const whole = {
    ...mine,
    defaultCoupomCode: 'SPRING',
    subscription: { ...mine.subscription, renewalPrice: 100 },
  }
  expect(await find(admin, tenantId)).toEqual(whole)
  const local = await makePerson(service, 'ADMIN', { tenantId })
  expect(await as(local)(tenants.me, {})).toEqual(whole)
  expect(await outcome(as(admin)(tenants.me, {}))).toBe('tenant.none')
  await update(admin, tenantId, { isActive: false })
  expect(await as(officers[1]!)(tenants.me, {})).toMatchObject({ isActive: false, isSubscriptionActive: false })
})

test('seats can never be fewer than the officers in them, also while the last one is being taken', async () => {
  const tenantId = await makeTenant(service, 50)
  await Promise.all([1, 2].map(() => makePerson(service, 'User', { tenantId })))
  await expect(update(admin, tenantId, { totalUsersAllowed: 1 })).rejects.toMatchObject({
    code: 'tenant.too-few-seats',
    message: '2 people are in already. Remove some first.',
  })
  const invitationCode = await inviteCodeOf(admin, tenantId)
  const people = await Promise.all(Array.from({ length: 20 }, () => makePerson(service, 'User')))
  const outcomes = await Promise.all([
    ...people.map((person) => outcome(as(person)(accounts.setup, { body: { invitationCode } }))),
    ...Array.from({ length: 20 }, () => outcome(update(admin, tenantId, { totalUsersAllowed: 3 }))),
  ])
  const after = await find(admin, tenantId)
  expect(after.currentUsersSize! <= after.totalUsersAllowed, outcomes.join()).toBe(true)
  expect([3, 50]).toContain(after.totalUsersAllowed)
})

test('of a hundred people who join at once for the last seat one succeeds', async () => {
  const tenantId = await makeTenant(service, 3)
  await Promise.all([1, 2].map(() => makePerson(service, 'User', { tenantId })))
  const invitationCode = await inviteCodeOf(admin, tenantId)
  const people = await Promise.all(Array.from({ length: 100 }, () => makePerson(service, 'User')))
  const outcomes = await Promise.all(
    people.map((person) => outcome(as(person)(accounts.setup, { body: { invitationCode } }))),
  )
  expect(outcomes.filter((one) => one === 'done')).toHaveLength(1)
  expect(outcomes.filter((one) => one === 'tenant.full')).toHaveLength(99)
  expect(await find(admin, tenantId)).toMatchObject({ currentUsersSize: 3 })
})

test('a company’s logo is stored, and shown to anybody with the invitation code', async () => {
  const tenantId = await makeTenant(service)
  const own = await makePerson(service, 'ADMIN', { tenantId })
  const logo = await makePicture(service, own)
  const logoUrl = fileUrl(logo, 'original.png', new Date())
  const { preferences } = await update(own, tenantId, { preferences: { logoUrl, iconUrl: logoUrl } })
  expect(preferences.logoUrl).toMatch(/^\/media\/.*sign=/)
  const code = await inviteCodeOf(own, tenantId)
  expect(await as(null)(tenants.invitation, { params: { code } })).toMatchObject({
    logoUrl: preferences.logoUrl,
  })
  expect(await outcome(update(own, tenantId, { preferences: { logoUrl: `/media/${logo}/original.png` } }))).toBe(
    'asset.not-found',
  )
})

test('row-level security alone and query conditions alone each keep companies apart', async () => {
  const [here, there] = [await makeTenant(service), await makeTenant(service)]
  for (const role of ['User', 'Editor', 'QA', 'ADMIN'] as const) {
    const { id, tenantId, securityStamp } = await makePerson(service, role, { tenantId: here })
    const caller = { id, role, tenantId, securityStamp }
    const byRights = await service.database.inTenant(caller, async (tx) => [
      await tx.rows(sql`select 1 from tenant where id = ${there}`),
      await tx.count(sql`update tenant set name = 'Taken' where id = ${there}`),
    ])
    expect(byRights, role).toEqual([[], 0])
    const byQuery = await service.database.asSystem((tx) => findTenant(tx, caller, there))
    expect(byQuery, role).toBeUndefined()
  }
})

test('the invitation code is answered at creation, and later only to an ADMIN in reach with a fresh sign-in', async () => {
  const tenantId = await makeTenant(service)
  const local = await makePerson(service, 'ADMIN', { tenantId })
  const elsewhere = await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) })
  const code = await inviteCodeOf(local, tenantId)
  expect(await inviteCodeOf(admin, tenantId)).toBe(code)
  expect(await outcome(inviteCodeOf(elsewhere, tenantId))).toBe('tenant.none')
  // A token alone, however young, may have been found.
  for (const person of [admin, local]) {
    const bare = callAs(service, person)
    const seen = [
      await bare(tenants.find, { params: { tenantId } }),
      await bare(tenants.list, {}),
      await bare(tenants.update, { body: { tenantId, data: { name: 'A tenant' } } }),
    ]
    expect(JSON.stringify(seen)).not.toContain(code)
    expect(await outcome(bare(tenants.inviteCode, { params: { tenantId } }))).toBe('session.not-fresh')
  }
  expect((await as(local)(tenants.me, {})).inviteCode).toBe('')
})
