import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bucket } from './bucket.ts'
import { openObject } from './bucket-reads.ts'
import { checkedFile, checkedFolder, type StorageArea, type AreaClass } from './storage.ts'

/** A area (`chunks/`, `exports/`) in a bucket; its folders lie here, too, while somebody works in them. */
export const bucketArea = ({
  what,
  bucket,
  folderOf,
  bring,
  noteFull,
}: {
  what: AreaClass
  bucket: Bucket
  folderOf: (name: string) => string
  bring: (
    key: string,
    path: string,
    expected: { size: number; sha256: string | null },
    signal?: AbortSignal,
  ) => Promise<void>
  noteFull: (error: unknown) => never
}): StorageArea => {
  const prefixOf = (name: string) => `${what}/${checkedFolder(name)}/`
  const list = async (name: string) => {
    const found: { name: string; size: number; modifiedAt: Date }[] = []
    for await (const page of bucket.list(prefixOf(name)))
      found.push(...page.map(({ key, ...one }) => ({ name: key.slice(prefixOf(name).length), ...one })))
    return found
  }
  return {
    folder: async (name) => {
      await mkdir(folderOf(name), { recursive: true })
      return folderOf(name)
    },
    bring: async (name, files, signal) => {
      await mkdir(folderOf(name), { recursive: true })
      const here = new Set(await readdir(folderOf(name)))
      const wanted = new Set(files.filter((file) => !here.has(checkedFile(file))))
      if (wanted.size === 0) return
      const kept = (await list(name)).filter((one) => wanted.has(one.name))
      for (const one of kept)
        await bring(prefixOf(name) + one.name, join(folderOf(name), one.name), { size: one.size, sha256: null }, signal)
    },
    keep: async (name, files) => {
      const here = new Set(await readdir(folderOf(name)).catch(() => []))
      const mine = files.filter((file) => here.has(checkedFile(file)))
      if (mine.length === 0) return
      const kept = new Set((await list(name)).map((one) => one.name))
      for (const file of new Set(mine))
        if (!kept.has(file)) await bucket.putFile(prefixOf(name) + file, join(folderOf(name), file)).catch(noteFull)
    },
    list: async (name) => (await list(name)).map((one) => ({ name: one.name, size: one.size })),
    open: (name, file) => openObject(bucket, prefixOf(name) + checkedFile(file)),
    names: () => bucket.folders(`${what}/`),
    drop: async (name) => {
      await rm(folderOf(name), { recursive: true, force: true })
      for await (const page of bucket.list(prefixOf(name))) for (const { key } of page) await bucket.remove(key)
    },
    trim: async (before) => {
      const trimmed = new Set<string>()
      for await (const page of bucket.list(`${what}/`))
        for (const { key, modifiedAt } of page) {
          if (modifiedAt >= before) continue
          await bucket.remove(key)
          trimmed.add(key.split('/')[1]!)
        }
      return [...trimmed]
    },
  }
}
