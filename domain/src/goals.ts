import { daysOfIsoWeek } from './calendar.ts'

/** An editor's week when nobody set another: two a working day. Target = approved projects. */
export const defaultWeeklyTarget = 10

/** The week's target spread over its days, Monday to Friday; the earlier days take what does not divide. */
export const dailyTargets = (isoWeek: string, target: number): { date: string; target: number }[] =>
  daysOfIsoWeek(isoWeek).map((date, day) => ({
    date,
    target: day > 4 ? 0 : Math.floor(target / 5) + (day < target % 5 ? 1 : 0),
  }))
