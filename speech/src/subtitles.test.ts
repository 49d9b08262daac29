import { expect, it } from 'vitest'
import { kennedy } from '../test/samples.ts'
import { shareOut } from './share-out.ts'
import { readSubtitles, scriptOf } from './subtitles.ts'

it('reads SRT and WebVTT alike', () => {
  const vtt =
    'WEBVTT - a title\n\nNOTE not this\n00:09.000\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:02.500 align:start line:90%\n<v Bob>Rates &amp; <c.loud>points</c>\n\n01:00:03.250 --> 01:00:04.000\n- Next\n'
  const srt =
    '\uFEFF1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Rates &#38; points</i>\r\n\r\n2\r\n01:00:03,250 --> 01:00:04,000\r\n[music] Next\r\n'
  const cues = [
    { start: 1000, end: 2500, text: 'Rates & points' },
    { start: 3_603_250, end: 3_604_000, text: 'Next' },
  ]
  expect(readSubtitles(vtt)).toEqual(cues)
  expect(readSubtitles(srt)).toEqual(cues)
  expect(scriptOf(cues)).toBe('Rates & points Next')
  expect(() => readSubtitles('just a letter')).toThrow('Choose an SRT or VTT file')
})

it('shares words out between silences where nothing can listen, and says so', () => {
  const found = shareOut(kennedy.samples, kennedy.script, 's1')
  expect(found.means).toBe('shared-out')
  expect(found.notes[0]).toContain('estimated')
  expect(found.words.map(({ text }) => text).join(' ')).toBe(kennedy.script)
  found.words.forEach((word, i) => {
    expect(word.start).toBeGreaterThanOrEqual(found.words[i - 1]?.end ?? 0)
    expect(Math.abs(word.start / 1000 - kennedy.words[i]!.start)).toBeLessThan(2)
  })
})
