import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../kernel/database.ts'
import { bucketStorage, type BucketPlace } from './bucket-storage.ts'
import { diskStorage, type Disk } from './disk-storage.ts'
import { useStorage } from './storage.ts'

/** Opens the disk under `dataDir` for this process. */
export const openStorage = async (dataDir: string, disk?: Disk): Promise<void> =>
  useStorage(await diskStorage(join(dataDir, 'media'), disk))

/**
 * Opens a bucket for this process: `database` knows what lies there, and `dataDir` holds local copies that may be lost. Throws where
 * people's files still lie on the disk below it: the bucket does not have them.
 */
export const openBucketStorage = async (database: Database, dataDir: string, place: BucketPlace): Promise<void> => {
  const onDisk = join(dataDir, 'media', 'assets')
  if ((await readdir(onDisk).catch(() => [])).length > 0)
    throw new Error(
      `STORAGE=bucket, and people's files lie on this disk (${onDisk}): the bucket does not have them. Set STORAGE=disk, or begin with a new DATA_DIR.`,
    )
  useStorage(await bucketStorage({ database, root: join(dataDir, 'media'), place }))
}
