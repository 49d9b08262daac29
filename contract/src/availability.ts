import { z } from 'zod'
import { comingTimeOff, mostTimeOff } from '@clear-to-post/domain/availability'

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Write the time as HH:MM')
const Hours = z
  .strictObject({ from: Time, to: Time })
  .refine(({ from, to }) => from < to, { message: 'The day ends after it begins', path: ['to'] })

/** Seven days, Monday first; null: no work on that day. */
export const WorkWeek = z.array(Hours.nullable()).min(7).max(7)

export const TimeOff = z
  .array(
    z
      .strictObject({ from: z.iso.date(), to: z.iso.date() })
      .refine(({ from, to }) => from <= to, { message: 'The last day comes after the first', path: ['to'] }),
  )
  // Beside those ahead, each day of the year that is over.
  .max(mostTimeOff + 366)
  .refine(
    (all) => comingTimeOff(all, new Date()).length <= mostTimeOff,
    `Plan ${mostTimeOff} stretches of days off at most`,
  )
