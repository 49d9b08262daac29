import { expect, it } from 'vitest'
import { editActionsFor, isEditAtRest, renderActionsFor, renderStates } from './edits.ts'
import { panelActionsOf } from './panel.ts'
import { isOfCut, Status, statusValues, verbs } from './workflow.ts'

const editor = { id: 'e', role: 'Editor' } as const
const admin = { id: 'a', role: 'ADMIN' } as const
const project = { editorId: 'e', status: Status.inProgress } as const

it('an edit is its editor’s while In Progress, and an admin’s wherever the project has its right', () => {
  expect(editActionsFor(editor, project)).toEqual(['save', 'make', 'render'])
  expect(editActionsFor(editor, { ...project, status: Status.waitingApproval })).toEqual([])
  expect(editActionsFor({ ...editor, id: 'other' }, project)).toEqual([])
  expect(editActionsFor(admin, { editorId: null, status: Status.completed })).toEqual(['save', 'make', 'render'])
  const makes = statusValues.filter((status) => editActionsFor(admin, { editorId: 'a', status }).length > 0)
  expect(makes).toEqual(statusValues.filter((status) => status !== Status.canceled && status !== Status.scheduled))
  expect(statusValues.filter((status) => isEditAtRest({ status }))).toEqual([Status.canceled, Status.scheduled])
  expect(editActionsFor({ id: 'e', role: 'QA' }, { ...project, editorId: 'q' })).toEqual([])
})

it('an open render may be stopped, an ended one made again, and one that killed its worker twice only by an admin', () => {
  const actions = (crashes: number, actor: typeof editor | typeof admin = editor) =>
    Object.fromEntries(renderStates.map((state) => [state, renderActionsFor(actor, project, { state, crashes })]))
  const open = { queued: ['cancel'], running: ['cancel'], done: [] }
  expect(actions(0)).toEqual({ ...open, failed: ['retry'], canceled: ['retry'] })
  expect(actions(2)).toEqual({ ...open, failed: [], canceled: [] })
  expect(actions(2, admin)).toEqual({ ...open, failed: ['retry'], canceled: ['retry'] })
  expect(renderActionsFor({ ...editor, id: 'other' }, project, { state: 'failed', crashes: 0 })).toEqual([])
})

it('only the service’s own admin opens companies, sets their terms and moves people between them', () => {
  const own = ['tenant.create', 'tenant.set-terms', 'user.move']
  const of = (role: 'ADMIN' | 'QA', tenantId: string | null) =>
    panelActionsOf({ role, tenantId }).filter((action) => own.includes(action))
  expect(of('ADMIN', null)).toEqual(own)
  expect(of('ADMIN', 't')).toEqual([])
  expect(of('QA', null)).toEqual([])
})

it('an officer without a company may join one', () => {
  const joins = (role: 'User' | 'ADMIN', tenantId: string | null) =>
    panelActionsOf({ role, tenantId }).includes('company.join')
  expect([joins('User', null), joins('User', 't'), joins('ADMIN', null)]).toEqual([true, false, false])
})

it('approve, deny, review and schedule are said of the current cut', () => {
  expect(verbs.filter(isOfCut)).toEqual(['approve', 'deny', 'review', 'schedule'])
})
