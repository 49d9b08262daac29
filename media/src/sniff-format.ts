import { open, type FileHandle } from 'node:fs/promises'
import { boxLength, children, mostInIndex, read } from './boxes.ts'
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
    const start = { text, hex: head.toString('hex') }
    const container = known(start)
    return container ? { ok: true, container, bytes: size, mp4: false } : unwanted(head, start)
  }
  const brand = text.startsWith('ftyp', 4) ? text.slice(8, 12) : 'qt  '
  if (/^(hei|hev[cx]|mif1|msf1)/.test(brand)) return refusal('picture-format', 'HEIC')
  if (/^avi[fs]/.test(brand)) return refusal('picture-format', 'AVIF')
  return (await checkBoxes(handle, size)) ?? { ok: true, container: 'mov', bytes: size, mp4: brand !== 'qt  ' }
}

/** What a recorder left. */
export type Recording = {
  container: 'mov' | 'matroska'
  /** How many of its bytes are whole, from the first one on. */
  bytes: number
  whole: boolean
  /** By how much its sound is written down later than it was heard. */
  soundLateMs: number
  /** How much of its sound’s beginning a Matroska file says is to be left out: what its encoder held back. */
  heldBackMs: number
}

/**
 * Whether a recorder wrote the file while it was running: an MP4 in fragments, of which the last one may be missing its end,
 * or a WebM that does not know how long it is. Null for anything else, and for what no program could go on with.
 */
export async function recordingIn(file: string): Promise<Recording | null> {
  await using handle = await open(file, 'r')
  const { size } = await handle.stat()
  const head = await read(handle, 0, 4096)
  // A segment whose length nobody knew when it began.
  const hex = head.toString('hex')
  if (/^1a45dfa3.*18538067(01ffffffffffffff|ff)/.test(hex))
    return { container: 'matroska', bytes: size, whole: true, ...soundOf(hex.split(cluster)[0]!) }
  if (head.toString('latin1', 4, 8) !== 'ftyp') return null
  const bytes = await wholeFragments(handle, size)
  return bytes === 0 ? null : { container: 'mov', bytes, whole: bytes === size, soundLateMs: 0, heldBackMs: 0 }
}

/** By the hexadecimal digits of what stands before the first cluster. */
function soundOf(header: string): Pick<Recording, 'soundLateMs' | 'heldBackMs'> {
  const [, length = '0', digits = ''] = codecDelay.exec(header) ?? []
  const heldBackMs = Number(`0x0${digits.slice(0, 2 * Number(length))}`) / 1e6
  return { soundLateMs: chromiumOpus.test(header) ? chromiumLateMs : 0, heldBackMs: heldBackMs < 200 ? heldBackMs : 0 }
}

const cluster = '1f43b675'
/** In nanoseconds. */
const codecDelay = /56aa8([1-8])([0-9a-f]+)/

/** Written by Chromium’s recorder, with Opus that does not say how much of its beginning is to be left out. */
const chromiumOpus = /4d80864368726f6d65.*4f7075734865616401..0000/
/**
 * It writes a packet of 60 ms down at the time of its last 10 ms, less 10; and what its encoder holds back (312 samples of
 * 48 000 a second) counts as sound. Decision 772.
 */
const chromiumLateMs = 60 - 10 - 10 + 312 / 48

const fragmentsIndex = 2 ** 20

/**
 * Where the last whole fragment (`moof` and its `mdat`) of an MP4 ends; 0 when it has none or is of another kind, or more boxes
 * than we walk: nobody knows then which is the last, and the file is taken as it came.
 */
async function wholeFragments(handle: FileHandle, size: number): Promise<number> {
  let [at, end] = [0, 0]
  let hasIndex = false
  let isFragment = false
  for (let count = 0; size - at >= 8; count++) {
    if (count === mostBoxes) return 0
    const head = await read(handle, at, 16)
    const type = head.toString('latin1', 4, 8)
    const length = boxLength(head, size - at)
    // A box to the end of the file is one that its writer never came back to.
    if (length === undefined || head.readUInt32BE(0) === 0 || at + length > size) break
    if (type === 'moov') {
      // Before fragments there is one index, and it names tracks alone.
      if (hasIndex || length > fragmentsIndex || pointsOutside(await read(handle, at, length)) !== false) return 0
      hasIndex = true
    }
    if (type === 'moof') isFragment = hasIndex
    at += length
    if (type === 'mdat' && isFragment) end = at
  }
  // What stands behind the last fragment, whole, is its list of places.
  return end > 0 && at === size ? size : end
}

const boxes = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot', 'uuid'])

/** The first bytes of a file, for comparing: as letters, one a byte, and as two hexadecimal digits a byte. */
type Head = { text: string; hex: string }

