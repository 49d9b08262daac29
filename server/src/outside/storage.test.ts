import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { storageSuite } from '../../test/storage-suite.ts'
import { bucketStorage } from './bucket-storage.ts'
import { diskStorage } from './disk-storage.ts'
import { openBucketStorage } from './open-storage.ts'

let root: string | undefined
afterAll(async () => root && rm(root, { recursive: true, force: true }))

storageSuite('on a disk', async () => {
  root = await mkdtemp(join(tmpdir(), 'clear-to-post-disk-'))
  return diskStorage(root)
})

it('a bucket on a machine that had its files on the disk is refused, and its tidying leaves them', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'clear-to-post-disk-before-'))
  try {
    const root = join(dataDir, 'media')
    const disk = await diskStorage(root)
    const [id, film] = [randomUUID(), join(dataDir, 'film.mp4')]
    await writeFile(film, 'an original')
    await disk.take(id, film)
    await disk.admit(id, 'original.mp4')
    const old = new Date(Date.now() - 30 * 86_400_000)
    await utimes(disk.path(id, 'original.mp4'), old, old)
    const place = { url: 'http://127.0.0.1:9/bucket', region: 'us-east-1', keyId: 'key', secret: 'secret' }
    await expect(openBucketStorage({} as never, dataDir, place)).rejects.toThrow(/Set STORAGE=disk/)
    await (await bucketStorage({ database: {} as never, root, place })).tidy(new Date())
    expect(await readFile(disk.path(id, 'original.mp4'), 'utf8')).toBe('an original')
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
