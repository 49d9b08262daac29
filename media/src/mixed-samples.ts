import { open, type FileHandle } from 'node:fs/promises'
import { boxLength, children, mostInIndex, nameOf, read } from './boxes.ts'

/**
 * Whether a track of an ISO file says that its samples are of more than one kind, such as H.264 and HEVC, or AAC and MP3 by one
 * name: ffmpeg reads those of one kind and passes over all others, however long they are. Several descriptions of one kind, as
 * editing programs write them, are read. True as well where the index cannot be looked through. The file must have passed
 * `sniffFormat`.
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
    kinds.add(kindOf(entry))
    if (++count > mostInIndex || kinds.size > 1) return true
  }
  return count !== said
}

/**
 * Its four letters; of those that stand for several formats (`mp4a`, `mp4v`) with what each `esds` in it says, by ISO 14496-1 and
 * -3: the format, and of AAC its object type.
 */
function kindOf(entry: Buffer): string {
  const kinds = [nameOf(entry)]
  for (let at = entry.indexOf('esds'); at >= 0; at = entry.indexOf('esds', at + 4)) {
    kinds.push(formatOf(entry.subarray(at + 8)))
    // There is one; an entry of many megabytes of them is told by all its bytes, and not looked through.
    if (kinds.length > 16) return entry.toString('latin1')
  }
  return kinds.join(' ')
}

/** What cannot be read stands for itself, by its first bytes. */
function formatOf(descriptor: Buffer): string {
  const whole = inside(descriptor, 3)
  // Behind a number of two bytes and a mark, which may say that more follows: then it stands for itself, too.
  const config = whole && whole[2] !== undefined && (whole[2] & 0xe0) === 0 && inside(whole.subarray(3), 4)
  if (!config || config.length < 13) return descriptor.toString('latin1', 0, 64)
  const [first = 0, second = 0] = inside(config.subarray(13), 5) ?? []
  const short = first >> 3
  return `${config[0]}.${short < 31 ? short : 32 + ((first & 7) << 3) + (second >> 5)}`
}

/** What a descriptor of that tag holds; its length has seven bits in each byte, the last without the eighth. */
function inside(descriptor: Buffer, tag: number): Buffer | null {
  let [at, length] = [1, 0]
  for (; at <= 4; at++) {
    const byte = descriptor[at] ?? 0
    length = length * 128 + (byte & 0x7f)
    if (byte < 0x80) break
  }
  return descriptor[0] === tag ? descriptor.subarray(at + 1, at + 1 + length) : null
}

/** Whether a box of that name may stand in the index of an ISO file. */
export async function holdsInIndex(file: string, name: string): Promise<boolean> {
  await using handle = await open(file, 'r')
  return (await indexOf(handle, (await handle.stat()).size))?.includes(name) ?? false
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
