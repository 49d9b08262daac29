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

/** Takes as files, through handles that are opened once and kept until `close`. */
export const takeFiles = ({
  open,
  remove,
}: {
  open: (id: string) => Promise<SyncFile>
  remove: (id: string) => Promise<void>
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
  return {
    place: 'files',
    append: async (id, at, bytes) => {
      const file = await handleOf(id)
      const all = new Uint8Array(bytes)
      for (let done = 0; done < all.length;) {
        const written = file.write(all.subarray(done), { at: at + done })
        if (written === 0) throw new DOMException('The disk took no more', 'QuotaExceededError')
        done += written
      }
      file.flush()
      return at + all.length
    },
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
