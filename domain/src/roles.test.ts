import { expect, it } from 'vitest'
import { isStaff, reachesTenant, roles, type Role } from './roles.ts'

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
