import { expect, type Page } from '@playwright/test'
import { browserStores, patternOf, type BrowserStore } from '../web/app/browser-stores.ts'

/** Something that a browser keeps for this origin, as browser-stores.ts would name it. `rows`: how many are in a table. */
export type Kept = { in: BrowserStore['in']; name: string; rows?: number }

/** All that the browser of this page keeps: both storages, every table of every database, files of the origin, caches. */
export const keptBy = (page: Page): Promise<Kept[]> =>
  page.evaluate(async () => {
    const found: {
      in: 'localStorage' | 'sessionStorage' | 'indexedDB' | 'files' | 'caches'
      name: string
      rows?: number
    }[] = []
    for (const name of Object.keys(localStorage)) found.push({ in: 'localStorage', name })
    for (const name of Object.keys(sessionStorage)) found.push({ in: 'sessionStorage', name })
    for (const name of await caches.keys()) found.push({ in: 'caches', name })
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const asked = indexedDB.open(name!)
        asked.onsuccess = () => resolve(asked.result)
        asked.onerror = () => reject(asked.error)
      })
      for (const table of database.objectStoreNames) {
        const rows = await new Promise<number>((resolve, reject) => {
          const asked = database.transaction(table).objectStore(table).count()
          asked.onsuccess = () => resolve(asked.result)
          asked.onerror = () => reject(asked.error)
        })
        found.push({ in: 'indexedDB', name: `${name}/${table}`, rows })
      }
      database.close()
    }
    const walk = async (folder: FileSystemDirectoryHandle, path: string): Promise<void> => {
      const entries = (folder as unknown as { values: () => AsyncIterable<FileSystemHandle> }).values()
      for await (const entry of entries)
        if (entry.kind === 'directory') await walk(entry as FileSystemDirectoryHandle, `${path}${entry.name}/`)
        else found.push({ in: 'files', name: path + entry.name })
    }
    await walk(await navigator.storage.getDirectory(), '')
    return found
  })

/** The row of the list that a kept thing belongs to: of two the one that says its whole name. */
export const storeOf = (kept: Kept): BrowserStore | undefined => {
  const fitting = browserStores.filter((store) => store.in === kept.in && patternOf(store.name).test(kept.name))
  return fitting.find(({ name }) => name === kept.name) ?? fitting[0]
}

/** Fails for everything that the browser keeps and the list does not name. Answers all that is kept. */
export const expectDeclared = async (page: Page, where: string): Promise<Kept[]> => {
  const all = await keptBy(page)
  const strange = all.filter((one) => storeOf(one) === undefined).map((one) => `${one.in} ${one.name}`)
  expect(strange, `${where}: kept in the browser, and not named in web/app/browser-stores.ts`).toEqual([])
  return all
}
