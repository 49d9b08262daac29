import { crc32 } from 'node:zlib'
import type { Container } from './sniff-format.ts'

/**
 * A JPEG, PNG or WebP without what its camera or program wrote about it: where and when it was taken, with what, by whom, and
 * smaller pictures beside it. Its points stay as they came, and so do its colours and how it is to be turned. One that breaks off
 * is left out of the same, and ends where it broke off. Null where there is nothing to leave out, where no points are, and
 * where it is of more parts than any program writes. What it costs grows with the file alone, for nothing stops it.
 */
export function barePicture(file: Buffer, container: Container): Buffer | null {
  const kept = container in bare && file.length >= 16 ? bare[container as keyof typeof bare](file) : null
  return kept === null || kept.equals(file) ? null : kept
}

/** Programs write a thousandth of it; points in parts of 4 kB, of the largest picture that is looked at, are a sixth. */
const mostParts = 100_000

const bare = { jpeg: bareJpeg, png: barePng, webp: bareWebp }

function bareJpeg(file: Buffer): Buffer | null {
  const parts = [file.subarray(0, 2)]
  let turn = 1
  let [hasPoints, seen] = [false, 0]
  for (let at = 2; at + 2 <= file.length;) {
    const mark = file[at] === 0xff ? file[at + 1]! : 0
    if (mark === endOfJpeg) {
      parts.push(file.subarray(at, at + 2))
      break
    }
    // Any number of 0xff may stand before a mark, and readers look for the next one behind what is none.
    if (mark === 0xff || isWithinScan(mark)) at++
    else {
      if (at + 4 > file.length) break
      const end = at + 2 + file.readUInt16BE(at + 2)
      const part = file.subarray(at, end)
      if (part.length < 4 || end > file.length) break
      if (++seen > mostParts) return null
      if (mark === 0xe1 && part.toString('latin1', 4, 10) === 'Exif\0\0') turn = turnIn(part.subarray(10)) ?? turn
      if (isOfJpeg(mark, part)) parts.push(part)
      at = mark === scan ? endOfScan(file, end) : end
      if (mark === scan) parts.push(file.subarray(end, at))
      hasPoints ||= mark === scan
    }
  }
  return hasPoints ? Buffer.concat(withTurn(parts, turn)) : null
}

const scan = 0xda
const endOfJpeg = 0xd9

/** What its points need; of what programs add, the colours alone. */
function isOfJpeg(mark: number, part: Buffer): boolean {
  if (mark === 0xe2) return part.toString('latin1', 4, 16) === 'ICC_PROFILE\0'
  return mark !== 0xfe && (mark < 0xe0 || mark > 0xef || mark === 0xe0 || mark === 0xee)
}

/** Where the coded points end: at a mark that is none of theirs. */
function endOfScan(file: Buffer, from: number): number {
  let at = file.indexOf(0xff, from)
  while (at >= 0 && at + 1 < file.length && isWithinScan(file[at + 1]!)) at = file.indexOf(0xff, at + 1)
  return at < 0 ? file.length : at
}

const isWithinScan = (next: number) => next === 0 || (next >= 0xd0 && next <= 0xd7)

function withTurn([start, ...parts]: Buffer[], turn: number): Buffer[] {
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), turned(turn)])
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
  return [start!, ...(turn > 1 ? [head, exif] : []), ...parts]
}

function barePng(file: Buffer): Buffer | null {
  const parts = [file.subarray(0, 8)]
  let [hasPoints, seen] = [false, 0]
  for (let at = 8; at + 8 <= file.length;) {
    if (++seen > mostParts) return null
    const end = at + 12 + file.readUInt32BE(at)
    const part = file.subarray(at, end)
    const kind = part.toString('latin1', 4, 8)
    hasPoints ||= kind === 'IDAT'
    // Broken off within these points: what is read of them is what is there, and an end would count as more of them.
    if (end > file.length && kind === 'IDAT') return Buffer.concat([...parts, part])
    if (end > file.length) break
    const turn = kind === 'eXIf' ? (turnIn(part.subarray(8)) ?? 1) : 1
    if (turn > 1) parts.push(pngPart('eXIf', turned(turn)))
    if (ofPng.has(kind)) parts.push(part)
    if (kind === 'IEND') return Buffer.concat(parts)
    at = end
  }
  return hasPoints ? Buffer.concat([...parts, pngPart('IEND', Buffer.alloc(0))]) : null
}

/** Points, colours, clear parts; and those of an animation, which is refused elsewhere. */
const ofPng: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT'.split(' '),
)

function pngPart(kind: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

function bareWebp(file: Buffer): Buffer | null {
  const parts: Buffer[] = []
  const whole = Math.min(file.length, 8 + file.readUInt32LE(4))
  for (let at = 12, seen = 0; at + 8 <= whole;) {
    if (++seen > mostParts) return null
    const bytes = file.readUInt32LE(at + 4)
    const part = Buffer.from(file.subarray(at, at + 8 + bytes + (bytes % 2)))
    const kind = part.toString('latin1', 0, 4)
    const turn =
      kind === 'EXIF' ? (turnIn(part.subarray(part.toString('latin1', 8, 14) === 'Exif\0\0' ? 14 : 8)) ?? 1) : 1
    if (turn > 1) parts.push(webpPart('EXIF', turned(turn)))
    if (ofWebp.has(kind)) parts.push(part)
    at += 8 + bytes + (bytes % 2)
  }
  return parts.length > 0 ? webpOf(parts) : null
}

const ofWebp: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP', 'ANIM', 'ANMF'])

function webpPart(kind: string, content: Buffer): Buffer {
  const head = Buffer.from(`${kind}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content])
}

function webpOf(parts: Buffer[]): Buffer {
  const named = (kind: string) => parts.find((part) => part.toString('latin1', 0, 4) === kind)
  const flags = named('VP8X')
  // Its head tells which of these parts are there.
  if (flags) flags[8] = (flags[8]! & ~0x0c) | (named('EXIF') ? 0x08 : 0)
  return webpPart('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts]))
}

/** How a picture is to be turned (1 to 8), of what a camera wrote about it; undefined where that does not say so. */
function turnIn(exif: Buffer): number | undefined {
  const big = exif.toString('latin1', 0, 2) === 'MM'
  const short = (at: number) => (at + 2 > exif.length ? 0 : big ? exif.readUInt16BE(at) : exif.readUInt16LE(at))
  if (exif.length < 8) return undefined
  const first = big ? exif.readUInt32BE(4) : exif.readUInt32LE(4)
  const end = Math.min(exif.length - 12, first + 2 + 12 * (short(first) - 1))
  for (let at = first + 2; at <= end; at += 12)
    if (short(at) === 0x0112) {
      const turn = short(at + 8)
      return turn >= 1 && turn <= 8 ? turn : undefined
    }
  return undefined
}

/** That alone, as a camera would write it. */
function turned(turn: number): Buffer {
  return Buffer.from(
    `MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(turn)}\0\0\0\0\0\0`,
    'latin1',
  )
}
