/** Bytes of which no two places are alike, quickly made. */
export const noise = (size: number, next: () => number): Buffer => {
  const bytes = Buffer.alloc(size)
  const page = 64 * 1024
  for (let at = 0; at < Math.min(size, page); at += 4) bytes.writeUInt32LE(Math.floor(next() * 2 ** 32), at)
  // Every page is the first one with its own number on it: no two places are alike, and it is quickly made.
  for (let at = page; at < size; at += page) {
    bytes.copy(bytes, at, 0, Math.min(page, size - at))
    bytes.writeDoubleLE(at, at)
    bytes.writeDoubleLE(next(), at + page / 2)
  }
  return bytes
}
