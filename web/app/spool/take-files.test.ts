import { expect, it } from 'vitest'
import { probeBytes, takeFiles, type SyncFile } from './take-files.ts'

/** Files on a disk of so many bytes. */
const diskOf = (size: number) => {
  const files = new Map<string, Uint8Array>()
  const used = () => [...files.values()].reduce((sum, { length }) => sum + length, 0)
  const open = async (id: string): Promise<SyncFile> => {
    if (!files.has(id)) files.set(id, new Uint8Array(0))
    return {
      write: (bytes, { at }) => {
        const before = files.get(id)!
        const grown = Math.max(0, at + bytes.length - before.length)
        if (used() + grown > size) throw new DOMException('', 'QuotaExceededError')
        const all = new Uint8Array(before.length + grown)
        all.set(before)
        all.set(bytes, at)
        files.set(id, all)
        return bytes.length
      },
      read: () => 0,
      getSize: () => files.get(id)!.length,
      truncate: () => undefined,
      flush: () => undefined,
      close: () => undefined,
    }
  }
  return { files, open, remove: async (id: string) => void files.delete(id) }
}
const piece = (length: number) => new Uint8Array(length).fill(7).buffer

it('a disk that is full takes the end of a take from what was set aside, and then says that there is no room', async () => {
  const disk = diskOf(1000)
  const takes = takeFiles({ ...disk, reserveBytes: 300 })
  expect(await takes.append('a', 0, piece(400))).toBe(400)
  expect(await takes.append('a', 400, piece(250))).toBe(650)
  expect(await takes.hasRoom!()).toBe(true)
  // Only 50 are left beside the reserve.
  expect(await takes.append('a', 650, piece(200))).toBe(850)
  expect(await takes.hasRoom!()).toBe(false)
  expect(disk.files.get('a')!.length).toBe(850)
  expect(disk.files.has('reserve')).toBe(false)
  await expect(takes.append('a', 850, piece(200))).rejects.toThrow(DOMException)
})

it('a disk too full for the reserve still takes what fits, and refuses the rest', async () => {
  const disk = diskOf(200)
  const takes = takeFiles({ ...disk, reserveBytes: 300 })
  expect(await takes.append('a', 0, piece(150))).toBe(150)
  await expect(takes.append('a', 150, piece(100))).rejects.toMatchObject({ name: 'QuotaExceededError' })
  expect(await takes.hasRoom!()).toBe(true)
})

it('a disk that takes nothing says so when it is tried, and one that does keeps nothing of the trial', async () => {
  const full = diskOf(probeBytes - 1)
  await expect(takeFiles(full).tryOut()).rejects.toMatchObject({ name: 'QuotaExceededError' })
  const roomy = diskOf(probeBytes)
  await takeFiles(roomy).tryOut()
  expect([...full.files.keys(), ...roomy.files.keys()]).toEqual([])
})
