import { chmod } from 'node:fs/promises'
import { join } from 'node:path'

/** From now on what this process and its children make is for its user alone: files 0600, folders 0700. */
export const keepFilesPrivate = (): void => void process.umask(0o077)

/** Closes what an earlier version left open to others: whoever cannot pass a folder reaches nothing in it. */
export const protectFolders = async (dataDir: string): Promise<void> => {
  for (const name of ['media', 'outbox'])
    await chmod(join(dataDir, name), 0o700).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
}
