import { expect, it } from 'vitest'
import { decide, mayEndRight, refuse, type ProjectFacts } from './decide.ts'
import { mostKept } from './most-kept.ts'
import type { Actor } from './roles.ts'
import { isStep, Status, verbs } from './workflow.ts'

const now = new Date('2026-11-21T12:00:00Z')
const officer: Actor = { id: 'officer', role: 'User', tenantId: 'ours' }
const editor: Actor = { id: 'editor', role: 'Editor', tenantId: null }
const qa: Actor = { id: 'qa', role: 'QA', tenantId: null }
const admin: Actor = { id: 'admin', role: 'ADMIN', tenantId: null }
const companyAdmin: Actor = { id: 'company-admin', role: 'ADMIN', tenantId: 'ours' }
const service: Actor = { id: 'system', role: 'SYSTEM', tenantId: null }

/** A finished video of the officer's. */
const finished: ProjectFacts = {
  status: Status.completed,
  userId: officer.id,
  editorId: editor.id,
  tenantId: 'ours',
  finalVideoId: 'cut',
  approvedVideoId: 'cut',
  submitMonth: '2026-11',
  publishAt: null,
  dueAt: null,
  editingBegun: true,
  isFree: false,
  timeZone: 'America/Chicago',
  undoable: { verb: 'approve', actorId: qa.id, from: Status.waitingApproval, actorServesAll: true },
  cut: { number: 1, editorId: editor.id, sentBy: editor.id, uploadedBy: editor.id, renderedBy: null, recipeBy: [] },
}
const codeOf = (answer: object | null): unknown => (answer && 'refusal' in answer ? answer.refusal : null)

it('a full record leaves staff a hundred steps, the end of what was begun twenty, and can always be canceled', () => {
  const last = (verb: Parameters<typeof refuse>[0], project: Partial<ProjectFacts>, actor: Actor): number | null => {
    const isFull = (steps: number) => codeOf(refuse(verb, { ...finished, ...project, steps }, actor)) !== null
    const { steps } = mostKept
    for (let at = 0; at <= 2 * steps; at++) {
      if (!isFull(at)) continue
      expect(codeOf(refuse(verb, { ...finished, ...project, steps: at }, actor))).toBe('project.too-many-steps')
      return at
    }
    return null
  }
  expect(last('schedule', {}, officer)).toBe(mostKept.steps - mostKept.stepsOfStaff)
  expect(last('schedule', {}, admin)).toBe(mostKept.steps - mostKept.stepsToFinish)
  expect(last('send', { status: Status.inProgress }, editor)).toBe(mostKept.steps)
  expect(last('approve', { status: Status.waitingApproval }, qa)).toBe(mostKept.steps)
  expect(last('deny', { status: Status.waitingApproval }, qa)).toBe(mostKept.steps)
  const submitted = { status: Status.submitted, editorId: null, finalVideoId: null, approvedVideoId: null }
  expect(last('cancel', submitted, officer)).toBeNull()
  expect(last('publish', { status: Status.scheduled }, service)).toBeNull()
})

it('the queue of all companies is moved by the service’s ADMIN alone', () => {
  const waiting = { ...finished, status: Status.submitted, finalVideoId: null }
  expect(codeOf(refuse('reorder', waiting, admin))).toBeNull()
  expect(codeOf(refuse('reorder', waiting, companyAdmin))).toBe('project.forbidden')
})

it('a reviewer takes back their own judgement alone', () => {
  const by = (actorId: string) => ({ ...finished, undoable: { ...finished.undoable!, actorId } })
  expect(codeOf(refuse('rollback', by(qa.id), qa))).toBeNull()
  expect(codeOf(refuse('rollback', by('another'), qa))).toBe('project.forbidden')
  expect(codeOf(refuse('rollback', by('another'), admin))).toBeNull()
})

it('a cancellation, and taking back what led into the queue, may end a project’s right, and nothing else', () => {
  const undoing = (verb: 'release' | 'unschedule' | 'start', finalVideoId: string | null) => ({
    finalVideoId,
    undoable: { ...finished.undoable!, verb },
  })
  expect(mayEndRight('cancel', { finalVideoId: null, undoable: null })).toBe(true)
  expect(mayEndRight('rollback', { finalVideoId: null, undoable: null })).toBe(false)
  expect(mayEndRight('rollback', undoing('release', null))).toBe(true)
  expect(mayEndRight('rollback', undoing('unschedule', null))).toBe(true)
  expect(mayEndRight('rollback', undoing('unschedule', 'cut'))).toBe(false)
  expect(mayEndRight('rollback', undoing('start', null))).toBe(false)
  expect(mayEndRight('start', undoing('release', null))).toBe(false)
})

it('a file that was judged is not sent again', () => {
  const file = { uploadedBy: editor.id, renderedBy: null, recipeBy: [] }
  const sent = (reviewedAs: number | null) =>
    decide(
      'send',
      { ...finished, status: Status.inProgress, file: { ...file, reviewedAs } },
      editor,
      { finalVideoId: 'cut' },
      now,
    )
  expect(codeOf(sent(null))).toBeNull()
  expect(codeOf(sent(1))).toBe('project.same-cut')
})

it('a canceled video comes back until its files are removed, and other steps are undone whatever the time', () => {
  const undone = (verb: 'cancel' | 'start', expiresAt: string | null) =>
    codeOf(
      decide(
        'rollback',
        {
          ...finished,
          status: verb === 'cancel' ? Status.canceled : Status.inProgress,
          finalVideoId: null,
          expiresAt,
          undoable: { verb, actorId: admin.id, from: Status.submitted, actorServesAll: true },
        },
        admin,
        {},
        now,
      ),
    )
  const [past, moment, later] = ['2026-11-21T11:59:59Z', '2026-11-21T12:00:00Z', '2026-11-21T12:00:01Z']
  expect([past, moment, later, null].map((at) => undone('cancel', at))).toEqual([
    'project.nothing-to-roll-back',
    'project.nothing-to-roll-back',
    null,
    null,
  ])
  expect([past, later, null].map((at) => undone('start', at))).toEqual([null, null, null])
})

it('all verbs but a submission, a wait, an undoing and a change of time, place or editor can be undone', () => {
  expect(verbs.filter((verb) => !isStep(verb))).toEqual([
    'create',
    'hold',
    'reschedule',
    'rollback',
    'reorder',
    'assign',
  ])
  expect(verbs.filter(isStep)).toHaveLength(verbs.length - 6)
})
