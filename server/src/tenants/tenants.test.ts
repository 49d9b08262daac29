import { afterAll, beforeAll, expect, test } from 'vitest'
import { tenants } from '@clear-to-post/contract/tenants'
import { callAs, makePerson, makeTenant, openService, type Service } from '../../test/service.ts'
import { sql } from '../db/tenant.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

test('a stranger with the code sees the face and the seats, and nothing else', async () => {
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

test('a code that is unknown, of a tenant at rest, or no code at all is not found', async () => {
  const tenantId = await makeTenant(service)
  await service.database.asSystem((tx) =>
    tx.count(sql`update tenant set invite_code = 'AT-REST', is_active = false where id = ${tenantId}`),
  )
  for (const code of ['AT-REST', 'UNKNOWN', "' or 1=1 --", '%'])
    await expect(callAs(service, null)(tenants.invitation, { params: { code } })).rejects.toMatchObject({
      code: 'tenant.not-found',
    })
})
