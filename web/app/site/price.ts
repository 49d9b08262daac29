import { locale } from '../language.ts'

/** Cents → `$149` or `$149.50`. */
export const formatPrice = (cents: number, currency: string): string =>
  (cents / 100).toLocaleString(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
  })
