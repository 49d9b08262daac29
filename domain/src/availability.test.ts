import { expect, it } from 'vitest'
import { clearBy, paceOf, usualWeek, workSpans, workedMs, type Availability } from './availability.ts'

const hour = 3_600_000
const at = (text: string) => new Date(text)
const newYork: Availability = { workWeek: usualWeek, timeOff: [], timeZone: 'America/New_York' }
const los: Availability = { ...newYork, timeZone: 'America/Los_Angeles' }

it('hours are those of the editor’s own clocks, without days off, and right when the clocks change', () => {
  // Friday 30 October to Tuesday 3 November 2026; clocks go back on Sunday.
  expect(workSpans(newYork, at('2026-10-30T18:00:00Z'), at('2026-11-03T12:00:00Z'))).toEqual([
    { start: Date.parse('2026-10-30T18:00:00Z'), end: Date.parse('2026-10-30T21:00:00Z') },
    { start: Date.parse('2026-11-02T14:00:00Z'), end: Date.parse('2026-11-02T22:00:00Z') },
  ])
  const off = { ...newYork, timeOff: [{ from: '2026-11-02', to: '2026-11-06' }] }
  expect(workedMs(off, at('2026-10-30T18:00:00Z'), at('2026-11-09T16:00:00Z'))).toBe(5 * hour)
})

it('the pace is the median of the hours that videos took, and a night’s work counts as long as it took', () => {
  const lap = (startedAt: string, sentAt: string, editorId = 'e') => ({
    editorId,
    startedAt: at(startedAt),
    sentAt: at(sentAt),
  })
  const of = (id: string) => (id === 'e' ? newYork : undefined)
  // Over a night: two hours of Monday and one of Tuesday.
  const laps = [
    lap('2026-11-02T20:00:00Z', '2026-11-03T15:00:00Z'),
    lap('2026-11-03T15:00:00Z', '2026-11-03T16:00:00Z'),
    lap('2026-11-03T03:00:00Z', '2026-11-03T05:00:00Z'),
    lap('2026-11-02T15:00:00Z', '2026-11-02T15:01:00Z', 'somebody else'),
  ]
  expect(paceOf(laps, of)).toBe(2 * hour)
  expect(paceOf(laps.slice(0, 2), of)).toBe(2 * hour)
  expect(paceOf([], of)).toBe(undefined)
})

it('the queue is clear when everybody had the hours for their own and all together for the rest', () => {
  const now = at('2026-11-04T14:00:00Z') // Wednesday 9:00 in New York
  const minute = (found: Date | null) => found && Math.abs(found.getTime()) // for messages
  const near = (found: Date | null, wanted: string) =>
    expect(Math.abs(minute(found)! - Date.parse(wanted))).toBeLessThanOrEqual(60_000)
  const one = [{ availability: newYork, own: 0 }]
  // Eleven hours: eight today, three tomorrow, so by Thursday noon.
  near(clearBy(one, { open: 11, pace: hour, now }), '2026-11-05T17:00:00Z')
  const two = [...one, { availability: los, own: 0 }]
  // The second begins three hours later: 3 + 4 + 4 hours.
  near(clearBy(two, { open: 11, pace: hour, now }), '2026-11-04T21:00:00Z')
  // What is the first one's own waits for them, however many others are free.
  near(clearBy([{ availability: newYork, own: 9 }, two[1]!], { open: 9, pace: hour, now }), '2026-11-05T15:00:00Z')
  expect(clearBy(one, { open: 0, pace: hour, now })).toEqual(now)
  expect(clearBy([], { open: 1, pace: hour, now })).toBe(null)
  expect(clearBy(one, { open: 2000, pace: hour, now })).toBe(null)
  const away = { ...newYork, timeOff: [{ from: '2026-11-04', to: '2027-12-31' }] }
  expect(clearBy([{ availability: away, own: 0 }], { open: 1, pace: hour, now })).toBe(null)
})
