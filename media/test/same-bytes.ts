import { writeFileSync } from 'node:fs'

const words = (...all: number[]) => {
  const bytes = Buffer.alloc(4 * all.length)
  all.forEach((one, i) => bytes.writeUInt32BE(one, 4 * i))
  return bytes
}
const box = (type: string, ...inside: Buffer[]): Buffer => {
  const body = Buffer.concat(inside)
  return Buffer.concat([words(8 + body.length), Buffer.from(type, 'latin1'), body])
}
/** One with a version and flags. */
const full = (type: string, flags: number, ...inside: Buffer[]) => box(type, words(flags), ...inside)

const straight = words(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000)

/** Writes a QuickTime file whose index names the bytes of one PNG of that size `count` times, ten a second. */
export function sameBytes(file: string, png: Buffer, { side, count }: { side: number; count: number }): string {
  const begin = box('ftyp', Buffer.from('qt  '), words(512), Buffer.from('qt  '))
  const entry = box(
    'png ',
    words(0, 1, 0, 0, 0, 0),
    words((side << 16) | side, 0x48_0000, 0x48_0000, 0, 0x1_0000),
    Buffer.alloc(30),
    Buffer.from('0018ffff', 'hex'),
  )
  const table = box(
    'stbl',
    full('stsd', 0, words(1), entry),
    full('stts', 0, words(1, count, 1)),
    full('stsc', 0, words(1, 1, 1, 1)),
    full('stsz', 0, words(png.length, count)),
    full('stco', 0, words(count), words(...Array<number>(count).fill(begin.length + 8))),
  )
  const here = box('dinf', full('dref', 0, words(1), full('url ', 1)))
  const media = box(
    'mdia',
    full('mdhd', 0, words(0, 0, 10, count), words(0)),
    full('hdlr', 0, Buffer.from('mhlrvide'), Buffer.alloc(13)),
    box('minf', full('vmhd', 1, Buffer.alloc(8)), here, table),
  )
  const track = full('tkhd', 3, words(0, 0, 1, 0, count, 0, 0, 0, 0), straight, words(side << 16, side << 16))
  const movie = full(
    'mvhd',
    0,
    words(0, 0, 10, count, 0x1_0000, 0x100_0000, 0, 0),
    straight,
    Buffer.alloc(24),
    words(2),
  )
  writeFileSync(file, Buffer.concat([begin, box('mdat', png), box('moov', movie, box('trak', track, media))]))
  return file
}
