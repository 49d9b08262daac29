import { expect, it } from 'vitest'
import { freeSlotsOn, nextFreeSlot, orderedSlots, type PostSlot } from './post-slots.ts'

const zone = 'America/Chicago'
const tuesdaysAndFridays: PostSlot[] = [
  { weekday: 5, time: '09:00' },
  { weekday: 2, time: '09:00' },
]
const next = (now: string, taken: string[] = [], slots = tuesdaysAndFridays) =>
  nextFreeSlot(slots, taken, new Date(now), zone)?.toISOString() ?? null

it('the next free slot is the first of the week that nothing fills, today’s until two minutes before it', () => {
  // Monday evening, and Tuesday at and around nine.
  expect(next('2026-11-24T02:00:00Z')).toBe('2026-11-24T15:00:00.000Z')
  expect(next('2026-11-24T14:58:00Z')).toBe('2026-11-24T15:00:00.000Z')
  expect(next('2026-11-24T14:58:01Z')).toBe('2026-11-27T15:00:00.000Z')
  // One that is filled at any second of its minute is passed over.
  expect(next('2026-11-24T02:00:00Z', ['2026-11-24T15:00:59.000Z'])).toBe('2026-11-27T15:00:00.000Z')
  expect(next('2026-11-24T02:00:00Z', ['2026-11-24T15:01:00.000Z'])).toBe('2026-11-24T15:00:00.000Z')
  expect(next('2026-11-24T02:00:00Z', [], [])).toBeNull()
})

it('a slot means what the clocks show: nine stays nine when they change, and Sunday is the last day of a week', () => {
  const sundays = [{ weekday: 7, time: '09:00' }]
  expect(next('2026-10-26T00:00:00Z', [], sundays)).toBe('2026-11-01T15:00:00.000Z')
  expect(next('2026-10-19T00:00:00Z', [], sundays)).toBe('2026-10-25T14:00:00.000Z')
  // Half past two is not there on the day when the clocks go forward.
  const missing = [{ weekday: 7, time: '02:30' }]
  expect(next('2026-03-07T12:00:00Z', [], missing)).toBe('2026-03-08T08:30:00.000Z')
})

it('where every slot of half a year is filled there is none, and a day tells its free ones in order', () => {
  const now = new Date('2026-11-24T02:00:00Z')
  const taken = Array.from(
    { length: 30 },
    (_, week) => new Date(Date.parse('2026-11-24T15:00:00Z') + week * 7 * 86_400_000),
  )
  // Of Tuesdays at nine in winter all are filled; in summer nine is another hour of UTC.
  const found = nextFreeSlot([{ weekday: 2, time: '09:00' }], taken, now, zone)
  expect(found?.toISOString()).toBe('2027-03-16T14:00:00.000Z')
  const filled = [...taken, ...taken.map((at) => new Date(at.getTime() - 3_600_000))]
  expect(nextFreeSlot([{ weekday: 2, time: '09:00' }], filled, now, zone)).toBeNull()
  const slots = orderedSlots([{ weekday: 2, time: '17:30' }, ...tuesdaysAndFridays, { weekday: 2, time: '17:30' }])
  expect(slots.map(({ weekday, time }) => `${weekday} ${time}`)).toEqual(['2 09:00', '2 17:30', '5 09:00'])
  expect(freeSlotsOn('2026-11-24', slots, [], now, zone).map((at) => at.toISOString())).toEqual([
    '2026-11-24T15:00:00.000Z',
    '2026-11-24T23:30:00.000Z',
  ])
})
