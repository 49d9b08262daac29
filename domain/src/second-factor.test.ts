import { expect, it } from 'vitest'
import { roles } from './roles.ts'
import { codeTries, freshMinutes, needsSecondFactor, recoveryCodes, type SecondFactorPolicy } from './second-factor.ts'

it('a second factor is needed where the service or the company demands it, and by staff where it is demanded of staff', () => {
  const needed = (policy: SecondFactorPolicy, tenantDemands: boolean) =>
    roles.filter((role) => needsSecondFactor(policy, { role, tenantDemands }))
  expect(needed('nobody', false)).toEqual([])
  expect(needed('staff', false)).toEqual(['Editor', 'QA', 'ADMIN'])
  expect(needed('everybody', false)).toEqual([...roles])
  for (const policy of ['nobody', 'staff', 'everybody'] as const) expect(needed(policy, true)).toEqual([...roles])
})

it('five wrong codes in a quarter of an hour, ten minutes in which a sign-in is fresh, ten recovery codes', () => {
  expect({ codeTries, freshMinutes, recoveryCodes }).toEqual({
    codeTries: { tries: 5, minutes: 15 },
    freshMinutes: 10,
    recoveryCodes: 10,
  })
})
