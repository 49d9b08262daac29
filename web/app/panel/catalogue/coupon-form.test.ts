import { expect, test } from 'vitest'
import { couponOf, wrongOf, type WrittenCoupon } from './coupon-form.ts'

const percent: WrittenCoupon = { code: 'TEN', kind: 'percent', value: '10', months: '', lastDay: '', mostUses: '' }
const now = new Date(2026, 11, 31, 23, 59)

test('a coupon is sent with what was written, and without what was left empty', () => {
  expect(couponOf(percent)).toEqual({ id: 'TEN', percentOff: 10 })
  expect(
    couponOf({ code: ' FIVE ', kind: 'amount', value: '$5.50', months: '3', lastDay: '2026-12-31', mostUses: '100' }),
  ).toEqual({
    id: 'FIVE',
    amountOff: 550,
    currency: 'usd',
    months: 3,
    redeemBy: new Date(2027, 0, 1).toISOString(),
    mostUses: 100,
  })
})

test('a fault of a coupon is told at its field, and its last day counts until its end', () => {
  expect(wrongOf(percent, now)).toEqual({})
  expect(wrongOf({ ...percent, lastDay: '2026-12-31' }, now)).toEqual({})
  expect(Object.keys(wrongOf({ ...percent, lastDay: '2026-12-30' }, now))).toEqual(['lastDay'])
  // The provider keeps none for five years.
  expect(wrongOf({ ...percent, lastDay: '2031-12-28' }, now)).toEqual({})
  expect(Object.keys(wrongOf({ ...percent, lastDay: '2031-12-31' }, now))).toEqual(['lastDay'])
  for (const value of ['', '0', '101', '1.5', 'ten'])
    expect(Object.keys(wrongOf({ ...percent, value }, now))).toEqual(['value'])
  expect(Object.keys(wrongOf({ ...percent, kind: 'amount', value: '0.49' }, now))).toEqual(['value'])
  const all = { ...percent, code: 'A', value: 'x', months: '37', mostUses: '0' }
  expect(Object.keys(wrongOf(all, now))).toEqual(['code', 'value', 'months', 'mostUses'])
})
