import { formatPrice } from '../../site/price.ts'

/**
 * An amount as somebody writes it (`149`, `$1,250.50`) → cents; null for what can be read in two ways, such as `1,50`.
 */
export const centsOf = (written: string): number | null =>
  /^\$?(\d{1,3}(,\d{3})+|\d{1,9})(\.\d{1,2})?$/.test(written.trim())
    ? Math.round(Number(written.replace(/[$,\s]/g, '')) * 100)
    : null

/** Cents as a spreadsheet adds them up: `149.00`. */
export const sumWords = (cents: number): string => (cents / 100).toFixed(2)

/** Cents → `$149` or `−$12.50`. */
export const moneyWords = (cents: number, currency: string): string =>
  cents < 0 ? `−${formatPrice(-cents, currency)}` : formatPrice(cents, currency)
