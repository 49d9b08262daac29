/* oxlint-disable no-control-regex -- the first bytes of a file are compared, and many of them are control characters */
import { open, type FileHandle } from 'node:fs/promises'
import { refusal, type Refusal } from './refusal.ts'

export type Container = 'mov' | 'matroska' | 'wav' | 'mp3' | 'png' | 'jpeg' | 'webp'

/** `mp4` says that an ISO file calls itself MP4 and not QuickTime: browsers are only sure of the first. */
export type SniffedFormat = { ok: true; container: Container; bytes: number; mp4: boolean }

/**
 * What a file is by its first bytes, before any decoder sees it; the name it came with counts for nothing.
 * An MP4 or QuickTime file is also walked box by box: a few hundred bytes read tell of a missing end, a missing index
 * and tracks that live in other files. Throws only what the file system throws.
 */
export async function sniffFormat(file: string): Promise<SniffedFormat | Refusal> {
  await using handle = await open(file, 'r')
  const { size } = await handle.stat()
  if (size === 0) return refusal('empty')
  const head = await read(handle, 0, 4096)
  const text = head.toString('latin1')
  if (!boxes.has(text.slice(4, 8))) {
    const container = known(text)
    return container ? { ok: true, container, bytes: size, mp4: false } : unwanted(head, text)
  }
  const brand = text.startsWith('ftyp', 4) ? text.slice(8, 12) : 'qt  '
  if (/^(hei|hev[cx]|mif1|msf1)/.test(brand)) return refusal('picture-format', 'HEIC')
  if (/^avi[fs]/.test(brand)) return refusal('picture-format', 'AVIF')
  return (await checkBoxes(handle, size)) ?? { ok: true, container: 'mov', bytes: size, mp4: brand !== 'qt  ' }
}

const boxes = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot', 'uuid'])

function known(text: string): Container | undefined {
  if (text.startsWith('\x1a\x45\xdf\xa3')) return 'matroska'
  if (/^(RIFF|RF64)....WAVE/s.test(text)) return 'wav'
  if (/^RIFF....WEBP/s.test(text)) return 'webp'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  // A frame of MPEG layer 3, or the tag that most players write before it.
  if (/^(ID3[\x02-\x04]|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/.test(text)) return 'mp3'
  return undefined
}

const strangers = [
  [/^GIF8/, 'picture-format', 'GIF'],
  [/^(II\*\0|MM\0\*)/, 'picture-format', 'TIFF'],
  [/^BM/, 'picture-format', 'BMP'],
  [/^8BPS/, 'picture-format', 'Photoshop'],
  [/^RIFF....AVI /s, 'old-format', 'AVI'],
  [/^FLV/, 'old-format', 'Flash video'],
  [/^\x30\x26\xb2\x75/, 'old-format', 'Windows Media'],
  [/^\x00\x00\x01[\xba\xb3]/, 'old-format', 'MPEG'],
  [/^(.{4})?\x47.{187}(.{4})?\x47/s, 'old-format', 'MPEG transport stream'],
  [/^\x06\x0e\x2b\x34/, 'old-format', 'MXF'],
  [/^OggS/, 'old-format', 'Ogg'],
  [/^fLaC/, 'old-format', 'FLAC'],
  [/^FORM/, 'old-format', 'AIFF'],
  [/^#!AMR/, 'old-format', 'AMR'],
  [/^\xff[\xf0\xf1\xf8\xf9]/, 'old-format', 'AAC'],
  [/^PK(\x03\x04|\x05\x06)/, 'archive', 'ZIP'],
  [/^(\x1f\x8b|BZh|\xfd7zXZ)/, 'archive', 'compressed file'],
  [/^Rar!/, 'archive', 'RAR'],
  [/^7z\xbc\xaf/, 'archive', '7z'],
  [/^.{257}ustar/s, 'archive', 'tar'],
  [/^%PDF/, 'document', 'PDF'],
  [/^\xd0\xcf\x11\xe0/, 'document', 'Office'],
  [/^\{\\rtf/, 'document', 'RTF'],
  [/^(\x7fELF|MZ|\xca\xfe\xba\xbe|[\xce\xcf]\xfa\xed\xfe|#!)/, 'program', ''],
] as const

function unwanted(head: Buffer, text: string): Refusal {
  for (const [start, code, detail] of strangers) if (start.test(text)) return refusal(code, detail)
  const wide = /^(\xff\xfe|\xfe\xff)/.test(text)
  const words = (wide ? text.replaceAll('\0', '').slice(2) : text.replace(/^\xef\xbb\xbf/, ''))
    .trimStart()
    .toLowerCase()
  if (/^(#extm3u|ffconcat|\[playlist\]|<asx|<smil)|<mpd[\s>]/.test(words)) return refusal('playlist')
  if (/^<svg|^<(\?xml|!doctype|!--)[^]*<svg/.test(words)) return refusal('drawing')
  if (/^<(!doctype html|html|head|body|script|meta|title|!--)/.test(words)) return refusal('web-page')
  return wide || isText(head) ? refusal('text') : refusal('unknown-format')
}

function isText(head: Buffer): boolean {
  try {
    return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true }))
  } catch {
    return false
  }
}

const mostBoxes = 200_000
const biggestIndex = 128 * 2 ** 20

/** The outermost boxes of an ISO file: undefined when they are whole. */
async function checkBoxes(handle: FileHandle, size: number): Promise<Refusal | undefined> {
  let index: Buffer | undefined
  let media = false
  let at = 0
  for (let count = 0; size - at >= 8 && count < mostBoxes; count++) {
    const head = await read(handle, at, 16)
    const type = head.toString('latin1', 4, 8)
    const length = boxLength(head, size - at)
    // Some phones leave scraps behind the last box; before the index they mean that nothing here can be trusted.
    if (length === undefined || !/^[\w ©-]{4}$/.test(type)) {
      if (index) break
      return refusal('damaged')
    }
    if (at + length > size && ['moov', 'mdat', 'moof'].includes(type)) return refusal('truncated')
    if (type === 'moov' && !index) {
      if (length > biggestIndex) return refusal('damaged')
      index = await read(handle, at, length)
    }
    media ||= type === 'mdat'
    at += length
  }
  if (!index) return refusal('unfinished')
  if (pointsOutside(index)) return refusal('external-media')
  return media ? undefined : refusal('nothing-inside')
}

function boxLength(head: Buffer, rest: number): number | undefined {
  const short = head.readUInt32BE(0)
  if (short === 0) return rest
  if (short === 1) {
    const long = head.length >= 16 ? Number(head.readBigUInt64BE(8)) : 0
    return long >= 16 ? long : undefined
  }
  return short >= 8 ? short : undefined
}

const way = ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']

/** Whether a data reference of any track names another file or address. */
function pointsOutside(box: Buffer, depth = 0): boolean {
  const type = box.toString('latin1', 4, 8)
  if (type !== way[depth]) return false
  // The bit 1 in a reference's flags says "the media is in this very file".
  if (type === 'dref') return children(box, 16).some((entry) => entry.length > 12 && (entry.readUInt32BE(8) & 1) === 0)
  return children(box, box.readUInt32BE(0) === 1 ? 16 : 8).some((child) => pointsOutside(child, depth + 1))
}

function children(box: Buffer, from: number): Buffer[] {
  const found: Buffer[] = []
  for (let at = from; box.length - at >= 8 && found.length < 10_000;) {
    const length = boxLength(box.subarray(at), box.length - at)
    if (length === undefined || at + length > box.length) break
    found.push(box.subarray(at, at + length))
    at += length
  }
  return found
}

async function read(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}
