import { expect, it } from 'vitest'
import type { Project } from '@clear-to-post/contract/projects'
import { statusValues, type Status } from '@clear-to-post/domain/workflow'
import { ageOf, dueOf } from './due.ts'
import { progressOf } from './progress.ts'

const now = new Date('2026-11-20T15:00:00Z')
const officer = { id: '00000000-0000-4000-8000-000000000001', role: 'User' }
const editor = { id: '00000000-0000-4000-8000-000000000002', role: 'Editor' }
const project = (status: Status, more: Partial<Project> = {}): Project => ({
  id: '00000000-0000-4000-8000-000000000009',
  title: 'Rate lock',
  instructions: '',
  submitMonth: '2026-12',
  captionStyle: 1,
  modified: '2026-11-19T15:00:00Z',
  userId: officer.id,
  editorId: editor.id,
  editorName: 'Sam',
  expirationTimestamp: null,
  timeline: [],
  submitTimestamp: '2026-11-18T15:00:00Z',
  status,
  seq: 1,
  cuts: 0,
  actions: [],
  ...more,
})

it('the progress card says for every status what happens next', () => {
  for (const status of statusValues) expect(progressOf(project(status), officer, now).next).not.toBe('')
})

it('the progress card shows the person who must act next that it is their turn', () => {
  expect(progressOf(project(2), officer, now).isYou).toBe(true)
  expect(progressOf(project(2), editor, now).isYou).toBe(false)
  expect(progressOf(project(4), editor, now).isYou).toBe(true)
  expect(progressOf(project(4), officer, now).isYou).toBe(false)
  expect(progressOf(project(7), officer, now)).toMatchObject({ isYou: true, when: 'Starts in December 2026' })
})

it('the page of a video that was posted by itself waits on nobody and says where it is', () => {
  const posted = project(2, { posts: [{ network: 'instagram', state: 'live' }] })
  expect(progressOf(posted, officer, now)).toMatchObject({ when: 'Posted on Instagram', isYou: false })
})

it('the page of a video whose post failed says where it is, and what its officer does about the other', () => {
  const partly = project(2, {
    posts: [
      { network: 'facebook', state: 'live' },
      { network: 'instagram', state: 'failed', failure: 'reauth' },
    ],
  })
  const shown = progressOf(partly, officer, now)
  expect(shown).toMatchObject({ when: 'Posted on Facebook. Not posted on Instagram', isYou: true })
  expect(shown.next).toContain('new sign-in')
  expect(progressOf(partly, editor, now)).toMatchObject({ isYou: false, next: 'How each post does is below.' })
})

it('the page of a scheduled video says that it is posted by itself only where something of it will be', () => {
  const at = {
    publishAt: '2026-11-21T15:00:00Z',
    destinations: ['download' as const, 'youtube' as const],
    hasPosts: true,
  }
  const next = (more: Partial<Project>, who = officer) => progressOf(project(7, { ...at, ...more }), who, now).next
  const toGo = { posts: [{ network: 'youtube' as const, state: 'scheduled' as const }] }
  expect([next(toGo), next(toGo, editor)]).toEqual(
    Array(2).fill('It is posted by itself then. How each post stands is below.'),
  )
  expect(next({})).toContain('Its posts were taken back, so nothing is posted by itself.')
  expect(next({}, editor)).toBe('Its officer is told when the time is here.')
  expect(next({ destinations: ['download'] })).toContain('We tell you when its time is here.')
  // One that stands there since an earlier schedule is no post to come.
  expect(next({ posts: [{ network: 'youtube', state: 'live' }] })).toContain('We tell you when its time is here.')
  const failed = project(7, { ...at, posts: [{ network: 'youtube', state: 'failed', failure: 'reauth' }] })
  expect(progressOf(failed, officer, now)).toMatchObject({ isYou: true })
  expect(progressOf(failed, officer, now).next).toContain('new sign-in')
  expect(progressOf(failed, editor, now)).toMatchObject({ isYou: false })
})

it('a video that waits although its month has begun shows why, and what to do', () => {
  const waiting = project(7, { waitsFor: 'paused' })
  expect(progressOf(waiting, officer, now)).toMatchObject({ when: 'Waits: the plan is paused', isYou: true })
  expect(progressOf(waiting, officer, now).next).toContain('Resume it')
  expect(progressOf(waiting, editor, now)).toMatchObject({ isYou: false })
  expect(dueOf(waiting, now)).toEqual({ words: 'Waits for a plan', tone: 'soon' })
})

it('a video whose officer is disabled says so to its admin, and speaks of no plan', () => {
  const waiting = project(7, { waitsFor: 'officer-inactive' })
  const admin = { id: '00000000-0000-4000-8000-000000000009', role: 'ADMIN' }
  const { when, next, isYou } = progressOf(waiting, admin, now)
  expect([when, dueOf(waiting, now)?.words, isYou]).toEqual(['Waits for its officer', 'Waits for its officer', false])
  expect(next).toMatch(/officer is disabled.*Cancel it/)
  expect(next).not.toContain('plan')
})

it('only people who can approve are asked for approval', () => {
  const judge = { id: '00000000-0000-4000-8000-000000000003', role: 'QA' }
  expect(progressOf(project(3, { actions: ['approve', 'deny'] }), judge, now).isYou).toBe(true)
  expect(progressOf(project(3), judge, now).isYou).toBe(false)
})

it('a project in work past its due time is shown as late', () => {
  const dueBy = '2026-11-20T14:00:00Z'
  expect(progressOf(project(1, { dueBy }), officer, now).isLate).toBe(true)
  expect(progressOf(project(2, { dueBy }), officer, now).isLate).toBe(false)
  expect(dueOf(project(1, { dueBy }), now)).toEqual({ words: '1 h late', tone: 'late' })
  expect(dueOf(project(1, { dueBy: '2026-11-20T16:00:00Z' }), now)?.tone).toBe('soon')
  expect(dueOf(project(1), now)).toBeNull()
})

it('the age in a status counts from the step into it, not from later steps', () => {
  const item = (status: Status, hour: number, verb: string) => ({
    status,
    title: '',
    description: '',
    timestamp: `2026-11-20T${String(hour).padStart(2, '0')}:00:00Z`,
    metadata: { verb },
  })
  const timeline = [item(0, 8, 'create'), item(1, 9, 'start'), item(1, 12, 'assign')]
  expect(ageOf(project(1, { timeline }), now)).toBe('6 h')
})
