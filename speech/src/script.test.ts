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

it('times, ranges, ratios, fractions, signs and telephone numbers in a script are read as people say them', () => {
  for (const [written, read] of [
    ['5:30', 'five thirty'],
    ['5:05', 'five oh five'],
    ['3:00pm', 'three P M'],
    ['1:00-4:00', 'one to four'],
    ['20+', 'twenty plus'],
    ['~5%', 'about five percent'],
    ['-5%', 'minus five percent'],
    ['0%*', 'zero percent'],
    ['$1,000*', 'one thousand dollars'],
    ['$5-10', 'five dollars to ten dollars'],
    ['$.50', 'fifty cents'],
    ['.25%', 'point two five percent'],
    ['€500', 'five hundred euros'],
    ['2:1', 'two to one'],
    ['½', 'a half'],
    ['7½', 'seven and a half'],
    ['1/2', 'a half'],
    ['3-1/2%', 'three and a half percent'],
    ['24/7', 'twenty four seven'],
    ['$7.25/hr', 'seven dollars and twenty five cents per hour'],
    ['$2,000/month', 'two thousand dollars per month'],
    ['>=620', 'over six hundred twenty'],
    ['1st-time', 'first time'],
    ['1.5-2M', 'one point five to two million'],
    ['50k', 'fifty thousand'],
    ['¾%', 'three quarters percent'],
    ['(800)555-1212', 'eight zero zero five five five one two one two'],
    ['30‑year', 'thirty year'],
    ['٥٠٠', 'five hundred'],
    ['５％', 'five percent'],
    ['1️⃣', 'one'],
    ['constructor', 'constructor'],
  ] as const)
    expect(said(written), written).toEqual([read])
  // The text that captions show stays as it was written.
  expect(readScript('Open 1:00-4:00, ½ off*')[1]!.text).toBe('1:00-4:00,')
  expect(readScript('6 1/2%')[1]!.units[0]).toContainEqual(['and', 'a', 'half', 'percent'])
  expect(readScript('on 1/2')[1]!.units[0]).toContainEqual(['one', 'two'])
  // Not everybody says the sign, or the word between.
  expect(readScript('20+')[0]!.units[0]).toContainEqual(['twenty'])
  expect(readScript('1-2')[0]!.units[1]).toEqual([['to', 'two'], ['two']])
  expect(readScript('(800)555-1212')[0]!.units[0]).toContainEqual(['eight', 'hundred'])
})
