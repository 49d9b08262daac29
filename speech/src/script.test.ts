import { expect, it } from 'vitest'
import { readScript } from './script.ts'

const said = (text: string) => readScript(text).map(({ units }) => units.map((unit) => unit[0]!.join(' ')).join(' '))

it('numbers, money, codes and abbreviations in a script are read as people say them', () => {
  expect(said('A $400,000 loan at 6.25%')).toEqual([
    'a',
    'four hundred thousand dollars',
    'loan',
    'at',
    'six point two five percent',
  ])
  expect(said('$1.2 million')).toEqual(['one point two', 'million dollars'])
  expect(said('a 30-year loan, the 21st of May')).toEqual([
    'a',
    'thirty year',
    'loan',
    'the',
    'twenty first',
    'of',
    'may',
  ])
  expect(said('NMLS #120456.')).toEqual(['N M L S', 'one two zero four five six'])
  expect(said('my 401(k) & harbor.com')).toEqual(['my', 'four oh one K', 'and', 'harbor dot com'])
  expect(readScript('1,130 homes in 1995')[0]!.units[0]).toContainEqual(
    'one thousand one hundred and thirty'.split(' '),
  )
  expect(readScript('1,130 homes in 1995')[3]!.units[0]).toContainEqual(['nineteen', 'ninety', 'five'])
})

it('a script’s words keep the text that captions show, and their sentence', () => {
  const words = readScript('Hi — it’s Dr. Lee [wave].\n• Call me\nToday!')
  expect(words.map(({ text, sentence }) => `${sentence}${text}`)).toEqual([
    '0Hi —',
    "0it's",
    '0Dr.',
    '0Lee.',
    '1Call',
    '1me',
    '2Today!',
  ])
})

it('a run of letters of two units is split so that captions can hold it, and no letter is halved', () => {
  for (const text of ['𝐀'.repeat(300), `${'a'.repeat(79)}${'😀b'.repeat(100)}`]) {
    const words = readScript(text)
    expect(words.map((word) => word.text).join('')).toBe(text)
    expect(words.every((word) => word.text.length <= 100 && word.text.isWellFormed())).toBe(true)
  }
})

it('a run of letters longer than 80 is split, so that captions can hold it', () => {
  const words = readScript(`Call ${'a'.repeat(3000)} now`)
  expect(Math.max(...words.map(({ text }) => text.length))).toBe(80)
  expect(words.map(({ text }) => text).join('')).toBe(`Call${'a'.repeat(3000)}now`)
})

it('marks between words make no word longer than a caption holds', () => {
  const words = readScript(`one ${'– '.repeat(1000)} two, [smile] three [four`)
  expect(words.map(({ text }) => text.replace(/( –)+$/, ''))).toEqual(['one', 'two,', 'three', '[four'])
  expect(words[0]!.text.length).toBeLessThanOrEqual(80)
})
