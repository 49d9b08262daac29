import { open, type FileHandle } from 'node:fs/promises'
import { boxLength, children, mostInIndex, nameOf, read } from './boxes.ts'

/**
 * Whether a track of an ISO file says that its samples are of more than one kind, such as H.264 and HEVC: ffmpeg reads those of
 * one kind and passes over all others, however long they are. Several descriptions of one kind, as editing programs write
 * them, are read. True as well where the index cannot be looked through. The file must have passed `sniffFormat`.
 */
export async function hasMixedSamples(file: string): Promise<boolean> {
  await using handle = await open(file, 'r')
  const index = await indexOf(handle, (await handle.stat()).size)
  let seen = 0
  const isMixed = (box: Buffer, depth: number): boolean => {
    const name = nameOf(box)
    // An index may be packed, in which nothing can be seen; no program has written that for long.
    if (name === 'cmov') return true
    if (name !== way[depth]) return false
    if (depth === way.length - 1) return namesSeveral(box)
    for (const child of children(box, box.readUInt32BE(0) === 1 ? 16 : 8))
      if (++seen > mostInIndex || isMixed(child, depth + 1)) return true
    return false
  }
  return index === null || isMixed(index, 0)
}

const way = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd']

function namesSeveral(list: Buffer): boolean {
  if (list.length < 16) return true
  const said = list.readUInt32BE(12)
  const kinds = new Set<string>()
  let count = 0
  for (const entry of children(list, 16)) {
    kinds.add(nameOf(entry))
    if (++count > mostInIndex || kinds.size > 1) return true
  }
  return count !== said
}

/** The first of them: players pass over another. */
async function indexOf(handle: FileHandle, size: number): Promise<Buffer | null> {
  for (let at = 0; size - at >= 8;) {
    const head = await read(handle, at, 16)
    const length = boxLength(head, size - at)
    if (length === undefined) return null
    if (nameOf(head) === 'moov') return await read(handle, at, Math.min(length, size - at))
    at += length
  }
  return null
}
