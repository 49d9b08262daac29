import { dayIn, isTimeZone, minuteIn } from '@clear-to-post/domain/calendar'
import { inLanguage, locale } from './language.ts'

/**
 * Times, sizes and lengths in words. Times stand as the clocks of the viewer's account show them, wherever this device is.
 * `iso` is an instant, `now` is for tests.
 */

/** Times follow this IANA zone from now on: the signed-in person's, and with nobody signed in the device's. */
export const followZone = (name: string | undefined): void => {
  // An old browser may not know a young zone.
  zone = name !== undefined && isTimeZone(name) ? name : deviceZone()
}

/** The zone that times stand in. */
export const currentZone = (): string => zone

const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
let zone = deviceZone()

const words = inLanguage({
  en: {
    today: (time: string) => `today ${time}`,
    tomorrow: (time: string) => `tomorrow ${time}`,
    yesterday: (time: string) => `yesterday ${time}`,
    todayBy: (time: string) => `${time} today`,
    tomorrowBy: (time: string) => `${time} tomorrow`,
    at: (day: string, time: string) => `${day}, ${time}`,
    justNow: 'just now',
    fewSeconds: 'a few seconds left',
    left: (time: string) => `${time} left`,
    minutes: (n: number) => `${n} min`,
    hours: (n: number, minutes: number) => (minutes > 0 ? `${n} h ${minutes} min` : `${n} h`),
    seconds: (n: number) => `${n} s`,
  },
})

/** `Today 5:00 PM`, `Tomorrow 10:00 AM`, `Mon, 8:00 AM` within a week, else `Nov 21, 8:00 AM` (with the year when it is another). */
export const whenWords = (iso: string, now = new Date()): string => {
  const words = whenInSentence(iso, now)
  return words.charAt(0).toLocaleUpperCase(locale) + words.slice(1)
}

/** The same in the middle of a sentence: `today 5:00 PM`. */
export const whenInSentence = (iso: string, now = new Date()): string =>
  whenInWords(iso, now, words.today, words.tomorrow)

const whenInWords = (iso: string, now: Date, today: Say, tomorrow: Say): string => {
  const at = new Date(iso)
  const days = daysBetween(now, at)
  // A time never breaks between its figures and AM.
  const time = (isElsewhere(at) ? formats().timeAndZone : formats().time).format(at).replaceAll(/\s/g, '\u00a0')
  if (days === 0) return today(time)
  if (days === 1) return tomorrow(time)
  if (days === -1) return words.yesterday(time)
  if (days > 1 && days < 7) return words.at(formats().weekday.format(at), time)
  return words.at(dayWords(iso, now), time)
}

/** The same after “by”: `5:00 PM today`. */
export const byWords = (iso: string, now = new Date()): string => whenInWords(iso, now, words.todayBy, words.tomorrowBy)

/** `Nov 21`, with the year when it is another than this one. */
export const dayWords = (iso: string, now = new Date()): string => {
  const at = new Date(iso)
  const isThisYear = dayIn(at, zone).slice(0, 4) === dayIn(now, zone).slice(0, 4)
  return (isThisYear ? formats().day : formats().dayAndYear).format(at)
}

/** The whole instant, for a tooltip or a screen reader: `Friday, November 21, 2026 at 5:00 PM CST`. */
export const fullWords = (iso: string): string => formats().full.format(new Date(iso))

/** `3 hours ago`, `in 2 days`. */
export const agoWords = (iso: string, now = new Date()): string => {
  const seconds = (new Date(iso).getTime() - now.getTime()) / 1000
  if (Math.abs(seconds) < 45) return words.justNow
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? (['minute', 60] as const)
  return relative.format(Math.round(seconds / length), unit)
}

/** `2026-11` → `November 2026`. */
export const monthWords = (month: string): string => monthName.format(new Date(`${month}-01T12:00:00Z`))

/** Seconds → `2:04` or `1:02:04`, as a player writes it. */
export const clockWords = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const tail = `${h > 0 ? String(m).padStart(2, '0') : m}:${String(s).padStart(2, '0')}`
  return h > 0 ? `${h}:${tail}` : tail
}

/** Seconds → `40 s`, `35 min`, `2 h 5 min`. */
export const lengthWords = (seconds: number): string => {
  const whole = Math.max(1, Math.round(seconds))
  if (whole < 60) return words.seconds(whole)
  const minutes = Math.round(whole / 60)
  return minutes < 60 ? words.minutes(minutes) : words.hours(Math.floor(minutes / 60), minutes % 60)
}

/** Seconds → `2 min left`. */
export const leftWords = (seconds: number): string =>
  seconds < 5 ? words.fewSeconds : words.left(lengthWords(seconds < 60 ? Math.ceil(seconds / 5) * 5 : seconds))

/** Bytes → `4.2 MB`. */
export const sizeWords = (bytes: number): string => {
  const [unit, size] =
    bytes >= 1e9 ? (['GB', 1e9] as const) : bytes >= 1e6 ? (['MB', 1e6] as const) : (['kB', 1e3] as const)
  const amount = bytes / size
  return `${amount.toLocaleString(locale, { maximumFractionDigits: amount < 10 && unit !== 'kB' ? 1 : 0 })} ${unit}`
}

/** 0 to 1 → `42%`; never 100 before the end. */
export const percentWords = (part: number): string =>
  (part < 1 ? Math.min(0.99, Math.floor(part * 100) / 100) : 1).toLocaleString(locale, { style: 'percent' })

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const monthName = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

type Say = (time: string) => string

type Formats = Record<'time' | 'timeAndZone' | 'weekday' | 'day' | 'dayAndYear' | 'full', Intl.DateTimeFormat>

const formats = (): Formats => {
  const known = made.get(zone)
  if (known) return known
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
  const time = { hour: 'numeric', minute: '2-digit' } as const
  const all = {
    time: format(time),
    timeAndZone: format({ ...time, timeZoneName: 'short' }),
    weekday: format({ weekday: 'short' }),
    day: format({ month: 'short', day: 'numeric' }),
    dayAndYear: format({ month: 'short', day: 'numeric', year: 'numeric' }),
    full: format({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric', ...time, timeZoneName: 'short' }),
  }
  made.set(zone, all)
  return all
}
const made = new Map<string, Formats>()

// Somebody on a journey looks at other clocks: then a time says whose it is.
const isElsewhere = (at: Date): boolean => minuteIn(at, zone) !== at.getHours() * 60 + at.getMinutes()

const daysBetween = (from: Date, to: Date): number =>
  Math.round((Date.parse(dayIn(to, zone)) - Date.parse(dayIn(from, zone))) / 86_400_000)
