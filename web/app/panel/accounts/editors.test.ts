import { expect, it } from 'vitest'
import { editorsFor, onlyEditors } from './editors.ts'

const editors = [
  { id: '1', name: 'Service', role: 'Editor' as const },
  { id: '2', name: 'Lender', role: 'Editor' as const, tenantId: 'lender' },
  { id: '3', name: 'Other', role: 'Editor' as const, tenantId: 'other' },
  { id: '4', name: 'Gone', role: 'Editor' as const, isDisabled: true },
  { id: '5', name: 'Admin', role: 'ADMIN' as const },
]
const names = (tenantId?: string) => editorsFor(editors, tenantId).map(({ name }) => name)

it('the choice of editors contains those of the company and of the service, admins too, and nobody disabled', () => {
  expect(names('lender')).toEqual(['Service', 'Lender', 'Admin'])
  expect(names()).toEqual(['Service', 'Admin'])
  expect(onlyEditors(editors).map(({ id }) => id)).toEqual(['1', '2', '3', '4'])
})