function known({ text, hex }: Head): Container | undefined {
  if (hex.startsWith('1a45dfa3')) return 'matroska'
  if (/^(RIFF|RF64)....WAVE/s.test(text)) return 'wav'
  if (/^RIFF....WEBP/s.test(text)) return 'webp'
  if (hex.startsWith('89504e470d0a1a0a')) return 'png'
  if (hex.startsWith('ffd8ff')) return 'jpeg'
  // A frame of MPEG layer 3, or the tag (ID3) that most players write before it.
  if (/^(4944330[2-4]|ff(e[23]|f[23ab]))/.test(hex)) return 'mp3'
  return undefined
}

const strangers = [
  ['text', /^GIF8/, 'picture-format', 'GIF'],
  ['hex', /^(49492a00|4d4d002a)/, 'picture-format', 'TIFF'],
  ['text', /^BM/, 'picture-format', 'BMP'],
  ['text', /^8BPS/, 'picture-format', 'Photoshop'],
  ['text', /^RIFF....AVI /s, 'old-format', 'AVI'],
  ['text', /^FLV/, 'old-format', 'Flash video'],
  ['hex', /^3026b275/, 'old-format', 'Windows Media'],
  ['hex', /^000001b[a3]/, 'old-format', 'MPEG'],
  // Packets of 188 bytes, each begun with 47; on discs after four bytes more.
  ['hex', /^(.{8})?47.{374}(.{8})?47/, 'old-format', 'MPEG transport stream'],
  ['hex', /^060e2b34/, 'old-format', 'MXF'],
  ['text', /^OggS/, 'old-format', 'Ogg'],
  ['text', /^fLaC/, 'old-format', 'FLAC'],
  ['text', /^FORM/, 'old-format', 'AIFF'],
  ['text', /^#!AMR/, 'old-format', 'AMR'],
  ['hex', /^fff[0189]/, 'old-format', 'AAC'],
  ['hex', /^504b(0304|0506)/, 'archive', 'ZIP'],
  ['hex', /^(1f8b|425a68|fd377a585a)/, 'archive', 'compressed file'],
  ['text', /^Rar!/, 'archive', 'RAR'],
  ['hex', /^377abcaf/, 'archive', '7z'],
  ['text', /^.{257}ustar/s, 'archive', 'tar'],
  ['text', /^%PDF/, 'document', 'PDF'],
  ['hex', /^d0cf11e0/, 'document', 'Office'],
  ['text', /^\{\\rtf/, 'document', 'RTF'],
  ['hex', /^(7f454c46|4d5a|cafebabe|c[ef]faedfe|2321)/, 'program', ''],
] as const

function unwanted(head: Buffer, start: Head): Refusal {
  const { text } = start
  for (const [as, begins, code, detail] of strangers) if (begins.test(start[as])) return refusal(code, detail)
  const wide = /^(\xff\xfe|\xfe\xff)/.test(text)
  const words = (wide ? text.replaceAll('\0', '').slice(2) : text.replace(/^\xef\xbb\xbf/, ''))
    .trimStart()
    .toLowerCase()
  if (/^(#extm3u|ffconcat|\[playlist\]|<asx|<smil)|<mpd[\s>]/.test(words)) return refusal('playlist')
  if (/^<svg|^<(\?xml|!doctype|!--)[^]*<svg/.test(words)) return refusal('drawing')
  if (/^<(!doctype html|html|head|body|script|meta|title|!--)/.test(words)) return refusal('web-page')
  return wide || isText(head) ? refusal('text') : refusal('unknown-format')
}

/** Control characters that a text file holds: tab to carriage return, and what begins a colour in a log. */
const spaceOrEscape = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b])

function isText(head: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return !head.some((byte) => byte < 0x20 && !spaceOrEscape.has(byte))
  } catch {
    return false
  }
}

/** Two for each fragment: more than an hour at four fragments a second. */
const mostBoxes = 40_000
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
  const outside = pointsOutside(index)
  if (outside === null) return refusal('damaged')
  if (outside) return refusal('external-media')
  return media ? undefined : refusal('nothing-inside')
}

const way = ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']

/** Whether a data reference of any track names another file or address; null where there are too many boxes to say so. */
function pointsOutside(index: Buffer): boolean | null {
  let seen = 0
  const isIn = (box: Buffer, depth: number): boolean => {
    if (box.toString('latin1', 4, 8) !== way[depth]) return false
    const isList = depth === way.length - 1
    const from = isList || box.readUInt32BE(0) === 1 ? 16 : 8
    for (const child of children(box, from)) {
      if (++seen > mostInIndex) return false
      if (isList ? isElsewhere(child) : isIn(child, depth + 1)) return true
    }
    return false
  }
  const found = isIn(index, 0)
  return seen > mostInIndex ? null : found
}

// The bit 1 in a reference's flags says "the media is in this very file".
const isElsewhere = (entry: Buffer): boolean => entry.length > 12 && (entry.readUInt32BE(8) & 1) === 0
