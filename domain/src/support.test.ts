import { expect, it } from 'vitest'
import type { Role } from './roles.ts'
import { asksSupport, mayTake, sideOf, supportActsOf, supportStates, type SupportThreadFacts } from './support.ts'

const [mine, others] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']
const actor = (role: Role, tenantId: string | null, id: string = role) => ({ id, role, tenantId })
const asked: SupportThreadFacts = { personId: 'asker', tenantId: mine, guestEmail: null, state: 'waiting' }
const letter: SupportThreadFacts = { personId: null, tenantId: null, guestEmail: 'a@letter.test', state: 'waiting' }

it('the person of a question is its asker, ADMINs within reach are its staff, and others have no part in it', () => {
  expect(sideOf(actor('User', mine, 'asker'), asked)).toBe('asker')
  expect(sideOf(actor('ADMIN', mine, 'asker'), asked)).toBe('asker')
  expect(sideOf(actor('ADMIN', mine), asked)).toBe('staff')
  expect(sideOf(actor('ADMIN', null), asked)).toBe('staff')
  expect(sideOf(actor('ADMIN', others), asked)).toBe(null)
  for (const role of ['User', 'Editor', 'QA'] as const) expect(sideOf(actor(role, mine), asked)).toBe(null)
  expect(sideOf(actor('ADMIN', null), letter)).toBe('staff')
  expect(sideOf(actor('ADMIN', mine), letter)).toBe(null)
})

it('each side does in each state exactly what the table says, written out a second time', () => {
  const asker = actor('User', mine, 'asker')
  const staff = actor('ADMIN', mine)
  const acts = (who: typeof asker) => supportStates.map((state) => supportActsOf(who, { ...asked, state }).join(' '))
  expect(acts(asker)).toEqual(['reply close', 'reply close', 'reply reopen'])
  expect(acts(staff)).toEqual(['reply assign close', 'reply assign close', 'reply reopen'])
  expect(acts(actor('ADMIN', others))).toEqual(['', '', ''])
})

it('a question from a company that its asker left is only read, a letter without an address not answered', () => {
  const left = actor('User', others, 'asker')
  for (const state of supportStates) expect(supportActsOf(left, { ...asked, state })).toEqual([])
  const admin = actor('ADMIN', null)
  expect(supportActsOf(admin, letter)).toEqual(['reply', 'assign', 'close'])
  expect(supportActsOf(admin, { ...letter, guestEmail: null })).toEqual(['assign', 'close'])
})

it('the service’s own ADMINs ask nobody, everybody else does', () => {
  const asks = (role: Role, tenantId: string | null) => asksSupport(actor(role, tenantId))
  expect([
    asks('ADMIN', null),
    asks('ADMIN', mine),
    asks('User', null),
    asks('Editor', null),
    asks('QA', mine),
  ]).toEqual([false, true, true, true, true])
  expect(asks('SYSTEM', null)).toBe(false)
})

it('a question is given to an ADMIN who answers there, never to whoever asked it', () => {
  expect(mayTake(actor('ADMIN', mine), asked)).toBe(true)
  expect(mayTake(actor('ADMIN', null), asked)).toBe(true)
  expect(mayTake(actor('ADMIN', others), asked)).toBe(false)
  expect(mayTake(actor('ADMIN', mine, 'asker'), asked)).toBe(false)
  expect(mayTake(actor('QA', mine), asked)).toBe(false)
})
