import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { tenants } from '@clear-to-post/contract/tenants'
import { Brand } from '@clear-to-post/edit/read-recipe'
import { callAs, makePerson, makeTenant, openService, outcome } from '../../test/service.ts'
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
    for (const refused of [own, company]) expect(await outcome(refused(`${longest}${letter}`))).toBe('request.invalid')
    const brand = await service.database.asSystem((tx) => brandOf(tx, officer.id))
    expect(brand).toMatchObject({ name: longest, line: `${longest} · ${longest}` })
    expect(Brand.parse(brand)).toEqual(brand)
  }
})
