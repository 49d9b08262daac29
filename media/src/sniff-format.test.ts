import { truncateSync, copyFileSync, readFileSync, statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ffmpeg, quick, scratch } from '../test/footage.ts'
import { pointingTo } from '../test/reference.ts'
import { recordingIn, sniffFormat } from './sniff-format.ts'
import { refusal, refusalCodes } from './refusal.ts'

const { path, write, bin } = scratch()
afterAll(bin)

describe('a file that is no video', () => {
  const page = '<!doctype html><script>alert(1)</script>'
  const cases: Record<string, [string | Uint8Array, string]> = {
    nothing: ['', 'empty'],
    'a web page': [page, 'web-page'],
    'a web page behind a mark and a comment': ['\uFEFF\n <!-- hello --><HTML>', 'web-page'],
    'a web page in UTF-16': [Buffer.from('\uFEFF<html><body>', 'utf16le'), 'web-page'],
    'a drawing': ['<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>', 'drawing'],
    'a drawing with a preamble': ['<?xml version="1.0"?>\n<!DOCTYPE svg>\n<svg/>', 'drawing'],
    'an HLS playlist': ['#EXTM3U\n#EXTINF:5,\nfile:///etc/passwd\n', 'playlist'],
    'an HLS playlist after empty lines': ['\r\n\n#EXTM3U\nhttp://127.0.0.1/', 'playlist'],
    'a DASH manifest': ['<?xml version="1.0"?><MPD><Period/></MPD>', 'playlist'],
    'a concat script': ['ffconcat version 1.0\nfile /etc/passwd\n', 'playlist'],
    'a letter': ['Dear editor, please cut the beginning.\n'.repeat(99), 'text'],
    'a letter with accents': ['Ça va? '.repeat(900), 'text'],
    'a ZIP archive': ['PK\x03\x04rest', 'archive'],
    'a PDF': ['%PDF-1.7\n', 'document'],
    'a Windows program': ['MZ\x90\0\x03', 'program'],
    'a script': ['#!/bin/sh\nrm -rf /\n', 'program'],
    'an AVI': [Buffer.from('RIFF\x10\0\0\0AVI LIST', 'latin1'), 'old-format'],
    'a GIF': ['GIF89a', 'picture-format'],
    'a HEIC photo': [Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), 'picture-format'],
    noise: [Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 7919) % 251)), 'unknown-format'],
    zeros: [Buffer.alloc(5000), 'unknown-format'],
  }
  for (const [name, [content, code]] of Object.entries(cases))
    it(`${name} is refused as ${code}`, async () => {
      const bytes = typeof content === 'string' ? Buffer.from(content, code === 'archive' ? 'latin1' : 'utf8') : content
      expect(await sniffFormat(write('x.mp4', bytes))).toMatchObject({ ok: false, code })
    })

  it('gets a reason that tells the next step, without technical terms, for every refusal', () => {
    for (const code of refusalCodes()) {
      const { reason } = refusal(code, 'X')
      expect(reason, code).toMatch(/^[A-Z].+\.$/)
      expect(reason, code).not.toMatch(/%|undefined|codec|stream|container|moov|invalid/i)
      expect(reason.length, code).toBeLessThan(170)
    }
  })
})

const box = (type: string, ...inside: Buffer[]) => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + inside.reduce((sum, one) => sum + one.length, 0))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...inside])
}

describe('an MP4 or QuickTime file', () => {
  beforeAll(() => {
    ffmpeg(`-f lavfi -i testsrc=s=96x64:r=5:d=1 ${quick} @`, path('whole.mov'))
    ffmpeg('-i @ -c copy -movflags +faststart @', path('whole.mov'), path('front.mp4'))
  })

  it('is told apart as QuickTime or MP4', async () => {
    expect(await sniffFormat(path('whole.mov'))).toMatchObject({ ok: true, container: 'mov', mp4: false })
    expect(await sniffFormat(path('front.mp4'))).toMatchObject({ ok: true, container: 'mov', mp4: true })
  })

  it('is refused when its end is cut off, at any length', async () => {
    for (const name of ['whole.mov', 'front.mp4']) {
      copyFileSync(path(name), path('cut.mp4'))
      for (let bytes = statSync(path(name)).size - 1; bytes > 100; bytes = Math.floor(bytes * 0.8)) {
        truncateSync(path('cut.mp4'), bytes)
        expect(await sniffFormat(path('cut.mp4')), `${name} at ${bytes}`).toMatchObject({ ok: false })
      }
    }
  })

  it('is refused as unfinished when its index is missing', async () => {
    const whole = readFileSync(path('whole.mov'))
    const index = whole.lastIndexOf('moov') - 4
    expect(await sniffFormat(write('unfinished.mov', whole.subarray(0, index)))).toMatchObject({ code: 'unfinished' })
  })

  it('is accepted with stray bytes after its last box', async () => {
    const scraps = Buffer.concat([readFileSync(path('front.mp4')), Buffer.alloc(100, 0xff)])
    expect(await sniffFormat(write('scraps.mp4', scraps))).toMatchObject({ ok: true })
  })

  it('is refused when a track refers to another file', async () => {
    const outside = pointingTo(readFileSync(path('whole.mov')), 'file:///etc/passwd')
    expect(await sniffFormat(write('outside.mov', outside))).toMatchObject({ code: 'external-media' })
  })

  it('is refused when its index holds more boxes than any camera writes, however deep they lie', async () => {
    const withIndex = (...tracks: Buffer[]) =>
      write('index.mp4', Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov', ...tracks), box('mdat')]))
    const many = (count: number, type: string) => Array<Buffer>(count).fill(box(type))
    const tracks = (count: number, each: number) => Array<Buffer>(count).fill(box('trak', ...many(each, 'mdia')))
    expect(await sniffFormat(withIndex(...many(5000, 'trak')))).toMatchObject({ ok: true })
    expect(await sniffFormat(withIndex(...many(20_000, 'trak')))).toMatchObject({ code: 'damaged' })
    expect(await sniffFormat(withIndex(...tracks(200, 100)))).toMatchObject({ code: 'damaged' })
  })

  it('is a recording of whole fragments, and taken as it came where these are more than are walked', async () => {
    const inFragments = (count: number, rest = Buffer.alloc(0)) => {
      const begin = [box('ftyp', Buffer.from('isom')), box('moov')]
      const fragment = Buffer.concat([box('moof'), box('mdat', Buffer.from('a'))])
      return write('fragments.mp4', Buffer.concat([...begin, ...Array<Buffer>(count).fill(fragment), rest]))
    }
    expect(await recordingIn(inFragments(15_000))).toMatchObject({ whole: true, bytes: 20 + 17 * 15_000 })
    const torn = box('mdat', Buffer.alloc(99)).subarray(0, 50)
    expect(await recordingIn(inFragments(15_000, torn))).toMatchObject({ whole: false, bytes: 20 + 17 * 15_000 })
    expect(await recordingIn(inFragments(25_000))).toBeNull()
  })
})
