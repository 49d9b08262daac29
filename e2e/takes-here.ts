import { expect, type Page } from '@playwright/test'
import { assets } from '@clear-to-post/contract/assets'
import { callAs } from './people.ts'

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

/** The officer's take is the only file that is not used yet, and ready. */
export const takeArrives = async (): Promise<void> => {
  const officer = await callAs('officer')
  const states = async () => (await officer(assets.unused, {})).items.map(({ state }) => state)
  await expect.poll(states, { timeout: 90_000 }).toEqual(['ready'])
}
