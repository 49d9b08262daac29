import { expect, it } from 'vitest'
import { roles } from './roles.ts'
import { codeTries, freshMinutes, needsSecondFactor, recoveryCodes, type SecondFactorPolicy } from './second-factor.ts'

it('a second factor is needed by all when the service or company requires it, or by staff when required of staff', () => {
  const needed = (policy: SecondFactorPolicy, tenantDemands: boolean) =>
    roles.filter((role) => needsSecondFactor(policy, { role, tenantDemands }))
  expect(needed('nobody', false)).toEqual([])
  expect(needed('staff', false)).toEqual(['Editor', 'QA', 'ADMIN'])
  expect(needed('everybody', false)).toEqual([...roles])
  for (const policy of ['nobody', 'staff', 'everybody'] as const) expect(needed(policy, true)).toEqual([...roles])
})

it('the limits are 5 wrong codes in 15 minutes, 10 minutes of a fresh sign-in and 10 recovery codes', () => {
  expect({ codeTries, freshMinutes, recoveryCodes }).toEqual({
    codeTries: { tries: 5, minutes: 15 },
    freshMinutes: 10,
    recoveryCodes: 10,
  })
})
