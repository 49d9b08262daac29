/** A table of this browser's own database (IndexedDB); what is kept in it is on this machine's disk. */
export const browserTable = (name: string, table: string) => {
  let opened: Promise<IDBDatabase> | null = null
  return (): Promise<IDBDatabase> => {
    opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const asked = indexedDB.open(name, 1)
      asked.onupgradeneeded = () => asked.result.createObjectStore(table)
      asked.onsuccess = () => resolve(asked.result)
      asked.onerror = () => reject(asked.error ?? new Error('The browser keeps nothing here.'))
      // A browser that says nothing keeps nothing.
      setTimeout(() => reject(new Error('The browser did not say whether it keeps something.')), 3000)
    })
    return opened
  }
}

export const answered = <T>(asked: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error ?? new Error('The browser did not read it.'))
  })
