import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ffmpeg, scratch } from '../test/footage.ts'
import { barePicture } from './bare-picture.ts'

const { path, write, bin } = scratch()
afterAll(bin)

/** What cameras write: a place on earth, and that the picture is to be turned (6: a quarter to the right). */
const exif = (() => {
  const entries = [
    [0x0112, 3, 1, 6 << 16],
    [0x8825, 4, 1, 38],
  ].map(([tag, type, count, value]) => {
    const entry = Buffer.alloc(12)
    entry.writeUInt16BE(tag!)
    entry.writeUInt16BE(type!, 2)
    entry.writeUInt32BE(count!, 4)
    entry.writeUInt32BE(value!, 8)
    return entry
  })
  return Buffer.concat([
    Buffer.from('MM\0*\0\0\0\x08\0\x02', 'latin1'),
    ...entries,
    Buffer.from('\0\0\0\0GPS 52.5 N 13.4 E'),
  ])
})()
const length16 = (bytes: number) => Buffer.from([bytes >> 8, bytes & 255])
const length32 = (bytes: number) => Buffer.from([0, 0, bytes >> 8, bytes & 255])
const app1 = Buffer.concat([Buffer.from([0xff, 0xe1]), length16(exif.length + 8), Buffer.from('Exif\0\0'), exif])
const png = (kind: string, content: Buffer) =>
  Buffer.concat([length32(content.length), Buffer.from(kind), content, Buffer.alloc(4)])

let jpeg: Buffer, logo: Buffer, webp: Buffer
beforeAll(() => {
  for (const name of ['a.jpg', 'a.png', 'a.webp'])
    ffmpeg(`-f lavfi -i testsrc=s=64x48:r=1:d=1 -frames:v 1${name === 'a.png' ? ' -pix_fmt rgba' : ''} @`, path(name))
  ;[jpeg, logo, webp] = ['a.jpg', 'a.png', 'a.webp'].map((name) => readFileSync(path(name))) as [Buffer, Buffer, Buffer]
})

