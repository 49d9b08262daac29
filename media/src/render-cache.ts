import { mkdir, mkdtemp, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Which of the names the cache holds. What it holds counts as just used, for `trimCache`. Working folders that a kill
 * left behind go once they are older than any render may take.
 */
export async function useCache(folder: string, names: readonly string[]): Promise<Set<string>> {
  await mkdir(folder, { recursive: true })
  const all = await readdir(folder)
  const wanted = new Set(names)
  const there = new Set<string>()
  const now = new Date()
  for (const name of all) {
    const path = join(folder, name)
    if (name.startsWith(working)) {
      if (await olderThan(path, now.getTime() - longestRenderMs)) await rm(path, { recursive: true, force: true })
    } else if (wanted.has(name)) {
      const touched = await utimes(path, now, now).then(
        () => true,
        () => false,
      )
      if (touched) there.add(name)
    }
  }
  return there
}

/**
 * Removes what was not used for longest until the caches together hold at most so many bytes. Answers how many they hold,
 * and the folders that something was removed from.
 */
export async function trimCache(
  folders: readonly string[],
  mostBytes: number,
): Promise<{ bytes: number; trimmed: string[] }> {
  const files: { folder: string; path: string; size: number; used: number }[] = []
  const trimmed = new Set<string>()
  for (const folder of folders)
    for (const name of await readdir(folder).catch(() => [])) {
      if (name.startsWith(working)) continue
      const path = join(folder, name)
      const found = await stat(path).catch(() => undefined)
      if (found) files.push({ folder, path, size: found.size, used: found.mtimeMs })
    }
  let bytes = files.reduce((sum, { size }) => sum + size, 0)
  for (const { folder, path, size } of files.toSorted((a, b) => a.used - b.used)) {
    if (bytes <= mostBytes) break
    await rm(path, { force: true })
    bytes -= size
    trimmed.add(folder)
  }
  return { bytes, trimmed: [...trimmed] }
}

/** A folder of its own inside another, gone afterwards. */
export async function inFolder<T>(parent: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(parent, working))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** From a working folder into its place: whole and on the disk, or not there at all. */
export async function keep(folder: string, name: string, place: string): Promise<void> {
  await synced(join(folder, name))
  await rename(join(folder, name), join(place, name))
  await synced(place)
}

const working = '.making-'
const longestRenderMs = 6 * 3600_000

async function olderThan(path: string, moment: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && found.mtimeMs < moment
}

async function synced(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync()
}
