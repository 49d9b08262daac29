import { figureNames, type Figures } from '@clear-to-post/domain/figures'
import { locale } from '../../language.ts'
import { messages } from './messages.ts'

const number = new Intl.NumberFormat(locale)

/** How often something was seen and answered, in a line; what a network does not tell is left out. */
export const figureWords = (figures: Figures): string =>
  figureNames
    .flatMap((name) => {
      const count = figures[name]
      // A line breaks between two figures, never within one.
      return count === undefined ? [] : [figureText(name, count).replaceAll(' ', '\u00a0')]
    })
    .join(' · ')

const figureText = (name: keyof Figures, count: number): string =>
  name === 'watchSeconds'
    ? messages.watched(
        count < 3600 ? messages.minutes(Math.round(count / 60)) : messages.hours(Math.round(count / 3600)),
      )
    : messages.figure[name](number.format(count), count)

/** The days of the week as the panel's language writes them; 1 is Monday. */
export const weekdayName = (weekday: number): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday))

/** An hour of the day as the panel's language writes it. */
export const hourName = (hour: number): string =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1, hour))
