import { expect, it } from 'vitest'
import {
  buysFor,
  listsOwnWork,
  mayDeleteOthersComments,
  mayName,
  mayWriteClips,
  mayWriteLooks,
  sees,
} from './access.ts'
import { isServiceAdmin, newcomer, officerActor, roles, type Role } from './roles.ts'

/** Each role but the service's own, in a company and of all companies. */
const everybody = (['User', 'Editor', 'QA', 'ADMIN'] as const).flatMap((role) =>
  ['ours', null].map((tenantId) => ({ id: 'me', role, tenantId })),
)
const those = (may: (one: (typeof everybody)[number]) => unknown) =>
  everybody.filter(may).map(({ role, tenantId }) => `${role} of ${tenantId ?? 'all'}`)

it('everybody names themselves in a call, and only the roles of its row name others', () => {
  expect(those((one) => mayName(one, 'project.history', 'me'))).toHaveLength(8)
  expect(roles.filter((role) => mayName({ id: 'me', role }, 'project.history', 'another'))).toEqual([
    'Editor',
    'QA',
    'ADMIN',
  ])
  expect(roles.filter((role) => mayName({ id: 'me', role }, 'user.remove', 'another'))).toEqual(['ADMIN'])
})

it('an officer buys for themselves, a company’s ADMIN for the company, and nobody else buys', () => {
  expect(those((one) => buysFor(one) === 'themselves')).toEqual(['User of ours', 'User of all'])
  expect(those((one) => buysFor(one) === 'company')).toEqual(['ADMIN of ours'])
  expect(those((one) => buysFor(one) === null)).toHaveLength(5)
})

it('a library of B-roll is changed by its company’s ADMIN, and every one by the service’s', () => {
  const may = (tenantId: string | null) => those((one) => mayWriteClips(one, { tenantId }))
  expect(may('ours')).toEqual(['ADMIN of ours', 'ADMIN of all'])
  expect([may('theirs'), may(null)]).toEqual([['ADMIN of all'], ['ADMIN of all']])
})

it('looks are kept by editors and ADMINs: those of a company for theirs, those who serve all for every one', () => {
  const may = (tenantId: string | null) => those((one) => mayWriteLooks(one, { tenantId }))
  expect(may('ours')).toEqual(['Editor of ours', 'Editor of all', 'ADMIN of ours', 'ADMIN of all'])
  expect([may('theirs'), may(null)]).toEqual([
    ['Editor of all', 'ADMIN of all'],
    ['Editor of all', 'ADMIN of all'],
  ])
})

it('a comment of somebody else’s is taken back by ADMINs alone', () => {
  expect(roles.filter(mayDeleteOthersComments)).toEqual(['ADMIN'])
})

it('editors list their own work, an ADMIN without a company sets up the service, and what others pay an ADMIN sees', () => {
  expect(roles.filter(listsOwnWork)).toEqual(['Editor'])
  expect(those(isServiceAdmin)).toEqual(['ADMIN of all'])
  expect(roles.filter((role: Role) => sees(role, 'subscription.price'))).toEqual(['ADMIN'])
  expect(newcomer).toBe('User')
  expect(officerActor('somebody')).toEqual({ id: 'somebody', role: 'User', tenantId: null })
})
