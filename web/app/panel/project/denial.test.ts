import { expect, test } from 'vitest'
import type { Project } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { denialOf, denialWords, revisionOf } from './denial.ts'

const step = (timestamp: string, metadata: Record<string, unknown>) =>
  ({ timestamp, title: '', description: '', metadata }) as unknown as Project['timeline'][number]
const feedback = { criteria: [{ id: 'captions', label: 'Captions', score: 3 }], comment: ' They cover her mouth. ' }

test('a denial has the newest denied cut, its known reasons in their order, and its sentence', () => {
  const timeline = [
    step('2026-11-26T10:00:00Z', { verb: 'deny', cut: 1, categories: ['audio'] }),
    step('2026-11-27T10:00:00Z', { verb: 'deny', cut: 2, categories: ['captions', 'no such'] }),
    step('2026-11-27T11:00:00Z', { verb: 'start' }),
  ]
  const denial = denialOf({ feedback, timeline, cuts: 2 })
  expect(denial).toEqual({ cut: 2, categories: ['captions'], feedback })
  expect(denialWords(denial!)).toMatch(/^Captions\S* ?.*– They cover her mouth\.$/)
})

test('a project without feedback has no denial, and one of before cuts were named is of the newest cut', () => {
  expect(denialOf({ timeline: [], cuts: 1 })).toBeUndefined()
  expect(denialOf({ feedback, timeline: [step('2026-11-26T10:00:00Z', { verb: 'deny' })], cuts: 3 })?.cut).toBe(3)
})

test('a change that was asked for last is told while a new cut is made, and no longer once one is sent', () => {
  const timeline = [
    step('2026-11-26T10:00:00Z', { verb: 'review', cut: 1, revision: 'Shorter' }),
    step('2026-11-27T10:00:00Z', { verb: 'review', cut: 2, revision: 'Begin with the rate' }),
    step('2026-11-27T11:00:00Z', { verb: 'start' }),
  ]
  const project = { timeline, cuts: 2 }
  for (const status of [Status.revisioning, Status.inProgress])
    expect(revisionOf({ ...project, status })).toEqual({ cut: 2, words: 'Begin with the rate' })
  for (const status of [Status.waitingApproval, Status.completed, Status.scheduled])
    expect(revisionOf({ ...project, status })).toBeUndefined()
  expect(revisionOf({ timeline: [], cuts: 1, status: Status.inProgress })).toBeUndefined()
})
