import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { diskStorage, type Storage } from './storage.ts'

let root: string
let store: Storage
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'clear-to-post-storage-'))
  store = await diskStorage(root)
})
afterAll(() => rm(root, { recursive: true, force: true }))

const bytes = async function* (...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

it('the storage keeps bytes from before an error, and refuses bytes at a wrong offset', async () => {
  const id = randomUUID()
  expect(await store.received(id)).toBeUndefined()
  await store.create(id)
  expect(await store.append(id, 0, bytes('abc', 'def'))).toBe(6)
  const breaking = async function* () {
    yield Buffer.from('gh')
    throw new Error('the line broke')
  }
  await expect(store.append(id, 6, breaking())).rejects.toThrow('the line broke')
  expect(await store.received(id)).toBe(8)
  await expect(store.append(id, 9, bytes('x'))).rejects.toThrow('does not end at 9')
  await expect(store.append(id, 3, bytes('x'))).rejects.toThrow('does not end at 3')
  expect(await readFile(store.quarantined(id), 'utf8')).toBe('abcdefgh')
})

it('admitting a file works once and can be repeated, and a missing file is refused', async () => {
  const id = randomUUID()
  await store.create(id)
  await store.append(id, 0, bytes('film'))
  await store.admit(id, 'original.mp4')
  await store.admit(id, 'original.mp4')
  expect(await store.received(id)).toBeUndefined()
  expect(await readFile(store.path(id, 'original.mp4'), 'utf8')).toBe('film')
  await expect(store.admit(randomUUID(), 'original.mp4')).rejects.toThrow('ENOENT')
  await store.remove(id)
  expect(await store.open(id, 'original.mp4')).toBeUndefined()
})

it('pruning removes every file that is not named', async () => {
  const id = randomUUID()
  for (const folder of ['1', '2']) {
    const path = await store.makeFolder(id, folder)
    await writeFile(join(path, 'poster.jpg'), folder)
    await writeFile(join(path, 'half.mp4'), folder)
  }
  await mkdir(join(store.path(id, '2'), 'more'))
  await store.prune(id, ['2/poster.jpg'])
  expect((await readdir(store.path(id, ''), { recursive: true })).toSorted()).toEqual(['2', '2/poster.jpg'])
  await store.prune(randomUUID(), [])
})

it('ids and names that are not our own are refused', () => {
  for (const id of ['..', '../../etc', '', 'x', `${randomUUID()}/..`])
    expect(() => store.quarantined(id)).toThrow('bad')
  for (const name of ['../x.mp4', '/etc/passwd', 'a/b.mp4', '1/../../x.mp4', '.hidden', 'x', '1/2/x.mp4'])
    expect(() => store.path(randomUUID(), name)).toThrow('bad')
})
