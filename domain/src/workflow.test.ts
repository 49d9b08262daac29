import { describe, expect, it } from 'vitest'
import { access } from './access.ts'
import { roles, type Actor, type Role } from './roles.ts'
import { actionsFor, decide, mayEndRight, refuse, withheldFrom, type CutFacts, type ProjectFacts } from './decide.ts'
import { canceledDays, expiryDays } from './plans.ts'
import { isEditAtRest } from './edits.ts'
import {
  isStep,
  officerReads,
  statusValues,
  verbs,
  workflow,
  type InputOf,
  type Status,
  type Verb,
} from './workflow.ts'

const now = new Date('2026-11-21T12:00:00Z')
const later = '2026-11-24T15:00:00.000Z'
const tenant = 'tenant-1'
const officer: Actor = { id: 'officer', role: 'User', tenantId: tenant }
const people: Record<string, Actor> = {
  officer,
  stranger: { id: 'stranger', role: 'User', tenantId: tenant },
  editor: { id: 'editor', role: 'Editor', tenantId: null },
  otherEditor: { id: 'other-editor', role: 'Editor', tenantId: null },
  foreignEditor: { id: 'foreign-editor', role: 'Editor', tenantId: 'tenant-2' },
  qa: { id: 'qa', role: 'QA', tenantId: null },
  tenantQa: { id: 'tenant-qa', role: 'QA', tenantId: tenant },
  foreignQa: { id: 'foreign-qa', role: 'QA', tenantId: 'tenant-2' },
  admin: { id: 'admin', role: 'ADMIN', tenantId: null },
  tenantAdmin: { id: 'tenant-admin', role: 'ADMIN', tenantId: tenant },
  foreignAdmin: { id: 'foreign-admin', role: 'ADMIN', tenantId: 'tenant-2' },
  system: { id: 'system', role: 'SYSTEM', tenantId: null },
}

/** A cut that the editor uploaded, rendered and sent. */
const cut: CutFacts = {
  number: 2,
  uploadedBy: 'editor',
  renderedBy: null,
  recipeBy: [],
  editorId: 'editor',
  sentBy: 'editor',
}

const project = (status: Status, more: Partial<ProjectFacts> = {}): ProjectFacts => ({
  status,
  userId: officer.id,
  editorId: [1, 2, 3, 4, 5].includes(status) ? 'editor' : null,
  tenantId: tenant,
  finalVideoId: [2, 3, 4, 5].includes(status) ? 'cut' : null,
  approvedVideoId: status === 2 ? 'cut' : null,
  cut: [2, 3, 4, 5].includes(status) ? cut : null,
  submitMonth: '2026-11',
  publishAt: null,
  dueAt: null,
  editingBegun: status !== 0 && status !== 7,
  isFree: false,
  timeZone: 'America/Chicago',
  undoable: [0, 7].includes(status) ? null : { verb: 'start', actorId: 'editor', actorServesAll: true, from: 0 },
  ...more,
})

const inputs: { [V in Verb]: InputOf<V> } = {
  create: { submitMonth: '2026-11' },
  release: {},
  hold: { waits: 'no-plan', askAt: later },
  start: {},
  send: { finalVideoId: 'cut' },
  approve: {},
  deny: { denyFeedback: {}, categories: ['cut'] },
  review: { revision: 'Shorter, please' },
  schedule: { publishAt: later, destinations: ['download'] },
  reschedule: { publishAt: later },
  unschedule: {},
  publish: {},
  cancel: {},
  rollback: {},
  reorder: { position: 1 },
  assign: { editorId: 'editor' },
}

