import type { DiskStorage } from '../src/outside/disk-storage.ts'
import { storage } from '../src/outside/storage.ts'

/** This process's storage as the disk that it is in tests, whose files have paths. */
export const onDisk = (): DiskStorage => {
  const opened = storage()
  if (opened.kind !== 'disk') throw new Error('these files lie in a bucket')
  return opened as DiskStorage
}
