import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Copies on this host of what lies in a bucket: who works with one, how one is made whole, and which ones go. */

/** Local copies that nobody used for this long go. */
export const copiesKeptMs = 24 * 60 * 60 * 1000

/** Local copies that somebody works with stay. */
export const heldCopies = () => {
  const holders = new Map<string, number>()
  return {
    isHeld: (path: string) => holders.has(path),
    lease: () => {
      const mine: string[] = []
      return {
        hold: (path: string) => {
          holders.set(path, (holders.get(path) ?? 0) + 1)
          mine.push(path)
          return path
        },
        end: () => {
          for (const path of mine.splice(0)) {
            const left = holders.get(path)! - 1
            if (left > 0) holders.set(path, left)
            else holders.delete(path)
          }
        },
      }
    },
  }
}

/** Whoever wants the same at the same time waits for the first one. */
export const once = <T>() => {
  const running = new Map<string, Promise<T>>()
  return (key: string, work: () => Promise<T>): Promise<T> => {
    const before = running.get(key)
    if (before) return before
    const mine = work().finally(() => running.delete(key))
    running.set(key, mine)
    return mine
  }
}

/** Written beside its place and moved there when it is whole. */
export const intoPlace = async (path: string, fill: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>) => {
  await mkdir(dirname(path), { recursive: true })
  const draft = join(dirname(path), `.making-${randomUUID()}`)
  try {
    await using file = await open(draft, 'wx', 0o600)
    await fill(async (bytes) => void (await file.writeFile(bytes)))
    // A power cut would leave a name with less behind it.
    await file.sync()
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

export const sha256Of = async (path: string): Promise<string> => {
  const digest = createHash('sha256')
  for await (const bytes of createReadStream(path, { highWaterMark: 1024 ** 2 })) digest.update(bytes)
  return digest.digest('hex')
}

export const statIfThere = (path: string) => stat(path).catch(() => undefined)

export const touched = (path: string): Promise<boolean> =>
  utimes(path, new Date(), new Date()).then(
    () => true,
    () => false,
  )

export const filesOf = async (folder: string): Promise<{ path: string; usedMs: number }[]> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name)
        const found = await statIfThere(path)
        return found ? [{ path, usedMs: found.mtimeMs }] : []
      }),
  )
  return files.flat()
}

/** Folders in which something was just made stay: they are young. */
export const dropEmptyFolders = async (folder: string): Promise<void> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name))
  for (const path of folders.toSorted((a, b) => b.length - a.length)) {
    const found = await statIfThere(path)
    if (found && found.mtimeMs < Date.now() - copiesKeptMs) await rmdir(path).catch(() => {})
  }
}
