/** One caption of a subtitle file; whole milliseconds. */
export type Cue = { start: number; end: number; text: string }

/**
 * The captions of an SRT or WebVTT file, in order of time, without their styling. Throws an Error that says what is
 * wrong when the text is neither.
 */
export function readSubtitles(file: string): Cue[] {
  const text = file
    .replace(/^\uFEFF/, '')
    .replaceAll('\0', '\uFFFD')
    .replace(/\r\n?/g, '\n')
  const cues: Cue[] = []
  for (const block of text.split(/\n[ \t]*\n+/)) {
    const lines = block.split('\n')
    if (/^(WEBVTT|NOTE|STYLE|REGION)\b/.test(lines[0]!) && !lines.some((line) => line.includes('-->'))) continue
    const at = lines.findIndex((line) => line.includes('-->'))
    if (at < 0) continue
    const timing = /^\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{3})\s*-->\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{3})(?:\s.*)?$/.exec(
      lines[at]!,
    )
    if (!timing) continue
    const [start, end] = [ms(timing[1]!), ms(timing[2]!)]
    const words = plain(lines.slice(at + 1).join(' '))
    if (end > start && words) cues.push({ start, end, text: words })
  }
  if (cues.length === 0) throw new Error('No captions were found in this file. Choose an SRT or VTT file.')
  return cues.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/** What a person typed or what captions say, as the script that the recording is then aligned with. */
export function scriptOf(cues: readonly Cue[]): string {
  return cues.map(({ text }) => text).join(' ')
}

function ms(stamp: string): number {
  const [seconds, minutes, hours = '0'] = stamp.replace(',', '.').split(':').toReversed()
  return Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Math.round(Number(seconds) * 1000)
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', quot: '"', lrm: '', rlm: '' }

function plain(text: string): string {
  return (
    text
      .replace(/<[^>]*>/g, '')
      .replace(/\{\\[^}]*\}/g, '')
      .replace(/&(#x?[\da-f]+|\w+);/gi, (whole, name: string) => {
        if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole
        const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1))
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD'
      })
      // Speaker dashes and what is described instead of said.
      .replace(/\[[^\]]*\]|♪/g, ' ')
      .replace(/(^|\s)[-–]\s+/g, '$1')
      .replace(/\s+/g, ' ')
      .trim()
  )
}
