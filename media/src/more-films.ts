import { open, type FileHandle } from 'node:fs/promises'
import { boxLength, mostInIndex, nameOf, read } from './boxes.ts'
import { hasMoreSegments } from './more-segments.ts'
import type { Container } from './sniff-format.ts'

/**
 * Whether a file may hold more films than one: readers differ in which of two indexes counts, and in where they look for it.
 * ffmpeg takes the first that it meets, also inside of boxes that only hold something else, and lets loose parts of an index
 * change a track; what a network plays then is not what was reviewed. True as well where there is more to look through than
 * any program writes. `tracks`: how many of them are its picture and its sound. The file must have passed `sniffFormat`.
 */
export async function hasMoreFilms(file: string, container: Container, tracks: number): Promise<boolean> {
  if (container !== 'mov' && container !== 'matroska') return false
  await using handle = await open(file, 'r')
  const { size } = await handle.stat()
  return await (container === 'mov' ? hasMoreIndexes(handle, size) : hasMoreSegments(handle, size, tracks))
}

/** Where each part of an index stands, and nowhere else; the file itself is `''`. */
const placeOf = new Map(
  Object.entries({
    '': 'moov moof',
    moov: 'mvhd trak mvex',
    mvex: 'trex mehd',
    trak: 'tkhd edts mdia tref',
    edts: 'elst',
    mdia: 'mdhd minf',
    minf: 'stbl vmhd smhd',
    stbl: 'stsd stts ctts stsc stsz stz2 stco co64 stss stps',
    moof: 'traf mfhd',
    traf: 'tfhd tfdt trun',
  }).flatMap(([parent, names]) => names.split(' ').map((name) => [name, parent])),
)

/** Of these there may be many in one place. */
const repeated = new Set(['moof', 'trak', 'trex', 'traf', 'trun'])

/** What describes a track and belongs into its index, too: ffmpeg reads these at any place, and of the track before them. */
const loose = new Set(
  [
    'hdlr dinf dref sdtp ilst sinf schi wave frma tenc senc saiz saio sgpd sbgp strf wfex enda chan fiel colr pasp clap esds glbl jp2h',
    'avcC hvcC lhvC vvcC evcC av1C vpcC dvc1 dvcC dvvC dvwC ACLR APRG AALP ARES avss alac dac3 dec3 ddts dfLa dOps dmlp pcmC',
    'SmDm CoLL mdcv clli amve st3d sv3d SA3D SAND tmcd chap kind adrm hfov mhaC',
  ].flatMap((names) => names.split(' ')),
)

/** What ffmpeg looks into, wherever it stands. */
const lookedInto = new Set(
  'moov trak mdia minf stbl dinf edts mvex tref moof traf udta meta ilst sinf schi wave stsd'.split(' '),
)

/** Boxes of the file itself: two for each fragment; and all bytes and boxes that are looked into, together. */
const most = { outermost: 40_000, bytes: 128 * 2 ** 20, boxes: 400_000, deep: 10 }

async function hasMoreIndexes(handle: FileHandle, size: number): Promise<boolean> {
  const seen = new Set<string>()
  const left = { bytes: most.bytes, boxes: most.boxes }
  let at = 0
  for (let count = 0; size - at >= 8; count++) {
    const head = await read(handle, at, 16)
    const length = boxLength(head, size - at)
    // Some phones leave scraps behind the last box.
    if (length === undefined) return false
    const name = nameOf(head)
    if (count === most.outermost || loose.has(name) || isOutOfPlace(head, '', seen)) return true
    if (lookedInto.has(name)) {
      const bytes = Math.min(length, size - at)
      if ((left.bytes -= bytes) < 0) return true
      if (isOdd(await read(handle, at, bytes), left)) return true
    }
    at += length
  }
  return false
}

/** Whether anything in the box stands where it does not belong. */
function isOdd(outermost: Buffer, left: { boxes: number }): boolean {
  let count = 0
  const isOddWithin = (box: Buffer, depth: number): boolean => {
    const name = nameOf(box)
    // The descriptions of samples lie in here behind fields of many shapes.
    if (name === 'stsd') return /moov|hoov|cmov|trak/.test(box.toString('latin1', 8))
    const seen = new Set<string>()
    for (const child of within(box)) {
      if (++count > mostInIndex || --left.boxes < 0 || depth > most.deep) return true
      if (isOutOfPlace(child, name, seen)) return true
      if (lookedInto.has(nameOf(child)) && isOddWithin(child, depth + 1)) return true
    }
    return false
  }
  return isOddWithin(outermost, 1)
}

function isOutOfPlace(box: Buffer, parent: string, seen: Set<string>): boolean {
  const name = nameOf(box)
  if (isIndexInDisguise(box)) return true
  const place = placeOf.get(name)
  if (place === undefined) return false
  if (place !== parent) return true
  const isSecond = seen.has(name) && !repeated.has(name)
  seen.add(name)
  return isSecond
}

/** An index that is packed, and one that ffmpeg finds although it is named as something else. */
function isIndexInDisguise(box: Buffer): boolean {
  const name = nameOf(box)
  if (name === 'cmov' || name === 'hoov') return true
  return name === 'free' && /^(mvhd|cmov)$/.test(box.toString('latin1', 12, 16))
}

/** The boxes in this one, as ffmpeg reads them: what claims to be longer than its parent ends with it. */
function* within(box: Buffer): Generator<Buffer> {
  for (let at = beginOf(box); box.length - at >= 8;) {
    const length = boxLength(box.subarray(at, at + 16), box.length - at)
    if (length === undefined) return
    yield box.subarray(at, at + length)
    at += length
  }
}

function beginOf(box: Buffer): number {
  const begin = box.readUInt32BE(0) === 1 ? 16 : 8
  if (nameOf(box) !== 'meta') return begin
  // Before the first of its boxes may stand a version.
  for (let at = begin; box.length - at >= 4; at += 4) if (box.readUInt32BE(at) === hdlr) return at - 4
  return box.length
}

const hdlr = Buffer.from('hdlr').readUInt32BE()
