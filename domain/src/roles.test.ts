import { expect, it } from 'vitest'
import { mayEver } from './access.ts'
import { asWhat, isStaff, personRoles, reachesTenant, roles, system, type Role } from './roles.ts'

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

it('each role of a person has a name within a sentence, which tells it from the others', () => {
  const names = personRoles.map((role) => asWhat[role])
  expect(names.filter((name) => !/^an? \w+/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(personRoles.length)
})
