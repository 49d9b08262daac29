import { expect, it, onTestFinished, vi } from 'vitest'
import { blankName, blanksForProfile, blanksIn, fillBlanks, knownBlanks } from './blanks.ts'

const script = '[smile] I am [name], NMLS [number], with [Company]. [pause] I live in [town]. Call [name]. [your story]'

it('blanks of a script are asked for once each, and notes on how to speak are none', () => {
  expect(blanksIn(script)).toEqual(['name', 'number', 'company', 'town', 'your story'])
  expect(blanksIn('No blanks [] here, [look at the camera] and [B-roll: the house].')).toEqual([])
})

it('blanks are filled however they are written, and stay where nothing is known', () => {
  const values = { name: 'Ana Lima', number: '123456', company: ' Harbor Point ', town: '' }
  expect(fillBlanks(script, values)).toBe(
    '[smile] I am Ana Lima, NMLS 123456, with Harbor Point. [pause] I live in [town]. Call Ana Lima. [your story]',
  )
  expect(fillBlanks('[constructor] [__proto__]', {})).toBe('[constructor] [__proto__]')
})

it('licences of the officer and the company fill their blanks, and are not asked for', () => {
  vi.stubGlobal('localStorage', { getItem: () => JSON.stringify({ number: '999', town: 'Salem' }) })
  onTestFinished(() => void vi.unstubAllGlobals())
  const { values, kept } = knownBlanks({
    id: 'o',
    name: 'Ana Lima',
    nmlsNumber: '120456',
    licenceStates: ['OR', 'WA'],
    companyLicences: { nmlsNumber: '3030', equalHousing: 'opportunity' },
  })
  expect(fillBlanks('NMLS [number], [states], [Company NMLS]. [equal housing]. [town]', values)).toBe(
    'NMLS 120456, Oregon and Washington, 3030. Equal Housing Opportunity. Salem',
  )
  for (const blank of ['number', 'states', 'equal housing']) expect(kept).toContain(blank)
})

it('the blank behind NMLS has a name of its own', () => {
  expect([blankName('number'), blankName('your story')]).toEqual(['NMLS number', 'Your story'])
})

it('words said for a blank go into an empty profile, and a licence number only where it is one', () => {
  const values = { number: 'NMLS #123456', phone: ' 312 555 0100 ', town: 'Springfield', 'your story': 'long' }
  const preferences = { phone: '312 555 0100', city: 'Springfield' }
  expect(blanksForProfile({}, values)).toEqual({ nmlsNumber: '123456', preferences })
  const isFeedbackEnabled = true
  expect(blanksForProfile({ preferences: { isFeedbackEnabled, city: 'Troy' } }, values)).toEqual({
    nmlsNumber: '123456',
    preferences: { phone: '312 555 0100' },
  })
  expect(blanksForProfile({}, { number: 'soon', name: 'Ana' })).toBeNull()
  expect(blanksForProfile({ nmlsNumber: '9', preferences: { isFeedbackEnabled, ...preferences } }, values)).toBeNull()
})
