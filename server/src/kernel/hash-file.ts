import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** The bytes of a file: how many, and their SHA-256 in hex. Throws the reason of `signal` where that ends before. */
export const hashFile = async (path: string, signal?: AbortSignal): Promise<{ sha256: string; bytes: number }> => {
  const digest = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { ...(signal && { signal }), highWaterMark: 1024 * 1024 })) {
    digest.update(chunk)
    bytes += chunk.length
  }
  return { sha256: digest.digest('hex'), bytes }
}
