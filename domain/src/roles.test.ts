import { expect, it } from 'vitest'
import { mayEver } from './access.ts'
import { isStaff, reachesTenant, roles, system, type Role } from './roles.ts'

it('everybody reaches their own company; staff without a company reach all; officers without one reach none', () => {
  const reached = (role: Role, tenantId: string | null) =>
    ['ours', 'another', null].filter((tenant) => reachesTenant({ id: 'x', role, tenantId }, tenant))
  const all = ['ours', 'another', null]
  expect(Object.fromEntries(roles.map((role) => [role, [reached(role, 'ours'), reached(role, null)]]))).toEqual({
    User: [['ours'], [null]],
    Editor: [['ours'], all],
    QA: [['ours'], all],
    ADMIN: [['ours'], all],
    SYSTEM: [all, all],
  })
  expect(roles.filter(isStaff)).toEqual(['Editor', 'QA', 'ADMIN'])
})

it('SYSTEM acts with the null id, and a permission belongs to the roles of its row only', () => {
  expect(system).toEqual({ id: '00000000-0000-0000-0000-000000000000', role: 'SYSTEM', tenantId: null })
  expect(roles.filter((role) => mayEver(role, 'goal.set'))).toEqual(['ADMIN'])
})
