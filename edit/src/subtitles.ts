import { cutText } from '@clear-to-post/domain/cut-text'
import { layout } from './captions.ts'
import { msAt } from './frames.ts'
import type { Recipe, Source, Word } from './recipe.ts'
import { spokenWords, timelineOf } from './timeline.ts'
import { translatedWords } from './translation.ts'

/** Lines of text on the clock of a file, in whole milliseconds. */
export type Cue = { start: number; end: number; lines: readonly string[] }

/**
 * The video's subtitles for a file: two lines of about forty letters, with all punctuation, whatever style is drawn. In the
 * language that is spoken, or the second one.
 */
export const cuesOf = (recipe: Recipe, language: 'spoken' | 'second' = 'spoken'): Cue[] => {
  const timeline = timelineOf(recipe)
  const { captions } = recipe
  const pages = layout(
    (language === 'second' ? translatedWords : spokenWords)(recipe, timeline),
    { ...captions, on: true, style: 5, size: 1, position: null },
    { width: 1920, height: 1080 },
    recipe.brand,
    (text) => text.length / 2,
    timeline.fps,
    timeline.frames - timeline.close,
  )
  return pages.map((page) => ({
    start: msAt(page.from, timeline.fps),
    end: msAt(page.to, timeline.fps),
    lines: page.lines.map((line) => line.map(({ written }) => written).join(' ')),
  }))
}

// A break within a line would end its cue and begin another.
const oneLineEach = (lines: readonly string[]): string[] => lines.map((line) => line.replace(/\s+/g, ' ').trim())

export const writeSrt = (cues: readonly Cue[]): string =>
  cues
    .map(
      ({ start, end, lines }, i) =>
        `${i + 1}\n${stamp(start, ',')} --> ${stamp(end, ',')}\n${oneLineEach(lines).join('\n')}\n`,
    )
    .join('\n')

/** @param note a remark at the top, such as the job code */
export const writeVtt = (cues: readonly Cue[], note = ''): string =>
  [
    `WEBVTT\n`,
    ...(note ? [`NOTE ${note.replace(/-->/g, '→').replace(/\s+/g, ' ')}\n`] : []),
    ...cues.map(
      ({ start, end, lines }) =>
        `${stamp(start, '.')} --> ${stamp(end, '.')}\n${oneLineEach(lines).map(escaped).join('\n')}\n`,
    ),
  ].join('\n')

/** SubRip, as forgiving as players are: with or without numbers, comma or dot, tags taken off. */
export const readSrt = (text: string): Cue[] => {
  const cues: Cue[] = []
  for (const block of linesOf(text)
    .join('\n')
    .split(/\n[ \t]*\n/)) {
    const lines = block.split('\n').filter((line) => line.trim() !== '')
    const at = lines.findIndex((line) => srtTimes.test(line))
    if (at < 0) continue
    const times = srtTimes
      .exec(lines[at]!)!
      .slice(1)
      .map((part) => Number(part ?? 0))
    const [start, end] = [times.slice(0, 4), times.slice(4)].map(
      ([h, m, s, ms]) => ((h! * 60 + m!) * 60 + s!) * 1000 + ms!,
    )
    const words = lines
      .slice(at + 1)
      .map((line) => plainText(line.replace(/\{\\[^}]*(?:\}|$)/g, (found) => (found.endsWith('}') ? '' : found))))
    if (words.length) cues.push({ start: start!, end: end!, lines: words })
  }
  return cues
}

/**
 * WebVTT by the parser of the W3C (https://www.w3.org/TR/webvtt1/, 6.1 to 6.3): cues with broken times are left out, all
 * others stay, also those that end before they begin. Null when the file does not begin as WebVTT must.
 */
export const readVtt = (text: string): Cue[] | null => {
  const lines = linesOf(text)
  if (!/^WEBVTT(?:[ \t].*)?$/.test(lines[0] ?? '')) return null
  const cues: Cue[] = []
  let at = 1
  // The header is a block that holds no cue.
  if (lines[at] !== '') at = block(lines, at, true).next
  while (at < lines.length) {
    if (lines[at] === '') {
      at++
      continue
    }
    const found = block(lines, at, false)
    if (found.cue) cues.push(found.cue)
    at = found.next
  }
  return cues
}

/**
 * What is said in a subtitle file, WebVTT or SubRip, as a script to align a recording with: in order of time, without
 * styling, without the dash before a speaker and what is described instead of said. Empty when the file holds no cue.
 */
