import { catalogue } from '@clear-to-post/contract/catalogue'
import type { CallInput } from '@clear-to-post/contract/call'
import { centsOf } from '../subscriptions/money.ts'
import { least, most } from './form.ts'
import { messages } from './messages.ts'

/** A coupon as it is written; what may stay empty is empty. */
export type WrittenCoupon = {
  code: string
  kind: 'percent' | 'amount'
  value: string
  months: string
  /** `2026-12-31`. */
  lastDay: string
  mostUses: string
}

/** What is wrong with it, by field. */
export const wrongOf = (coupon: WrittenCoupon, now: Date): Partial<Record<keyof WrittenCoupon, string>> => {
  const { code, kind, value, months, lastDay, mostUses } = coupon
  const cents = centsOf(value)
  const isRight = kind === 'percent' ? wholeIn(value, 1, 100) : cents !== null && cents >= least && cents <= most
  return {
    ...(/^[A-Z0-9][A-Z0-9_-]{2,39}$/.test(code.trim()) ? {} : { code: messages.wrongCode }),
    ...(isRight ? {} : { value: kind === 'percent' ? messages.wrongPercent : messages.wrongPrice }),
    ...(months === '' || wholeIn(months, 1, 36) ? {} : { months: messages.wrongMonths }),
    ...(mostUses === '' || wholeIn(mostUses, 1, 1_000_000) ? {} : { mostUses: messages.wrongUses }),
    ...(lastDay === '' ? {} : wrongDayOf(endOf(lastDay), now)),
  }
}

/** What is sent of one that nothing is wrong with. */
export const couponOf = ({
  code,
  kind,
  value,
  months,
  lastDay,
  mostUses,
}: WrittenCoupon): CallInput<typeof catalogue.createCoupon>['body'] => ({
  id: code.trim(),
  ...(kind === 'percent' ? { percentOff: Number(value) } : { amountOff: centsOf(value)!, currency: 'usd' }),
  ...(months === '' ? {} : { months: Number(months) }),
  ...(lastDay === '' ? {} : { redeemBy: endOf(lastDay).toISOString() }),
  ...(mostUses === '' ? {} : { mostUses: Number(mostUses) }),
})

const wholeIn = (text: string, from: number, to: number): boolean =>
  /^\d{1,7}$/.test(text.trim()) && Number(text) >= from && Number(text) <= to

const wrongDayOf = (end: Date, now: Date): { lastDay?: string } => {
  // A day less than five years: the provider keeps no later one, by any clock.
  const last = new Date(now.getFullYear() + 5, now.getMonth(), now.getDate() - 1)
  return end <= now ? { lastDay: messages.dayOver } : end >= last ? { lastDay: messages.dayTooFar } : {}
}

/** The end of a day where the reader is. */
const endOf = (day: string): Date => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + 1)
}
