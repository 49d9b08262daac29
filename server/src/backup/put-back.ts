import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { bytesFree, readBackup, words, type About } from './folder.ts'
import { copyFile, inParallel, NotItsOwn, openOwn, syncFolder } from './checksums.ts'

/** Lies in a DATA_DIR from the first file of a restore to its last step; the product does not start on one. */
export const unfinishedName = 'restore-unfinished'

/** Throws a sentence when a restore into this folder did not come to its end. */
export const refuseUnfinished = (dataDir: string): void => {
  if (existsSync(join(dataDir, unfinishedName)))
    throw new Error(`A restore into ${dataDir} was ended midway. Empty the folder and run npm run restore again.`)
}

/**
 * Copies a backup into `dataDir`, which must be absent or empty, and compares each file's hash on the way. The folder
 * counts as unfinished until `finish` is called. `seal`: what was kept of this backup elsewhere. Throws a sentence that names
 * the file when one is not what it was.
 */
export const putBack = async (
  folder: string,
  dataDir: string,
  { log = () => {}, seal }: { log?: (line: string) => void; seal?: string | undefined } = {},
): Promise<{ about: About; finish: () => Promise<void> }> => {
  const target = resolve(dataDir)
  refuseUnfinished(target)
  if ((await readdir(target).catch(() => [])).length > 0)
    throw new Error(
      `${target} is not empty. A restore overwrites nothing: choose an empty DATA_DIR, or move this one away.`,
    )
  const { sums, about } = await readBackup(folder, seal)
  const paths = [...sums].filter(([path]) => path.startsWith('data/'))
  await refuseLinkedFolders(folder, paths)
  await mkdir(target, { recursive: true })
  await makeSureOfRoom(folder, target, paths)

  const mark = join(target, unfinishedName)
  await writeFile(mark, 'A restore began here and has not ended.\n', { mode: 0o600, flush: true })
  await syncFolder(target)
  log(`Putting back ${paths.length} files`)
  if (about.database) {
    // Others may pass through, not look: PostgreSQL's own account must reach `data` below.
    await mkdir(join(target, 'postgres'), { mode: 0o711 })
    for (const path of ['', ...about.database.folders])
      await mkdir(join(target, 'postgres/data', path), { recursive: true, mode: 0o700 })
  }
  await inParallel(paths, 4, async ([path, sha256]) => {
    const to = join(target, path.slice('data/'.length))
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    await using source = await openOwn(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      if (error instanceof NotItsOwn) throw new Error(`${path} ${error.words}: nothing was restored.`)
      throw error.code === 'ENOENT' ? new Error(`${path} is missing in the backup: nothing was restored.`) : error
    })
    const copied = await copyFile(source, to)
    if (copied.sha256 !== sha256)
      throw new Error(
        `${path} has other bytes than when it was backed up: nothing was restored. Choose another backup.`,
      )
  })
  for (const entry of await readdir(target, { withFileTypes: true, recursive: true }))
    if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name))
  return {
    about,
    finish: async () => {
      await rm(mark)
      await syncFolder(target)
    },
  }
}

/** What a link leads to is no part of the backup, and lost with the disk that it lies on: of a folder as of a file. */
const refuseLinkedFolders = async (folder: string, paths: readonly [string, string][]) => {
  const folders = new Set<string>()
  for (const [path] of paths)
    for (let above = dirname(path); above !== '.' && !folders.has(above); above = dirname(above)) folders.add(above)
  for (const path of folders)
    if ((await lstat(join(folder, path)).catch(() => undefined))?.isSymbolicLink())
      throw new Error(`${path} is no folder of its own, but a link: nothing was restored. Choose another backup.`)
}

const makeSureOfRoom = async (folder: string, target: string, paths: readonly [string, string][]) => {
  let needed = 256 * 1024 * 1024
  for (const [path] of paths) needed += (await stat(join(folder, path)).catch(() => ({ size: 0 }))).size
  const free = await bytesFree(target)
  if (free < needed)
    throw new Error(`${target} has ${words(free)} free and this backup needs ${words(needed)}: make room first.`)
}
