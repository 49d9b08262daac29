import { expect, it } from 'vitest'
import type { Project } from '@clear-to-post/contract/projects'
import type { Status } from '@clear-to-post/domain/workflow'
import { groupOf, stateWords } from './groups.ts'

const now = new Date('2026-11-20T15:00:00Z')
const project = (status: Status, verb: string, more: Partial<Project> = {}): Project => ({
  id: crypto.randomUUID(),
  title: 'Rate lock',
  instructions: '',
  submitMonth: '2026-11',
  captionStyle: 1,
  modified: '2026-11-19T15:00:00Z',
  userId: crypto.randomUUID(),
  expirationTimestamp: null,
  timeline: [{ status, title: '', description: '', timestamp: '2026-11-19T15:00:00Z', metadata: { verb } }],
  submitTimestamp: '2026-11-18T15:00:00Z',
  status,
  seq: 1,
  cuts: 0,
  actions: [],
  ...more,
})

it('a finished video needs its officer until they act on it, for two weeks at most', () => {
  expect(groupOf(project(2, 'approve'), now)).toBe('needs-you')
  expect(groupOf(project(2, 'publish'), now)).toBe('needs-you')
  expect(groupOf(project(2, 'unschedule'), now)).toBe('done')
  expect(groupOf(project(2, 'approve', { modified: '2026-11-01T15:00:00Z' }), now)).toBe('done')
})

it('a video that was posted by itself needs nobody and says where it is', () => {
  const posted = project(2, 'publish', {
    posts: [
      { network: 'instagram', state: 'live' },
      { network: 'youtube', state: 'live' },
    ],
  })
  expect(groupOf(posted, now)).toBe('done')
  expect(stateWords(posted, now).words).toBe('Posted on Instagram and YouTube')
  expect(stateWords(project(2, 'publish'), now).words).toContain('Download it')
})

it('posts that failed, or lie in an inbox, need their officer, and nothing asks to share the video by hand', () => {
  const failed = project(2, 'publish', {
    posts: [
      { network: 'facebook', state: 'live' },
      { network: 'instagram', state: 'failed', failure: 'reauth' },
      { network: 'youtube', state: 'live' },
    ],
  })
  expect(groupOf(failed, now)).toBe('needs-you')
  expect(stateWords(failed, now).words).toBe(
    'Posted on Facebook and YouTube. Not posted on Instagram. Instagram wants a new sign-in: connect it again, then choose “Post again”.',
  )
  const handed = project(2, 'publish', { posts: [{ network: 'tiktok', state: 'handed' }] })
  expect(groupOf(handed, now)).toBe('needs-you')
  expect(stateWords(handed, now).words).toContain('In your inbox on TikTok. Finish it')
  const down = project(2, 'publish', { posts: [{ network: 'youtube', state: 'removed' }] })
  expect(groupOf(down, now)).toBe('done')
  for (const one of [failed, handed, down]) expect(stateWords(one, now).words).not.toContain('Download')
})

it('a video that waits for a plan needs its officer, and says why', () => {
  const waiting = project(7, 'hold', { waitsFor: 'no-plan' })
  expect(groupOf(waiting, now)).toBe('needs-you')
  expect(stateWords(waiting, now).words).toContain('no plan runs')
})

it('every status belongs to a group', () => {
  expect([0, 1, 3, 4, 5].map((status) => groupOf(project(status as Status, 'start'), now))).toEqual(
    Array.from({ length: 5 }, () => 'in-work'),
  )
  expect(groupOf(project(7, 'schedule'), now)).toBe('scheduled')
  expect(groupOf(project(6, 'cancel'), now)).toBe('done')
})

it('a due time is shown only while the video is in work, and as late when it has passed', () => {
  expect(stateWords(project(1, 'start', { dueBy: '2026-11-20T10:00:00Z' }), now).isLate).toBe(true)
  expect(stateWords(project(1, 'start', { dueBy: '2026-11-21T10:00:00Z' }), now).isLate).toBe(false)
  expect(stateWords(project(2, 'approve', { dueBy: '2026-11-20T10:00:00Z' }), now).due).toBeUndefined()
})
