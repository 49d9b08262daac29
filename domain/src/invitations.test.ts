import { describe, expect, it } from 'vitest'
import { mayAccept, mayInviteTo } from './invitations.ts'

describe('inviting', () => {
  it('a company’s ADMIN invites to their own company, and the service’s ADMIN to any and to the service', () => {
    expect(mayInviteTo({ role: 'ADMIN', tenantId: 'one' }, 'one')).toBe(true)
    expect(mayInviteTo({ role: 'ADMIN', tenantId: 'one' }, 'two')).toBe(false)
    expect(mayInviteTo({ role: 'ADMIN', tenantId: 'one' }, null)).toBe(false)
    expect(mayInviteTo({ role: 'ADMIN', tenantId: null }, 'one')).toBe(true)
    expect(mayInviteTo({ role: 'ADMIN', tenantId: null }, null)).toBe(true)
  })
  it('nobody else invites, to their own company neither', () => {
    for (const role of ['User', 'Editor', 'QA'] as const) {
      expect(mayInviteTo({ role, tenantId: 'one' }, 'one')).toBe(false)
      expect(mayInviteTo({ role, tenantId: null }, null)).toBe(false)
    }
  })
})

describe('taking an invitation with an account', () => {
  const toOne = { role: 'Editor', tenantId: 'one' } as const
  it('an officer of no company or of this one takes it', () => {
    expect(mayAccept({ role: 'User', tenantId: null }, toOne)).toBe(true)
    expect(mayAccept({ role: 'User', tenantId: 'one' }, toOne)).toBe(true)
  })
  it('nobody leaves a company or a role by it', () => {
    expect(mayAccept({ role: 'User', tenantId: 'two' }, toOne)).toBe(false)
    expect(mayAccept({ role: 'User', tenantId: 'two' }, { role: 'Editor', tenantId: null })).toBe(false)
    for (const role of ['Editor', 'QA', 'ADMIN'] as const)
      expect(mayAccept({ role, tenantId: 'one' }, toOne)).toBe(false)
  })
})
