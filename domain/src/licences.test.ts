import { expect, it } from 'vitest'
import { licenceStateCodes, nmlsDigits, smallPrint } from './licences.ts'

it('an NMLS number is read however people write it, and nothing else is one', () => {
  for (const written of [
    '120456',
    ' 120 456 ',
    'NMLS #120456',
    'nmls 120456',
    'NMLS ID 120456',
    '#120456',
    'NMLS No. 120456',
  ])
    expect(nmlsDigits(written), written).toBe('120456')
  for (const written of ['', ' ', 'NMLS', 'NMLS #']) expect(nmlsDigits(written), written).toBe('')
  for (const written of ['12a456', '12-456', 'pending', '12345678901', '١٢٣٤'])
    expect(nmlsDigits(written), written).toBe(null)
})

it('the small print names what is known, and is empty where nothing is', () => {
  const company = { nmlsNumber: '3030', equalHousing: 'lender' } as const
  expect(smallPrint({ nmlsNumber: '120456', company })).toBe('NMLS #120456 · Company NMLS #3030 · Equal Housing Lender')
  expect(smallPrint({ nmlsNumber: '120456', company: null })).toBe('NMLS #120456')
  expect(smallPrint({ nmlsNumber: null, company: { nmlsNumber: null, equalHousing: 'opportunity' } })).toBe(
    'Equal Housing Opportunity',
  )
  expect(smallPrint({ nmlsNumber: null, company: { nmlsNumber: null, equalHousing: null } })).toBe('')
})

it('the fifty states, the District and three territories are each there once', () => {
  expect(new Set(licenceStateCodes).size).toBe(54)
})
