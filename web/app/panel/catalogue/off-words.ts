import type { Coupon } from '@clear-to-post/contract/catalogue'
import { moneyWords } from '../subscriptions/money.ts'
import { messages } from './messages.ts'

/** What it takes off, and for how long. */
export const offWords = ({ percentOff, amountOff, currency, months }: Coupon): string =>
  [
    percentOff === null
      ? messages.amountOff(moneyWords(amountOff ?? 0, currency ?? 'usd'))
      : messages.percentOff(percentOff),
    months === null ? messages.forGood : messages.forMonths(months),
  ].join(' ')
