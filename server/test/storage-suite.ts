import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Storage } from '../src/outside/storage.ts'

const bytes = async function* (...texts: (string | Uint8Array)[]) {
  for (const text of texts) yield typeof text === 'string' ? Buffer.from(text) : text
}

/** What every place for files must do, whatever it is made of. `open` is asked once. */
export const storageSuite = (name: string, open: () => Promise<Storage>): void => {
  describe(`files ${name}`, () => {
    let store: Storage
    let folder: string
    beforeAll(async () => {
      store = await open()
      folder = await mkdtemp(join(tmpdir(), 'clear-to-post-storage-'))
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))

    const local = async (content: string | Uint8Array) => {
      const path = join(folder, randomUUID())
      await writeFile(path, content)
      return path
    }
    const readUpload = async (id: string) => {
      await using copies = store.copies()
      return readFile(await copies.upload(id))
    }
    const read = async (id: string, file: string, start?: number, end?: number) => {
      const found = await store.open(id, file)
      return found && (await buffer(found.stream(start, end)))
    }
    const admitted = async (content: string | Uint8Array, file = 'original.mp4') => {
      const id = randomUUID()
      await store.take(id, await local(content))
      await store.admit(id, file)
      return id
    }
    const ids = async (before: Date) => {
      const found: string[] = []
      for await (const some of store.untouched(before)) found.push(...some)
      return found
    }

    it('an upload keeps bytes from before an error, and refuses bytes at a wrong offset', async () => {
      const id = randomUUID()
      expect(await store.received(id)).toBeUndefined()
      await store.create(id)
      expect(await store.received(id)).toBe(0)
      const heard: number[] = []
      expect(await store.append(id, 0, bytes('abc', 'def'), (at) => heard.push(at))).toBe(6)
      expect(heard.at(-1)).toBe(6)
      const breaking = async function* () {
        yield Buffer.from('gh')
        throw new Error('the line broke')
      }
      await expect(store.append(id, 6, breaking())).rejects.toThrow('the line broke')
      expect(await store.received(id)).toBe(8)
      await expect(store.append(id, 9, bytes('x'))).rejects.toThrow('does not end at 9')
      await expect(store.append(id, 3, bytes('x'))).rejects.toThrow('does not end at 3')
      await store.create(id)
      expect(await store.received(id, { takeOver: true })).toBe(8)
      expect(await store.append(id, 8, bytes('ij'))).toBe(10)
      expect(String(await readUpload(id))).toBe('abcdefghij')
    })

    it('an upload whose row stands and whose bytes are gone begins again', async () => {
      const id = randomUUID()
      expect(await store.append(id, 0, bytes('film'))).toBe(4)
      expect(String(await readUpload(id))).toBe('film')
      await store.refuse(id)
      await store.refuse(id)
      expect(await store.received(id)).toBeUndefined()
    })

    it('a long file comes back as it went in, whole and by its ranges', async () => {
      const content = randomBytes(19 * 1024 ** 2)
      const id = await admitted(content)
      const found = (await store.open(id, 'original.mp4'))!
      expect(found.size).toBe(content.length)
      await found.close()
      const hash = (some: Uint8Array) => createHash('sha256').update(some).digest('hex')
      expect(hash((await read(id, 'original.mp4'))!)).toBe(hash(content))
      const [from, to] = [9 * 1024 ** 2, 17 * 1024 ** 2 + 1]
      expect(hash((await read(id, 'original.mp4', from, to))!)).toBe(hash(content.subarray(from, to + 1)))
      await using copies = store.copies()
      expect(hash(await readFile((await copies.of(id, 'original.mp4'))!))).toBe(hash(content))
    })

    it('admitting works once and can be repeated, and a missing file is refused', async () => {
      const id = await admitted('film')
      await store.admit(id, 'original.mp4')
      expect(await store.received(id)).toBeUndefined()
      expect(String(await read(id, 'original.mp4'))).toBe('film')
      expect(await read(id, 'other.mp4')).toBeUndefined()
      await expect(store.admit(randomUUID(), 'original.mp4')).rejects.toThrow('ENOENT')
      await using copies = store.copies()
      expect(await copies.of(id, 'other.mp4')).toBeUndefined()
      await store.remove(id)
      await store.remove(id)
      expect(await read(id, 'original.mp4')).toBeUndefined()
    })

    it('an attempt’s output is kept when it is settled, and pruning leaves what is named, and other folders', async () => {
      const id = await admitted('film')
      for (const attempt of ['1', '2', '12', '001']) {
        const made = await store.makeFolder(id, attempt)
        for (const file of ['poster.jpg', 'thumb.jpg']) {
          await writeFile(join(made, file), `${file} ${attempt}`)
          await store.settle(id, `${attempt}/${file}`)
        }
      }
      await store.prune(id, ['1', '2', '3'], ['original.mp4', '2/poster.jpg'])
      expect(String(await read(id, '2/poster.jpg'))).toBe('poster.jpg 2')
      expect(String(await read(id, 'original.mp4'))).toBe('film')
      for (const gone of ['1/poster.jpg', '1/thumb.jpg', '2/thumb.jpg']) expect(await read(id, gone)).toBeUndefined()
      for (const others of ['12/poster.jpg', '001/thumb.jpg']) expect(await read(id, others)).toBeDefined()
      await store.prune(randomUUID(), ['1'], [])
    })

    it('what lies here untouched is named, and nothing that was removed', async () => {
      const [whole, waiting, gone] = [await admitted('film'), randomUUID(), await admitted('film')]
      await store.append(waiting, 0, bytes('x'))
      await store.remove(gone)
      const later = await ids(new Date(Date.now() + 60_000))
      expect(later).toEqual(expect.arrayContaining([whole, waiting]))
      expect(later).not.toContain(gone)
      expect(await ids(new Date(Date.now() - 60_000))).toEqual([])
    })

    it('a area keeps small files by name, brings them back, and drops all below a name', async () => {
      const [area, name] = [store.area('chunks'), randomUUID()]
      const at = await area.folder(name)
      await writeFile(join(at, 'one.mp4'), 'one')
      await writeFile(join(at, 'two.m4a.json'), 'two')
      await area.keep(name, ['one.mp4', 'two.m4a.json', 'none.mp4'])
      await area.keep(name, ['one.mp4'])
      expect((await area.list(name)).toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
        { name: 'one.mp4', size: 3 },
        { name: 'two.m4a.json', size: 3 },
      ])
      expect(await area.names()).toContain(name)
      // Of a bucket the local folder may be lost.
      if (store.kind === 'bucket') await store.dropWork(`chunks/${name}`)
      await area.bring(name, ['one.mp4', 'two.m4a.json', 'none.mp4'])
      expect(await readFile(join(await area.folder(name), 'two.m4a.json'), 'utf8')).toBe('two')
      expect(String(await buffer((await area.open(name, 'one.mp4'))!.stream()))).toBe('one')
      expect(await area.trim(new Date(0))).toEqual([])
      await area.drop(name)
      expect(await area.list(name)).toEqual([])
      expect(await area.names()).not.toContain(name)
      expect(await area.open(name, 'one.mp4')).toBeUndefined()
    })

    it('ids and names that are not our own are refused', async () => {
      for (const id of ['..', '../../etc', '', 'x', `${randomUUID()}/..`]) {
        await expect((async () => store.append(id, 0, bytes('x')))()).rejects.toThrow('bad')
        await expect((async () => store.open(id, 'original.mp4'))()).rejects.toThrow('bad')
        await expect((async () => store.remove(id))()).rejects.toThrow('bad')
      }
      for (const file of ['../x.mp4', '/etc/passwd', 'a/b.mp4', '1/../../x.mp4', '.hidden', 'x', '1/2/x.mp4'])
        await expect((async () => store.open(randomUUID(), file))()).rejects.toThrow('bad')
      for (const folder of ['..', '/etc', 'a/../b', ''])
        await expect((async () => store.area('chunks').folder(folder))()).rejects.toThrow('bad')
    })
  })
}