describe('a picture without what its camera wrote about it', () => {
  it('is a JPEG with the same points, its turn, and neither place, nor words, nor what lies behind its end', () => {
    const words = Buffer.concat([Buffer.from([0xff, 0xfe]), length16(12), Buffer.from('GPS of mom')])
    const full = Buffer.concat([jpeg.subarray(0, 2), app1, words, jpeg.subarray(2), app1])
    const bare = barePicture(full, 'jpeg')!
    expect(bare.includes('GPS')).toBe(false)
    expect([orientation(bare), points(bare, 'jpg')]).toEqual([6, points(jpeg, 'jpg')])
    expect(barePicture(bare, 'jpeg')).toBe(null)
  })

  it('is a PNG with its clear parts and the same points', () => {
    const end = logo.length - 12
    const full = Buffer.concat([
      logo.subarray(0, end),
      png('eXIf', exif),
      png('tEXt', Buffer.from('Place\0GPS')),
      logo.subarray(end),
      Buffer.from('GPS'),
    ])
    const bare = barePicture(full, 'png')!
    expect(bare.includes('GPS')).toBe(false)
    expect([orientation(bare), points(bare, 'png')]).toEqual([6, points(logo, 'png')])
    expect(barePicture(bare, 'png')).toBe(null)
  })

  it('is a WebP with the same points, whose head names what is left', () => {
    const part = (kind: string, content: Buffer) => {
      const head = Buffer.from(`${kind}\0\0\0\0`)
      head.writeUInt32LE(content.length, 4)
      return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
    }
    const head = part('VP8X', Buffer.from([0x0c, 0, 0, 0, 63, 0, 0, 47, 0, 0]))
    const parts = [head, webp.subarray(12), part('EXIF', exif), part('XMP ', Buffer.from('<GPS>'))]
    const full = part('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts]))
    const bare = barePicture(full, 'webp')!
    expect(bare.includes('GPS')).toBe(false)
    expect([bare[20], orientation(bare), points(bare, 'webp')]).toEqual([8, 6, points(webp, 'webp')])
    expect(barePicture(bare, 'webp')).toBe(null)
  })

  it('is as much of a picture as came, where that breaks off, has no end, or has strays within', () => {
    const shot = Buffer.concat([jpeg.subarray(0, 2), app1, jpeg.subarray(2)])
    const strayed = Buffer.concat([jpeg.subarray(0, 2), Buffer.from([7]), app1, Buffer.from([0, 7]), jpeg.subarray(2)])
    const place = png('tEXt', Buffer.from('Place\0GPS'))
    const drawn = Buffer.concat([logo.subarray(0, 33), place, logo.subarray(33)])
    const endless = Buffer.concat([shot.subarray(0, -2), Buffer.alloc(2)])
    for (const file of [shot.subarray(0, -2), shot.subarray(0, -200), endless, strayed]) {
      const bare = barePicture(file, 'jpeg')!
      expect([file.includes('GPS'), bare.includes('GPS')]).toEqual([true, false])
      expect(points(bare, 'jpg'), `${file.length} bytes`).toBe(points(file, 'jpg'))
    }
    expect(barePicture(drawn.subarray(0, -12), 'png')).toEqual(logo)
    expect(barePicture(drawn.subarray(0, -30), 'png')).toEqual(logo.subarray(0, -30))
  })

  it('is the file itself where nothing is left out, or where no points are', () => {
    for (const [file, kind] of [
      [barePicture(jpeg, 'jpeg')!, 'jpeg'],
      [logo, 'png'],
      [webp, 'webp'],
      [Buffer.from([0xff, 0xd8, 0xff]), 'jpeg'],
      [Buffer.from('RIFF'), 'webp'],
      [jpeg, 'mov'],
    ] as const)
      expect(barePicture(file, kind)).toBe(null)
  })

  it('is looked for no further than its bytes go, whatever these count, and among no more parts than programs write', () => {
    // A list of 65,535 entries, of which none is there, four thousand times: each was looked for.
    const list = Buffer.from('MM\0*\0\0\0\x08\xff\xff', 'latin1')
    const lists = (part: Buffer, file: Buffer, at: number) =>
      Buffer.concat([file.subarray(0, at), ...Array<Buffer>(4000).fill(part), file.subarray(at)])
    const app = Buffer.concat([Buffer.from([0xff, 0xe1]), length16(list.length + 8), Buffer.from('Exif\0\0'), list])
    expect(points(barePicture(lists(app, jpeg, 2), 'jpeg')!, 'jpg')).toBe(points(jpeg, 'jpg'))
    expect(barePicture(lists(png('eXIf', list), logo, logo.length - 12), 'png')).toEqual(logo)
    const many = (part: Buffer, file: Buffer, at: number) =>
      Buffer.concat([file.subarray(0, at), Buffer.alloc(part.length * 100_001, part), file.subarray(at)])
    expect(barePicture(many(Buffer.from([0xff, 0xfe, 0, 2]), jpeg, 2), 'jpeg')).toBe(null)
    expect(barePicture(many(png('tEXt', Buffer.alloc(0)), logo, 33), 'png')).toBe(null)
    const full = many(Buffer.from('EXIF\0\0\0\0', 'latin1'), webp, 12)
    full.writeUInt32LE(full.length - 8, 4)
    expect(barePicture(full, 'webp')).toBe(null)
  })

  it('is made of any bytes without an error', () => {
    const kinds = { jpeg: Buffer.concat([jpeg.subarray(0, 2), app1, jpeg.subarray(2)]), png: logo, webp }
    for (const [kind, file] of Object.entries(kinds) as ['jpeg' | 'png' | 'webp', Buffer][])
      for (let at = 0; at < Math.min(file.length, 400); at++)
        for (const value of [0, 1, 0x7f, 0xff]) {
          const broken = Buffer.from(file)
          broken[at] = value
          expect(() => barePicture(broken, kind)).not.toThrow()
        }
  })
})

/** By the words "MM", which begin what a camera writes: the one entry that is left. */
function orientation(file: Buffer): number {
  const at = file.indexOf(Buffer.from('MM\0*', 'latin1'))
  return at < 0 ? 1 : file.readUInt16BE(at + 18)
}

/** Each point as ffmpeg reads it. */
function points(file: Buffer, kind: string): string {
  const source = write(`points.${kind}`, file)
  const args = ['-v', 'error', '-noautorotate', '-i', source, '-pix_fmt', 'rgba', '-f', 'md5', '-']
  return execFileSync(process.env['FFMPEG_PATH'] || 'ffmpeg', args).toString()
}
