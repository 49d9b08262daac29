import type { Config } from '../kernel/config.ts'
import type { Database } from '../kernel/database.ts'
import { openBucketStorage, openStorage } from '../outside/open-storage.ts'
import { openAddresses } from './addresses.ts'

/**
 * Opens what this room needs before its first request or job: the disk or the bucket, and the key that signs addresses.
 * Safe to repeat.
 */
export const openAssets = async (
  { dataDir, mediaSecret, bucket }: Pick<Config, 'dataDir' | 'mediaSecret' | 'bucket'>,
  database: Database,
): Promise<void> => {
  if (bucket) await openBucketStorage(database, dataDir, bucket)
  else await openStorage(dataDir)
  await openAddresses(dataDir, mediaSecret)
}