/** docs/specification/workflow.md a second time, by hand: who may do which verb from which status, with what result. */
const expected: { verb: Verb; from: Status; final?: boolean; to: Status; people: string[] }[] = [
  { verb: 'release', from: 7, to: 0, people: ['system'] },
  { verb: 'hold', from: 7, to: 7, people: ['system'] },
  { verb: 'start', from: 0, to: 1, people: ['editor', 'otherEditor', 'admin', 'tenantAdmin'] },
  { verb: 'start', from: 4, to: 1, people: ['editor', 'admin', 'tenantAdmin'] },
  { verb: 'start', from: 5, to: 1, people: ['editor', 'admin', 'tenantAdmin'] },
  { verb: 'send', from: 1, to: 3, people: ['editor', 'admin', 'tenantAdmin'] },
  { verb: 'approve', from: 3, to: 2, people: ['qa', 'tenantQa', 'admin', 'tenantAdmin'] },
  { verb: 'deny', from: 3, to: 4, people: ['qa', 'tenantQa', 'admin', 'tenantAdmin'] },
  { verb: 'review', from: 2, to: 5, people: ['officer', 'admin', 'tenantAdmin'] },
  { verb: 'review', from: 7, final: true, to: 5, people: ['officer', 'admin', 'tenantAdmin'] },
  { verb: 'schedule', from: 2, to: 7, people: ['officer', 'admin', 'tenantAdmin'] },
  { verb: 'reschedule', from: 7, final: true, to: 7, people: ['officer'] },
  { verb: 'unschedule', from: 7, to: 0, people: ['officer', 'qa', 'tenantQa', 'admin', 'tenantAdmin'] },
  { verb: 'unschedule', from: 7, final: true, to: 2, people: ['officer', 'qa', 'tenantQa', 'admin', 'tenantAdmin'] },
  { verb: 'publish', from: 7, final: true, to: 2, people: ['system'] },
  { verb: 'cancel', from: 0, to: 6, people: ['officer', 'admin', 'tenantAdmin', 'system'] },
  { verb: 'cancel', from: 7, to: 6, people: ['officer', 'admin', 'tenantAdmin', 'system'] },
  { verb: 'cancel', from: 7, final: true, to: 6, people: ['officer', 'admin', 'tenantAdmin', 'system'] },
  ...([1, 3, 4, 5] as const).map((from) => ({
    verb: 'cancel' as const,
    from,
    to: 6 as const,
    people: ['admin', 'tenantAdmin', 'system'],
  })),
  ...([1, 2, 3, 4, 5, 6] as const).map((from) => ({
    verb: 'rollback' as const,
    from,
    to: 0 as const,
    // The step that would be undone is the service's.
    people: ['admin'],
  })),
  { verb: 'reorder', from: 0, to: 0, people: ['admin'] },
  ...([0, 1, 4, 5] as const).map((from) => ({
    verb: 'assign' as const,
    from,
    to: from,
    people: ['admin', 'tenantAdmin', 'system'],
  })),
]

describe('every verb, status and person', () => {
  let checked = 0
  for (const verb of verbs.filter((v) => v !== 'create'))
    for (const status of statusValues)
      for (const final of status === 7 ? [false, true] : [false])
        it(`${verb} from ${status}${final ? ' with a final video' : ''} is allowed to the people in the table only`, () => {
          const facts = project(
            status,
            final
              ? { finalVideoId: 'cut', approvedVideoId: 'cut', cut, editorId: 'editor', dueAt: later, publishAt: later }
              : {},
          )
          const row = expected.find((r) => r.verb === verb && r.from === status && (r.final ?? false) === final)
          for (const [name, actor] of Object.entries(people)) {
            const decision = decide(verb, facts, actor, inputs[verb] as never, now)
            if (row?.people.includes(name)) expect(decision, name).toMatchObject({ to: row.to })
            else expect(decision, name).toHaveProperty('refusal')
            expect(actionsFor(facts, actor).includes(verb), name).toBe(row?.people.includes(name) ?? false)
            checked++
          }
        })
  it('every combination was checked', () => expect(checked).toBe((verbs.length - 1) * 9 * Object.keys(people).length))
})

