import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { storageSuite } from '../../test/storage-suite.ts'
import { diskStorage } from './disk-storage.ts'

let root: string | undefined
afterAll(async () => root && rm(root, { recursive: true, force: true }))

storageSuite('on a disk', async () => {
  root = await mkdtemp(join(tmpdir(), 'clear-to-post-disk-'))
  return diskStorage(root)
})
