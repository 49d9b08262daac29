import { expect, test } from 'vitest'
import { centsOf } from './money.ts'

test('an amount is read in cents, and one that can be read in two ways is not read', () => {
  const read = ['1.25', '$149', ' 1,250.5 ', '1,000,000', '0.10', '150'].map(centsOf)
  expect(read).toEqual([125, 14_900, 125_050, 100_000_000, 10, 15_000])
  for (const unclear of ['', '1,50', '1e3', '1.255', '12,34.00', ',5', '.5', '-1', '1 000', '0x10', '1.', '$', '١'])
    expect([unclear, centsOf(unclear)]).toEqual([unclear, null])
})
