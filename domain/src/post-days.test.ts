import { expect, it } from 'vitest'
import { dayAfter } from './periods.ts'
import { fillsItsMoment, gapsOf, mostTogether } from './post-days.ts'
import { postStates } from './posting.ts'

const days = Array.from({ length: 14 }, (_, i) => dayAfter('2026-10-26', i))

it('a gap is three empty days or more before a post, begins today at the earliest, and the open end is none', () => {
  const filled = new Set(['2026-10-29', '2026-11-01', '2026-11-05'])
  expect(gapsOf(days, filled, '2026-10-01')).toEqual([
    { first: '2026-10-26', last: '2026-10-28', days: 3 },
    { first: '2026-11-02', last: '2026-11-04', days: 3 },
  ])
  expect(gapsOf(days, filled, '2026-10-27')).toEqual([{ first: '2026-11-02', last: '2026-11-04', days: 3 }])
  expect(gapsOf(days, new Set(), '2026-10-01')).toEqual([])
})

it('two posts on one network at one moment are together; other networks, and posts that will not come, are not', () => {
  const at = { dueAt: '2026-11-26T14:00:00.000Z', network: 'x', state: 'scheduled' } as const
  expect(mostTogether([])).toBe(0)
  expect(mostTogether([at, { ...at, dueAt: '2026-11-26T14:00:59Z' }, { ...at, network: 'youtube' }])).toBe(2)
  expect(mostTogether([at, { ...at, dueAt: '2026-11-26T14:01:00Z' }])).toBe(1)
  for (const state of ['failed', 'withdrawn', 'removed'] as const)
    expect(mostTogether([at, { ...at, state }]), state).toBe(1)
  expect(postStates.filter((state) => !fillsItsMoment(state))).toEqual(['failed', 'withdrawn', 'removed'])
})
