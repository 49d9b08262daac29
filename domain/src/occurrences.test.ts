import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { DateTime } from 'luxon'
import { RRuleTemporal } from 'rrule-temporal'
import { describe, expect, it, vi } from 'vitest'
import { isLong, seeded, seedOfRun } from '../../server/test/random.ts'
import { instantAt } from './calendar.ts'
import { firstDayAfter, nextDue, nextDues, type Recurrence, type Timetable } from './occurrences.ts'

const zones = Intl.supportedValuesOf('timeZone')
/** The usual hour, and half an hour. */
const always = ['America/New_York', 'Australia/Lord_Howe']
const years = { from: Date.UTC(2024, 0, 1), to: Date.UTC(2038, 0, 1) }

it('days of long ago are only counted, and a series that is counted ends where it did', () => {
  const written = vi.spyOn(Date.prototype, 'toISOString')
  const series = (ocurrences: number): Timetable => ({
    timeZone: 'America/New_York',
    timeOfDay: '09:00',
    firstDay: '1999-01-01',
    recurrence: { frequency: 'daily', interval: 1, ocurrences },
  })
  const after = new Date('2026-05-10T00:00:00Z')
  expect(nextDues(series(10_000), after, 2).map((at) => at.toJSON())).toEqual([
    '2026-05-10T13:00:00.000Z',
    '2026-05-11T13:00:00.000Z',
  ])
  expect(written.mock.calls.length).toBeLessThan(50)
  written.mockRestore()
  // 9,991 days after the first is 10 May 2026.
  expect(nextDues(series(9991), after, 2)).toEqual([])
  expect(nextDues(series(9992), after, 2)).toEqual([new Date('2026-05-10T13:00:00Z')])
})

describe('the rules for due times', () => {
  const newYork = (firstDay: string, timeOfDay: string, recurrence?: Recurrence): Timetable => ({
    timeZone: 'America/New_York',
    timeOfDay,
    firstDay,
    recurrence,
  })
  const dues = (timetable: Timetable, count = 5, after = '2000-01-01T00:00:00Z') =>
    nextDues(timetable, new Date(after), count).map((at) => at.toISOString().slice(0, 16))

  it('a time in a skipped hour comes later by the length of the skip, and in a repeated hour the first counts', () => {
    expect(dues(newYork('2026-03-07', '02:30', { frequency: 'daily', interval: 1 }), 3)).toEqual([
      '2026-03-07T07:30',
      '2026-03-08T07:30',
      '2026-03-09T06:30',
    ])
    expect(dues(newYork('2026-10-31', '01:30', { frequency: 'daily', interval: 1 }), 3)).toEqual([
      '2026-10-31T05:30',
      '2026-11-01T05:30',
      '2026-11-02T06:30',
    ])
    // Midnight itself is missing in Cairo on the day the clocks go forward.
    expect(instantAt('2026-04-24', '00:00', 'Africa/Cairo').toISOString()).toBe('2026-04-23T22:00:00.000Z')
  })

  it('a monthly rule for the 31st uses the last day of shorter months', () => {
    const monthly = { frequency: 'monthly', interval: 1, dayOfMonth: 31 } as const
    expect(dues(newYork('2028-01-05', '09:00', monthly)).map((at) => at.slice(0, 10))).toEqual([
      '2028-01-31',
      '2028-02-29',
      '2028-03-31',
      '2028-04-30',
      '2028-05-31',
    ])
  })

  it('an end date includes its own instant, and a number of occurrences counts from the first day', () => {
    const until = { frequency: 'daily', interval: 1, endDate: '2026-11-24T14:00:00Z' } as const
    expect(dues(newYork('2026-11-23', '09:00', until))).toEqual(['2026-11-23T14:00', '2026-11-24T14:00'])
    const thrice = { frequency: 'weekly', interval: 1, weekDays: [3, 1, 1], ocurrences: 3 } as const
    const timetable = newYork('2026-11-24', '09:00', thrice)
    expect(dues(timetable)).toEqual(['2026-11-25T14:00', '2026-11-30T14:00', '2026-12-02T14:00'])
    expect(dues(timetable, 5, '2026-11-30T14:00:00Z')).toEqual(['2026-12-02T14:00'])
    expect(nextDue(timetable, new Date('2026-12-02T14:00:00Z'))).toBeNull()
  })

  it('a timetable without a recurrence is due once', () => {
    expect(dues(newYork('2026-11-24', '09:00'))).toEqual(['2026-11-24T14:00'])
    expect(nextDue(newYork('2026-11-24', '09:00'), new Date('2026-11-24T14:00:00Z'))).toBeNull()
  })

  it('without a given first day, counting begins with the first day that matches the recurrence', () => {
    const now = new Date('2026-11-21T17:00:00Z') // Saturday noon in New York
    const at = { timeZone: 'America/New_York', timeOfDay: '11:00' }
    expect(firstDayAfter(now, at)).toBe('2026-11-22')
    expect(firstDayAfter(now, { ...at, timeOfDay: '13:00' })).toBe('2026-11-21')
    const mondays = { frequency: 'weekly', interval: 2, weekDays: [1], ocurrences: 1 } as const
    expect(firstDayAfter(now, { ...at, recurrence: mondays })).toBe('2026-11-23')
    const first = { frequency: 'monthly', interval: 6, dayOfMonth: 1 } as const
    expect(firstDayAfter(now, { ...at, recurrence: first })).toBe('2026-12-01')
  })

  it('the next due time after thousands of years is found at once', () => {
    const old = { timeZone: 'UTC', timeOfDay: '09:00', firstDay: '1970-01-01' }
    const counted = { frequency: 'monthly', interval: 366, ocurrences: 10_000 } as const
    expect(nextDue({ ...old, recurrence: counted }, new Date('9990-01-01T00:00:00Z'))?.getUTCFullYear()).toBe(9991)
    const daily = { frequency: 'daily', interval: 1 } as const
    expect(dues({ ...old, recurrence: daily }, 5, '9999-12-29T10:00:00Z')).toEqual(['9999-12-30T09:00'])
    const evening = { timeZone: 'America/New_York', timeOfDay: '23:59', firstDay: '9998-12-30', recurrence: daily }
    expect(nextDues(evening, new Date('9999-12-29T00:00:00Z'), 5).at(-1)?.toISOString()).toBe(
      '9999-12-31T04:59:00.000Z',
    )
  })

  it('a day that is none, or past the years of four digits, is refused and not counted for ever', () => {
    const recurrence = { frequency: 'daily', interval: 1 } as const
    for (const firstDay of ['10000-01-01', '2026-13-01', '', 'soon']) {
      const at = { timeZone: 'America/New_York', timeOfDay: '10:00', firstDay, recurrence }
      expect(() => nextDue(at, new Date('2026-11-20T12:00:00Z'))).toThrow(`No day of ours: ${firstDay}`)
    }
    const far = { timeZone: 'UTC', timeOfDay: '10:00', firstDay: '+010000-01-01', recurrence }
    expect(nextDue(far, new Date('2026-11-20T12:00:00Z'))).toBeNull()
  })
})