it('each verb leads to its status and changes the listed fields only', () => {
  const { system, editor, qa, admin } = people as Record<string, Actor>
  const done = <V extends Verb>(verb: V, facts: ProjectFacts, actor: Actor, input: InputOf<V> = inputs[verb]) =>
    decide(verb, facts, actor, input, now)
  const inQueue = { submitMonth: '2026-11', queue: 'end', dueAt: null, enters: '2026-11' }
  const untimed = { publishAt: null, dueAt: null }
  const timed = { publishAt: later, dueAt: later }
  const approved = { finalVideoId: 'cut', approvedVideoId: 'cut' }
  expect([
    done('create', project(0), officer),
    done('create', project(0), officer, { submitMonth: '2026-12' }),
    done('release', project(7), system!),
    done('hold', project(7), system!),
    done('start', project(0), editor!),
    done('send', project(1), editor!),
    done('send', project(1), admin!),
    done('send', project(1, { editorId: null }), admin!),
    done('approve', project(3), qa!),
    done('approve', project(3), qa!, { publishAt: later }),
    done('approve', project(3, { publishAt: now.toISOString() }), qa!),
    done('deny', project(3), qa!),
    done('review', project(2), officer),
    done('schedule', project(2), officer),
    done('reschedule', project(7, { ...approved, publishAt: '2026-11-23T15:00:00.000Z' }), officer),
    done('unschedule', project(7, approved), officer),
    done('unschedule', project(7), officer),
    done('publish', project(7, approved), system!),
    done('cancel', project(0), officer),
    done('cancel', project(1), admin!),
    done('rollback', project(1), admin!),
    done('reorder', project(0), admin!),
    done('assign', project(1), admin!, { editorId: 'other-editor' }),
    done('assign', project(0), admin!, { editorId: null }),
  ]).toEqual([
    { to: 0, effects: { quota: { use: '2026-11' }, queue: 'end' } },
    { to: 7, effects: { quota: { use: '2026-12' }, dueAt: '2026-12-01T06:00:00.000Z' } },
    { to: 0, effects: inQueue },
    { to: 7, effects: { dueAt: later, waitsFor: 'no-plan' } },
    { to: 1, effects: { editorId: 'editor', queue: 'leave' } },
    { to: 3, effects: { finalVideoId: 'cut', editorId: 'editor' } },
    { to: 3, effects: { finalVideoId: 'cut', editorId: 'editor' } },
    { to: 3, effects: { finalVideoId: 'cut', editorId: 'admin' } },
    { to: 2, effects: { ...untimed, goal: 1, expiresInDays: expiryDays } },
    { to: 7, effects: { ...timed, goal: 1, expiresInDays: expiryDays } },
    { to: 2, effects: { ...untimed, goal: 1, expiresInDays: expiryDays } },
    { to: 4, effects: { queue: 'first' } },
    { to: 5, effects: { queue: 'first', dueAt: null } },
    { to: 7, effects: timed },
    { to: 7, effects: timed },
    { to: 2, effects: untimed },
    { to: 0, effects: inQueue },
    { to: 2, effects: untimed },
    { to: 6, effects: { queue: 'leave', ...untimed, expiresInDays: canceledDays, quota: { giveBack: '2026-11' } } },
    { to: 6, effects: { queue: 'leave', ...untimed, expiresInDays: canceledDays } },
    { to: 0, effects: {} },
    { to: 0, effects: { queue: { position: 1 } } },
    { to: 1, effects: { editorId: 'other-editor' } },
    { to: 0, effects: { editorId: null } },
  ])
})

it('a publishing time equal to now is refused as past', () => {
  const at = { publishAt: now.toISOString(), destinations: [] }
  for (const [verb, status, actor] of [
    ['approve', 3, people['qa']!],
    ['schedule', 2, officer],
  ] as const)
    expect(decide(verb, project(status), actor, at, now)).toMatchObject({ refusal: 'project.time-past' })
})

it('a video is moved neither from a time within two minutes or past, nor to one', () => {
  const ahead = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()
  const move = (from: string, to: string) => {
    const facts = project(7, { finalVideoId: 'cut', approvedVideoId: 'cut', publishAt: from, dueAt: from })
    return decide('reschedule', facts, officer, { publishAt: to }, now)
  }
  for (const from of [ahead(-1), ahead(119)]) expect(move(from, later)).toMatchObject({ refusal: 'project.time-near' })
  for (const to of [ahead(-1), ahead(119)]) expect(move(later, to)).toMatchObject({ refusal: 'project.time-past' })
  expect(move(ahead(120), later)).toMatchObject({ to: 7, effects: { publishAt: later, dueAt: later } })
  expect(move(later, ahead(120))).toMatchObject({ to: 7 })
})

