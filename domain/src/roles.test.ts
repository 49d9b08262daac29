import { expect, it } from 'vitest'
import { mayEver } from './access.ts'
import { isStaff, reachesTenant, roles, system, type Role } from './roles.ts'

it('staff of no company reach every company, staff and officers of one reach theirs, officers of none reach no company', () => {
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

it('the service acts as nobody who has a row, and a permission is for the roles of its row', () => {
  expect(system).toEqual({ id: '00000000-0000-0000-0000-000000000000', role: 'SYSTEM', tenantId: null })
  expect(roles.filter((role) => mayEver(role, 'goal.set'))).toEqual(['ADMIN'])
})
