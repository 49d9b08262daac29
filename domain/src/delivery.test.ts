import fc from 'fast-check'
import { expect, test } from 'vitest'
import { minuteIn } from './calendar.ts'
import { digestTime, whenToSend, type QuietHours } from './delivery.ts'

const minute = 60_000
// Zones that change their clocks by an hour or half of one, at other hours, on the other half of the year, and never.
const zones = [
  'America/New_York',
  'America/Phoenix',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Europe/Dublin',
  'America/Santiago',
]
const clock = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

test('a message is never sent in quiet hours, and is sent as soon as they end, in every zone and season', () => {
  const time = fc.integer({ min: 0, max: 95 }).map((n) => new Date(n * 15 * minute).toISOString().slice(11, 16))
  const around = fc.constantFrom(
    '2027-03-14T07:00Z',
    '2027-11-07T06:00Z',
    '2027-04-03T15:00Z',
    '2027-10-02T15:30Z',
    '2027-06-15T12:00Z',
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      time,
      time,
      around,
      fc.integer({ min: -1500, max: 1500 }),
      fc.integer({ min: 0, max: 59 }),
      (timeZone, from, until, near, offset, second) => {
        const now = new Date(Date.parse(near) + offset * minute + second * 1000)
        const at = whenToSend('at-once', { from, until }, timeZone, now)!
        const quiet = (ms: number) => isQuiet({ from, until }, minuteIn(new Date(ms), timeZone))
        if (!quiet(now.getTime())) {
          expect(at).toEqual(now)
          return
        }
        expect(at > now && !quiet(at.getTime())).toBe(true)
        for (let ms = now.getTime(); ms < at.getTime(); ms += minute) if (!quiet(ms)) throw new Error('sent late')
      },
    ),
    {
      numRuns: 300,
      // A quarter of an hour that is not quiet, on the day on which clocks jump.
      examples: [
        ['America/New_York', '00:15', '00:00', '2027-03-14T07:00Z', -1, 0],
        ['Australia/Lord_Howe', '02:45', '02:15', '2027-10-02T15:30Z', -1, 0],
        // An hour that comes twice, and begins outside the quiet hours the second time.
        ['America/New_York', '01:15', '00:00', '2027-11-07T06:00Z', -45, 0],
      ],
    },
  )
})

test('an hourly digest is sent at the next full hour, and a daily one at eight in the recipient’s time zone', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
      (timeZone, now) => {
        const hourly = whenToSend('hourly', null, timeZone, now)!
        expect(minuteIn(hourly, timeZone) % 30).toBe(0)
        expect(hourly.getTime() - now.getTime()).toBeGreaterThan(0)
        expect(hourly.getTime() - now.getTime()).toBeLessThanOrEqual(60 * minute)
        const daily = whenToSend('daily', null, timeZone, now)!
        expect(minuteIn(daily, timeZone)).toBe(clock(digestTime))
        expect(daily.getTime() - now.getTime()).toBeGreaterThan(0)
        expect(daily.getTime() - now.getTime()).toBeLessThanOrEqual(25 * 60 * minute)
      },
    ),
    { numRuns: 300 },
  )
})

test('quiet hours and daily digests are right on the days on which New York’s clocks change', () => {
  const night = { from: '21:00', until: '07:00' }
  const at = (rhythm: 'at-once' | 'daily', quiet: QuietHours | null, now: string) =>
    whenToSend(rhythm, quiet, 'America/New_York', new Date(now))!.toISOString()
  // Nine hours of night in spring, eleven in autumn.
  expect(at('at-once', night, '2027-03-14T02:00:30Z')).toBe('2027-03-14T11:00:00.000Z')
  expect(at('at-once', night, '2027-11-07T01:00:00Z')).toBe('2027-11-07T12:00:00.000Z')
  // A quiet end that the clocks jump over: quiet ends with the jump.
  expect(at('at-once', { from: '00:00', until: '02:30' }, '2027-03-14T06:00:00Z')).toBe('2027-03-14T07:00:00.000Z')
  expect(at('daily', null, '2027-03-13T13:00:00Z')).toBe('2027-03-14T12:00:00.000Z')
  expect(at('daily', null, '2027-11-06T12:00:00Z')).toBe('2027-11-07T13:00:00.000Z')
  // A digest due in quiet hours waits for their end.
  expect(at('daily', { from: '22:00', until: '09:15' }, '2027-06-01T03:00:00Z')).toBe('2027-06-01T13:15:00.000Z')
  expect(whenToSend('never', night, 'America/New_York', new Date())).toBeNull()
})

const isQuiet = ({ from, until }: QuietHours, at: number) =>
  clock(from) <= clock(until) ? at >= clock(from) && at < clock(until) : at >= clock(from) || at < clock(until)

test('quiet hours include their first minute and exclude their last, within a day and over midnight', () => {
  const sent = (from: string, until: string, now: string) =>
    whenToSend('at-once', { from, until }, 'UTC', new Date(now))!.toISOString().slice(0, 16)
  expect(sent('12:00', '13:00', '2026-11-21T12:00:00Z')).toBe('2026-11-21T13:00')
  expect(sent('22:00', '07:00', '2026-11-21T22:00:00Z')).toBe('2026-11-22T07:00')
  expect(sent('12:00', '13:00', '2026-11-21T13:00:00Z')).toBe('2026-11-21T13:00')
})
