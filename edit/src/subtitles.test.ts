import fc from 'fast-check'
import { expect, it } from 'vitest'
import { brand, take } from '../test/take.ts'
import { wholeRecipe } from './recipe.ts'
import { cuesOf, readSrt, readVtt, scriptIn, wordsOf, writeSrt, writeVtt, type Cue } from './subtitles.ts'

const line = fc
  .string({ unit: fc.constantFrom(...'abc é&<>"-. 3$…'.split('')), minLength: 1, maxLength: 30 })
  .map((text) => text.trim().replace(/\s+/g, ' '))
  .filter((text) => text !== '')
const cue = fc
  .record({
    start: fc.nat(200 * 3600_000),
    long: fc.integer({ min: 1, max: 9000 }),
    lines: fc.array(line, { minLength: 1, maxLength: 2 }),
  })
  .map(({ start, long, lines }): Cue => ({ start, end: start + long, lines }))

it('WebVTT that is written reads back the same, whatever the cues contain', () => {
  fc.assert(
    fc.property(fc.array(cue, { maxLength: 8 }), fc.string(), (cues, note) => {
      expect(readVtt(writeVtt(cues, note.includes('\n\n') ? '' : note))).toEqual(cues)
    }),
  )
})

it('SubRip that is written reads back the same', () => {
  const plain = cue.filter(({ lines }) => lines.every((text) => !/[<&]|-->/.test(text)))
  fc.assert(
    fc.property(fc.array(plain, { maxLength: 8 }), (cues) => {
      expect(readSrt(writeSrt(cues))).toEqual(cues)
    }),
  )
  expect(readSrt('1\r\n00:00:01,5 --> 0:00:02.000\r\n{\\an8}<i>Hi</i> &amp; bye\r\n')).toEqual([
    { start: 1005, end: 2000, lines: ['Hi & bye'] },
  ])
})

// The rules that the web platform's own tests try in webvtt/parsing/file-parsing; each row one of them.
const times = '00:00:00.000 --> 00:00:01.000'
const one = [{ start: 0, end: 1000, lines: ['text'] }]
it.each<[rule: string, file: string, cues: Cue[] | null]>([
  ['signature', `WEBVTT\n\n${times}\ntext`, one],
  ['signature with a byte order mark', `\uFEFFWEBVTT\n\n${times}\ntext`, one],
  ['signature and words', `WEBVTT\twords\n\n${times}\ntext`, one],
  ['signature glued', `WEBVTTwords\n\n${times}\ntext`, null],
  ['signature in small letters', `webvtt\n\n${times}\ntext`, null],
  ['nothing', '', null],
  ['header with garbage', `WEBVTT\ngarbage: yes\n\n${times}\ntext`, one],
  ['header runs into a cue', `WEBVTT\n${times}\ntext`, one],
  ['old and new ends of line', `WEBVTT\r\r${times}\r\ntext`, one],
  ['null', `WEBVTT\n\n${times}\nte\0xt`, [{ start: 0, end: 1000, lines: ['te\uFFFDxt'] }]],
  ['identifier, note, style', `WEBVTT\n\nSTYLE\n::cue {}\n\nNOTE no\nno\n\nan id\n${times}\ntext`, one],
  ['settings and spaces', `WEBVTT\n\n \t00:00:00.000\t-->  00:00:01.000 line:0 what\ntext`, one],
  ['no spaces at the arrow', `WEBVTT\n\n00:00.000-->00:01.000\ntext`, one],
  ['vertical tab is no space', `WEBVTT\n\n00:00:00.000\v--> 00:00:01.000\ntext`, []],
  ['an arrow where none may be', `WEBVTT\n\n-->\n${times}\ntext\nfoo-->`, one],
  ['arrow in two', `WEBVTT\n\n00:00:00.000 - -> 00:00:01.000\ntext`, []],
  ['minutes of sixty', `WEBVTT\n\n00:60:00.000 --> 00:60:01.000\ntext`, []],
  [
    'many hours',
    `WEBVTT\n\n100:00:00.000 --> 100:00:01.000\ntext`,
    [{ start: 360_000_000, end: 360_001_000, lines: ['text'] }],
  ],
  ['too many digits', `WEBVTT\n\n00:00:00.0000 --> 00:00:01.000\ntext`, []],
  ['too many digits at the end', `WEBVTT\n\n00:00:00.000 --> 00:00:01.0000\ntext`, []],
  ['too few digits', `WEBVTT\n\n0:00.000 --> 00:01.000\ntext`, []],
  ['one digit of hours', `WEBVTT\n\n0:00:00.000 --> 0:00:01.000\ntext`, one],
  ['ends before it begins', `WEBVTT\n\n00:01.000 --> 00:00.999\ntext`, [{ start: 1000, end: 999, lines: ['text'] }]],
  ['the file ends in the times', `WEBVTT\n\n00:00:00.000 --> 00:00`, []],
  [
    'tags and entities',
    `WEBVTT\n\n${times}\n<v Ada><b>te</b>&lt;&#120;<00:00:00.500>t`,
    [{ start: 0, end: 1000, lines: ['te<xt'] }],
  ],
  [
    'controls and halves of characters',
    `WEBVTT\n\n${times}\nte&#1;x&#x1B;t\u0002 &#xD800;end`,
    [{ start: 0, end: 1000, lines: ['text \uFFFDend'] }],
  ],
])('WebVTT is read as the W3C specifies: %s', (_, file, cues) => {
  expect(readVtt(file)).toEqual(cues)
})

it('scriptIn takes the spoken text out of WebVTT and SubRip files, and none out of ordinary text', () => {
  const cue =
    '00:09.000 --> 00:10.500 align:start\n- Next\n\n00:01.000 --> 00:02.500\n<v Bob>Rates &amp; <c.loud>points</c>\n[music]'
  expect(scriptIn(`WEBVTT - a title\n\nNOTE not this\n\n${cue}`)).toBe('Rates & points Next')
  expect(scriptIn('1\r\n00:00:01,000 --> 00:00:02,500\r\n{\\an8}<i>Rates</i>\r\n♪ points')).toBe('Rates points')
  expect(scriptIn('Home --> house: what changes?')).toBe('')
})

it('exported subtitles have two short lines at most, and break at punctuation', () => {
  const text = 'If you bought a home in the last two years, you might be sitting on an opportunity right now. Call me.'
  const source = take(20_000)
  const words = wordsOf([{ start: 0, end: 7000, lines: [text] }], source)
  const cues = cuesOf({ ...wholeRecipe([source], brand, 4), words })
  expect(cues.flatMap(({ lines }) => lines).join(' ')).toBe(text)
  expect(cues.every(({ lines }) => lines.length <= 2 && lines.every((one) => one.length <= 44))).toBe(true)
  expect(cues.map(({ lines }) => lines.at(-1)!.at(-1))).toEqual([',', '.', '.'])
})

it('a word longer than a caption holds is cut before a character, never through it', () => {
  const words = wordsOf([{ start: 0, end: 7000, lines: [`Hello ${'a'.repeat(99)}😀 world`] }], take(20_000))
  expect(words.map(({ text }) => text)).toEqual(['Hello', 'a'.repeat(99), 'world'])
})

it('brackets and tags that nobody closes stay as they are, however many there are', () => {
  const cue = (text: string) => `1\n00:00:00,000 --> 00:00:01,000\n${text}\n`
  for (const open of ['[', '<', '{\\'])
    expect(scriptIn(cue(`Hi [smile] <i>you</i>{\\an8} ${open.repeat(200_000)}`))).toBe(`Hi you ${open.repeat(200_000)}`)
})