describe('rules that depend on the project’s row', () => {
  it('a denied project without an editor can be started by an ADMIN only, and one in progress is its editor’s', () => {
    expect(refuse('start', project(4, { editorId: null }), people['editor']!)?.refusal).toBe('project.claimed')
    expect(refuse('start', project(4, { editorId: null }), people['admin']!)).toBeNull()
    expect(refuse('send', project(1), people['otherEditor']!)?.refusal).toBe('project.claimed')
  })
  it('a cancellation stays when its officer is gone, and any other step can be rolled back', () => {
    const { admin } = people
    const undoable = (verb: Verb) => ({ undoable: { verb, actorId: 'admin', actorServesAll: true, from: 0 as const } })
    const gone = refuse('rollback', project(6, { ...undoable('cancel'), officerIsGone: true }), admin!)
    expect(gone?.refusal).toBe('project.nothing-to-roll-back')
    expect(refuse('rollback', project(6, undoable('cancel')), admin!)).toBeNull()
    expect(refuse('rollback', project(1, { ...undoable('start'), officerIsGone: true }), admin!)).toBeNull()
  })
  it('create is never offered for a project that exists', () =>
    expect(actionsFor(project(0), officer)).toEqual(['cancel']))
  it('an officer reads only the listed fields of a timeline event', () =>
    expect([...officerReads].sort().join(' ')).toBe(
      'actorId actorRole comments cut destinations editorId outcomes publishAt revision submitMonth undoes verb waitsFor',
    ))
  it('an ADMIN who edits a project cannot approve it, and QA can', () => {
    const facts = project(3, { editorId: 'admin' })
    expect(decide('approve', facts, people.admin!, {}, now)).toMatchObject({ refusal: 'project.own-edit' })
    expect(decide('approve', facts, people.qa!, {}, now)).toMatchObject({ to: 2 })
  })
  it('a decision that names another cut than the current one is refused, and without a number the current one counts', () => {
    const asked: [Verb, Status, Actor][] = [
      ['approve', 3, people.qa!],
      ['deny', 3, people.qa!],
      ['review', 2, officer],
      ['schedule', 2, officer],
    ]
    for (const [verb, status, actor] of asked) {
      const of = (number?: number) =>
        decide(verb, project(status), actor, { ...inputs[verb], cut: number } as never, now)
      expect(of(1), verb).toEqual({
        refusal: 'project.other-cut',
        message: 'Cut 2 is the current one, not cut 1. Watch cut 2, then decide.',
      })
      expect(of(3), verb).toMatchObject({ refusal: 'project.other-cut' })
      expect(of(2), verb).toHaveProperty('to')
      expect(of(), verb).toHaveProperty('to')
    }
    expect(decide('review', project(2, { cut: null }), officer, { revision: 'x', cut: 2 }, now)).toMatchObject({
      refusal: 'project.other-cut',
    })
  })
  it('only an approved cut can be scheduled or published', () => {
    for (const approvedVideoId of [null, 'another cut']) {
      const due = project(7, { finalVideoId: 'cut', approvedVideoId })
      expect(decide('publish', due, people.system!, {}, now)).toMatchObject({ refusal: 'project.wrong-status' })
      const finished = project(2, { approvedVideoId })
      expect(decide('schedule', finished, officer, inputs.schedule, now)).toMatchObject({
        refusal: 'project.wrong-status',
      })
    }
  })
  it('a cut without a known uploader cannot be approved', () => {
    for (const unknown of [null, { ...cut, uploadedBy: null }])
      expect(refuse('approve', project(3, { cut: unknown }), people.qa!)).toMatchObject({
        refusal: 'project.wrong-status',
      })
  })
  it('an officer reads no file’s id in a timeline event', () => {
    for (const key of ['finalVideoId', 'denyFeedback', 'categories']) expect(officerReads.has(key), key).toBe(false)
  })
  it('a project of another company or officer is answered as not found', () => {
    expect(refuse('cancel', project(0), people.stranger!)).toMatchObject({ refusal: 'project.not-found' })
    expect(refuse('approve', project(3), people.foreignQa!)).toMatchObject({ refusal: 'project.not-found' })
  })
  it('a refusal for the wrong status names the current status in words', () => {
    const decision = decide('approve', project(1), people.qa!, {}, now)
    expect(decision).toMatchObject({ refusal: 'project.wrong-status', message: expect.stringContaining('In Progress') })
  })
  it('an assigned project can be started by its editor only', () => {
    const facts = project(0, { editorId: 'editor' })
    expect(decide('start', facts, people.otherEditor!, {}, now)).toMatchObject({ refusal: 'project.claimed' })
    expect(decide('start', facts, people.editor!, {}, now)).toMatchObject({ to: 1 })
  })
  it('a project for a later month waits until that month starts in the officer’s time zone, at most a year ahead', () => {
    expect(decide('create', project(0), officer, { submitMonth: '2026-12' }, now)).toMatchObject({
      to: 7,
      effects: { dueAt: '2026-12-01T06:00:00.000Z', quota: { use: '2026-12' } },
    })
    expect(decide('create', project(0), officer, { submitMonth: '2026-11' }, now)).toMatchObject({ to: 0 })
    expect(decide('create', project(0), officer, { submitMonth: '2026-10' }, now)).toMatchObject({
      refusal: 'project.month-past',
    })
    expect(decide('create', project(0), officer, { submitMonth: '2027-11' }, now)).toMatchObject({ to: 7 })
    expect(decide('create', project(0), officer, { submitMonth: '2027-12' }, now)).toMatchObject({
      refusal: 'project.month-far',
      message: 'The month 2027-12 is too far ahead. Choose 2027-11 or earlier.',
    })
  })
  it('an approval with a publishing time leads to Scheduled, and to Completed when that time has passed', () => {
    expect(decide('approve', project(3), people.qa!, { publishAt: later }, now)).toMatchObject({
      to: 7,
      effects: { dueAt: later },
    })
    expect(decide('approve', project(3, { publishAt: later }), people.qa!, {}, now)).toMatchObject({ to: 7 })
    const late = project(3, { publishAt: '2026-11-20T00:00:00Z' })
    expect(decide('approve', late, people.qa!, {}, now)).toMatchObject({ to: 2, effects: { publishAt: null } })
    expect(decide('approve', project(3), people.qa!, { publishAt: '2026-11-20T00:00:00Z' }, now)).toMatchObject({
      refusal: 'project.time-past',
    })
  })
  it('an officer and their company’s ADMIN can ask for revisions while some are left, and the service’s ADMIN always', () => {
    const asks = (who: Actor, revisionsLeft: number | null) =>
      decide('review', project(2, { revisionsLeft }), who, { revision: 'Shorter' }, now)
    const { tenantId } = project(2)
    const ofCompany: Actor = { ...people.admin!, tenantId }
    expect(tenantId).not.toBe(null)
    for (const who of [officer, ofCompany]) expect(asks(who, 0)).toMatchObject({ refusal: 'project.revisions-used' })
    for (const [who, left] of [
      [officer, 1],
      [officer, null],
      [ofCompany, 1],
      [{ ...people.admin!, tenantId: null }, 0],
    ] as const)
      expect(asks(who, left)).toMatchObject({ to: 5 })
  })
  it('a schedule with a time in the past is refused', () =>
    expect(
      decide('schedule', project(2), officer, { publishAt: '2026-11-21T11:59:59Z', destinations: ['download'] }, now),
    ).toMatchObject({ refusal: 'project.time-past' }))
  it('an unscheduled project enters the queue in the running month, and a released one never before its own month', () => {
    for (const submitMonth of ['2026-09', '2026-11', '2027-01'])
      expect(decide('unschedule', project(7, { submitMonth }), officer, {}, now)).toMatchObject({
        to: 0,
        effects: { submitMonth: '2026-11', enters: '2026-11' },
      })
    for (const [submitMonth, month] of [
      ['2026-09', '2026-11'],
      ['2026-11', '2026-11'],
      ['2026-12', '2026-12'],
    ] as const)
      expect(decide('release', project(7, { submitMonth }), people.system!, {}, now)).toMatchObject({
        effects: { submitMonth: month, enters: month },
      })
  })
  it('a cancellation gives the quota back only if editing never began', () => {
    expect(decide('cancel', project(0), officer, {}, now)).toMatchObject({
      effects: { quota: { giveBack: '2026-11' } },
    })
    const begun = decide('cancel', project(0, { editingBegun: true }), officer, {}, now)
    expect('effects' in begun && begun.effects.quota).toBeUndefined()
  })
  it('a canceled video keeps its files for seven days, and can be brought back until then', () => {
    expect(decide('cancel', project(0), officer, {}, now)).toMatchObject({ effects: { expiresInDays: canceledDays } })
    const canceled = (expiresAt: string | null) =>
      project(6, { undoable: { verb: 'cancel', actorId: 'o', actorServesAll: false, from: 0 }, expiresAt })
    const later = new Date(now.getTime() + 1).toISOString()
    expect(decide('rollback', canceled(later), people.admin!, {}, now)).toMatchObject({ to: 0 })
    expect(decide('rollback', canceled(null), people.admin!, {}, now)).toMatchObject({ to: 0 })
    expect(decide('rollback', canceled(now.toISOString()), people.admin!, {}, now)).toMatchObject({
      refusal: 'project.nothing-to-roll-back',
      message: expect.stringContaining('after 7 days'),
    })
  })
  it('QA can roll back only their own review decisions', () => {
    const by = (verb: Verb) => ({ undoable: { verb, actorId: 'qa', actorServesAll: true, from: 3 as const } })
    expect(refuse('rollback', project(4, by('deny')), people['qa']!)).toBeNull()
    expect(refuse('rollback', project(4, by('unschedule')), people['qa']!)?.refusal).toBe('project.forbidden')
    const own = project(2, { undoable: { verb: 'approve', actorId: 'qa', actorServesAll: true, from: 3 } })
    expect(decide('rollback', own, people.qa!, {}, now)).toMatchObject({ to: 3 })
    expect(decide('rollback', own, people.tenantQa!, {}, now)).toMatchObject({ refusal: 'project.forbidden' })
    expect(decide('rollback', project(0), people.admin!, {}, now)).toMatchObject({
      refusal: 'project.nothing-to-roll-back',
    })
  })
  it('a company’s ADMIN can roll back its own people’s steps, but no work of the service’s people', () => {
    for (const verb of verbs)
      for (const actorServesAll of [true, false]) {
        const facts = project(3, { undoable: { verb, actorId: 'somebody', actorServesAll, from: 1 } })
        const isServices = actorServesAll && ['start', 'send', 'approve', 'deny'].includes(verb)
        const refused = refuse('rollback', facts, people.tenantAdmin!)
        expect(refused?.refusal, verb).toBe(isServices ? 'project.forbidden' : undefined)
        expect(actionsFor(facts, people.tenantAdmin!).includes('rollback'), verb).toBe(!isServices)
        expect(refuse('rollback', facts, people.admin!), verb).toBeNull()
      }
  })
  it('a video of which something was made does not go back to wait for its month', () => {
    const after = (verb: Verb, more: Partial<ProjectFacts>) =>
      project(0, { undoable: { verb, actorId: 'somebody', actorServesAll: false, from: 7 }, ...more })
    for (const verb of ['release', 'unschedule'] as const) {
      const made = after(verb, { editingBegun: true })
      expect(refuse('rollback', made, people.admin!)?.refusal).toBe('project.nothing-to-roll-back')
      expect(refuse('rollback', after(verb, { editingBegun: false }), people.admin!)).toBeNull()
      // Scheduled to be posted, not for a month: it stays used.
      expect(refuse('rollback', { ...made, status: 2, finalVideoId: 'cut' }, people.admin!)).toBeNull()
    }
  })
  it('every step to a status without a right may end one, and so may the undoing of every step from there', () => {
    const hasRight = (status: Status, final = false) => !isEditAtRest({ status }) || (status === 7 && final)
    for (const { verb, from, to, final } of expected) {
      const asked = project(from, final ? { finalVideoId: 'cut' } : {})
      if (hasRight(from, final) && !hasRight(to, verb === 'schedule' || verb === 'reschedule'))
        expect(mayEndRight(verb, asked), verb).toBe(true)
      const undoable = { verb, actorId: 'somebody', actorServesAll: false, from }
      const after = project(to, { undoable, finalVideoId: final ? 'cut' : null })
      if (isStep(verb) && from === 7 && to !== 6) expect(mayEndRight('rollback', after), verb).toBe(!final)
    }
  })
  it('a project in progress cannot lose its editor', () =>
    expect(decide('assign', project(1), people.admin!, { editorId: null }, now)).toMatchObject({
      refusal: 'project.no-editor',
    }))
})

