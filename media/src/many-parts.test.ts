// @module-tag long
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { mkdir, writeFile } from 'node:fs/promises'
import { afterAll, expect, it } from 'vitest'
import { scratch } from '../test/footage.ts'
import { mend } from './mend.ts'
import { hasMixedSamples } from './mixed-samples.ts'
import { hasMoreFilms } from './more-films.ts'
import { probe } from './probe.ts'
import type { Container } from './sniff-format.ts'

/**
 * What a stranger sends is looked at in the thread that answers everybody, before it is handed to other programs: files of every
 * kind, made of nothing but their smallest parts and of lists that count more than they hold, keep that thread for a moment only.
 */
const { path, bin } = scratch()
afterAll(bin)

/** The longest that one file may keep the thread at once, in ms: many times what any of these does. */
const longest = 1000
const bytes = 4 * 2 ** 20

const b = (text: string) => Buffer.from(text, 'latin1')
const filled = (head: string, part: string, tail = '') =>
  Buffer.concat([b(head), Buffer.alloc(Math.floor(bytes / part.length) * part.length, b(part)), b(tail)])
const list = 'MM\0*\0\0\0\x08\xff\xff'
const box = (size: number) => `\0\0\0${String.fromCharCode(size)}`
const riff = (kind: string, part: string) => {
  const file = filled(`RIFF\0\0\0\0${kind}`, part)
  file.writeUInt32LE(file.length - 8, 4)
  return file
}
/** A box around as many of one part as there is room for. */
const within = (kinds: string[], part: string) => {
  let file = filled('', part)
  for (const kind of kinds.toReversed()) {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(file.length + 8)
    head.write(kind, 4, 'latin1')
    file = Buffer.concat([head, file])
  }
  return Buffer.concat([b(`${box(16)}ftypisom\0\0\0\0`), file])
}

const files: Record<Container, Record<string, Buffer>> = {
  jpeg: {
    'lists of what cameras write': filled('\xff\xd8', `\xff\xe1\0\x12Exif\0\0${list}`, '\xff\xda\0\x02\xff\xd9'),
    'empty tables': filled('\xff\xd8', '\xff\xc4\0\x02', '\xff\xda\0\x02\xff\xd9'),
    'words without a letter': filled('\xff\xd8', '\xff\xfe\0\x02', '\xff\xda\0\x02\xff\xd9'),
    'marks alone': filled('\xff\xd8\xff', '\xff'),
    'scans without points': filled('\xff\xd8', '\xff\xda\0\x02'),
    'marks within a scan': filled('\xff\xd8\xff\xda\0\x02', '\xff\0\xff\xd0'),
  },
  png: {
    'lists of what cameras write': filled('\x89PNG\r\n\x1a\n', `\0\0\0\x0aeXIf${list}\0\0\0\0`),
    'points without points': filled('\x89PNG\r\n\x1a\n', '\0\0\0\0IDAT\0\0\0\0'),
    'words without a letter': filled('\x89PNG\r\n\x1a\n', '\0\0\0\0tEXt\0\0\0\0'),
  },
  webp: {
    'lists of what cameras write': riff('WEBP', `EXIF\x0a\0\0\0${list}`),
    'points without points': riff('WEBP', 'VP8 \0\0\0\0'),
    nothing: riff('WEBP', 'XMP \0\0\0\0'),
  },
  mov: {
    'boxes without anything': within([], `${box(8)}free`),
    'boxes without anything in its index': within(['moov'], `${box(8)}free`),
    'tracks without anything': within(['moov'], `${box(8)}trak`),
    'descriptions without anything': within(['moov', 'trak', 'mdia', 'minf', 'stbl'], `${box(8)}stsd`),
    'fragments without anything': within([], `${box(8)}moof`),
    'fragments of fragments': within(['moof', 'traf'], `${box(8)}trun`),
    'boxes within boxes': filled(`${box(16)}ftypisom\0\0\0\0`, '\0\x10\0\0moov'),
  },
  matroska: {
    'clusters without anything': filled('\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\xff', '\x1f\x43\xb6\x75\x80'),
    'clusters without an end': filled('\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\xff', '\x1f\x43\xb6\x75\xff'),
    nothing: filled('\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\xff', '\xec\x80'),
  },
  wav: {
    'parts without anything': riff('WAVE', 'LIST\0\0\0\0'),
    'formats without anything': riff('WAVE', 'fmt \0\0\0\0'),
  },
  mp3: {
    'heads alone': filled('ID3\x03\0\0\0\0\0\0', '\xff\xfb\x90\0'),
    'titles alone': filled('', 'ID3\x03\0\0\0\0\0\0'),
  },
}

for (const [kind, all] of Object.entries(files))
  it.each(Object.entries(all))(`a file like ${kind} of %s keeps nobody waiting`, async (_, file) => {
    const source = path('strange')
    await writeFile(source, file)
    const kept = monitorEventLoopDelay({ resolution: 1 })
    kept.enable()
    const outDir = path('out')
    await mend(source, { outDir: async () => (await mkdir(outDir, { recursive: true }), outDir) }).catch(() => null)
    await probe(source).catch(() => null)
    await hasMoreFilms(source, kind as Container, 2)
    if (kind === 'mov') await hasMixedSamples(source)
    kept.disable()
    expect(kept.max / 1e6).toBeLessThan(longest)
  })
