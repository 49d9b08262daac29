import { readFileSync } from 'node:fs'
import { children } from '../src/boxes.ts'
import { box, nameOf, number } from './second-kind.ts'

/** So many samples in a row are shown so many seconds later than they are decoded, or earlier where that is below zero. */
export type Shift = [samples: number, seconds: number]

/**
 * An MP4 with its index behind the rest whose tracks have no edit list, and show their samples at other moments. Its header names
 * a length of `seconds`.
 */
export function withShifts(file: string, shifts: readonly Shift[], seconds: number): Buffer {
  const top = [...children(readFileSync(file), 0)]
  const index = top.pop()!
  if (nameOf(index) !== 'moov') throw new Error('The index stands in front')
  // Units a second: of the film, and then of each track.
  let film = 0
  let track = 0
  const changed = (one: Buffer): Buffer => {
    const name = nameOf(one)
    if (name === 'mvhd') film = one.readUInt32BE(20)
    if (name === 'mdhd') track = one.readUInt32BE(20)
    if (name === 'mvhd' || name === 'mdhd') return named(one, 24, seconds * one.readUInt32BE(20))
    if (name === 'tkhd') return named(one, 28, seconds * film)
    if (!inside.has(name)) return one
    const parts = [...children(one, 8)].filter((part) => !['edts', 'ctts'].includes(nameOf(part))).map(changed)
    return box(name, ...parts, ...(name === 'stbl' ? [list(shifts, track)] : []))
  }
  return Buffer.concat([...top, changed(index)])
}

const inside = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])

function named(one: Buffer, at: number, length: number): Buffer {
  const bytes = Buffer.from(one)
  bytes.writeUInt32BE(Math.round(length), at)
  return bytes
}

function list(shifts: readonly Shift[], units: number): Buffer {
  const rows = shifts.flatMap(([samples, seconds]) => [number(samples), number(Math.round(seconds * units) >>> 0)])
  return box('ctts', number(1 << 24), number(shifts.length), ...rows)
}

/**
 * A Matroska file whose blocks from the cluster `from` on come before zero, which ffmpeg takes for having no time, and whose header
 * names the length `ms`.
 */
export function withoutTimes(file: string, from: number, ms: number): Buffer {
  const bytes = Buffer.from(readFileSync(file))
  let cluster = -1
  const walk = (begin: number, end: number) => {
    for (let at = begin; at < end;) {
      const [id, idLength] = [bytes.toString('hex', at, at + widthOf(bytes[at]!)), widthOf(bytes[at]!)]
      const lengthLength = widthOf(bytes[at + idLength]!)
      const content = at + idLength + lengthLength
      const length = valueOf(bytes.subarray(at + idLength, content))
      if (holders.has(id)) {
        if (id === '1f43b675') cluster++
        walk(content, content + length)
      }
      if (id === '4489') bytes.writeDoubleBE(ms, content)
      if (id === 'e7' && cluster >= from) bytes.fill(0, content, content + length)
      // A block begins with its track, and then its time within the cluster.
      if ((id === 'a3' || id === 'a1') && cluster >= from)
        bytes.writeInt16BE(-20_000 + bytes.readInt16BE(content + 1), content + 1)
      at = content + length
    }
  }
  walk(0, bytes.length)
  return bytes
}

/** Segment, information, cluster, group of blocks. */
const holders = new Set(['18538067', '1549a966', '1f43b675', 'a0'])

const widthOf = (first: number): number => Math.clz32(first) - 23

function valueOf(length: Buffer): number {
  const digits = [...length]
  digits[0]! &= (1 << (8 - length.length)) - 1
  return digits.reduce((sum, byte) => 256 * sum + byte, 0)
}
