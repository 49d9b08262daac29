/**
 * Files on their way, kept in the browser's own database until the service has them whole: after a reload or a closed tab
 * the page holds no file any more, and a person should not have to find it again.
 */
export type KeptFile = {
  key: string
  userId: string
  file: File
  projectId?: string | undefined
  /** Where the service receives it; known after the first answer. */
  uploadUrl?: string | undefined
}

/** Keeps a copy. False when the browser has no room or keeps nothing (private window): then only this page can go on. */
export const keepFile = async (kept: KeptFile): Promise<boolean> => {
  try {
    await inStore('readwrite', (store) => store.put(kept))
    return true
  } catch (error) {
    console.warn('The file could not be kept for a reload', error)
    return false
  }
}

export const keptFile = async (key: string): Promise<KeptFile | undefined> =>
  inStore<KeptFile | undefined>('readonly', (store) => store.get(key)).catch(() => undefined)

export const keptFilesOf = async (userId: string): Promise<KeptFile[]> => {
  const all = await inStore<KeptFile[]>('readonly', (store) => store.getAll()).catch(() => [])
  return all.filter((kept) => kept.userId === userId)
}

/** Writes down where the service receives it, unless the file was let go meanwhile. */
export const keepAddress = async (key: string, uploadUrl: string): Promise<void> => {
  const kept = await keptFile(key)
  if (kept !== undefined) await keepFile({ ...kept, uploadUrl })
}

export const letGo = async (key: string): Promise<void> => {
  await inStore('readwrite', (store) => store.delete(key)).catch(() => undefined)
}

const inStore = async <T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T> | IDBRequest,
): Promise<T> => {
  const database = await opened()
  return new Promise((resolve, reject) => {
    const transaction = database.transaction('files', mode)
    const request = work(transaction.objectStore('files')) as IDBRequest<T>
    transaction.oncomplete = () => resolve(request.result)
    transaction.onerror = () => reject(transaction.error ?? request.error)
    transaction.onabort = () => reject(transaction.error ?? request.error)
  })
}

let opening: Promise<IDBDatabase> | undefined
const opened = (): Promise<IDBDatabase> =>
  (opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('uploads', 1)
    request.onupgradeneeded = () => request.result.createObjectStore('files', { keyPath: 'key' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  }).catch((error: unknown) => {
    opening = undefined
    throw error
  }))