describe('four eyes', () => {
  /** The parts that a person can have in a cut, and the refusal when that person approves it. */
  const parts = {
    renderer: 'You rendered this cut. Somebody else approves it.',
    uploader: 'You uploaded this cut. Somebody else approves it.',
    'recipe author': 'You changed the edit of this cut. Somebody else approves it.',
    assignee: 'You are the editor of this video. Somebody else approves it.',
    'editor at its sending': 'You are the editor of this video. Somebody else approves it.',
    sender: 'You sent this cut to approval. Somebody else approves it.',
    officer: 'This is your own video. Somebody else approves it.',
  }
  type Part = keyof typeof parts
  const names = Object.keys(parts) as Part[]
  const subsets = Array.from({ length: 2 ** names.length }, (_, bits) => names.filter((_name, i) => bits & (1 << i)))

  /** A project waiting for approval in which `who` has these parts and other people the rest. */
  const withParts = (who: string, mine: readonly Part[]): ProjectFacts => {
    const by = (part: Part) => (mine.includes(part) ? who : `another ${part}`)
    return project(3, {
      userId: by('officer'),
      editorId: by('assignee'),
      cut: {
        number: 1,
        uploadedBy: by('uploader'),
        renderedBy: by('renderer'),
        recipeBy: ['somebody before', by('recipe author')],
        editorId: by('editor at its sending'),
        sentBy: by('sender'),
      },
    })
  }

  it.each(['qa', 'tenantQa', 'admin'])(
    '%s can approve a cut only with no part in making it, in every combination of parts',
    (name) => {
      const actor = people[name]!
      for (const mine of subsets) {
        const facts = withParts(actor.id, mine)
        const refusal = refuse('approve', facts, actor)
        expect(actionsFor(facts, actor).includes('approve'), mine.join()).toBe(mine.length === 0)
        if (mine.length === 0) {
          expect(refusal).toBeNull()
          expect(withheldFrom(facts, actor)).toEqual([])
        } else {
          // The refusal names the first part in the order above.
          const reason = parts[names.find((part) => mine.includes(part))!]
          expect(refusal, mine.join()).toEqual({ refusal: 'project.own-edit', message: reason })
          expect(withheldFrom(facts, actor), mine.join()).toEqual([{ verb: 'approve', reason }])
        }
      }
      expect(subsets).toHaveLength(128)
    },
  )

  it('with the three-people rule, an author of a cut cannot send it, in every combination of parts', () => {
    const authorship = ['renderer', 'uploader', 'recipe author', 'assignee'] as const
    const fact = (part: Part) => parts[part].replace('Somebody else approves it.', '').trim()
    for (const mine of subsets.filter((some) => some.every((part) => authorship.includes(part as never))))
      for (const fourEyes of ['author-and-approver', 'three-people', null] as const) {
        const { cut: made, ...waiting } = withParts('admin', mine)
        const { uploadedBy, renderedBy, recipeBy } = made!
        const facts = { ...waiting, status: 1 as const, fourEyes, file: { uploadedBy, renderedBy, recipeBy } }
        const refusal = refuse('send', facts, people.admin!)
        if (fourEyes !== 'three-people' || mine.length === 0) expect(refusal, mine.join()).toBeNull()
        else
          expect(refusal, mine.join()).toEqual({
            refusal: 'project.own-edit',
            message: `${fact(names.find((part) => mine.includes(part))!)} In this company somebody else sends it to approval.`,
          })
      }
    // Its editor is never offered “send”, with any file.
    const edited = project(1, { editorId: 'editor', fourEyes: 'three-people' })
    expect(actionsFor(edited, people.editor!)).not.toContain('send')
    expect(withheldFrom(edited, people.editor!)).toMatchObject([{ verb: 'send' }])
    expect(actionsFor(edited, people.admin!)).toContain('send')
  })

  it('a file older than the current edit is sent only when the sender confirms it', () => {
    const send = (isOlder: boolean, olderIsMeant?: boolean) =>
      decide(
        'send',
        project(1, { editorId: 'editor', file: { uploadedBy: 'editor', renderedBy: 'editor', recipeBy: [], isOlder } }),
        people.editor!,
        { finalVideoId: 'file', olderIsMeant },
        now,
      )
    expect(send(true)).toMatchObject({ refusal: 'project.older-render' })
    expect(send(true, false)).toMatchObject({ refusal: 'project.older-render' })
    expect(send(true, true)).toMatchObject({ to: 3 })
    expect(send(false)).toMatchObject({ to: 3 })
  })

  it('having a part in a cut prevents no denial, and allows no verb that the role lacks', () => {
    expect(refuse('deny', withParts('qa', names), people.qa!)).toBeNull()
    for (const other of [officer, people.editor!, people.system!]) {
      expect(refuse('approve', withParts(other.id, ['sender']), other)).toMatchObject({ refusal: 'project.forbidden' })
      expect(withheldFrom(withParts(other.id, ['sender']), other)).toEqual([])
    }
  })
})

it('the access table has one row for every verb, from the workflow itself', () => {
  for (const verb of verbs) expect(access[`project.${verb}`]).toEqual(Object.keys(workflow[verb].who))
  const known = new Set<Role>(roles)
  for (const row of Object.values(access)) expect(row.every((role) => known.has(role))).toBe(true)
})
