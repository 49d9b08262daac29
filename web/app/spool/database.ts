import type { Take, TakeBytes, TakeNotes } from './take.ts'
import { probeBytes } from './take-files.ts'

/** What is known of takes, and their bytes where a browser has no files for them, in the browser's own database. */
export const openDatabase = async (): Promise<{ notes: TakeNotes; parts: TakeBytes }> => {
  const database = await opened()
  const within = <T>(stores: string[], mode: IDBTransactionMode, work: (transaction: IDBTransaction) => () => T) =>
    new Promise<T>((resolve, reject) => {
      // Kept means on the disk: a killed browser still has it.
      const transaction = database.transaction(stores, mode, { durability: 'strict' })
      const result = work(transaction)
      transaction.oncomplete = () => resolve(result())
      transaction.onerror = () => reject(transaction.error)
      transaction.onabort = () => reject(transaction.error ?? new Error('The note was not kept'))
    })
  const asked =
    <T>(request: IDBRequest<T>) =>
    () =>
      request.result
  const partsOf = (id: string, from: number) => IDBKeyRange.bound([id, from], [id, Number.MAX_SAFE_INTEGER])

  const notes: TakeNotes = {
    put: (take) => within(['takes'], 'readwrite', (t) => (t.objectStore('takes').put(take), () => undefined)),
    change: (id, part) =>
      within(['takes'], 'readwrite', (t) => {
        let changed: Take | undefined
        const found = t.objectStore('takes').get(id) as IDBRequest<Take | undefined>
        found.onsuccess = () => {
          if (found.result === undefined) return
          changed = { ...found.result, ...part }
          t.objectStore('takes').put(changed)
        }
        return () => changed
      }),
    find: (id) =>
      within(['takes'], 'readonly', (t) => asked(t.objectStore('takes').get(id) as IDBRequest<Take | undefined>)),
    all: () => within(['takes'], 'readonly', (t) => asked(t.objectStore('takes').getAll() as IDBRequest<Take[]>)),
    drop: (id) => within(['takes'], 'readwrite', (t) => (t.objectStore('takes').delete(id), () => undefined)),
  }

  const parts: TakeBytes = {
    place: 'database',
    tryOut: async () => {
      const id = `probe-${crypto.randomUUID()}`
      await parts.append(id, 0, new ArrayBuffer(probeBytes))
      await parts.drop(id)
    },
    append: (id, at, bytes) =>
      within(['parts'], 'readwrite', (t) => {
        // A part that was written and never noted stands where this one goes.
        t.objectStore('parts').delete(partsOf(id, at))
        t.objectStore('parts').put({ id, at, bytes } satisfies Part)
        return () => at + bytes.byteLength
      }),
    read: async (id, from, most) => {
      const found: Uint8Array[] = []
      let wanted = most
      await within(['parts'], 'readonly', (t) => {
        // From the part that holds the first byte; parts know where they begin.
        const store = t.objectStore('parts')
        const upTo = store.openCursor(IDBKeyRange.bound([id, 0], [id, from]), 'prev')
        upTo.onsuccess = () => {
          const first = (upTo.result?.value as Part | undefined)?.at
          if (first === undefined || wanted <= 0) return
          const walk = store.openCursor(partsOf(id, first))
          walk.onsuccess = () => {
            const cursor = walk.result
            if (!cursor || wanted <= 0) return
            const part = cursor.value as Part
            const begin = Math.max(0, from - part.at)
            const piece = new Uint8Array(part.bytes).subarray(begin, begin + wanted)
            found.push(piece)
            wanted -= piece.length
            cursor.continue()
          }
        }
        return () => undefined
      })
      const whole = new Uint8Array(found.reduce((sum, { length }) => sum + length, 0))
      let at = 0
      for (const piece of found) {
        whole.set(piece, at)
        at += piece.length
      }
      return whole.buffer
    },
    close: async () => undefined,
    drop: (id) =>
      within(['parts'], 'readwrite', (t) => (t.objectStore('parts').delete(partsOf(id, 0)), () => undefined)),
  }
  return { notes, parts }
}

type Part = { id: string; at: number; bytes: ArrayBuffer }

const opened = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('takes', 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('takes', { keyPath: 'id' })
      request.result.createObjectStore('parts', { keyPath: ['id', 'at'] })
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('Another page holds the database'))
  })
