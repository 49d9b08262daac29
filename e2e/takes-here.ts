import type { Page } from '@playwright/test'

export type TakeHere = { safeBytes: number; safeMs: number; place: string }

/** What the device's notes call safe. */
export const safeHere = (page: Page): Promise<TakeHere[]> =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const asked = indexedDB.open('takes')
        asked.onerror = () => reject(asked.error)
        asked.onsuccess = () => {
          const database = asked.result
          if (!database.objectStoreNames.contains('takes')) return resolve([])
          const all = database.transaction('takes').objectStore('takes').getAll()
          all.onsuccess = () => {
            resolve(all.result as TakeHere[])
            database.close()
          }
        }
      }),
  )
