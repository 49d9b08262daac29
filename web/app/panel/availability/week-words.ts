import { usualWeek, type WorkWeek } from '@clear-to-post/domain/availability'
import { locale } from '../../language.ts'

const dayName = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
// The first of January 2024 was a Monday.
const days = usualWeek.map((_, day) => dayName.format(Date.UTC(2024, 0, 1 + day)))

/** A week's hours in one line: `Mon–Fri 09:00–17:00, Sat 10:00–12:00`; empty without any. */
export const hoursOfWeek = (week: WorkWeek): string => {
  const runs: { from: number; to: number; hours: string }[] = []
  for (const [day, one] of week.entries()) {
    if (!one) continue
    const hours = `${one.from}–${one.to}`
    const last = runs.at(-1)
    if (last?.hours === hours && last.to === day - 1) last.to = day
    else runs.push({ from: day, to: day, hours })
  }
  return runs
    .map(({ from, to, hours }) => `${from === to ? days[from] : `${days[from]}–${days[to]}`} ${hours}`)
    .join(', ')
}
