import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The 32 random bytes kept in the file `name` under `dataDir`, made when they are not there, for the service's user alone.
 * Throws when the file is damaged; `afterwards` says what its removal means.
 */
export const keptKey = async (dataDir: string, name: string, afterwards: string): Promise<Buffer> => {
  const path = join(dataDir, name)
  const kept = await readFile(path).catch(() => undefined)
  if (kept?.length === 32) return kept
  await mkdir(dataDir, { recursive: true })
  const fresh = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(fresh, randomBytes(32), { mode: 0o600, flush: true })
  // Linked, not renamed: of several processes that start at once the first one's key stands for all.
  await link(fresh, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(fresh)
  const key = await readFile(path)
  if (key.length !== 32) throw new Error(`${path} is damaged. Remove it and start again: ${afterwards}`)
  return key
}

/** The key that opens `/dev/outbox`, as it stands in an address. */
export const outboxKey = async (dataDir: string): Promise<string> =>
  (await keptKey(dataDir, 'outbox-key', 'the outbox has another address then.')).toString('base64url')
