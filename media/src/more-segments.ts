import type { FileHandle } from 'node:fs/promises'
import { read } from './boxes.ts'

/** Elements of a file that are looked at: a program writes one for every few seconds, a recorder may write one a picture. */
const mostElements = 100_000

const segment = '18538067'
const trackList = '1654ae6b'
const track = 'ae'

/**
 * Whether a Matroska file has a second film behind the first, or a second list of tracks: ffmpeg reads on, and others may stop; or
 * more than so many tracks: ffmpeg passes over those of a kind that it does not know. True as well where nothing can be made out.
 * What a segment and its list of tracks hold is read in a row with what stands behind it.
 */
export async function hasMoreSegments(handle: FileHandle, size: number, tracks: number): Promise<boolean> {
  const seen = new Set<string>()
  let at = 0
  let counted = 0
  for (let count = 0; at < size; count++) {
    const one = element(await read(handle, at, 12))
    if (one === null || count === mostElements) return true
    if ([segment, trackList, header].includes(one.id) && seen.size === seen.add(one.id).size) return true
    if (one.id === track && ++counted > tracks) return true
    at += one.head + (one.id === segment || one.id === trackList ? 0 : (one.length ?? 0))
  }
  return false
}

const header = '1a45dfa3'

/** Its length is null where its writer did not know it: what it holds follows. */
function element(bytes: Buffer): { id: string; head: number; length: number | null } | null {
  const idLength = widthOf(bytes[0])
  const lengthLength = widthOf(bytes[idLength])
  const head = idLength + lengthLength
  if (idLength > 4 || lengthLength > 8 || bytes.length < head) return null
  const digits = [...bytes.subarray(idLength, head)]
  digits[0]! &= (1 << (8 - lengthLength)) - 1
  const isUnknown = digits[0] === (1 << (8 - lengthLength)) - 1 && digits.slice(1).every((byte) => byte === 255)
  const length = isUnknown ? null : digits.reduce((sum, byte) => 256 * sum + byte, 0)
  return { id: bytes.toString('hex', 0, idLength), head, length }
}

/** How many bytes a number takes that begins so; 9 where it cannot be. */
const widthOf = (first = 0): number => Math.clz32(first) - 23
