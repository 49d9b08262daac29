import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import pg from 'pg'
import { startPostgres } from '../postgres/postgres.ts'
import { takeBackup } from './take.ts'

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true })
})

/** A DATA_DIR with a key and a film, and a disk beside it. */
const product = async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'clear-to-post-take-')))
  folders.push(root)
  const dataDir = join(root, 'data')
  for (const name of ['data/media/assets/one', 'disk/keys', 'disk/backups'])
    await mkdir(join(root, name), { recursive: true })
  await writeFile(join(dataDir, 'media/assets/one/original.mp4'), 'film')
  await writeFile(join(dataDir, 'media-key'), 'key')
  await writeFile(join(root, 'disk/keys/other-key'), 'other')
  const back = (to: string) => takeBackup({ dataDir, to: join(root, to), product: 'test', ownDatabase: true })
  return { root, dataDir, back }
}

it.each([
  ['the backups’ folder', 'backups', 'disk/backups', /each backup would hold those before it/],
  ['a folder above the backups', 'disk', 'disk', /each backup would hold those before it/],
  ['a folder among the backups', 'old', 'disk/backups/old', /each backup would hold those before it/],
  ['the backups’ folder, among the media', 'media/other', 'disk/backups', /each backup would hold those before it/],
  ['DATA_DIR itself', 'self', 'data', /holds DATA_DIR itself/],
  ['a folder above DATA_DIR', 'all', '', /holds DATA_DIR itself/],
])('no backup begins where a link of DATA_DIR leads to %s', async (_what, link, target, said) => {
  const { root, dataDir, back } = await product()
  await mkdir(join(root, 'disk/backups/old'))
  await symlink(join(root, target), join(dataDir, link))
  await expect(back('disk/backups')).rejects.toThrow(said)
  expect(await readdir(join(root, 'disk/backups'))).toEqual(['old'])
})

it('no backup begins in the folder that the media lie in by a link', async () => {
  const { root, dataDir, back } = await product()
  await rm(join(dataDir, 'media'), { recursive: true })
  await symlink(join(root, 'disk'), join(dataDir, 'media'))
  await expect(back('disk/backups')).rejects.toThrow('each backup would hold those before it')
})

it('a key, and a folder of keys, that a link leads to are in the backup', async () => {
  const { root, dataDir, back } = await product()
  await symlink(join(root, 'disk/keys'), join(dataDir, 'keys'))
  await symlink(join(root, 'disk/keys/other-key'), join(dataDir, 'other-key'))
  const { folder } = await back('disk/backups')
  expect((await readdir(join(folder, 'data'), { recursive: true })).toSorted()).toEqual(
    expect.arrayContaining(['keys/other-key', 'media-key', 'other-key']),
  )
})

it('a backup whose database is stopped says so, and to run it again', async () => {
  const { root, dataDir } = await product()
  const postgres = await startPostgres({ dataDir })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(
    'create table asset (id uuid, state text, derived jsonb, sha256 text, file_size bigint, parts jsonb)',
  )
  await client.end()
  let stopping: Promise<void> | undefined
  const log = (line: string) => {
    if (line.startsWith('Copying the database')) stopping = postgres.stop()
  }
  const taken = takeBackup({ dataDir, to: join(root, 'disk/backups'), product: 'test', log })
  await expect(taken).rejects.toThrow(/^The database was stopped while it was being copied.*run the backup again/)
  await stopping
})