/** A rule as we write it and as RFC 5545 does, for something that is due on `day`. */
type Shape = (day: string) => { back: number; recurrence: Recurrence; rrule: string }
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7
const names = ['', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const daily =
  (interval: number, back: number, ocurrences?: number): Shape =>
  () => ({
    back: back * interval,
    recurrence: { frequency: 'daily', interval, ocurrences },
    rrule: `FREQ=DAILY;INTERVAL=${interval}${count(ocurrences)}`,
  })
const weekly =
  (interval: number, back: number, others: number[] | undefined, ocurrences?: number): Shape =>
  (day) => {
    const on = others && [...others, weekdayOf(day)]
    const rrule = `FREQ=WEEKLY;INTERVAL=${interval};WKST=MO;BYDAY=${(on ?? [weekdayOf(day)]).map((d) => names[d]).join(',')}`
    return {
      back: back * interval * 7,
      recurrence: { frequency: 'weekly', interval, weekDays: on, ocurrences },
      rrule: rrule + count(ocurrences),
    }
  }
const monthly =
  (interval: number, back: number, which: number | 'same', ocurrences?: number): Shape =>
  (day) => {
    const dayOfMonth = which === 'same' ? Number(day.slice(8)) : which
    const last = [28, 29, 30, 31].filter((n) => n <= dayOfMonth)
    const by = dayOfMonth > 28 ? `BYMONTHDAY=${last.join(',')};BYSETPOS=-1` : `BYMONTHDAY=${dayOfMonth}`
    return {
      back,
      recurrence: { frequency: 'monthly', interval, dayOfMonth, ocurrences },
      rrule: `FREQ=MONTHLY;INTERVAL=${interval};${by}${count(ocurrences)}`,
    }
  }
const count = (ocurrences?: number) => (ocurrences === undefined ? '' : `;COUNT=${ocurrences}`)
const shapes: Shape[] = [
  daily(1, 0),
  daily(1, 2),
  daily(1, 1, 2),
  daily(1, 3, 5),
  daily(2, 1),
  daily(3, 2, 4),
  daily(7, 1),
  daily(10, 1),
  daily(30, 1),
  daily(366, 1, 2),
  weekly(1, 0, undefined),
  weekly(1, 1, undefined, 3),
  weekly(1, 1, []),
  weekly(1, 1, [1]),
  weekly(1, 1, [1, 3, 5]),
  weekly(1, 1, [6, 7], 4),
  weekly(1, 0, [1, 2, 3, 4, 5, 6, 7]),
  weekly(2, 0, undefined),
  weekly(2, 1, [2, 4]),
  weekly(3, 1, [7, 1], 3),
  weekly(5, 1, [3]),
  weekly(52, 1, undefined),
  monthly(1, 0, 'same'),
  monthly(1, 40, 'same'),
  monthly(1, 90, 'same', 5),
  monthly(2, 3, 'same'),
  monthly(1, 70, 31),
  monthly(1, 70, 30, 4),
  monthly(1, 400, 29),
  monthly(12, 10, 'same'),
]

/** `change`: the change of the clock that it is about. */
type Case = Timetable & { rrule: string; change: number; after: number; until: number | null; expected: number[] }

it(
  `due times equal those of independent libraries around clock changes (${shapes.length} rules each)`,
  async () => {
    const seed = seedOfRun()
    const random = seeded(seed)
    const chosen = isLong ? zones : [...always, ...Array.from({ length: 6 }, () => random.one(zones))]
    let transitions = 0
    let cases = 0
    let dues = 0
    const told: string[] = []
    const python = isLong ? openPython() : null
    for (const timeZone of chosen) {
      const changes = transitionsOf(timeZone)
      const some = isLong ? changes : Array.from({ length: Math.min(changes.length, 3) }, () => random.one(changes))
      transitions += some.length
      // A zone without changes is looked at on some day.
      const moments = some.length > 0 ? some : [{ at: years.from + random.whole(0, 5000) * 86_400_000, jump: 0 }]
      for (const { at, jump } of moments) {
        for (const [n, shape] of shapes.entries()) {
          const one = caseOf(timeZone, at, jump, shape, n)
          cases++
          dues += one.expected.length
          const byTemporal = rruleTemporal(one)
          const byLuxon = everyDayWithLuxon(one)
          if (String(one.expected) !== String(byTemporal)) told.push(difference('rrule-temporal', one, byTemporal))
          if (String(one.expected) !== String(byLuxon)) told.push(difference('luxon', one, byLuxon))
          python?.ask(one)
        }
        if (told.length > 10) break
      }
    }
    const third = await python?.answers()
    told.push(...(third?.differences ?? []))
    console.log(
      `occurrences: seed ${seed}: ${dues} due moments of ${cases} timetables in ${chosen.length} zones around ${transitions} changes of the clock` +
        (third ? `; python-dateutil agrees on ${third.agreed}, and has other changes in ${third.otherData}` : ''),
    )
    expect(told.slice(0, 5)).toEqual([])
    expect(dues).toBeGreaterThan(cases)
  },
  isLong ? 3_600_000 : 120_000,
)

/** Offset changes of a zone, and by how much the clocks jump (ms). */
const transitionsOf = (timeZone: string): { at: number; jump: number }[] => {
  const offset = (at: number) => DateTime.fromMillis(at, { zone: timeZone }).offset
  const found: { at: number; jump: number }[] = []
  const step = 3 * 86_400_000
  for (let low = years.from; low < years.to; low += step) {
    const [before, after] = [offset(low), offset(low + step)]
    if (before === after) continue
    let [a, b] = [low, low + step]
    while (b - a > 1000) {
      const middle = Math.floor((a + b) / 2000) * 1000
      if (offset(middle) === before) a = middle
      else b = middle
    }
    found.push({ at: b, jump: (after - before) * 60_000 })
  }
  return found
}

/** A timetable due within, at the edge of or near a skipped or repeated hour, chosen by `n`. */
const caseOf = (timeZone: string, at: number, jump: number, shape: Shape, n: number): Case => {
  const before = DateTime.fromMillis(at - 1000, { zone: timeZone }).offset * 60_000
  const begins = at + before + Math.min(0, jump)
  const length = Math.abs(jump)
  const edges = [length / 2, 0, length - 60_000, length, -60_000, length / 3, 5 * 3_600_000]
  const wall = new Date(Math.round((begins + edges[n % edges.length]!) / 60_000) * 60_000).toISOString()
  const [day, timeOfDay] = [wall.slice(0, 10), wall.slice(11, 16)]
  const { back, recurrence, rrule } = shape(day)
  const firstDay = new Date(Date.parse(day) - back * 86_400_000).toISOString().slice(0, 10)
  // Every third one has an end: at the due moment itself, or just before it.
  const until = n % 3 === 0 ? instantAt(day, timeOfDay, timeZone).getTime() - (n % 2) * 1000 : null
  const whole = until === null ? recurrence : { ...recurrence, endDate: new Date(until).toISOString() }
  const timetable = { timeZone, timeOfDay, firstDay, recurrence: whole }
  const after = n % 4 === 0 ? 0 : at - 2 * 86_400_000
  const expected = nextDues(timetable, new Date(after), 4).map((due) => due.getTime())
  return { ...timetable, rrule, change: at, after, until, expected }
}

/** The days by rrule-temporal, put on the zone's clock by Temporal's own rule for gaps and folds. */
const rruleTemporal = ({ timeZone, timeOfDay, firstDay, rrule, after, until }: Case): number[] => {
  const start = `${firstDay}T${timeOfDay}00`.replaceAll(/[-:]/g, '')
  const rule = new RRuleTemporal({ rruleString: `DTSTART:${start}Z\nRRULE:${rrule}` })
  const found: number[] = []
  rule.all((due) => {
    const at = due.toPlainDateTime().toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds
    if (until !== null && at > until) return false
    if (at > after) found.push(at)
    return found.length < 4
  })
  return found.slice(0, 4)
}

/** The expected due times: each day is checked on its own, with luxon's calendar. */
const everyDayWithLuxon = ({ timeZone, timeOfDay, firstDay, recurrence, after, until }: Case): number[] => {
  const { frequency, interval, weekDays, dayOfMonth, ocurrences } = recurrence!
  const first = DateTime.fromISO(firstDay, { zone: 'utc' })
  const found: number[] = []
  const [hour, minute] = timeOfDay.split(':').map(Number) as [number, number]
  let counted = 0
  for (let n = 0; n < 4 * 366 * 31 && found.length < 4; n += frequency === 'daily' ? interval : 1) {
    const day = first.plus({ days: n })
    // Far from the next due day there is nothing to ask.
    const isDue = {
      daily: () => true,
      weekly: () =>
        (weekDays?.length ? weekDays.includes(day.weekday) : day.weekday === first.weekday) &&
        day.startOf('week').diff(first.startOf('week'), 'weeks').weeks % interval === 0,
      monthly: () =>
        day.day === Math.min(dayOfMonth ?? first.day, day.daysInMonth!) &&
        day.startOf('month').diff(first.startOf('month'), 'months').months % interval === 0,
    }[frequency]
    if (!isDue()) continue
    if (counted++ === (ocurrences ?? Infinity)) break
    const { year, month, day: date } = day
    const local = DateTime.fromObject({ year, month, day: date, hour, minute }, { zone: timeZone })
    const at = Math.min(...local.getPossibleOffsets().map((possible) => possible.toMillis()))
    if (until !== null && at > until) break
    if (at > after) found.push(at)
  }
  return found
}

const difference = (library: string, one: Case, theirs: number[]): string =>
  `${library}: ${JSON.stringify({ ...one, expected: undefined })}: ours ${one.expected.map(inWords)}, theirs ${theirs.map(inWords)}`
const inWords = (at: number): string => new Date(at).toISOString()

/** Debian's python3-dateutil as the third: one process reads all cases and answers in the same order. */
const openPython = () => {
  const child = spawn('python3', [join(import.meta.dirname, 'occurrences.oracle.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const asked: Case[] = []
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return {
    ask: (one: Case) => {
      asked.push(one)
      // Both sides must have the same clocks around what is compared: libraries carry their own tables.
      const offsets = [one.change, ...one.expected].flatMap((at) =>
        [-24, -3, -2, -1, 0, 1, 2, 3, 24].map((hours) => [
          at + hours * 3_600_000,
          DateTime.fromMillis(at + hours * 3_600_000, { zone: one.timeZone }).offset * 60,
        ]),
      )
      const { timeZone, timeOfDay, firstDay, rrule, after, until } = one
      child.stdin.write(`${JSON.stringify({ timeZone, timeOfDay, firstDay, rrule, after, until, offsets })}\n`)
    },
    answers: async () => {
      child.stdin.end()
      if ((await ended) !== 0) throw new Error('The third library is missing: apt-get install python3-dateutil')
      const answers = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as number[] | null)
      expect(answers.length).toBe(asked.length)
      const differences = asked.flatMap((one, n) => {
        const theirs = answers[n]
        return theirs && String(theirs) !== String(one.expected) ? [difference('python-dateutil', one, theirs)] : []
      })
      const others = new Set(asked.filter((_, n) => answers[n] === null).map(({ timeZone }) => timeZone))
      const agreed = answers.filter((answer) => answer !== null).length - differences.length
      return { differences, agreed, otherData: [...others].join(', ') || 'no zone' }
    },
  }
}
