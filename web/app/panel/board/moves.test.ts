import { expect, it } from 'vitest'
import type { Profile } from '@clear-to-post/contract/accounts'
import type { Project } from '@clear-to-post/contract/projects'
import { statusValues, type Status } from '@clear-to-post/domain/workflow'
import { moveInto } from './moves.ts'
import { readBoardSearch } from './search.ts'

const admin: Profile = {
  id: '00000000-0000-4000-8000-000000000004',
  name: 'Ada',
  email: 'admin@demo.test',
  customerId: 'c',
  role: 'ADMIN',
  isEmailVerified: true,
  rooms: [],
  actions: [],
  termsDue: [],
}
const project = (status: Status, actions: Project['actions']): Project => ({
  id: '00000000-0000-4000-8000-000000000009',
  title: 'Rate lock',
  instructions: '',
  submitMonth: '2026-11',
  captionStyle: 1,
  modified: '2026-11-19T15:00:00Z',
  userId: '00000000-0000-4000-8000-000000000001',
  expirationTimestamp: null,
  timeline: [],
  submitTimestamp: '2026-11-18T15:00:00Z',
  status,
  seq: 1,
  cuts: 0,
  actions,
})

it('dropping a project does only what the service’s actions allow', () => {
  expect(moveInto(project(3, ['approve', 'deny']), 2, admin)).toEqual({ verb: 'approve' })
  expect(moveInto(project(3, ['approve', 'deny']), 4, admin)).toEqual({ verb: 'deny' })
  const waiting = project(7, ['unschedule', 'cancel'])
  expect(moveInto(waiting, 0, admin)).toEqual({ verb: 'unschedule' })
  expect(moveInto(waiting, 2, admin)).toHaveProperty('why')
  expect(moveInto({ ...waiting, finalVideoId: waiting.id }, 2, admin)).toEqual({ verb: 'unschedule' })
})

it('a forbidden drop explains why, in the workflow’s words', () => {
  expect(moveInto(project(0, ['start', 'reorder']), 2, admin)).toEqual({
    why: '“Rate lock” cannot go to Completed. “Approve” is not possible: the project is Submitted.',
  })
  for (const from of statusValues)
    for (const to of statusValues) if (from !== to) expect(moveInto(project(from, []), to, admin)).toHaveProperty('why')
})

it('the board reads its search parameters and ignores invalid ones', () => {
  expect(readBoardSearch({ view: 'list', status: '0', q: 'rate', editor: 'x' })).toEqual({
    view: 'list',
    status: 0,
    q: 'rate',
  })
  expect(readBoardSearch({ view: 'wall', status: 9, q: '' })).toEqual({})
})
