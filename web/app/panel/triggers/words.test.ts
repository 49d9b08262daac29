import { expect, test } from 'vitest'
import { bodyOf, blank, changesOf, formOf, problemsOf } from './trigger-data.ts'
import { audienceWords, momentWords, outcomeWords, scheduleWords } from './words.ts'

const plain = (text: string) => text.replaceAll(/\s/g, ' ')

test('a trigger’s schedule is written in words', () => {
  const at = { timeOfDay: '09:00', timezone: 'America/New_York' }
  expect(plain(scheduleWords(at))).toBe('Once at 9:00 AM, New York')
  const weekly = { frequency: 'weekly', interval: 2, weekDays: [4, 1] } as const
  expect(plain(scheduleWords({ ...at, recurrence: { ...weekly, weekDays: [...weekly.weekDays] } }))).toBe(
    'Every 2 weeks on Monday and Thursday at 9:00 AM, New York',
  )
  const monthly = { frequency: 'monthly', interval: 1, dayOfMonth: 31, endDate: '2027-01-01T04:59:00Z' } as const
  expect(plain(scheduleWords({ ...at, recurrence: monthly }))).toBe(
    'Every month on day 31, or the last one at 9:00 AM, New York, until Dec 31, 2026',
  )
})

test('a trigger’s audience, next run and outcome are written in words', () => {
  const names = new Map([['a', 'Starter']])
  const tier = { type: 'usersFromTier' as const, params: { productIds: ['a', 'b'] } }
  expect(audienceWords({ criteria: tier, tenantIds: ['t'] }, names)).toBe('Officers on Starter and b of one company')
  const companies = new Map([['t', 'Harbor']])
  expect(audienceWords({ criteria: tier, tenantIds: ['t'] }, names, companies)).toBe(
    'Officers on Starter and b of Harbor',
  )
  expect(audienceWords({ criteria: tier, tenantIds: ['t', 'u'] }, names, companies)).toBe(
    'Officers on Starter and b of 2 companies',
  )
  const now = new Date('2026-11-21T12:00:00Z')
  expect(plain(momentWords('2026-11-23T14:00:00Z', 'America/New_York', now))).toBe('Mon, Nov 23, 9:00 AM EST')
  expect(plain(momentWords('2027-03-15T13:00:00Z', 'America/New_York', now))).toBe('Mon, Mar 15, 2027, 9:00 AM EDT')
  const run = { batchId: '1', executedAt: '', timezone: 'UTC', executionTimeDuration: 5 } as const
  const users = { total: 1200, success: 1198, error: 2 }
  expect(outcomeWords({ ...run, status: 'warn', users })).toBe('1,198 of 1,200 told, 2 failed')
})

test('a form becomes a trigger and a form again, and only changed fields are sent', () => {
  const form = {
    ...blank('America/Chicago'),
    title: 'Come back',
    wordsTitle: 'Hi',
    wordsBody: 'There',
    repeats: 'monthly' as const,
    dayOfMonth: 31,
    ends: 'on' as const,
    lastDay: '2027-06-30',
  }
  expect(problemsOf(form)).toEqual({})
  const body = bodyOf(form)
  expect(body.recurrence).toEqual({
    frequency: 'monthly',
    interval: 1,
    dayOfMonth: 31,
    endDate: '2027-07-01T04:59:00.000Z',
  })
  const kept = formOf({ ...body, timezone: 'America/Chicago', criteria: { type: 'allUsers', params: {} } } as never)
  expect(kept).toEqual(form)
  expect(changesOf(form, kept)).toEqual({})
  expect(changesOf({ ...form, repeats: 'once', title: 'Other' }, kept)).toEqual({ title: 'Other', recurrence: null })
  expect(Object.keys(problemsOf({ ...form, title: ' ', ctaLabel: 'Film', push: false, email: false }))).toEqual([
    'title',
    'ctaUrl',
    'transport',
  ])
})
