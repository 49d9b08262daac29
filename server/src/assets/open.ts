import type { Config } from '../kernel/config.ts'
import { openStorage } from '../outside/storage.ts'
import { openAddresses } from './addresses.ts'

/** Opens what this room needs before its first request or job: the disk and the key that signs addresses. Safe to repeat. */
export const openAssets = async ({ dataDir, mediaSecret }: Pick<Config, 'dataDir' | 'mediaSecret'>): Promise<void> => {
  await openStorage(dataDir)
  await openAddresses(dataDir, mediaSecret)
}
