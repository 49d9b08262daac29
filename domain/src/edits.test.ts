import { expect, it } from 'vitest'
import { editActionsFor, renderActionsFor, renderStates } from './edits.ts'
import { panelActionsOf } from './panel.ts'
import { allowanceOf, hasFreeVideo } from './plans.ts'
import { isOfCut, Status, verbs } from './workflow.ts'

const editor = { id: 'e', role: 'Editor' } as const
const admin = { id: 'a', role: 'ADMIN' } as const
const project = { editorId: 'e', status: Status.inProgress } as const

it('an edit is its editor’s while In Progress, and an admin’s always', () => {
  expect(editActionsFor(editor, project)).toEqual(['save', 'make', 'render'])
  expect(editActionsFor(editor, { ...project, status: Status.waitingApproval })).toEqual([])
  expect(editActionsFor({ ...editor, id: 'other' }, project)).toEqual([])
  expect(editActionsFor(admin, { editorId: null, status: Status.completed })).toEqual(['save', 'make', 'render'])
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

it('approve, deny, review and schedule are said of the current cut', () => {
  expect(verbs.filter(isOfCut)).toEqual(['approve', 'deny', 'review', 'schedule'])
})

it('a month’s allowance names the right a video would use and the plan that a later month needs', () => {
  const plan = { projectsPerMonth: 2, revisionsPerProject: 1, turnaroundHours: 48, rank: 1 }
  const rights = { plan, freeProjectUsed: true, spareExtras: 0 }
  const now = { isAhead: false, planStops: false }
  expect(allowanceOf(rights, { used: 1, extras: 0 }, now)).toEqual({
    used: 1,
    allowed: 2,
    right: 'plan',
    needs: 'nothing',
  })
  expect(allowanceOf(rights, { used: 2, extras: 0 }, now)).toMatchObject({ right: 'none', needs: 'nothing' })
  const ahead = (planStops: boolean) => allowanceOf(rights, { used: 0, extras: 0 }, { isAhead: true, planStops }).needs
  expect([ahead(false), ahead(true)]).toEqual(['plan', 'renewal'])
  const free = { ...rights, plan: null, freeProjectUsed: false }
  expect(allowanceOf(free, { used: 0, extras: 0 }, { isAhead: true, planStops: true })).toMatchObject({
    right: 'free',
    needs: 'nothing',
  })
  expect([hasFreeVideo('User', free), hasFreeVideo('ADMIN', free), hasFreeVideo('User', rights)]).toEqual([
    true,
    false,
    false,
  ])
})
