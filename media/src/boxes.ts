import type { FileHandle } from 'node:fs/promises'

/** Boxes of an index that are looked at: a camera writes hundreds. An index of 128 MB could hold 16 million, which took this thread nine seconds. */
export const mostInIndex = 10_000

/** How long the box is that begins so; undefined where it cannot be. One without a length takes all the `rest`. */
export function boxLength(head: Buffer, rest: number): number | undefined {
  const short = head.readUInt32BE(0)
  if (short === 0) return rest
  if (short === 1) {
    const long = head.length >= 16 ? Number(head.readBigUInt64BE(8)) : 0
    return long >= 16 ? long : undefined
  }
  return short >= 8 ? short : undefined
}

/** Its four letters. */
export const nameOf = (box: Buffer): string => box.toString('latin1', 4, 8)

/** The boxes that lie in this one, behind so many of its bytes. */
export function* children(box: Buffer, from: number): Generator<Buffer> {
  for (let at = from; box.length - at >= 8;) {
    const length = boxLength(box.subarray(at, at + 16), box.length - at)
    if (length === undefined || at + length > box.length) return
    yield box.subarray(at, at + length)
    at += length
  }
}

export async function read(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}