export const scriptIn = (file: string): string =>
  saidIn(file)
    .flatMap(({ lines }) => lines)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()

/** The same as cues with their times; `lines` is one line each. Empty when the file holds no cue. */
export const saidIn = (file: string): Cue[] =>
  (readVtt(file) ?? readSrt(file))
    .filter(({ start, end }) => end > start)
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map((cue) => ({
      ...cue,
      lines: [
        cue.lines
          .join(' ')
          .replace(/\[[^\]]*(?:\]|$)|♪/g, (found) => (/[\]♪]$/.test(found) ? ' ' : found))
          .replace(/(^|\s)[-–]\s+/g, '$1'),
      ],
    }))

/**
 * Words out of cues that stand on a source's own clock: the letters share the time of their cue, so their confidence is
 * low.
 */
export const wordsOf = (cues: readonly Cue[], source: Pick<Source, 'id' | 'durationMs'>): Word[] => {
  const words: Omit<Word, 'id'>[] = []
  for (const { start, end, lines } of cues.toSorted((a, b) => a.start - b.start)) {
    const texts = lines.join(' ').split(/\s+/).filter(Boolean)
    const until = Math.min(end, source.durationMs)
    const letters = texts.reduce((sum, text) => sum + text.length + 1, 0)
    if (until - start < texts.length) continue
    let before = 0
    for (const text of texts) {
      const from = start + Math.floor(((until - start) * before) / letters)
      before += text.length + 1
      const to = start + Math.floor(((until - start) * before) / letters)
      words.push({
        source: source.id,
        text: cutText(text, 100),
        start: from,
        end: Math.max(from + 1, to),
        confidence: 0.3,
        origin: 'typed',
        estimated: true,
      })
    }
  }
  return words.toSorted((a, b) => a.start - b.start).map((word, i) => ({ ...word, id: `w${i + 1}` }))
}

const srtTimes = /^\s*(?:(\d+):)?(\d{1,2}):(\d{1,2})[,.](\d{1,3})\s*-->\s*(?:(\d+):)?(\d{1,2}):(\d{1,2})[,.](\d{1,3})/
const vttStamp = String.raw`(?:(\d+):([0-5]\d)|([0-5]\d)):([0-5]\d)\.(\d{3})(?!\d)`
const vttTimes = new RegExp(String.raw`^[ \t\f]*${vttStamp}[ \t\f]*-->[ \t\f]*${vttStamp}`)

const linesOf = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .replace(/\0/g, '\uFFFD')
    .replace(/\r\n?/g, '\n')
    .split('\n')

/** One block of the file: a cue, a note, a style, a region, or the header. */
const block = (lines: string[], from: number, header: boolean): { cue: Cue | null; next: number } => {
  let cue: Cue | null = null
  let arrow = false
  let text: string[] = []
  let at = from
  for (; at < lines.length; at++) {
    const line = lines[at]!
    const count = at - from + 1
    if (line.includes('-->')) {
      if (header || !(count === 1 || (count === 2 && !arrow))) break
      arrow = true
      text = []
      const times = vttTimes.exec(line)
      cue = times && { start: msOf(times.slice(1, 6)), end: msOf(times.slice(6, 11)), lines: [] }
    } else if (line === '') break
    else text.push(line)
  }
  // An arrow where none may be begins the next block, but a block always takes a line.
  return { cue: cue && { ...cue, lines: text.map(plainText) }, next: Math.max(at, header ? from : from + 1) }
}

const msOf = ([hours, minutes, only, seconds, ms]: (string | undefined)[]): number =>
  ((Number(hours ?? 0) * 60 + Number(minutes ?? only)) * 60 + Number(seconds)) * 1000 + Number(ms)

const stamp = (ms: number, point: ',' | '.'): string => {
  const two = (value: number) => String(value).padStart(2, '0')
  const seconds = Math.floor(ms / 1000)
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${point}${String(ms % 1000).padStart(3, '0')}`
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u00A0',
  lrm: '\u200E',
  rlm: '\u200F',
  quot: '"',
  apos: "'",
}

// No control characters and no halves of one, however they are written: nobody sees them, and no edit may hold them.
const plainText = (line: string): string =>
  line
    .replace(/<[^>]*(?:>|$)/g, (found) => (found.endsWith('>') ? '' : found))
    .replace(/&(?:(\w+)|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (whole, name: string, decimal: string, hex: string) => {
      if (name) return entities[name] ?? whole
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD'
    })
    .replace(/[^\P{Cc}\t]/gu, '')
    .toWellFormed()
