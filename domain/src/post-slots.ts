import { dayIn, instantAt } from './calendar.ts'
import { dayAfter } from './periods.ts'
import { isSameMinute } from './post-days.ts'
import { isTooNear } from './posting.ts'

/** When in the week somebody posts: `weekday` 1 is Monday, `time` is `HH:MM` as the clocks of their zone show it. */
export type PostSlot = { weekday: number; time: string }

/** So many slots a person keeps at most. */
export const mostSlots = 50

/** A free slot is looked for in so many days. */
const daysLookedAt = 182

/** Each slot once, in the order of the week. */
export const orderedSlots = (slots: readonly PostSlot[]): PostSlot[] =>
  [...new Map(slots.map((slot) => [keyOf(slot), slot])).values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))

const keyOf = ({ weekday, time }: PostSlot): string => `${weekday} ${time}`

/** The moments of a day's slots that no moment of `taken` fills, the earliest first; none of those that are near or past. */
export const freeSlotsOn = (
  day: string,
  slots: readonly PostSlot[],
  taken: readonly (Date | string)[],
  now: Date,
  timeZone: string,
): Date[] =>
  slots
    .filter(({ weekday }) => weekday === weekdayOf(day))
    .map(({ time }) => instantAt(day, time, timeZone))
    .filter((at) => !isTooNear(at, now) && !taken.some((one) => isSameMinute(one, at)))
    .toSorted((a, b) => a.getTime() - b.getTime())

/** The first free slot from now on; null where there is none within half a year. */
export const nextFreeSlot = (
  slots: readonly PostSlot[],
  taken: readonly (Date | string)[],
  now: Date,
  timeZone: string,
): Date | null => {
  if (slots.length === 0) return null
  const today = dayIn(now, timeZone)
  for (let days = 0; days < daysLookedAt; days++) {
    const [free] = freeSlotsOn(dayAfter(today, days), slots, taken, now, timeZone)
    if (free) return free
  }
  return null
}

const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7
