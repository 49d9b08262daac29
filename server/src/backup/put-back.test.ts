import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkBackup } from './check.ts'
import { hash, writeBackup } from '../../test/written-backup.ts'
import { aboutName } from './folder.ts'
import { putBack } from './put-back.ts'
import { checksumsFile, checksumsDigestFile } from './checksums.ts'

let root: string
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'clear-to-post-put-back-'))))
afterAll(() => rm(root, { recursive: true, force: true }))

const writtenBackup = (name: string, more?: Parameters<typeof writeBackup>[1]) => writeBackup(join(root, name), more)

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

test('a backup whose backup.json has other bytes, or is not in the list, is refused before anything is written', async () => {
  const { folder, dataDir } = await writtenBackup('another moment')
  const text = await readFile(join(folder, aboutName), 'utf8')
  // What waited before that moment would be sent again.
  await writeFile(join(folder, aboutName), text.replaceAll('2026-11-22', '2025-11-22'))
  const words = `${aboutName} has other bytes than when it was backed up`
  await expect(putBack(folder, dataDir)).rejects.toThrow(words)
  expect(await checkBackup(folder, { placeFor: root })).toEqual([expect.stringContaining(words)])
  await writeFile(join(folder, aboutName), text)
  const line = `${hash('text')}  data/postgres/password\n`
  await writeFile(join(folder, checksumsFile), line)
  await writeFile(join(folder, checksumsDigestFile), `${hash(line)}  ${checksumsFile}\n`)
  await expect(putBack(folder, dataDir)).rejects.toThrow(`${aboutName} is not in ${checksumsFile}`)
  expect(existsSync(dataDir)).toBe(false)
})

// A link's bytes lie elsewhere, and are lost with it; a pipe is waited for, and a device read, without an end.
test.each([
  ['a link to a file of the same bytes', (at: string) => symlink('../../../../elsewhere', at)],
  ['a pipe', (at: string) => void execFileSync('mkfifo', [at])],
  ['a device', (at: string) => symlink('/dev/zero', at)],
])('%s in the place of a file is named, and is not put back', async (what, make) => {
  const { folder, dataDir } = await writtenBackup(what, { paths: ['data/media/film.mp4'] })
  const at = join(folder, 'data/media/film.mp4')
  await writeFile(join(root, what, 'elsewhere'), 'text')
  await rm(at)
  await make(at)
  const words = 'data/media/film.mp4 is no file of its own'
  expect(await checkBackup(folder, { placeFor: root })).toContainEqual(expect.stringContaining(words))
  await expect(putBack(folder, dataDir)).rejects.toThrow(words)
})

test.each(['data', 'data/media'])(
  'a link in the place of the folder %s is named, and nothing is put back',
  async (linked) => {
    const { folder, dataDir } = await writtenBackup(`a link for ${linked}`, { paths: ['data/media/film.mp4'] })
    await rename(join(folder, linked), join(root, `elsewhere of ${linked.replace('/', ' ')}`))
    await symlink(join(root, `elsewhere of ${linked.replace('/', ' ')}`), join(folder, linked))
    await expect(putBack(folder, dataDir)).rejects.toThrow(`${linked} is no folder of its own, but a link`)
    expect(existsSync(dataDir)).toBe(false)
    expect(await checkBackup(folder, { placeFor: root })).toContainEqual(`${linked} is not in ${checksumsFile}`)
  },
)
