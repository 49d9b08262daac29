import { expect, test } from 'vitest'
import { chargeState } from './charge-state.ts'

test('a payment that its bank took back is not called paid, and one of which a part was says how much', () => {
  const paid = { paid: true, status: 'succeeded', price: 10_000, currency: 'usd' }
  expect(chargeState(paid)).toEqual({ words: 'Paid', tone: 'good' })
  expect(chargeState({ ...paid, disputed: 10_000 })).toEqual({ words: 'Taken back by the bank', tone: 'warn' })
  expect(chargeState({ ...paid, disputed: 2500 })).toEqual({ words: 'Paid, and the bank took $25 back', tone: 'warn' })
  expect(chargeState({ ...paid, paid: false, status: 'failed' })).toEqual({ words: 'Failed', tone: 'danger' })
})
