/** What came is put at the latest after this long, so that a slow sender has little to send again. */
const heldMs = 5000

/** Pieces of at most so many bytes, put off for `heldMs` at the longest. An error comes after what came before it. */
export async function* inPieces(bytes: AsyncIterable<Uint8Array>, most: () => number): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]()
  let chunks: Uint8Array[] = []
  let length = 0
  let since = 0
  const take = () => {
    const piece = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)
    ;[chunks, length] = [[], 0]
    return piece
  }
  let asked: Promise<IteratorResult<Uint8Array>> | undefined
  try {
    for (;;) {
      asked ??= source.next()
      asked.catch(() => {})
      const next = length === 0 ? await asked : await unlessLate(asked, since + heldMs - performance.now())
      if (next === 'late') {
        yield take()
        continue
      }
      asked = undefined
      if (next.done) break
      if (length === 0) since = performance.now()
      chunks.push(next.value)
      length += next.value.length
      if (length >= most()) yield take()
    }
  } catch (error) {
    if (length > 0) yield take()
    throw error
  } finally {
    if (!asked) await source.return?.()
    else void asked.then(() => source.return?.()).catch(() => {})
  }
  if (length > 0) yield take()
}

const unlessLate = async <T>(work: Promise<T>, ms: number): Promise<T | 'late'> => {
  const { promise, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(resolve, Math.max(0, ms), 'late')
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
