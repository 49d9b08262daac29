import { expect, it } from 'vitest'
import { writeSrt } from '@clear-to-post/edit/subtitles'
import { cuesIn } from './player-captions.ts'

it('all words of a caption file are read, with what others take for tags', () => {
  const cues = [
    { start: 0, end: 1250, lines: ['Rates fell,', 'and <b>0% APR</b> {\\an8} & more'] },
    { start: 3_723_004, end: 3_724_000, lines: ['12', '00:00:01,000 --> 00:00:02,000'] },
    { start: 3_725_000, end: 3_726_000, lines: ['¿Cuánto?'] },
  ]
  expect(cuesIn(writeSrt(cues))).toEqual(cues)
  expect(cuesIn('')).toEqual([])
})
