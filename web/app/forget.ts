import { browserStores, leaverKey, patternOf } from './browser-stores.ts'
import { inTab, onDevice } from './storage.ts'

/**
 * Forgets what this browser keeps of people who chose to leave (`browser-stores.ts` says what that is). What another tab still
 * holds open is asked for again by the next page.
 */
export const forgetLeavers = async (): Promise<void> => {
  for (const key of onDevice.keys().filter((one) => one.startsWith(leaverKey))) {
    const person = key.slice(leaverKey.length)
    // Whoever has signed in again meanwhile has new things here.
    const isGone = () => onDevice.read(key) !== null
    forgetTexts(onDevice, 'localStorage', person)
    await forgetRows(person)
    if (isGone() && (await forgetFiles(isGone))) onDevice.drop(key)
    // Last: where a browser refuses to say which there are, all the others are gone.
    await closeNotices()
  }
}

/** Notifications that the device still shows: names and titles of videos, for whoever takes it up next. */
const closeNotices = async (): Promise<void> => {
  const registration: Partial<ServiceWorkerRegistration> | undefined = await navigator.serviceWorker?.getRegistration()
  // Where a browser shows none, it has no such list.
  for (const one of (await registration?.getNotifications?.()) ?? []) one.close()
}

/** What this tab alone keeps of a person. */
export const forgetInTab = (person: string): void => forgetTexts(inTab, 'sessionStorage', person)

const forgetTexts = (texts: typeof inTab, kind: 'localStorage' | 'sessionStorage', person: string): void => {
  const patterns = browserStores
    .filter((one) => one.in === kind && one.atSignOut === 'forgotten')
    .map(({ name }) => patternOf(name, person))
  for (const key of texts.keys()) if (patterns.some((one) => one.test(key))) texts.drop(key)
}

const forgetRows = async (person: string): Promise<void> => {
  await within('uploads', ['files'], (table) => dropWhere(table('files'), ({ userId }) => userId === person))
  // Nobody's yet; whoever leaves this device would have taken them up.
  await within('shared', ['files'], (table) => table('files').clear())
  await within('edit-steps', ['steps'], (table) =>
    table('steps').delete(IDBKeyRange.bound(`${person}:`, `${person}:\uffff`)),
  )
  await within('takes', ['takes', 'parts'], (table) =>
    dropWhere(
      table('takes'),
      ({ userId }) => userId === person,
      (id) => table('parts').delete(IDBKeyRange.bound([id, 0], [id, Number.MAX_SAFE_INTEGER])),
    ),
  )
}

/** Files of takes that nothing is known of any more; false where another tab holds one of them still. */
const forgetFiles = async (isGone: () => boolean): Promise<boolean> => {
  const folder = await navigator.storage
    ?.getDirectory?.()
    .then((root) => root.getDirectoryHandle('takes'))
    .catch(() => null)
  if (!folder) return true
  for (let asked = 0; ; asked++) {
    const known = new Set<IDBValidKey>(['reserve'])
    await within('takes', ['takes'], (table) => {
      const keys = table('takes').getAllKeys()
      keys.onsuccess = () => void keys.result.forEach((key) => known.add(key))
    })
    const names: string[] = []
    for await (const name of (folder as unknown as { keys: () => AsyncIterable<string> }).keys()) names.push(name)
    const left = names.filter((name) => !known.has(name))
    if (left.length === 0) return true
    if (asked === 20 || !isGone()) return false
    for (const name of left) await folder.removeEntry(name).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** One transaction on a database that is there; nothing where there is none. */
const within = async (
  name: string,
  tables: string[],
  work: (table: (name: string) => IDBObjectStore) => unknown,
): Promise<void> => {
  const known = await indexedDB.databases?.()
  if (known && !known.some((one) => one.name === name)) return
  const database = await new Promise<IDBDatabase | null>((resolve) => {
    const asked = indexedDB.open(name)
    // It was not there: nothing is made here.
    asked.onupgradeneeded = () => asked.transaction!.abort()
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => resolve(null)
  })
  if (!database) return
  try {
    await new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(tables, 'readwrite')
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('It was not forgotten'))
      work((table) => transaction.objectStore(table))
    })
  } finally {
    database.close()
  }
}

const dropWhere = (
  table: IDBObjectStore,
  isMeant: (row: { userId?: string }) => boolean,
  onDrop?: (key: IDBValidKey) => void,
): void => {
  const walk = table.openCursor()
  walk.onsuccess = () => {
    const cursor = walk.result
    if (!cursor) return
    if (isMeant(cursor.value as { userId?: string })) {
      onDrop?.(cursor.primaryKey)
      cursor.delete()
    }
    cursor.continue()
  }
}
