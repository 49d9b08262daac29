import { afterEach, expect, it } from 'vitest'
import {
  byWords,
  clockWords,
  dayWords,
  followZone,
  fullWords,
  leftWords,
  lengthWords,
  monthWords,
  percentWords,
  sizeWords,
  whenInSentence,
  whenWords,
} from './times.ts'

const at = (year: number, month: number, day: number, hour: number) => new Date(year, month - 1, day, hour)
const now = at(2026, 11, 20, 15)

it('near days are written by name and far ones by date, in the viewer’s time zone', () => {
  expect(whenWords(at(2026, 11, 20, 17).toISOString(), now)).toBe('Today 5:00\u00a0PM')
  expect(byWords(at(2026, 11, 20, 17).toISOString(), now)).toBe('5:00\u00a0PM today')
  expect(whenInSentence(at(2026, 11, 21, 0).toISOString(), now)).toBe('tomorrow 12:00\u00a0AM')
  expect(whenInSentence(at(2026, 11, 19, 23).toISOString(), now)).toBe('yesterday 11:00\u00a0PM')
  expect(whenInSentence(at(2026, 11, 23, 8).toISOString(), now)).toBe('Mon, 8:00\u00a0AM')
  expect(whenInSentence(at(2026, 12, 24, 8).toISOString(), now)).toBe('Dec 24, 8:00\u00a0AM')
  expect(whenInSentence(at(2027, 1, 2, 8).toISOString(), now)).toBe('Jan 2, 2027, 8:00\u00a0AM')
})

it('times follow the account’s time zone on any device, and name the zone where it differs', () => {
  // The device's zone is that of this test's machine, so it differs from at least one of these.
  const evening = '2026-11-21T02:06:00Z'
  const noon = new Date('2026-11-20T17:00:00Z')
  followZone('America/New_York')
  expect(whenInSentence(evening, noon)).toMatch(/^today 9:06\u00a0PM/)
  expect(dayWords(evening, noon)).toBe('Nov 20')
  expect(fullWords(evening)).toBe('Friday, November 20, 2026 at 9:06 PM EST')
  followZone('Asia/Tokyo')
  expect(whenInSentence(evening, noon)).toMatch(/^today 11:06\u00a0AM/)
  expect(dayWords('2026-12-31T15:30:00Z', noon)).toBe('Jan 1, 2027')
  const zones = ['America/New_York', 'Asia/Tokyo'].map((zone) => (followZone(zone), whenInSentence(evening, noon)))
  expect(zones.filter((words) => /(EST|GMT\+9)$/.test(words)).length).toBeGreaterThanOrEqual(1)
})

afterEach(() => followZone(undefined))

it('lengths and times left are written as people say them', () => {
  expect(clockWords(124.9)).toBe('2:04')
  expect(clockWords(3724)).toBe('1:02:04')
  expect(lengthWords(40)).toBe('40 s')
  expect(lengthWords(7500)).toBe('2 h 5 min')
  expect(leftWords(2)).toBe('a few seconds left')
  expect(leftWords(61)).toBe('1 min left')
  expect(monthWords('2026-11')).toBe('November 2026')
})

it('a percentage is never 100 % before the end', () => {
  expect(percentWords(0.999)).toBe('99%')
  expect(percentWords(1)).toBe('100%')
  expect(sizeWords(4_240_000)).toBe('4.2 MB')
  expect(sizeWords(182_400_000)).toBe('182 MB')
  expect(sizeWords(1_500_000_000)).toBe('1.5 GB')
})
