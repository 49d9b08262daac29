import type { TakeBytes } from './take.ts'

/** As the browser's FileSystemSyncAccessHandle: the one way of a page to a disk that says when it is done. */
export type SyncFile = {
  write: (bytes: Uint8Array, options: { at: number }) => number
  read: (bytes: Uint8Array, options: { at: number }) => number
  getSize: () => number
  truncate: (size: number) => void
  flush: () => void
  close: () => void
}

/**
 * Takes as files, through handles that are opened once and kept until `close`. `reserveBytes` are set aside in a file of their
 * own before the first one: browsers do not say how much room there is, so a disk that turns out to be full still takes the
 * end of the take.
 */
export const takeFiles = ({
  open,
  remove,
  reserveBytes = 0,
}: {
  open: (id: string) => Promise<SyncFile>
  remove: (id: string) => Promise<void>
  reserveBytes?: number
}): TakeBytes => {
  const handles = new Map<string, Promise<SyncFile>>()
  const handleOf = (id: string): Promise<SyncFile> => {
    const known = handles.get(id)
    if (known) return known
    const opened = open(id)
    handles.set(id, opened)
    // Another tab holds it: asked for again, it may be free.
    opened.catch(() => handles.delete(id))
    return opened
  }
  const close = async (id: string) => {
    const handle = handles.get(id)
    handles.delete(id)
    await handle?.then(
      (file) => file.close(),
      () => undefined,
    )
  }
  let reserve: Promise<boolean> | undefined
  /** Whether the reserve is there: another tab may hold it, or the disk may be too full for it already. */
  const setAside = async (): Promise<boolean> => {
    if (reserveBytes === 0) return false
    try {
      const file = await open(reserveId)
      try {
        if (file.getSize() < reserveBytes) write(file, new Uint8Array(reserveBytes), 0)
      } finally {
        file.close()
      }
      return true
    } catch {
      await remove(reserveId)
      return false
    }
  }
  let isUsed = false
  return {
    place: 'files',
    tryOut: async () => {
      // Of its own: another tab may be trying at this moment.
      const id = `probe-${crypto.randomUUID()}`
      try {
        const file = await open(id)
        try {
          write(file, new Uint8Array(probeBytes), 0)
        } finally {
          file.close()
        }
      } finally {
        await remove(id)
      }
    },
    append: async (id, at, bytes) => {
      await (reserve ??= setAside())
      const file = await handleOf(id)
      const all = new Uint8Array(bytes)
      try {
        write(file, all, at)
      } catch (error) {
        if (!isFull(error) || isUsed || !(await reserve)) throw error
        isUsed = true
        await remove(reserveId)
        write(file, all, at)
      }
      return at + all.length
    },
    hasRoom: async () => !isUsed,
    read: async (id, from, most) => {
      const file = await handleOf(id)
      const bytes = new Uint8Array(Math.max(0, Math.min(most, file.getSize() - from)))
      const read = file.read(bytes, { at: from })
      return bytes.buffer.slice(0, read)
    },
    close,
    drop: async (id) => {
      await close(id)
      await remove(id)
    },
  }
}

const reserveId = 'reserve'

/** A page of a disk. */
export const probeBytes = 4096

/** Writes all of it and flushes. Throws QuotaExceededError where the disk takes no more. */
const write = (file: SyncFile, all: Uint8Array, at: number): void => {
  for (let done = 0; done < all.length;) {
    const written = file.write(all.subarray(done), { at: at + done })
    if (written === 0) throw new DOMException('The disk took no more', 'QuotaExceededError')
    done += written
  }
  file.flush()
}

const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'
