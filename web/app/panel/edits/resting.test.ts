import { expect, it } from 'vitest'
import { Status } from '@clear-to-post/domain/workflow'
import { restingWords } from './resting.ts'

it('an edit that is only looked at says why by the state of its own video', () => {
  const of = (status: Status, publishAt?: string) => restingWords({ status, ...(publishAt ? { publishAt } : {}) })
  expect(of(Status.scheduled, '2026-12-01T08:00:00Z')).toContain('approved and scheduled')
  expect(of(Status.scheduled)).toContain('month')
  expect(of(Status.canceled)).toContain('canceled')
  expect(of(Status.waitingApproval)).toContain('with approval')
  expect(of(Status.completed)).toContain('finished')
  for (const status of [Status.submitted, Status.inProgress, Status.denied, Status.revisioning])
    expect(of(status)).toContain('In Progress')
})
