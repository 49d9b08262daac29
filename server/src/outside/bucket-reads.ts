import { Readable } from 'node:stream'
import type { Bucket } from './bucket.ts'
import { StorageAway, type StoredFile } from './storage.ts'

/** Nothing is asked for before it is read; a line that breaks midway is taken up where it broke. */
export const openObject = async (bucket: Bucket, key: string): Promise<StoredFile | undefined> => {
  const found = await bucket.head(key)
  if (!found) return undefined
  const open = new Set<Readable>()
  return {
    ...found,
    stream: (start = 0, end = found.size - 1) => {
      const stop = new AbortController()
      const stream = Readable.from(wholeOf(bucket, key, start, end, stop.signal), { objectMode: false })
      open.add(stream)
      stream.on('close', () => {
        open.delete(stream)
        stop.abort()
      })
      return stream
    },
    close: async () => {
      for (const stream of open) stream.destroy()
    },
  }
}

/** The bytes of an object from `start` to `end`, taken up again where a line breaks, as long as something came. */
export async function* wholeOf(bucket: Bucket, key: string, start: number, end: number, signal?: AbortSignal) {
  for (let at = start, empty = 0; at <= end;) {
    const before = at
    try {
      const bytes = await bucket.get(key, { start: at, end }, signal)
      if (!bytes) throw new Error(`${key} is not in the bucket`)
      for await (const some of bytes) {
        at += some.length
        yield some
      }
    } catch (error) {
      if (signal?.aborted || at === before) throw error
    }
    empty = at === before ? empty + 1 : 0
    if (empty >= 3) throw new StorageAway(`the bucket gave back less of ${key} than was put`)
  }
}
