import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { tenants } from '@clear-to-post/contract/tenants'
import { Brand } from '@clear-to-post/edit/read-recipe'
import { callAs, makePerson, makeTenant, openService, outcome } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { brandOf } from './brand.ts'

test('the longest name, profession and company that their fields take make a brand that a recipe takes', async () => {
  const service = await openService()
  onTestFinished(service.close)
  const tenantId = await makeTenant(service)
  const officer = await makePerson(service, 'User', { tenantId })
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  for (const letter of ['m', '🏡']) {
    const longest = letter.repeat(120)
    const own = (name: string) =>
      callAs(service, officer)(accounts.update, { body: { userId: officer.id, name, profession: name } })
    const company = (name: string) => callAs(service, admin)(tenants.update, { body: { tenantId, data: { name } } })
    await own(longest)
    await company(longest)
    await callAs(service, officer)(accounts.update, { body: { nmlsNumber: '1234567890' } })
    await callAs(service, admin)(tenants.update, {
      body: { tenantId, data: { nmlsNumber: 'NMLS #9876543210', equalHousing: 'opportunity' } },
    })
    for (const refused of [own, company]) expect(await outcome(refused(`${longest}${letter}`))).toBe('request.invalid')
    const brand = await service.database.asSystem((tx) => brandOf(tx, { user_id: officer.id, tenant_id: tenantId }))
    expect(brand).toMatchObject({ name: longest, line: `${longest} · ${longest}` })
    expect(brand.legal).toBe('NMLS #1234567890 · Company NMLS #9876543210 · Equal Housing Opportunity')
    expect(Brand.parse(brand)).toEqual(brand)
  }
})

test('a video’s brand is its company’s, and nothing is read of an officer who is in another one now', async () => {
  const service = await openService()
  onTestFinished(service.close)
  const [here, there] = [await makeTenant(service), await makeTenant(service)]
  const officer = await makePerson(service, 'User', { tenantId: here })
  const project = { user_id: officer.id, tenant_id: here }
  const [logoHere, logoThere, ownLogo] = [randomUUID(), randomUUID(), randomUUID()]
  await service.database.asSystem(async (tx) => {
    const kit = (primaryColor: string, logoUrl: string) => JSON.stringify({ primaryColor, logoUrl })
    await tx.count(
      sql`update tenant set name = 'Here', preferences = ${kit('#111111', `/media/${logoHere}/original.png`)}::jsonb where id = ${here}`,
    )
    await tx.count(
      sql`update tenant set name = 'There', preferences = ${kit('#222222', `/media/${logoThere}/original.png`)}::jsonb where id = ${there}`,
    )
  })
  const brand = () => service.database.asSystem((tx) => brandOf(tx, project))
  const before = await brand()
  expect(before).toMatchObject({ primary: '#111111', line: expect.stringContaining('Here') })
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update person set tenant_id = ${there}, profession = 'Broker', nmls_number = '120456',
        preferences = ${JSON.stringify({ logo: `/media/${ownLogo}/original.png`, secondaryColor: '#333333' })}::jsonb
      where id = ${officer.id}`),
  )
  expect(await brand()).toEqual({ ...before, line: 'Here' })
})
