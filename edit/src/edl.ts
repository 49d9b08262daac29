import { placed, type CutItem, type Cuts } from './cuts.ts'
import type { Fps } from './frames.ts'

/**
 * CMX 3600, the list that every program reads: one line a cut, two lines a dissolve, timecode without dropped numbers.
 * The finished video begins at 01:00:00:00, a recording at 00:00:00:00.
 */
export const writeEdl = (cuts: Cuts): string => {
  const base = Math.round(cuts.fps.num / cuts.fps.den)
  const code = (frame: number) => timecode(frame, base)
  const names = new Map(cuts.media.map(({ id, name }) => [id, name]))
  const sound = new Map(cuts.media.map(({ id, hasSound }) => [id, hasSound]))
  const items = placed(cuts.items)
  const lines = [`TITLE: ${oneLine(cuts.title) || 'Untitled'}`, 'FCM: NON-DROP FRAME']
  if (cuts.jobCode) lines.push(`* JOB CODE: ${cuts.jobCode}`)
  lines.push('')
  items.forEach((item, i) => {
    const number = String(i + 1).padStart(3, '0')
    const event = (reel: string, track: string, kind: string, times: number[]) =>
      lines.push(`${number}  ${reel.padEnd(8)} ${track.padEnd(5)} ${kind.padEnd(8)} ${times.map(code).join(' ')}`)
    const [start, end] = [hour(base) + item.at, hour(base) + item.at + item.frames]
    if (item.kind === 'gap') {
      event('BL', 'B', 'C', [0, item.frames, start, end])
      lines.push(`* FROM CLIP NAME: ${item.name}`)
      return
    }
    const track = sound.get(item.media) ? 'B' : 'V'
    const [before, next] = [items[i - 1], items[i + 1]]
    // By the book a clip ends in the list where the dissolve out of it begins.
    const lent = next?.kind === 'clip' ? next.fade : 0
    const times = [item.from, item.to - lent, start, end - lent]
    if (item.fade && before?.kind === 'clip') {
      // A dissolve names what it leaves, at the frame where it begins, with no length.
      const left = before.to - item.fade
      event('AX', track, 'C', [left, left, start, start])
      event('AX', track, `D    ${String(item.fade).padStart(3, '0')}`, [item.from, item.to, start, end])
      lines.push(
        `* FROM CLIP NAME: ${oneLine(names.get(before.media)!)}`,
        `* TO CLIP NAME: ${oneLine(names.get(item.media)!)}`,
      )
    } else {
      event('AX', track, 'C', times)
      lines.push(`* FROM CLIP NAME: ${oneLine(names.get(item.media)!)}`)
    }
  })
  return `${lines.join('\n')}\n`
}

/**
 * Reads a list back. What is not a cut or a dissolve of a named clip is passed over.
 *
 * @param fps the list does not say it; the project does
 */
export const readEdl = (text: string, fps: Fps): Cuts | null => {
  const base = Math.round(fps.num / fps.den)
  const cuts: Cuts = { title: '', jobCode: null, fps, size: { width: 0, height: 0 }, media: [], items: [] }
  const ends: { start: number; end: number }[] = []
  let open: { number: string; item: Extract<CutItem, { kind: 'clip' }>; black: boolean }[] = []
  let events = 0
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)) {
    const title = /^TITLE:\s*(.*)$/i.exec(line)
    if (title) cuts.title = title[1]!.trim()
    const job = /^\*\s*JOB CODE:\s*(\S+)/i.exec(line)
    if (job) cuts.jobCode = job[1]!
    const event =
      /^(\d{3,6})\s+(\S+)\s+\S+\s+([CD])\s+(?:(\d{1,3})\s+)?((?:\d\d[:;.]){3}\d\d)\s+((?:\d\d[:;.]){3}\d\d)\s+((?:\d\d[:;.]){3}\d\d)\s+((?:\d\d[:;.]){3}\d\d)\s*$/.exec(
        line,
      )
    if (event) {
      const [, number, reel, kind, length, ...codes] = event
      const [from, to, start, end] = codes.map((code) => frameOf(code, base)) as [number, number, number, number]
      events++
      open = open.filter((one) => one.number === number)
      if (to <= from) continue
      const item = { kind: 'clip' as const, media: reel!, from, to, fade: kind === 'D' ? Number(length ?? 0) : 0 }
      const black = reel === 'BL'
      open.push({ number: number!, item, black })
      if (black) cuts.items.push({ kind: 'gap', name: 'Black', frames: to - from })
      else cuts.items.push(item)
      ends.push({ start, end })
      continue
    }
    const name = /^\*\s*(FROM|TO) CLIP NAME:\s*(.*?)\s*$/i.exec(line)
    const last = open.at(-1)
    if (!name || !last) continue
    if (last.black) {
      const gap = cuts.items.at(-1)
      if (gap?.kind === 'gap') gap.name = name[2]!
    } else if (last.item.fade === 0 || name[1]!.toUpperCase() === 'TO') last.item.media = name[2]!
  }
  if (!events) return null
  cuts.media = [...new Set(cuts.items.flatMap((item) => (item.kind === 'clip' ? [item.media] : [])))].map((name) => ({
    id: name,
    name,
    frames: Math.max(...cuts.items.map((item) => (item.kind === 'clip' && item.media === name ? item.to : 0))),
    hasSound: true,
  }))
  cuts.items = cuts.items.map((item, i) => {
    const [here, before] = [ends[i]!, cuts.items[i - 1]]
    if (item.kind !== 'clip' || !item.fade || before?.kind !== 'clip') return item
    // It plays on beneath the dissolve; some programs write that down already.
    if (ends[i - 1]!.end <= here.start) before.to += item.fade
    return item
  })
  return cuts
}

const hour = (base: number): number => 3600 * base

/** The frame's number as hh:mm:ss:ff. */
const timecode = (frame: number, base: number): string => {
  const two = (value: number) => String(value).padStart(2, '0')
  const seconds = Math.floor(frame / base)
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, frame % base].map(two).join(':')
}

const frameOf = (code: string, base: number): number => {
  const [h, m, s, f] = code.split(/[:;.]/).map(Number) as [number, number, number, number]
  return ((h * 60 + m) * 60 + s) * base + f
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
