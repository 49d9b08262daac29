import { expect, it } from 'vitest'
import { blankName, blanksForProfile, blanksIn, fillBlanks } from './blanks.ts'

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

it('the blank behind NMLS has a name of its own', () => {
  expect([blankName('number'), blankName('your story')]).toEqual(['NMLS number', 'Your story'])
})

it('what was said for a blank goes into the profile where that is empty, and a licence number only in digits', () => {
  const values = { number: '123456', phone: ' 312 555 0100 ', town: 'Springfield', 'your story': 'long' }
  const all = { nmlsNumber: '123456', phone: '312 555 0100', city: 'Springfield' }
  expect(blanksForProfile({}, values)).toEqual(all)
  expect(blanksForProfile({ preferences: { isFeedbackEnabled: true, city: 'Troy' } }, values)).toEqual({
    nmlsNumber: '123456',
    phone: '312 555 0100',
  })
  expect(blanksForProfile({}, { number: 'soon', name: 'Ana' })).toBeNull()
  expect(blanksForProfile({ preferences: { isFeedbackEnabled: true, ...all } }, values)).toBeNull()
})
