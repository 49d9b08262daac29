import { formatPrice } from '../../site/price.ts'

/** Cents → `$149` or `−$12.50`. */
export const moneyWords = (cents: number, currency: string): string =>
  cents < 0 ? `−${formatPrice(-cents, currency)}` : formatPrice(cents, currency)
