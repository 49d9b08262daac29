import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aboutName } from './folder.ts'
import { putBack } from './put-back.ts'
import { checksumsFile, checksumsDigestFile } from './checksums.ts'

let root: string
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'clear-to-post-put-back-'))))
afterAll(() => rm(root, { recursive: true, force: true }))

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/** A backup as somebody else may have written it: one file, and whatever paths its list and its database's folders name. */
const writtenBackup = async (name: string, more: { paths?: readonly string[]; folders?: readonly string[] } = {}) => {
  const folder = join(root, name, 'backups/2026-11-22T04-16-27Z')
  const lines = ['data/postgres/password', ...(more.paths ?? [])].map((path) => `${hash('text')}  ${path}\n`)
  for (const path of ['data/postgres/password', ...(more.paths ?? [])]) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    if (!/\/(\.\.)?$/.test(path)) await writeFile(join(folder, path), 'text')
  }
  const database = {
    version: '18.0',
    systemId: '1',
    startWal: '000000010000000000000001',
    stopLsn: '0/1',
    migrations: [],
    folders: ['base', 'base/1', ...(more.folders ?? [])],
  }
  const at = '2026-11-22T04:16:27.000Z'
  const about = { format: 1, product: '1.0.0', beganAt: at, asOf: at, database, missing: [] }
  await writeFile(join(folder, aboutName), JSON.stringify(about))
  await writeFile(join(folder, checksumsFile), lines.join(''))
  await writeFile(join(folder, checksumsDigestFile), `${hash(lines.join(''))}  ${checksumsFile}\n`)
  return { folder, dataDir: join(root, name, 'restored/data') }
}

test('a backup whose paths stay inside of it is put back', async () => {
  const { folder, dataDir } = await writtenBackup('plain', { paths: ['data/media/..a/b..c.mp4'] })
  await (await putBack(folder, dataDir)).finish()
  expect((await readdir(dataDir, { recursive: true })).sort()).toEqual([
    'media',
    'media/..a',
    'media/..a/b..c.mp4',
    'postgres',
    'postgres/data',
    'postgres/data/base',
    'postgres/data/base/1',
    'postgres/password',
  ])
})

const listed = [
  'data/../../out',
  'data/..',
  'data/media/../../../out',
  'data//tmp/out',
  'data/./out',
  '../out',
  '/out',
  'data/media/',
  'data\\..\\out',
]
const made = ['../../../out', '..', '/out', 'base/../../../../out', 'base//out', './out', '', 'base\\..\\out']
test.each([
  ...listed.map((path) => [checksumsFile, path, { paths: [path] }] as const),
  ...made.map((path) => [aboutName, path, { folders: [path] }] as const),
])('a backup whose %s names the path “%s” is refused before anything is written', async (file, path, more) => {
  const name = `${file}-${listed.indexOf(path)}-${made.indexOf(path)}`
  const { folder, dataDir } = await writtenBackup(name, more)
  const before = (await readdir(join(root, name), { recursive: true })).sort()
  await expect(putBack(folder, dataDir)).rejects.toThrow(
    `${file} names “${path}”, which is no path inside of a backup: nothing was restored. Choose another backup.`,
  )
  expect((await readdir(join(root, name), { recursive: true })).sort()).toEqual(before)
})

test('a backup that lists a path twice is refused before anything is written', async () => {
  for (const [file, path, more] of [
    [checksumsFile, 'data/postgres/password', { paths: ['data/postgres/password'] }],
    [aboutName, 'base/1', { folders: ['base/1'] }],
  ] as const) {
    const { folder, dataDir } = await writtenBackup(`twice in ${file}`, more)
    await expect(putBack(folder, dataDir)).rejects.toThrow(
      `${file} names “${path}” twice: nothing was restored. Choose another backup.`,
    )
    expect(existsSync(dataDir)).toBe(false)
  }
})
