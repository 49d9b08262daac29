import { expect, test } from 'vitest'
import { fieldWords, valueWords } from './audit-row.tsx'

test('stored values are said as people say them', () => {
  expect(valueWords('is_active', 'true')).toBe('yes')
  expect(valueWords('role', 'User')).toBe('Loan officer')
  expect(valueWords('price', '599000', 'usd')).toBe('$5,990')
  expect(valueWords('price', '599000')).toBe('599000')
  expect(valueWords('scopes', '["videos.read", "scripts.read"]')).toBe('videos.read, scripts.read')
  expect(valueWords('four_eyes', 'three-people')).toBe('three')
  expect(valueWords('ended_by', 'password')).toBe('they chose a new password')
  expect(valueWords('act', 'let-rest')).toBe('let rest')
  expect(valueWords('kind', 'seats')).toBe('Payment for seats')
  expect(valueWords('name', 'Harbor Point')).toBe('Harbor Point')
})

test('the preferences of a person are more than their brand kit, and those of a company are it', () => {
  expect(fieldWords('preferences', 'person')).toBe('Brand kit, phone or preferences')
  expect(fieldWords('preferences.primaryColor', 'company')).toBe('Brand kit, primary color')
})
