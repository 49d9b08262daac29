import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedback } from '@clear-to-post/contract/feedback'
import { projects } from '@clear-to-post/contract/projects'
import { feedbackCriteria } from '@clear-to-post/domain/feedback'
import { makeStaff } from '../../test/factories.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  makeVideo,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'

let service: Service
let officer: Person, editor: Person, qa: Person, admin: Person
beforeAll(async () => {
  service = await openService()
  officer = await makeOfficer(service)
  ;({ editor, qa, admin } = await makeStaff(service))
})
afterAll(() => service.close())
const as = (person: Person) => callAs(service, person)

const waiting = async () => {
  const assets = [await makeVideo(service, officer)]
  const project = await as(officer)(projects.create, { body: { title: 'Rate lock', assets } })
  await as(editor)(projects.start, { body: { projectId: project.id } })
  const finalVideoId = await makeVideo(service, editor, project)
  await as(editor)(projects.send, { params: { projectId: project.id }, body: { finalVideoId } })
  return { params: { projectId: project.id } }
}
const denial = (...criteria: { id: string; label?: string; score: number }[]) => ({
  denyFeedback: { criteria },
  categories: ['cut' as const],
})

test('an ADMIN of the service sets the criteria, and every denial stores their labels as they were', async () => {
  const [first, second] = [await waiting(), await waiting()]
  const before = await as(qa)(feedback.criteria, {})
  expect(before).toEqual({ criteria: [...feedbackCriteria], revision: 0, actions: [] })
  const scores = feedbackCriteria.map((one) => ({ ...one, score: 4 }))
  await as(qa)(projects.deny, { ...first, body: denial(...scores) })

  const criteria = [{ label: 'Hook' }, { id: 'pacing', label: 'Rhythm' }]
  const set = await as(admin)(feedback.setCriteria, { body: { criteria, revision: 0 } })
  const listed = [
    { id: 'hook', label: 'Hook' },
    { id: 'pacing', label: 'Rhythm' },
  ]
  expect(set).toEqual({ criteria: listed, revision: 1, actions: ['setCriteria'] })
  expect((await as(editor)(feedback.criteria, {})).criteria).toEqual(listed)
  const stale = as(admin)(feedback.setCriteria, { body: { criteria: [{ label: 'Mine' }], revision: 0 } })
  await expect(stale).rejects.toMatchObject({ code: 'feedback.changed' })

  const old = as(qa)(projects.deny, { ...second, body: denial(...scores) })
  const path = 'body.denyFeedback.criteria.1.id'
  await expect(old).rejects.toMatchObject({
    code: 'feedback.no-criterion',
    message: expect.stringContaining('“Captions”'),
    issues: [{ path }],
  })
  const twice = as(qa)(projects.deny, { ...second, body: denial({ id: 'hook', score: 1 }, { id: 'hook', score: 2 }) })
  await expect(twice).rejects.toMatchObject({ kind: 'invalid-argument', issues: [{ path }] })
  const body = denial({ id: 'pacing', label: 'Pacing', score: 3 }, { id: 'hook', score: 9 })
  const denied = await as(qa)(projects.deny, { ...second, body })
  const kept = [
    { id: 'pacing', label: 'Rhythm', score: 3 },
    { id: 'hook', label: 'Hook', score: 9 },
  ]
  expect(denied.feedback).toEqual({ criteria: kept })
  expect(denied.timeline.find(({ metadata }) => metadata['verb'] === 'deny')?.metadata['denyFeedback']).toEqual({
    criteria: kept,
  })
  // What was denied before reads as it did.
  expect((await as(editor)(projects.find, first)).feedback?.criteria).toEqual(scores)
})

test('unusable criteria are refused, and a company’s ADMIN cannot set any, by call or by SQL', async () => {
  const set = (criteria: { id?: string; label: string }[], who = admin) =>
    as(who)(feedback.setCriteria, { body: { criteria } })
  for (const [criteria, path] of [
    [[], 'body.criteria'],
    [[{ label: ' ' }], 'body.criteria.0.label'],
    [[{ label: 'Sound' }, { label: 'sound' }], 'body.criteria.1.label'],
    [[{ id: 'gone', label: 'Gone' }], 'body.criteria.0.id'],
  ] as const)
    await expect(set([...criteria])).rejects.toMatchObject({ kind: 'invalid-argument', issues: [{ path }] })
  const own = await makePerson(service, 'ADMIN', { tenantId: officer.tenantId })
  await expect(set([{ label: 'Ours' }], own)).rejects.toMatchObject({ code: 'feedback.service-only' })
  expect((await as(own)(feedback.criteria, {})).actions).toEqual([])
  const { id, tenantId, securityStamp } = own
  const past = service.database.inTenant({ id, role: 'ADMIN', tenantId, securityStamp }, async (tx) => [
    await tx.count(sql`update feedback_criteria set revision = 9`),
    (await tx.rows(sql`select revision from feedback_criteria`)).length,
  ])
  expect(await past).toEqual([0, 1])
})
